"""Reads a text word by word as ranking needs it: which stem, which word, written how.

A memory of ten thousand sentences has a few thousand words, so each word is looked into once and remembered.
"""

from __future__ import annotations

from typing import NamedTuple

from souvenance.lang import Language, fold_word, raw_tokens
from souvenance.read.wording import wording

#: Words remembered for each language before all are dropped and read anew. Chosen, not measured: about 20 MB.
MOST_WORDS = 100_000


class Word(NamedTuple):
    """What one word as written gives to a signature."""

    stem: str | None  # of a content word or figure
    told: str | None  # folded; an article tells nothing
    lower: bool  # written in lower case


class WordReader(dict[str, Word]):
    """The words of one language by how they are written, each read once when first asked for.

    Threads may share it: at worst a word is read twice.
    """

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._language = language
        self._skip = language.words.get("function_words", frozenset())
        self._articles = wording(language.code).articles

    def __missing__(self, raw: str) -> Word:
        folded = fold_word(raw)
        word = Word(
            None if folded in self._skip else self._language.stem(folded),
            None if folded in self._articles else folded,
            raw[0].islower(),
        )
        if len(self) >= MOST_WORDS:
            self.clear()
        self[raw] = word
        return word

    def words(self, text: str) -> list[Word]:
        """The words of a text in order, those that give nothing (articles) too."""
        return [self[raw] for raw in raw_tokens(text)]


#: By identity: a language is loaded once in a process. Each reader holds its language, so no identity comes twice.
_READERS: dict[int, WordReader] = {}


def reader(language: Language) -> WordReader:
    """The one reader of a language."""
    found = _READERS.get(id(language))
    if found is None:
        found = _READERS.setdefault(id(language), WordReader(language))
    return found
