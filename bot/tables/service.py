"""The one door to all tables: buttons, commands and the clock come through `Tables.submit`.

Owns: the order lock - load - decide - commit - swap - arm - tell, and what is read of tables. Nothing is told to anyone
before it is stored. Knows neither Discord nor the database, and no rule of Coup.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Coroutine
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.tables import lobby, play
from bot.tables.decide import decide
from bot.tables.errors import Mistake, Refusal, about
from bot.tables.memory import Entry
from bot.tables.moment import Moment
from bot.tables.outages import OutageCause, Outages, Unstored
from bot.tables.ports import Audience, Change, ChannelTaken, Clock, Presence, Store, VersionConflict
from bot.tables.requests import AnyRequest, OpenLobby, Start
from bot.tables.state import TableState
from bot.tables.table import Phase, Post, PostKind, PrivateSeat, PublicTable
from bot.tables.watch import Watch
from bot.telemetry import count, logger

log = logger(__name__)


class Tables:
    """All tables of this process.

    `entropy(n)` gives the secret seeds; `rng` makes R41's random choices, which have nothing to do with the deal.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        rng: Random | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._audience: Audience
        self._entropy = entropy
        self._rng = rng or secrets.SystemRandom()
        self.outages = Outages()
        self.watch = Watch(store, clock, self.outages, submit=self.submit, begin=self._spawn)
        self._memory = self.watch.memory
        self._running: set[asyncio.Task[Any]] = set()
        self._closing = False

    def serve(self, audience: Audience, presence: Presence | None = None) -> None:
        """Say who is told of changes, and who knows whether a silent player is still there: before anything else.

        Both of them need the tables first.
        """
        self._audience = audience
        self.watch.serve(audience, presence)

    # ------------------------------------------------------------------------------------------------ changing

    async def open_lobby(self, request: OpenLobby) -> PublicTable:
        """A new table. Raises Refusal CHANNEL_TAKEN, its `table_id` that of the table that is open there."""
        self._must_be_open()
        return await asyncio.shield(self._spawn(self._open(request)))

    async def submit(self, request: AnyRequest) -> PublicTable:
        """Apply `request` and store what follows. Raises Refusal, and then nothing has happened.

        The work goes on if the caller is cancelled: whoever asked may be gone, their answer is not.
        """
        with about(request.table_id):
            self._must_be_open()
            return await asyncio.shield(self._spawn(self._handle(request)))

    async def _open(self, request: OpenLobby) -> PublicTable:
        """Store a new table. After a failure look at what is stored: it may be there all the same."""
        state = lobby.opened(self._new_id(), request, self._entropy(32), self._clock.now())
        try:
            await self._store.create(state.row, state.players)
        except Exception as error:
            found = await self._store.open_in_channel(request.channel_id)
            if found is None:
                raise
            if (await self._memory.read(found))[1].row.request != request.request:
                if isinstance(error, ChannelTaken):
                    with about(found):
                        raise Refusal(Mistake.CHANNEL_TAKEN) from None
                raise
        else:
            found = state.row.id
        self._audience.changed(found)
        return await self.table(found)

    async def _handle(self, request: AnyRequest) -> PublicTable:
        entry = self._memory.entry(request.table_id)
        try:
            async with entry.lock:
                old = await self._memory.load(request.table_id, entry)
                new = await self._commit(old, request, entry)
                entry.state = new
                self._memory.arm(new, entry)
        except Refusal:
            self._memory.forget_finished(request.table_id, entry)
            raise
        except BaseException:
            # It may be stored all the same: whatever is stored gets told.
            self._audience.changed(request.table_id)
            raise
        if new is not old:
            self._audience.changed(request.table_id)
        self._memory.forget_finished(request.table_id, entry)
        return entry.public(new)

    async def _commit(self, old: TableState, request: AnyRequest, entry: Entry) -> TableState:
        """Decide and store. After any failure look at what is stored: it may be done, else it is tried once more."""
        new = await self._attempt(old, request, entry)
        for again in (True, False):
            if isinstance(new, TableState):
                break
            stored = await self._memory.load(request.table_id, entry)
            if stored.holds(request.request):
                return stored
            if not again:
                raise new
            new = await self._attempt(stored, request, entry)
        assert isinstance(new, TableState)
        return new

    async def _attempt(self, old: TableState, request: AnyRequest, entry: Entry) -> TableState | Exception:
        """Decide and store once; `old` itself where nothing changes, the error where it is not known what is stored."""
        new = decide(old, request, await self._moment(old, request, entry))
        if new is old:
            return old
        new = new.with_row(version=old.row.version + 1, request=request.request)
        try:
            await self._store.commit(_change(old, new))
        except BaseException as error:
            entry.state = None
            if not isinstance(error, Exception):
                raise
            if not isinstance(error, VersionConflict):
                # As long as nothing can be stored, nobody's answer counts, so nobody's silence may.
                self.unreachable(Unstored(request.table_id))
            count("commit_failed")
            log.warning("commit failed", table=request.table_id, error=type(error).__name__)
            return error
        self.reachable(Unstored(request.table_id))
        return new

    async def _moment(self, state: TableState, request: AnyRequest, entry: Entry) -> Moment:
        post = entry.posts.get((PostKind.LOBBY, 0))
        starting = isinstance(request, Start)
        return Moment(
            now=self._clock.now(),
            rng=self._rng,
            overdue=entry.time.seconds_left(state) <= 0,
            ends=entry.time.ends(state),
            stood=entry.time.seconds_to_stand(state) <= 0,
            lobby_message=None if post is None else post.message_id,
            last_winner=await self._store.last_winner(state.row.parent_id) if starting else None,
        )

    # ------------------------------------------------------------------------------------------------ reading

    async def table(self, table_id: str) -> PublicTable:
        """Raises Refusal NO_TABLE."""
        with about(table_id):
            entry, state = await self._memory.read(table_id)
            return entry.public(state)

    async def private(
        self, table_id: str, user_id: int, *, window: int | None = None, alive: bool = False
    ) -> PrivateSeat:
        """What one player may see. Raises Refusal NO_TABLE, NOT_SEATED, NOT_STARTED or UNPLAYABLE.

        With `window` they must owe it an answer, with `alive` play on: else it raises as their answer would.
        """
        with about(table_id):
            entry, state = await self._memory.read(table_id)
            if (window is not None or alive) and state.phase is Phase.OVER:
                raise Refusal(Mistake.TABLE_GONE)
            if alive:
                play.must_live(state, user_id)
            if window is not None:
                play.must_be_asked(state, user_id, window)
            return state.private(user_id, entry.public(state))

    async def in_channel(self, channel_id: int) -> PublicTable:
        """The open table of a channel. Raises Refusal NO_TABLE."""
        table_id = await self._store.open_in_channel(channel_id)
        if table_id is None:
            raise Refusal(Mistake.NO_TABLE)
        return await self.table(table_id)

    async def last_game(self, channel_id: int) -> PublicTable:
        """The table of a channel whose game ended last. Raises Refusal NOTHING_TO_REPEAT."""
        table_id = await self._store.last_game(channel_id)
        if table_id is None:
            raise Refusal(Mistake.NOTHING_TO_REPEAT)
        return await self.table(table_id)

    async def in_guild(self, guild_id: int) -> list[str]:
        """The ids of a server's open tables."""
        return await self._store.open_in_guild(guild_id)

    async def of_player(self, user_id: int) -> list[PublicTable]:
        """The open tables at which somebody sits."""
        return [await self.table(table_id) for table_id in await self._store.open_of_player(user_id)]

    async def missing(self, table: PublicTable, user_ids: Collection[int]) -> frozenset[int]:
        """Those of `user_ids` that have certainly left the server of `table`."""
        return await self.watch.missing(table.guild_id, user_ids)

    async def forget(self, user_id: int) -> None:
        """What was stored of somebody is deleted: tables that are over and not told yet must not tell it any more."""
        await self._memory.forget_person(user_id)

    # ------------------------------------------------------------------------------------------------ announcing

    async def save_post(self, table_id: str, post: Post) -> None:
        """Remember a message of a table. Called by the audience alone."""
        entry = self._memory.entry(table_id)
        # Under the lock, so that a loading that began before does not put the old post back.
        async with entry.lock:
            await self._store.save_post(table_id, post)
            entry.posts[post.kind, post.number] = post
            await self._memory.load(table_id, entry)
        self._memory.forget_finished(table_id, entry)

    async def announced(self, table_id: str, version: int) -> None:
        """Everything up to `version` is in the channel; a table that is over is forgotten then."""
        entry = self._memory.entry(table_id)
        async with entry.lock:
            await self._store.announced(table_id, version)
            state = await self._memory.load(table_id, entry)
            if state.row.announced_version < version:
                entry.state = replace(state, row=replace(state.row, announced_version=version))
        self._memory.forget_finished(table_id, entry)

    def shown(self, table_id: str, window: int) -> None:
        """People can see `window` now: its time counts from here. Telling it again changes nothing."""
        entry = self._memory.entries.get(table_id)
        if entry is not None and entry.time.shown(window) and entry.state is not None:
            self._memory.arm(entry.state, entry)

    # ------------------------------------------------------------------------------------------------ outages

    def unreachable(self, cause: OutageCause) -> None:
        """Until `reachable` those whom `cause` concerns cannot answer: no time passes for them."""
        self.outages.begin(cause)

    def reachable(self, cause: OutageCause) -> None:
        """The outage is over: windows get back what it cost them, and people are told."""
        self.watch.reachable(cause)

    # ------------------------------------------------------------------------------------------------ life

    async def restore(self) -> int:
        """After a start: load every open table, give its window its time again, have it shown. Returns how many."""
        return await self.watch.restore()

    async def close(self) -> None:
        """Refuse what is new, finish what is running."""
        self._closing = True
        self.watch.stop()
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)
        await self.watch.take_leave()

    # ------------------------------------------------------------------------------------------------ inside

    def _must_be_open(self) -> None:
        if self._closing:
            raise Refusal(Mistake.CLOSING)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            # Told to whoever waits; where they have gone, it is not an error that nobody was told.
            task.exception()

    def _new_id(self) -> str:
        """Short, and not to be guessed from others."""
        return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(8))


def _change(old: TableState, new: TableState) -> Change:
    players = new.players if new.players != old.players else None
    return Change(new.row, players, new.lines[len(old.lines) :])
