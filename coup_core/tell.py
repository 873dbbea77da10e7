"""A game told in plain English, a line an event: `python -m coup_core replay`.

Owns: sentences for developers and for readers of a record. Sees public events only. Front ends tell games in their own
words and languages, not with these.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import asdict

from coup_core import events
from coup_core.events import Event, visible
from coup_core.moves import Seat
from coup_core.record import Record

_SENTENCES: Final[dict[type[Event], str]] = {
    events.TurnStarted: "Turn {number}: {seat}.",
    events.Declared: "  {seat} declares {action}{at}{claiming}{paying}.",
    events.Passed: "  {seat} passes.",
    events.Challenged: "  {seat} challenges: does {claimant} hold the {character}?",
    events.BlockDeclared: "  {seat} blocks as {character}{waiting}.",
    events.BlockWithdrawn: "  The block of {seat} as {character} is void.",
    events.BlockStood: "  The block of {seat} as {character} stands.",
    events.Shown: "  {seat} shows the {character}, which goes back to the Court.",
    events.Conceded: "  {seat} does not show the {character}.",
    events.Drew: "  {seat} draws {count} from the Court.",
    events.InfluenceLost: "  {seat} loses an influence: the {character}.",
    events.Resigned: "  {seat} resigns and turns up {cards}.",
    events.Eliminated: "  {seat} is out.",
    events.Refunded: "  {seat} gets {amount} back.",
    events.Took: "  {seat} takes {amount} from {giver}.",
    events.Exchanged: "  {seat} keeps some cards and returns the others.",
    events.ActionFailed: "  The {action} of {seat} fails: {reason}.",
    events.PurseForfeited: "  The Treasury takes the {amount} that {seat} leaves.",
    events.GameEnded: "{seat} wins.",
}


def people(record: Record) -> tuple[str, ...]:
    """What to call the players: their display names, or else the names of the record."""
    return tuple(record.display.get(seat) or name for seat, name in enumerate(record.names))


def tell(happened: Iterable[Event], names: Sequence[str]) -> Iterator[str]:
    """A line for each public event. `names` are what to call the seats."""
    for event in visible(happened):
        yield _SENTENCES[type(event)].format(**_words(event, names))


def _words(event: Event, names: Sequence[str]) -> dict[str, str]:
    def called(seat: Seat) -> str:
        return names[seat]

    words = {key: str(value) for key, value in asdict(event).items()}
    words["seat"] = called(event.seat)
    match event:
        case events.Declared():
            words["at"] = "" if event.target is None else f" on {called(event.target)}"
            words["claiming"] = "" if event.claim is None else f", claiming the {event.claim}"
            words["paying"] = f", for {event.cost}" if event.cost else ""
        case events.Challenged():
            words["claimant"] = called(event.claimant)
        case events.BlockDeclared():
            words["waiting"] = ", should the action's claim stand" if event.waits else ""
        case events.Resigned():
            words["cards"] = " and ".join(event.cards)
        case events.Took():
            words["giver"] = "the Treasury" if event.source is None else called(event.source)
    return words
