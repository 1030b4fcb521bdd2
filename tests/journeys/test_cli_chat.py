"""A conversation at a real terminal (a pty), with a scripted model behind it."""

from __future__ import annotations

import codecs
import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from souvenance.models.scripted import Fail, Hang, Say, ScriptedServer, Stream, closed_url

#: Colours, and clearing the line of an empty prompt: all that we ever send.
_OURS = re.compile(r"\x1b\[[0-9;]*m|\r\x1b\[2K|\x1b\[\?2004[hl]")

HOSTILE = "owl \x1b]0;owned\x07 \x1b]8;;http://evil.test\x1b\\link \x9b31m \u202ekcab [bold red]x[/] \x08\x0e end"


#: The command in a session of its own, whose controlling terminal is the pty: Ctrl-C is then a signal.
#: Not `pty.fork`: a fork of a process with threads may never reach its exec.
_COMMAND = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from souvenance.interfaces.cli.app import main
main()
"""


class Terminal:
    """A command at a pty: what it shows, and what is typed into it."""

    def __init__(self, args: list[str], env: dict[str, str]) -> None:
        self.shown = ""
        self._read = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._fd, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND, *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, **env},
        )
        os.close(theirs)

    def type(self, text: str) -> None:
        """Sends keys."""
        os.write(self._fd, text.encode())

    def until(self, piece: str, timeout_s: float = 30.0) -> str:
        """What is shown from the last place up to `piece`."""
        end = time.monotonic() + timeout_s
        while piece not in self.shown[self._read :]:
            assert time.monotonic() < end, f"no {piece!r} in {self.shown[self._read :]!r}"
            assert self._more(), f"ended without {piece!r}: {self.shown[self._read :]!r}"
        start, self._read = self._read, self.shown.index(piece, self._read) + len(piece)
        return self.shown[start : self._read]

    def end(self, timeout_s: float = 30.0) -> int:
        """Reads what is left and returns the exit code."""
        end = time.monotonic() + timeout_s
        while self._more():
            assert time.monotonic() < end, f"still running after {self.shown[-400:]!r}"
        return self._process.wait(timeout_s)

    def stop(self) -> None:
        """Ends it whatever it does."""
        self._process.kill()
        self._process.wait()
        os.close(self._fd)

    def _more(self) -> bool:
        if not select.select([self._fd], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self._fd, 65536)
        except OSError:  # the other side is closed
            return False
        self.shown += self._decoder.decode(data)
        return bool(data)


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    """Opens commands at a pty over one database, in English; ends them after the test."""
    opened: list[Terminal] = []

    def start(*args: str, server: ScriptedServer | None = None, **env: str) -> Terminal:
        given = {
            "SOUVENANCE_DATABASE": str(tmp_path / "memory.db"),
            "SOUVENANCE_EMBEDDER_KIND": "none",
            "SOUVENANCE_REFLECTION_IDLE_S": "0.1",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
            "COLUMNS": "120",
            "INPUTRC": "/dev/null",
        }
        if server is not None:
            given |= {"SOUVENANCE_CHAT_URL": server.url, "SOUVENANCE_CHAT_MODEL": "scripted"}
        opened.append(Terminal(list(args), given | env))
        return opened[-1]

    yield start
    for one in opened:
        one.stop()


def _reflection(*texts: tuple[str, str]) -> Say:
    candidates = [
        {
            "text": text,
            "kind": "fact",
            "scope": "global",
            "confidence": 0.9,
            "importance": 3,
            "quote": quote,
        }
        for text, quote in texts
    ]
    return Say(json.dumps({"reasoning": "The person says it.", "candidates": candidates}))


def test_the_reply_streams_and_what_is_noted_is_told_before_the_next_word(terminal: Open) -> None:
    """The whole of it: greeting, reply in pieces, the note, the first-note notice, /why, /quit."""
    script = [
        Stream(["Bees", " like", " Truro."], delay_s=0.02),
        _reflection(("Ines keeps bees.", "I keep bees")),
        Say("Two hives."),
        _reflection(),
    ]
    with ScriptedServer(script) as server:
        chat = terminal("chat", "-p", "ines", server=server)
        assert "Kettle's on" in chat.until("you ›")
        chat.type("I keep bees on the roof.\n")
        assert "Wren › " in chat.until("Bees like Truro.")
        assert "Ines keeps bees." in chat.until("first thing Wren notes about you")
        chat.until("you ›")
        chat.type("Do you remember what I keep?\n")
        chat.until("Two hives.")
        chat.until("you ›")
        chat.type("/why\n")
        assert "Ines keeps bees." in chat.until("known everywhere")
        chat.type("/quit\n")
        assert chat.end() == 0
        assert "first thing" not in chat.shown.split("Two hives.")[1]


def test_slash_commands_correct_and_switch_off(terminal: Open) -> None:
    """The person's hand is one line away, and a mistyped command gets a hint, not an answer."""
    chat = terminal("chat", "-p", "ines")
    chat.until("No chat model")
    chat.until("you ›")
    chat.type("I keep bees on the roof.\n")
    identity = re.search(r"\[([0-9a-f]+)\]", chat.until("]", 30).replace("]", "]"))
    assert identity is not None
    for typed, answer in [
        (f"/edit {identity[1]} I keep two hives.", "Edited"),
        (f"/pin {identity[1][:5]}", "Pinned"),
        ("/memories", "I keep two hives."),
        ("/pim x", "Did you mean /pin?"),
        ("/pin", "Write it as /pin ID"),
        ("/forget nobody", "No memory “nobody” here; /memories shows the ids"),
        ("/off", "Memory is off"),
        ("My sister is called Odile.", "Memory is off"),
        ("/on", "Memory is on"),
        ("/new garden", "New thread: garden"),
        (f"/memories {identity[1][:5]}", "1 memory"),
        ("/edit", "Write it as /edit ID new text."),
        (f"/forget {identity[1]}", f"/restore {identity[1]} undoes it"),
        (f"/forget {identity[1]}", "already"),
        (f"/pin {identity[1]}", "restore it first"),
        ("/memories", "0 memories"),
        ("/help", "/quit"),
    ]:
        chat.until("you ›")
        chat.type(typed + "\n")
        chat.until(answer)
    chat.until("you ›")  # typed before the line editor is ready, Ctrl-D would be no end of file
    chat.type("\x04")
    assert chat.end() == 0
    assert "noted: My sister" not in chat.shown


