"""What a second reflection proposed so far, one exchange a line in a private file: nothing is asked twice."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from souvenance import plain
from souvenance.domain import Address, Proposal
from souvenance.errors import BadInput
from souvenance.interfaces.cli.wording import Words

#: The form of the file; another number is another form.
FORM = 1

#: What a line that this file never wrote may raise: other keys, other types, too deep.
_NOT_OURS = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Draft:
    """Proposals by the first message of their exchange; None where the model's answer could not be used."""

    def __init__(self, path: Path, address: Address, who: str, spoken: Words) -> None:
        self.path, self._address, self._spoken = path, address, spoken
        self._head = {"draft": FORM, **asdict(address), "who": who}
        self.proposals: dict[str, Proposal | None] = {}

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
        except _NOT_OURS as error:
            raise BadInput(self._spoken("again.other_draft", file=self.path)) from error
        if not ours:
            raise BadInput(self._spoken("again.other_draft", file=self.path))
        self.proposals = dict(found)

    def _proposal(self, values: Mapping[str, Any]) -> tuple[str, Proposal | None]:
        told = values["proposal"]
        first = plain.record_of(str, values["first"])
        return first, None if told is None else plain.to_proposal(told, self._address)

    def add(self, first: str, proposal: Proposal | None) -> None:
        """Keeps one more, on disk before it returns."""
        told = None if proposal is None else plain.of_proposal(proposal)
        lines = [] if self.proposals else [self._head]
        text = "".join(
            json.dumps(line, ensure_ascii=False) + "\n"
            for line in (*lines, {"first": first, "proposal": told})
        )
        with self.path.open("a", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        self.proposals[first] = proposal

    def discard(self) -> None:
        """Removes the file: what was accepted stands in the memory, and the words are not kept twice."""
        self.path.unlink(missing_ok=True)
