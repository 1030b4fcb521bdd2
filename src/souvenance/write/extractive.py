"""Keeps the person's own disclosing sentences, quoted as typed: reflection without a chat model.

It is plainer than a model and invents nothing: every candidate is a stretch of what was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date

from souvenance.domain import (
    Candidate,
    Dropped,
    Exchange,
    Kind,
    Message,
    MessageId,
    Redacted,
    Scope,
)
from souvenance.lang import Language, language
from souvenance.write.attributes import Attribute, filed
from souvenance.write.dates import local_day, upcoming
from souvenance.write.filters.borrowed import cut_out
from souvenance.write.over.corrections import change
from souvenance.write.over.moving import shares_topic
from souvenance.write.told.disclosure import A_NAME, Judgement, kind_of
from souvenance.write.told.introductions import introduced
from souvenance.write.told.others import names_of_acquaintances
from souvenance.write.told.passages import Passage, passages, takes_back
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import has
from souvenance.write.words.sentences import Sentence, sentences

#: How sure an extracted candidate is. Its words are the person's own; what it means was read by rules.
#: Chosen, not measured: between a model's guess and a hand's edit.
CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class Extraction:
    """What is proposed, and what looked like it told something of the person and was left out, with why."""

    candidates: tuple[Candidate, ...]
    left_out: tuple[Dropped, ...]


def extract(exchange: Exchange, fresh: Collection[MessageId]) -> list[Candidate]:
    """What the `fresh` messages tell of the person, quoted; and what the character promised. In order."""
    return list(sift(exchange, fresh).candidates)


def sift(exchange: Exchange, fresh: Collection[MessageId]) -> Extraction:
    """What the `fresh` messages tell, and what of the person was left out of it. In order."""
    words = language(exchange.character.language)
    names = _names(exchange, words)
    greeted = frozenset(i.word for i in read(exchange.character.name, words).items)
    found: list[Candidate] = []
    left_out: list[Dropped] = []
    asked: str = ""
    before: Message | None = None
    for message in exchange.messages:
        if message.message_id in fresh:
            if message.role == "user":
                message = _typed(message)
                if before is not None and takes_back(message.text, words):
                    found = _without_jest(found, before, message, words)
                before = message
                day = local_day(message.at, exchange.person.time_zone)
                kept, unkept = passages(message.text, words, names, asked)
                found += [_told(p, message, day, words, greeted, asked) for p in kept]
                left_out += [_left(s, j, message) for s, j in unkept]
            else:
                found += _promised(message, words)
        asked = message.text if message.role == "character" else ""
    return Extraction(tuple(found), tuple(left_out))


def _without_jest(
    found: list[Candidate], before: Message, message: Message, words: Language
) -> list[Candidate]:
    """The candidates without what the person, a message later, says was a joke: what it names, else the last told."""
    told = [c for c in found if before.message_id in c.messages]
    meant = [c for c in told if shares_topic(message.text, c.text, words)] or told[-1:]
    return [c for c in found if c not in meant]


def _typed(message: Message) -> Message:
    """The message without what was pasted into it."""
    return replace(message, text=Redacted(cut_out(message.text)))


#: Who refuses, in the journal, what extraction leaves out.
NAME = "extraction"


def _left(sentence: Sentence, judgement: Judgement, message: Message) -> Dropped:
    text = sentence.text
    candidate = Candidate(
        text, judgement.kind, Scope.GLOBAL, CONFIDENCE, text, (message.message_id,)
    )
    return Dropped(candidate, NAME, f"Not noted: {judgement.why}.")


def _names(exchange: Exchange, words: Language) -> frozenset[str]:
    """Folded names of people the person spoke of; the character, the person and acquaintances left out.

    A name counts when it was said beside a relative or a friend, or twice.
    """
    own = {i.word for i in read(exchange.character.name, words).items}
    own |= {i.word for i in read(exchange.person.display_name or "", words).items}
    others: set[str] = set()
    seen: Counter[str] = Counter()
    for message in exchange.messages:
        if message.role == "user":
            others |= names_of_acquaintances(message.text, words)
            for sentence in sentences(message.text, words):
                near = 2 if has(sentence.plain, words, "circle") else 1
                for item in read(sentence.text, words).items:
                    seen[item.word] += near if item.sort == "name" else 0
    # A word that opens a sentence has its capital anyway: it counts once it was seen inside one.
    return frozenset(name for name, times in seen.items() if times >= 2) - own - others


def _told(
    passage: Passage,
    message: Message,
    day: date,
    words: Language,
    greeted: frozenset[str],
    asked: str,
) -> Candidate:
    text = passage.text(message.text, words, greeted)
    plain = " ".join(s.plain for s in passage.sentences)
    played = passage.played  # a stage direction: it happened in the play, not in life
    later = change(plain, words) == "later" or passage.judgement.kind is Kind.PLAN
    attribute = None if played else _filed(passage, plain, words, asked)
    return Candidate(
        text=text,
        kind=Kind.EPISODE if played else passage.judgement.kind,
        scope=Scope.THREAD if played else Scope.GLOBAL,
        confidence=CONFIDENCE,
        quote=text,
        messages=(message.message_id,),
        entity=attribute.entity if attribute else None,
        attribute=attribute.key if attribute else None,
        value=attribute.value if attribute else None,
        starts=upcoming(plain, words, day) if later else None,
    )


def _filed(passage: Passage, plain: str, words: Language, asked: str) -> Attribute | None:
    """The attribute that a passage tells; a name said alone is the person's."""
    name = introduced(passage.sentences[0].plain, words)
    if passage.judgement.why == A_NAME and name is not None:
        return Attribute("person", "name", name, True)
    return filed(plain, words, asked)


def _promised(message: Message, words: Language) -> list[Candidate]:
    """What the character promised, in its own words; a promise too short to stand takes the next sentence."""
    found = []
    told = sentences(message.text, words)
    for n, sentence in enumerate(told):
        if sentence.asks or kind_of(sentence.plain, words) is not Kind.PROMISE:
            continue
        if has(sentence.plain, words, "no_promises"):
            continue
        end = sentence.end
        if len(read(sentence.plain, words).content) <= 2 and n + 1 < len(told):
            end = told[n + 1].end
        text = message.text[sentence.start : end]
        found.append(
            Candidate(
                text=text,
                kind=Kind.PROMISE,
                scope=Scope.THREAD,
                confidence=CONFIDENCE,
                quote=text,
                messages=(message.message_id,),
                spoken_by="character",
            )
        )
    return found
