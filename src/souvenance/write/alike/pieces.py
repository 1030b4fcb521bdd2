"""Reads a text for comparison: clock times, dates, amounts, ordinals and habits come out in one spelling.

It works on what `decisive.read` found, so that every other reader of a text is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from souvenance.lang import Language, fold, language
from souvenance.write.alike.numbered import numbered_date
from souvenance.write.alike.turns import plainly
from souvenance.write.words.decisive import (
    ORDINALS,
    Item,
    Reading,
    canonical,
    phrase,
    read,
    read_anew,
    sets,
    table,
)
from souvenance.write.words.hours import clock

_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_VALUE = re.compile(r"(\d+(?:\.\d+)?)(\D*)")
_DUTY = frozenset({"has", "have", "had", "is", "are", "am"})
_CODE = re.compile(r"0\d\d+")
_ENCLITIC = frozenset({"m", "t", "s", "l", "n", "nous", "vous"})
#: Letters of the longest short name of a day that ends in "s" ("thurs"). Source: English.
_SINGULAR = 5
#: Words with their "of", as they are said and as they are compared.
_SOMETHING = re.compile(r".+ of/\w+ of")
_ADJACENT = ("", " ", "-")
_MONEY = frozenset("€$£")
#: Words that multiply the figure before them, whichever language uses them.
_SCALES = {
    "k": 1_000, "mille": 1_000, "thousand": 1_000, "million": 1_000_000, "millions": 1_000_000,
    "milliard": 10**9, "milliards": 10**9, "billion": 10**9, "billions": 10**9,
}  # fmt: skip


def pieces(text: str, words: Language) -> Reading:
    """The pieces of a text, in order, with figures and times in one spelling: "6 pm" is "18 h"."""
    return _pieces(text, words.code)


def joined(text: str, reading: Reading, words: Language) -> Reading:
    """What `pieces` gives of a text already read, not kept."""
    plain = plainly(text, words)
    if plain != text:
        text, reading = plain, read_anew(plain, words)
    return Reading(tuple(_weekly(list(_Joiner(text, reading.items, words).items()), words)))


def _weekly(items: list[Item], words: Language) -> list[Item]:
    """The pieces with "every Monday" led as "on Mondays": the day itself says that it returns."""
    lead = min(words.words["habit_leads"], default="")
    for n, (item, following) in enumerate(pairwise(items)):
        if item.form == "every" and following.sort == "day" and following.form.endswith("+"):
            items[n] = replace(item, form=lead)
    return items


@lru_cache(maxsize=20_000)
def _pieces(text: str, code: str) -> Reading:
    words = language(code)
    return joined(text, read(text, words), words)


@lru_cache(maxsize=8)
def _ordinals(code: str) -> dict[str, int]:
    return table(language(code).words["ordinals"])


@lru_cache(maxsize=8)
def _units(code: str) -> dict[str, str]:
    return sets(language(code).words["measures"])


@lru_cache(maxsize=8)
def _small_turns(code: str) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """What turns of several small words are read as, by their first word."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for line in sorted(language(code).words["small_turns"]):
        turn, _, form = line.partition("=")
        said = phrase(turn)
        found.setdefault(said[0], []).append((said, form.strip()))
    return found


@lru_cache(maxsize=8)
def small_sets(code: str) -> dict[str, str]:
    """The first of its set for each small word that another can stand for ("although": "but")."""
    return sets(language(code).words["small_sets"])


@lru_cache(maxsize=8)
def _same_words(code: str) -> dict[str, str]:
    return sets(language(code).words["same_words"])


def first_of_set(word: str, words: Language) -> str:
    """The word that stands for all those that say the same as a folded word; itself when there is none."""
    return canonical(_same_words(words.code).get(word, word), words)


@lru_cache(maxsize=8)
def _joined_negations(code: str) -> dict[str, str]:
    return sets(language(code).words["typed_negations"])


@lru_cache(maxsize=8)
def _shifting(code: str) -> tuple[tuple[str, str], ...]:
    lines = (line.split("=") for line in sorted(language(code).words["shifting_stems"]))
    return tuple((shifted.strip(), stem.strip()) for stem, shifted in lines)


def _one_stem(stem: str, code: str) -> str:
    """The stem with an end that changes within one verb in one spelling ("appell", "appel")."""
    for shifted, plain in _shifting(code):
        if stem.endswith(shifted):
            return stem.removesuffix(shifted) + plain
    return stem


