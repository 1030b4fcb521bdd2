"""Reads a text into the pieces that a comparison weighs: figures, days, names, tenses, small words.

A word such as a digit, a day or a negation often *is* the fact; what is read here decides what may merge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from souvenance.lang import Language, Token, fold, language, tokens

Sort = Literal[
    "figure", "day", "month", "moment", "name", "negation", "past", "future", "relation",
    "person", "word", "small",
]  # fmt: skip

#: Sorts that are the fact itself: when one text has one and the other does not, they are two facts.
DECISIVE: frozenset[Sort] = frozenset({"figure", "day", "month", "moment", "negation"})

#: Small words whose change changes the fact, compared inside the part both texts share.
TURNING: frozenset[Sort] = frozenset({"past", "future", "relation"})

#: Endings that make a figure an ordinal.
ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "re", "e", "eme"})

_CONTENT = frozenset({"figure", "day", "month", "moment", "name", "word"})

_SENTENCE_END = re.compile(r"[.!?…:;\n\"«“(]\s*$")


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of a text: what sort it is, a form comparable between texts, and where it stands."""

    sort: Sort
    form: str  # stem, figure, or the canonical spelling of its set
    word: str  # folded, as written
    start: int
    end: int
    after_stop: bool = False  # punctuation stands between it and the piece before
    hyphen: bool = False  # a hyphen joins it to the piece before

    @property
    def has_content(self) -> bool:
        """Whether it says something, as opposed to a small word."""
        return self.sort in _CONTENT


Pair = tuple[Item, Item]
"""A piece of one text and the piece of another that says the same."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as its pieces, in order."""

    items: tuple[Item, ...]

    def forms(self, *sorts: Sort) -> list[str]:
        """The forms of the pieces of these sorts, in order."""
        return [i.form for i in self.items if i.sort in sorts]

    @property
    def topics(self) -> set[str]:
        """The forms of its words and names, figures and dates left out."""
        return {i.form for i in self.content if i.sort in ("word", "name")}

    @property
    def content(self) -> list[Item]:
        """The pieces that say something, in order."""
        return [i for i in self.items if i.has_content]


@dataclass(frozen=True)
class _Lists:
    """The word lists of one language, in the shape the reader needs."""

    phrases: Mapping[tuple[str, ...], tuple[Sort, str]]
    longest: int
    months: Mapping[str, str]
    numbers: Mapping[str, int]
    units: Mapping[str, str]
    contracted: Mapping[str, str]
    persons: Mapping[str, str]
    before_months: frozenset[str]
    small: frozenset[str]
    openers: frozenset[str]  # the first words of the phrases


def sets(entries: Iterable[str]) -> dict[str, str]:
    """Each spelling of lines such as "a = b = c" with the first of its line."""
    found: dict[str, str] = {}
    for line in sorted(entries):
        spellings = [s.strip() for s in line.split("=")]
        for spelling in spellings:
            found.setdefault(spelling, spellings[0])
    return found


def table(entries: Iterable[str]) -> dict[str, int]:
    """The figures of lines such as "dix = 10"."""
    pairs = (line.rsplit("=", 1) for line in entries if "=" in line)
    return {key.strip(): int(value) for key, value in pairs}


def _pairs(entries: Iterable[str]) -> dict[str, str]:
    """The right side of lines such as "didn = past", by the left."""
    lines = (line.split("=", 1) for line in entries if "=" in line)
    return {left.strip(): right.strip() for left, right in lines}


def canonical(word: str, words: Language) -> str:
    """The first word of the set of synonyms a folded word belongs to; itself when it has none."""
    found = _lists(words.code).phrases.get(tuple(word.split()))
    return found[1] if found is not None and found[0] == "word" else word


def phrase(text: str) -> tuple[str, ...]:
    """The folded words of a list entry."""
    return tuple(t.word for t in tokens(text))


@lru_cache(maxsize=8)
def _lists(code: str) -> _Lists:
    words = language(code).words
    phrases: dict[tuple[str, ...], tuple[Sort, str]] = {}

    def add(sort: Sort, spellings: Mapping[str, str]) -> None:
        for spelling, form in spellings.items():
            if phrase(spelling):
                phrases.setdefault(phrase(spelling), (sort, form))

    def plain(name: str) -> dict[str, str]:
        return {entry: entry for entry in words.get(name, ())}

    add("small", plain("light"))
    add("moment", plain("moments"))
    add("negation", plain("negations"))
    add("past", plain("tense_past"))
    add("future", plain("tense_future"))
    add("relation", sets(words.get("relations", ())))
    add("day", {k: str(v) for k, v in table(words.get("weekdays", ())).items()})
    add("word", sets(words.get("synonyms", ())))
    add("word", plain("compounds"))
    months = {k: str(v) for k, v in table(words.get("months", ())).items()}
    return _Lists(
        phrases,
        max((len(p) for p in phrases), default=1),
        months,
        table(words.get("numbers", ())),
        sets(words.get("measures", ())),
        _pairs(words.get("contracted", ())),
        _pairs(words["persons"]),
        words["before_months"],
        words["function_words"] | words["conjunctions"],
        frozenset(p[0] for p in phrases),
    )


