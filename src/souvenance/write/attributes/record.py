"""The record of one reading: whose attribute has which value, whether it holds now, and how many may stand.

The list of attributes is closed, so that two tellings of one thing carry one name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["now", "ended", "past", "upcoming"]

#: Attributes that have one value at a time: told anew, the new value takes the place of the old one.
SINGLE = frozenset({
    "name", "nickname", "age", "birthday", "birth_year", "city", "region", "country", "address",
    "job", "employer", "school", "studies", "partner", "relationship", "children", "siblings",
    "diet", "budget", "salary", "amount", "deal", "appointment", "car", "phone",
})  # fmt: skip

#: Attributes that have many values at a time: two of them both stand.
MANY = frozenset({
    "child", "pet", "allergy", "condition", "medication", "diet_rule", "language", "hobby",
    "figure",
})  # fmt: skip

#: Attributes that say when or how much: their values are compared figure by figure, never as one detailing another.
MEASURED = frozenset({
    "age", "birthday", "birth_year", "children", "siblings", "budget", "salary", "amount", "deal",
    "appointment", "figure",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attribute:
    """One value that a sentence gives to somebody.

    `entity` is "person", or somebody or something of theirs: "person/sister", "person/cat:gaufrette".
    `subject` is what a budget, an appointment or a deal is of, folded; empty when nothing is said.
    `single`: said plainly enough that it takes the place of another value of the same thing.
    `corrects`: the sentence says that it takes something back ("no", "en fait").
    """

    entity: str
    attribute: str
    value: str
    single: bool
    state: State = "now"
    corrects: bool = False
    subject: str = ""

    @property
    def key(self) -> str:
        """The attribute with its subject, in one word: what a memory carries."""
        return f"{self.attribute}/{self.subject}" if self.subject else self.attribute
