"""What a second reflection proposed so far, one exchange a line in a private file: nothing is asked twice."""

from __future__ import annotations

import json
import os
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


class Draft:
    """Proposals by the first message of their exchange; None where the model's answer could not be used."""

    def __init__(self, path: Path, address: Address, who: str) -> None:
        self.path, self._address = path, address
        self._head = {"draft": FORM, **asdict(address), "who": who}
        self.proposals: dict[str, Proposal | None] = {}

    def load(self, spoken: Words) -> None:
        """Reads what an earlier run left. Errors: `BadInput` when the file is of another person or model."""
        if not self.path.exists():
            return
        lines = self.path.read_text("utf-8").splitlines()
        try:
            head: Any = json.loads(lines[0]) if lines else None
        except ValueError:
            head = None
        if head != self._head:
            raise BadInput(spoken("again.other_draft", file=self.path))
        for line in lines[1:]:
            try:
                self._read(json.loads(line))
            except (KeyError, TypeError, ValueError):
                return  # the last line of a run that was killed: asked again

    def _read(self, values: Mapping[str, Any]) -> None:
        told = values["proposal"]
        self.proposals[values["first"]] = (
            None if told is None else plain.to_proposal(told, self._address)
        )

    def add(self, first: str, proposal: Proposal | None) -> None:
        """Keeps one more, on disk before it returns."""
        self.proposals[first] = proposal
        told = None if proposal is None else plain.of_proposal(proposal)
        fresh = not self.path.exists()
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8") as out:
            lines = [self._head] if fresh else []
            for line in (*lines, {"first": first, "proposal": told}):
                out.write(json.dumps(line, ensure_ascii=False) + "\n")

    def discard(self) -> None:
        """Removes the file: what was accepted stands in the memory, and the words are not kept twice."""
        self.path.unlink(missing_ok=True)
