"""Nobody learns a card that they may not know: what a seat sees is the same, however the cards hidden from it lie.

At random moments of random games, every card that a seat (or the public) cannot know is dealt anew among the other
hands, the Court and cards in transit. What that seat is shown must not change by a byte, and neither may what it is
told of the next move, save for what that move itself turns up.
"""

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace

from coup_core import view
from coup_core.cards import Character
from coup_core.dealer import RandomDealer
from coup_core.events import CardsDrawn, Event, InfluenceLost, visible
from coup_core.game import Game
from coup_core.moves import CONCEDE, Move, Seat
from coup_core.offers import Offers
from coup_core.steps import Exchange, Loss, Proof, exchange_offers, loss_offers, proof_offers
from coup_core.view import TableView
from tests.core.games import choose, fresh

PLAYERS = range(2, 11)
GAMES = 300 // len(PLAYERS)
"""For each number of players."""

Viewer = Seat | None
"""None is the public."""


def redistributed(game: Game, viewer: Viewer, rng: random.Random) -> Game:
    """A copy in which all that `viewer` cannot know is dealt anew, and the open question is asked of the new cards."""
    twin = game.copy()
    seats = [seat for seat in game.living if seat != viewer]
    step = twin.agenda[-1]
    exchange = step if isinstance(step, Exchange) and step.seat != viewer else None
    cards = [card for seat in seats for card in game.hands[seat]] + game.court
    if exchange is not None:
        cards += exchange.drawn
    rng.shuffle(cards)

    def take(count: int) -> tuple[Character, ...]:
        return tuple(cards.pop() for _ in range(count))

    for seat in seats:
        twin.hands[seat] = take(len(game.hands[seat]))
    if exchange is not None:
        exchange.drawn = take(len(exchange.drawn))
    twin.court = cards
    twin.offers = asked_again(twin)
    return twin


def asked_again(game: Game) -> Offers:
    """The open question's offers, for the cards as they lie now."""
    step = game.agenda[-1]
    match step:
        case Proof():
            claim = step.claim
            return proof_offers(claim.seat, claim.character, claim.character in game.hands[claim.seat])
        case Loss():
            return loss_offers(step.seat, game.hands[step.seat])
        case Exchange():
            hand = game.hands[step.seat]
            return exchange_offers(step.seat, hand + step.drawn, len(hand))
    return game.offers


def seen(game: Game, viewer: Viewer) -> bytes:
    """All that `viewer` is shown, byte for byte."""
    return msgspec.json.encode(view.table_view(game) if viewer is None else view.seat_view(game, viewer))


def told(events: list[Event], viewer: Viewer) -> list[tuple[str, bytes]]:
    """What `viewer` is told, save for cards which the rules turn up or put into their own hand."""
    lines = []
    for event in visible(events, viewer):
        shown: Event = event
        if isinstance(event, InfluenceLost):
            shown = replace(event, character=Character.DUKE)
        elif isinstance(event, CardsDrawn) and event.seat == viewer:
            shown = replace(event, cards=())
        lines.append((type(event).__name__, msgspec.json.encode(shown)))
    return lines


def same_move(game: Game, twin: Game, seat: Seat, viewer: Viewer, rng: random.Random) -> tuple[Move, Move] | None:
    """A move of `seat` for each of both games that looks the same to `viewer`; None if it must show a card."""
    move = choose(game.legal_moves(seat), rng, 0.5)
    if seat == viewer:
        return (move, move)
    match move.verb:
        case "show":
            return (CONCEDE, CONCEDE)
        case "lose":
            return None
        case "keep":
            return move, rng.choice(twin.legal_moves(seat))
    return (move, move)


def differences(players: int, games: int, rng: random.Random) -> Iterator[str]:
    """Where somebody sees or is told anything else because of cards that are hidden from them."""
    moved = 0
    for _ in range(games):
        game = fresh(players, rng)
        calm = rng.choice([0.3, 0.6, 0.9])
        while game.outcome is None:
            if rng.random() < 0.15:
                viewer = rng.choice([None, *range(players)])
                twin = redistributed(game, viewer, rng)
                moved += twin.hands != game.hands
                yield from compare(game, twin, viewer, rng)
            seat = rng.choice(game.awaited())
            game.play(seat, choose(game.legal_moves(seat), rng, calm))
    assert moved > games, "hardly any card changed its place: nothing was proved"


def compare(game: Game, twin: Game, viewer: Viewer, rng: random.Random) -> Iterator[str]:
    if seen(game, viewer) != seen(twin, viewer):
        yield "view"
    seat = rng.choice(game.awaited())
    moves = same_move(game, twin, seat, viewer, rng)
    if moves is not None:
        one, two = game.copy(), twin
        seed = rng.random()
        one.dealer, two.dealer = RandomDealer(random.Random(seed)), RandomDealer(random.Random(seed))
        if told(one.play(seat, moves[0]), viewer) != told(two.play(seat, moves[1]), viewer):
            yield "events"


@pytest.mark.parametrize("players", PLAYERS)
def test_hidden_cards_change_nothing_of_what_a_seat_sees_or_is_told(players: int) -> None:
    assert list(differences(players, GAMES, random.Random(f"secrets {players}"))) == []


def court_in_view(game: Game, table: TableView) -> TableView:
    return replace(table, rules=f"{table.rules} {game.court}")


def next_hand_in_view(game: Game, table: TableView) -> TableView:
    return replace(table, rules=f"{table.rules} {game.hands[game.living[-1]]}")


def holder_in_view(game: Game, table: TableView) -> TableView:
    """As subtle as a leak can be: whether the claimant could prove it shows in who is awaited."""
    if table.question is None or table.question.claim is None:
        return table
    claim = table.question.claim
    held = claim.character in game.hands[claim.seat]
    return replace(table, question=replace(table.question, awaited=table.question.awaited if held else ()))


@pytest.mark.parametrize("leak", [court_in_view, next_hand_in_view, holder_in_view])
def test_a_view_that_leaks_is_found(
    leak: Callable[[Game, TableView], TableView], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = view.table_view
    monkeypatch.setattr(view, "table_view", lambda game: leak(game, sound(game)))
    assert "view" in set(differences(4, 10, random.Random("leak")))


def test_a_draw_that_everyone_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CardsDrawn, "public", True)
    assert set(differences(4, 60, random.Random("leak"))) == {"events"}


def test_a_view_hides_its_cards_from_logs() -> None:
    game = fresh(3, random.Random(1))
    shown = repr(view.seat_view(game, 0))
    assert not any(character in shown for character in Character)
