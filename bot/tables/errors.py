"""A user's mistake, as a code and its facts.

Owns: the list of what a person can do wrong at a table. Knows no language: `bot.ui` words each code for its reader.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any


class Mistake(StrEnum):
    """Why a request was refused. One code per sentence that a person may read."""

    NO_TABLE = "no-table"  # no open table here
    SEATED_NOWHERE = "seated-nowhere"  # in a DM, where the tables at which they sit are meant
    SEVERAL_TABLES = "several-tables"  # the same, and it is not known which one
    TABLE_GONE = "table-gone"  # the button's table has ended
    CHANNEL_TAKEN = "channel-taken"  # a table is open in this channel already
    ALREADY_SEATED = "already-seated"
    NOT_SEATED = "not-seated"
    TABLE_FULL = "table-full"
    TOO_FEW_PLAYERS = "too-few-players"
    LOBBY_NOT_SHOWN = "lobby-not-shown"  # its message is not in the channel yet, and the shuffle needs its number
    ONLY_HOST = "only-host"
    GAME_RUNNING = "game-running"  # the lobby is closed: the game has begun
    NOT_STARTED = "not-started"  # still in the lobby
    UNPLAYABLE = "unplayable"  # what is stored of the game does not hold: it can only be ended
    LATE = "late"  # the window that the button belongs to has closed
    CLOCK_ANSWERED = "clock-answered"  # so has it, and the clock answered for them
    CHALLENGED_FIRST = "challenged-first"  # it was closed by a challenge; facts: target, the challenger's seat
    ALREADY_ANSWERED = "already-answered"  # the very same again: what they want has happened
    ANSWER_STANDS = "answer-stands"  # they answered otherwise, in the window that is open; facts: verb
    NOT_ASKED = "not-asked"  # seated and alive, but the question is for others
    OUT_OF_GAME = "out-of-game"
    NOT_ALLOWED = "not-allowed"  # may not end the table
    SEATS_HELD = "seats-held"  # of a rematch: people have a minute to come
    NO_SUCH_PLAYER = "no-such-player"  # who is named has no seat
    SEVERAL_PLAYERS = "several-players"  # who is named could be more than one
    NOT_YOURSELF = "not-yourself"  # leaving is another command
    NOT_IDLE = "not-idle"  # in the game only who is silent can be removed; facts: target, a seat
    PLAYER_OUT = "player-out"  # who is named is out of the game; facts: target
    NOT_HERE = "not-here"  # who is named has not taken the seat that is held for them; facts: target
    LEFT_SERVER = "left-server"  # who is named is not in the server any more; facts: target
    NOTHING_TO_EXTEND = "nothing-to-extend"  # no window is open
    NOT_PAUSED = "not-paused"
    ILLEGAL = "illegal"  # the rules refuse the move; facts: reason, and the facts of IllegalMove
    MALFORMED = "malformed"  # a choice that no button of ours spells
    NO_SERVER = "no-server"  # a table needs a channel of a server
    WRONG_CHANNEL = "wrong-channel"  # no table can live in a channel of this kind
    MISSING_RIGHTS = "missing-rights"  # the bot may not do there what a table needs; facts: rights, Discord's names
    NO_THREADS = "no-threads"  # this channel can have no threads, or is one
    THREAD_REFUSED = "thread-refused"  # Discord did not make the thread
    NOTHING_TO_REPEAT = "nothing-to-repeat"  # no game was played here that a rematch could repeat
    GAME_GOES_ON = "game-goes-on"  # a rematch of a game that is not over
    STILL_SEATED = "still-seated"  # who wants to be forgotten sits at an open table
    CLOSING = "closing"  # the bot is shutting down


class Refusal(Exception):
    """A request that was refused. Nothing has happened to the table."""

    table_id: str | None = None
    """The table that it is about, where there is one; `Tables` knows."""

    def __init__(self, mistake: Mistake, **facts: Any) -> None:
        super().__init__(mistake.value)
        self.mistake = mistake
        self.facts = facts


@contextmanager
def about(table_id: str) -> Iterator[None]:
    """Every Refusal that leaves this block says that it is about `table_id`."""
    try:
        yield
    except Refusal as refusal:
        refusal.table_id = table_id
        raise
