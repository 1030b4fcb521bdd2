"""Puts the roundabout turns of a text in plain ones before it is compared: "is in the habit of" is "usually".

It rewrites the words themselves, so that what is read of the two spellings is the same from there on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, Token, language, tokens
from souvenance.write.words.decisive import phrase, table

#: Stands for "a figure follows" at the end of a turn: "makes *" earns and "makes cakes" does not.
_FIGURE = "*"
#: Stands for "a word of place follows": "se trouve à Lyon" is there, "se trouve laid" is an opinion.
_PLACE = "+"
#: Stands for "an act in -ing follows": "gave up smoking" stopped it and "gave up his dog" gave it away.
_ACT = "^"
#: Stands for "behind a thing not known yet" at the start of a turn: "a dog called Rex", not "she called Rex".
_UNKNOWN = "~"
_MONEY = frozenset("$€£¥")
_MARKS = _FIGURE + _PLACE + _ACT


@dataclass(frozen=True, slots=True)
class _Turn:
    spoken: tuple[str, ...]
    plain: str
    follows: str  # what must follow it, empty for anything
    unknown: bool  # whether a thing not known yet must stand before it
    size: (
        int  # how many of its words are put otherwise; those at its end that stay are left as typed
    )


def plainly(text: str, words: Language) -> str:
    """The text with its roundabout turns put plainly; the same text when it has none."""
    spoken = tokens(text)
    said: list[str] = []
    kept = at = 0
    while at < len(spoken):
        turn = _turn(text, spoken, at, words)
        if turn is None:
            at += 1
            continue
        if turn.size == 0:
            at += len(turn.spoken)
            continue
        first, last = spoken[at], spoken[at + turn.size - 1]
        start = first.start - (first.start > kept and text[first.start - 1] in _APOSTROPHES)
        end = last.end + (last.end < len(text) and text[last.end] in _APOSTROPHES)
        said += [text[kept:start], " " if start < first.start else ""]
        said += [_cased(turn.plain, first.raw, text), " " if end > last.end else ""]
        kept = end
        at += turn.size
    return "".join([*said, text[kept:]]) if said else text


def _cased(plain: str, first: str, text: str) -> str:
    """The plain words with the capitals of what they stand for."""
    if text.upper() == text:
        return plain.upper()
    return plain[:1].upper() + plain[1:] if first[0].isupper() else plain


def _turn(text: str, spoken: Sequence[Token], at: int, words: Language) -> _Turn | None:
    """The longest turn that starts at a word, with no punctuation inside."""
    known = _turns(words.code).get(spoken[at].word)
    if known is None:
        return None
    second = spoken[at + 1].word if at + 1 < len(spoken) else ""
    for turn in known.get(second, known[""]):
        changed = at + turn.size
        if not _stands(text, spoken, at, turn.spoken[: turn.size]):
            continue
        if turn.unknown and not _is_unknown(spoken[max(0, at - 4) : at], words):
            continue
        kept = turn.spoken[turn.size :]
        if kept and changed < len(spoken) and spoken[changed].word in words.words["turn_adverbs"]:
            changed += 1
        if kept and not _stands(text, spoken, changed, kept):
            continue
        if _follows(turn.follows, spoken[changed + len(kept) :][:1], words):
            return turn
    return None


def _is_unknown(before: Sequence[Token], words: Language) -> bool:
    """Whether the words before a name tell of a thing not known yet: "a little dog"."""
    return any(t.word in words.words["unknown_leads"] for t in before[:-1])


def _stands(text: str, spoken: Sequence[Token], at: int, said: tuple[str, ...]) -> bool:
    """Whether these words stand there in one breath."""
    end = at + len(said)
    if tuple(t.word for t in spoken[at:end]) != said:
        return False
    return all(text[spoken[n].end : spoken[n + 1].start] in _JOINED for n in range(at, end - 1))


_APOSTROPHES = frozenset("'’")
_JOINED = frozenset({" ", "'", "’", "-", "\u00a0"})


def _follows(wanted: str, following: Sequence[Token], words: Language) -> bool:
    if not wanted:
        return True
    if not following:
        return False
    if wanted == _PLACE:
        return following[0].word in words.words["turn_places"]
    if wanted == _ACT:
        return words.ends(following[0].word, "act_endings")
    first = following[0]
    spelled = first.word in _numbers(words.code)
    return first.raw in _MONEY or first.word[0].isdigit() or spelled


@lru_cache(maxsize=8)
def _numbers(code: str) -> frozenset[str]:
    """The number words of a language that count two or more: "one" and "un" are articles too."""
    known = table(language(code).words["numbers"])
    return frozenset(word for word, value in known.items() if value > 1 and word != "neuf")


@lru_cache(maxsize=8)
def _turns(code: str) -> dict[str, dict[str, list[_Turn]]]:
    """The turns by their first word and their second, longest first; under "" those that no second word picks."""
    found: dict[str, list[_Turn]] = {}
    for line in sorted(language(code).words["turns"]):
        plain, *spellings = (side.strip() for side in line.split("="))
        for spelling in spellings:
            for turn in _spelled(plain.rstrip(_MARKS).strip(), spelling):
                found.setdefault(turn.spoken[0], []).append(turn)
    return {first: _by_second(turns) for first, turns in found.items()}


def _by_second(turns: Sequence[_Turn]) -> dict[str, list[_Turn]]:
    ranked = sorted(turns, key=lambda t: (-len(t.spoken), not t.follows))
    loose = [t for t in ranked if len(t.spoken) == 1 or t.size == 1]
    seconds = {t.spoken[1] for t in ranked if len(t.spoken) > 1}
    found = {s: [t for t in ranked if t in loose or t.spoken[1] == s] for s in seconds}
    return found | {"": loose}


def _spelled(plain: str, spelling: str) -> Iterable[_Turn]:
    """A turn as its line spells it and, in French, elided."""
    follows = spelling[-1] if spelling[-1] in _MARKS else ""
    unknown = spelling.startswith(_UNKNOWN)
    said, kept = phrase(spelling), phrase(plain)
    same = 0
    while same < min(len(said) - 1, len(kept)) and said[-1 - same] == kept[-1 - same]:
        same += 1
    if said == kept:
        yield _Turn(said, "", follows, unknown, 0)
        return
    shown = plain.split()
    size = len(said) - same
    for last in (said[-1], *_CONTRACTED.get(said[-1], ())):
        if last == said[-1] or same or last == "d":
            yield _Turn(
                (*said[:-1], last), " ".join(shown[: len(shown) - same]), follows, unknown, size
            )


#: What a French preposition at the end of a turn becomes before an article or a vowel.
_CONTRACTED = {"de": ("d", "du", "des"), "a": ("au", "aux")}
