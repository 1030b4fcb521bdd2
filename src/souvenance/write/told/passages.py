"""Puts together the sentences of one message that belong to one memory: a fact and what completes it.

"Two cats. One ginger." is one thing told; a stage direction and what is told beside it are two.
"""

from __future__ import annotations

from dataclasses import dataclass

from souvenance.domain import Kind
from souvenance.lang import Language, tokens
from souvenance.write.over.corrections import change
from souvenance.write.told.disclosure import (
    A_NAME,
    FOLLOWING,
    Judgement,
    judge,
    kind_of,
    seems_told,
)
from souvenance.write.told.requests import plans_only, refuses_plan
from souvenance.write.told.staging import is_deed, stretches, told
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has, opens
from souvenance.write.words.sentences import Sentence, bare_span, sentences
from souvenance.write.words.values import cue_words, values


@dataclass(slots=True)
class Passage:
    """Sentences of one message that belong to one memory; `played` when they happen in the story."""

    sentences: list[Sentence]
    judgement: Judgement
    played: bool = False

    def text(self, message: str, words: Language, names: frozenset[str]) -> str:
        """The stretch of the message, the greeting before it and the laugh after it left out."""
        whole = message[self.sentences[0].start : self.sentences[-1].end]
        if self.played:
            return whole
        start, end = bare_span(whole, words, names)
        return whole[start:end]


Unkept = list[tuple[Sentence, Judgement]]


def passages(
    text: str, words: Language, names: frozenset[str], asked: str = ""
) -> tuple[list[Passage], Unkept]:
    """What is told, and the sentences that seemed to tell something of the person and do not.

    `asked` is what the character said just before: a question makes an answer of a bare "Locksmith. In Leith."
    """
    found: list[Passage] = []
    unkept: Unkept = []
    answers = asks_person(asked, words)
    for stretch in stretches(text):
        said = told(text, stretch, words)
        if stretch.played:
            if is_deed(said[0].plain, words):
                found.append(Passage(said, Judgement("tells", "played", Kind.EPISODE), played=True))
            continue
        gathering = _Gathering(words, names, answers)
        if not gathering.take(said):
            found += gathering.kept()
            unkept += gathering.unkept
            break
        found += gathering.kept()
        unkept += gathering.unkept
        answers = False
    return found, unkept


class _Gathering:
    """The passages of one stretch as its sentences are read in order."""

    def __init__(self, words: Language, names: frozenset[str], answers: bool) -> None:
        self.words, self.names = words, names
        self.passages: list[Passage] = []
        self.unkept: Unkept = []
        self._open = False
        self._answers = answers
        self._lead: Sentence | None = (
            None  # a few words just before, that may say what the next is about
        )

    def take(self, said: list[Sentence]) -> bool:
        """Reads the sentences; False when a joke or a disguised order takes the rest of the message away."""
        for sentence in said:
            if has(sentence.plain, self.words, "kidding"):
                if self.passages and is_fragment_of_joke(sentence, self.words):
                    self.passages.pop()
                self._open = False
                continue
            judged = self._judged(sentence)
            if judged.stance in ("joke", "nothing") and seems_told(sentence, judged, self.words):
                self.unkept.append((sentence, judged))
            if judged.stance == "joke":
                return False
            self._place(sentence, judged)
        return True

    def _judged(self, sentence: Sentence) -> Judgement:
        judged = judge(sentence, self.words, self.names)
        fragment = is_fragment(sentence, self.words)
        answers, self._answers = self._answers, self._answers and fragment
        bare = judged.why in ("nothing of the person", "goes on with what was said")
        if answers and fragment and bare:
            return Judgement("tells", "an answer", kind_of(sentence.plain, self.words))
        return judged

    def _place(self, sentence: Sentence, judged: Judgement) -> None:
        lead, self._lead = self._lead, None
        if self._follows(sentence, judged):
            self.passages[-1].sentences.append(sentence)
        elif judged.stance == "nothing":
            self._open = False
            self._lead = sentence if _leads(sentence, judged, self.words) else None
        else:
            with_lead = lead is not None and _needs_lead(sentence, lead, judged, self.words)
            self.passages.append(
                Passage([lead, sentence] if with_lead and lead else [sentence], judged)
            )
            self._open = True

    def _follows(self, sentence: Sentence, judged: Judgement) -> bool:
        if not self._open:
            return False
        before = self.passages[-1]
        if before.judgement.why == A_NAME:
            return False
        if _gives_up(before, sentence, self.words):
            return True
        if _shares_out(before, sentence, self.words) or _adds(before, sentence, self.words):
            return True
        if before.judgement.why == "an answer" and _is_spoken_of(
            sentence, before.sentences[-1], self.words
        ):
            return judged.stance in ("tells", "continues")
        if judged.why == "an answer":
            return before.judgement.why == "an answer"
        return judged.why in FOLLOWING and (
            judged.stance == "continues" or _goes_on(before, sentence, self.words)
        )

    def kept(self) -> list[Passage]:
        """The passages that tell something; an answer of one word tells nothing by itself."""
        return [p for p in self.passages if self._stands(p)]

    def _stands(self, passage: Passage) -> bool:
        if passage.judgement.why == "an answer":
            content = sum(len(read(s.plain, self.words).content) for s in passage.sentences)
            return content >= _ANSWER
        return passage.judgement.stance == "tells" or len(passage.sentences) > 1


