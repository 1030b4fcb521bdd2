"""One call of the command line: its global options, its settings once read, its language and its streams."""

from __future__ import annotations

import getpass
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.text import Text

from souvenance.errors import BadInput, Unknown
from souvenance.interfaces.cli.safe import as_json
from souvenance.interfaces.cli.wording import Language, Words, chosen, early, words

if TYPE_CHECKING:
    import typer

    from souvenance.curate.hand import Hand
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.ports import Store
    from souvenance.settings import Loaded, Settings
    from souvenance.turn import Talk

#: Columns when the output is not a terminal and COLUMNS is not set: room for one memory on a line.
_PIPE_WIDTH = 160
#: The longest name of a person, character or thread, in characters. Chosen, not measured.
_MAX_NAME = 200
_SHIPPED: dict[Language, str] = {"fr": "mira", "en": "wren"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What `--person`, `--character` and `--thread` said; None where nothing was said."""

    person: str | None = None
    character: str | None = None
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class Who:
    """Whose conversation: what `--person`, `--character` and `--thread` say, defaults filled in."""

    person: str
    character: str
    thread: str


class Invocation:
    """What every command starts from. Settings are read on first use, so that `--help` never does."""

    def __init__(
        self, *, config: Path | None = None, verbose: bool = False, **flags: str | None
    ) -> None:
        self._config, self._verbose, self._flags = config, verbose, flags
        self.language: Language = early(["--lang", flags.get("language") or ""])
        self.out = _console(sys.stdout)
        self.err = _console(sys.stderr, stderr=True)

    @cached_property
    def loaded(self) -> Loaded:
        """The settings and their origins. Errors: `BadSetting`."""
        from souvenance.settings import load

        loaded = load(file=self._config, flags=self._flags)
        self.language = chosen(loaded.settings.language)
        return loaded

    @property
    def settings_file(self) -> Path:
        """The settings file in force, `./souvenance.toml` when there is none yet."""
        from souvenance.settings import file_in_force

        return file_in_force(self._config)

    def take(self, key: str, value: str | None) -> None:
        """Takes a setting from a flag of one command; None counts as not given."""
        self._flags[key] = value
        vars(self).pop("loaded", None)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.loaded.settings

    @property
    def words(self) -> Words:
        """The messages in the person's language."""
        return words(self.language)

    def who(self, asked: Asked) -> Who:
        """Whose conversation the options mean. Errors: `BadInput` for an empty or unprintable name."""
        _ = self.settings  # the language of the settings decides who answers
        defaults = (_os_user(), _SHIPPED[self.language], "main")
        given = (asked.person, asked.character, asked.thread)
        names = ("--person", "--character", "--thread")
        return Who(
            *(
                self._name(value if value is not None else default, option)
                for value, default, option in zip(given, defaults, names, strict=True)
            )
        )

    def _name(self, value: str, option: str) -> str:
        if not value.strip() or not value.isprintable() or len(value) > _MAX_NAME:
            raise BadInput(self.words("who.bad_name", option=option, most=_MAX_NAME))
        if option == "--thread":
            self.require_plain(value)
        return value

    def require_plain(self, thread: str) -> None:
        """Returns when a thread's name, which is stored as typed, holds no identifier. Errors: `BadInput`."""
        from souvenance.write.filters.identifiers import redact

        if thread != "main" and redact(thread).found:
            raise BadInput(self.words("who.private_name"))

    @contextmanager
    def engine(
        self, settings: Settings | None = None, store: Store | None = None
    ) -> Iterator[Driven]:
        """The engine over the database in force, or over a store that is given; closed at the end."""
        from souvenance.interfaces.cli import logs
        from souvenance.interfaces.cli.driven import driven

        settings = settings or self.settings
        logs.configure(verbose=self._verbose)
        with driven(settings, store) as running:
            yield running

    @contextmanager
    def reading(self) -> Iterator[Driven]:
        """The engine over the database in force, or over an empty one where there is none: looking must not make it."""
        from souvenance.stores.memory import MemoryStore

        store = None if self.settings.database.exists() else MemoryStore()
        with self.engine(store=store) as running:
            yield running

    def require_database(self) -> Path:
        """The database in force. Errors: `BadInput` when there is none: reading must not make one."""
        path = self.settings.database
        if not path.exists():
            raise BadInput(self.words("db.none", file=path))
        return path

    @contextmanager
    def talk(self, asked: Asked, *, begins: bool = False) -> Iterator[tuple[Driven, Talk]]:
        """The conversation that was asked for; `begins`: the database and the person may be new.

        Errors: `Unknown` for a thread that was named and is not there, `BadInput` where there is no database.
        """
        from souvenance.interfaces.cli import nobody

        who = self.who(asked)
        if not begins:
            self.require_database()
        with self.engine() as running:
            talk = running.engine.thread(who.person, who.character, who.thread)
            if asked.thread is not None and not running.wait(talk.exists()):
                raise Unknown(self.words("who.no_thread", **asdict(who)))
            yield running, talk
            if not begins and (line := nobody.hint(self, running, who.person)):
                self.note(line)

    @staticmethod
    def hand(talk: Talk, asked_thread: str | None) -> Hand:
        """The hand on the memories of the thread that was named, of all of them when none was."""
        return talk.memories if asked_thread is not None else talk.memories.everywhere()

    def options_typed(self) -> str:
        """The options that lead to the same database, as typed before a command; empty, or with a space after."""
        given = {f"--{name}": self._flags.get(name) for name in ("database", "space")}
        given["--config"] = str(self._config) if self._config else None
        return "".join(f"{name} {shlex.quote(value)} " for name, value in given.items() if value)

    # --- saying things ------------------------------------------------------------------------

    def show(self, *things: RenderableType, style: str = "") -> None:
        """Writes data to standard output."""
        for thing in things or ("",):
            self.out.print(Text(thing) if isinstance(thing, str) else thing, style=style)

    def quiet(self, text: str) -> None:
        """Writes a dim line to standard output."""
        self.out.print(Text(text), style="dim")

    def note(self, text: str) -> None:
        """Writes a remark to standard error, out of the way of data."""
        self.err.print(Text(text), style="dim")

    def json(self, value: Any) -> None:
        """Writes one JSON object to standard output."""
        sys.stdout.write(as_json(value) + "\n")


def invocation(ctx: typer.Context) -> Invocation:
    """The call a command belongs to."""
    found = ctx.find_object(Invocation)
    assert found is not None, "the root callback makes it"
    return found


def _console(stream: Any, *, stderr: bool = False) -> Console:
    """A console that obeys no markup and colours no figures: stored text is only ever text."""
    width = None
    if not stream.isatty():
        width = (
            int(os.environ["COLUMNS"]) if os.environ.get("COLUMNS", "").isdigit() else _PIPE_WIDTH
        )
    return Console(
        stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=False, width=width
    )


def _os_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "me"
