"""What becomes of a candidate beside what is known: nothing is lost, and every doubt is a repetition."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Candidate,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    PersonId,
    Redacted,
    Scope,
    Seq,
    Source,
    Status,
    ThreadId,
)
from souvenance.write.desk import Setting, Settlement
from souvenance.write.merge import settle
from souvenance.writes import AddVersion

START = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


@dataclass
class Shelf:
    """A store in one dict: applies what is settled and keeps every earlier state."""

    language: str = "fr"
    isolation: str = "character"
    memories: dict[MemoryId, Memory] = field(default_factory=dict)
    versions: list[Memory] = field(default_factory=list)
    seq: int = 0
    ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def setting(self, day: int | None = None) -> Setting:
        return Setting(
            Address(DEFAULT_SPACE, PersonId("ana"), CharacterId("mo")),
            MAIN_TIMELINE,
            ThreadId("main"),
            self.isolation,  # type: ignore[arg-type]
            START + timedelta(days=self.seq if day is None else day),
            self.seq,
            self.language,
            "reflection",
            "job",
            lambda: MemoryId(f"m{next(self.ids)}"),
        )

    def tell(self, *candidates: Candidate, day: int | None = None) -> Settlement:
        settled = settle(candidates, list(self.memories.values()), self.setting(day))
        self.seq += 1
        for write in settled.writes:
            if isinstance(write, AddVersion):
                self._apply(write)
        return settled

    def _apply(self, write: AddVersion) -> None:
        known = self.memories.get(write.memory.memory_id)
        assert write.expected == (known.seq_from if known else None)
        written = replace(write.memory, seq_from=Seq(self.seq))
        self.memories[written.memory_id] = written
        self.versions.append(written)

    def active(self) -> list[str]:
        return [m.text for m in self.memories.values() if m.status is Status.ACTIVE]

    def change(self, memory_id: str, **changes: object) -> None:
        key = MemoryId(memory_id)
        self.memories[key] = replace(self.memories[key], **changes)  # type: ignore[arg-type]


def said(text: str, message: str = "1", **more: object) -> Candidate:
    """A candidate of the person's own words."""
    made = Candidate(text, Kind.FACT, Scope.GLOBAL, 0.8, text, (MessageId(message),))
    return replace(made, **more)  # type: ignore[arg-type]


def actions(settled: Settlement) -> list[str]:
    return [n.action for n in settled.noted]


# --- the same fact again ---------------------------------------------------------------------------


def test_a_new_fact_is_added_with_its_words_and_where_they_came_from() -> None:
    """Provenance is what lets a deleted message take its memories with it."""
    shelf = Shelf()
    settled = shelf.tell(said("Je joue du basson.", "7"))
    (memory,) = shelf.memories.values()
    assert actions(settled) == ["added"]
    assert (memory.text, memory.quote, memory.messages) == (
        "Je joue du basson.",
        "Je joue du basson.",
        (MessageId("7"),),
    )


def test_saying_it_again_counts_as_evidence_and_moves_nothing_else() -> None:
    """Erasing the first message must not erase what was said in the second; the date that ranks stays."""
    shelf = Shelf()
    shelf.tell(said("Je joue du basson."))
    before = shelf.memories[MemoryId("m1")]
    settled = shelf.tell(said("je joue du basson !", "2"))
    assert actions(settled) == ["restated"]
    after = shelf.memories[MemoryId("m1")]
    assert after.messages == ("1", "2")
    assert (after.text, after.born_at, after.quote) == (before.text, before.born_at, before.quote)


def test_a_fact_repeated_every_evening_does_not_fill_its_history() -> None:
    """Beyond a few messages, saying it again writes no version."""
    shelf = Shelf()
    for day in range(30):
        shelf.tell(said("Je joue du basson.", str(day)))
    assert len(shelf.versions) == len(shelf.memories[MemoryId("m1")].messages) == 8


def test_a_richer_wording_wins_and_the_birth_date_stays() -> None:
    """Absorbing must not make an old fact look fresh: the date ranks."""
    shelf = Shelf()
    shelf.tell(said("J'ai un âne."))
    settled = shelf.tell(said("J'ai un âne, un vieux baudet nommé Gaspard.", "2"))
    (memory,) = shelf.memories.values()
    assert actions(settled) == ["merged"]
    assert memory.text == "J'ai un âne, un vieux baudet nommé Gaspard."
    assert memory.born_at == START
    assert memory.messages == (MessageId("1"), MessageId("2"))
    assert [v.text for v in shelf.versions] == [
        "J'ai un âne.",
        "J'ai un âne, un vieux baudet nommé Gaspard.",
    ]


