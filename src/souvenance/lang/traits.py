"""What a language does that no list of words says: the order of a numeric date, whether days take a capital.

They stand in `language.toml` under `[traits]`; one that is not given is false, and reads as the most careful choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of one language; the comment on each says what is read by it."""

    #: "day-month" (12/05 is in May), "month-day", or "either": then only dates that have one reading count.
    numeric_dates: str = "either"
    #: Days and months are written with a capital ("Monday", "May"): in small letters "may" is another word.
    capital_dates: bool = False
    #: An article makes a weekday every such day ("le lundi"), unless a figure or an hour follows it.
    article_makes_weekly: bool = False
    #: Weekdays have a plural of their own ("Mondays", "lundis"); not where they end in "s" ("lunes").
    plural_weekdays: bool = False
    #: "The 3rd" may be a day or a rank up to three; elsewhere only the words of `date_first` are ranks.
    days_are_ranks: bool = False
    #: "From 1944" tells how old a thing is, and not since when.
    from_tells_age: bool = False
    #: "Half six" is an hour.
    half_before_hour: bool = False
    #: A denial has two words, one before the verb and one behind it ("ne … pas").
    negation_in_two_words: bool = False
    #: Possession is an "s" of its own ("the boss's car").
    possessive_s: bool = False
    #: A noun qualifies the next one ("a chemistry exam"), and what qualifies stands before.
    nouns_before_nouns: bool = False
    #: "That" may be left out before what is said of a thing ("it isn't the dog I fear").
    that_may_be_left_out: bool = False
    #: A noun may follow "of" at once, without an article ("odeur de noix"): what precedes tells whether it is headed.
    bare_complements: bool = False
    #: The word "a" is a verb, and "à" typed without its accent.
    a_lacks_its_accent: bool = False
    #: Between vowels "s" and "ss" are two sounds, so that one for the other is no slip.
    s_between_vowels: bool = False
    #: The past is told with an auxiliary and a participle ("a vendu"); otherwise with one form ("sold", "vendió").
    compound_past: bool = False
    #: A verb's y turns into i ("tutoyer", "tutoie").
    y_turns_to_i: bool = False
    #: What will be done is one form of the verb ("j'irai"), not the present of a progressive ("I'm going").
    future_in_one_word: bool = False
    #: Numbers go by scores ("soixante-dix", "quatre-vingt-dix"): see `write/filters/identifiers/spelled.py`.
    numbers_by_scores: bool = False
    #: Endings of participles that only an accent tells from another form ("habité", "habite"), as written.
    accented_participles: tuple[str, ...] = ()


def traits(described: Mapping[str, object], where: str) -> Traits:
    """The traits of a `language.toml`. Errors: `ValueError` for one that does not exist or is of another type."""
    known = {f.name: f.default for f in fields(Traits)}
    given: dict[str, object] = {}
    for name, value in described.items():
        value = tuple(value) if isinstance(value, list) else value
        if name not in known:
            raise ValueError(f"{where}: there is no trait {name!r}; there are {', '.join(known)}")
        if type(value) is not type(known[name]):
            raise ValueError(f"{where}: {name} = {value!r} should be like {known[name]!r}")
        given[name] = value
    found = Traits(**given)  # type: ignore[arg-type]
    if found.numeric_dates not in ("day-month", "month-day", "either"):
        raise ValueError(f"{where}: numeric_dates is {found.numeric_dates!r}")
    return found
