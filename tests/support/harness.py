"""A Discord to play in: a server, people with names and languages, virtual time, and the real client under test.

The one door to simcord for every test (`adapted` and `wire` are its back rooms). Knows nothing of Coup and nothing of
the bot: a client comes from a factory, and from there on there are only messages, buttons and words.

    async def test_joining(sim: SimulatedDiscord) -> None:
        ana, bob = sim.person("Ana", locale="pt-BR"), sim.person("Bob")
        await sim.start(lambda: client_with(clock=sim.clock))
        assert (await ana.command("coup new", speed="blitz")).private
        await bob.click(label="Join")
        await sim.at_once(ana.click(label="Challenge"), bob.click(label="Challenge"))
        await sim.advance(20)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import discord
from simcord import _runtime as runtime
from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend import Backend, serializers
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType

from tests.support import adapted
from tests.support.people import Answer, Person
from tests.support.seen import Audience, Button, Option, Seen, Select, Sent
from tests.support.wire import Break, Delay, Wire

__all__ = [
    "Answer",
    "Button",
    "Channel",
    "Option",
    "Person",
    "Seen",
    "Select",
    "Sent",
    "SimulatedClock",
    "SimulatedDiscord",
]

T = TypeVar("T")
Factory = Callable[[], discord.Client]
Closing = Callable[[], Coroutine[Any, Any, None]]

Kind = Literal["text", "news", "forum", "voice", "stage"]
NEWS_THREAD = 10
"""simcord has no name for it."""

ADVANCE_PATIENCE = 60.0
"""Real seconds that one `advance` may take before the client counts as stuck."""


@dataclass(frozen=True)
class SimulatedClock:
    """The bot's clock, on the simulation's time, which begins with 2026."""

    _backend: Backend

    def now(self) -> datetime:
        """Aware, UTC."""
        return self._backend.clock.now()


class Channel:
    """A channel of the server, or a thread."""

    def __init__(self, backend: Backend, wire: Wire, handle: ChannelHandle) -> None:
        self._backend = backend
        self._wire = wire
        self.handle = handle
        self.id: int = handle.id

    @property
    def messages(self) -> tuple[Seen, ...]:
        """What everybody can read, oldest first."""
        stored = self._backend.messages.get(self.id, {}).values()
        return tuple(self._wire.seen(message) for message in stored if not message.is_ephemeral)

    @property
    def last(self) -> Seen:
        """The newest message that everybody can read."""
        return self.messages[-1]

    @property
    def threads(self) -> tuple[Channel, ...]:
        """The threads under it, oldest first."""
        return tuple(Channel(self._backend, self._wire, handle) for handle in self.handle.threads)

    def open_thread(self, name: str, opener: Person) -> Channel:
        """A thread that somebody opens under it; in a forum, a post."""
        kind = ChannelType.PUBLIC_THREAD if self._backend.get_channel(self.id).type != ChannelType.NEWS else NEWS_THREAD
        thread = self._backend.create_thread(self.id, name, opener.id, type=kind)
        return next(there for there in self.threads if there.id == thread.id)

    def forbid(self, *permissions: str) -> None:
        """Take permissions (`send_messages`, `view_channel`, ...) from the bot here; `forbid()` gives all back."""
        denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
        overwrite = Overwrite(self._backend.bot_user.id, OverwriteType.MEMBER, deny=denied)
        self._backend.set_overwrite(self.id, overwrite)

    def archive(self, *, archived: bool = True) -> None:
        """Somebody with the right to do so archives and locks the thread that this is, or opens it again."""
        self._backend.edit_channel(self.id, {}, thread_metadata={"archived": archived, "locked": archived})

    def delete(self, message: Seen | None = None) -> None:
        """Somebody with the right to do so deletes a message, or the whole channel."""
        if message is None:
            self._backend.delete_channel(self.id)
        else:
            self._backend.delete_message(self.id, message.id)


class SimulatedDiscord:
    """One server, its people, and at most one running client."""

    def __init__(self, *, channel: str = "games", server_locale: str = "en-US", shards: int = 1) -> None:
        # simcord wants a client from the start; the real one takes its place in `start`.
        self._env = adapted.Env(discord.Client(intents=discord.Intents(guilds=True)))
        self._backend = self._env.backend
        self._wire = Wire(self._backend)
        adapted.connect(self._backend, self._wire)
        self._shards = shards
        self._running = False
        self._server = self._env.create_guild("The server", preferred_locale=server_locale)
        self.server_id: int = self._server.id
        self.clock = SimulatedClock(self._backend)
        self.people: list[Person] = []
        self.channel = self.add_channel(channel)

    def add_channel(self, name: str, kind: Kind = "text") -> Channel:
        """One more channel."""
        create: Callable[[str], ChannelHandle] = getattr(self._server, f"create_{kind}_channel")
        return Channel(self._backend, self._wire, create(name))

    def person(self, name: str, *, locale: str = "en-US") -> Person:
        """Somebody new on the server, shown as `name`, whose Discord speaks `locale`."""
        user = self._env.create_user(f"user{len(self.people) + 1}", global_name=name)
        self._wire.locales[user.id] = locale
        self.people.append(Person(self, self._server.add_member(user), name, locale))
        return self.people[-1]

    # ------------------------------------------------------------------------------------------ the client's life

    @property
    def client(self) -> discord.Client:
        """The client that runs now, or ran last."""
        return self._env.bot

    async def start(self, factory: Factory, *, sync: bool = True) -> None:
        """Log a fresh client in, wait until it is at rest, and register its commands (not if `sync` is false)."""
        client = factory()
        tree: Any = getattr(client, "tree", None)
        # simcord counts every error that a handler dealt with as an error of the test; the log tells the real ones.
        own = [(where, vars(where).get("on_error")) for where in (client, tree) if where is not None]
        unset = isinstance(client, discord.AutoShardedClient) and client.shard_count is None
        self._env.requested_shard_count = self._shards if unset else None
        self._env.bot = client
        self._env.stuck = False
        if self._env._started:
            await runtime._attach_bot(self._env, client)
        else:
            await self._env.start()
        self._running = True
        for where, handler in own:
            vars(where).pop("on_error", None)
            if handler is not None:
                vars(where)["on_error"] = handler
        if sync and tree is not None:
            await self.as_client(tree.sync())

    @property
    def patience(self) -> float:
        """Real seconds for the client to come to rest after a click, before it counts as stuck."""
        return self._env.settle_timeout

    @patience.setter
    def patience(self, seconds: float) -> None:
        self._env.settle_timeout = seconds

    async def stop(self, *, abrupt: bool = False, closing: Closing | None = None) -> None:
        """End the client: by `closing` (its `close()` if none), or as if the host had lost power: nothing is called.

        A client that has once not come to rest is always ended abruptly.
        """
        if not self._running:
            return
        self._running = False
        try:
            if not (abrupt or self._env.stuck):
                await self.as_client((closing or self.client.close)())
        finally:
            await self._env._detach_bot()

    async def restart(
        self, factory: Factory, *, abrupt: bool = False, away: float = 0, closing: Closing | None = None
    ) -> None:
        """End the client, let `away` seconds pass, and start another one on the same server: old buttons stay."""
        await self.stop(abrupt=abrupt, closing=closing)
        await self.advance(away)
        await self.start(factory, sync=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.stop(abrupt=error is not None)
        finally:
            await self._env.shutdown()
        if error is None:
            self._env._raise_errors_since(self._env._errors_acknowledged)

    @property
    def crashes(self) -> list[BaseException]:
        """What tasks and timers of the client died of. Whoever reads it knows of them; others are raised at the end."""
        return self._env.errors

    async def as_client(self, work: Coroutine[Any, Any, T]) -> T:
        """Do `work` as a task of the client, and wait until it is at rest."""

        async def outcome() -> T | Exception:
            try:
                return await work
            except Exception as error:  # noqa: BLE001 - it belongs to whoever asked for the work
                return error

        with self._env._bot_scope():
            task = asyncio.get_running_loop().create_task(outcome())
        await self.settle()
        if not task.done():
            raise AssertionError("that work still waits for time to pass")
        result = task.result()
        if isinstance(result, Exception):
            raise result
        return result

    # ------------------------------------------------------------------------------------------------------- time

    async def settle(self) -> None:
        """Wait until the client has done everything that it can do without time passing."""
        await self._env.settle()

    async def advance(self, seconds: float) -> None:
        """Let virtual time pass, also while no client runs; timers fire in their order, at their time."""
        if not self._running:
            self._backend.advance_clock(seconds)
            return
        usual, self.patience = self.patience, max(self.patience, ADVANCE_PATIENCE)
        try:
            await self._env.advance_time(seconds)
        finally:
            self.patience = usual

    async def at_once(self, *verbs: Coroutine[Any, Any, T]) -> list[T]:
        """Let people do things in the same instant, in this order, before the client has seen any of them."""
        self._env.held = True
        try:
            done = [await verb for verb in verbs]
        finally:
            self._env.held = False
        await self.settle()
        return done

    # --------------------------------------------------------------------------------------------------- troubles

    def inject_error(self, method: str, pattern: str, status: int, code: int = 0, *, times: int | None = 1) -> None:
        """Refuse the next requests whose path matches (`/channels/*/messages`, `/interactions/*/callback`)."""
        self._env.inject_error(method, pattern, status=status, code=code, message="refused by the test", times=times)

    def break_off(
        self, method: str, pattern: str, error: Exception, *, times: int = 1, delivered: bool = False
    ) -> None:
        """Let the next matching request end in `error`; `delivered`: Discord acts, and only its answer is lost."""
        self._wire.breaks.append(Break(method, pattern, error, delivered))

    def heal(self, pattern: str = "*") -> None:
        """Take back the errors injected for exactly that pattern, or all."""
        faults = self._backend.faults
        faults[:] = [fault for fault in faults if pattern not in ("*", fault["path"])]

    @contextmanager
    def slow(self, method: str, pattern: str, seconds: float, *, delivered: bool = False) -> Iterator[None]:
        """Meanwhile requests take virtual time; `delivered`: Discord acts at once, and only its answer is late."""
        delay = Delay(method, pattern, seconds, delivered)
        self._wire.delays.append(delay)
        try:
            yield
        finally:
            self._wire.delays.remove(delay)

    async def lose_connection(self, seconds: float, *, shard: int = 0) -> None:
        """One connection to the gateway is gone for so long; then the session is resumed."""
        await self._dispatch("shard_disconnect", shard)
        await self.advance(seconds)
        await self._dispatch("shard_resumed", shard)

    async def server_outage(self, seconds: float) -> None:
        """Discord has trouble with the server for so long."""
        await self.begin_server_outage()
        await self.advance(seconds)
        await self._tell("GUILD_CREATE", self._whole_server())

    async def begin_server_outage(self) -> None:
        """Discord has trouble with the server from now on."""
        await self._tell("GUILD_DELETE", {"id": str(self.server_id), "unavailable": True})

    async def _dispatch(self, event: str, *about: object) -> None:
        """An event that the library makes of the gateway's own life, which is not simulated."""

        async def work() -> None:
            self.client.dispatch(event, *about)

        await self.as_client(work())

    async def throw_out(self) -> None:
        """The server removes the bot."""
        await self._tell("GUILD_DELETE", {"id": str(self.server_id)})

    async def invite(self) -> None:
        """The server takes the bot in again."""
        whole = self._whole_server()
        del whole["unavailable"]  # said only of a server that the bot was in before
        await self._tell("GUILD_CREATE", whole)

    async def edit_roles(self, **rights: bool) -> None:
        """Somebody edits every role of the server, and gives them these rights, or takes them away."""
        for role in list(self._backend.get_guild(self.server_id).roles.values()):
            permissions = discord.Permissions(role.permissions)
            permissions.update(**rights)
            self._backend.edit_role(self.server_id, role.id, {"permissions": permissions.value})
        await self.settle()

    async def give_role(self, **rights: bool) -> None:
        """The bot is given one more role, with these rights."""
        guild, bot_id = self._backend.get_guild(self.server_id), self._backend.bot_user.id
        role = self._backend.create_role(guild.id, "more", permissions=discord.Permissions(**rights).value)
        await self.settle()
        self._backend.add_member_role(guild.id, bot_id, role.id)
        payload = dict(serializers.member_payload(self._backend, guild, guild.members[bot_id]))

        # Discord tells a bot of itself without the privileged intent; simcord does not.
        async def work() -> None:
            self.client._connection.parsers["GUILD_MEMBER_UPDATE"]({**payload, "guild_id": str(guild.id)})

        await self.as_client(work())

    def _whole_server(self) -> dict[str, Any]:
        return dict(serializers.guild_create_payload(self._backend, self._backend.get_guild(self.server_id)))

    async def _tell(self, event: str, payload: Mapping[str, Any]) -> None:
        self._backend.emit(event, payload)
        await self.settle()

    # ----------------------------------------------------------------------------------------------- what was sent

    @property
    def sent(self) -> list[Sent]:
        """Every request of every client so far, in the order in which Discord dealt with them."""
        return self._wire.sent

    def sent_to(self, audience: Audience | Person, *, since: int = 0) -> list[Sent]:
        """What reached that audience, from request number `since` on (take `len(sim.sent)` beforehand)."""
        whose = audience.id if isinstance(audience, Person) else audience
        return [sent for sent in self.sent[since:] if sent.audience == whose and sent.error is None]

    def wire(self, audience: Audience | Person, *, since: int = 0) -> list[bytes]:
        """The same as bytes, to compare two runs."""
        return [sent.wire for sent in self.sent_to(audience, since=since)]

    def channel_writes(self, *, since: int = 0) -> list[Sent]:
        """The posts, edits and deletions that count against a channel's limits, refused ones included."""
        kinds = ("post", "patch", "delete")
        return [sent for sent in self.sent[since:] if sent.kind in kinds and sent.audience == "public"]

    # ----------------------------------------------------------------------------------------- for `Person` alone

    def visible_to(self, user_id: int) -> list[Seen]:
        """Every message that person can read now, oldest first."""
        return self._wire.visible_to(user_id)

    def emit_component(self, user_id: int, component: Mapping[str, Any], on: Seen) -> int:
        """Deliver a click to the client, whatever it claims, and return the interaction's id."""
        record, payload = interactions.base_payload(
            self._backend,
            type=3,
            channel_id=on.channel_id,
            guild_id=self._backend.get_channel(on.channel_id).guild_id,
            user_id=user_id,
            data=dict(component),
        )
        # The message as it stands now; if it was deleted, as it was last seen.
        payload["message"] = dict((self._wire.find(on.channel_id, on.id) or on).payload)
        record.source_message_id = on.id
        self._backend.emit("INTERACTION_CREATE", payload)
        return record.id

    async def emit_command(self, member: MemberActor, place: Channel | None, name: str, options: Any) -> int:
        """Type a command in a channel, or in a DM if there is none, and return the interaction's id."""
        if place is None:
            result = await member.user.slash(name, **options)
        else:
            result = await member.slash(place.handle, name, **options)
        return int(result._interaction.id)

    async def emit_autocomplete(
        self, member: MemberActor, place: Channel | None, name: str, option: str, typed: str, filled: Any
    ) -> list[Option]:
        """Type into an option of a command, and return what is offered."""
        if place is None:
            offered = await member.user.autocomplete(name, option, typed, **filled)
        else:
            offered = await member.autocomplete(place.handle, name, option, typed, **filled)
        return [Option(choice["name"], choice["value"]) for choice in offered]

    def dm_channel_id(self, user_id: int) -> int:
        """The channel of their DMs with the bot."""
        return self._backend.get_dm_channel(user_id).id

    def remove_member(self, user_id: int) -> None:
        """They are on the server no more."""
        self._backend.remove_member(self.server_id, user_id)
