"""The one door to all tables: buttons, commands and the clock come through `Tables.submit`.

Owns: each table's lock, its cached state, and the order lock - look - decide - commit - swap - arm - tell. Nothing is
told to anyone before it is stored. Knows neither Discord nor the database, and no rule of Coup.
"""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Callable, Collection, Coroutine, Hashable
from random import Random
from typing import Any

from msgspec.structs import replace

from bot.tables import lobby, play
from bot.tables.deadlines import Deadlines
from bot.tables.decide import decide
from bot.tables.errors import Mistake, Refusal, about
from bot.tables.moment import Moment
from bot.tables.ports import Audience, Change, ChannelTaken, Clock, Presence, Store, VersionConflict
from bot.tables.requests import AllowForThem, AnyRequest, OpenLobby, Start, TimeUp, Woken
from bot.tables.restoring import CorruptTable, rebuilt, unplayable
from bot.tables.state import TableState
from bot.tables.table import Phase, Post, PostKind, PrivateSeat, PublicTable
from bot.tables.window_time import Outages, Unstored, WindowTime, concerns
from bot.telemetry import count, logger

log = logger(__name__)

ALIVE_FACT = "alive"
"""Under which name the store remembers when the bot was last there."""


class _Entry:
    """What is kept in memory of one table."""

    def __init__(self, clock: Clock, outages: Outages) -> None:
        self.lock = asyncio.Lock()
        self.state: TableState | None = None
        self.posts: dict[tuple[PostKind, int], Post] = {}
        self.time = WindowTime(clock, outages)


