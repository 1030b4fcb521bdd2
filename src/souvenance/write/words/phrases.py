"""Finds the phrases of a word list in a text, word by word, so that "mai" is never found in "mais"."""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, Token, language, tokens


@lru_cache(maxsize=256)
def _phrases(code: str, name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry in language(code).words.get(name, ()):
        phrase = tuple(t.word for t in tokens(entry))
        if phrase:
            found.setdefault(phrase[0], []).append(phrase)
    return {first: tuple(sorted(p, key=len, reverse=True)) for first, p in found.items()}


#: The sentence that is judged is asked for many lists in a row.
@lru_cache(maxsize=512)
def _spoken(text: str) -> tuple[Token, ...]:
    return tuple(tokens(text))


def find(text: str, words: Language, name: str) -> tuple[int, int] | None:
    """The span of the first phrase of list `name` in the text, longest first at equal place; else None."""
    return _find(text, words.code, name)


#: One sentence is asked for the same lists beside every memory it may change. Chosen, not measured.
@lru_cache(maxsize=4_096)
def _find(text: str, code: str, name: str) -> tuple[int, int] | None:
    known = _phrases(code, name)
    spoken = _spoken(text)
    folded = [t.word for t in spoken]
    for at, word in enumerate(folded):
        for phrase in known.get(word, ()):
            if len(phrase) == 1 or tuple(folded[at : at + len(phrase)]) == phrase:
                return spoken[at].start, spoken[at + len(phrase) - 1].end
    return None


def has(text: str, words: Language, name: str) -> bool:
    """Whether a phrase of list `name` stands in the text."""
    return find(text, words, name) is not None


def opens(text: str, words: Language, name: str) -> int | None:
    """Where the text goes on after a phrase of list `name` that opens it; None when none does."""
    span = find(text, words, name)
    first = _spoken(text)[:1]
    return span[1] if span and first and span[0] == first[0].start else None
