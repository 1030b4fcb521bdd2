"""Tells whether words of ending or of change say that it is so: not denied, nor nearly, wished, for a while, or long ago.

A true fact wrongly closed is worse than two that stand side by side: in doubt, nothing is over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from souvenance.lang import Language, tokens
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import find, has

#: Lists whose words before an ending take it back.
_TAKEN_BACK = ("over_nearly", "over_unsure", "over_conditions")

#: Words after "for" or "during" in which a length of time is looked for. Chosen, not measured.
_SPAN = 4

#: Where a sentence ends: what stands before it has no bearing on an ending.
_STOP = re.compile(r"[.!?…;]\s")


@dataclass(frozen=True, slots=True)
class Place:
    """Where words of ending stand: the clause, their span in it, what follows in the text, what it may end."""

    clause: str
    span: tuple[int, int]
    after: str
    earlier: str = ""


def is_meant(place: Place, words: Language, denied: bool = True) -> bool:
    """Whether nothing before the words takes them back; with `denied`, no negation either."""
    before = _STOP.split(place.clause[: place.span[0]])[-1]
    last = _last_subject(before, words)
    own = before[last:]  # from the subject on; a condition may stand before it
    if any(has(own, words, name) for name in _TAKEN_BACK[:2]) or has(
        before, words, "over_conditions"
    ):
        return False
    if has(before[:last], words, "over_soon"):
        return False
    return not (denied and _is_denied(own, words)) and not is_resumed(place.after, words)


def _last_subject(before: str, words: Language) -> int:
    """Where the last subject before an ending stands; 0 when there is none."""
    spoken = [t for t in tokens(before) if t.word in words.words["subject_words"]]
    return spoken[-1].start if spoken else 0


def _is_denied(before: str, words: Language) -> bool:
    """Whether a negation bears on what follows at once; small words and adverbs may stand between."""
    for item in reversed(read(before, words).items):
        if item.sort == "negation":
            return True
        if item.has_content and not _is_adverb(item, words):
            return False
    return False


def _is_adverb(item: Item, words: Language) -> bool:
    lists = words.words
    known = lists["moving_adverbs"] | lists["light"] | lists["over_adverbs"]
    return words.ends(item.word, "adverb_endings") or item.word in known


def is_resumed(after: str, words: Language) -> bool:
    """Whether what follows says that it began again ("but we got back together")."""
    return has(after, words, "over_resumed")


def is_long_ago(text: str, words: Language) -> bool:
    """Whether a text tells of childhood, youth or another time: of one's own, not of one's child."""
    span = find(text, words, "over_young")
    if span is None:
        return False
    before = read(text[: span[0]], words).items[-1:]
    owned = words.words["articles"] | words.words["possessives"] | words.words["over_owned"]
    return not any(i.word in owned for i in before)


def is_for_a_while(after: str, earlier: str, words: Language) -> bool:
    """Whether what is left off is so for a time, on some days, after one bout, or for somebody else."""
    if has(after, words, "over_for_good"):
        return False
    part = find(after, words, "over_recurring")
    if part is not None and after[slice(*part)].lower() not in earlier.lower():
        return True
    spoken = tokens(after)
    for n, token in enumerate(spoken):
        ahead = [t.word for t in spoken[n + 1 : n + 1 + _SPAN]]
        if token.word in words.words["over_lasting"]:
            if _is_span(after[token.end :], words):
                return True
            theirs = ahead[:1] and ahead[0] in words.words["possessives"]
            if theirs and any(w in words.words["circle"] for w in ahead[1:3]):
                return True
        bout = token.word in words.words["over_after"] and ahead[:1] and ahead[0][:1].isdigit()
        if bout and any(w in words.words["over_bouts"] for w in ahead[1:2]):
            return True
    return has_hour(after, words) or has(after, words, "over_tonight")


def _is_span(text: str, words: Language) -> bool:
    """Whether a text opens on a length of time; "for Leeds last week" names a place and a day."""
    for n, item in enumerate(read(text, words).items[:_SPAN]):
        if item.sort == "name" or (n and item.sort == "moment"):
            return False
        if any(w in words.words["over_spans"] for w in item.word.split()):
            return True
    return False


def has_hour(text: str, words: Language) -> bool:
    """Whether an hour, or an age, is said: "at 6", "à 18h"."""
    items = read(text, words).items
    return any(a.word in words.words["over_at"] and b.sort == "figure" for a, b in pairwise(items))


def is_outing(after: str, words: Language) -> bool:
    """Whether a place or somebody is only left for the day: at an hour, this morning, early, at the station."""
    moments = {i.word for i in read(after, words).items if i.sort == "moment"}
    today = any(has(m, words, "over_today") for m in moments)
    return today or has(after, words, "over_parts") or has_hour(after, words)


def is_of_other_doing(clause: str, span: tuple[int, int], earlier: str, words: Language) -> bool:
    """Whether another verb is stopped than the earlier sentence tells ("watching tennis", of who plays it)."""
    if not has(clause[slice(*span)], words, "over_stops"):
        return False
    ahead = [i for i in read(clause, words).items if i.start >= span[1]]
    links = words.words["of_links"]
    verb = next((i for i in ahead[:2] if i.word not in links), None)
    if verb is None or not words.ends(verb.word, "act_endings"):
        return False
    if words.traits.negation_in_two_words and ahead[0].word not in links:
        return False  # a French verb is tied by "de"; « le dîner » is none
    known = {i.form for i in read(earlier, words).items} | {
        words.stem(t.word) for t in tokens(earlier)
    }
    return (
        verb.word not in words.words["over_acting"]
        and verb.form not in known
        and words.stem(verb.word) not in known
    )


def is_elsewhere(after: str, earlier: str, words: Language) -> bool:
    """Whether only a part is left off: with somebody, or in a place, that the earlier sentence does not name."""
    items = read(after, words).items
    known = {i.form for i in read(earlier, words).items}
    for n, item in enumerate(items):
        ahead = [i for i in items[n + 1 : n + 3] if not i.after_stop]
        content = next((i for i in items[n + 1 :] if i.has_content), None)
        if content is None or content.form in known or item.after_stop:
            continue
        if item.word in words.words["attribute_with"]:
            kin = any(i.word in words.words["circle"] for i in ahead)
            if kin or content.sort == "name":
                return True
        inside = item.word in words.words["over_in"] and content.sort == "word"
        led = bool(ahead) and ahead[0].word in words.words["over_leads"]
        if inside and led and content.word not in words.words["over_in_time"]:
            return True
    return False
