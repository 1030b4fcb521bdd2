"""Tells mere detail from another fact, when only one of two texts says more.

"An old motorbike" is a motorbike; "the helmet of the motorbike" is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.alike.modifiers import Block, is_adverb, narrows, only_describes
from souvenance.write.alike.slips import is_slip
from souvenance.write.words.decisive import Item, Reading


def beyond_detail(rich: Reading, poor: Reading, extra: Sequence[Item], words: Language) -> str:
    """Why what only the richer text says is more than a detail; empty when it is one."""
    alone = {i.start for i in extra}
    base = [i for i in rich.items if i.start not in alone]
    shared = [i.form for i in base if i.has_content]
    if shared != [i.form for i in poor.content] and not _slips(base, poor, words):
        return "more detail, in another order"
    if _one_more(rich, alone, words):
        return "one name more in a list"
    content = [i for i in base if i.has_content]
    for block in _blocks(rich, alone):
        why = (
            _quantity(block, words)
            or narrows(block, content, words)
            or _block(poor, block, _follower(content, block), words)
        )
        if why:
            return why
    return ""


def _quantity(block: Block, words: Language) -> str:
    """Why a word of quantity beside what both texts share makes two facts; in a clause of its own it does not."""
    opens = words.words["conjunctions"] | words.words["becauses"]
    clause = block.apart or any(i.word in opens for i in block.before)
    for item in block.inside[: 1 if clause else None]:
        if item.word in words.words["quantities"]:
            return f"a quantity on one side: {item.word}"
    return ""


def _one_more(rich: Reading, alone: set[int], words: Language) -> bool:
    """Whether a name that only one text has stands in a list of names both have."""
    names = [n for n, i in enumerate(rich.items) if i.sort == "name"]
    for before, after in pairwise(names):
        between = [rich.items[n].word for n in range(before + 1, after)]
        listed = all(form in words.words["joiners"] for form in between) and (
            bool(between) or rich.items[after].after_stop
        )
        one, two = rich.items[before].start in alone, rich.items[after].start in alone
        if listed and one != two:
            return True
    return False


def _slips(base: Sequence[Item], poor: Reading, words: Language) -> bool:
    mine, theirs = [i for i in base if i.has_content], poor.content
    return len(mine) == len(theirs) and all(
        x.form == y.form or is_slip(x, y, words) for x, y in zip(mine, theirs, strict=True)
    )


def _blocks(rich: Reading, alone: set[int]) -> list[Block]:
    blocks: list[Block] = []
    before: list[Item] = []
    inside: list[Item] = []
    after: list[Item] = []
    gap = 0
    for item in rich.items:
        if item.has_content and item.start in alone:
            inside, after = [*inside, *after, item], []
        elif item.has_content:
            if inside:
                blocks.append(
                    Block(before, inside, after, gap, last=False, before_stop=item.after_stop)
                )
            before, inside, after, gap = [], [], [], gap + 1
        elif inside:
            after.append(item)
        else:
            before.append(item)
    if inside:
        blocks.append(Block(before, inside, after, gap, last=True))
    return blocks


def _follower(content: Sequence[Item], block: Block) -> str:
    return content[block.gap].word if block.gap < len(content) else ""


def _block(poor: Reading, block: Block, follower: str, words: Language) -> str:
    what = ", ".join(i.word for i in block.inside)
    poor_gap = _gap(poor, block.gap)
    if _negated(poor) and not block.apart:
        return f"narrows what is denied: {what}"
    before, after = _forms(block.before), _forms(block.after)
    close = not block.before and not block.inside[0].after_stop
    old = block.last and block.inside[0].word.startswith(
        "ancien"
    )  # behind its noun, it is only old
    if close and block.inside[0].word in words.words["shifters"] and not old:
        return f"another thing: {what}"
    if block.last:
        return _trailing(block, what, words)
    if any(i.word in words.words["shifters"] for i in block.inside):
        return f"another thing: {what}"
    if not before and _is_verb(block.inside[0].word, words):
        return f"about something else: {what}"
    premodifies = _plain(before, words) == _plain(poor_gap, words) and not after
    premodifies = premodifies or (
        not after and _plain(poor_gap, words) in _inner_gaps(block, words)
    )
    modifies = _plain(after, words) == _plain(poor_gap, words)
    if _plain([*before, *after], words) == _plain(poor_gap, words) and all(
        is_adverb(i.word, words) for i in block.inside if i.has_content
    ):
        return ""
    if not after and not block.before_stop:
        heads = words.words["complemented"] if words.traits.nouns_before_nouns else frozenset()
        named = bool(block.gap) and not block.before and all(i.sort == "name" for i in block.tail)
        if not (named or follower in heads or only_describes(block.tail, words)):
            return f"another thing: {what}"
    if block.gap == 0 and _restricts(block, words):
        return f"a restriction: {what}"
    if block.gap == 0:
        led = bool(block.before) and block.before[0].word in words.words.get("conjunctions", ())
        inside = (i.word for i in block.inside if i.has_content)
        adverb = all(words.ends(w, "adverb_endings") for w in inside)
        ok = premodifies or ((modifies and (led or not any(poor_gap))) and (led or adverb))
        return "" if ok else f"about something else: {what}"
    return "" if premodifies or modifies else f"about something else: {what}"


def _inner_gaps(block: Block, words: Language) -> list[list[str]]:
    """The runs of small words inside a block: "de mathématiques [dans un] petit" holds one."""
    gaps: list[list[str]] = []
    gap: list[str] = []
    for item in block.inside:
        if item.has_content:
            gaps, gap = [*gaps, _plain(gap, words)], []
        else:
            gap.append(item.form)
    return [g for g in gaps if g]


#: French articles that change before an adjective: "des orgues", "de vieux orgues"; no other language has these.
_PARTITIVE = {"des": "de", "d": "de"}


def _plain(gap: list[str], words: Language) -> list[str]:
    return [_PARTITIVE.get(word, word) for word in gap if word not in words.words["very_words"]]


def _is_verb(word: str, words: Language) -> bool:
    """Whether a word looks like an infinitive or a gerund: a new act between a verb and its object."""
    return words.ends(word, "act_endings")


def _trailing(block: Block, what: str, words: Language) -> str:
    opening = (block.before or block.inside)[0]
    if _restricts(block, words):
        return f"a restriction: {what}"
    if block.apart or opening.word in words.words.get("conjunctions", ()):
        return ""
    if block.before and opening.form == "s" and words.traits.possessive_s:
        return f"of it, not it: {what}"  # "the boss's car"
    close = all(i.sort == "person" for i in block.before)
    if close and words.traits.nouns_before_nouns and not _qualifies(block.inside[0].word, words):
        return f"another thing: {what}"
    return ""


def _restricts(block: Block, words: Language) -> bool:
    """Whether what follows only holds at times: "unless", "sauf"; "if possible" and "even if" do not count."""
    spoken = {i.word for i in block.before}
    if spoken & {"meme", "even"} or block.inside[0].word == "possible":
        return False
    return any(i.word in words.words.get("exceptions", ()) for i in block.before)


def _qualifies(word: str, words: Language) -> bool:
    """Whether a word after a noun or verb only qualifies it: an adverb or a participle, not "shed"."""
    return word in words.words["after_nouns"] or words.ends(word, "after_noun_endings")


def _gap(reading: Reading, gap: int) -> list[str]:
    """The small words that follow the first `gap` pieces of content, up to the next."""
    found: list[str] = []
    seen = 0
    for item in reading.items:
        if item.has_content:
            seen += 1
            if seen > gap:
                break
        elif seen == gap:
            found.append(item.form)
    return found


def _forms(items: Sequence[Item]) -> list[str]:
    return [i.form for i in items]


def _negated(reading: Reading) -> bool:
    return any(i.sort == "negation" for i in reading.items)
