"""What a second reflection proposed so far, one exchange a line in a private file: nothing is asked twice."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from souvenance import plain
from souvenance.domain import Address, Proposal
from souvenance.errors import BadInput
from souvenance.interfaces.cli.wording import Words

#: The form of the file; another number is another form.
FORM = 1


class Draft:
    """Proposals by the first message of their exchange; None where the model's answer could not be used.

    Each stands with a keyed hash of the words it was made from: when a message loses a piece of an identifier, what was
    proposed before is removed from the file and asked again.
    """

    def __init__(self, path: Path, address: Address, who: str, spoken: Words) -> None:
        self.path, self._address, self._spoken = path, address, spoken
        self._head = {"draft": FORM, **asdict(address), "who": who}
        self.proposals: dict[str, Proposal | None] = {}
        self._words: dict[str, str] = {}

    def load(self) -> None:
        """Reads what an earlier run left, and makes sure that more can be kept before a model is asked.

        A last line cut short by a kill is cut off. Errors: `BadInput` when the file is of another person, model or
        prompt, is no draft, or cannot be written.
        """
        try:
            handle = os.open(
                self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600
            )
        except OSError as error:
            why = error.strerror or str(error)
            raise BadInput(self._spoken("again.no_draft", file=self.path, why=why)) from error
        with os.fdopen(handle, "r+b") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadInput(self._spoken("again.other_draft", file=self.path))
            whole, _, torn = file.read().rpartition(b"\n")
            if whole:
                self._read(whole)
            if torn:
                file.truncate(len(whole) + 1 if whole else 0)

    def _read(self, whole: bytes) -> None:
        try:
            head, *lines = whole.decode("utf-8").split("\n")
            ours = json.loads(head) == self._head
            found = [self._proposal(json.loads(line)) for line in lines] if ours else []
        except plain.NOT_OURS as error:
            raise BadInput(self._spoken("again.other_draft", file=self.path)) from error
        if not ours:
            raise BadInput(self._spoken("again.other_draft", file=self.path))
        self.proposals = {first: proposal for first, _, proposal in found}
        self._words = {first: words for first, words, _ in found}

    def _proposal(self, values: Mapping[str, Any]) -> tuple[str, str, Proposal | None]:
        told = values["proposal"]
        first = plain.record_of(str, values["first"])
        words = plain.record_of(str, values.get("words", ""))
        return first, words, None if told is None else plain.to_proposal(told, self._address)

    def keep(self, words: Mapping[str, str]) -> None:
        """Drops, from the file too, what was proposed on other words than these (by first message), or on none."""
        stale = [f for f in self.proposals if words.get(f) != self._words[f]]
        if not stale:
            return
        for first in stale:
            del self.proposals[first], self._words[first]
        beside = self.path.with_name(self.path.name + ".new")
        beside.unlink(missing_ok=True)
        beside.touch(0o600)
        head = [self._head] if self.proposals else []
        kept = [_line(f, proposal, self._words[f]) for f, proposal in self.proposals.items()]
        _append(beside, [*head, *kept])
        beside.replace(self.path)

    def add(self, first: str, proposal: Proposal | None, words: str) -> None:
        """Keeps one more, made from these words; on disk before it returns."""
        head = [] if self.proposals else [self._head]
        _append(self.path, [*head, _line(first, proposal, words)])
        self.proposals[first], self._words[first] = proposal, words

    def discard(self) -> None:
        """Removes the file: what was accepted stands in the memory, and the words are not kept twice."""
        self.path.unlink(missing_ok=True)


def _line(first: str, proposal: Proposal | None, words: str) -> dict[str, Any]:
    told = None if proposal is None else plain.of_proposal(proposal)
    return {"first": first, "words": words, "proposal": told}


def _append(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    """Puts lines at the end of the file, on disk before it returns."""
    with path.open("a", encoding="utf-8") as out:
        out.write("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        out.flush()
        os.fsync(out.fileno())
