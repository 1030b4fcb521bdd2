"""The write path end to end for one batch of exchanges; the only file of this folder with I/O.

Everything it decides is decided by the pure files beside it; here it is read, asked, and committed once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from souvenance.domain import (
    Candidate,
    Character,
    CharacterId,
    Dropped,
    Exchange,
    Failure,
    Job,
    JobState,
    JournalEntry,
    Kept,
    MemoryId,
    MessageId,
    Person,
    Redacted,
    Space,
    Status,
    View,
)
from souvenance.errors import BadAnswer, Conflict, FilterBroken
from souvenance.ports import ChatModel, Clock, Run, Store
from souvenance.write import extractive, merge, reflection
from souvenance.write.desk import Setting
from souvenance.write.filters import screen
from souvenance.write.filters.identifiers import redact
from souvenance.writes import AddFailure, AddJournal, EndJob, Write

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

#: The longest raw answer kept in the failure inbox, in characters. Chosen, not measured.
_RAW = 20_000


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
    ) -> None:
        self._store, self._read, self._write = store, read, write
        self._clock, self._chat, self._new_id = clock, chat, new_id
        self._find_character = find_character

    @property
    def uses_model(self) -> bool:
        """Whether reflection asks a chat model, and so competes with a reply for it."""
        return self._chat is not None

    async def reflect(self, batch: Batch) -> Outcome:
        """What became of the batch, committed. Errors: `ModelUnreachable`, `ModelRefused`, `StoreError`."""
        exchange = await self._exchange(batch)
        fresh = {i for job in batch.jobs for i in job.messages}
        if not any(m.message_id in fresh for m in exchange.messages):
            return await self._end(batch, (), Outcome("nothing"))  # erased meanwhile
        try:
            candidates, left_out = await self._propose(exchange, fresh, batch.view)
            verdicts = await self._read(lambda: [screen(c, exchange) for c in candidates])
        except BadAnswer as error:
            return await self._park(
                batch, f"The model's answer could not be used: {error}", error.raw
            )
        except FilterBroken as error:
            return await self._park(batch, f"A filter failed, so nothing was written: {error}", "")
        kept = [v.candidate for v in verdicts if isinstance(v, Kept)]
        dropped = [*left_out, *(v for v in verdicts if isinstance(v, Dropped))]
        return await self._settle(batch, exchange, kept, dropped)

    # --- the steps ----------------------------------------------------------------------------

    async def _exchange(self, batch: Batch) -> Exchange:
        first = batch.jobs[0]
        ids = [i for job in batch.jobs for i in job.messages]
        store, address = self._store.conversations, first.address
        path = await self._read(store.path, address, first.thread, len(ids) + _LEAD, ids[-1])
        found = {m.message_id for m in path}
        if not set(ids) <= found:  # a branch: the batch spans more than one path
            path = await self._read(store.messages, address, ids)
        person = await self._read(store.person, address.space, address.person)
        character = await self._find_character(address.space, address.character)
        path = [replace(m, text=Redacted(m.text[:_READ_CHARS])) for m in path]
        return Exchange(tuple(path), person or Person(address.space, address.person), character)

    async def _propose(
        self, exchange: Exchange, fresh: set[MessageId], view: View
    ) -> tuple[list[Candidate], tuple[Dropped, ...]]:
        """The candidates, and what rules alone already left out of what the person told."""
        if self._chat is None:
            found = await self._read(extractive.sift, exchange, fresh)
            return list(found.candidates), found.left_out
        memories = await self._read(self._store.memories.current, view)
        known = [m.text for m in memories if m.status is Status.ACTIVE][-_KNOWN:]
        question = reflection.ask(exchange, fresh, known)
        raw = await self._ask(question)
        try:
            return list(reflection.parse(raw, exchange, fresh).candidates), ()
        except BadAnswer as error:
            repaired = await self._ask([*question, *reflection.repair(raw, str(error))])
            return list(reflection.parse(repaired, exchange, fresh).candidates), ()

    async def _ask(self, question: Sequence[reflection.ChatMessage]) -> str:
        assert self._chat is not None
        return await self._chat.answer_json(
            question, schema=reflection.SCHEMA, schema_name="reflection", max_tokens=_MAX_TOKENS
        )

    async def _settle(
        self,
        batch: Batch,
        exchange: Exchange,
        kept: Sequence[Candidate],
        dropped: Sequence[Dropped],
    ) -> Outcome:
        for attempt in range(_RETRIES):
            memories = await self._read(self._store.memories.current, batch.view)
            turn = await self._read(self._store.conversations.turns, batch.view.address)
            setting = self._setting(batch, exchange, turn)
            settled = await self._read(merge.settle, kept, memories, setting)
            stored = sum(n.action in ("added", "merged", "superseded") for n in settled.noted)
            outcome = Outcome("stored" if stored else "nothing", stored, len(dropped))
            writes = (*settled.writes, *(self._dropped(batch, d, setting.at) for d in dropped))
            try:
                return await self._end(batch, writes, outcome)
            except Conflict:
                # A hand or another process changed a memory meanwhile: decide again on what is there.
                if attempt == _RETRIES - 1 or not await self._still_ours(batch):
                    raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _setting(self, batch: Batch, exchange: Exchange, turn: int) -> Setting:
        fresh = {i for job in batch.jobs for i in job.messages}
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
        )

    # --- the endings --------------------------------------------------------------------------

    async def _end(self, batch: Batch, writes: Sequence[Write], outcome: Outcome) -> Outcome:
        first = batch.jobs[0]
        summary = JournalEntry(
            first.address,
            first.thread,
            self._clock.now(),
            "reflected",
            reason=f"{outcome.stored} stored, {outcome.dropped} dropped",
            ref=first.job_id,
        )
        ends = [EndJob(job.job_id, batch.owner, JobState.DONE) for job in batch.jobs]
        await self._commit(batch, [*ends, *writes, AddJournal(summary)])
        return outcome

    async def _park(self, batch: Batch, reason: str, raw: str) -> Outcome:
        """Every job of the batch waits in the inbox, under one failure each, with what the model said."""
        now = self._clock.now()
        kept = redact(raw[:_RAW]).text if raw else Redacted("")
        writes: list[Write] = []
        for job in batch.jobs:
            identity = hashlib.blake2b(
                f"{job.job_id}/{job.attempts}".encode(), digest_size=6
            ).hexdigest()
            failure = Failure(identity, job.address, job.thread, job.job_id, now, reason, kept)
            entry = JournalEntry(
                job.address, job.thread, now, "failed", reason=reason, ref=job.job_id
            )
            end = EndJob(job.job_id, batch.owner, JobState.PARKED, error=reason)
            writes += [end, AddFailure(failure), AddJournal(entry)]
        await self._commit(batch, writes)
        return Outcome("parked")

    async def park(self, batch: Batch, reason: str) -> Outcome:
        """Gives up on a batch that failed too often; it waits in the failure inbox."""
        return await self._park(batch, reason, "")

    def _dropped(self, batch: Batch, dropped: Dropped, at: datetime) -> AddJournal:
        entry = JournalEntry(
            batch.view.address,
            batch.jobs[0].thread,
            at,
            "dropped",
            text=redact(dropped.candidate.text).text,
            reason=redact(dropped.reason).text,
            ref=dropped.filter,
        )
        return AddJournal(entry)

    async def _still_ours(self, batch: Batch) -> bool:
        jobs = [await self._read(self._store.jobs.job, job.job_id) for job in batch.jobs]
        return all(j is not None and j.lease_owner == batch.owner for j in jobs)

    async def _commit(self, batch: Batch, writes: Sequence[Write]) -> None:
        address = batch.view.address
        await self._write(self._store.commit, address.space, address.person, writes)
