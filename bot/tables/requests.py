"""What people, the platform and the clock ask of a table. Every change goes through one of these.

Owns: the vocabulary of the one door, `Tables.submit`. `request` is unique to one asking (a Discord interaction id),
so that an asking that arrives twice, or whose commit failed half-way, is known again.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from bot.tables.table import Pause, Player


class Request(Struct, frozen=True, kw_only=True):
    """An asking about one table."""

    by_person: ClassVar[bool] = True
    """Whether somebody waits for a word: what comes too late from the clock or the platform just changes nothing."""

    request: str
    table_id: str


class HostRequest(Request, frozen=True, kw_only=True):
    """Something that the host may ask, or a moderator of the server."""

    user_id: int
    moderator: bool = False


class OpenLobby(Struct, frozen=True, kw_only=True):
    """A new table in a channel, its opener the host and first player."""

    request: str
    guild_id: int
    channel_id: int
    parent_id: int | None = None
    """The channel that a thread hangs on; None where the table is in no thread."""
    user_id: int
    name: str
    click: int
    language: str
    speed: str
    edition: str = "classic"
    held: tuple[Player, ...] = ()
    """Whose seats are kept for a while: those of the game before, in their order, the opener among them."""


class Join(Request, frozen=True, kw_only=True):
    """Take a seat in the lobby. `click` is the interaction's id, a part of the shuffle's mix."""

    user_id: int
    name: str
    click: int


class Leave(Request, frozen=True, kw_only=True):
    """Give up a seat in the lobby."""

    user_id: int


class Start(Request, frozen=True, kw_only=True):
    """The host closes the lobby and deals."""

    user_id: int


class Cancel(Request, frozen=True, kw_only=True):
    """The host closes the lobby for good."""

    user_id: int


class Play(Request, frozen=True, kw_only=True):
    """A player's answer. `window` is the window that they saw; `choice`: see `choices`."""

    user_id: int
    window: int
    choice: str


class AutoAllow(Request, frozen=True, kw_only=True):
    """A player switches "allow for me" on or off, for this game."""

    user_id: int
    on: bool


class Resume(Request, frozen=True, kw_only=True):
    """A player wakes a paused game."""

    user_id: int


class Kick(HostRequest, frozen=True, kw_only=True):
    """Remove `player` from the lobby, or from the game if their last turn was a silent one."""

    player: int
    name: str
    """Of whoever removes them: if nobody is left they have closed the lobby."""


class Transfer(HostRequest, frozen=True, kw_only=True):
    """Make `player` the host."""

    player: int


class Extend(HostRequest, frozen=True, kw_only=True):
    """Give the open window its length once more."""


class End(HostRequest, frozen=True, kw_only=True):
    """End the table, lobby or game."""

    name: str


class FromOutside(Request, frozen=True, kw_only=True):
    """The clock's and the platform's askings."""

    by_person: ClassVar[bool] = False


class HostGone(FromOutside, frozen=True, kw_only=True):
    """`host` is not in the server any more, and `user_id` asks for what only a host may."""

    host: int
    user_id: int


class TimeUp(FromOutside, frozen=True, kw_only=True):
    """The deadline of `window` may have passed. `gone`: who of those awaited is not in the server any more."""

    window: int
    gone: frozenset[int] = frozenset()


class AllowForThem(FromOutside, frozen=True, kw_only=True):
    """`window` has stood long enough for those who allow without being asked."""

    window: int


class Woken(FromOutside, frozen=True, kw_only=True):
    """The bot is back. `owed`: seconds that nobody could use and the stored deadline does not know of; None if nobody
    knows how many."""

    owed: float | None = None


class PauseTable(FromOutside, frozen=True, kw_only=True):
    """The platform keeps the game from going on."""

    why: Pause


class Unblock(FromOutside, frozen=True, kw_only=True):
    """What paused the game for `why` may be over."""

    why: Pause


class Abandon(FromOutside, frozen=True, kw_only=True):
    """Nobody can see the table any more: its channel is gone, or the bot is not in the server."""


AnyRequest = (
    Join
    | Leave
    | Start
    | Cancel
    | Play
    | AutoAllow
    | Resume
    | Kick
    | Transfer
    | Extend
    | End
    | HostGone
    | TimeUp
    | AllowForThem
    | Woken
    | PauseTable
    | Unblock
    | Abandon
)
