"""Everything at once: people, the clock, a store that fails, outages and restarts, in every order that is found.

A hypothesis state machine on a loop whose time is moved by hand. `MACHINE_EXAMPLES` says how many runs (300).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bot.tables import lobby, windows
from bot.tables.choices import encode
from bot.tables.errors import Refusal
from bot.tables.outages import OutageCause
from bot.tables.ports import VersionConflict
from bot.tables.requests import (
    Abandon,
    AnyRequest,
    AutoAllow,
    Cancel,
    End,
    Extend,
    HostGone,
    Join,
    Kick,
    Leave,
    OpenLobby,
    PauseTable,
    Play,
    Resume,
    Start,
    Transfer,
    Unblock,
)
from bot.tables.state import TableState
from bot.tables.table import Pause, Phase, PublicTable
from coup_core import record
from coup_core.replay import verify
from tests.support import logs
from tests.support.fakes import Broken, Fault, settle
from tests.tables.onlookers import EXTENDS, Onlookers, Watched, moves_of
from tests.tables.room import GATEWAY, Room

EXAMPLES = int(os.environ.get("MACHINE_EXAMPLES", "300"))
USERS = range(10, 17)
STRANGER = 99
CHANNELS = {100: 1, 101: 1, 102: 2}
"""Each channel's server."""
SPEEDS = ("blitz", "normal", "blitz", "normal", "relaxed", "daily")
CHOICES = (
    "pass", "challenge", "income", "tax", "foreign-aid", "exchange", "steal:0", "steal:1", "assassinate:0", "coup:1",
    "block:0", "block:1", "show", "concede", "lose:0", "lose:1", "keep:0,1", "keep:0", "resign", "", "steal:9", "keep:",
)  # fmt: skip
KINDS = (
    *["play"] * 14, *["click"] * 3, *["open", "join", "start"] * 2, "leave", "cancel", "resign", "kick", "transfer",
    "extend", "resume", "resume", "host-gone", "pause", "unblock", "auto", "auto", "end", "abandon",
)  # fmt: skip
FAULTS = [fault for fault in Fault if fault is not Fault.NONE]
HARMLESS = r"(?s)(clock failed|table not restored).*(fakes\.Broken|ports\.VersionConflict)"
"""What may be logged as an error: the sweep and the start say so when the store fails them."""

kinds = st.sampled_from(KINDS)
numbers = st.integers(0, 99)
asks = st.tuples(kinds, numbers, numbers, numbers)
"""What is asked, at which table, by whom, and a number for the rest."""
turns = st.integers(0, 14)
lengths = st.sampled_from([0.5, 3.0, 15.0, 18.0, 31.0, 93.0, 240.0])

Asked = tuple[AnyRequest | OpenLobby, "asyncio.Task[PublicTable]"]


