"""Reads every attribute that a text tells plainly, clause by clause, by laying the templates on it.

Precision before coverage: a value read wrongly overwrites a true one, a value not read only repeats.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from souvenance.domain import Role
from souvenance.lang import Language, fold, language, tokens
from souvenance.write.attributes import measures, places, things
from souvenance.write.attributes.comparing import is_dated
from souvenance.write.attributes.figures import figure
from souvenance.write.attributes.owners import Owner, Telling, owners, relation, telling
from souvenance.write.attributes.polarity import phrase_at, unsaid
from souvenance.write.attributes.record import MEASURED, SINGLE, Attribute, State
from souvenance.write.attributes.spoken import Line, Words, lines
from souvenance.write.attributes.templates import Match, Reader, Template, lay, templates
from souvenance.write.phrases import has, opens
from souvenance.write.sentences import plain

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

#: Attributes whose values are names.
_NAMED = frozenset({"name", "nickname", "city", "employer", "school", "partner"})

#: Below this many years, nobody writes of themself. Chosen, not measured.
_YOUNGEST = 6


@dataclass(frozen=True, slots=True)
class _Clause:
    """One clause as it is read: its words and those after it, how many are its own, what marks it."""

    said: Words
    tail: int
    corrects: bool
    passing: bool
    beside: bool
    changing: bool
    later: bool
    capitals: bool  # its sentence begins with a capital: whoever typed it writes names with one


def read_attributes(
    text: str, words: Language, speaker: Role = "user", called: Collection[str] = ()
) -> tuple[Attribute, ...]:
    """What a text tells of the person and theirs, in order, each value once; empty when nothing is plain.

    `speaker` is who says "I" in it: what a character says of itself has the entity "character".
    `called` are the person's names, read as the person only in a text that never says "I".
    """
    root = "person" if speaker == "user" else "character"
    return _read_all(text, words.code, root, tuple(called))


@lru_cache(maxsize=20_000)
def _read_all(text: str, code: str, root: str, called: tuple[str, ...]) -> tuple[Attribute, ...]:
    words = language(code)
    told = telling(plain(text, words), words, root, called)
    found: list[Attribute] = []
    last: Owner | None = None
    for line in lines(text, words):
        for clause in _clauses(line, words):
            read, last = _read(clause, words, told, last)
            found += read
    return tuple(dict.fromkeys(found))


def filed(
    text: str, words: Language, asked: str = "", called: Collection[str] = ()
) -> Attribute | None:
    """The attribute that a memory with this text is filed under: the only one it tells, of a kind with one value.

    None when the text tells several attributes, one that is over or to come, or one that may have many values.
    Whether it replaces another is another question: "my sister lives in York" is filed, and only ever offered.
    A figure that no attribute is named for is filed under its word, or that of the question `asked`.
    """
    found = read_attributes(text, words, called=called)
    if not found:
        return figure(text, words, asked) if lines(text, words) else None
    only = primary(found)
    return only if only is not None and only.attribute in SINGLE and only.state == "now" else None


def primary(found: Sequence[Attribute]) -> Attribute | None:
    """The one attribute a memory is filed under: the only one it tells; None when it tells several."""
    keys = {(a.entity, a.key) for a in found}
    return found[0] if len(keys) == 1 and len({fold(a.value) for a in found}) == 1 else None


def _clauses(line: Line, words: Language) -> list[_Clause]:
    corrects = (
        has(line.text, words, "correction_cues")
        or has(line.text, words, "attribute_corrections")
        or opens(line.text, words, "refusals") is not None
    )
    found: list[_Clause] = []
    for start, end in line.clauses:
        text = line.text[line.words[start].start : line.words[end - 1].end]
        while start < end and (
            size := phrase_at(line.words[:end], start, words, "attribute_leads")
        ):
            start += size
        start = _past_span(line.words, start, end, words)
        if start < end:
            found.append(
                _Clause(
                    line.words[start:],
                    len(line.words) - end,
                    corrects,
                    has(text, words, "attribute_passing"),
                    has(text, words, "attribute_beside"),
                    has(text, words, "attribute_changing"),
                    has(text, words, "attribute_later"),
                    line.words[0].capital,
                )
            )
    return found


def _past_span(said: Words, start: int, end: int, words: Language) -> int:
    """Where the subject stands behind a span of time ("since May I…"); the start when there is none."""
    if start >= end or said[start].word not in words.words["attribute_since"]:
        return start
    subjects = words.words["subjects"] | words.words["attribute_mine"]
    ahead = range(start + 1, min(start + 6, end))
    return next((n for n in ahead if said[n].word in subjects), start)


def _read(
    clause: _Clause, words: Language, told: Telling, last: Owner | None
) -> tuple[list[Attribute], Owner | None]:
    """What one clause tells, and whom a pronoun points at after it."""
    for owner in (*owners(clause.said, words, told, last), *_implied(clause, words, told, last)):
        matches = _matches(owner, clause, words)
        if matches:
            return [a for m in matches for a in _attributes(m, owner, clause, words)], owner
    subject = next(iter(owners(clause.said, words, told, last)), None)
    return [], subject if subject and not subject.owned else None


@dataclass(frozen=True, slots=True)
class _Bare(Owner):
    """The person, where the clause has no subject: a call ("call me Sam"), a heading ("Budget: 700")."""

    mode: str = "bare"


def _implied(clause: _Clause, words: Language, told: Telling, last: Owner | None) -> list[Owner]:
    """Who a clause without a subject may be of."""
    said, own = clause.said, clause.said[: len(clause.said) - clause.tail]
    found: list[Owner] = [_Bare(told.root, said)]
    if said[0].word in words.words["attribute_the"]:
        found.append(_Bare(told.root, said[1:], True, mode="the"))
    if any(w.word == ":" for w in own) and not any(
        w.word in words.words["subject_words"] for w in own[: [w.word for w in own].index(":")]
    ):
        found.append(_Bare(told.root, said, True, mode="mine"))
    if last is not None and not last.owned:
        found.append(Owner(last.entity, said, sure=last.sure))
    return found


def _allowed(template: Template, owner: Owner) -> bool:
    flags = template.flags
    if isinstance(owner, _Bare):
        return owner.mode in flags or (owner.mode == "mine" and "the" in flags)
    if owner.owned:
        return bool(flags & {"mine", "the"})
    return not flags & {"mine", "the", "bare"}


def _matches(owner: Owner, clause: _Clause, words: Language) -> list[Match]:
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


def _ended(template: Template) -> Template:
    return replace(template, flags=template.flags | {"ended"})


def _is_over(match: Match, said: Words, words: Language) -> bool:
    """Whether nothing that would change the value follows it."""
    at, attribute = match.end, match.template.attribute
    if "loose" in match.template.flags or at >= len(said) or said[at].stop:
        return True
    lists = words.words
    if attribute == "age" and "upcoming" not in match.template.flags:
        return said[at].sort == "day" or said[at].word in lists["attribute_age_after"]
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


def _attributes(match: Match, owner: Owner, clause: _Clause, words: Language) -> list[Attribute]:
    template = match.template
    attribute = template.attribute
    lasting = attribute not in MEASURED or attribute == "age"
    if clause.passing and lasting:
        return []
    if (
        attribute == "age"
        and "/" not in owner.entity
        and int(match.values[0].split()[0]) < _YOUNGEST
    ):
        return []
    state = _state(template.flags, clause)
    changes = clause.corrects or clause.changing or "change" in template.flags
    single = (
        attribute in SINGLE
        and "many" not in template.flags
        and not clause.beside
        and not (clause.capitals and attribute in _NAMED and _uncapitalised(match.values))
        and (changes or (owner.sure and _is_one(match, words)))
        and (attribute != "appointment" or all(is_dated(v) for v in match.values))
    )
    subject = _subject(match, words)
    return [
        Attribute(owner.entity, attribute, value, single, state, clause.corrects, subject)
        for value in match.values or ("",)
    ]


def _uncapitalised(values: tuple[str, ...]) -> bool:
    """Whether a name was typed small and by itself ("jeans", not "une boulangerie")."""
    return any(v[:1].islower() and " " not in v for v in values)


def _is_one(match: Match, words: Language) -> bool:
    """Whether a thing awaited is one in particular: a wedding, or an appointment with somebody; no train."""
    if match.template.attribute != "appointment":
        return True
    lists = words.words
    said = [w.word for w in match.topic]
    events = {t.word for e in lists["attribute_events"] for t in tokens(e)}
    small = lists["function_words"] | lists["attribute_no_topic"] | events
    known = any(w in lists["attribute_once"] for w in said) or any(w not in small for w in said)
    return known and not any(w in lists["attribute_recurring"] for w in said)


def _state(flags: frozenset[str], clause: _Clause) -> State:
    states: tuple[State, ...] = ("ended", "past", "upcoming")
    said = next((state for state in states if state in flags), None)
    return said or ("upcoming" if clause.later else "now")


def _subject(match: Match, words: Language) -> str:
    """What a budget or an appointment is of, in comparable words; a subject named by the template first."""
    given = next((f.split(":", 1)[1] for f in match.template.flags if f.startswith("of:")), "")
    skip = words.words["function_words"] | words.words["attribute_no_topic"]
    text = " ".join(w.raw for w in match.topic)
    said = [words.stem(t.word) for t in tokens(text) if t.word not in skip]
    return " ".join([*([given] if given else []), *sorted(dict.fromkeys(said))])
