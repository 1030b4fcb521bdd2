"""Says who a name is wherever it stands: "Enora" becomes "Enora, ma sœur," once one memory of a person has told it.

For `bench/recall_in_chats.py`: a message says "my sister" where most memories say her name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from souvenance.lang import Language, Token, tokens

#: Characters of the shortest name that is followed; shorter ones are initials and small words. Chosen, not measured.
SHORTEST = 3

_STOP = re.compile(r"[.;:!?…(]")


@dataclass(frozen=True, slots=True)
class Relation:
    """What somebody is to the person: the noun, and the same with what says whose, as told ("sœur", "sa sœur")."""

    noun: str
    phrase: str


def who_is_who(
    texts: Iterable[str], person: Sequence[str], words: Language
) -> Mapping[str, Relation]:
    """Each name that stands next to a relation of the person in one of the texts, with that relation as told there.

    The first telling counts. "Marc and her sister" or "her sister in Lyon" tell nothing: between a name and a relation
    only articles, possessives, "is" and "called" may stand.
    """
    told = list(texts)
    nouns = _nouns(words)
    own = {t.word for name in person for t in tokens(name)}
    small = {t.raw for text in told for t in tokens(text) if t.raw[0].islower()}
    found: dict[str, Relation] = {}
    for text in told:
        spoken = tokens(text)
        for first, last in _relations(spoken, nouns):
            phrase = _phrase(text, spoken, first, last, own, words)
            near = _named(text, spoken, first, last, own, words)
            if phrase and near and near.word not in own and near.raw.lower() not in small:
                noun = text[spoken[first].start : spoken[last].end]
                found.setdefault(near.raw, Relation(noun, phrase))
    return found


def with_relations(text: str, known: Mapping[str, Relation]) -> str:
    """The text with each known name followed by its relation, once, where the text does not tell it already."""
    for name, relation in known.items():
        if re.search(rf"(?<!\w){re.escape(relation.noun)}(?!\w)", text, re.IGNORECASE):
            continue
        place = re.search(rf"(?<!\w){re.escape(name)}(?![\w'’-])", text)
        if place:
            rest = text[place.end() :]
            closed = not rest or rest[0] in ",.;:!?"
            text = f"{text[: place.end()]}, {relation.phrase}{'' if closed else ','}{rest}"
    return text


def _nouns(words: Language) -> frozenset[tuple[str, ...]]:
    """The nouns of a relation, each as its folded words."""
    spelled = [
        spelling
        for line in words.words["attribute_relations"]
        for spelling in line.partition("=")[2].split(",")
    ]
    said = [*spelled, *words.words["acquaintances"], *words.words["circle"]]
    return frozenset(tuple(t.word for t in tokens(s)) for s in said) - {()}


def _relations(spoken: Sequence[Token], nouns: frozenset[tuple[str, ...]]) -> list[tuple[int, int]]:
    """First and last token of each relation, the longest spelling at each place."""
    longest = max(map(len, nouns), default=0)
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(spoken):
        sizes = range(min(longest, len(spoken) - at), 0, -1)
        size = next((n for n in sizes if tuple(t.word for t in spoken[at : at + n]) in nouns), 0)
        if size:
            found.append((at, at + size - 1))
        at += max(size, 1)
    return found


def _phrase(
    text: str, spoken: Sequence[Token], first: int, last: int, own: set[str], words: Language
) -> str:
    """The relation with what says whose it is; "" when it is somebody else's or nobody's."""
    lists = words.words
    after = [t.word for t in spoken[last + 1 : last + 3]]
    links = lists["of_links"]
    if len(after) == 2 and after[0] in links:
        if after[1] in own and first:
            return text[spoken[first - 1].start : spoken[last + 2].end]
        return ""
    before = [t.word for t in spoken[max(0, first - 2) : first]]
    if before and before[-1] in lists["their"] | lists["possessives"]:
        return text[spoken[first - 1].start : spoken[last].end]
    if words.traits.possessive_s and len(before) == 2 and before[1] == "s" and before[0] in own:
        return text[spoken[first - 2].start : spoken[last].end]
    return ""


def _named(
    text: str, spoken: Sequence[Token], first: int, last: int, own: set[str], words: Language
) -> Token | None:
    """The name a relation is next to: right after it or called so, else the one it explains."""
    lists = words.words
    called = {t.word for entry in lists["attribute_called"] for t in tokens(entry)}
    links = lists["articles"] | lists["their"] | lists["possessives"] | lists["be_now"]
    begun = last + 3 if len(spoken) > last + 2 and spoken[last + 2].word in own else last + 1
    for place in range(begun, len(spoken)):
        if _is_name(spoken[place], words):
            return (
                None
                if _STOP.search(text[spoken[last].end : spoken[place].start])
                else spoken[place]
            )
        if spoken[place].word not in called:
            break
    for place in range(first - 1, -1, -1):
        token = spoken[place]
        if token.word in own or token.word in links or (token.word == "s" and place):
            if token.word == "s" and spoken[place - 1].word not in own:
                return None
            continue
        stopped = _STOP.search(text[token.end : spoken[first].start])
        return token if _is_name(token, words) and not stopped else None
    return None


def _is_name(token: Token, words: Language) -> bool:
    return (
        len(token.raw) >= SHORTEST
        and token.raw[0].isupper()
        and token.raw.isalpha()
        and token.word not in words.words["function_words"]
    )
