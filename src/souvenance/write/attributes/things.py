"""Reads the slots that hold a word of a list: a job, an illness, an animal, a language, a pastime.

"I'm a nurse" tells a job and "I'm a wreck" does not; only the list of trades tells them apart.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.attributes.measures import Read, shown
from souvenance.write.attributes.places import ends_there
from souvenance.write.attributes.polarity import phrase_at
from souvenance.write.attributes.spoken import Words

#: How many words may qualify a trade before it, where they stand there ("a senior software engineer").
#: Chosen, not measured.
_QUALIFIERS = 3


def job(said: Words, at: int, words: Language) -> Read:
    """A trade of the list, with its qualifiers and complement."""
    start = at + 1 if at < len(said) and said[at].word in words.words["attribute_a"] else at
    before = 0 if not words.traits.nouns_before_nouns or start == at else _QUALIFIERS
    for lead in range(before + 1):
        size = phrase_at(said, start + lead, words, "attribute_jobs")
        if size:
            return _trade(said, start, start + lead + size, words)
        if start + lead >= len(said) or not _qualifies(said, start + lead, words):
            return []
    return []


def _qualifies(said: Words, at: int, words: Language) -> bool:
    word = said[at]
    small = word.word in words.words["function_words"] | words.words["attribute_no_longer_jobs"]
    return not word.stop and not small and not word.sort


def _may_follow(said: Words, at: int, words: Language) -> bool:
    """Whether a word may qualify the trade before it ("médecin généraliste")."""
    return said[at].word.isalpha() and _qualifies(said, at, words)


def _trade(said: Words, start: int, end: int, words: Language) -> Read:
    """What was read up to `end`, with a complement ("de nuit", "généraliste") when one ends there."""
    links = words.words["attribute_job_links"]
    ways = [end]
    if end < len(said) and not said[end].stop and not said[end].sort:
        if said[end].word in links and end + 1 < len(said) and not said[end + 1].sort:
            after = said[end + 1]
            heads = words.words["attribute_heads"]
            stray = after.word in words.words["function_words"] or after.capital
            stray = stray or (bool(heads) and said[end - 1].word not in heads)
            ways = [end] if stray else [end + 2, end]
        elif not words.traits.nouns_before_nouns and _may_follow(said, end, words):
            ways = [end + 1, end]
    aged = end + 1 < len(said) and said[end].word in links and bool(said[end + 1].figure)
    way = next((way for way in ways if ends_there(said, way, words) or aged), None)
    return [] if way is None else [((shown(said, start, way),), way)]


def trade(said: Words, at: int, words: Language) -> Read:
    """A trade in any words, where "as" or "my job is" announces one: at most four of them."""
    start = at + 1 if at < len(said) and said[at].word in words.words["attribute_a"] else at
    stray = words.words["attribute_no_trades"]
    if start >= len(said) or said[start].sort or said[start].word in stray:
        return []
    end = start
    while (
        end < len(said) and end - start < 4 and not (end > start and ends_there(said, end, words))
    ):
        linked = said[end].word in words.words["attribute_job_links"]
        if said[end].sort or (said[end].word in words.words["function_words"] and not linked):
            return []
        end += 1
    return (
        [((shown(said, start, end),), end)] if end > start and ends_there(said, end, words) else []
    )


def listed(name: str, said: Words, at: int, words: Language) -> Read:
    """One or more words of a list: "noix, aux kiwis et au lait" gives three values."""
    found: list[str] = []
    end = at
    while end < len(said) and len(found) < 8:
        size = phrase_at(said, end, words, name)
        if not size:
            break
        found.append(shown(said, end, end + size))
        end += size
        nxt = _next_of_list(said, end, words)
        if not nxt or not phrase_at(said, nxt, words, name):
            break
        end = nxt
    return [(tuple(found), end)] if found and ends_there(said, end, words) else []


def _next_of_list(said: Words, end: int, words: Language) -> int:
    """Where the next item of a list starts; 0 when the list is over."""
    if end >= len(said):
        return 0
    joined = said[end].word in words.words["attribute_and"]
    if not joined and not said[end].stop:
        return 0
    at = end + 1 if joined else end
    while at < len(said) and said[at].word in words.words["attribute_item_leads"]:
        at += 1
    return at if at < len(said) else 0


def substances(said: Words, at: int, words: Language) -> Read:
    """What somebody is allergic to: words up to a stop, several when they are listed."""
    found: list[str] = []
    leads = words.words["attribute_item_leads"]
    while at < len(said) and said[at].word in leads:
        at += 1
    end = at
    while end < len(said) and len(found) < 8:
        start, size = end, 0
        while end < len(said) and size < 3 and not (size and ends_there(said, end, words)):
            linked = size and said[end].word in words.words["attribute_item_inner"]
            if said[end].sort or (said[end].word in words.words["function_words"] and not linked):
                return []
            end, size = end + 1, size + 1
        joke = any(w.word in words.words["attribute_no_allergens"] for w in said[start:end])
        if not size or joke or not ends_there(said, end, words):
            return []
        found.append(shown(said, start, end))
        at = _next_of_list(said, end, words)
        starts_clause = (
            at < len(said)
            and said[at].word in words.words["subject_words"] | words.words["possessives"]
        )
        if (
            not at
            or starts_clause
            or said[at].sort
            or said[at].word in words.words["function_words"]
        ):
            break
        if said[end].stop and said[at - 1].word not in leads | words.words["attribute_and"]:
            break
        end = at
    return [(tuple(found), end)] if found else []


def animal(said: Words, at: int, words: Language) -> Read:
    """An animal one keeps, with its name when it follows."""
    size = phrase_at(said, at, words, "attribute_animals")
    if not size:
        return []
    end = at + size
    called = phrase_at(said, end, words, "attribute_called")
    named = end + called if called else end
    if named < len(said) and said[named].capital and (called or not said[named].stop):
        return [((shown(said, at, end) + " " + said[named].raw,), named + 1)]
    return [((shown(said, at, end),), end)] if ends_there(said, end, words) or called else []


def event(said: Words, at: int, words: Language) -> Read:
    """A thing awaited on a day ("rendez-vous", "exam")."""
    size = phrase_at(said, at, words, "attribute_events")
    return [((shown(said, at, at + size),), at + size)] if size else []


def noun(said: Words, at: int, words: Language) -> Read:
    """A thing of one's own in one to four words ("Clio grise", "an old Civic")."""
    start = at + 1 if at < len(said) and said[at].word in words.words["attribute_a"] else at
    end = start
    while (
        end < len(said) and end - start < 4 and not (end > start and ends_there(said, end, words))
    ):
        if said[end].word in words.words["function_words"]:
            return []
        end += 1
    lead = any(w.capital or w.figure for w in said[start:end])
    return (
        [((shown(said, start, end),), end)]
        if lead and end > start and ends_there(said, end, words)
        else []
    )


def substance(said: Words, at: int, words: Language) -> Read:
    """The one or two words before "allergy"."""
    small = words.words["function_words"]
    ways = [n for n in (1, 2) if all(not w.sort and w.word not in small for w in said[at : at + n])]
    return [((shown(said, at, at + n),), at + n) for n in ways if at + n <= len(said)]
