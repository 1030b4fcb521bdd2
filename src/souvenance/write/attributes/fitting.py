"""Lays every template on a clause of somebody, and keeps the fullest fit of each attribute that nothing belies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile

from souvenance.lang import Language
from souvenance.write.attributes import measures, places, things
from souvenance.write.attributes.clauses import Clause
from souvenance.write.attributes.owners import Owner, relation
from souvenance.write.attributes.polarity import unsaid
from souvenance.write.attributes.record import MEASURED
from souvenance.write.attributes.spoken import Words
from souvenance.write.attributes.templates import Match, Reader, Template, lay, templates

#: What reads each slot of a template.
_READERS: dict[str, Reader] = {
    "age": measures.age,
    "aged": measures.aged,
    "count": measures.count,
    "year": measures.year,
    "money": measures.money,
    "priced": measures.priced,
    "date": measures.date,
    "when": measures.when,
    "deal": measures.deal,
    "city": places.city,
    "near": places.near,
    "country": places.country,
    "region": places.region,
    "street": places.street,
    "name": places.name,
    "employer": places.employer,
    "kind": places.kind,
    "institution": places.institution,
    "brand": places.brand,
    "proper": places.proper,
    "substance": things.substance,
    "job": things.job,
    "trade": things.trade,
    "substances": things.substances,
    "animal": things.animal,
    "event": things.event,
    "noun": things.noun,
    **{
        slot: partial(things.listed, f"attribute_{names}")
        for slot, names in (
            ("condition", "conditions"),
            ("medicine", "medicines"),
            ("language", "languages"),
            ("hobby", "hobbies"),
            ("meat", "meats"),
            ("level", "levels"),
        )
    },
}

#: Attributes whose value what follows may change ("10 years of practice", "married to my job").
_CLOSED = frozenset({"age", "condition", "children", "siblings", "pet", "relationship"})

#: How many words may say what a budget is for. Chosen, not measured.
_PURPOSE = 5


@dataclass(frozen=True, slots=True)
class Bare(Owner):
    """The person, where the clause has no subject: a call ("call me Sam"), a heading ("Budget: 700")."""

    mode: str = "bare"


def _allowed(template: Template, owner: Owner) -> bool:
    flags = template.flags
    if isinstance(owner, Bare):
        return owner.mode in flags or (owner.mode == "mine" and "the" in flags)
    if owner.owned:
        return bool(flags & {"mine", "the"})
    return not flags & {"mine", "the", "bare"}


def matches(owner: Owner, clause: Clause, words: Language) -> list[Match]:
    """The fullest match of each attribute."""
    said = unsaid(owner.rest, words, len(owner.rest) - clause.tail)
    if said is None or not said.words:
        return []
    best: dict[str, Match] = {}
    for template in templates(words.code):
        if not _allowed(template, owner) or ("denied" in template.flags) != said.denied:
            continue
        match = lay(template, said.words, words, _READERS)
        if match is None or not _is_over(match, said.words, words):
            continue
        after = said.words[match.end : match.end + 1]
        serves = any(w.word in words.words["attribute_purpose"] for w in after)
        match = replace(
            match, serves=serves, topic=(*match.topic, *_purpose(match, said.words, words))
        )
        if said.over:
            match = replace(match, template=_ended(template))
        known = best.get(template.attribute)
        if known is None or _fullness(match) > _fullness(known):
            best[template.attribute] = match
    if best.keys() & {"budget", "salary"}:
        best.pop("amount", None)
    return list(best.values())


def _fullness(match: Match) -> tuple[int, int, int]:
    """How much of the clause a match reads; a thing that the template names before one read as it comes."""
    return match.end, len(match.values), -len(match.topic)


def _purpose(match: Match, said: Words, words: Language) -> Words:
    """What a budget or a deal is for where it is said behind the sum ("700 € pour le vélo")."""
    at = match.end
    bought = match.template.attribute in ("budget", "deal")
    if not bought or at >= len(said) or said[at].word not in words.words["attribute_purpose"]:
        return ()
    joins = words.words["attribute_joins"]
    following = said[at + 1 : at + 1 + _PURPOSE]
    return tuple(takewhile(lambda w: not w.stop and w.word not in joins, following))


def _ended(template: Template) -> Template:
    return replace(template, flags=template.flags | {"ended"})


def _is_over(match: Match, said: Words, words: Language) -> bool:
    """Whether nothing that would change the value follows it."""
    at, attribute = match.end, match.template.attribute
    if "loose" in match.template.flags or at >= len(said) or said[at].stop:
        return True
    lists = words.words
    if attribute == "age" and "upcoming" not in match.template.flags:
        days = {"day", "moment"} if "change" in match.template.flags else {"day"}
        return said[at].sort in days or said[at].word in lists["attribute_age_after"]
    if attribute in _CLOSED - {"age"} or not any(match.values):
        small = said[at].word in lists["attribute_on"] and at + 1 < len(said)
        if attribute in ("relationship", "condition") and said[at].word in lists["attribute_with"]:
            return attribute == "relationship" and _with_somebody(said, at, words)
        dated = {said[at].sort, said[at + small].sort} & {"day", "month", "moment"}
        return bool(dated) or said[at].word in lists["attribute_age_after"]
    rated = attribute in MEASURED and said[at].word in lists["attribute_rates"]
    return rated or places.ends_there(said, at, words)


def _with_somebody(said: Words, at: int, words: Language) -> bool:
    """Whether somebody follows "with": a name, or one of one's own ("my boss" is not the point here)."""
    following = said[at + 1 : at + 2]
    mine = bool(following) and following[0].word in words.words["attribute_mine"]
    return any(w.capital for w in following) or (
        mine and relation(said[at + 2 :], words) is not None
    )
