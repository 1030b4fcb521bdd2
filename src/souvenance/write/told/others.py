"""Tells what is said of others from what is told of the person: hearsay, and the life of acquaintances.

"My neighbour says he's allergic to cats" and "my boss is moving to Rome" tell nothing of who says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language, tokens
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import find, has
from souvenance.write.words.sentences import clauses
from souvenance.write.words.values import values


def is_hearsay(text: str, words: Language) -> bool:
    """Whether a sentence reports what others said of others, or what they advise ("he says I should")."""
    rumour = find(text, words, "rumours")
    if rumour is not None:
        return _is_rumour(text, rumour, words)
    if _is_opinion(text, words):
        return True
    return _reports(text, words)


def _reports(text: str, words: Language) -> bool:
    """Whether a reporting word of a text, the first or a later one ("swears by tea, says he …"), is of others."""
    span = find(text, words, "hearsay")
    if span is None or _reports_self(text[: span[0]], words):
        return False
    reported = text[span[1] :]
    first = next(iter(clauses(reported)), "")
    spoken = _words_of(first)
    if _speaks_of_self(first, words):
        return any(w in words.words["advising"] for w in spoken)
    theirs = any(
        before in words.words["their"] and word in words.words["circle"]
        for before, word in pairwise(_words_of(reported))
    )
    return (
        theirs
        or any(w in words.words["third_person"] for w in spoken[:2])
        or _elides(span, text, words)
        or (not _speaks_of_self(reported, words) and _reports(reported, words))
    )


def announces(text: str, words: Language, names: frozenset[str]) -> bool:
    """Whether somebody of whom the person spoke announces a thing ("Marcus says it's a girl"), not of themself."""
    span = find(text, words, "hearsay")
    if span is None:
        return False
    before, after = _words_of(text[: span[0]]), _words_of(text[span[1] :])[:2]
    told = bool(before) and before[-1] in names
    return told and bool(after) and any(w in words.words["things_said"] for w in after)


def _is_rumour(text: str, span: tuple[int, int], words: Language) -> bool:
    """Whether what is only rumoured is of others: neither the person nor their family is its subject.

    After a short telling ("allergic to latex, apparently") the word is a wonder, no rumour.
    """
    told = text[: span[0]] if len(read(text[: span[0]], words).content) > 1 else text[span[1] :]
    spoken = _words_of(told)
    if any(w in words.words["subjects"] for w in spoken):
        return False
    if told == text[: span[0]]:
        return any(w in words.words["third_person"] for w in spoken) or is_of_acquaintance(
            told, words
        )
    return not any(
        before in words.words["possessives"]
        and word in words.words["circle"]
        and word not in words.words["acquaintances"]
        for before, word in pairwise(spoken)
    )


def _is_opinion(text: str, words: Language) -> bool:
    """Whether somebody who neither heals nor judges believes something of the person ("my boss thinks I'm a cat")."""
    span = find(text, words, "opinions")
    if span is None or _reports_self(text[: span[0]], words):
        return False
    before = _words_of(text[: span[0]])
    return bool(before) and not any(w in words.words["healers"] for w in before)


def _elides(span: tuple[int, int], text: str, words: Language) -> bool:
    """Whether the reporting words hold the pronoun themselves ("dit qu'elle")."""
    last = _words_of(text[span[0] : span[1]])[-1:]
    return bool(last) and last[0] in words.words["third_person"]


def _reports_self(before: str, words: Language) -> bool:
    """Whether the person is who says it ("I told her he can stay")."""
    last = _words_of(before)[-3:]
    return any(w in words.words["subjects"] and w != "on" for w in last)


def is_of_acquaintance(clause: str, words: Language) -> bool:
    """Whether a clause tells of an acquaintance of the person and nothing of the person ("my boss is Dutch")."""
    spoken = _words_of(clause)
    owned = [n for n, w in enumerate(spoken) if w in words.words["possessives"]]
    beside = {n for n in owned if _names_acquaintance(spoken[n + 1 : n + 4], words)}
    if not beside or has(clause, words, "naming_others") or is_of_appointment(clause, words):
        return False
    own = [n for n, w in enumerate(spoken) if w in words.words["first_person"] and n not in beside]
    return not own or _is_maybe(clause, words)


def is_of_appointment(clause: str, words: Language) -> bool:
    """Whether a trade only names an appointment of the person: "my lawyer meeting", "mon rdv kiné", "my dentist is
    on Thursday". "My neighbour's exam" is the neighbour's, and "my dentist is away until Thursday" no appointment."""
    items = read(clause, words).items
    trades = words.words["acquaintances"] | words.words["healers"]
    awaited = _awaited(words)
    for n, item in enumerate(items[:-1], 1):
        if item.word not in words.words["possessives"]:
            continue
        said = [i.word for i in items[n : n + _BESIDE]]
        if said[0] in trades and _is_on_a_day(items[n + 1 :], clause, words):
            return True
        first = next((k for k, w in enumerate(said) if w in trades), None)
        if first is not None and _beside(said, first, awaited):
            return True
    return False


#: Pieces after "my" in which a trade and its appointment are looked for ("mon rendez-vous kiné").
#: Chosen, not measured.
_BESIDE = 4


def _beside(said: list[str], at: int, awaited: frozenset[str]) -> bool:
    """Whether a word of appointment stands just before or just after a word."""
    after = any(" ".join(said[at + 1 : at + 1 + k]) in awaited for k in (1, 2))
    return after or any(" ".join(said[max(0, at - k) : at]) in awaited for k in (1, 2))


def _awaited(words: Language) -> frozenset[str]:
    """The words of an appointment that are no trade ("meeting", "rendez vous")."""
    entries = (" ".join(t.word for t in tokens(e)) for e in words.words["appointments"])
    return frozenset(entries) - words.words["acquaintances"] - words.words["healers"]


def _is_on_a_day(following: Sequence[Item], clause: str, words: Language) -> bool:
    """Whether "is" and a day or an hour follow a trade at once ("my dentist | is on Thursday at 2")."""
    verb, *rest = following or (None,)
    if verb is None or verb.word not in words.words["be_now"] | words.words["be_forms"]:
        return False
    leads = words.words["time_leads"] | words.words["hour_leads"]
    first = next((i for i in rest if i.word not in leads), None)
    times = [v for v in values(clause, words) if v.sort in ("day", "date", "hour", "moment")]
    return first is not None and any(v.start == first.start for v in times)


def _names_acquaintance(following: list[str], words: Language) -> bool:
    for word in following:
        if word in words.words["closest"]:
            return False
        if word in words.words["acquaintances"]:
            return True
        if word in words.words["circle"]:
            return False
    return False


def _is_maybe(clause: str, words: Language) -> bool:
    """Whether what concerns the person in a clause is only perhaps so."""
    return has(clause, words, "hedges")


def speaks_of_acquaintance(text: str, words: Language) -> bool:
    """Whether a sentence opens on an acquaintance, and what it says of the person is nothing or a perhaps."""
    parts = clauses(text)
    if not any(is_of_acquaintance(part, words) for part in parts):
        return False
    others = (p for p in parts if not is_of_acquaintance(p, words))
    return all(not _acts_or_bears(p, words) or _is_maybe(p, words) for p in others)


def _acts_or_bears(clause: str, words: Language) -> bool:
    """Whether the person does something in a clause, or it is done to them; "our pool" is neither."""
    return any(w in words.words["first_subjects"] for w in _words_of(clause))


def names_of_acquaintances(text: str, words: Language) -> frozenset[str]:
    """Folded names that a text gives to acquaintances ("my colleague Inès")."""
    found: set[str] = set()
    items = read(text, words).items
    for n, item in enumerate(items):
        if item.word in words.words["acquaintances"]:
            close = any(i.word in words.words["closest"] for i in items[max(0, n - 2) : n])
            found |= {i.word for i in items[n + 1 : n + 3] if i.sort == "name" and not close}
    return frozenset(found)


def _speaks_of_self(text: str, words: Language) -> bool:
    return any(w in words.words["first_person"] for w in _words_of(text))


def _words_of(text: str) -> list[str]:
    return [t.word for t in tokens(text)]
