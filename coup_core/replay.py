"""Playing a record again: every move through the engine, every draw and check where it stands.

Owns: what makes a record hold (docs/RECORD.md): legal moves, due draws, automatic losses written or not, `all: pass`,
and that deal and draws follow from the seed. Knows nothing of text: `record` reads it.
"""

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from coup_core.cards import Cards
from coup_core.checks import check_fails, refusal_fails
from coup_core.dealer import FairDealer, ScriptedDealer, commitment
from coup_core.errors import IllegalMove, RecordError
from coup_core.events import CardsDrawn, Event, InfluenceLost
from coup_core.game import Game
from coup_core.headers import Start
from coup_core.lines import AllPass, Check, DrawLine, Line, MoveLine, Refused
from coup_core.moves import PASS, Move, Seat, lose
from coup_core.record import Places, Record, format, read  # noqa: A004 - the record's own verb
from coup_core.ruleset import Ruleset
from coup_core.view import Asked, table_view

_WINDOWS = (Asked.REACTION, Asked.SECOND_CHANCE, Asked.BLOCK)


class Step(Struct, frozen=True):
    """One line of a record, played."""

    index: int
    """Of the line, in the record's body."""
    line: Line
    played: tuple[tuple[Seat, Move], ...]
    """The moves that it made; none for a draw, a check, or an automatic loss that had happened already."""
    hands: tuple[Cards, ...]
    """The face-down cards before it, by seat."""
    events: tuple[Event, ...]


class Replay:
    """A record being played. Iterate to play it line by line; `game` is the position reached.

    Errors are RecordError, not malformed, at the line that does not hold. `places` tells the lines' numbers; without it
    they are those of `format(record)`, and a record that cannot be written is a malformed one.
    """

    def __init__(self, record: Record, places: Places | None = None) -> None:
        self.record = record
        self.places = _places(record) if places is None else places
        self._lost: deque[tuple[Seat, Move]] = deque()
        try:
            self.game = Game.position(
                record.names,
                ScriptedDealer(),
                Ruleset.parse(record.rules),
                first=record.starter,
                hands=dict(enumerate(record.hands)),
                coins=record.coins,
                lost=record.lost,
            )
        except ValueError as error:
            raise self.header_error("hands", str(error)) from None

    def __iter__(self) -> Iterator[Step]:
        for index, line in enumerate(self.record.body):
            hands = tuple(self.game.hands)
            try:
                played, events = self._play(line)
            except (IllegalMove, ValueError) as error:
                raise self.error(index, str(error)) from None
            yield Step(index, line, tuple(played), hands, tuple(events))
        if self.game.draw_due is not None:
            who, count = self.game.draw_due
            sentence = f"expected a draw of {count} for {self.game.names[who]}, but the record ends"
            raise RecordError(self.places.last, sentence, malformed=False, file=self.places.file)

    def error(self, index: int, reason: str) -> RecordError:
        """That the line `index` of the body does not hold."""
        return RecordError(self.places.body[index], reason, malformed=False, file=self.places.file)

    def header_error(self, header: str, reason: str) -> RecordError:
        """That the header does not hold; if it is missing, it is told of the first line."""
        return RecordError(self.places.headers.get(header, 1), reason, malformed=False, file=self.places.file)

    def _play(self, line: Line) -> tuple[list[tuple[Seat, Move]], list[Event]]:
        match line:
            case Check():
                self._require(check_fails(line, self.game))
                return [], []
            case Refused():
                self._require(refusal_fails(line, self.game))
                return [], []
        if self._is_told_already(line):
            return [], []
        match line:
            case DrawLine():
                return [], self._draw(line)
            case AllPass():
                return self._all_pass()
            case MoveLine(seat=seat, move=Move() as move):
                events = self.game.play(seat, move)
                self._note_losses(events)
                return [(seat, move)], events
        raise ValueError(f"{line.move.words(self.game.names)!r} belongs to a module that these rules do not name")

    @staticmethod
    def _require(failure: str | None) -> None:
        if failure is not None:
            raise ValueError(failure)

    def _is_told_already(self, line: Line) -> bool:
        """Whether this is the line of an automatic loss, which the engine has applied: the next that is not a check."""
        expected = self._lost.popleft() if self._lost else None
        if isinstance(line, MoveLine) and (line.seat, line.move) == expected:
            return True
        self._lost.clear()
        return False

    def _note_losses(self, events: list[Event]) -> None:
        self._lost.extend(
            (event.seat, lose(event.character))
            for event in events
            if isinstance(event, InfluenceLost) and event.automatic
        )

    def _draw(self, line: DrawLine) -> list[Event]:
        names, due = self.game.names, self.game.draw_due
        if due is None:
            raise ValueError(f"no draw is due, but {names[line.seat]} draws")
        if due != (line.seat, len(line.cards)):
            raise ValueError(
                f"expected a draw of {due[1]} for {names[due[0]]}, but {names[line.seat]} draws {len(line.cards)}"
            )
        events = self.game.deal(line.cards)
        self._note_losses(events)
        return events

    def _all_pass(self) -> tuple[list[tuple[Seat, Move]], list[Event]]:
        """docs/RECORD.md: clockwise from the player after the one whose claim or action is in question."""
        game = self.game
        question = table_view(game).question
        if game.draw_due is not None or question is None or question.asked not in _WINDOWS:
            raise ValueError("all may pass in a window only, and none is open")
        asked_about = game.turn
        if question.asked is Asked.BLOCK and question.claim is not None:
            asked_about = question.claim.seat
        seats = len(game.names)
        order = sorted(game.awaited(), key=lambda seat: (seat - asked_about) % seats)
        played: list[tuple[Seat, Move]] = []
        events: list[Event] = []
        for seat in order:
            # The window closes early only if that is the rule's doing; those it left unasked have nothing to pass.
            if game.question_number != question.number or seat not in game.awaited():
                break
            events.extend(game.play(seat, PASS))
            played.append((seat, PASS))
        self._note_losses(events)
        return played, events


