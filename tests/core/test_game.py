"""The engine in random games: docs/RULES.md section 7, I1-I6, and what `play`, `copy` and `default_move` promise."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from coup_core.cards import Cards, Character
from coup_core.dealer import RandomDealer, ScriptedDealer
from coup_core.defaults import default_move
from coup_core.errors import IllegalMove, Reason
from coup_core.events import (
    ActionFailed,
    CardsDrawn,
    Challenged,
    Conceded,
    Declared,
    Drew,
    Eliminated,
    Event,
    InfluenceLost,
    Shown,
    TurnStarted,
    visible,
)
from coup_core.game import Game
from coup_core.invariants import violations
from coup_core.moves import CHALLENGE, CONCEDE, FORMS, PASS, RESIGN, Move, Seat, block, keep, lose, show
from coup_core.simulate import Debts
from coup_core.view import Asked, seat_view, table_view
from tests.core.games import NAMES, choose, fair, fresh, play, seats_and_strangers, snapshot

D, S, C, A, K = (
    Character.DUKE,
    Character.ASSASSIN,
    Character.CAPTAIN,
    Character.AMBASSADOR,
    Character.CONTESSA,
)


# ------------------------------------------------------------------------------------------------ invariants


@pytest.mark.parametrize("resign", [0.0, 0.03, 0.3])
@pytest.mark.parametrize("players", range(2, 11))
def test_the_invariants_hold_after_every_move(players: int, resign: float) -> None:
    rng = random.Random(f"invariants {players} {resign}")
    for _ in range(25):
        game = fresh(players, rng)
        debts = Debts()
        assert violations(game) == []
        assert debts.wrong(game.opening) is None
        for events in play(game, rng, resign):
            assert violations(game) == []
            assert debts.wrong(events) is None
            assert (game.awaited() == ()) == (game.outcome is not None)
        assert sum(map(len, game.lost)) in (2 * players - 1, 2 * players - 2)


def turns(events: list[Event]) -> Iterator[list[Event]]:
    """The events of one turn after the other."""
    starts = [index for index, event in enumerate(events) if isinstance(event, TurnStarted)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        yield events[start:end]


def account(turn: list[Event], last: bool) -> None:
    """I5, counted without the engine: a loss for each resolved challenge, and one for a blow that struck."""
    declared = next(event for event in turn if isinstance(event, Declared))
    losses: list[Seat] = []
    resolved = 0
    for event in turn:
        match event:
            case Challenged():
                assert len(losses) == resolved, "a challenge while an influence was owed"
            case Shown() | Conceded():
                resolved += 1
            case InfluenceLost():
                losses.append(event.seat)
    assert all(losses.count(seat) <= 2 for seat in losses)
    strikes = declared.action in ("coup", "assassinate") and not any(isinstance(event, ActionFailed) for event in turn)
    out = {event.seat for event in turn if isinstance(event, Eliminated)}
    struck = len(losses) - resolved
    if not strikes:
        assert struck == 0
    elif declared.target in out or last:
        # R25: whoever was out before loses nothing more; R28: the last challenge may have ended it all.
        assert struck in (0, 1)
    else:
        assert struck == 1
    if struck:
        assert losses[-1] == declared.target


@pytest.mark.parametrize("players", range(2, 11))
def test_every_resolved_challenge_costs_exactly_one_influence(players: int) -> None:
    rng = random.Random(f"debts {players}")
    for _ in range(60):
        game = fresh(players, rng)
        events = [*game.opening]
        for more in play(game, rng):
            events += more
        courses = list(turns(events))
        for course in courses:
            account(course, course is courses[-1])


# ------------------------------------------------------------------------------------------------ legality


def conceivable(players: int) -> list[Move]:
    """Every verb with whatever might follow it, much of it nonsense: cards of two editions, seats that do not exist."""
    cards: list[Cards] = [(), *((card,) for card in Character), *product(Character, repeat=2)]
    cards.append((D, D, D))
    moves = [Move(verb, target) for verb in (*FORMS, "examine", "") for target in (None, *range(-1, players + 1))]
    moves += [Move(verb, None, some) for verb in FORMS for some in cards if some]
    moves += [Move(verb, 0, (card,)) for verb in FORMS for card in (D, K)]
    return moves


def expected(game: Game, seat: Seat, move: Move) -> bool:
    """I4, from `legal_moves` alone."""
    if move == RESIGN:
        return seat in game.living and game.outcome is None
    listed = game.legal_moves(seat) if seat in range(len(game.names)) else ()
    if move.verb == "keep" and move.target is None:
        return any(other.verb == "keep" and sorted(other.cards) == sorted(move.cards) for other in listed)
    return move in listed


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
def test_play_accepts_exactly_the_legal_moves_and_a_refusal_changes_nothing(players: int) -> None:
    rng = random.Random(f"legal {players}")
    moves = conceivable(players)
    seen: set[Asked | None] = set()
    while len(seen) < 8:
        game = fair(players, rng)
        calm = rng.choice([0.0, 0.5, 0.9])
        while True:
            question = asked(game)
            if question not in seen or rng.random() < 0.002:
                seen.add(question)
                try_everything(game, moves)
            if game.outcome is not None:
                break
            seat = rng.choice(game.awaited())
            game.play(seat, choose(game.legal_moves(seat), rng, calm))


def try_everything(game: Game, moves: list[Move]) -> None:
    before = snapshot(game)
    for seat in seats_and_strangers(game):
        if seat in range(len(game.names)):
            listed = game.legal_moves(seat)
            assert len(set(listed)) == len(listed)
            assert listed == game.legal_moves(seat)
            assert game.copy().legal_moves(seat) == listed
        for move in moves:
            legal = expected(game, seat, move)
            assert game.accepts(seat, move) == legal
            if legal:
                game.copy().play(seat, move)
            else:
                with pytest.raises(IllegalMove):
                    game.play(seat, move)
        # Once for each seat, not for each move: it is what takes the time.
        assert snapshot(game) == before


def test_equal_moves_that_are_other_objects_are_the_same_moves() -> None:
    """Legality and effect never hang on identity: moves come out of records and databases too."""
    game = fair(3, random.Random(1))
    seat = game.turn
    game.play(seat, Move("ta" + "x"))
    game.play(game.awaited()[0], Move("pa" + "ss"))
    game.play(game.awaited()[0], Move("chall" + "enge"))
    game.play(seat, Move("conc" + "ede"))
    assert game.question_number == 4


def test_a_refusal_names_its_reason() -> None:
    game = Game.position(NAMES[:3], ScriptedDealer(), first=0, hands={0: (D, S), 1: (C, K), 2: (A, K)})
    refusals = [
        (0, Move("coup", 1), Reason.TOO_FEW_COINS),
        (0, Move("steal"), Reason.NO_TARGET),
        (0, Move("steal", 0), Reason.TARGET_SELF),
        (0, Move("tax", 1), Reason.TARGETS_NOBODY),
        (0, Move("income", cards=(D,)), Reason.WRONG_QUESTION),
        (0, Move("steal", 1, (D,)), Reason.WRONG_QUESTION),
        (0, Move("steal", 9), Reason.NO_SUCH_SEAT),
        (0, PASS, Reason.WRONG_QUESTION),
        (1, Move("income"), Reason.NOT_AWAITED),
        (3, Move("income"), Reason.NO_SUCH_SEAT),
    ]
    for seat, move, reason in refusals:
        assert reason_of(game, seat, move) is reason


def reason_of(game: Game, seat: Seat, move: Move) -> Reason:
    with pytest.raises(IllegalMove) as refused:
        game.play(seat, move)
    return refused.value.reason


def test_a_refused_answer_names_its_reason() -> None:
    game = Game.position(NAMES[:3], ScriptedDealer(), first=0, hands={0: (D, S), 1: (C, K), 2: (A, K)})
    game.play(0, Move("steal", 1))
    for nonsense in (Move("pass", 9), Move("challenge", cards=(C,)), Move("block"), Move("block", 0, (C,))):
        assert reason_of(game, 1, nonsense) is Reason.WRONG_QUESTION
    assert reason_of(game, 2, block(C)) is Reason.ONLY_TARGET_BLOCKS
    game.play(1, CHALLENGE)
    assert reason_of(game, 0, show(C)) is Reason.CARD_NOT_HELD
    assert reason_of(game, 0, show(D)) is Reason.WRONG_CARD_SHOWN
    assert reason_of(game, 0, Move("concede", cards=(C,))) is Reason.WRONG_QUESTION
    game.play(0, CONCEDE)
    assert reason_of(game, 0, lose(C)) is Reason.CARD_NOT_HELD
    assert reason_of(game, 0, Move("lose")) is Reason.WRONG_QUESTION


def test_a_refused_exchange_names_its_reason() -> None:
    game = Game.position(NAMES[:2], ScriptedDealer(), first=0, hands={0: (D, S), 1: (C, K)})
    game.play(0, Move("exchange"))
    game.play(1, PASS)
    game.deal((A, A))
    assert reason_of(game, 0, keep(D)) is Reason.WRONG_COUNT
    assert reason_of(game, 0, keep(D, S, A)) is Reason.WRONG_COUNT
    assert reason_of(game, 0, keep(D, K)) is Reason.CARD_NOT_HELD


# ------------------------------------------------------------------------------------------------ copies


@pytest.mark.parametrize("players", [2, 4, 6, 10])
def test_copies_are_independent_and_go_on_alike(players: int) -> None:
    rng = random.Random(f"copies {players}")
    for _ in range(15):
        game = fair(players, rng)
        for _ in range(rng.randrange(40)):
            if game.outcome is None:
                seat = rng.choice(game.awaited())
                game.play(seat, choose(game.legal_moves(seat), rng, 0.5))
        before = snapshot(game)
        one, two = game.copy(), game.copy()
        assert snapshot(one) == before
        seed = rng.random()
        first = list(play(one, random.Random(seed), 0.02))
        assert snapshot(game) == before
        assert snapshot(two) == before
        second = list(play(two, random.Random(seed), 0.02))
        assert first == second
        assert snapshot(one) == snapshot(two)
        assert snapshot(game) == before


# ------------------------------------------------------------------------------------------------ questions


def table(
    hands: dict[Seat, Cards], coins: dict[Seat, int] | None = None, lost: dict[Seat, Cards] | None = None
) -> Game:
    """Seat 0 is up."""
    dealer = RandomDealer(random.Random(0))
    return Game.position(NAMES[: len(hands)], dealer, first=0, hands=hands, coins=coins, lost=lost)


def test_a_question_keeps_its_number_while_others_answer_it() -> None:
    game = table({0: (D, S), 1: (C, K), 2: (A, K), 3: (A, C)})
    assert game.question_number == 1
    game.play(0, Move("steal", 1))
    assert (game.question_number, game.awaited()) == (2, (1, 2, 3))
    game.play(2, PASS)
    game.play(1, block(C))
    assert (game.question_number, game.awaited()) == (2, (3,))
    game.play(3, CHALLENGE)
    assert game.question_number == 3
    game.play(0, CONCEDE)
    assert game.question_number == 4
    game.play(0, lose(D))
    assert (game.question_number, game.turn) == (5, 1)
    game.play(2, RESIGN)
    assert game.question_number == 5, "a target has gone, the turn is the same"
    game.play(1, RESIGN)
    assert (game.question_number, game.turn) == (6, 3)


def test_the_question_that_is_shown_has_the_number_of_the_game() -> None:
    rng = random.Random("numbers")
    for _ in range(30):
        game = fresh(4, rng)
        previous = (0, None)
        for _ in play(game, rng, 0.02):
            question = table_view(game).question
            assert game.asked is (None if question is None else question.asked)
            if question is not None:
                assert question.number == game.question_number
                # Another kind of question never has the number of the one before.
                if question.number == previous[0]:
                    assert question.asked is previous[1]
                previous = (question.number, question.asked)  # type: ignore[assignment]


# ------------------------------------------------------------------------------------------------ R41


RNG = random.Random(41)


def asked(game: Game) -> Asked | None:
    return game.agenda[-1].asked if game.agenda else None


def test_on_their_turn_a_silent_player_takes_income() -> None:
    game = table({0: (D, S), 1: (C, K)}, coins={0: 9, 1: 2})
    assert default_move(game, 0, RNG) == Move("income")


@pytest.mark.parametrize(
    ("coins", "lost", "target"),
    [
        ({1: 2, 2: 2, 3: 2}, {}, 1),
        ({1: 2, 2: 5, 3: 5}, {}, 2),
        ({1: 2, 2: 5, 3: 6}, {}, 3),
        ({1: 2, 2: 9, 3: 9}, {2: 1, 3: 1}, 1),
        ({1: 2, 2: 9, 3: 2}, {1: 1, 3: 1}, 2),
        ({1: 0, 2: 0, 3: 1}, {1: 1, 2: 1, 3: 1}, 3),
        ({1: 0, 2: 0, 3: 1}, {1: 1, 2: 1, 3: 2}, 1),
    ],
)
def test_with_ten_coins_silence_is_a_coup_on_the_strongest(
    coins: dict[Seat, int], lost: dict[Seat, int], target: Seat
) -> None:
    cards: dict[Seat, Cards] = {0: (D, S), 1: (C, K), 2: (A, K), 3: (A, C)}
    coins = {seat: 0 if lost.get(seat) == 2 else count for seat, count in coins.items()}
    game = table(
        {seat: hand[lost.get(seat, 0) :] for seat, hand in cards.items()},
        coins={0: 10, **coins},
        lost={seat: cards[seat][:count] for seat, count in lost.items()},
    )
    assert default_move(game, 0, RNG) == Move("coup", target)


def test_in_windows_silence_is_to_pass() -> None:
    game = table({0: (D, C), 1: (C, K), 2: (A, K)})
    game.play(0, Move("steal", 1))
    assert asked(game) is Asked.REACTION
    assert [default_move(game, seat, RNG) for seat in game.awaited()] == [PASS, PASS]
    game.play(2, CHALLENGE)
    game.play(0, show(C))
    game.play(2, lose(A))
    assert asked(game) is Asked.SECOND_CHANCE
    assert default_move(game, 1, RNG) == PASS
    game.play(1, block(C))
    assert asked(game) is Asked.BLOCK
    assert [default_move(game, seat, RNG) for seat in game.awaited()] == [PASS, PASS]


@pytest.mark.parametrize(("hand", "answer"), [((D, S), show(D)), ((S, D), show(D)), ((S, C), CONCEDE)])
def test_silence_proves_what_is_held(hand: Cards, answer: Move) -> None:
    game = table({0: hand, 1: (C, K), 2: (A, K)})
    game.play(0, Move("tax"))
    game.play(1, CHALLENGE)
    assert default_move(game, 0, RNG) == answer


def test_silence_loses_any_card() -> None:
    game = table({0: (D, S), 1: (C, K)}, coins={0: 7, 1: 2})
    game.play(0, Move("coup", 1))
    assert {default_move(game, 1, RNG) for _ in range(100)} == {lose(C), lose(K)}
    pair = table({0: (D, S), 1: (C, C)}, coins={0: 7, 1: 2})
    pair.play(0, Move("coup", 1))
    assert default_move(pair, 1, RNG) == lose(C)


@pytest.mark.parametrize("hand", [(D, S), (S, D), (D, D)])
def test_silence_keeps_the_cards_of_before_an_exchange(hand: Cards) -> None:
    game = table({0: hand, 1: (C, K)})
    game.play(0, Move("exchange"))
    game.play(1, PASS)
    assert len(game.drawn(0)) == 2
    assert default_move(game, 0, RNG) == keep(*hand)
    game.play(0, keep(*hand))
    assert game.hands[0] == hand


@pytest.mark.parametrize("players", range(2, 11))
def test_a_table_where_nobody_ever_answers_comes_to_an_end(players: int) -> None:
    rng = random.Random(players)
    game = fresh(players, rng)
    while game.outcome is None:
        seat = game.awaited()[0]
        move = default_move(game, seat, rng)
        assert move in game.legal_moves(seat)
        game.play(seat, move)
    assert violations(game) == []


# ------------------------------------------------------------------------------------------------ dealing


@pytest.mark.parametrize("players", range(2, 11))
def test_every_card_and_every_start_is_as_likely_as_another(players: int) -> None:
    """R3, R6 for the dealer of simulations: far wide of chance would show that its short cut is none."""
    rng = random.Random(f"deal {players}")
    games = 2000
    dukes = [0] * players
    starts = [0] * players
    for _ in range(games):
        game = fresh(players, rng)
        starts[game.turn] += 1
        for seat, hand in enumerate(game.hands):
            dukes[seat] += hand.count(D)
    # Two cards of five characters; five standard deviations of a generous bound.
    assert all(abs(count - games * 2 / 5) < 5 * (games * 0.32) ** 0.5 for count in dukes)
    assert all(abs(count - games / players) < 5 * (games / players) ** 0.5 for count in starts)


def test_a_scripted_game_is_not_dealt() -> None:
    with pytest.raises(ValueError, match="starts from a position"):
        Game.new(NAMES[:2], ScriptedDealer(), first=0)


# ------------------------------------------------------------------------------------------------ what does not exist

PAIRS: dict[Seat, Cards] = {0: (D, S), 1: (C, K), 2: (A, K)}
QUESTIONS_ABOUT_A_SEAT: list[Callable[[Game, Seat], object]] = [
    Game.legal_moves,
    Game.drawn,
    Game.others,
    seat_view,
    lambda game, seat: default_move(game, seat, RNG),
]


@pytest.mark.parametrize("stranger", [-1, 3])
@pytest.mark.parametrize("ask", QUESTIONS_ABOUT_A_SEAT)
def test_who_does_not_sit_there_is_told_nothing(ask: Callable[[Game, Seat], object], stranger: Seat) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {stranger}"):
        ask(table(PAIRS), stranger)


def test_who_sits_nowhere_sees_the_events_that_everyone_sees() -> None:
    drawn = [Drew(2, 1), CardsDrawn(2, (D,))]
    assert visible(drawn, -1) == visible(drawn) == drawn[:1]


def test_silence_means_nothing_for_who_is_not_awaited() -> None:
    game = table(PAIRS)
    with pytest.raises(ValueError, match="b is not awaited"):
        default_move(game, 1, RNG)
    game.play(1, RESIGN)
    game.play(2, RESIGN)
    with pytest.raises(ValueError, match="a is not awaited"):
        default_move(game, 0, RNG)


@pytest.mark.parametrize("first", [-1, 3])
def test_who_does_not_exist_cannot_start(first: Seat) -> None:
    with pytest.raises(ValueError, match=f"there is no seat {first}"):
        Game.new(NAMES[:3], RandomDealer(RNG), first=first)
    with pytest.raises(ValueError, match=f"there is no seat {first}"):
        Game.position(NAMES[:3], ScriptedDealer(), first=first, hands=PAIRS)


def test_a_position_has_nothing_for_seats_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="there is no seat 3"):
        Game.position(NAMES[:3], ScriptedDealer(), hands={**PAIRS, 3: ()})
    with pytest.raises(ValueError, match="there is no seat 3"):
        Game.position(NAMES[:3], ScriptedDealer(), hands=PAIRS, coins={3: 0})
    with pytest.raises(ValueError, match="there is no seat 3"):
        Game.position(NAMES[:3], ScriptedDealer(), hands=PAIRS, lost={3: ()})


def test_nobody_has_less_than_no_coins() -> None:
    with pytest.raises(ValueError, match="b cannot have -5 coins"):
        table(PAIRS, coins={1: -5})