def test_a_poorer_wording_is_absorbed_and_changes_nothing() -> None:
    """The newer wording wins unless it says less."""
    shelf = Shelf()
    shelf.tell(said("J'ai un âne, un vieux baudet nommé Gaspard."))
    assert actions(shelf.tell(said("J'ai un âne.", "2"))) == ["restated"]
    assert shelf.active() == ["J'ai un âne, un vieux baudet nommé Gaspard."]


def test_two_changes_of_one_memory_in_a_batch_are_one_version() -> None:
    """`expected` names the committed state, so a memory is written once per transaction."""
    shelf = Shelf()
    shelf.tell(said("J'ai un âne."))
    settled = shelf.tell(
        said("J'ai un âne, un baudet.", "2"), said("J'ai un âne, un baudet nommé Gaspard.", "3")
    )
    written = [w for w in settled.writes if isinstance(w, AddVersion)]
    assert [w.memory.text for w in written] == ["J'ai un âne, un baudet nommé Gaspard."]
    assert actions(settled) == ["merged", "merged"]


def test_a_memory_born_and_replaced_in_one_batch_keeps_both_wordings() -> None:
    """A correction a minute later still leaves what was said first, closed."""
    shelf = Shelf()
    shelf.tell(said("Mon cours de danse est lundi.", "1"), said("Non attends, mardi plutôt.", "2"))
    old, new = shelf.memories.values()
    assert (old.text, old.status, old.successor) == (
        "Mon cours de danse est lundi.",
        Status.SUPERSEDED,
        new.memory_id,
    )
    assert new.text == "Mon cours de danse est mardi."


@pytest.mark.parametrize("held", ["pinned", "edited"])
def test_what_a_hand_touched_is_never_reworded(held: str) -> None:
    """The person's own wording outranks anything reflection finds."""
    shelf = Shelf()
    shelf.tell(said("J'ai un âne."))
    shelf.change("m1", **{held: True})
    settled = shelf.tell(said("J'ai un âne, un vieux baudet nommé Gaspard.", "2"))
    assert actions(settled) == ["restated"]
    assert shelf.active() == ["J'ai un âne."]


@pytest.mark.parametrize("held", ["pinned", "edited"])
def test_a_new_value_stands_beside_what_a_hand_touched(held: str) -> None:
    """A model may be wrong: the pinned value is not closed by it, and the journal says why both stand."""
    shelf = Shelf()
    shelf.tell(said("Mon cours de danse est lundi."))
    shelf.change("m1", **{held: True})
    settled = shelf.tell(said("Non attends, mon cours de danse est mardi.", "2"))
    assert actions(settled) == ["added"]
    assert "stands beside" in settled.noted[0].reason
    assert len(shelf.active()) == 2


# --- forgotten, rules, voices ----------------------------------------------------------------------


def test_a_forgotten_memory_does_not_come_back_from_the_same_message() -> None:
    """Reflecting again on old messages must not undo the person's hand."""
    shelf = Shelf()
    shelf.tell(said("Je suis daltonien.", "4"))
    shelf.change("m1", status=Status.FORGOTTEN)
    assert actions(shelf.tell(said("Je suis daltonien.", "4"))) == ["dropped"]
    assert shelf.active() == []


def test_a_forgotten_fact_said_anew_may_come_back() -> None:
    """Forgetting closes a memory; it is not a ban on the subject."""
    shelf = Shelf()
    shelf.tell(said("Je suis daltonien.", "4"))
    shelf.change("m1", status=Status.FORGOTTEN)
    assert actions(shelf.tell(said("Je suis daltonien.", "9"))) == ["added"]


def test_reflection_never_makes_a_rule() -> None:
    """A rule is obeyed in every context, so only a hand may write one."""
    shelf = Shelf()
    assert actions(shelf.tell(said("Tutoie-moi.", kind=Kind.RULE))) == ["dropped"]
    assert shelf.memories == {}


def test_a_promise_of_the_character_is_not_the_person_s() -> None:
    """ "I will write to you" means two things in two mouths."""
    shelf = Shelf("en")
    promise = said("I promise to write every week.", kind=Kind.PROMISE)
    shelf.tell(promise)
    settled = shelf.tell(replace(promise, spoken_by="character", messages=(MessageId("2"),)))
    assert actions(settled) == ["added"]
    assert [m.source for m in shelf.memories.values()] == [Source.PERSON, Source.CHARACTER]


