"""The write path end to end for one batch of exchanges; the only file of this folder with I/O, `cache` apart.

Everything it decides is decided by the pure files beside it; here it is read, asked, and committed once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from souvenance.domain import (
    Candidate,
    Character,
    CharacterId,
    Dropped,
    Exchange,
    Job,
    JobState,
    Memory,
    MemoryId,
    MessageId,
    Person,
    Redacted,
    Space,
    Status,
    ThreadId,
    View,
)
from souvenance.errors import BadAnswer, Conflict, FilterBroken
from souvenance.ports import ChatModel, Clock, Run, Store
from souvenance.write import extractive, merge, reflection, traces
from souvenance.write.cache import KnownCache
from souvenance.write.desk import Setting, Settlement, called
from souvenance.write.filters import Judged, judge
from souvenance.write.filters.private import without_identifiers
from souvenance.writes import EndJob, ExpectMessages, Write

#: How often a batch is settled again when memories changed meanwhile. Chosen, not measured.
_RETRIES = 8

#: Messages shown to a reflection before the fresh ones, for pronouns and ellipses. Chosen, not measured.
_LEAD = 6

#: Characters of one message that are reflected on. Chosen, not measured: about six pages; the message itself is
#: stored whole. Rules read 20,000 characters in about a second.
_READ_CHARS = 16_000

#: Known memories shown to the model, so that it proposes what is new. Chosen, not measured.
_KNOWN = 24

#: Room for the model's answer, in tokens. Chosen, not measured.
_MAX_TOKENS = 1_200


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one batch ended: `stored` something, found `nothing`, or was `parked` in the failure inbox."""

    state: Literal["stored", "nothing", "parked"]
    stored: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Exchanges of one thread to reflect on together, and the view that they write into."""

    jobs: tuple[Job, ...]
    owner: str
    view: View


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a reflection proposes, redacted; what rules left out; and who proposed (a model's name, or "rules")."""

    candidates: tuple[Candidate, ...]
    left_out: tuple[Dropped, ...]
    by: str


