"""Reads the slots that hold a name: of a place, a person, an employer, a street.

A capital marks a name; without capitals only one word counts, when nothing goes on with it.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.attributes.measures import Read, shown
from souvenance.write.attributes.polarity import phrase_at
from souvenance.write.attributes.spoken import Word, Words


def ends_there(said: Words, at: int, words: Language) -> bool:
    """Whether nothing goes on with what was read: the end, a stop, or a word that starts anew."""
    if at >= len(said) or said[at].stop or said[at].sort in ("day", "month", "moment"):
        return True
    return said[at].word in words.words["attribute_after"]


def _named(said: Words, at: int, words: Language, inner: str) -> int:
    """Where a name with capitals ends, its small inner words and tied parts included; `at` when none."""
    end = at
    while end < len(said) and not (said[end].stop and end > at):
        word, goes_on = said[end], end > at
        part = not word.sort and (word.capital or (goes_on and word.tied))
        if not part and not (goes_on and _inside(said, end, words, inner)):
            break
        end += 1
    return end


def _inside(said: Words, at: int, words: Language, inner: str) -> bool:
    """Whether a small word stands inside a name: "Aix en Provence", "Stoke on Trent"."""
    following = said[at + 1] if at + 1 < len(said) else None
    small = said[at].word in words.words[inner]
    if not small or following is None or following.stop or following.sort:
        return False
    return following.capital


def city(said: Words, at: int, words: Language) -> Read:
    """A town, with its district when it follows ("Lyon 7e")."""
    if at >= len(said) or said[at].sort == "figure" or not _may_be_place(said, at, words):
        return []
    end = _named(said, at, words, "attribute_place_inner")
    if end == at:
        end = _uncapitalised(said, at, words)
    if end == at or any(
        phrase_at(said, at, words, n) for n in ("attribute_countries", "attribute_regions")
    ):
        return []
    places = [(_place(said, at, end), end)]
    if end < len(said) and said[end].sort == "figure" and not said[end].stop:
        last = end + 1
        while last < len(said) and said[last].tied:
            last += 1
        places.insert(0, (_place(said, at, last), last))
    return [((value,), last) for value, last in places if ends_there(said, last, words)]


def _place(said: Words, at: int, end: int) -> str:
    return shown(said, at, end)


def _may_be_place(said: Words, at: int, words: Language) -> bool:
    word = said[at]
    if word.word in words.words["attribute_no_places"] | words.words["attribute_no_towns"]:
        return False
    article = word.word in words.words["articles"]
    opens = word.word in words.words["attribute_place_openers"] and (not article or word.capital)
    small = word.word in words.words["function_words"] | words.words["articles"]
    return opens or not small


def _uncapitalised(said: Words, at: int, words: Language) -> int:
    """Where a place typed without capitals ends: one word, or two after "new", "saint", "la"…"""
    end = at + 1
    if said[at].word in words.words["attribute_place_openers"] and end < len(said):
        stray = said[end].word in words.words["attribute_no_places"]
        if said[end].stop or said[end].sort or stray:
            return at
        end += 1
    while end < len(said) and said[end].tied and not said[end].stop and not said[end].sort:
        end += 1
    return end if all(w.word.isalpha() and len(w.word) > 1 for w in said[at:end]) else at


def _listed(name: str, said: Words, at: int, words: Language) -> Read:
    size = phrase_at(said, at, words, name)
    end = at + size
    return [((shown(said, at, end),), end)] if size and ends_there(said, end, words) else []


def country(said: Words, at: int, words: Language) -> Read:
    """A country."""
    return _listed("attribute_countries", said, at, words)


def region(said: Words, at: int, words: Language) -> Read:
    """A region or a state that is no town."""
    return _listed("attribute_regions", said, at, words)


def street(said: Words, at: int, words: Language) -> Read:
    """An address: a number, then a street and what follows with capitals, towns included."""
    if at >= len(said) or said[at].sort != "figure":
        return []
    end = at + 1
    kinds = words.words["attribute_streets"]
    while end < len(said) and end - at < 12 and (not said[end].stop or _goes_on(said, end)):
        end += 1
    named = [w.word for w in said[at:end]]
    return [((shown(said, at, end),), end)] if any(w in kinds for w in named) else []


def _goes_on(said: Words, at: int) -> bool:
    return said[at].sort == "figure" or said[at].capital


def name(said: Words, at: int, words: Language) -> Read:
    """The name of a person or an animal."""
    if at >= len(said) or said[at].sort or said[at].word in words.words["attribute_no_names"]:
        return []
    end = at
    while end < len(said) and end - at < 4 and _is_name(said, end, at):
        end += 1
    if end == at:
        small = said[at].word in words.words["function_words"]
        end = at + 1 if not small and len(said[at].word) > 1 and said[at].word.isalpha() else at
        while end > at and end < len(said) and said[end].tied:
            end += 1
    return [((shown(said, at, end),), end)] if end > at and ends_there(said, end, words) else []


def _is_name(said: Words, n: int, at: int) -> bool:
    word: Word = said[n]
    return (n == at or not word.stop) and (word.capital or (n > at and word.tied))


def employer(said: Words, at: int, words: Language) -> Read:
    """Who somebody works for: a name, or a kind of place with its article ("une boulangerie")."""
    if at >= len(said) or said[at].word in words.words["attribute_no_employers"]:
        return []
    articles = words.words["articles"] | words.words["attribute_the"]
    lead = 1 if said[at].word in articles else 0
    start = at + lead
    if (
        start >= len(said)
        or said[start].sort
        or said[start].word in words.words["attribute_no_employers"]
    ):
        return []
    end = _named(said, start, words, "attribute_name_inner")
    if end == start:
        small = said[start].word in words.words["function_words"] | words.words["possessives"]
        end = start if small else start + 1
        while (
            not small and end < len(said) and end - start < 4 and not ends_there(said, end, words)
        ):
            end += 1
    if end > start and said[end - 1].word in words.words["function_words"]:
        return []  # "à la réussite de mon projet"
    definite = lead and said[at].word not in words.words["attribute_a"]
    first = start if definite and said[start].capital else at
    ok = end > start and ends_there(said, end, words)
    return [((shown(said, first, end),), end)] if ok else []


def near(said: Words, at: int, words: Language) -> Read:
    """A town that somebody lives near, the nearness kept: it is not the town."""
    size = phrase_at(said, at, words, "attribute_near")
    found = city(said, at + size, words) if size else []
    return [((shown(said, at, end),), end) for _, end in found]


def kind(said: Words, at: int, words: Language) -> Read:
    """A kind of place to work at, with its article ("une boulangerie")."""
    led = at < len(said) and said[at].word in words.words["attribute_a"]
    return employer(said, at, words) if led else []


def institution(said: Words, at: int, words: Language) -> Read:
    """A place to work at with its definite article ("la mairie"): without one it is a town."""
    led = at < len(said) and said[at].word in words.words["attribute_the"]
    return employer(said, at, words) if led else []


def brand(said: Words, at: int, words: Language) -> Read:
    """An employer's name, with its capital."""
    named = at < len(said) and said[at].capital
    return employer(said, at, words) if named else []


def proper(said: Words, at: int, words: Language) -> Read:
    """A person's name, with its capital."""
    named = at < len(said) and said[at].capital
    return name(said, at, words) if named else []