class Tables:
    """All tables of this process.

    `entropy(n)` gives the secret seeds; `rng` makes R41's random choices, which have nothing to do with the deal.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        audience: Audience,
        *,
        presence: Presence | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        rng: Random | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._audience = audience
        self.presence = presence
        """Who can say whether a silent player is still there; set once it is known, before the tables are restored."""
        self._entropy = entropy
        self._rng = rng or secrets.SystemRandom()
        self.outages = Outages()
        self._unstored: set[str] = set()
        """Tables whose last commit failed."""
        self._entries: dict[str, _Entry] = {}
        self._deadlines = Deadlines(self._ring, self._sweep)
        self._running: set[asyncio.Task[Any]] = set()
        self._awake = False
        """Whether what was open before the start has its time again."""
        self._closing = False

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
            if (await self._read(found))[1].row.request != request.request:
                if isinstance(error, ChannelTaken):
                    with about(found):
                        raise Refusal(Mistake.CHANNEL_TAKEN) from None
                raise
        else:
            found = state.row.id
        self._audience.changed(found)
        return await self.table(found)

    async def _handle(self, request: AnyRequest) -> PublicTable:
        entry = self._entry(request.table_id)
        try:
            async with entry.lock:
                old = await self._load(request.table_id, entry)
                new = await self._commit(old, request, entry)
                entry.state = new
                self._arm(new, entry)
        except Refusal:
            self._forget_finished(request.table_id, entry)
            raise
        except BaseException:
            # It may be stored all the same: whatever is stored gets told.
            self._audience.changed(request.table_id)
            raise
        if new is not old:
            self._audience.changed(request.table_id)
        self._forget_finished(request.table_id, entry)
        return self._public(new, entry)

    async def _commit(self, old: TableState, request: AnyRequest, entry: _Entry) -> TableState:
        """Decide and store. After any failure look at what is stored: it may be done, else it is tried once more."""
        new = await self._attempt(old, request, entry)
        for again in (True, False):
            if isinstance(new, TableState):
                break
            stored = await self._load(request.table_id, entry)
            if stored.holds(request.request):
                return stored
            if not again:
                raise new
            new = await self._attempt(stored, request, entry)
        assert isinstance(new, TableState)
        return new

    async def _attempt(self, old: TableState, request: AnyRequest, entry: _Entry) -> TableState | Exception:
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
                self._unstored.add(request.table_id)
                self.unreachable(Unstored(request.table_id))
            count("commit_failed")
            log.warning("commit failed", table=request.table_id, error=repr(error))
            return error
        self._stored(request.table_id)
        return new

    def _stored(self, table_id: str) -> None:
        """What the people of a table do can be stored again, as far as we know."""
        if table_id in self._unstored:
            self._unstored.discard(table_id)
            self.reachable(Unstored(table_id))

    async def _moment(self, state: TableState, request: AnyRequest, entry: _Entry) -> Moment:
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
            entry, state = await self._read(table_id)
            return self._public(state, entry)

    async def private(
        self, table_id: str, user_id: int, *, window: int | None = None, alive: bool = False
    ) -> PrivateSeat:
        """What one player may see. Raises Refusal NO_TABLE, NOT_SEATED, NOT_STARTED or UNPLAYABLE.

        With `window` they must owe it an answer, with `alive` play on: else it raises as their answer would.
        """
        with about(table_id):
            entry, state = await self._read(table_id)
            if (window is not None or alive) and state.phase is Phase.OVER:
                raise Refusal(Mistake.TABLE_GONE)
            if alive:
                play.must_live(state, user_id)
            if window is not None:
                play.must_be_asked(state, user_id, window)
            return state.private(user_id, self._public(state, entry))

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
        return frozenset() if self.presence is None else await self.presence.missing(table.guild_id, user_ids)

    # ------------------------------------------------------------------------------------------------ announcing

    async def save_post(self, table_id: str, post: Post) -> None:
        """Remember a message of a table. Called by the audience alone."""
        entry = self._entry(table_id)
        # Under the lock, so that a loading that began before does not put the old post back.
        async with entry.lock:
            await self._store.save_post(table_id, post)
            entry.posts[post.kind, post.number] = post
            await self._load(table_id, entry)
        self._forget_finished(table_id, entry)

    async def announced(self, table_id: str, version: int) -> None:
        """Everything up to `version` is in the channel; a table that is over is forgotten then."""
        entry = self._entry(table_id)
        async with entry.lock:
            await self._store.announced(table_id, version)
            state = await self._load(table_id, entry)
            if state.row.announced_version < version:
                entry.state = replace(state, row=replace(state.row, announced_version=version))
        self._forget_finished(table_id, entry)

    def shown(self, table_id: str, window: int) -> None:
        """People can see `window` now: its time counts from here. Telling it again changes nothing."""
        entry = self._entries.get(table_id)
        if entry is not None and entry.time.shown(window) and entry.state is not None:
            self._arm(entry.state, entry)

    # ------------------------------------------------------------------------------------------------ outages

    def unreachable(self, cause: Hashable) -> None:
        """Until `reachable` nobody can answer, or nobody of the server whose id `cause` is: no time passes for them."""
        self.outages.begin(cause)

    def reachable(self, cause: Hashable) -> None:
        """The outage is over: windows get back what it cost them, and people are told."""
        if not self.outages.end(cause):
            return
        for table_id, entry in self._entries.items():
            state = entry.state
            if state is not None and state.window_open() and concerns(cause, state.row):
                self._arm(state, entry)
                self._audience.changed(table_id)

    # ------------------------------------------------------------------------------------------------ life

    async def restore(self) -> int:
        """After a start: load every open table, give its window its time again, have it shown. Returns how many."""
        away = await self._seconds_away()
        open_tables = await self._store.open_tables()
        for table_id in open_tables:
            try:
                entry, state = await self._read(table_id)
                # Before anybody is told of the table: what they are told has to be the time that people really have.
                if state.row.announced_version == state.row.version:
                    entry.time.woken(state.row.window)
                request = f"woken-{secrets.token_hex(8)}"
                await self.submit(Woken(request=request, table_id=table_id, away=away))
            except Exception:  # one table that cannot be loaded must not keep the others from their players
                log.exception("table not restored", table=table_id)
            self._audience.changed(table_id)
        await self._store_alive()
        self._awake = True
        self._deadlines.start_sweeping()
        return len(open_tables)

    async def _seconds_away(self) -> float | None:
        """How long the bot was gone, by the wall clock: less than nothing if that was set back; None if unknown."""
        fact = await self._store.remembered(ALIVE_FACT)
        return None if fact is None else self._clock.now().timestamp() - float(fact)

    async def _store_alive(self) -> None:
        """So that after the next start nothing is given back twice, and nothing is forgotten."""
        await self._store.remember(ALIVE_FACT, str(self._clock.now().timestamp()))

    async def close(self) -> None:
        """Refuse what is new, finish what is running."""
        self._closing = True
        self._deadlines.stop()
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)
        if self._awake:
            await self._logged(self._store_alive())

    # ------------------------------------------------------------------------------------------------ inside

    def _must_be_open(self) -> None:
        if self._closing:
            raise Refusal(Mistake.CLOSING)

    def _entry(self, table_id: str) -> _Entry:
        return self._entries.setdefault(table_id, _Entry(self._clock, self.outages))

    async def _read(self, table_id: str) -> tuple[_Entry, TableState]:
        entry = self._entry(table_id)
        if entry.state is not None:
            return entry, entry.state
        async with entry.lock:
            state = await self._load(table_id, entry)
        self._forget_finished(table_id, entry)
        return entry, state

    async def _load(self, table_id: str, entry: _Entry) -> TableState:
        """The cached state, else the stored one. The lock is held."""
        if entry.state is None:
            stored = await self._store.load(table_id)
            if stored is None:
                self._entries.pop(table_id, None)
                raise Refusal(Mistake.NO_TABLE)
            try:
                entry.state = rebuilt(stored)
            except CorruptTable as error:
                # Its people are told, and it can be ended: a damaged game must not hold its channel for ever.
                entry.state = unplayable(stored)
                # One that has ended is looked at for years, and there is nothing left to do about it.
                note = log.info if entry.state.phase is Phase.OVER else log.error
                note("table cannot be replayed", table=table_id, error=str(error))
            entry.posts = {(post.kind, post.number): post for post in stored.posts}
            # However it came to be stored, by whatever was cancelled or failed: its clock runs.
            self._arm(entry.state, entry)
        return entry.state

    def _forget_finished(self, table_id: str, entry: _Entry) -> None:
        """A table that is over and told needs no memory: people look at old messages for years."""
        state = entry.state
        if state is None or state.phase is not Phase.OVER or state.row.announced_version < state.row.version:
            return
        if self._entries.get(table_id) is entry and not entry.lock.locked():
            self._deadlines.disarm(table_id)
            del self._entries[table_id]

    def _public(self, state: TableState, entry: _Entry) -> PublicTable:
        return state.public(entry.posts.values(), entry.time.closes(state))

    def _arm(self, state: TableState, entry: _Entry) -> None:
        left = min(entry.time.seconds_left(state), entry.time.seconds_to_stand(state))
        if left == math.inf or self._closing:
            self._deadlines.disarm(state.row.id)
        else:
            self._deadlines.arm(state.row.id, left)

    def _ring(self, table_id: str) -> None:
        """A timer went off: have the door look again."""
        if table_id in self._entries and not self._closing:
            _ = self._spawn(self._logged(self._time_up(table_id)))

    async def _time_up(self, table_id: str) -> None:
        entry, state = await self._read(table_id)
        request, window = f"clock-{secrets.token_hex(8)}", state.row.window
        if state.row.deadline_at is None:
            return
        if entry.time.seconds_to_stand(state) <= 0 < entry.time.seconds_left(state):
            await self.submit(AllowForThem(request=request, table_id=table_id, window=window))
            return
        gone = await self._gone(state) if entry.time.seconds_left(state) <= 0 else frozenset()
        await self.submit(TimeUp(request=request, table_id=table_id, window=window, gone=gone))

    async def _gone(self, state: TableState) -> frozenset[int]:
        """Who of those that the clock will answer for has left the server."""
        if self.presence is None or state.game is None or not state.window_open():
            return frozenset()
        awaited = [state.players[seat].user_id for seat in state.game.awaited()]
        return await self.presence.missing(state.row.guild_id, awaited)

    def _sweep(self) -> asyncio.Task[None]:
        return self._spawn(self._logged(self._look_for_neglected()))

    async def _look_for_neglected(self) -> None:
        """Find tables that are overdue or not announced, and tables whose timer was lost."""
        await self._store_alive()
        for table_id in list(self._unstored):
            self._stored(table_id)
        for table_id in await self._store.needing_attention(self._clock.now()):
            self._audience.changed(table_id)
            await self._logged(self._set_timer(table_id))
        # Neither is every table that has lost its timer overdue by the wall clock, which may have been set back.
        for table_id in list(self._entries):
            await self._logged(self._set_timer(table_id))

    async def _set_timer(self, table_id: str) -> None:
        entry, state = await self._read(table_id)
        if not self._deadlines.armed(table_id):
            self._arm(state, entry)

    async def _logged(self, work: Coroutine[Any, Any, None]) -> None:
        """Work that nobody waits for. The sweep will come to it again."""
        try:
            await work
        except Refusal as refusal:
            log.info("clock refused", mistake=refusal.mistake)
        except Exception:  # a timer must never die with its error unseen
            log.exception("clock failed")

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