@lru_cache(maxsize=8)
def _typed_pronouns(code: str) -> dict[str, str]:
    lines = (line.split("=") for line in language(code).words["typed_pronouns"])
    return {typed.strip(): pronoun.strip() for pronoun, typed in lines}


class _Joiner:
    """Walks the pieces of one text once, joining those that are one figure, one time, one habit."""

    def __init__(self, text: str, items: Sequence[Item], words: Language) -> None:
        self._text, self._items, self._words = text, items, words
        self._ordinals, self._units = _ordinals(words.code), _units(words.code)

    def items(self) -> Iterable[Item]:
        at = 0
        while at < len(self._items):
            dated = self._day_of_month(at) or self._numbered(at)
            if dated is not None:
                yield from dated[0]
                at += dated[1]
                continue
            found = self._item(at)
            if found is None:
                yield from self._single(at)
                at += 1
            else:
                item, used = found
                yield replace(item, after_stop=self._items[at].after_stop)
                at += used

    def _item(self, at: int) -> tuple[Item, int] | None:
        item = self._items[at]
        if item.sort in ("figure", "moment") or item.word in ("half", "quarter"):
            timed = clock(self._items, at, self._text, halves=self._words.traits.half_before_hour)
            if timed is not None:
                return self._joined(at, *timed), timed[1]
        if item.sort == "figure":
            for joins in (self._date, self._ordinal, self._amount):
                found = joins(at)
                if found is not None:
                    return self._joined(at, *found), found[1]
        if item.word in self._ordinals and self._ranks(at):
            return self._joined(at, self._ranked(at, 1, str(self._ordinals[item.word])), 1), 1
        for turn, form in _small_turns(self._words.code).get(item.word, ()):
            used = len(turn)
            if all(self._word(at + n) == word for n, word in enumerate(turn)):
                return replace(
                    item, sort="small", form=form, end=self._items[at + used - 1].end
                ), used
        must = item.word in ("has", "have", "had") or self._word(at + 2) == "be"
        if must and item.word in _DUTY and self._word(at + 1) == "to":
            return replace(item, sort="future", form="must", end=self._items[at + 1].end), 2
        return None

    def _joined(self, at: int, form: str, used: int) -> Item:
        run = self._items[at : at + used]
        word = " ".join(i.word for i in run)
        return Item("figure", form, word, run[0].start, run[-1].end)

    # --- one piece ------------------------------------------------------------------------------

    def _single(self, at: int) -> Iterable[Item]:
        item = self._items[at]
        if item.sort == "negation":
            yield from self._negation(item)
        elif item.sort == "figure":
            yield replace(item, form=item.word) if _CODE.fullmatch(item.word) else item
        elif item.sort == "day":
            yield replace(item, form=f"{item.form}+") if self._habitual(at) else item
        elif item.sort in ("relation", "past"):
            yield self._relation(at)
        elif item.word in _typed_pronouns(self._words.code) and not item.hyphen:
            word = _typed_pronouns(self._words.code)[item.word]
            yield replace(item, sort="person", form="s", word=word)
        elif item.word == "per" and self._word(at + 1) in self._words.words["calendar"]:
            yield replace(item, sort="small", form="every")
        elif item.word in ("meme", "memes") and item.hyphen and self._sort(at - 1) == "person":
            yield replace(item, sort="small")
        elif item.word == "yet" and item.after_stop:
            yield replace(item, sort="small", form="but")
        elif item.word in self._words.words["every"]:
            yield replace(item, sort="small", form="every")
        elif item.sort == "small":
            yield self._small(at)
        elif item.sort in ("word", "name"):
            yield from self._of_something(self._word_or_name(at))
        else:
            yield item

    def _word_or_name(self, at: int) -> Item:
        item = self._items[at]
        if item.sort == "word" and item.word in _same_words(self._words.code):
            first = first_of_set(item.word, self._words)
            item = replace(item, form=" ".join(self._words.stem(w) for w in phrase(first)))
        form = _one_stem(item.form, self._words.code)
        item = item if form == item.form else replace(item, form=form)
        return replace(item, sort="name") if item.sort == "word" and self._names(at) else item

    def _of_something(self, item: Item) -> Iterable[Item]:
        """Both words of "afraid of", so that the first is seen when it is mistyped or stands alone."""
        if not _SOMETHING.fullmatch(f"{item.word}/{item.form}"):
            yield item
            return
        middle = item.end - 2
        yield replace(item, form=item.form.split()[0], word=item.word.split()[-2], end=middle)
        yield replace(item, sort="small", form="of", word="of", start=middle, after_stop=False)

    def _negation(self, item: Item) -> Iterable[Item]:
        typed = _joined_negations(self._words.code).get(item.word)
        yield item if typed is None else replace(item, form="not")
        if typed in ("past", "future"):
            yield replace(item, sort="past" if typed == "past" else "future", form=typed)
        elif typed == "can":
            yield replace(item, sort="small", form="can")

    def _relation(self, at: int) -> Item:
        item = self._items[at]
        if item.sort == "past":
            return replace(item, form=small_sets(self._words.code).get(item.word, item.form))
        if item.word == "sur" and self._is_sure(at):
            return replace(item, sort="word")
        if item.word == "plus" and self._restricts(at):
            return replace(item, sort="negation")
        if item.word == "que" and not self._restricts(at):
            return replace(item, sort="small", form="que")
        return item

    def _is_sure(self, at: int) -> bool:
        """Whether "sur" is "sûr", its accent typed or not."""
        item = self._items[at]
        if self._text[item.start : item.end].lower() == "sûr":
            return True
        leads = self._sort(at - 1) == "negation" or self._word(at - 1) in (
            "est",
            "suis",
            "es",
            "sont",
        )
        return leads and self._word(at + 1) in ("de", "d", "que", "qu")

    def _small(self, at: int) -> Item:
        item, before = self._items[at], self._word(at - 1)
        if item.word == "ete" and before in ("l", "cet", "un", "d", "en", "chaque"):
            return replace(item, sort="word", form="été")
        if item.word == "est" and before == "l" and self._sort(at - 2) != "person":
            return replace(item, sort="word", form="est°")  # the east
        if item.word == "ne" and self._is_born(at):
            return replace(item, sort="word")
        form = self._small_form(at)
        return item if form == item.form else replace(item, form=form)

    def _is_born(self, at: int) -> bool:
        """Whether "ne" is "né" typed without its accent: the negation never stands there."""
        following = self._word(at + 1)
        return self._word(at - 1) in ("est", "sont", "suis", "es", "etait") or (
            following in ("en", "le", "a", "au") and self._sort(at - 1) in ("word", "name")
        )

    def _small_form(self, at: int) -> str:
        item = self._items[at]
        if item.word == "a" and self._text[item.start] in "àÀ":
            return "in"
        if item.word == "en" and (
            self._sort(at - 1) == "person" or self._word(at - 1) in _ENCLITIC
        ):
            return "en°"  # the pronoun: "il m'en veut" is not "il veut"
        if self._word(at + 1) in self._words.words["calendar"] and self._returns(at):
            return "every"
        return small_sets(self._words.code).get(item.word, item.form)

    def _returns(self, at: int) -> bool:
        """Whether a small word before a unit of time says that it returns: "par mois", "$50 a month"."""
        word = self._word(at)
        if word in self._words.words["per_each"]:
            return True
        counted = "figure" in (self._sort(at - 1), self._sort(at - 2))
        return word in self._words.words["per_counted"] and counted

    def _restricts(self, at: int) -> bool:
        """Whether "que" goes with a "ne" before it ("ne boit que du thé") and with no negation between."""
        for n in range(at - 1, -1, -1):
            before = self._items[n]
            if before.sort == "negation":
                return False
            if before.word in ("n", "ne"):
                return True
        return False

    def _habitual(self, at: int) -> bool:
        """Whether a day is every such day: "le lundi", "on Mondays", "every Monday"."""
        item, words, traits = self._items[at], self._words.words, self._words.traits
        if traits.article_makes_weekly and self._sort(at + 1) in ("figure", "moment"):
            return False
        if traits.plural_weekdays and item.word.endswith("s") and len(item.word) > _SINGULAR:
            return True
        return self._word(at - 1) in words["weekly"] or self._word(at + 1) in words["weekly_parts"]

    def _names(self, at: int) -> bool:
        naming = self._words.words["naming_words"]
        before = at - 1
        while before >= 0 and self._items[before].sort == "small":
            before -= 1
        return before >= 0 and self._items[before].word in naming and at - before <= 2

    # --- figures --------------------------------------------------------------------------------

    def _date(self, at: int) -> tuple[str, int] | None:
        """Figures joined by strokes are one date: "02/01/2027" is not "01/02/2027"."""
        used = 1
        while (
            _PLAIN.fullmatch(self._form(at + used - 1) or "")
            and self._sort(at + used) == "figure"
            and self._gap(at + used) in ("/", "-", ".")
            and used < 3
        ):
            used += 1
        if used == 1:
            return None
        return "/".join(i.form for i in self._items[at : at + used]), used

    def _day_of_month(self, at: int) -> tuple[tuple[Item, Item], int] | None:
        """The day before its month whichever was said first: "May 3rd" is "3 May"."""
        day = at + 1
        if self._sort(at) != "month" or self._sort(day) != "figure" or self._gap(day) != " ":
            return None
        if not self._form(day).isdigit() or int(self._form(day)) > 31:
            return None
        month, figure = self._items[at], self._items[day]
        used = 3 if self._word(day + 1) in ORDINALS and not self._gap(day + 1) else 2
        first = replace(figure, start=month.start, after_stop=month.after_stop)
        return (first, replace(month, start=month.start + 1, after_stop=False)), used

    def _numbered(self, at: int) -> tuple[tuple[Item, ...], int] | None:
        if self._sort(at) != "figure" or self._gap(at) == "/":
            return None
        return numbered_date(self._items, at, self._text, self._words)

    def _ordinal(self, at: int) -> tuple[str, int] | None:
        if self._word(at + 1) not in ORDINALS or self._gap(at + 1):
            return None
        return self._ranked(at, 2, self._items[at].form), 2

    def _ranked(self, at: int, used: int, figure: str) -> str:
        """A rank, marked so that "the 3rd floor" is not "3 floors"; beside a month it is a plain date."""
        after = at + used
        if self._word(after) in ("of", "de", "d"):
            after += 1
        dated = self._sort(after) == "month" or "month" in (self._sort(at - 1), self._sort(at - 2))
        return figure if dated else f"{figure}°"

    def _ranks(self, at: int) -> bool:
        """Whether a rank word ranks: "a second" is a moment and "a third of it" a share."""
        item = self._items[at]
        if item.word in ("second", "seconde"):
            return self._word(at - 1) not in ("en", "a", "une", "one", "split", "") and bool(
                self._word(at + 1)
            )
        return self._word(at + 1) not in ("of",) or self._sort(at + 2) == "month"

    def _amount(self, at: int) -> tuple[str, int] | None:
        value, unit = self._value(at)
        used = 1
        if value is None:
            return None
        if self._word(at + 1) in ("pour", "per") and self._word(at + 2) in ("cent", "100"):
            return f"{_plain(value)}%", 3
        if self._word(at + 1) == "and" and value % 100 == 0 and self._items[at].word[0].isalpha():
            rest, counted = self._value(at + 2)
            if rest is not None and 0 < rest < 100 and self._word(at + 2)[0].isalpha():
                return f"{_plain(value + rest)}{counted}", 3
        scale = _SCALES.get(self._word(at + 1))
        if scale is not None and self._gap(at + 1) in (_ADJACENT if scale != 1_000 else ("", " ")):
            value, used = value * scale, 2
            after = at + used + (self._word(at + used) in ("d", "de", "of"))
            if not unit and self._word(after) in self._units:
                unit, used = self._units[self._word(after)], after - at + 1
            return f"{_plain(value)}{unit}", used
        more, none = self._value(at + 1)
        if more is None or none:
            return None
        joined = self._gap(at + 1)
        word = self._word(at + 1)
        if unit and (unit in _MONEY or unit == "m") and joined in ("", " ") and len(word) == 2:
            return (f"{_plain(value + more / 100)}{unit}", 2) if word.isdigit() else None
        return None

    def _value(self, at: int) -> tuple[float | None, str]:
        if self._sort(at) != "figure":
            return None, ""
        read_as = _VALUE.fullmatch(self._items[at].form)
        return (float(read_as.group(1)), read_as.group(2)) if read_as else (None, "")

    # --- neighbours -----------------------------------------------------------------------------

    def _word(self, at: int) -> str:
        return self._items[at].word if 0 <= at < len(self._items) else ""

    def _sort(self, at: int) -> str:
        return self._items[at].sort if 0 <= at < len(self._items) else ""

    def _form(self, at: int) -> str:
        return self._items[at].form if 0 <= at < len(self._items) else ""

    def _gap(self, at: int) -> str:
        if not 0 < at < len(self._items):
            return "\n"
        return fold(self._text[self._items[at - 1].end : self._items[at].start])


def _plain(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
