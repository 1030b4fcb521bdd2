"""What is known of a clause while its words are read one after the other, and what is left of each: its sign.

`signs` moves it along; nothing here decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from souvenance.lang import Language
from souvenance.write.filters.listed import at, heads

OfExceptions = Literal["turns", "open", "stands"]


@dataclass(frozen=True, slots=True)
class Sign:
    """One content word. `holds`: 1 affirmed, -1 denied, 0 unknown.

    `liked`: 1 wanted, -1 unwanted, None when no verb of liking governs it. `liking`: it is such a verb.
    `carried`: a pronoun of its clause stands for it; it was said in the clause before. `owned`: what is denied
    is done to it, and it is there all the same ("wouldn't trade my cat").
    """

    stem: str
    holds: int
    liked: int | None = None
    liking: bool = False
    carried: bool = False
    owned: bool = False


#: The lists of which an entry changes how a clause is read.
READ = (
    "clause_joins",
    "cleft_words",
    "complement_words",
    "conjunctions",
    "endings",
    "factives",
    "height_frames",
    "height_openers",
    "heights",
    "lessening",
    "likings",
    "negation_opens",
    "negation_turns",
    "negation_words",
    "no_negation",
    "not_so_much",
    "only_words",
    "other_than",
    "over_words",
    "skippings",
    "subject_words",
    "subordinators",
    "withholding",
    "wonderings",
)


@lru_cache(maxsize=8)
def opening(code: str) -> Mapping[str, frozenset[str]]:
    """Which of these lists a word opens an entry of."""
    return heads(code, READ)


@dataclass(slots=True)
class Reader:
    """The state of reading one clause."""

    words: Language
    said: Sequence[str]
    done: list[list[Sign]]
    heads: Mapping[str, frozenset[str]]  # which lists a word opens an entry of
    exception: OfExceptions = "turns"
    signs: list[Sign] = field(default_factory=list)
    since: int = 0  # signs before this belong to an earlier verb of the clause
    holds: int = 1
    liked: int | None = None
    opened: bool = False  # a "ne" waits for its second half
    opened_at: int = 0  # signs before the "ne"
    denied: bool = False  # a negation was read in this clause
    heightened: bool = False  # "rien ne … plus que": neither half denies
    rather: bool = False  # "not so much … as": what follows "as" is affirmed
    lowest: bool = False  # "never … less": as denied as can be
    factive: bool = False
    pointed: bool = False  # "it isn't the cold I …": the verb is about something else
    wonders: bool = False  # what is asked is neither affirmed nor denied
    without: int | None = None  # number of signs when a "sans" opened: it reaches one thing

    def word(self, i: int, name: str) -> int:
        if name not in self.heads.get(self.said[i], ()):
            return 0
        return at(self.said, i, self.words, name)

    def next_clause(self) -> None:
        if self.signs:
            self.done.append(self.signs)
        self.wonders = False
        self.signs, self.since, self.holds, self.liked = [], 0, 1, None
        self.opened = self.denied = self.factive = self.lowest = self.heightened = False
        self.without, self.pointed = None, False

    def open_exception(self) -> None:
        """What stood before holds but for what follows, so neither is held against anybody there."""
        before = self.signs or (self.done[-1] if self.done else [])
        denied = any(s.holds < 0 for s in before)
        if self.exception != "stands":
            before[:] = [replace(s, holds=0) for s in before]
        self.next_clause()
        self.holds = (1 if denied else -1) if self.exception == "turns" else 0

    def deny(self) -> None:
        """A negation starts here: what stood before it in the clause is out of its sure reach."""
        if not self.denied or self.since:
            self.signs = [replace(s, holds=0) for s in self.signs]
        self.holds = -self.holds if self.holds else -1
        self.denied = True
