"""Turns what a template read into attributes: does it hold now, may it stand beside another, what is it of."""

from __future__ import annotations

from souvenance.lang import Language, tokens
from souvenance.write.attributes.clauses import Clause
from souvenance.write.attributes.comparing import is_dated
from souvenance.write.attributes.owners import Owner
from souvenance.write.attributes.record import MEASURED, SINGLE, Attribute, State
from souvenance.write.attributes.templates import Match
from souvenance.write.words.decisive import sets

#: Attributes whose values are names.
_NAMED = frozenset({"name", "nickname", "city", "employer", "school", "partner"})

#: Attributes whose values are sums that come back.
_PAID = frozenset({"budget", "salary", "amount"})

#: Below this many years, nobody writes of themself. Chosen, not measured.
_YOUNGEST = 6


def attributes(match: Match, owner: Owner, clause: Clause, words: Language) -> list[Attribute]:
    """The attributes of one match, one for each value; none when they hold only a while."""
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
        and not (attribute == "job" and match.serves)
        and not (clause.capitals and attribute in _NAMED and _uncapitalised(match.values))
        and (changes or (owner.sure and _is_one(match, words)))
        and (attribute != "appointment" or all(is_dated(v) for v in match.values))
    )
    subject = _subject(match, words)
    corrects = clause.corrects or (attribute == "appointment" and "change" in template.flags)
    rate = _rate(clause, words) if attribute in _PAID else ""
    return [
        Attribute(owner.entity, attribute, value + rate, single, state, corrects, subject)
        for value in match.values or ("",)
    ]


def _rate(clause: Clause, words: Language) -> str:
    """How often a sum comes and of what kind it is, as the clause says it (" (net, mois)")."""
    known = sets(words.words["attribute_rate_words"])
    own = clause.said[: len(clause.said) - clause.tail]
    said = [w.word for w in own if w.word in known]
    return f" ({', '.join(said)})" if said else ""


def _uncapitalised(values: tuple[str, ...]) -> bool:
    """Whether a name was typed small and by itself ("jeans", not "une boulangerie")."""
    return any(v[:1].islower() and " " not in v for v in values)


def _is_one(match: Match, words: Language) -> bool:
    """Whether a thing is one in particular: a rent and no bill; a wedding, or an appointment with somebody."""
    lists = words.words
    if match.template.attribute == "amount":
        standing = lists["attribute_standing_costs"]
        return "of:rent" in match.template.flags or any(w.word in standing for w in match.topic)
    if match.template.attribute != "appointment":
        return True
    said = [w.word for w in match.topic]
    events = {t.word for e in lists["attribute_events"] for t in tokens(e)}
    small = lists["function_words"] | lists["attribute_no_topic"] | events
    known = any(w in lists["attribute_once"] for w in said) or any(w not in small for w in said)
    return known and not any(w in lists["attribute_recurring"] for w in said)


def _state(flags: frozenset[str], clause: Clause) -> State:
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