def test_what_is_inferred_never_closes_what_the_person_said() -> None:
    """Stated by the person > by the character > inferred."""
    shelf = Shelf("en")
    shelf.tell(said("My class is on Monday."))
    settled = shelf.tell(said("No wait, my class is on Tuesday.", "2", quote=""))
    assert actions(settled) == ["added"]
    assert len(shelf.active()) == 2


# --- scope -----------------------------------------------------------------------------------------


def test_strict_isolation_keeps_everything_in_its_thread() -> None:
    """A character set to strict must not carry a fact into another thread."""
    shelf = Shelf(isolation="thread")
    shelf.tell(said("Je joue du basson."))
    assert [m.thread for m in shelf.memories.values()] == ["main"]


def test_a_global_fact_is_not_hidden_in_a_thread_memory() -> None:
    """Merged there, it would be unknown everywhere else: a repetition costs less."""
    shelf = Shelf()
    shelf.tell(said("Je joue du basson.", scope=Scope.THREAD))
    assert actions(shelf.tell(said("Je joue du basson.", "2"))) == ["added"]
    assert {m.thread for m in shelf.memories.values()} == {None, "main"}


# --- a new value in the place of an old one ---------------------------------------------------------

CORRECTED = [
    ("fr", "Mon cours de danse est lundi à 19 h.", "Ah non, attends, mercredi plutôt.",
     "Mon cours de danse est mercredi à 19 h."),
    ("fr", "Le devis prévoit 12 fenêtres à 300 €.", "Je me suis trompé : c'est 8 fenêtres à 250 €.",
     "Le devis prévoit 8 fenêtres à 250 €."),
    ("fr", "J'ai promis à Lou de l'emmener à Quimper.", "Non, pas Quimper, Vannes.",
     "J'ai promis à Lou de l'emmener à Vannes."),
    ("fr", "J'ai un oral rue des Tilleuls.", "Ah et c'est pas rue des Tilleuls, c'est rue des Cordiers.",
     "J'ai un oral rue des Cordiers."),
    ("fr", "Je soulève 40 kilos.", "Rectification : 45 kilos.", "Je soulève 45 kilos."),
    ("en", "The workshop is on Tuesday.", "Scratch that, it's Friday.", "The workshop is on Friday."),
    ("en", "I booked 6 nights at 80 dollars.", "No wait, it's 4 nights at 95.",
     "I booked 4 nights at 95 dollars."),
    ("en", "My flight to Oslo is on March 3rd.", "Sorry, March 13th.",
     "My flight to Oslo is on March 13th."),
    ("en", "I promised Bea a trip to Dover.", "Not Dover, Whitby.",
     "I promised Bea a trip to Whitby."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "first", "correction", "now"), CORRECTED)
def test_a_correction_puts_the_new_value_in_the_old_sentence(
    code: str, first: str, correction: str, now: str
) -> None:
    """ "Thursday, rather" says nothing alone; read later, the memory must still say what is on Thursday."""
    shelf = Shelf(code)
    shelf.tell(said(first, "1"))
    settled = shelf.tell(said(correction, "2"))
    old, new = shelf.memories.values()
    assert actions(settled) == ["superseded"]
    assert shelf.active() == [now]
    assert (old.status, old.until, old.successor) == (
        Status.SUPERSEDED,
        date(2026, 3, 3),
        new.memory_id,
    )
    assert new.messages == (MessageId("1"), MessageId("2"))
    assert new.quote == correction


BESIDE = [
    # about something else
    ("fr", "Le permis m'a coûté 480 €.", "Rectif, le garage me coûte 310 €, pas 270."),
    ("en", "The licence cost me 480 dollars.", "Correction: the van costs me 310 dollars a month."),
    # announced for later
    ("fr", "J'habite à Lyon.", "Je déménage à Nice le 3 mai."),
    ("en", "I work at the mill.", "I'm starting at the brewery in August."),
    ("fr", "Mon loyer est de 500 €.", "Mon loyer va passer à 540 € à partir de septembre."),
    # no word of change
    ("fr", "Mon cours de danse est lundi.", "Mon cours de chant est mardi."),
    ("en", "My sister is 31.", "My brother is 28."),
]


