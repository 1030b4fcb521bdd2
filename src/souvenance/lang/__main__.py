"""`python -m souvenance.lang CODE`: how far a language's folder is, beside English: what is there, missing, or odd."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from souvenance.lang import codes, fold, folder, load


@dataclass(frozen=True, slots=True)
class Progress:
    """One list: what it is for (its first comment in English), its entries here and in English, and what is odd.

    `needless` is a list without entries that says so in a comment: `# None.`
    """

    name: str
    purpose: str
    entries: int
    in_english: int
    odd: tuple[str, ...]
    needless: bool = False

    @property
    def missing(self) -> bool:
        """Whether English has words for it and this language has none, nor says that it needs none."""
        return not self.entries and bool(self.in_english) and not self.needless


def progress(code: str, where: Traversable | None = None) -> list[Progress]:
    """Every list that English or the language has, in order of name. Errors: `FileNotFoundError` without a folder."""
    here = where or folder(code)
    english = files("souvenance.lang") / "en"
    mine = {f.name: f.read_text("utf-8") for f in here.iterdir() if f.name.endswith(".txt")}
    theirs = {f.name: f.read_text("utf-8") for f in english.iterdir() if f.name.endswith(".txt")}
    return [
        Progress(
            name.removesuffix(".txt"),
            _purpose(theirs.get(name) or mine[name]),
            len(_entries(mine.get(name, ""))),
            len(_entries(theirs.get(name, ""))),
            tuple(_oddities(mine.get(name, ""))),
            "# None." in mine.get(name, "").splitlines(),
        )
        for name in sorted({*mine, *theirs})
    ]


def _purpose(text: str) -> str:
    first = text.splitlines()[0] if text else ""
    return first.removeprefix("#").strip() if first.startswith("#") else ""


def _entries(text: str) -> list[str]:
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _oddities(text: str) -> Iterator[str]:
    """Entries that are one once folded: accents do not tell two words of a list apart ("des", "dès")."""
    seen: dict[str, str] = {}
    for entry in _entries(text):
        key = fold(entry)
        if key in seen and seen[key] != entry:
            yield f"{seen[key]} = {entry}"
        elif key in seen:
            yield f"{entry} twice"
        seen[key] = entry


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; 1 when a list that English fills is missing, or empty without a word."""
    parser = argparse.ArgumentParser(prog="python -m souvenance.lang", description=__doc__)
    parser.add_argument(
        "code",
        help=f"a folder of souvenance/lang, or the path of another; now: {', '.join(codes())}",
    )
    code = parser.parse_args(arguments).code
    where = Path(code) if os.sep in code else folder(code)
    if not where.is_dir():
        parser.error(f"there is no folder {code!r}; copy `en`, then empty its lists one by one")
    try:
        described = load(where.name, where)
    except ValueError as error:
        parser.error(str(error))
    found = progress(code, where)
    for one in found:
        odd = f"  ({', '.join(one.odd)})" if one.odd else ""
        mark = "-" if one.missing else " "
        sys.stdout.write(
            f"{mark} {one.entries:4} {one.in_english:4}  {one.name:28} {one.purpose}{odd}\n"
        )
    for name, table in (("everyday.toml", described.everyday), ("[voice]", described.voice)):
        sys.stdout.write(f"{name}: {len(table) or 'no'} entries\n")
    missing = sum(one.missing for one in found)
    sys.stdout.write(
        f"{len(found) - missing} of {len(found)} lists have words or need none; - marks the others.\n"
    )
    return 1 if missing else 0


def _run() -> int:
    """What `main` returns; a reader that has read enough (`| head`) ends it quietly."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    return code


#: As a program that SIGPIPE ended.
_BROKEN_PIPE = 141


if __name__ == "__main__":
    sys.exit(_run())
