"""The key-and-ledger file: one key whoever comes first, and no erasure lost or half read."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from souvenance.errors import NewerDatabase, StoreBusy, StoreUnusable
from souvenance.stores.sqlite.keys import Erasure, Ledger, name_of

NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)


def erasure(mark: str) -> Erasure:
    return Erasure("memory", mark, NOW)


def test_a_key_is_made_once_and_read_again(tmp_path: Path) -> None:
    """Marks of yesterday must equal marks of today."""
    first, again = Ledger(tmp_path / "k"), Ledger(tmp_path / "k")
    assert len(first.key) == 32
    assert again.mark("half past six") == first.mark("half past six")
    assert again.key_id == first.key_id
    assert Ledger(tmp_path / "other").mark("half past six") != first.mark("half past six")


def test_programs_that_start_at_once_agree_on_the_key(tmp_path: Path) -> None:
    """Trials: 20 first starts of 8 openers each."""
    for number in range(20):
        path = tmp_path / str(number)
        with ThreadPoolExecutor(8) as pool:
            keys = {ledger.key for ledger in pool.map(Ledger, [path] * 8)}
        assert len(keys) == 1
        assert len(path.read_text().splitlines()) == 1


def test_a_first_start_that_was_cut_short_is_made_good(tmp_path: Path) -> None:
    """A torn key was never used by anybody."""
    for torn in ("", '{"key": "00ff'):
        (tmp_path / "k").write_text(torn)
        key = Ledger(tmp_path / "k").key
        assert Ledger(tmp_path / "k").key == key


def test_erasures_come_back_in_order(tmp_path: Path) -> None:
    """What was erased later is applied later."""
    ledger = Ledger(tmp_path / "k")
    marks = [f"{n:032x}" for n in range(5)]
    for mark in marks:
        ledger.append(erasure(mark))
    assert Ledger(tmp_path / "k").entries() == [erasure(mark) for mark in marks]


def test_an_erasure_cut_short_was_not_acknowledged(tmp_path: Path) -> None:
    """It is dropped, and the next one starts on a line of its own."""
    ledger = Ledger(tmp_path / "k")
    ledger.append(erasure("a"))
    with (tmp_path / "k").open("ab") as file:
        file.write(b'{"erased": "mem\xc3')
    assert ledger.entries() == [erasure("a")]
    ledger.append(erasure("b"))
    assert ledger.entries() == [erasure("a"), erasure("b")]


def test_erasures_written_at_once_are_all_kept(tmp_path: Path) -> None:
    """Trials: 200 erasures by 8 writers."""
    Ledger(tmp_path / "k")

    def erase(number: int) -> None:
        Ledger(tmp_path / "k").append(erasure(str(number)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(erase, range(200)))
    assert {e.mark for e in Ledger(tmp_path / "k").entries()} == {str(n) for n in range(200)}


def test_the_ledger_tells_no_names(tmp_path: Path) -> None:
    """It lives on after the person was erased."""
    ledger = Ledger(tmp_path / "k")
    ledger.append(Erasure("person", ledger.mark(name_of("default", "ines@example.org")), NOW))
    assert "ines" not in (tmp_path / "k").read_text()


def test_names_that_look_alike_have_marks_of_their_own(tmp_path: Path) -> None:
    """Erasing "a b" must not erase "a" of space "b"."""
    pairs = [("a", "b"), ("a b", ""), ("", "a b"), ("a", "b", ""), ('a", "b', "")]
    assert len({name_of(*pair) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(
    "first",
    ["not json", "{}", '{"key": 5}', '{"key": "zz"}', '{"key": "00ff"}', "[]"],
)
def test_a_file_without_a_key_is_refused(tmp_path: Path, first: str) -> None:
    """Writing a new one over it would lose the ledger."""
    (tmp_path / "k").write_text(first + "\n")
    with pytest.raises(StoreUnusable, match="restore"):
        Ledger(tmp_path / "k")
    assert (tmp_path / "k").read_text() == first + "\n"


def test_an_erasure_this_version_does_not_know_stops_it(tmp_path: Path) -> None:
    """Ignoring it would show what was erased."""
    ledger = Ledger(tmp_path / "k")
    with (tmp_path / "k").open("a") as file:
        file.write(json.dumps({"erased": "dream", "mark": "a", "at": NOW.isoformat()}) + "\n")
    with pytest.raises(NewerDatabase, match="it erased a dream"):
        ledger.entries()
    (tmp_path / "k").write_text((tmp_path / "k").read_text() + "garbage\n")
    with pytest.raises((NewerDatabase, StoreUnusable)):
        ledger.entries()


def test_a_held_file_is_waited_for_then_told(tmp_path: Path) -> None:
    """Another program may be upgrading the database."""
    ledger = Ledger(tmp_path / "k", timeout_s=0.05)
    with ledger.locked(), pytest.raises(StoreBusy, match="opening or upgrading"):
        ledger.append(erasure("a"))
    ledger.append(erasure("a"))
    assert ledger.entries() == [erasure("a")]
