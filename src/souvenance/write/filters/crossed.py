"""Checks a candidate in another language than the words it rests on, by what two languages share.

Names, figures, days, who it is about, whether it denies and whether it hesitates can be told; the rest cannot.
"""

from __future__ import annotations

import re

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.lang import Language, codes, language, tokens
from souvenance.write.filters import hesitation
from souvenance.write.filters.copied import copied
from souvenance.write.filters.evidence import Evidence, find, said_by, said_of
from souvenance.write.filters.listed import has
from souvenance.write.filters.mentions import mentions, own_words
from souvenance.write.filters.pledges import is_own_promise
from souvenance.write.filters.signs import read_signs
from souvenance.write.words import decisive

#: Letters from the start that a name shares with its form in the other language ("Londres", "London").
#: Chosen, not measured.
_EXONYM = 4

#: Characters of a candidate that are held against another language. Chosen, not measured: twice what reflection
#: takes for one memory.
_LONGEST = 1_000

_DIGITS = re.compile(r"\d+")


def applies(candidate: Candidate, exchange: Exchange, words: Language) -> bool:
    """Whether the candidate is surely in another language than the words it rests on."""
    told, mine = _tongue(find(candidate, exchange, words).passage), _tongue(candidate.text)
    return told is not None and mine is not None and told != mine


def _tongue(text: str) -> str | None:
    """The code of the language whose function words a text holds, None when it may be either."""
    said = {t.word for t in tokens(text)}
    scores = {code: len(said & language(code).words["function_words"]) for code in codes()}
    most = [code for code, score in scores.items() if score == max(scores.values())]
    return most[0] if len(most) == 1 else None


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless what two languages share gives an invention, a denial or a lost reserve away."""
    if len(candidate.text) > _LONGEST:
        return Dropped(
            candidate, "support", "It is too long to be held against words in another language."
        )
    evidence = find(candidate, exchange, words)
    mine = language(_tongue(candidate.text) or words.code)
    told = language(_tongue(evidence.passage) or words.code)
    if evidence.by == "character" and not is_own_promise(candidate, evidence, exchange, mine, told):
        return Dropped(
            candidate, "support", "It rests on the character's words, not on the person's."
        )
    candidate = said_of(candidate, evidence)
    said = said_by(exchange, "user")
    if evidence.by == "character":
        said += "\n" + said_by(exchange, "character")
    taken = evidence.by == "user" and copied(candidate.text, said, exchange, mine, translated=True)
    if taken:
        return Dropped(candidate, "support", taken)
    new = _never_said(candidate.text, said, own_words(exchange, mine), mine, told)
    if new:
        return Dropped(candidate, "support", f"“{new}” was never said.")
    if evidence.by == "user":
        who = mentions(candidate.text, exchange, mine)
        speaks = any(has(evidence.passage, told, n) for n in ("first_person", "requests"))
        if who.character_leads or not speaks:
            return Dropped(candidate, "about_user", "It is not about the person.")
    return _turned(candidate, evidence, mine, told)


def _never_said(
    text: str, said: str, frame: frozenset[str], mine: Language, told: Language
) -> str | None:
    """A figure, a day, a month or a name of the text that was never said, or None."""
    proposed, heard = decisive.read(text, mine), decisive.read(said, told)
    dates = {(i.sort, i.form) for i in heard.items}
    for item in proposed.items:
        if item.sort in ("day", "month") and (item.sort, item.form) not in dates:
            return item.word
    figures = set(_DIGITS.findall(" ".join(heard.forms("figure")) + " " + said))
    for form in proposed.forms("figure"):
        number = _DIGITS.search(form)
        if number and number[0] not in figures and number[0] not in ("0", "1"):
            return number[0]
    known = {t.word[:_EXONYM] for t in tokens(said)}
    for item in proposed.items:
        named = item.sort == "name" and item.start > 0 and item.word not in frame
        if named and item.word not in mine.words["demonyms"] and item.word[:_EXONYM] not in known:
            return item.word
    return None


def _turned(candidate: Candidate, evidence: Evidence, mine: Language, told: Language) -> Verdict:
    """Whether what is denied, unwanted or unsure on one side is so on the other; one clause at least agrees."""
    proposed = {_leaning(c) for c in _clauses(candidate.text, mine)}
    heard = {_leaning(c) for c in _clauses(evidence.passage, told)}
    part = candidate.quote.strip() != evidence.passage.strip()
    if part and {_leaning(c) for c in _clauses(candidate.quote, told)} == {False}:
        heard = {False}  # the quoted words deny, whatever stands beside them
    if proposed and heard and not proposed & heard:
        return Dropped(candidate, "polarity", "It turns round what was said in another language.")
    unsure = hesitation.is_unsure(evidence.passage, told)
    if unsure and not hesitation.tells_reserve(candidate.text, mine):
        return Dropped(candidate, "hesitation", "The person was not sure, and that is lost.")
    return Kept(candidate)


def _clauses(text: str, words: Language) -> list[list[tuple[int, int]]]:
    return [
        [(s.holds, s.liked or 0) for s in clause] for clause in read_signs(text, words) if clause
    ]


def _leaning(clause: list[tuple[int, int]]) -> bool:
    """Whether a clause affirms: nothing in it is unwanted, and nothing denied that is not wanted."""
    liked = {liked for _, liked in clause if liked}
    if liked:
        return -1 not in liked
    return all(holds >= 0 for holds, _ in clause)
