"""A check sees damage and contradictions; a backup is whole, private and never overwrites."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import apsw
import numpy as np
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Candidate,
    Cause,
    CharacterId,
    Job,
    JobId,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Proposal,
    Redacted,
    Scope,
    Seq,
    Speakers,
    Thread,
    View,
)
from souvenance.errors import StoreError, StoreUnusable
from souvenance.ports import WindowRow
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.stores.sqlite.keys import Erasure, Ledger, keys_path, name_of
from souvenance.stores.sqlite.migrate import shipped_migrations
from souvenance.writes import AddJob, AddJournal, AddMessage, AddProposal, AddVersion, PutThread

NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)


def home(person: str = "ines") -> Address:
    return Address(DEFAULT_SPACE, PersonId(person), CharacterId("bao"))


def remember(
    store: SqliteStore,
    name: str,
    expected: Seq | None = None,
    person: str = "ines",
    proposed: str = "",
) -> Seq:
    where = home(person)
    memory = Memory(
        MemoryId(name), where, MAIN_TIMELINE, None, Kind.FACT, Redacted(f"fact {name}"), NOW, NOW,
        Cause("hand"),
    )  # fmt: skip
    entry = JournalEntry(where, None, NOW, "added", MemoryId(name), Redacted(f"fact {name}"))
    candidate = Candidate(proposed, Kind.FACT, Scope.GLOBAL, 0.5, proposed)
    speakers = Speakers(None, (), None, "Bao", "fr", "character")
    proposal = Proposal(
        where, MAIN_THREAD, JobId("j"), NOW, "rules", speakers, (), (), 0, (candidate,)
    )
    writes = [AddVersion(memory, expected), AddJournal(entry), AddProposal(proposal)]
    return store.commit(where.space, where.person, writes[: 3 if proposed else 2])


def fill(store: SqliteStore) -> None:
    """Something in every table that an invariant reads."""
    message = Message(
        home(), MAIN_THREAD, MessageId("m1"), None, "user", Redacted("words"), NOW, store.mark("w")
    )
    store.commit(
        DEFAULT_SPACE,
        home().person,
        [
            AddMessage(message),
            PutThread(Thread(home(), MAIN_THREAD, MAIN_TIMELINE, MessageId("m1"), None, NOW, NOW)),
            AddJob(Job(JobId("j1"), home(), MAIN_THREAD, "reflect", (MessageId("m1"),), NOW, NOW)),
        ],
    )
    remember(store, "k1", remember(store, "k1"))
    remember(store, "k2")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("update versions set seq_to = 99 where seq_to is not null", "no state that follows"),
        ("delete from versions where memory_id = 'k1' and seq_to is null", "0 current states"),
        ("update persons set seq = 1", "carry seq 4 but only 1"),
        ("update persons set memory_seq = 0", "last memory change is 4 but 0 is noted"),
        ("update threads set head = 'gone'", "head message does not exist"),
        ("update jobs set messages = '[\"gone\"]'", "message gone does not exist"),
        ("update timelines set is_main = 0", "none is the main one"),
        ("delete from messages", "names a row of messages"),
    ],
)
def test_a_check_names_each_contradiction(tmp_path: Path, damage: str, words: str) -> None:
    """Sound pages can still hold a memory that contradicts itself."""
    store = open_store(tmp_path / "a.db")
    fill(store)
    assert store.check().problems == ()
    db = apsw.Connection(str(tmp_path / "a.db"))
    db.execute(damage)
    db.close()
    assert any(words in problem for problem in store.check().problems), store.check().problems
    store.close()


def test_a_check_sees_a_damaged_page(tmp_path: Path) -> None:
    """A page overwritten on disk is told, as a problem or as an error, never passed over."""
    path = tmp_path / "a.db"
    store = open_store(path)
    for number in range(200):
        remember(store, f"k{number}")
    store.close()
    content = bytearray(path.read_bytes())
    place = content.index(b"fact k150") // 4096 * 4096
    content[place : place + 512] = b"\xff" * 512
    path.write_bytes(content)
    store = open_store(path)
    try:
        problems = store.check().problems
    except StoreError as e:
        problems = (str(e),)
    finally:
        store.close()
    assert any("btree" in p.lower() or "damaged" in p or "row" in p for p in problems), problems


def test_a_check_reports_the_settings_as_read(tmp_path: Path) -> None:
    """For the person who asks whether their memory is safe."""
    store = open_store(tmp_path / "a.db")
    report = store.check()
    store.close()
    assert report.sqlite_version == apsw.sqlite_lib_version()
    assert report.schema_version == shipped_migrations()[-1].version
    assert {name: report.pragmas[name] for name in ("journal_mode", "synchronous")} == {
        "journal_mode": "wal",
        "synchronous": "2",
    }


def test_a_backup_made_while_writing_is_a_moment_of_the_original(tmp_path: Path) -> None:
    """Nothing that stood before it began is missing, and nothing in it is half written.

    Trials: 10 backups beside a thread that writes without pause.
    """
    store, stop = open_store(tmp_path / "a.db"), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            remember(store, f"k{number}")
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(10):
            before = store.memories.stamp(View(home())).memory_seq
            store.backup(tmp_path / f"b{number}.db")
            copy = open_store(tmp_path / f"b{number}.db")
            seqs = [m.seq_from for m in copy.memories.current(View(home()))]
            assert copy.check().problems == ()
            assert copy.mark("six") == store.mark("six")
            copy.close()
            assert seqs == list(range(1, len(seqs) + 1))
            assert len(seqs) >= before
    finally:
        stop.set()
        writer.join()
        store.close()
    assert not [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")]


@pytest.mark.parametrize("taken", ["b.db", "b.db.keys"])
def test_a_backup_never_overwrites(tmp_path: Path, taken: str) -> None:
    """The file in the way may be the only good copy."""
    store = open_store(tmp_path / "a.db")
    (tmp_path / taken).write_text("precious")
    with pytest.raises(StoreUnusable, match="never overwritten"):
        store.backup(tmp_path / "b.db")
    store.close()
    assert (tmp_path / taken).read_text() == "precious"
    assert {p.name for p in tmp_path.iterdir()} == {"a.db", "a.db.keys", taken}


def test_a_backup_into_nowhere_says_where(tmp_path: Path) -> None:
    """And leaves nothing behind."""
    store = open_store(tmp_path / "a.db")
    with pytest.raises(StoreUnusable, match="choose an existing folder"):
        store.backup(tmp_path / "no" / "b.db")
    store.close()


def test_a_database_without_its_key_file_says_what_is_lost(tmp_path: Path) -> None:
    """It opens with a new key, and the check tells, at every start, that marks no longer match."""
    path = tmp_path / "a.db"
    store = open_store(path)
    before = store.mark("six")
    store.close()
    kept = keys_path(path).read_bytes()
    keys_path(path).unlink()
    for _ in range(2):
        store = open_store(path)
        assert "resent messages will not be recognised" in store.check().problems[0]
        assert store.mark("six") != before
        store.close()
    keys_path(path).write_bytes(kept)
    store = open_store(path)
    assert store.check().problems == ()
    assert store.mark("six") == before
    store.close()


def test_a_restored_backup_does_not_bring_back_what_was_erased(tmp_path: Path) -> None:
    """The ledger stayed beside it: its erasures are applied before the first read, and only once."""
    path = tmp_path / "a.db"
    store = open_store(path)
    for person in ("ines", "oskar"):
        for name in ("k1", "k2"):
            remember(store, name, person=person, proposed=f"proposed {name}")
    store.close()
    old = path.read_bytes()
    ledger = Ledger(keys_path(path))
    ledger.append(Erasure("person", ledger.mark(name_of("default", "oskar")), NOW))
    ledger.append(Erasure("memory", ledger.mark(name_of(*_names(home()), "k1")), NOW))
    path.write_bytes(old)
    store = open_store(path)
    assert [m.memory_id for m in store.memories.current(View(home()))] == ["k2"]
    assert [e.memory_id for e in store.memories.journal(View(home()))] == ["k2"]
    assert store.memories.stamp(View(home())).erasures == 1
    assert store.conversations.person(DEFAULT_SPACE, PersonId("oskar")) is None
    assert store.memories.current(View(home("oskar"))) == []
    assert store.check().problems == ()
    remember(store, "k9", person="oskar")
    store.close()
    assert b"fact k1" not in path.read_bytes()
    assert b"proposed k1" not in path.read_bytes()
    store = open_store(path)
    assert [m.memory_id for m in store.memories.current(View(home("oskar")))] == ["k9"]
    store.close()


def test_an_erased_person_leaves_no_vector_of_a_message(tmp_path: Path) -> None:
    """The figures were made of their words, and go with them; another person's stay."""
    path = tmp_path / "a.db"
    store = open_store(path)
    figures = np.array([0.123456, 2.5], np.float32)
    for person in ("ines", "oskar"):
        where, said = home(person), MessageId("m1")
        message = Message(where, MAIN_THREAD, said, None, "user", Redacted("hello"), NOW, "mark")
        thread = Thread(where, MAIN_THREAD, MAIN_TIMELINE, said, None, NOW, NOW)
        store.commit(where.space, where.person, [AddMessage(message), PutThread(thread)])
        due = next(d for d in store.windows.due("e", 9) if d.thread.address == where)
        row = WindowRow(where, said, "wide", "f", figures * (1 if person == "ines" else 7))
        assert store.windows.put("e", due, [row], said)
    store.close()
    ledger = Ledger(keys_path(path))
    ledger.append(Erasure("person", ledger.mark(name_of("default", "oskar")), NOW))
    store = open_store(path)
    assert store.check().counts["windows"] == 1
    assert store.windows.load(home("oskar"), "e", [MAIN_THREAD]) == []
    assert store.windows.stamp(View(home("oskar"))).heads == ()
    assert store.check().problems == ()
    store.close()
    held = path.read_bytes()
    assert figures.tobytes() in held
    assert (figures * 7).tobytes() not in held


