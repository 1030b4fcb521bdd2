"""A hesitation stays a hesitation: what somebody was not sure of does not become a certainty."""

from __future__ import annotations

import re
from dataclasses import replace

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language, tokens
from souvenance.write.filters.evidence import Evidence, find
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import Place, at, places, spoken
from souvenance.write.words.sentences import clauses

NAME = "hesitation"

#: A clause of reserve with at most this many content words of its own speaks of what stands beside it.
#: Chosen, not measured.
_BARE = 1


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept when the person was sure, or when the candidate says that they were not."""
    evidence = find(candidate, exchange, words)
    proposed = spoken(candidate.text)
    if evidence.own or _tells_reserve(proposed, words):
        return Kept(candidate)
    about = Kin(words.stems(candidate.text), words)
    only = _unreal(evidence.passage, proposed, about, words)
    if only is not None:
        return Dropped(candidate, NAME, f"It was not done or so (“{only}”), and that is lost.")
    for stretch in _stretches(evidence, candidate.quote, words):
        if not any(about.knows(c) for c in words.stems(stretch)):
            continue
        for clause in clauses(stretch):
            said = spoken(clause)
            found = _reserves(said, words)
            if found and _is_polite(said, candidate, words):
                continue
            wished = found and places(said, words, "wished")
            if wished and len(wished) == len(found) and places(proposed, words, "wish_told"):
                continue
            if found and _bears_on(said, found, about, words):
                reserve = " ".join(said[found[0][0] : found[0][1]])
                return Dropped(
                    candidate, NAME, f"The person was not sure (“{reserve}”), and that is lost."
                )
    return Kept(candidate)


#: Characters of the person's own words that stand as one memory. Chosen, not measured: what reflection takes.
_LONGEST = 500


def restored(candidate: Candidate, exchange: Exchange, words: Language) -> Candidate | None:
    """The candidate in the person's own words, which hold their reserve; None when these are no memory.

    A doubt is no value of anything, so it takes no older value's place, and it is no promise.
    """
    passage = find(candidate, exchange, words).passage.strip()
    if candidate.kind is Kind.PROMISE or not passage or len(passage) > _LONGEST:
        return None
    if passage.endswith("?"):
        return None  # asked, not told
    return replace(candidate, text=passage, quote=passage, entity=None, attribute=None, value=None)


def _unreal(passage: str, proposed: list[str], about: Kin, words: Language) -> str | None:
    """The words by which all that the text tells is only meant, owed, feigned or played; None when it is not."""
    told = ("unreal_told", "negation_words", "negation_turns")
    if any(places(proposed, words, name) for name in told):
        return None
    if places(spoken(passage), words, "unreal_done"):
        return None
    only: str | None = None
    for clause in clauses(passage):
        said = spoken(clause)
        found = places(said, words, "unreal")
        start, end = found[0] if found else (0, 0)
        bears = any(about.knows(c) for c in words.stems(" ".join(said[end:])))
        if bears and not found:
            return None  # another clause says it too
        if bears:
            only = only or " ".join(said[start:end])
    return only


def is_unsure(text: str, words: Language) -> bool:
    """Whether somebody who says this is not sure of it."""
    return bool(_reserves(spoken(text), words))


def tells_reserve(text: str, words: Language) -> bool:
    """Whether a memory worded so tells that somebody was not sure."""
    return _tells_reserve(spoken(text), words)


def _tells_reserve(proposed: list[str], words: Language) -> bool:
    """Whether a candidate says in its own words that somebody was not sure."""
    told = ("reserve_told", "conditions", "approximations")
    return bool(_reserves(proposed, words)) or any(places(proposed, words, n) for n in told)


def _stretches(evidence: Evidence, quote: str, words: Language) -> list[str]:
    """The passage, with a bare "not sure" that follows, cut where the person came to another point.

    What stands before a "but" is another point when the quoted words all come after it.
    """
    passage = _after_but(evidence.passage, quote, words)
    following = spoken(evidence.after)
    found = _reserves(following, words)
    if found and len(_content(following, found, words)) <= _BARE:
        passage += "\n" + evidence.after
    known = tokens(passage)
    cuts = [known[a].start for a, _ in places([t.word for t in known], words, "restarts")]
    return [passage[a:b] for a, b in zip([0, *cuts], [*cuts, len(passage)], strict=True)]


def _after_but(passage: str, quote: str, words: Language) -> str:
    """The passage from the last "but" on, when the quoted words stand there, else all of it."""
    known = tokens(passage)
    turns = places([t.word for t in known], words, "contrasts")
    if not turns or not quote.strip():
        return passage
    cut = known[turns[-1][1] - 1].end
    rest, before = passage[cut:], passage[:cut]
    return rest if quote.strip(" .…!") in rest and quote not in before else passage


def _reserves(said: list[str], words: Language) -> list[Place]:
    """Where words of reserve stand, turns that only look like one left out."""
    masked = list(said)
    _mask(masked, places(said, words, "no_reserve"))
    supposed = list(masked)
    _mask(masked, places(said, words, "requests"))
    found = places(masked, words, "reserve") + places(masked, words, "hedges")
    found += [p for p in places(masked, words, "reserve_final") if p[1] == len(masked)]
    found += _reported(masked, words)
    opening = int(len(masked) > 1 and masked[0] in words.words["before_conditions"])
    for name, read in (("conditions", masked), ("suppositions", supposed)):
        if masked and (length := at(read, opening, words, name)):
            found.append((opening, opening + length))
    return sorted(found)


def _mask(said: list[str], found: list[Place]) -> None:
    for start, end in found:
        said[start:end] = [""] * (end - start)


def _reported(said: list[str], words: Language) -> list[Place]:
    """Where a French conditional tells what others say ("ma fille traînerait avec eux")."""
    if not words.traits.compound_past or len(said) < _LEAST:
        return []
    lists = words.words
    found = []
    for i, word in enumerate(said):
        if not i or not _CONDITIONAL.match(word) or word in lists["own_conditionals"]:
            continue
        before = set(said[:i])
        if before & lists["linking"] or before & lists["negation_opens"]:
            continue  # what somebody looks for, or is said to do later, or would not do
        if said[i - 1] in lists["pointing_subjects"] or before & {"j", "je", "tu", "il me"}:
            continue
        found.append((i, i + 1))
    return found


#: Words of the shortest clause that tells what is said of somebody. Chosen, not measured.
_LEAST = 3

#: A French verb in the conditional, third person, folded. Source: French grammar.
_CONDITIONAL = re.compile(
    r"^(?:\w{2,}(?:er|dr|rr|vr|ttr|itr|uir|nir|lir|tir|sir)|ser|aur|fer|ir|saur)ai(?:t|ent)$"
)


def _content(said: list[str], found: list[Place], words: Language) -> list[str]:
    """Stems of the content words outside the reserve."""
    skip = words.words["function_words"] | words.words["negation_words"]
    taken = {i for a, b in found for i in range(a, b)}
    return [
        words.stem(w) for i, w in enumerate(said) if w not in skip and len(w) > 1 and i not in taken
    ]


def _sets_condition(said: list[str], words: Language) -> bool:
    """Whether the clause is a condition, which then bears on what stands beside it."""
    lists = ("conditions", "suppositions")
    return bool(said) and any(at(said, 0, words, name) for name in lists)


def _is_polite(said: list[str], candidate: Candidate, words: Language) -> bool:
    """Whether a condition only leaves a wish to the other's leave ("if you don't mind")."""
    return (
        candidate.kind is Kind.PREFERENCE
        and _sets_condition(said, words)
        and bool(places(said, words, "second_person"))
        and not places(said, words, "first_subjects")
    )


def _bears_on(said: list[str], found: list[Place], about: Kin, words: Language) -> bool:
    """Whether the reserve is about what the candidate says."""
    content = _content(said, found, words)
    if len(places(said, words, "wished")) == len(found):
        return any(about.knows(c) for c in content)
    if _sets_condition(said, words):
        return True
    if all(" ".join(said[a:b]) in words.words["hopes"] for a, b in found):
        rest = [w for w in said[found[-1][1] :] if w not in words.words["hopes"]]
        return not rest or any(about.knows(c) for c in content)
    if len(content) == 1 and said[0] in words.words["pointing_subjects"]:
        return about.knows(content[0])
    return len(content) <= _BARE or any(about.knows(c) for c in content)
