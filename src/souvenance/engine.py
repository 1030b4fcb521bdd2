"""The engine: opens a store, wires the two paths and the worker, and hands out conversations.

It only wires; what it wires lives in `write/`, `read/`, `tend/` and `curate/`.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING

from souvenance.characters import in_folder, shipped, unwritten
from souvenance.domain import (
    MAIN_THREAD,
    Address,
    Character,
    CharacterId,
    MemoryId,
    PersonId,
    Space,
    Thread,
    ThreadId,
    View,
    is_whole,
)
from souvenance.errors import BadInput, ModelError, Unknown
from souvenance.keeping import Keeping
from souvenance.naming import Naming
from souvenance.off_loop import OffLoop
from souvenance.ports import UNDETERMINED, ChatModel, Clock, Embedder, Store
from souvenance.prompt import Budget
from souvenance.read.recall import Recall
from souvenance.readings import Readings
from souvenance.tend.index import Indexed, Progress
from souvenance.tend.worker import Pace, Worker
from souvenance.turn import Talk
from souvenance.wiring import Health, Wiring
from souvenance.write.alike.similarity import tells_one_fact
from souvenance.write.remember import Remember

if TYPE_CHECKING:
    from souvenance.settings import Settings


#: Seconds for reading who a character is, which a turn waits for. Chosen, not measured.
CHARACTER_S = 1.0


class SystemClock:
    """The present, in UTC."""

    def now(self) -> datetime:
        """Now, aware, in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Parts:
    """What an engine is made of; see `souvenance.assembly` for how settings become parts."""

    settings: Settings
    store: Store
    embedder: Embedder | None
    chat: ChatModel | None
    chat_note: str | None
    clock: Clock
    #: The model that reflects: `chat`, or None when reflection is extractive.
    reflect_with: ChatModel | None


