"""What was read of somebody's memories counts for the embedder it was read with, in its language, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

from souvenance.characters import shipped
from souvenance.domain import Space
from souvenance.lang import codes
from souvenance.read.calibrations import READ, SPREAD, WORD_WEIGHT, Calibration
from souvenance.read.plan import COMPANION, with_recalled
from souvenance.readings import Readings
from souvenance.settings import EmbedderSettings, ReadSettings, RecallSettings, Settings

READ_IN_FRENCH = ReadSettings(
    embedder="nomic", threshold=0.61, spread=0.04, word_weight=0.8, slots=9
)
SETTINGS = Settings(recall=RecallSettings(fr=READ_IN_FRENCH))


def test_there_are_settings_for_every_language() -> None:
    """A language without them could be calibrated and never applied."""
    assert set(RecallSettings.model_fields) == set(codes())
    assert SETTINGS.recall.of("xx") == ReadSettings()


def test_what_was_read_replaces_what_the_embedder_came_with() -> None:
    """In its language; the other one keeps the embedder's own threshold."""
    readings = Readings(SETTINGS, "nomic", 0.5)
    assert readings.calibration("fr") == Calibration(0.61, 0.04, 0.8)
    assert readings.calibration("en") == Calibration(0.5, SPREAD, WORD_WEIGHT)


def test_another_embedder_gets_none_of_it() -> None:
    """One model's irrelevant pairs score what another's best ones do."""
    readings = Readings(SETTINGS, "use-multilingual-3", 0.3)
    assert readings.calibration("fr") == READ["use-multilingual-3"]["fr"]
    assert readings.ignored(codes()) == {"fr": "nomic"}
    assert Readings(SETTINGS, "nomic").ignored(codes()) == {}
    assert Readings(SETTINGS, None).ignored(codes()) == {"fr": "nomic"}


def test_a_threshold_set_by_hand_counts_also_for_an_embedder_that_was_read() -> None:
    """`embedder.threshold` is in place of the embedder's own, whichever that is; what was read is nearer still."""
    by_hand = Settings(embedder=EmbedderSettings(threshold=0.7), recall=SETTINGS.recall)
    known = Readings(by_hand, "use-multilingual-3", 0.7).calibration("fr")
    assert known == replace(READ["use-multilingual-3"]["fr"], threshold=0.7)
    assert Readings(by_hand, "nomic", 0.7).calibration("fr").threshold == 0.61


def test_the_places_for_recalled_memories_follow_the_language_of_the_character() -> None:
    """The rest of the plan stays, and without a reading all of it."""
    mira, wren = (
        next(c for c in shipped(Space("default")) if c.character == name)
        for name in ("mira", "wren")
    )
    readings = Readings(SETTINGS, "nomic", 0.5)
    places = {s.name: s.places for s in readings.plan(mira).stages}
    assert places == {s.name: s.places for s in COMPANION.stages} | {"recalled": 9}
    assert readings.plan(wren) is COMPANION
    assert with_recalled(COMPANION, None) is COMPANION
