"""What code knows of a language: folded words, stems, and word lists read from small files.

A language is a folder beside this file: `<code>/language.toml` and `<code>/*.txt`, one entry a line, `#` comments.
The name of a file is the name of the list; entries are compared folded (see `fold`). A list that is not there is
empty. docs/adding-a-language.md tells how to add one.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

import Stemmer

from souvenance.lang.endings import Endings
from souvenance.lang.traits import Traits, traits

_FOLDER = files("souvenance.lang")

#: Typographic variants read as one character before anything is compared.
_SAME = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "‑": "-", "−": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
    "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss",
    "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None, "\u00ad": None,
})  # fmt: skip

#: A word, a figure (with its inner separators) or a currency or percent sign.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[€$£¥%]")


def fold(text: str) -> str:
    """The text in lower case without accents, with one apostrophe, one dash and one kind of space."""
    one = unicodedata.normalize("NFKC", text.translate(_SAME)).translate(_SAME)
    flat = unicodedata.normalize("NFKD", one)
    return "".join(c for c in flat if not unicodedata.combining(c)).casefold()


class Token(NamedTuple):
    """One token: as written, folded, and its place in the text."""

    raw: str
    word: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words and figures of a text in order. An elided article is a word of its own ("l'eau": l, eau)."""
    return list(_tokens(text)) if len(text) >= _LONG else _split(text)


#: Characters from which a text is split once and remembered: many readers ask for a message's words, one after
#: another. Chosen, not measured; shorter ones are split as fast as they are looked up.
_LONG = 200


@lru_cache(maxsize=16)
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(_split(text))


