"""A table as others may see it: its people, its speed, its game as views, and the messages that show it.

Owns: the values that leave the application. `PublicTable` holds no hidden card before the end; `PrivateSeat` is for one
player's eyes. Knows neither Discord nor the database.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from coup_core.events import Event
from coup_core.moves import Seat
from coup_core.view import SeatView, TableView


class Phase(StrEnum):
    """What a table is doing."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


class Ending(StrEnum):
    """How a table came to be over."""

    WON = "won"
    CANCELLED = "cancelled"  # in the lobby, by its host or because everyone left
    ENDED = "ended"  # by the host or a moderator
    ABANDONED = "abandoned"  # nobody was there any more
    NO_ACCESS = "no-access"  # its channel is gone, or was closed to us for a day


class Pause(StrEnum):
    """Why a game stands still: no clock runs on it until somebody resumes it."""

    IDLE = "idle"  # nobody has answered for a whole round
    NO_ACCESS = "no-access"  # Discord does not let us write in its channel
    DAMAGED = "damaged"  # what is stored of it does not hold


class Cause(StrEnum):
    """Why a move was made that its player did not make."""

    AUTO = "auto"  # their switch "allow for me"
    SILENT = "silent"  # two silent turns in a row
    KICKED = "kicked"
    GONE = "gone"  # not in the server any more


class Speed(Struct, frozen=True):
    """How long people have. Seconds."""

    name: str
    turn: int
    answer: int


SPEEDS: dict[str, Speed] = {
    speed.name: speed
    for speed in (
        Speed("blitz", 30, 15),
        Speed("normal", 90, 30),
        Speed("relaxed", 300, 120),
        Speed("daily", 86_400, 43_200),
    )
}
"""The speeds on offer."""
DEFAULT_SPEED = SPEEDS["normal"]


class Player(Struct, frozen=True):
    """A person at the table."""

    user_id: int
    name: str
    """The display name as it was at joining, cleaned for showing."""
    click: int
    """The interaction id of the join: a part of the shuffle's `mix`. 0 while the seat is only held."""
    auto_allow: bool = False
    """Allows whatever is neither aimed at them nor theirs, after a moment."""

    @property
    def held(self) -> bool:
        """Whether the seat is kept for them in a rematch's lobby, and they have not yet come."""
        return self.click == 0


class TimeRanOut(Event, frozen=True, gc=False):
    """The clock answered for `seat` (R41), in a question where that is worth a word."""


class Removed(Event, frozen=True, gc=False):
    """`seat` is resigned by somebody or something else."""

    cause: Cause


class TurnStory(Struct, frozen=True):
    """What everyone saw happen in one turn."""

    number: int
    """0 for what happened before the first turn."""
    events: tuple[Event, ...]


class ClaimTold(Struct, frozen=True):
    """A claim of a finished game and whether it was true; told only at the end."""

    turn: int
    seat: Seat
    character: str
    held: bool
    challenged: bool


class Result(Struct, frozen=True):
    """What a finished game makes public."""

    winner: Seat | None
    hands: tuple[tuple[str, ...], ...]
    """Face-down cards by seat as the game ended."""
    claims: tuple[ClaimTold, ...]
    seed: str
    """Hex."""
    mix: str
    record: str
    """The `.coup` file."""


class PostKind(StrEnum):
    """What a message of ours is about."""

    LOBBY = "lobby"
    TURN = "turn"
    PROMPT = "prompt"  # calls one player to the turn's message
    PAUSE = "pause"  # in place of a turn's message, while nobody plays
    RESULT = "result"
    HAND = "hand"  # a player's own, by DM; numbered by their seat


class Post(Struct, frozen=True):
    """A message of ours in the table's channel, or in the DMs of one of its players."""

    kind: PostKind
    number: int
    """The turn (turn, pause), the window (prompt) or the seat (hand) that it belongs to; 0 where there is only one."""
    attempt: int
    """Counts the sendings; with kind and number it makes the message's nonce. Stored before sending."""
    message_id: int | None
    """None while it is not known, and where the message was given up."""
    settled: bool
    """True once nothing is to be done about it any more: it carries its last text and no buttons, or is not there."""


class PublicTable(Struct, frozen=True):
    """Everything that a public message may be made of. Holds no hidden card before the end."""

    id: str
    version: int
    phase: Phase
    guild_id: int
    channel_id: int
    parent_id: int
    """The channel that the table's thread hangs on; else `channel_id` again."""
    language: str
    edition: str
    """The words of the record's `rules:` line."""
    speed: Speed
    host_id: int
    players: tuple[Player, ...]
    commit: str
    """The shuffle's commitment, hex (docs/RECORD.md: fair dealing)."""
    start: str | None
    """How R6 chose who starts: `random` or `winner`; None in the lobby."""
    mix: str | None
    """What the shuffle was mixed with: the lobby message's id, then the join clicks by seat; None in the lobby."""
    window: int
    """The window number that the current buttons carry: the index of the record line that opened the question."""
    deadline_at: datetime | None
    """In the lobby: when held seats are given up, else when it is closed. Paused: when the table is given up."""
    window_length: int
    """Seconds that people have for the open question; 0 where none is open."""
    paused: Pause | None
    view: TableView | None
    """None in the lobby, and of a damaged table."""
    story: tuple[TurnStory, ...]
    """By turn, oldest first; the last one may still be going on."""
    there: Seat | None
    """Who gave the last answer, if they gave it themselves."""
    silent: tuple[Seat, ...]
    """Who let their last turn pass in silence and has not been heard of since."""
    posts: tuple[Post, ...]
    ending: Ending | None
    ended_by: str | None
    """Display name of who ended it, for `Ending.ENDED`, and of who closed the lobby."""
    result: Result | None
    damaged: bool = False
    """What is stored of it does not hold: there is no view, nobody can play on, and it can only be ended."""

    def post(self, kind: PostKind, number: int) -> Post | None:
        """One of its messages, as far as it has been sent."""
        return next((post for post in self.posts if (post.kind, post.number) == (kind, number)), None)


class PrivateSeat(Struct, frozen=True):
    """What one player may see of a table."""

    table: PublicTable
    seat: Seat
    view: SeatView