@pytest.mark.parametrize(("code", "first", "second"), BESIDE)
def test_what_is_no_new_value_of_the_old_fact_stands_beside_it(
    code: str, first: str, second: str
) -> None:
    """A wrong supersession hides a true fact; a repetition only costs a slot."""
    shelf = Shelf(code)
    shelf.tell(said(first, "1"))
    shelf.tell(said(second, "2"))
    assert shelf.active() == [first, second]


def test_a_new_value_of_the_same_slot_closes_the_old_one() -> None:
    """With entity and attribute given, no word of change is needed."""
    shelf = Shelf("en")
    slot = {"entity": "person", "attribute": "employer"}
    shelf.tell(said("I work at the mill.", value="the mill", **slot))
    settled = shelf.tell(said("I work at the brewery.", "2", value="the brewery", **slot))
    assert actions(settled) == ["superseded"]
    assert shelf.active() == ["I work at the brewery."]


def test_replacing_one_value_keeps_what_else_the_sentence_told() -> None:
    """Closing the whole old sentence for one value of it would lose the rest."""
    shelf = Shelf("en")
    shelf.tell(said("I teach pottery and I'm on leave until September."))
    shelf.tell(said("I'm back in June now, not September.", "2"))
    assert shelf.active() == ["I teach pottery and I'm on leave until June."]


def test_the_value_of_the_same_thing_is_the_one_replaced() -> None:
    """A sentence with two prices must not get the new one in the wrong place."""
    shelf = Shelf()
    shelf.tell(said("J'ai trouvé un studio à 430 €, mon budget maximum est de 450 €."))
    shelf.tell(said("Finalement mon budget passe à 480 €.", "2"))
    assert shelf.active() == ["J'ai trouvé un studio à 430 €, mon budget maximum est de 480 €."]


def test_a_value_that_could_take_two_places_takes_none() -> None:
    """When it cannot be told which price is meant, both sentences stand, side by side so that one can tell."""
    shelf = Shelf("en")
    shelf.tell(said("The boat costs 300 dollars and the trailer 200 dollars."))
    shelf.tell(said("No wait, 250 dollars.", "2"))
    assert shelf.active() == [
        "The boat costs 300 dollars and the trailer 200 dollars. No wait, 250 dollars."
    ]


NEWLY_DATED = [
    ("en", "My mother's birthday is on 12 March.", "Actually it's the 13th.",
     "My mother's birthday is on 13 March."),
    ("en", "Our wedding is on June 3rd.", "No, the 4th.", "Our wedding is on June 4th."),
    ("en", "My viva is on the 12th of March.", "Sorry, I meant the 14th of April.",
     "My viva is on the 14th of April."),
    ("en", "My viva is on 12 March.", "No wait, in April.", "My viva is in April."),
    ("en", "My viva is on Monday.", "Actually it's the 13th.", "My viva is on the 13th."),
    ("en", "I see the surgeon on Wednesday 12 March.", "Oops, the 13th.",
     "I see the surgeon on 13 March."),
    ("en", "I keep 2 ferrets.", "No, 3.", "I keep 3 ferrets."),
    ("fr", "Je suis née le 3 mai 1985.", "Non, en 1986.", "Je suis née le 3 mai 1986."),
    ("fr", "Je suis née le 3 mai 1985.", "Nan, le 4.", "Je suis née le 4 mai 1985."),
    ("fr", "Mon oral est en mai.", "Pardon, le 3 juin.", "Mon oral est le 3 juin."),
    ("fr", "Mon oral est le 3 juin.", "En fait c'est en mai.", "Mon oral est en mai."),
    ("fr", "Je pars à Brest demain.", "En fait c'est samedi.", "Je pars à Brest samedi."),
    ("fr", "J'ai trois filles.", "Non, quatre.", "J'ai quatre filles."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "first", "correction", "now"), NEWLY_DATED)
def test_a_bare_value_corrects_what_was_just_said_however_it_is_worded(
    code: str, first: str, correction: str, now: str
) -> None:
    """A day, a month and a weekday name the same occasion in ways that no plain substitution joins."""
    shelf = Shelf(code)
    shelf.tell(said(first, "1"))
    shelf.tell(said(correction, "2"))
    assert shelf.active() == [now]


@pytest.mark.parametrize(
    ("code", "text"), [("en", "Actually it's the 13th."), ("fr", "Non, à 11h.")]
)
def test_a_bare_value_of_nothing_that_was_noted_is_no_memory(code: str, text: str) -> None:
    """ "It's the 13th" read a month later tells nobody anything."""
    shelf = Shelf(code)
    settled = shelf.tell(said(text))
    assert (actions(settled), shelf.active()) == (["dropped"], [])


