"""Who there is, when nobody of the asked name is: a typing mistake in `--person` looks like an empty memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.interfaces.cli.invocation import Invocation

#: People named in the hint; the others are counted. Chosen, not measured: one line or two.
_NAMED = 10


def hint(call: Invocation, running: Driven, person: str) -> str | None:
    """A line with the people that there are; None when the person is one of them."""
    people, who = _people(call, running), one_line(person)
    if person in people:
        return None
    if not people:
        return call.words("nobody.alone", person=who)
    return call.words("nobody.here", person=who, people=_named(call, running, people))


def others(call: Invocation, running: Driven, person: str) -> str | None:
    """A line with the people that there are beside one who has no thread; None when there is nobody else."""
    people = [one for one in _people(call, running) if one != person]
    return call.words("nobody.others", people=_named(call, running, people)) if people else None


def _people(call: Invocation, running: Driven) -> list[str]:
    from souvenance.domain import Space

    store = running.engine.store.conversations
    return [one.person for one in store.people(Space(call.settings.space))]


def _named(call: Invocation, running: Driven, people: list[str]) -> str:
    """The people with how many threads each has, and how many are left out."""
    named = []
    for person in people[:_NAMED]:
        n = len(running.wait(running.engine.threads(person)))
        named.append(call.words("nobody.one", n=n, person=one_line(person)))
    line = ", ".join(named)
    left = len(people) - _NAMED
    return call.words("nobody.more", people=line, n=left) if left > 0 else line
