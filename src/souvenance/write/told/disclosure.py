"""Judges one sentence of the person: does it tell something of them, of what kind, and if not, why not.

A store that keeps every message is a transcript; what is left out here is company, orders and scenery.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from souvenance.domain import Kind
from souvenance.lang import Language, tokens
from souvenance.write.dates import names_a_day
from souvenance.write.over.corrections import change, denials
from souvenance.write.told.introductions import introduced
from souvenance.write.told.manners import is_manner
from souvenance.write.told.others import (
    announces,
    is_hearsay,
    is_of_acquaintance,
    speaks_of_acquaintance,
)
from souvenance.write.told.passing import is_passing
from souvenance.write.told.requests import (
    is_forgetting,
    is_headed,
    is_mocked,
    is_naming,
    is_reminder,
    would_only,
)
from souvenance.write.told.voices import own_words
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has, opens
from souvenance.write.words.sentences import Sentence, clauses
from souvenance.write.words.values import values

#: Why of a sentence in which the person only says who they are.
A_NAME = "a name"

Stance = Literal["tells", "continues", "nothing", "joke"]


#: Whys of a sentence that may belong to the one before it; a question or an order never does.
FOLLOWING = frozenset({
    "a correction", "of the person", "a figure or a date", "a thing that was awaited",
    "goes on with what was said", "nothing of the person",
    "too little of the person",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a sentence is: it tells something, it continues what was told, or nothing; and why."""

    stance: Stance
    why: str
    kind: Kind = Kind.FACT


#: Fewer pieces of content than this tell nothing by themselves. Chosen, not measured.
_LEAST = 2


def judge(sentence: Sentence, words: Language, names: frozenset[str]) -> Judgement:
    """What the sentence tells of the person. `names` are folded names of people they spoke of."""
    text = sentence.plain
    asked = _asked(text, words, names)
    if asked is not None:
        return asked
    told = opens_reminder(text, words)
    text = text if told is None else told
    if sentence.asks and told is None and not has(text, words, "orders"):
        told = before_question(text, words)
        if told is None:
            return Judgement("nothing", "a question")
        text = told
    if has(text, words, "orders"):
        return Judgement("nothing", "an order")
    if would_only(text, words):
        return Judgement("nothing", "what would be, not what is")
    if _only_reports(text, words):
        return Judgement("nothing", "somebody else's words")
    if _is_unsure(text, words):
        return _unsure(text, words)
    return _tells(text, words, names)


def _only_reports(text: str, words: Language) -> bool:
    """Whether every "I" of a text stands in somebody else's words, under a label ("Tom: I'm 35")."""
    first = words.words["first_person"]

    def speaks(said: str) -> bool:
        return any(t.word in first for t in tokens(said))

    own = own_words(text, words)
    return ":" in text and own != text and speaks(text) and not speaks(own)


def _asked(text: str, words: Language, names: frozenset[str]) -> Judgement | None:
    """What a sentence is that asks something of who answers, or jokes; None when it does neither."""
    if has(text, words, "jokes"):
        return Judgement("joke", "a joke")
    if is_headed(text, words):
        return Judgement("joke", "an order")
    if has(text, words, "exaggerations") or is_mocked(text, words):
        return Judgement("nothing", "said for effect")
    if introduced(text, words) is not None:
        return Judgement("tells", A_NAME)
    if is_naming(text, words):
        return Judgement("tells", "how to be called", Kind.PREFERENCE)
    if is_forgetting(text, words, names):
        return Judgement("nothing", "an order")
    if is_reminder(text, words):
        dated = names_a_day(text, words)
        return (
            Judgement("tells", "a reminder for a day", Kind.PLAN)
            if dated
            else Judgement("nothing", "an order")
        )
    if is_manner(text, words) and not _is_company(text, words):
        return Judgement("tells", "how to be spoken to", Kind.PREFERENCE)
    return None


def _not_of_self(text: str, words: Language, names: frozenset[str]) -> str:
    """Why a text tells nothing of the person though it may look so; empty when it may tell something."""
    if is_hearsay(text, words) and not announces(text, words, names):
        return "somebody else's, by hearsay"
    if speaks_of_acquaintance(text, words):
        return "about somebody else"
    if _is_withheld(text, words, names):
        return "nothing left once an identifier is taken out"
    return ""


#: Lists of what says that something awaited has come.
_AWAITED = ("completion_cues", "results", "promise_kept")