def _split(text: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(text):
        raw = match.group()
        start, end = match.span()
        found.append(Token(raw, fold_word(raw), start, end))
    return found


def raw_tokens(text: str) -> list[str]:
    """The tokens of a text as written, in order: where nobody asks for folds and places, a third of the time."""
    found: list[str] = _TOKEN.findall(text)
    return found


#: Words recur, so each is folded once.
@lru_cache(maxsize=100_000)
def fold_word(word: str) -> str:
    """One token folded, as `Token.word` has it."""
    return fold(word)


class Lists(dict[str, frozenset[str]]):
    """Word lists by name; one that is not there is empty."""

    def __missing__(self, name: str) -> frozenset[str]:
        return frozenset()


@dataclass(frozen=True)
class Language:
    """One language: its stemmer, its word lists (`words["function_words"]`…) and its traits."""

    code: str
    words: Mapping[str, frozenset[str]]
    stemmer: str = "english"
    traits: Traits = field(default_factory=Traits)
    #: How a prompt names a person whose name nobody gave.
    the_user: str = "the user"
    #: The lists whose name ends in `_endings`, made ready.
    endings: Mapping[str, Endings] = field(default_factory=dict)
    #: How a line about somebody reads from their own mouth, as written; "X" is their name. See `lang.voice`.
    voice: Mapping[str, str] = field(default_factory=dict)
    #: Words of everyday talk, folded, and the plain one that says the same, as written. See `lang.everyday`.
    everyday: Mapping[str, str] = field(default_factory=dict)

    def ends(self, word: str, name: str) -> bool:
        """Whether a folded word ends as the list says ("past_endings"); never when there is no such list."""
        known = self.endings.get(name)
        return known is not None and known.end(word)

    def stem(self, word: str) -> str:
        """The stem of a folded word, accents ignored. Source: Snowball."""
        return _stem(self.stemmer, word)

    def stems(self, text: str) -> list[str]:
        """Stems of the content words and figures of a text, in order, function words left out."""
        return self.stems_of([token.word for token in tokens(text)])

    def stems_of(self, words: Iterable[str]) -> list[str]:
        """The same of words that are split and folded already."""
        skip, stemmer = self.words.get("function_words", frozenset()), self.stemmer
        return [_stem(stemmer, word) for word in words if word not in skip]


@lru_cache(maxsize=8)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


@lru_cache(maxsize=100_000)
def _stem(name: str, word: str) -> str:
    return str(_stemmer(name).stemWord(word))


def read_list(text: str) -> list[str]:
    """The entries of a word-list file, folded, in order."""
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return [fold(line) for line in lines if line]


#: Folders of languages that were added, by code.
_EXTRA: dict[str, Traversable] = {}


def extra_folder(path: Traversable) -> str:
    """The code of a language whose folder stands elsewhere (its name is the code), which is there from now on.

    Errors: `ValueError` for a name that is no code or that is taken, or for a `language.toml` that cannot be read.
    """
    code = path.name
    if not re.fullmatch("[a-z]{2,3}", code):
        raise ValueError(f"{code!r} is no code of two or three small letters")
    if code in codes():
        raise ValueError(f"there is a language {code!r} already")
    load(code, path)
    _EXTRA[code] = path
    _forget()
    return code


def without_folder(code: str) -> None:
    """Takes an added language away again; one that comes with the library stays."""
    if _EXTRA.pop(code, None) is not None:
        _forget()


class _Cached(Protocol):
    def cache_clear(self) -> None: ...


_C = TypeVar("_C", bound=_Cached)

_CACHES: list[_Cached] = []


def of_all_languages(cached: _C) -> _C:
    """The same `lru_cache`, emptied whenever a language is added or taken away: for what is read of all of them."""
    _CACHES.append(cached)
    return cached


def _forget() -> None:
    for cached in (language, codes, *_CACHES):
        cached.cache_clear()


def folder(code: str) -> Traversable:
    """Where the files of that language are, whether they exist or not."""
    return _EXTRA.get(code, _FOLDER / code)


@lru_cache(maxsize=16)
def language(code: str) -> Language:
    """The language of that code ("fr", "en", "fr-CA"…); English when there is no such folder."""
    code = code.split("-")[0].split("_")[0].lower()
    code = code if code in codes() else "en"
    return load(code, folder(code))


def load(code: str, where: Traversable) -> Language:
    """The language of a folder, wherever it is, not kept. Errors: `ValueError` for a wrong `language.toml`."""
    file = where / "language.toml"
    if not file.is_file():
        raise ValueError(f"{where}: there is no language.toml")
    lists = Lists(
        (entry.name.removesuffix(".txt"), frozenset(read_list(entry.read_text("utf-8"))))
        for entry in where.iterdir()
        if entry.name.endswith(".txt")
    )
    described = tomllib.loads(file.read_text("utf-8"))
    words = where / "everyday.toml"
    everyday = tomllib.loads(words.read_text("utf-8")) if words.is_file() else {}
    stemmer = described.get("stemmer", "")
    if stemmer not in Stemmer.algorithms():
        raise ValueError(f"{file}: stemmer = {stemmer!r} is none of Snowball's")
    return Language(
        code,
        MappingProxyType(lists),
        stemmer,
        traits(described.get("traits", {}), str(file)),
        described.get("the_user", Language.the_user),
        {name: Endings(lists[name]) for name in lists if name.endswith("_endings")},
        _pairs(described, "voice", file),
        {fold(k): v for k, v in _pairs({"everyday": everyday}, "everyday", words).items()},
    )


def _pairs(described: Mapping[str, object], name: str, where: Traversable) -> Mapping[str, str]:
    """A table of words to words. Errors: `ValueError` for anything else."""
    table = described.get(name, {})
    if not isinstance(table, dict) or not all(isinstance(v, str) and v for v in table.values()):
        raise ValueError(f"{where}: [{name}] should give a word for each word")
    return MappingProxyType(table)


@lru_cache(maxsize=1)
def codes() -> tuple[str, ...]:
    """The codes of the languages there are, in order: those whose folder holds a `language.toml`."""
    found = (f.name for f in _FOLDER.iterdir() if f.is_dir() and (f / "language.toml").is_file())
    return tuple(sorted({*found, *_EXTRA}))


def detect(text: str, default: str = "en") -> str:
    """The code of the language that shares the most function words with the text; ties give `default`."""
    words = {t.word for t in tokens(text)}
    scores = {code: len(words & language(code).words["function_words"]) for code in codes()}
    best = max(scores.values())
    return default if scores.get(default, 0) == best else max(scores, key=lambda c: scores[c])