def _leads(sentence: Sentence, judged: Judgement, words: Language) -> bool:
    """Whether a sentence that tells nothing by itself may say what the next one is about ("Van's gone!")."""
    thin = judged.why in ("too little of the person", "a plan that is not one yet")
    bare = judged.why == "nothing of the person" and is_fragment(sentence, words)
    named = any(i.sort in ("word", "name") for i in read(sentence.plain, words).items)
    return (thin or bare) and named and not sentence.asks and len(tokens(sentence.plain)) <= _LEAD


#: A sentence that says what the next one is about has at most this many words. Chosen, not measured.
_LEAD = 8


def _needs_lead(sentence: Sentence, lead: Sentence, judged: Judgement, words: Language) -> bool:
    """Whether a sentence speaks of what was just named: by "it", or with a day or a figure and no topic in common."""
    if _is_spoken_of(sentence, lead, words):
        return judged.stance in ("tells", "continues")
    if judged.why not in ("of the person", "a figure or a date", "a correction"):
        return False
    if any(has(lead.plain, words, cues) for cues in ("acquired", "results", "sold")):
        return True
    if has(lead.plain, words, "hedges") or has(lead.plain, words, "unsure_plans"):
        return _measures(sentence, words)  # "I'm thinking of a new car. We said 12,000 at most."
    pointing = any(t.word in words.words["objects"] for t in tokens(sentence.plain))
    owned = any(t.word in words.words["possessives"] for t in tokens(lead.plain))
    return pointing or (owned and bool(values(sentence.plain, words)))


def _is_spoken_of(sentence: Sentence, lead: Sentence, words: Language) -> bool:
    """Whether a sentence opens with the pronoun of somebody just named: "Amina. She's my first employee."."""
    opening = next(
        (t.word for t in tokens(sentence.plain) if t.word not in words.words["light"]), ""
    )
    persons = words.words["third_person"] - words.words["things_said"]
    first = next(iter(tokens(lead.text)), None)
    named = any(i.sort == "name" for i in read(lead.plain, words).items)
    # A capital that opens a sentence tells little; before "she" or "he" it tells who that is.
    capital = first is not None and first.raw[:1].isupper() and len(tokens(lead.text)) <= _NAMED
    known = first is not None and first.word in words.words["determiners"]
    return opening in persons and (named or (capital and not known))


#: A sentence of at most this many words that opens with a capital may name who the next one is about.
#: Chosen, not measured.
_NAMED = 3


def _adds(before: Passage, sentence: Sentence, words: Language) -> bool:
    """Whether a sentence adds to what was just told: a thing or a day without a verb, what is wanted instead of
    what was refused, more of what took place, the figure of the thing."""
    text = sentence.plain
    if sentence.asks or has(text, words, "orders") or _is_chatter(text, words):
        return False
    if before.judgement.why == "how to be spoken to":
        ruled = any(t.word in words.words["standing_orders"] for t in tokens(text))
        return opens(text, words, "following_wishes") is not None and not ruled
    if before.judgement.stance != "tells":
        return False
    if opens(text, words, "there_was") is not None:
        return not any(t.word in words.words["second_person"] for t in tokens(text))
    return _is_apposition(sentence, words) or _prices(sentence, words)


