"""Who waits longest goes first, and who waits too long is told."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from souvenance.errors import StoreBusy
from souvenance.stores.sqlite.turns import Deadline, Queue, Turns


def test_turns_are_given_in_the_order_asked() -> None:
    """A thread that gives and takes again at once goes to the end of the line."""
    turns, order = Turns(), list[int]()
    assert turns.take(1)

    def wait(number: int) -> None:
        assert turns.take(10)
        order.append(number)
        turns.give()

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
    turns.give()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]
    assert turns.take(0)


def test_who_gives_up_leaves_the_line() -> None:
    """Otherwise the turn would be handed to nobody and never come back."""
    turns = Turns()
    assert turns.take(1)
    assert not turns.take(0.01)
    turns.give()
    assert turns.take(0.01)


def test_many_that_give_up_lose_no_turn() -> None:
    """Trials: 400 short waits by 8 threads, some of which run out."""
    turns, inside, most = Turns(), 0, 0

    def wait(number: int) -> bool:
        nonlocal inside, most
        if not turns.take(0.0005 * (number % 4)):
            return False
        inside += 1
        most = max(most, inside)
        time.sleep(0.0002)
        inside -= 1
        turns.give()
        return True

    with ThreadPoolExecutor(8) as pool:
        served = sum(pool.map(wait, range(400)))
    assert served > 0
    assert most == 1
    assert turns.take(0)


def test_one_is_next_in_line(tmp_path: Path) -> None:
    """Two programs, each with its own descriptor, never both ask for SQLite's lock."""
    file = tmp_path / "k"
    file.touch()
    one, other = Queue(file, tmp_path / "a.db"), Queue(file, tmp_path / "a.db")
    with (
        one.next_in_line(Deadline(1)),
        pytest.raises(StoreBusy, match="too long"),
        other.next_in_line(Deadline(0.02)),
    ):
        pass
    with other.next_in_line(Deadline(0)):
        pass
    one.close()
    other.close()


def test_a_deadline_that_passed_stops_asking() -> None:
    """SQLite asks its busy handler again and again; it must end."""
    assert Deadline(5)(0)
    assert not Deadline(0)(10**6)
    assert Deadline(0).left_s == 0