def _tells(text: str, words: Language, names: frozenset[str]) -> Judgement:
    corrects = change(text, words) == "correction"
    if corrects and (values(text, words) or denials(text, words)):
        return Judgement("tells", "a correction", kind_of(text, words))
    why = _not_of_self(text, words, names)
    if why:
        return Judgement("nothing", why)
    telling = [c for c in clauses(text) if _is_own(c, words, names)]
    content = sum(len(read(c, words).content) for c in telling)
    if any(has(c, words, "tastes") for c in telling):
        content = max(content, len(read(text, words).content))  # "no coriander, I can't stand it"
    if telling and content >= _LEAST - _frames(telling, words):
        return Judgement("tells", "of the person", kind_of(text, words))
    if _addresses(text, words):
        return Judgement("nothing", "about who answers")
    if _is_company(text, words):
        return Judgement("nothing", "company")
    if (
        values(text, words)
        and len(read(text, words).content) >= _LEAST
        and not _is_clock(text, words)
    ):
        return Judgement("tells", "a figure or a date", kind_of(text, words))
    if (
        any(has(text, words, cues) for cues in _AWAITED)
        and len(read(text, words).content) >= _LEAST
    ):
        return Judgement("tells", "a thing that was awaited", kind_of(text, words))
    if corrects or _leans(text, words):
        return Judgement("continues", "goes on with what was said")
    if telling and content:
        return Judgement("nothing", "too little of the person")
    return Judgement("nothing", "nothing of the person")


def opens_reminder(text: str, words: Language) -> str | None:
    """What follows "remember that" or "you know that"; None when no such opening stands at the start."""
    span = find(text, words, "reminders")
    if span is None:
        return None
    before = tokens(text[: span[0]])
    rest = text[span[1] :]
    return rest if len(before) <= 2 and tokens(rest) else None


#: A question tail of at most this many pieces of content may follow what is told. Chosen, not measured.
_TAIL = 2


def before_question(text: str, words: Language) -> str | None:
    """What is told before a short question that ends the sentence ("I've stopped driving, so what's the use?").

    None when the whole sentence asks.
    """
    parts = clauses(text)
    if len(parts) < 2 or len(read(parts[-1], words).content) > _TAIL:
        return None
    said = text[: text.rindex(parts[-1])].rstrip(" ,;:-–—")
    spoken = _words_of(said)
    asks = any(w in words.words["questions"] for w in spoken[:2]) or _addresses(said, words)
    mine = any(w in words.words["subjects"] for w in spoken)
    return said if mine and not asks else None


def _is_company(text: str, words: Language) -> bool:
    """Whether a text is a greeting, thanks or a mood, with hardly a word beside it."""
    if is_passing(text, words):
        return True
    span = find(text, words, "chatter")
    if span is None:
        return False
    return len(read(text[: span[0]] + " " + text[span[1] :], words).content) < _LEAST


def _describes(text: str, words: Language) -> bool:
    """Whether a clause says what somebody named is or does ("Naël est allergique")."""
    spoken = [t for t in tokens(text) if t.word not in words.words["negation_opens"]]
    named = {i.start for i in read(text, words).items if i.sort == "name"}
    return any(
        token.start in named and after.word in words.words["being"] and after.raw != "à"
        for token, after in pairwise(spoken)
    )


#: Small words before the verb or the state that opens a sentence without a subject. Source: chosen.
_BEFORE_VERB = frozenset({
    "et", "and", "also", "aussi", "so", "pas", "never", "jamais", "not", "already", "deja", "just",
    "finally", "enfin", "still", "toujours", "been", "ete", "totally", "totalement", "very", "tres",
})  # fmt: skip


def opens_past(text: str, words: Language) -> bool:
    """Whether a past verb or a state opens the text without a subject: the speaker is meant ("Met a girl", "Deaf")."""
    small = words.words["light"] | _BEFORE_VERB
    first = next((w for w in _words_of(text) if w not in small), "")
    return first in words.words["bare_past"] or first in words.words["states"]


def _speaks_of_self(text: str, words: Language) -> bool:
    return any(w in words.words["first_person"] for w in _words_of(text))


#: What stands for a private identifier that was taken out, and how few other words then tell nothing.
#: Chosen, not measured: "my mail is […] if need be" keeps two.
_WITHHELD = re.compile(r"\[[a-z_ -]{3,24}\]")
_LEFT = 3


def _is_withheld(text: str, words: Language, names: frozenset[str]) -> bool:
    """Whether a sentence gave an identifier and hardly anything else, in the same clause or another."""
    if not _WITHHELD.search(text):
        return False
    parts = (p for c in clauses(text) for p in _joined_parts(c, words) if not _WITHHELD.search(p))
    return not any(_is_own(p, words, names) and _is_full(p, words) for p in parts)


def _is_full(part: str, words: Language) -> bool:
    """Whether what stands beside an identifier tells something: not of the identifier, and more than "noted here"."""
    if any(has(part, words, cues) for cues in _IDENTIFIERS):
        return False
    plainly = has(part, words, "frames") or has(part, words, "tastes")
    return len(read(part, words).content) >= (_LEAST if plainly else _LEFT)


#: Lists of the words that announce a private identifier.
_IDENTIFIERS = ("phone_cues", "email_cues", "national_id_cues", "passport_cues", "other_id_cues")


def _joined_parts(clause: str, words: Language) -> list[str]:
    """What stands between the "and" and "or" of a clause ("retiens mon numéro [phone] | que j'adore le fenouil")."""
    cuts = [t for t in tokens(clause) if t.word in words.words["joiners"]]
    starts, ends = [0, *(t.end for t in cuts)], [*(t.start for t in cuts), len(clause)]
    return [clause[a:b] for a, b in zip(starts, ends, strict=True)]