def _is_apposition(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence is a thing, a place or a day and no verb: "A fat beagle from the rescue.", "Mondays at six."."""
    spoken = [t.word for t in tokens(sentence.plain)]
    first = next(iter(read(sentence.plain, words).items), None)
    if first is None or not spoken or any(w in words.words["being"] for w in spoken):
        return False
    indefinite = words.words["articles"] - words.words["attribute_the"]
    leads = spoken[0] in indefinite or first.sort in ("day", "month")
    return leads and is_verbless(sentence, words)


def is_verbless(sentence: Sentence, words: Language) -> bool:
    """Whether nobody is the subject of a sentence before a word like "who" ("a man called Clive who snores")."""
    spoken = [t.word for t in tokens(sentence.plain)]
    lists = words.words
    people = lists["third_person"] | lists["first_person"] | lists["second_person"]
    return not any(w in people for w in spoken) and not any(
        w in lists["auxiliaries"] for w in spoken
    )


def _prices(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence says of a thing just told what it costs or counts: "The course is 12 lessons at £85."."""
    spoken = [t.word for t in tokens(sentence.plain)]
    opening = bool(spoken) and spoken[0] in words.words["attribute_the"]
    counted = sum(i.sort == "figure" for i in read(sentence.plain, words).items) >= _COUNTED
    mine = any(w in words.words["first_person"] for w in spoken)
    return opening and counted and not mine


#: Figures from which a sentence prices or counts what was just told. Chosen, not measured.
_COUNTED = 2


#: A bare answer tells something from this many pieces of content. Chosen, not measured.
_ANSWER = 2

#: A sentence without a subject of at most this many words is a fragment. Chosen, not measured.
_FRAGMENT = 9


def asks_person(said: str, words: Language) -> bool:
    """Whether what the character said ends on a question to the person, or on a bare one ("Any family?")."""
    text = said.rstrip("*\"'»”) \n")
    if not text.endswith("?"):
        return False
    last = text.rstrip("? ").replace("!", ".").replace("…", ".").rsplit(".", 1)[-1]
    spoken = [t.word for t in tokens(last)]
    return any(w in words.words["second_person"] for w in spoken) or len(spoken) <= _SHORT


def is_fragment(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence has no subject and asks nothing: "Locksmith.", "À Brest.", "Two sons."."""
    spoken = [t.word for t in tokens(sentence.plain)]
    lists = words.words
    people = (
        lists["second_person"] | lists["third_person"] | lists["first_subjects"] | lists["subjects"]
    )
    return (
        len(spoken) <= _FRAGMENT
        and not sentence.asks
        and not any(w in people for w in spoken)
        and not _is_chatter(sentence.plain, words)
    )


def _is_chatter(text: str, words: Language) -> bool:
    """Whether a greeting, thanks or a mood is nearly all of a text."""
    span = find(text, words, "chatter")
    if span is None:
        return False
    return len(read(text[: span[0]] + " " + text[span[1] :], words).content) <= 1


def is_fragment_of_joke(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence only takes back what was said before it ("Just kidding!")."""
    span = find(sentence.plain, words, "kidding") or (0, 0)
    rest = sentence.plain[: span[0]] + " " + sentence.plain[span[1] :]
    return len(read(rest, words).content) <= 1


def takes_back(text: str, words: Language) -> bool:
    """Whether a message opens by saying that what was said just before it was a joke."""
    first = next(iter(sentences(text, words)), None)
    return first is not None and opens(first.plain, words, "kidding") is not None


def _gives_up(before: Passage, sentence: Sentence, words: Language) -> bool:
    """Whether a sentence gives up the plan just told: "Thought about Alaska. Not gonna happen."."""
    told = before.sentences[-1].plain
    return plans_only(told, words) and refuses_plan(sentence.plain, words) and not sentence.asks


def _shares_out(before: Passage, sentence: Sentence, words: Language) -> bool:
    """Whether a sentence shares out a group that was just counted: "Two cats. One ginger."."""
    if opens(sentence.plain, words, "partitions") is None or sentence.asks:
        return False
    counted = any(i.sort == "figure" for i in read(before.sentences[-1].plain, words).items)
    mine = any(t.word in words.words["subjects"] for t in tokens(sentence.plain))
    return counted and not mine and len(read(sentence.plain, words).content) <= _PARTS


#: A sentence that shares out a group has at most this many pieces of content. Chosen, not measured.
_PARTS = 5


def _goes_on(passage: Passage, sentence: Sentence, words: Language) -> bool:
    """Whether a sentence belongs with the one before: that one only took something back, or this one
    leans on it, mends it, gives it a figure or says more of the same thing."""
    before = passage.sentences[-1].plain
    reading, content = read(sentence.plain, words), read(sentence.plain, words).content
    if change(before, words) == "correction" and len(read(before, words).content) <= 4:
        return True
    if opens(sentence.plain, words, "elaborations") is not None:
        return True
    third = words.words["third_person"]
    first = next((i for i in reading.items if i.sort != "small" or i.word in third), None)
    if first is not None and first.word in third:
        return True
    shared = {i.form for i in content if i.sort in ("word", "name")}
    shared &= {i.form for s in passage.sentences for i in read(s.plain, words).content}
    named = any(i.sort == "name" for i in content) and len(content) <= _SHORT
    bare = bool(reading.items) and reading.items[0].sort == "word" and len(content) <= _BARE
    return bool(shared) or named or bare or _completes(sentence, words)


#: A sentence about somebody named, of at most this many pieces, goes with the one before.
#: Chosen, not measured.
_SHORT = 4

#: A sentence with a figure and at most this many other words has its topic in the sentence before.
#: Chosen, not measured.
_BARE = 3


def _measures(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence gives an amount and has no topic of its own."""
    figures = any(i.sort == "figure" for i in read(sentence.plain, words).content)
    return figures and has(sentence.plain, words, "amounts")


def _completes(sentence: Sentence, words: Language) -> bool:
    """Whether a sentence only adds a figure or a date to the one before ("Budget's 700, all in")."""
    reading = read(sentence.plain, words)
    figures = [i for i in reading.content if i.sort in ("figure", "day", "month")]
    topical = [i for i in reading.content if i.sort in ("word", "name")]
    units = {v.unit for v in values(sentence.plain, words)}
    measured = [i for i in topical if i.form not in units and i.word not in cue_words(words)]
    sums = all(i.word in words.words["amounts"] for i in measured)
    if figures and measured and sums:
        return True
    opens_bare = bool(reading.items) and reading.items[0].has_content
    if figures and topical and all(i.word in words.words["amounts"] for i in topical):
        return True
    return bool(figures) and len(topical) <= (_BARE if opens_bare else 1)
