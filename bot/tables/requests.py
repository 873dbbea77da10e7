"""What people and the clock ask of a table. Every change goes through one of these.

Owns: the vocabulary of the one door, `Tables.submit`. `request` is unique to one asking (a Discord interaction id),
so that an asking that arrives twice, or whose commit failed half-way, is known again.
"""

from __future__ import annotations

from msgspec import Struct


class Request(Struct, frozen=True, kw_only=True):
    """An asking about one table."""

    request: str
    table_id: str


class OpenLobby(Struct, frozen=True, kw_only=True):
    """A new table in a channel, its opener the host and first player."""

    request: str
    guild_id: int
    channel_id: int
    user_id: int
    name: str
    click: int
    language: str
    speed: str
    edition: str = "classic"


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


class End(Request, frozen=True, kw_only=True):
    """End the table, lobby or game."""

    user_id: int
    name: str
    moderator: bool


class TimeUp(Request, frozen=True, kw_only=True):
    """The clock: nobody answered the window in time."""

    window: int


class Woken(Request, frozen=True, kw_only=True):
    """The bot was away: the open window gets its full length again."""


AnyRequest = Join | Leave | Start | Cancel | Play | End | TimeUp | Woken
