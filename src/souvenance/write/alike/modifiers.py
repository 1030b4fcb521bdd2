"""Tells what added words do to the noun or verb beside them: describe it, or make it another thing.

"An old boat" is a boat and "a toy boat" is not; "likes tea" and "likes green tea" are two tastes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.words.decisive import Item


@dataclass(frozen=True, slots=True)
class Block:
    """A run of content that only the richer text has: the small words around it, and which gap it fills."""

    before: list[Item]
    inside: list[Item]
    after: list[Item]
    gap: int  # how many shared pieces of content stand before it
    last: bool
    before_stop: bool = False  # punctuation stands between it and what follows

    @property
    def apart(self) -> bool:
        """Whether punctuation sets it apart from what stands before."""
        return self.inside[0].after_stop or any(i.after_stop for i in self.before)

    @property
    def tail(self) -> list[Item]:
        """The content that ends the run, after its last small word."""
        last = max((n for n, i in enumerate(self.inside) if not i.has_content), default=-1)
        return self.inside[last + 1 :]


def narrows(block: Block, content: Sequence[Item], words: Language) -> str:
    """Why an added run makes another thing of the shared content beside it; empty when it does not."""
    what = ", ".join(i.word for i in block.inside)
    before = content[block.gap - 1] if block.gap else None
    after = content[block.gap] if block.gap < len(content) else None
    if _another_name(block, before, after) or _another_place(block, words):
        return f"another name: {what}"
    if _another_relative(block, before, after, words):
        return f"another relative: {what}"
    if _of_another(block, before, words):
        return f"of it, not it: {what}"
    if _narrows_kind(block, content, words):
        return f"narrows a whole kind: {what}"
    return ""


def _another_relative(
    block: Block, before: Item | None, after: Item | None, words: Language
) -> bool:
    """Whether the run touches a relative: a foster son is not the son, nor "the elder sister" the sister."""
    if before is not None and not block.apart and _kin(before, words):
        opening = [i.word for i in block.before]
        if opening in (["par"], ["by"], ["s"]):
            return True
    named = block.inside[0].sort == "name"
    follows = before is not None and not block.before and not block.apart and not named
    follows = follows and before is not None and _kin(before, words)
    leads = after is not None and not block.after and not block.before_stop and _kin(after, words)
    return follows or leads


def _another_name(block: Block, before: Item | None, after: Item | None) -> bool:
    """Whether the run makes one name with a shared one: "Jean-Paul" is not "Jean", nor "New York" "York"."""
    first, last = block.inside[0], block.inside[-1]
    if first.hyphen and before is not None and not block.before:
        return True
    if after is not None and after.hyphen and not block.after:
        return True
    follows = before is not None and before.sort == "name" and not block.before and not block.apart
    leads = after is not None and after.sort == "name" and not block.after and not block.before_stop
    return (follows and first.sort == "name") or (leads and last.sort == "name")


def _another_place(block: Block, words: Language) -> bool:
    """Whether the run opens a name of place typed in small letters: "in new york" is not "in york"."""
    if block.last or block.after or not block.before:
        return False
    bare = block.before[-1].form in ("in", "from", "to", "de", "a")
    return bare and block.inside[-1].word in words.words["place_openers"]


def _kin(item: Item, words: Language) -> bool:
    circle = words.words["circle"]
    if item.word in words.words["pets"]:
        return False
    return item.word in circle or item.word.replace(" ", "-") in circle


#: Small words that tell of what, or for what, a thing is.
_OF = frozenset({"of", "de"})


def _of_another(block: Block, before: Item | None, words: Language) -> bool:
    """Whether the run says of what ("a pot of jam") or puts another head before it ("the smell of nuts")."""
    if block.after and block.after[0].form in _OF and not block.before_stop:
        articles = words.words["articles"]
        headed = not words.traits.bare_complements or any(
            i.word in articles or i.form != "de" for i in block.before
        )
        if headed or (block.before and not block.apart):
            return True
    if block.after and block.before and block.after[0].form == block.before[0].form != "and":
        return True  # "looking for a vet for his cat" is not "looking for his cat"
    if block.apart or not block.before or before is None:
        return False
    opening, inside = block.before[0], block.inside[0]
    if not block.last and not block.after and inside.word in words.words["describing"]:
        return False  # "de vieux orgues": the article of a noun behind its adjective
    if opening.word == "s" and words.traits.possessive_s:
        return True
    if opening.sort == "negation" or opening.form in ("sans", "without"):
        return True
    if opening.word == "en" and inside.word in words.words["materials"]:
        return True
    if words.traits.a_lacks_its_accent and opening.word == "a" and len(block.before) == 1:
        return inside.sort == "word" and inside.word != "cause"
    if opening.form not in _OF:
        return False
    owned = inside.sort == "name" or _kin(inside, words)
    return owned or before.word not in words.words["complemented"]


def _narrows_kind(block: Block, content: Sequence[Item], words: Language) -> bool:
    """Whether the run narrows what is liked, feared or borne as a whole kind."""
    kinds = words.words["whole_kinds"]
    if not any(part in kinds for i in content for part in i.word.split()):
        return False
    spoken = [*block.before, *block.inside, *block.after]
    denies = any(i.sort == "negation" for i in spoken)
    opens = words.words["becauses"] | words.words["joiners"]
    because = block.inside[0].word in words.words["becauses"]
    reason = because or (bool(block.before) and block.before[0].word in opens)
    if block.apart or reason:
        joined = bool(block.before) and block.before[0].word in words.words["joiners"]
        return denies and (joined or not reason)
    return not all(is_adverb(i.word, words) for i in block.inside)


# --- words that describe ----------------------------------------------------------------------------


def only_describes(inside: Sequence[Item], words: Language) -> bool:
    """Whether words that stand at once before a shared one are adjectives or adverbs, not another noun."""
    return all(_describes(i.word, words) for i in inside)


def _describes(word: str, words: Language) -> bool:
    if word in words.words["describing"] or word.replace(" ", "-") in words.words["describing"]:
        return True
    if word in words.words["noun_modifiers"] or word in words.words["shifters"]:
        return False
    return words.ends(word, "describing_endings")


def is_adverb(word: str, words: Language) -> bool:
    if word in words.words["noun_modifiers"]:
        return False
    return words.ends(word, "adverb_endings") or word in words.words["intensifiers"]