class TableMachine(RuleBasedStateMachine):
    """A room full of people, and everything that can go wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.room = Room()
        self.room.time.rule(self.loop)
        self.onlookers = Onlookers()
        self.away: set[OutageCause] = set()
        """Outages that are on."""
        self.unwritable = False
        self.clock_was_set = False
        self.acknowledged: dict[str, set[str]] = {}
        """By table: the requests of moves of which people were told that they count."""
        self.sound: dict[str, tuple[int, int]] = {}
        """By table: the version that was found sound, in which process."""
        self.watching = logs.watched()
        self.caught = self.watching.__enter__()
        self.do(self._restart(0.0))

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        self.loop.run_until_complete(work)

    # -------------------------------------------------------------------------------------------- what people do

    @initialize(players=st.integers(2, 6), speed=st.sampled_from(SPEEDS), quiet=st.integers(0, 3))
    def a_game_is_on(self, players: int, speed: str, quiet: int) -> None:
        self.do(self._a_game(players, speed, quiet))

    async def _a_game(self, players: int, speed: str, quiet: int) -> None:
        table = await self.room.game(players, speed=speed, channel=100)
        for seat in range(min(quiet, players)):
            await self.room.switch(table, seat)
        await self._look()

    @rule(ask=asks)
    def somebody_asks(self, ask: tuple[str, int, int, int]) -> None:
        self.do(self._ask([ask]))

    @rule(together=st.lists(asks, min_size=2, max_size=5))
    def many_ask_in_one_instant(self, together: list[tuple[str, int, int, int]]) -> None:
        self.do(self._ask(together))

    @rule(ask=asks, apart=turns)
    def an_asking_arrives_twice(self, ask: tuple[str, int, int, int], apart: int) -> None:
        self.do(self._ask([ask], again_after=apart))

    @rule(count=st.integers(1, 12), seed=numbers)
    def they_play_on(self, count: int, seed: int) -> None:
        for number in range(count):
            self.do(self._ask([("play", seed, seed + number, seed * 7 + number * 13)]))

    @rule(ask=asks, after=turns)
    def somebody_asks_and_goes(self, ask: tuple[str, int, int, int], after: int) -> None:
        self.do(self._ask([ask], then=lambda asked: asked[0][1].cancel(), after=after))

    @rule(together=st.lists(asks, min_size=1, max_size=3), after=turns)
    def the_work_is_cancelled(self, together: list[tuple[str, int, int, int]], after: int) -> None:
        self.do(self._ask(together, then=lambda _: self._cancel_work(), after=after))

    @rule(
        together=st.lists(asks, min_size=1, max_size=3),
        faults=st.lists(st.sampled_from(FAULTS), min_size=1, max_size=4),
        loads=st.lists(st.sampled_from([Fault.BEFORE, Fault.NONE]), max_size=2),
    )
    def the_store_fails(
        self, together: list[tuple[str, int, int, int]], faults: list[Fault], loads: list[Fault]
    ) -> None:
        self.room.store.faults.extend(faults)
        self.room.store.load_faults.extend(loads)
        self.do(self._ask(together))
        self._put_off(60)

    @rule(table=numbers)
    def somebody_looks(self, table: int) -> None:
        self.do(self._read(table))

    @rule(user=st.sampled_from(USERS))
    def somebody_leaves_the_server_or_comes_back(self, user: int) -> None:
        self.room.server.left ^= {user}

    # -------------------------------------------------------------------------------------------- what happens to us

    @rule(seconds=lengths)
    def time_passes(self, seconds: float) -> None:
        self.do(self._pass(seconds))

    @rule(seconds=st.sampled_from([1.0, 20.0, 100.0]), fault=st.sampled_from(FAULTS))
    def the_clock_meets_a_store_that_fails(self, seconds: float, fault: Fault) -> None:
        self.room.store.faults.extend([fault, fault])
        self._put_off(60)
        self.do(self._pass(seconds))
        self.room.store.faults.clear()

    @rule(cause=st.sampled_from([GATEWAY, 1, 2]))
    def an_outage_begins_or_ends(self, cause: OutageCause) -> None:
        self.do(self._outage(cause))

    @rule(cause=st.sampled_from([GATEWAY, 1]), ask=asks, lasts=st.sampled_from([3.0, 31.0, 500.0]), then=lengths)
    def an_outage_comes_and_goes(
        self, cause: OutageCause, ask: tuple[str, int, int, int], lasts: float, then: float
    ) -> None:
        self.do(self._outage(cause))
        self.do(self._pass(lasts / 2))
        self.do(self._ask([ask]))
        self.do(self._pass(lasts / 2))
        self.do(self._outage(cause))
        self.do(self._pass(then))

    @rule(ask=asks, unseen=lengths, then=lengths)
    def a_window_is_shown_late(self, ask: tuple[str, int, int, int], unseen: float, then: float) -> None:
        was, self.unwritable = self.unwritable, True
        self.do(self._ask([ask]))
        self.do(self._pass(unseen))
        self.unwritable = was
        self.do(self._pass(then))

    @rule()
    def the_store_goes_or_comes_back(self) -> None:
        self.room.store.down = not self.room.store.down
        self._put_off(60)

    @rule()
    def the_channels_are_closed_or_open_again(self) -> None:
        self.unwritable = not self.unwritable

    @rule(seconds=st.sampled_from([-7200.0, -40.0, 40.0, 7200.0]))
    def the_wall_clock_is_set(self, seconds: float) -> None:
        self.do(self._set_clock(seconds))

    @rule(away=st.sampled_from([0.0, 5.0, 100.0, 5000.0]), together=st.lists(asks, max_size=3), after=turns)
    def the_process_dies(self, away: float, together: list[tuple[str, int, int, int]], after: int) -> None:
        self.do(self._ask(together, then=lambda _: self.room.crash(), after=after))
        self.do(self._restart(away))

    @precondition(lambda self: not self.room.store.down)
    @rule(away=st.sampled_from([0.0, 100.0]))
    def the_process_ends_in_good_order(self, away: float) -> None:
        self.do(self.room.tables.close())
        self.do(self._restart(away))

    # -------------------------------------------------------------------------------------------- what must hold

    @invariant()
    def everything_holds(self) -> None:
        room = self.room
        wrong = logs.verdict(self.caught, [HARMLESS]) if self.caught else None
        assert wrong is None, wrong
        for table_id, requests in self.acknowledged.items():
            written = {line.request for line in room.store.tables[table_id].lines}
            assert requests <= written, "a move that counted is lost"
        for table_id, stored in room.store.tables.items():
            if self.sound.get(table_id) != (stored.row.version, len(room.all)):
                room.assert_sound(table_id)
                self.sound[table_id] = stored.row.version, len(room.all)
        sweeping = room.tables.watch.deadlines._sweeping
        assert sweeping is not None
        assert not sweeping.cancelled()

    def teardown(self) -> None:
        try:
            for table_id, stored in self.room.store.tables.items():
                if stored.row.mix is not None:
                    whole = self.room.stored(table_id).whole_record()
                    verify(record.read(record.format(whole))[0])
        finally:
            self.room.crash()
            self.do(settle(5))
            self.watching.__exit__(None, None, None)
            self.loop.close()

    # -------------------------------------------------------------------------------------------- inside

    async def _ask(
        self,
        wanted: Sequence[tuple[str, int, int, int]],
        *,
        again_after: int | None = None,
        then: Callable[[list[Asked]], object] | None = None,
        after: int = 0,
    ) -> None:
        """Ask all of it at once, let `then` happen after so many turns of the loop, and hear the answers."""
        asked: list[Asked] = []
        for kind, table, who, more in wanted:
            request = self._request(kind, table, who, more)
            if request is not None:
                asked.append((request, self._submit(request)))
        if again_after is not None and asked:
            await settle(again_after)
            asked.append((asked[0][0], self._submit(asked[0][0])))
        if then is not None and asked:
            await settle(after)
            then(asked)
            self._put_off(60)
        answers = await asyncio.gather(*(task for _, task in asked), return_exceptions=True)
        await self._drain()
        self.room.store.faults.clear()
        self.room.store.load_faults.clear()
        self._hear([request for request, _ in asked], answers)
        await self._look()

    def _submit(self, request: AnyRequest | OpenLobby) -> asyncio.Task[PublicTable]:
        tables = self.room.tables
        work = tables.open_lobby(request) if isinstance(request, OpenLobby) else tables.submit(request)
        return self.loop.create_task(work)

    def _hear(self, requests: list[AnyRequest | OpenLobby], answers: Sequence[PublicTable | BaseException]) -> None:
        for request, answer in zip(requests, answers, strict=True):
            allowed = PublicTable | Refusal | Broken | VersionConflict | asyncio.CancelledError
            assert isinstance(answer, allowed), repr(answer)
            if not isinstance(request, Play):
                continue
            made = moves_of(self.room.store.tables[request.table_id], request.request)
            assert made <= 1, "a move is there twice"
            if isinstance(answer, PublicTable):
                assert made == 1, "a move counted and is not stored"
                self.acknowledged.setdefault(request.table_id, set()).add(request.request)
            elif isinstance(answer, Refusal) and sum(other is request for other in requests) == 1:
                assert made == 0, "a move was refused and is stored"

    def _request(self, kind: str, table: int, who: int, more: int) -> AnyRequest | OpenLobby | None:
        if kind == "open":
            return self._opening(table, who, more)
        stored = list(self.room.store.tables)
        running = [watched.stored.row.id for watched in self.onlookers.open()]
        # Now and then somebody presses a button of a table that is over.
        ids = stored if more > 95 or not running else running
        if not ids:
            return None
        return _request(kind, self.room.stored(ids[table % len(ids)]), self.room.request(), who, more)

    def _opening(self, channel: int, who: int, more: int) -> OpenLobby:
        channel_id = list(CHANNELS)[channel % len(CHANNELS)]
        before = [stored for stored in self.room.store.tables.values() if stored.row.channel_id == channel_id]
        user = USERS[who % len(USERS)]
        return OpenLobby(
            request=self.room.request(),
            guild_id=CHANNELS[channel_id],
            channel_id=channel_id,
            user_id=user,
            name=f"User {user}",
            click=user * 1000,
            language="en",
            speed=SPEEDS[more % len(SPEEDS)],
            held=before[-1].players if before and more % 2 else (),
        )

    def _cancel_work(self) -> None:
        running = sorted(self.room.tables._running, key=lambda task: int(task.get_name().removeprefix("Task-")))
        if running:
            running[-1].cancel()

    async def _drain(self) -> None:
        for _ in range(50):
            if not self.room.tables._running:
                return
            await settle(20)
        raise AssertionError("work that does not end")

    async def _look(self) -> None:
        """Compare with what was, and bring the channels up to date."""
        await self._drain()
        self.onlookers.look(self.room.store.tables)
        if self.unwritable:
            return
        for watched in self.onlookers.tables.values():
            try:
                await self._announce(watched)
            except Broken:
                continue
        await self._drain()
        self.onlookers.look(self.room.store.tables)

    async def _announce(self, watched: Watched) -> None:
        row, room = watched.stored.row, self.room
        if row.announced_version == row.version and (watched.visible or not watched.open_window):
            return
        table = await room.tables.table(row.id)
        if table.phase is Phase.LOBBY and not table.posts:
            await room.post_lobby(row.id)
        if table.phase is Phase.PLAYING:
            room.tables.shown(row.id, table.window)
            watched.shown = table.window
        await room.tables.announced(row.id, table.version)

    async def _pass(self, seconds: float) -> None:
        """Time goes by, from one timer to the next."""
        time, until = self.room.time, self.room.time.passed + seconds
        steps = 0
        while time.passed < until:
            due = time._next()
            step = min(until, max(due, time.passed)) - time.passed if due is not None else until - time.passed
            await time.advance(step)
            for watched in self.onlookers.open():
                reachable = not self.away & {GATEWAY, watched.stored.row.guild_id}
                calm = reachable and not self.room.store.down and not self.unwritable
                watched.wait(step, reachable=reachable, calm=calm)
            await self._look()
            steps += 1
            assert steps < 50 + 10 * seconds, "the clock spins"

    def _put_off(self, seconds: float) -> None:
        for watched in self.onlookers.open():
            watched.put_off(seconds)

    async def _outage(self, cause: OutageCause) -> None:
        outages = self.room.tables.outages
        if cause in self.away:
            assert outages.end(cause)
        else:
            outages.begin(cause)
        self.away ^= {cause}

    async def _set_clock(self, seconds: float) -> None:
        self.room.store.down = False
        await self._look()
        for table_id in list(self.room.store.tables):
            await self.room.tables.table(table_id)
        self.room.time.jump += seconds
        self.clock_was_set = True

    async def _restart(self, away: float) -> None:
        self.room.store.down = False
        self.room.crash()
        await settle()
        await self.room.time.advance(away)
        self.onlookers.look(self.room.store.tables)
        for watched in self.onlookers.open():
            watched.again(clock_was_set=self.clock_was_set)
        self.away.clear()
        await self.room.another().restore()
        await self._look()

    async def _read(self, number: int) -> None:
        tables = self.room.tables
        if not self.room.store.tables:
            return
        table_id = list(self.room.store.tables)[number % len(self.room.store.tables)]
        user = USERS[number % len(USERS)]
        looks: list[Coroutine[Any, Any, object]] = [
            tables.table(table_id),
            tables.private(table_id, user),
            tables.private(table_id, user, alive=True),
            tables.in_channel(list(CHANNELS)[number % len(CHANNELS)]),
            tables.of_player(user),
            tables.in_guild(1),
        ]
        for answer in await asyncio.gather(*looks, return_exceptions=True):
            assert not isinstance(answer, BaseException) or isinstance(answer, Refusal | Broken), repr(answer)
        await self._look()


def _request(kind: str, state: TableState, request: str, who: int, more: int) -> AnyRequest | None:
    """What `kind` asks of that table, or None where there is nothing to ask."""
    if kind == "play":
        return _move(state, request, who, more)
    row, user = state.row, USERS[who % len(USERS)]
    other = state.players[more % len(state.players)].user_id if state.players and more % 7 else STRANGER
    host = row.host_id if more % 4 else user
    base: dict[str, Any] = {"request": request, "table_id": row.id}
    own = {**base, "user_id": user}
    runs = {**base, "user_id": row.host_id}
    if more % 5 < 2:
        runs = {**own, "user_id": STRANGER, "moderator": True} if more % 5 == 0 else own
    window = row.window + (-1, 0, 0, 1)[more % 4]
    asking: dict[str, Callable[[], AnyRequest | None]] = {
        "click": lambda: Play(**own, window=window, choice=CHOICES[more % len(CHOICES)]),
        "resign": lambda: Play(**own, window=0, choice="resign"),
        "join": lambda: Join(**own, name=f"User {user}", click=user * 1000 + who),
        "leave": lambda: Leave(**own),
        "start": lambda: Start(**base, user_id=host),
        "cancel": lambda: Cancel(**base, user_id=host),
        "kick": lambda: Kick(**runs, player=other, name="Moderator"),
        "transfer": lambda: Transfer(**runs, player=other),
        "extend": lambda: Extend(**{**runs, "request": EXTENDS + request}),
        "resume": lambda: Resume(**own),
        "auto": lambda: AutoAllow(**own, on=more % 3 > 0),
        "end": lambda: End(**own, name="Moderator", moderator=more % 3 == 0),
        "pause": lambda: PauseTable(**base, why=Pause.NO_ACCESS),
        "unblock": lambda: Unblock(**base, why=Pause.NO_ACCESS),
        "host-gone": lambda: HostGone(**own, host=row.host_id if more % 5 else STRANGER),
        "abandon": lambda: Abandon(**base) if more % 3 == 0 else None,
    }
    return asking[kind]()


def _move(state: TableState, request: str, who: int, more: int) -> Play | None:
    """A legal answer of somebody who is asked."""
    awaited = state.game.awaited() if state.game is not None else ()
    if not awaited or state.phase is not Phase.PLAYING:
        return None
    user = state.players[awaited[who % len(awaited)]].user_id
    view = state.private(user, state.public()).view
    choice = encode(view.moves[more % len(view.moves)], view)
    return Play(request=request, table_id=state.row.id, user_id=user, window=state.row.window, choice=choice)


@pytest.fixture
def shorter_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a run gets to the end of them."""
    monkeypatch.setattr(windows, "GIVEN_UP_AFTER", timedelta(seconds=150))
    for module in (windows, lobby):
        monkeypatch.setattr(module, "STALE_AFTER", timedelta(seconds=200))


@pytest.mark.usefixtures("shorter_days")
def test_whatever_happens(expected_errors: list[str]) -> None:
    with logs.watched() as caught:
        run_state_machine_as_test(
            TableMachine,
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=16,
                deadline=None,
                derandomize=False,
                print_blob=True,
                suppress_health_check=list(HealthCheck),
            ),
        )
    if caught:
        expected_errors.append(HARMLESS)