def read(text: str, words: Language) -> Reading:
    """The pieces of a text, in order. Synonyms, spellings of figures and units come out alike."""
    return _read(text, words.code)


def read_anew(text: str, words: Language) -> Reading:
    """What `read` gives, not kept: for a walk over many texts that are read once."""
    return _read.__wrapped__(text, words.code)


@lru_cache(maxsize=20_000)
def _read(text: str, code: str) -> Reading:
    reader = _Reader(text, language(code), _lists(code))
    return Reading(tuple(reader.items()))


class _Reader:
    """Walks the tokens of one text once."""

    def __init__(self, text: str, words: Language, lists: _Lists) -> None:
        self._text, self._words, self._lists = text, words, lists
        self._tokens = tokens(text)
        self._small = lists.small
        self._shouts = text.upper() == text

    def items(self) -> Iterable[Item]:
        at = 0
        while at < len(self._tokens):
            item, used = self._piece(at)
            yield item
            at += used

    def _piece(self, at: int) -> tuple[Item, int]:
        token = self._tokens[at]
        contracted = self._contracted(at)
        if contracted is not None:
            return self._item(contracted, token.word, at, 1), 1
        found = self._figure(at) or self._month(at) or self._phrase(at)
        if found is not None:
            return self._item(found[0], found[1], at, found[2]), found[2]
        person = self._lists.persons.get(token.word)
        if person is not None:
            return self._item("person", person, at, 1), 1
        if token.word == "t" and at and self._joined(at):
            return self._item("negation", "not", at, 1), 1
        if self._is_small(token) or self._is_ordinal(at):
            return self._item("small", token.word, at, 1), 1
        sort: Sort = "name" if self._is_name(at) else "word"
        return self._item(sort, self._words.stem(token.word), at, 1), 1

    def _item(self, sort: Sort, form: str, at: int, used: int) -> Item:
        first, last = self._tokens[at], self._tokens[at + used - 1]
        gap = self._text[self._tokens[at - 1].end : first.start] if at else ""
        stop = any(c in ",.;:!?()…–—\n" for c in gap)
        word = " ".join(t.word for t in self._tokens[at : at + used])
        return Item(sort, form, word, first.start, last.end, stop, gap == "-")

    def _contracted(self, at: int) -> Sort | None:
        """What a verb before "n't" tells: a tense, or nothing of its own."""
        tense = self._lists.contracted.get(self._tokens[at].word)
        following = self._tokens[at + 1 : at + 2]
        if tense is None or not following or following[0].word != "t" or not self._joined(at + 1):
            return None
        return "past" if tense == "past" else "future" if tense == "future" else "small"

    # --- figures ------------------------------------------------------------------------------

    def _figure(self, at: int) -> tuple[Sort, str, int] | None:
        token = self._tokens[at]
        if token.raw in "$€£¥" and at + 1 < len(self._tokens) and self._digits(at + 1):
            value, used = self._number(at + 1)
            return "figure", f"{value}{self._lists.units.get(token.word, token.word)}", used + 1
        if self._digits(at):
            value, used = self._number(at)
        elif token.word in self._lists.numbers and self._counts(at):
            value, used = self._spelled(at)
        else:
            return None
        after = at + used
        if after < len(self._tokens) and self._close(after):
            unit = self._lists.units.get(self._tokens[after].word)
            if unit == "year" and self._words_at(after + 1, 1) == ("old",):
                return "figure", str(value), used + 2  # "27 years old" is "27"
            if unit is not None:
                return "figure", f"{value}{unit}", used + 1
        return "figure", str(value), used

    def _words_at(self, at: int, size: int) -> tuple[str, ...]:
        return tuple(t.word for t in self._tokens[at : at + size])

    def _digits(self, at: int) -> bool:
        return self._tokens[at].word[:1].isdigit()

    def _number(self, at: int) -> tuple[str, int]:
        raw, used = self._tokens[at].word, 1
        while (
            at + used < len(self._tokens)
            and raw.isdigit()
            and re.fullmatch(r"\d{3}", self._tokens[at + used].word)
            and self._gap(at + used) in (" ", "\u00a0", "\u202f", "\u2009")
            and (used > 1 or len(raw) <= 3)
            and raw[0] != "0"
        ):
            raw, used = raw + self._tokens[at + used].word, used + 1
        if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", raw) and not raw.startswith("0"):
            raw = re.sub(r"[.,]", "", raw)
        raw = raw.replace(",", ".")
        if "." in raw and raw.count(".") == 1:
            raw = raw.rstrip("0").rstrip(".")
        return raw.lstrip("0") or "0", used

    def _counts(self, at: int) -> bool:
        """Whether a number word counts here: "neuf" is new and "one" a pronoun unless a noun follows at once."""
        if self._heads_compound(at):
            return False
        if self._tokens[at].raw.lower() not in ("neuf", "one"):
            return True
        follows = at + 1 < len(self._tokens) and self._close(at + 1)
        return follows and not self._is_small(self._tokens[at + 1])

    def _heads_compound(self, at: int) -> bool:
        """Whether a number word is half of another word ("deux-pièces", "two-bedroom")."""
        if at + 1 >= len(self._tokens) or self._gap(at + 1) != "-":
            return False
        return self._tokens[at + 1].word not in {*self._lists.numbers, "et", "un", "une", "and"}

    def _spelled(self, at: int) -> tuple[str, int]:
        total = value = used = 0
        previous: int | None = None
        while at + used < len(self._tokens):
            token = self._tokens[at + used]
            figure = self._lists.numbers.get(token.word)
            if used and self._gap(at + used) not in (" ", "-"):
                break
            if figure is None:
                joins = token.word in ("et", "and") and at + used + 1 < len(self._tokens)
                tens = joins and self._tokens[at + used + 1].word in ("un", "une", "onze")
                if used and tens and previous is not None and 20 <= previous <= 60:
                    value, used = (
                        value + (11 if self._tokens[at + used + 1].word == "onze" else 1),
                        used + 2,
                    )
                break
            if previous is not None and not _extends(previous, figure):
                break
            if figure >= 100:
                value = max(value, 1) * figure
                if figure == 1000:
                    total, value = total + value, 0
            elif figure == 20 and previous == 4:
                value = value - 4 + 80
            else:
                value += figure
            previous, used = figure, used + 1
        return str(total + value), used

    # --- months, phrases, names ----------------------------------------------------------------

    def _month(self, at: int) -> tuple[Sort, str, int] | None:
        token = self._tokens[at]
        form = self._lists.months.get(token.word)
        if form is None or (token.raw.lower() in ("mais", "sept") and not self._dated(at)):
            return None
        if token.word in self._words.words["months_or_words"] and not self._is_month(at):
            return None
        return "month", form, 1

    def _dated(self, at: int) -> bool:
        return at > 0 and self._digits(at - 1)

    def _is_month(self, at: int) -> bool:
        """Whether "may", "march" or "mars" is the month here, by what stands before it or its capital."""
        before = self._tokens[at - 1].word if at else ""
        named = self._tokens[at].raw[0].isupper() and at > 0 and not self._shouts
        if self._dated(at):
            return True
        if not self._words.traits.capital_dates:
            return not named and before in self._lists.before_months
        dated_after = at + 1 < len(self._tokens) and self._digits(at + 1)
        return before in self._lists.before_months or named or dated_after

    def _phrase(self, at: int) -> tuple[Sort, str, int] | None:
        if self._tokens[at].word not in self._lists.openers:
            return None
        words = self._words_at(at, self._lists.longest)
        for size in range(len(words), 0, -1):
            found = self._lists.phrases.get(words[:size])
            if found is not None and not self._misread(at, words[:size], found[0]):
                return found[0], self._stemmed(*found), size
        return None

    def _stemmed(self, sort: Sort, form: str) -> str:
        return " ".join(self._words.stem(w) for w in phrase(form)) if sort == "word" else form

    def _misread(self, at: int, words: tuple[str, ...], sort: Sort) -> bool:
        """Whether a listed word is another one here: "né" folds to "ne", a capital makes a name."""
        if len(words) > 1 or sort in ("day", "moment"):
            return False
        return self._tokens[at].raw.lower() == "né" or self._is_name(at)

    def _is_ordinal(self, at: int) -> bool:
        """Whether a token is the ending of a figure ("19th", "1er")."""
        ending = self._tokens[at].word in ORDINALS
        return ending and at > 0 and self._digits(at - 1) and self._gap(at) == ""

    def _is_small(self, token: Token) -> bool:
        return token.word in self._small and token.raw.lower() not in ("né", "dû", "sûr")

    def _is_name(self, at: int) -> bool:
        token = self._tokens[at]
        if not token.raw[0].isupper() or self._shouts or token.word in ("i",):
            return False
        if len(token.raw) > 1 and token.raw.isupper():
            return False  # shouted
        if at == 0 or _SENTENCE_END.search(self._gap(at)):
            return False
        return not self._is_small(token)

    def _gap(self, at: int) -> str:
        return self._text[self._tokens[at - 1].end : self._tokens[at].start]

    def _close(self, at: int) -> bool:
        return self._gap(at).strip("-") in ("", " ", "\u00a0", "\u202f")

    def _joined(self, at: int) -> bool:
        return fold(self._gap(at)) == "'"


def _extends(previous: int, figure: int) -> bool:
    """Whether a number word goes on the number before it ("deux cents", "soixante-dix", "twenty five")."""
    if figure in (100, 1000):
        return previous < figure
    if (figure == 20 and previous == 4) or (previous == 10 and 7 <= figure <= 9):
        return True  # "quatre-vingts", "dix-sept"
    return (
        previous >= 20 and figure < (20 if previous in (20, 60, 100, 1000) else 10)
    ) or previous >= 100