def _names(address: Address) -> tuple[str, str, str]:
    return address.space, address.person, address.character


def test_a_ledger_older_than_the_database_is_told(tmp_path: Path) -> None:
    """An old key file put back would forget which erasures there were."""
    path = tmp_path / "a.db"
    open_store(path).close()
    old = keys_path(path).read_bytes()
    Ledger(keys_path(path)).append(Erasure("memory", "00", NOW))
    open_store(path).close()
    keys_path(path).write_bytes(old)
    store = open_store(path)
    assert "fewer erasures" in store.check().problems[0]
    store.close()


def test_a_damaged_database_is_not_called_backed_up(tmp_path: Path) -> None:
    """A copy of the damage, under the name of a backup, is the one that would be trusted later."""
    path = tmp_path / "m.db"
    with_words = open_store(path)
    for n in range(200):
        remember(with_words, f"k{n}")
    with_words.close()
    raw = bytearray(path.read_bytes())
    at = raw.rfind(b"fact k150")
    page = at - at % 4096
    raw[page : page + 8] = bytes(8)
    path.write_bytes(raw)
    store = open_store(path)
    with pytest.raises(StoreError, match="damaged"):
        store.backup(tmp_path / "copy.db")
    store.close()
    assert not list(tmp_path.glob("*copy*"))