def test_a_year_never_takes_the_place_of_a_count() -> None:
    """ "Non, en 1986" corrects a year, not how many children there are."""
    shelf = Shelf("fr")
    shelf.tell(said("J'ai trois filles."))
    shelf.tell(said("Non, en 1986.", "2"))
    assert not any("1986 filles" in text for text in shelf.active())


def test_a_moved_appointment_begins_on_its_new_day() -> None:
    """The date of the old sentence says nothing of the corrected one."""
    shelf = Shelf("fr")
    shelf.tell(said("Mercredi prochain je vois la notaire à 10h.", starts=date(2026, 3, 4)))
    shelf.tell(said("En fait c'est jeudi.", "2"))
    old, new = shelf.memories.values()
    assert new.text == "Jeudi prochain je vois la notaire à 10h."
    assert new.starts == date(2026, 3, 5)
    assert (old.starts, old.until) == (date(2026, 3, 4), date(2026, 3, 4))


@pytest.mark.parametrize("until", [date(2026, 1, 1), date(2026, 3, 3), date(2026, 5, 1)])
def test_nothing_ends_before_it_begins(until: date) -> None:
    """Whoever proposed the dates, a period turned round is read by no calendar."""
    shelf = Shelf("en")
    shelf.tell(said("I rent a barn.", starts=date(2026, 3, 3), until=until))
    (memory,) = shelf.memories.values()
    assert memory.until == max(until, date(2026, 3, 3))


def test_a_promise_is_closed_once_it_is_kept() -> None:
    """ "I will" must not stay true beside "I did"."""
    shelf = Shelf("en")
    shelf.tell(said("I promised Bea I'd repair her kite.", kind=Kind.PROMISE))
    shelf.tell(said("I finally repaired the kite.", "2", kind=Kind.EPISODE))
    assert shelf.active() == ["I finally repaired the kite."]


# --- replaying --------------------------------------------------------------------------------------

STORY = [
    [said("Mon cours de danse est lundi.", "1"), said("J'ai un âne.", "1")],
    [said("Non attends, mardi plutôt.", "2")],
    [said("J'ai un âne, un vieux baudet nommé Gaspard.", "3"), said("Je joue du basson.", "3")],
    [said("Je joue du basson.", "4"), said("Le devis prévoit 12 fenêtres à 300 €.", "4")],
    [said("Je me suis trompée : c'est 8 fenêtres à 250 €.", "5")],
]


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(len(STORY))), st.integers(1, len(STORY)))
def test_settling_the_same_words_again_writes_no_version(order: list[int], size: int) -> None:
    """A job that runs twice, or a conversation replayed, must change nothing."""
    shelf = Shelf()
    told = [STORY[n] for n in order[:size]]
    for day, candidates in enumerate(told):
        shelf.tell(*candidates, day=day)
    before = len(shelf.versions)
    for day, candidates in enumerate(told):
        shelf.tell(*candidates, day=day)
    assert [v.text for v in shelf.versions[before:]] == []


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(len(STORY))))
def test_nothing_said_is_ever_lost(order: list[int]) -> None:
    """Whatever merges or is replaced, every wording stays in some version, or its drop can be read."""
    shelf = Shelf()
    kept: set[str] = set()
    for n in order:
        writes = shelf.tell(*STORY[n]).writes
        entries = [w.entry for w in writes if not isinstance(w, AddVersion)]
        kept |= {e.text for e in entries if e.action == "dropped" and e.reason}
    kept |= {v.quote for v in shelf.versions} | {v.text for v in shelf.versions}
    journalled = {str(c.text) for n in order for c in STORY[n]} - {str(k) for k in kept}
    assert all(any(_same(text, k) for k in kept) for text in journalled)


def _same(text: str, kept: Redacted | str) -> bool:
    """Whether a wording that wrote no version is one already kept, or a poorer telling of it."""
    return text.rstrip(".") in kept


def test_every_decision_is_journalled_with_a_reason() -> None:
    """Nothing changes in silence."""
    shelf = Shelf()
    settled = shelf.tell(said("Je joue du basson."), said("Je joue du basson !", "2"))
    entries = [w.entry for w in settled.writes if not isinstance(w, AddVersion)]
    assert [e.action for e in entries] == ["added", "restated"]
    assert all(e.reason for e in entries)


