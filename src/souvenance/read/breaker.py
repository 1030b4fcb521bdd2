"""Stops asking an embedder that keeps failing, and lets one probe at a time find out that it is back.

Without it every turn would wait for the whole deadline while a server is down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: Failures in a row that open it when each costs a person nothing; one that cost a deadline opens it at once,
#: so that nobody waits for it twice. Chosen, not measured: a quick failure may be chance.
FAILURES_TO_OPEN = 2

#: Seconds it stays open the first time, what each failed probe multiplies them by, and their limit.
#: Chosen, not measured: one late answer of a busy machine costs two seconds of plainer turns, and the limit
#: leaves a probe time to end within a minute of the server's return.
FIRST_PAUSE_S = 2.0
GROWTH = 2.0
LONGEST_PAUSE_S = 55.0


@dataclass(slots=True)
class Breaker:
    """Closed: ask. Open: do not. When the pause is over, `may_probe` gives one caller the right to ask aside.

    Times are seconds of any clock that never goes back, always given by the caller.
    """

    failures: int = 0
    pause_s: float = 0.0
    opened_at: float | None = None
    probing: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a turn must do without."""
        return self.opened_at is not None

    @property
    def state(self) -> Literal["closed", "open", "half-open"]:
        """As people name it; half-open while a probe is out."""
        if self.opened_at is None:
            return "closed"
        return "half-open" if self.probing else "open"

    def may_probe(self, now: float) -> bool:
        """True for one caller once the pause is over; that caller then reports a success or a failure."""
        if self.opened_at is None or self.probing or now - self.opened_at < self.pause_s:
            return False
        self.probing = True
        return True

    def succeeded(self) -> None:
        """Closes it."""
        self.failures, self.pause_s, self.opened_at, self.probing = 0, 0.0, None, False

    def failed(self, now: float, *, waited: bool = False) -> None:
        """Counts a failure; opens at the second in a row, or at the first that somebody `waited` for.

        Opens for longer after a failed probe. A failure that arrives while it is open and nobody probes was asked before it opened: it changes nothing.
        """
        self.failures += 1
        if self.opened_at is None and (waited or self.failures >= FAILURES_TO_OPEN):
            self.opened_at, self.pause_s = now, FIRST_PAUSE_S
        elif self.probing:
            self.opened_at, self.pause_s = now, min(self.pause_s * GROWTH, LONGEST_PAUSE_S)
            self.probing = False