def test_without_a_model_the_memory_block_is_explained_once(terminal: Open) -> None:
    """The same preamble at every turn would bury the lines that change."""
    chat = terminal("chat", "-p", "ines")
    chat.until("you ›")
    chat.type("I keep bees on the roof.\n")
    chat.until("noted:")
    for question in ("What about my bees?", "And the roof?"):
        chat.until("you ›")
        chat.type(question + "\n")
        chat.until("- [fact] I keep bees on the roof.")
    chat.until("you ›")
    chat.type("/quit\n")
    assert chat.end() == 0
    assert chat.shown.count("<souvenance-memory>") == 1


def test_ctrl_c_stops_a_reply_and_then_leaves_with_130_and_nothing_is_lost(
    terminal: Open, tmp_path: Path
) -> None:
    """What the person typed before they lost patience is theirs, and is reflected on later."""
    with ScriptedServer([Stream(["It was", " a long", " story"] * 200, delay_s=0.1)]) as server:
        chat = terminal("chat", "-p", "ines", server=server)
        chat.until("you ›")
        chat.type("I keep bees on the roof.\n")
        chat.until("a long")
        chat.type("\x03")
        chat.until("Stopped")
        chat.until("you ›")
        chat.type("\x03")
        assert chat.end() == 130
        assert "Traceback" not in chat.shown
    listed = terminal("threads", "-p", "ines", "--json")
    assert '"main"' in listed.until("}")


def test_a_dead_model_costs_a_sentence_and_not_the_conversation(terminal: Open) -> None:
    """The server fails once: the person is told, and the next message works."""
    with ScriptedServer([Fail(503), Fail(503), Say("Here again.")]) as server:
        chat = terminal("chat", "-p", "ines", server=server)
        chat.until("you ›")
        chat.type("Hello?\n")
        failure = chat.until("you ›")
        assert "Traceback" not in failure
        assert "503" in failure or "unavailable" in failure.lower()
        chat.type("/quit\n")
        assert chat.end() == 0


def test_a_hostile_reply_and_a_hostile_memory_cannot_act_on_the_terminal(terminal: Open) -> None:
    """F3: over a conversation and every listing, the only escape sequences are colours and our own prompt's."""
    script = [
        Say(HOSTILE),
        _reflection((f"Ines saw {HOSTILE}", "I saw an owl")),
        Say("Yes."),
        _reflection(),
    ]
    with ScriptedServer(script) as server:
        chat = terminal("chat", "-p", "ines", server=server)
        chat.until("you ›")
        chat.type("I saw an owl\n")
        chat.until("link")
        chat.until("you ›")
        time.sleep(0.5)
        chat.type("/memories\n/why\n/quit\n")
        assert chat.end() == 0
    terminal("memories", "add", HOSTILE, "-p", "ines").end()
    shown = chat.shown
    for args in (
        ["memories", "list"],
        ["memories", "dropped"],
        ["context", "owl"],
        ["context", "owl", "--json"],
    ):
        listing = terminal(*args, "-p", "ines")
        assert listing.end() == 0
        shown += listing.shown
    assert "link" in shown
    for char in ("\x1b", "\x07", "\x9b", "\u202e", "\x08", "\x0e"):
        assert char not in _OURS.sub("", shown), repr(char)
    assert "[bold red]x[/]" in shown


def test_a_degraded_turn_is_marked_with_its_reason(terminal: Open) -> None:
    """Memory came without scores: the person sees it, and why."""
    embedder = {"SOUVENANCE_EMBEDDER_KIND": "openai", "SOUVENANCE_EMBEDDER_MODEL": "scripted"}
    with ScriptedServer([], embeddings=[]) as server:
        url = {"SOUVENANCE_EMBEDDER_URL": server.url}
        assert (
            terminal("memories", "add", "I keep bees.", "-p", "ines", **embedder, **url).end() == 0
        )
        assert terminal("context", "bees", "-p", "ines", **embedder, **url).end() == 0
        server.embeddings.extend([Hang(30), Hang(30)])
        chat = terminal(
            "chat", "-p", "ines", **embedder, **url, SOUVENANCE_TURN_EMBEDDING_DEADLINE_S="0.3"
        )
        chat.until("you ›")
        chat.type("What do I keep?\n")
        assert "did not answer in time" in chat.until("degraded turn") + chat.until("\n")
        chat.type("/quit\n")
        assert chat.end() == 0


def test_colours_are_left_out_when_the_person_asks(terminal: Open) -> None:
    """NO_COLOR is a promise of many programs."""
    terminal("memories", "add", "I keep bees.", "-p", "ines").end()
    listing = terminal(
        "doctor", NO_COLOR="1", SOUVENANCE_CHAT_URL=closed_url(), SOUVENANCE_CHAT_MODEL="x"
    )
    assert listing.end() == 1
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|4[0-7]|9[0-7])m", listing.shown)