OVER = [
    ("en", "I live in Leeds.", "I no longer live in Leeds, I'm in Hull now."),
    ("en", "I moved to Leeds in 2019.", "I don't live in Leeds anymore."),
    ("en", "I work at Brockway.", "I quit Brockway."),
    ("en", "I live in Leeds.", "I live in Hull now."),
    ("en", "I'm dating Rufus.", "I broke up with Rufus."),
    ("fr", "J'habite à Dax.", "Je n'habite plus à Dax."),
    ("fr", "Je bosse chez Vernet.", "J'ai démissionné de chez Vernet."),
    ("fr", "Je vis à Dax.", "Maintenant je vis à Pau."),
]

NOT_OVER = [
    ("en", "I live in Leeds with my two cats and my aunt.", "I no longer live in Leeds."),
    ("en", "My sister lives in Leeds.", "I left Hull."),
    ("en", "I live in Leeds.", "I no longer work in Leeds."),
    ("en", "I live in Leeds.", "I'm in Hull now."),
    ("fr", "J'habite à Dax.", "J'habite plus loin que Dax maintenant."),
    ("fr", "Je bosse chez Vernet.", "Je ne bosse plus le lundi."),
]


@pytest.mark.parametrize(("code", "first", "second"), OVER)
def test_a_home_a_job_or_a_couple_that_is_over_is_closed(
    code: str, first: str, second: str
) -> None:
    """Two homes that both stand would be served side by side."""
    shelf = Shelf(code)
    shelf.tell(said(first, "1"))
    shelf.tell(said(second, "2"))
    assert shelf.active() == [second]


@pytest.mark.parametrize(("code", "first", "second"), NOT_OVER)
def test_in_doubt_what_may_be_over_stands(code: str, first: str, second: str) -> None:
    """Closing a sentence that still tells something true loses it."""
    shelf = Shelf(code)
    shelf.tell(said(first, "1"))
    shelf.tell(said(second, "2"))
    assert shelf.active() == [first, second]


MOVED = [
    # (language, earlier, correction, what stands after)
    (
        "fr",
        "Je pars en Islande en juin avec Marc.",
        "En fait c'est le 10 juin.",
        "Je pars en Islande le 10 juin avec Marc.",
    ),
    (
        "en",
        "I'm planning a trip to Oslo in May with Kit.",
        "Actually it's June 10th.",
        "I'm planning a trip to Oslo on June 10th with Kit.",
    ),
    (
        "fr",
        "J'ai mon premier cours mardi à 18 h.",
        "Ah non, jeudi plutôt, jeudi à 18 h.",
        "J'ai mon premier cours jeudi à 18 h.",
    ),
    (
        "en",
        "I have a hearing test on 22 January.",
        "The hearing test's been moved to 5 February.",
        "The hearing test's been moved to 5 February.",
    ),
    (
        "fr",
        "J'ai des vertiges, je vois un orthophoniste le mardi.",
        "L'orthophoniste m'a décalée au jeudi.",
        "J'ai des vertiges, je vois un orthophoniste le jeudi.",
    ),
]


@pytest.mark.parametrize(("code", "earlier", "correction", "stands"), MOVED)
def test_a_corrected_sentence_reads_well_and_keeps_what_else_it_told(
    code: str, earlier: str, correction: str, stands: str
) -> None:
    """A day is not said twice, "in" does not stand before a day, and nothing beside the value is lost."""
    shelf = Shelf(language=code)
    shelf.tell(said(earlier))
    shelf.tell(said(correction, "2"))
    assert shelf.active() == [stands]


@pytest.mark.parametrize(
    ("code", "earlier", "later"),
    [
        ("fr", "J'ai commencé la guitare lundi.", "La clinique a rappelé, c'est décalé au 6 mai."),
        ("fr", "Mon budget vélo est de 900 €.", "J'ai baissé le prix du piano à 700 €."),
        ("en", "I started pottery, Monday evenings.", "They've moved the scan, it's 5 May now."),
        ("en", "My budget for a bike is £900.", "I dropped the piano to £700."),
        (
            "fr",
            "Je me lève à 5 h pour la boulangerie.",
            "La boulangerie me passe à 8 h par semaine.",
        ),
    ],
)
def test_the_value_of_another_thing_replaces_nothing(code: str, earlier: str, later: str) -> None:
    """A price or a day that is new is new of what it names; in doubt both stand."""
    shelf = Shelf(language=code)
    shelf.tell(said(earlier))
    shelf.tell(said(later, "2"))
    assert shelf.active() == [earlier, later]