class Engine:
    """A running memory. Made by `souvenance.open`, used as an async context manager."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.settings, self.store, self.clock = parts.settings, parts.store, parts.clock
        self.chat, self.chat_note, self.embedder = parts.chat, parts.chat_note, parts.embedder
        self.health = Health()
        self._off_loop, self._keeping = OffLoop(), Keeping()
        self._characters: dict[tuple[Space, CharacterId], Character] = {}
        self._talks: dict[tuple[Address, ThreadId], Talk] = {}
        self.readings = _readings(parts)
        self._recall = Recall(
            store=parts.store,
            embedder=parts.embedder,
            deadline_s=parts.settings.turn.embedding_deadline_s,
            run=self._off_loop.read,
            think=self._off_loop.think,
            run_aside=self._off_loop.aside,
            same=tells_one_fact,
            calibration=self.readings.calibration,
        )
        self._worker = Worker(
            store=parts.store,
            read=self._off_loop.read,
            write=self._off_loop.write,
            clock=parts.clock,
            embedder=parts.embedder,
            remember=Remember(
                store=parts.store,
                read=self._off_loop.read,
                write=self._off_loop.write,
                clock=parts.clock,
                chat=parts.reflect_with,
                new_id=new_memory_id,
                find_character=self.character,
                min_confidence=parts.settings.reflection.min_confidence,
            ),
            find_view=self._find_view,
            on_stored=self._warm,
            find_called=Naming(parts.store, self._off_loop.read, self.character),
            owner=secrets.token_hex(6),
            pace=_pace(parts.settings),
        )
        self._wiring = Wiring(
            store=parts.store,
            read=self._off_loop.read,
            write=self._off_loop.write,
            think=self._off_loop.think,
            keeping=self._keeping,
            clock=parts.clock,
            recall=self._recall,
            plan_for=self.readings.plan,
            worker=self._worker,
            chat=parts.chat,
            budget=Budget(parts.settings.turn.budget_tokens, parts.settings.turn.recent_messages),
            find_character=self.character,
            new_memory_id=new_memory_id,
            min_confidence=parts.settings.reflection.min_confidence,
            health=self.health,
            redact_before_model=parts.settings.turn.redact_before_model,
            said_messages=_said_messages(parts.settings),
        )

    # --- life ---------------------------------------------------------------------------------

    async def __aenter__(self) -> Engine:
        self._worker.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stops the worker and closes everything; what is not reflected yet waits for the next start.

        Exchanges that wait for another program's write are given half a minute to be stored.
        """
        await self._worker.stop()
        await self._keeping.close()
        await self._recall.close()
        for part in (self.embedder, self.chat):
            if part is not None:
                await part.close()
        self._off_loop.close()
        self.store.close()

    # --- conversations ------------------------------------------------------------------------

    def thread(
        self,
        person: str,
        character: str,
        thread: str = MAIN_THREAD,
        *,
        space: str | None = None,
        name: str | None = None,
    ) -> Talk:
        """The conversation line of a person and a character; made on its first message. `name` is shown for the person."""
        for part, value in (("person", person), ("character", character), ("thread", thread)):
            if not value.strip() or not is_whole(value):
                raise BadInput(f"The {part} needs a name of whole characters that is not blank.")
        in_space = Space(space or self.settings.space)
        address = Address(in_space, PersonId(person), CharacterId(character))
        key = (address, ThreadId(thread))
        if key not in self._talks:
            self._talks[key] = Talk(self._wiring, address, ThreadId(thread), name)
        return self._talks[key]

    async def threads(self, person: str, character: str | None = None) -> list[Thread]:
        """The threads of a person, the last used first."""
        wanted = CharacterId(character) if character else None
        space = Space(self.settings.space)
        return await self._off_loop.read(
            self.store.conversations.threads, space, PersonId(person), wanted
        )

    # --- characters ---------------------------------------------------------------------------

    async def characters(self) -> list[Character]:
        """Every character by id: the person's own files first, then those that ship, then rows."""
        space = Space(self.settings.space)
        rows = await self._off_loop.read(self.store.conversations.characters, space)
        own = await self._off_loop.read(in_folder, self.settings.characters, space)
        found: dict[CharacterId, Character] = {}
        ours = await self._off_loop.think(shipped, space)
        for one in (*own, *ours, *rows):
            found.setdefault(one.character, one)
        return sorted(found.values(), key=lambda c: c.character)

    async def character(self, space: Space, character: CharacterId) -> Character:
        """The character of that id, as `characters` orders them; a plain one when nobody described it."""
        key = (space, character)
        if key not in self._characters:
            told = self.settings.language
            plain = unwritten(character, space, "en" if told == "auto" else told)
            try:
                async with asyncio.timeout(CHARACTER_S):
                    every = await self._every_character(space, character)
            except TimeoutError:
                return plain  # a reply in a plain voice rather than none; asked again next time
            described = next((c for c in every if c.character == character), None)
            self._characters[key] = described or plain
        return self._characters[key]

    async def _every_character(self, space: Space, character: CharacterId) -> list[Character]:
        own = await self._off_loop.think(in_folder, self.settings.characters, space)
        ours = await self._off_loop.think(shipped, space)
        if any(c.character == character for c in (*own, *ours)):
            return [*own, *ours]
        row = await self._off_loop.read(self.store.conversations.character, space, character)
        return [row] if row else []

    async def put_character(self, character: Character) -> None:
        """Keeps a character as a row."""
        await self._off_loop.write(self.store.conversations.put_character, character)
        self._characters.pop((character.space, character.character), None)

    async def known_character(self, character: str) -> Character:
        """The described character of that id. Errors: `Unknown`, with those that exist."""
        every = await self.characters()
        for one in every:
            if one.character == character:
                return one
        raise Unknown(
            f"No character {character!r}; there are {', '.join(c.character for c in every)}.",
            code="no_character",
            fields={"id": character, "known": ", ".join(c.character for c in every)},
        )

    # --- work behind the turns ----------------------------------------------------------------

    async def ready(self, timeout_s: float) -> bool:
        """Whether queries can be embedded; waits for the embedder to load, which takes the bundled one a second.

        Without waiting, the first turn of a process may come before the embedder and be served by words alone.
        """
        if self.embedder is None:
            return False
        try:
            await self.embedder.embed(["."], timeout_s=timeout_s, query_in=UNDETERMINED)
        except ModelError:
            return False
        return True

    async def drain(self, timeout_s: float) -> int:
        """Lets pending reflections finish; returns how many are left when the time is over."""
        return await self._worker.drain(timeout_s)

    async def index_once(self) -> Indexed:
        """Embeds one batch of what has no vector yet. Errors: `ModelError`."""
        return await self._worker.index_once()

    async def index_progress(self) -> Progress | None:
        """How many memories have a vector, of how many; None without an embedder. Errors: `StoreError`."""
        return await self._worker.progress()

    @property
    def index_error(self) -> ModelError | None:
        """Why the last texts could not be embedded; None once some were. Until then words alone find them."""
        return self._worker.index_error

    @property
    def pending(self) -> int:
        """Exchanges that another program's write keeps from being stored; they are, as soon as it lets go."""
        return self._keeping.pending

    @property
    def breaker(self) -> str:
        """Whether queries are embedded: closed (yes), open (not for now) or half-open (trying)."""
        return self._recall.breaker_state

    async def _warm(self, view: View) -> None:
        """Brings what a view sees up to date, so that the next turn does not pay for it."""
        character = await self.character(view.address.space, view.address.character)
        await self._recall.warm(view, character.language)
        if self._wiring.said_messages:
            await self._recall.warm_said(view, character.language)

    async def _find_view(self, address: Address, thread: ThreadId) -> View:
        return await self.thread(
            address.person, address.character, thread, space=address.space
        ).view()


def new_memory_id() -> MemoryId:
    """A fresh id, short enough to be typed."""
    return MemoryId(secrets.token_hex(5))


def _readings(parts: Parts) -> Readings:
    if parts.embedder is None:
        return Readings(parts.settings, None)
    return Readings(parts.settings, parts.embedder.name, parts.embedder.threshold)


def _pace(settings: Settings) -> Pace:
    reflection, index = settings.reflection, settings.index
    return Pace(
        idle_s=reflection.idle_s,
        batch=reflection.batch,
        attempts=reflection.attempts,
        lease_s=reflection.lease_s,
        index_every_s=index.every_s,
        index_batch=index.batch,
        windows=settings.verbatim.enabled,
    )


def _said_messages(settings: Settings) -> int:
    """How many messages a context may hold."""
    return settings.verbatim.messages if settings.verbatim.enabled else 0
