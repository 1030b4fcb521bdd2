"""Where errors stop: each becomes one sentence on standard error and an exit code.

0 done · 1 something failed, or `doctor` found a problem · 2 what was given cannot be used · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from souvenance.errors import BadInput, NewerDatabase, SouvenanceError, StoreUnusable
from souvenance.interfaces.cli.said import ended, error_text
from souvenance.interfaces.cli.usage import usage_lines
from souvenance.interfaces.cli.wording import Words, early, words

#: Options of the root that may also be typed after the command; True when they take a value.
GLOBAL_OPTIONS = {
    "--database": True,
    "--db": True,
    "--config": True,
    "--lang": True,
    "--space": True,
    "--verbose": False,
}

#: What the person can mend by giving something else.
_GIVEN = (BadInput, NewerDatabase, StoreUnusable)

INTERRUPTED = 130
_BROKEN_PIPE = 141

#: Typer's own errors about options know how to show themselves; they are let through.
_USAGE: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


class Border(TyperGroup):
    """The root group: reads the language first, and lets no traceback through."""

    _spoken = words(early(()))  # until the arguments are known

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Runs one command line, global options accepted anywhere, help in the person's language."""
        given = hoist(sys.argv[1:] if args is None else args)
        language = words(early(given))
        localise(self, language)
        self._spoken = language
        try:
            return super().main(given, *rest, **extra)
        finally:
            _flush()

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """The context of the root, or a usage error in the person's language."""
        try:
            return super().make_context(*args, **extra)
        except _USAGE as error:
            raise self._said(error) from None

    def _said(self, error: Exception) -> Exception:
        """The same error, which shows itself in the person's language."""
        spoken = self._spoken

        def show(file: Any = None) -> None:
            print(*usage_lines(error, spoken), sep="\n", file=file or sys.stderr)

        # The usage of a group alone is its help, and that shows itself.
        if type(error).__name__ != "NoArgsIsHelpError":
            error.show = show  # type: ignore[attr-defined]
        return error

    def invoke(self, ctx: Any) -> Any:
        """The command's own outcome, or an exit with a sentence on standard error."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except _USAGE as error:
            raise self._said(error) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            _silence()
            raise typer.Exit(_BROKEN_PIPE) from None
        except Exception as error:  # noqa: BLE001 - the border: the person gets a sentence and a code
            if os.environ.get("SOUVENANCE_DEBUG") == "1":
                traceback.print_exc()
            spoken = words(getattr(ctx.obj, "language", None) or early(sys.argv[1:]))
            print(sentence(error, spoken), file=sys.stderr)  # noqa: T201 - works when nothing else does
            raise typer.Exit(2 if isinstance(error, _GIVEN) else 1) from None


def sentence(error: Exception, spoken: Words) -> str:
    """One line that says what went wrong; an unexpected error names the file that says where."""
    if isinstance(error, SouvenanceError):
        return ended(error_text(error, spoken))
    name = type(error).__name__
    log = _write_log(error)
    key = "error.unexpected" if log else "error.unexpected_unlogged"
    return spoken(key, name=name, log=str(log))


def hoist(args: Sequence[str]) -> list[str]:
    """The arguments with the global options first, wherever they stood before `--`."""
    front: list[str] = []
    rest: list[str] = []
    waiting = list(args)
    while waiting:
        arg = waiting.pop(0)
        name, equals, _ = arg.partition("=")
        if arg == "--":
            return [*front, *rest, arg, *waiting]
        if name not in GLOBAL_OPTIONS or (equals and not GLOBAL_OPTIONS[name]):
            rest.append(arg)
            continue
        front.append(arg)
        if GLOBAL_OPTIONS[name] and not equals and waiting:
            front.append(waiting.pop(0))
    return front + rest


def localise(command: Any, spoken: Words) -> None:
    """Replaces the help keys of a command, its options and its subcommands by sentences."""
    for thing in (command, *command.params):
        key = getattr(thing, "help", None)
        if key:
            thing.help = spoken.get(f"help.{key}", key)
    if command.epilog:
        command.epilog = spoken.get(f"help.{command.epilog}", command.epilog)
    for child in getattr(command, "commands", {}).values():
        localise(child, spoken)


def _write_log(error: Exception) -> Path | None:
    """Appends where it happened to the log file, without the message: it may quote what was said."""
    from platformdirs import user_log_path

    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{type(error).__module__}.{type(error).__qualname__}"]
    lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    path = user_log_path("souvenance") / "souvenance.log"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a") as log:
            log.write("\n".join(lines) + "\n")
    except OSError:
        return None
    return path


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except (OSError, ValueError):
        return


def _silence() -> None:
    """Points standard output nowhere, so that nothing complains while the interpreter ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