def _places(record: Record) -> Places:
    try:
        return read(format(record))[1]
    except ValueError as error:
        raise RecordError(1, str(error), malformed=True) from None


def check(record: Record, places: Places | None = None) -> Game:
    """Play the whole record and return the position at its end. Raises RecordError where it does not hold."""
    replay = Replay(record, places)
    for _ in replay:
        pass
    return replay.game


def verify(record: Record, places: Places | None = None) -> Game:
    """Check also that seed and commitment agree and that start, deal and every draw follow from them.

    Returns the game as it stands at the end of the record, dealt by its FairDealer. Raises RecordError.
    """
    replay = Replay(record, places)
    if record.is_position:
        header = "coins" if record.coins else "lost"
        raise replay.header_error(header, "a position was not dealt: only a whole game can be verified")
    if record.seed is None or record.mix is None or record.commit is None:
        missing = [header for header in ("seed", "mix", "commit") if getattr(record, header) is None]
        raise replay.header_error("rules", f"nothing to verify without '{missing[0]}:'")
    if commitment(record.seed) != record.commit:
        raise replay.header_error("commit", "expected the SHA-256 of the seed, but this is another number")
    return _follow(replay, FairDealer(record.seed, record.mix))


def _follow(replay: Replay, dealer: FairDealer) -> Game:
    """Play the record beside a game of the dealer, and compare the start, the deal and the draws."""
    record = replay.record
    names = record.names
    game = Game.new(
        names, dealer, Ruleset.parse(record.rules), first=record.starter if record.start == Start.WINNER else None
    )
    if game.turn != record.starter:
        reason = f"expected that {names[game.turn]} starts, as the seed says, but {names[record.starter]} does"
        raise replay.header_error("first", reason)
    for seat, hand in enumerate(game.hands):
        if hand != record.hands[seat]:
            said = ",".join(record.hands[seat])
            reason = f"expected {names[seat]}={','.join(hand)}, as the seed says, but it is {said}"
            raise replay.header_error("hands", reason)
    drawn: deque[CardsDrawn] = deque()
    for step in replay:
        for seat, move in step.played:
            drawn.extend(event for event in game.play(seat, move) if isinstance(event, CardsDrawn))
        if isinstance(step.line, DrawLine):
            fair = drawn.popleft()
            if fair.cards != step.line.cards:
                reason = f"expected {' '.join(fair.cards)}, as the seed says, but drawn are {' '.join(step.line.cards)}"
                raise replay.error(step.index, reason)
    return game