def _is_unsure(text: str, words: Language) -> bool:
    """Whether a text tells a plan that is not one: with a figure or a day in it, only where it is said twice."""
    first = find(text, words, "hedges") or find(text, words, "unsure_plans")
    return first is not None and (not values(text, words) or _ends_unsure(text[first[1] :], words))


def _ends_unsure(text: str, words: Language) -> bool:
    said = _words_of(text)
    ends = (_words_of(entry) for entry in words.words["unsure_ends"])
    return any(end and said[-len(end) :] == end for end in ends) or has(text, words, "hedges")


def _unsure(text: str, words: Language) -> Judgement:
    """A change of one's life is kept with its hedge, as it is worded; a passing plan is left out."""
    if has(text, words, "life_changes") and _speaks_of_self(text, words):
        return Judgement("tells", "of the person", Kind.FACT)
    return Judgement("nothing", "a plan that is not one yet")


def _words_of(text: str) -> list[str]:
    return [t.word for t in tokens(text)]


def _is_own(clause: str, words: Language, names: frozenset[str]) -> bool:
    """Whether a clause tells something of the person or their circle, and not of who answers."""
    spoken = _words_of(clause)
    lists = words.words
    if has(clause, words, "promises") and not has(clause, words, "no_promises"):
        return True
    if _is_company(clause, words):
        return False
    if _addresses(clause, words) or is_of_acquaintance(clause, words):
        return False
    mine = any(w in lists["first_person"] for w in spoken)
    theirs = any(w in lists["told_circle"] for w in spoken)
    named = any(w in names for w in spoken) or _describes(clause, words)
    unsaid = opens_past(clause, words)
    return (mine or theirs or named or unsaid) and bool(read(clause, words).content)


def _frames(telling: list[str], words: Language) -> int:
    """One when a clause is framed as a statement about oneself, so that one more word is enough."""
    return int(any(has(c, words, "frames") or has(c, words, "happened") for c in telling))


def _addresses(text: str, words: Language) -> bool:
    """Whether a text speaks of the one it is told to. The "vous" of "rendez-vous" does not."""
    spoken = ["", *_words_of(text)]
    return any(
        word in words.words["second_person"] and before not in ("rendez", "plait")
        for before, word in pairwise(spoken)
    )


def _is_clock(text: str, words: Language) -> bool:
    return all(v.sort == "moment" for v in values(text, words))


def _leans(text: str, words: Language) -> bool:
    """Whether a sentence says nothing by itself: it opens with a pronoun, or names without a verb of its own."""
    spoken = _words_of(text)
    content = read(text, words).content
    if not content or opens(text, words, "chatter") is not None:
        return False
    return spoken[0] in words.words["third_person"] or any(i.sort == "figure" for i in content)


def kind_of(text: str, words: Language) -> Kind:
    """The kind of what is told: promise, then taste, then what happened, else fact."""
    if has(text, words, "promises") and not has(text, words, "no_promises"):
        return Kind.PROMISE
    if _tells_taste(text, words) and not _is_their_taste(text, words):
        return Kind.PREFERENCE
    return Kind.EPISODE if has(text, words, "happened") else Kind.FACT


def _tells_taste(text: str, words: Language) -> bool:
    """Whether a text holds a word of taste; "looks like" compares."""
    span = find(text, words, "tastes")
    while span is not None:
        before = _words_of(text[: span[0]])[-1:]
        if not (before and before[0] in words.words["likening"]):
            return True
        text = text[span[1] :]
        span = find(text, words, "tastes")
    return False


def _is_their_taste(text: str, words: Language) -> bool:
    """Whether a taste is that of somebody the person speaks of ("my husband hates the sea")."""
    for clause in clauses(text):
        span = find(clause, words, "tastes")
        if span is None:
            continue
        before = _words_of(clause[: span[0]])
        if any(w in words.words["first_subjects"] for w in before):
            return False
        named = any(i.sort == "name" for i in read(clause[: span[0]], words).items)
        if named or any(w in words.words["told_circle"] for w in before):
            return True
    return False


_TOO_LITTLE = "too little of the person"

#: Whys of what somebody may wonder not to find noted; questions, company and scenery are none.
_SEEMING = frozenset({
    "a joke", "an order", "a plan that is not one yet", "what would be, not what is",
    "somebody else's, by hearsay", "about somebody else", "said for effect",
    _TOO_LITTLE,
})  # fmt: skip


def seems_told(sentence: Sentence, judgement: Judgement, words: Language) -> bool:
    """Whether a sentence that is left out speaks of the person, so that they may want to know why."""
    text = sentence.plain
    if judgement.why not in _SEEMING or sentence.asks:
        return False
    if (
        judgement.why == _TOO_LITTLE
    ):  # one word, where the turn states what the person is, has or likes
        return has(text, words, "frames") and not has(text, words, "chatter")
    if len(read(text, words).content) < _LEAST:
        return False
    spoken = _words_of(text)
    own = any(w in words.words["possessives"] or w in words.words["subjects"] for w in spoken)
    asked = has(text, words, "forgettings") or has(text, words, "remind_me")
    return own or asked or judgement.why == "somebody else's, by hearsay"