class Remember:
    """Turns recorded exchanges into memories."""

    def __init__(
        self,
        *,
        store: Store,
        read: Run,
        write: Run,
        clock: Clock,
        chat: ChatModel | None,
        new_id: Callable[[], MemoryId],
        find_character: Callable[[Space, CharacterId], Awaitable[Character]],
        instructions: str | None = None,
        min_confidence: float = 0.0,
    ) -> None:
        self._store, self._read, self._write = store, read, write
        self._clock, self._chat, self._new_id = clock, chat, new_id
        self._find_character, self._instructions = find_character, instructions
        self._min_confidence = min_confidence
        self._known = KnownCache(store.memories)

    @property
    def uses_model(self) -> bool:
        """Whether reflection asks a chat model, and so competes with a reply for it."""
        return self._chat is not None

    async def reflect(self, batch: Batch) -> Outcome:
        """What became of the batch, committed. Errors: `ModelUnreachable`, `ModelRefused`, `StoreError`."""
        fresh = {i for job in batch.jobs for i in job.messages}
        exchange = await self.exchange(batch.view, batch.jobs[0].thread, _in_order(batch))
        if not any(m.message_id in fresh for m in exchange.messages):
            return await self._end(batch, (), Outcome("nothing"))  # erased meanwhile
        try:
            code = exchange.character.language
            memories = await self._read(self._newest, batch.view, code)
            proposed = await self.propose(exchange, fresh, memories)
            judged = await self._read(judge, proposed.candidates, exchange, self._min_confidence)
        except BadAnswer as error:
            reason = f"The model's answer could not be used: {error}"
            return await self._park(batch, reason, error.raw, exchange)
        except FilterBroken as error:
            why = f"A filter failed, so nothing was written: {error}"
            return await self._park(batch, why, "", exchange)
        return await self._settle(batch, exchange, proposed, judged)

    # --- the steps ----------------------------------------------------------------------------

    async def exchange(
        self, view: View, thread: ThreadId, messages: Sequence[MessageId]
    ) -> Exchange:
        """The messages to reflect on, oldest first, with the few before them, and who speaks."""
        store, address = self._store.conversations, view.address
        path = await self._read(store.path, address, thread, len(messages) + _LEAD, messages[-1])
        found = {m.message_id for m in path}
        if not set(messages) <= found:  # a branch: the batch spans more than one path
            path = await self._read(store.messages, address, messages)
        person = await self._read(store.person, address.space, address.person)
        character = await self._find_character(address.space, address.character)
        path = [replace(m, text=Redacted(m.text[:_READ_CHARS])) for m in path]
        return Exchange(tuple(path), person or Person(address.space, address.person), character)

    async def propose(
        self, exchange: Exchange, fresh: Collection[MessageId], memories: Sequence[Memory]
    ) -> Proposed:
        """The candidates, redacted, and what rules alone already left out of what the person told.

        Errors: `BadAnswer`, `FilterBroken`, `ModelUnreachable`, `ModelRefused`.
        """
        if self._chat is None:
            found = await self._read(extractive.sift, exchange, fresh)
            return await self._clean(found.candidates, found.left_out, traces.RULES)
        known = [m.text for m in memories if m.status is Status.ACTIVE][-_KNOWN:]
        question = reflection.ask(exchange, fresh, known, self._instructions)
        raw = await self._ask(question)
        try:
            read = reflection.parse(raw, exchange, fresh)
        except BadAnswer as error:
            repaired = await self._ask([*question, *reflection.repair(raw, str(error))])
            read = reflection.parse(repaired, exchange, fresh)
        return await self._clean(read.candidates, (), self._chat.name)

    async def _clean(
        self, candidates: Sequence[Candidate], left_out: Sequence[Dropped], by: str
    ) -> Proposed:
        clean = await self._read(lambda: tuple(map(without_identifiers, candidates)))
        return Proposed(clean, tuple(left_out), by)

    async def _ask(self, question: Sequence[reflection.ChatMessage]) -> str:
        assert self._chat is not None
        return await self._chat.answer_json(
            question, schema=reflection.SCHEMA, schema_name="reflection", max_tokens=_MAX_TOKENS
        )

    async def _settle(
        self, batch: Batch, exchange: Exchange, proposed: Proposed, judged: Judged
    ) -> Outcome:
        for attempt in range(_RETRIES):
            turn = await self._read(self._store.conversations.turns, batch.view.address)
            setting = self._setting(batch, exchange, turn)
            settled = await self._read(self._settled, batch.view, judged.kept, setting)
            stored = sum(n.action in ("added", "merged", "superseded") for n in settled.noted)
            dropped = (*proposed.left_out, *judged.dropped)
            first, ids = batch.jobs[0], _in_order(batch)
            asked = (first, proposed.by, exchange, ids, proposed.candidates, setting)
            writes = (
                *settled.writes,
                *(traces.drop(d, setting) for d in dropped),
                traces.proposal(*asked),
                _as_read(exchange),
            )
            outcome = Outcome("stored" if stored else "nothing", stored, len(dropped))
            try:
                return await self._end(batch, writes, outcome)
            except Conflict:
                # A hand or another process changed a memory meanwhile: decide again on what is there.
                if attempt == _RETRIES - 1 or not await self._still_ours(batch):
                    raise
                if await self._reworded(exchange):
                    return await self.reflect(batch)
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _reworded(self, exchange: Exchange) -> bool:
        """Whether a message lost a piece of an identifier since it was read: what rests on it is read again."""
        ids = [m.message_id for m in exchange.messages]
        address = exchange.messages[0].address
        now = await self._read(self._store.conversations.messages, address, ids)
        texts = {m.message_id: m.text[:_READ_CHARS] for m in now}
        return any(texts.get(m.message_id, m.text) != m.text for m in exchange.messages)

    def _settled(self, view: View, kept: Sequence[Candidate], setting: Setting) -> Settlement:
        with self._known.fresh(view, setting.language) as known:
            return merge.settle(kept, known, setting)

    def _newest(self, view: View, code: str) -> list[Memory]:
        """The newest active memories, oldest first, as many as the model is shown."""
        with self._known.fresh(view, code) as known:
            active = (m for m in reversed(known) if m.status is Status.ACTIVE)
            return list(islice(active, _KNOWN))[::-1]

    def _setting(self, batch: Batch, exchange: Exchange, turn: int) -> Setting:
        fresh = set(_in_order(batch))
        at = max(m.at for m in exchange.messages if m.message_id in fresh)
        return Setting(
            address=batch.view.address,
            timeline=batch.view.timeline,
            thread=batch.jobs[0].thread,
            isolation=batch.view.isolation,
            at=at,
            turn=turn,
            language=exchange.character.language,
            by="reflection",
            ref=batch.jobs[0].job_id,
            new_id=self._new_id,
            time_zone=exchange.person.time_zone,
            called=called(exchange.person.display_name, exchange.person.aliases),
        )

    # --- the endings --------------------------------------------------------------------------

    async def _end(self, batch: Batch, writes: Sequence[Write], outcome: Outcome) -> Outcome:
        now = self._clock.now()
        summary = traces.reflected(batch.jobs[0], now, outcome.stored, outcome.dropped)
        ends = [EndJob(job.job_id, batch.owner, JobState.DONE) for job in batch.jobs]
        await self._commit(batch, [*ends, *writes, summary])
        return outcome

    async def _park(
        self, batch: Batch, reason: str, raw: str, exchange: Exchange | None = None
    ) -> Outcome:
        now = self._clock.now()
        writes = traces.parked(batch.jobs, batch.owner, now, reason, raw)
        if exchange is not None:
            writes.append(_as_read(exchange))  # the answer may repeat what a message no longer says
        try:
            await self._commit(batch, writes)
        except Conflict:
            if exchange is None or not await self._still_ours(batch):
                raise
            if not await self._reworded(exchange):
                raise
            return await self.reflect(batch)
        return Outcome("parked")

    async def park(self, batch: Batch, reason: str) -> Outcome:
        """Gives up on a batch that failed too often; it waits in the failure inbox."""
        return await self._park(batch, reason, "")

    async def _still_ours(self, batch: Batch) -> bool:
        jobs = [await self._read(self._store.jobs.job, job.job_id) for job in batch.jobs]
        return all(j is not None and j.lease_owner == batch.owner for j in jobs)

    async def _commit(self, batch: Batch, writes: Sequence[Write]) -> None:
        address = batch.view.address
        await self._write(self._store.commit, address.space, address.person, writes)


def _as_read(exchange: Exchange) -> ExpectMessages:
    """What is kept rests on these words: a piece of an identifier may leave one of them meanwhile."""
    texts = tuple((m.message_id, m.text) for m in exchange.messages)
    return ExpectMessages(exchange.messages[0].address, texts)


def _in_order(batch: Batch) -> tuple[MessageId, ...]:
    """The messages that a batch is about, oldest first."""
    return tuple(i for job in batch.jobs for i in job.messages)
