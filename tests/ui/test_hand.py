"""What a player sees in private."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bot.tables.choices import decode
from bot.ui.hand import games_screen, hand_screen, quit_screen, target_screen
from bot.ui.ids import parse
from bot.ui.move_words import move_label
from bot.ui.screen import Button, Screen, Select
from coup_core.cards import Character
from tests.ui.positions import Sitting, T, played_out, three

STANDING = {"Refresh": "hand", "Allow for me": "auto:on", "Leave game": "quit"}
"""What every panel of a player has."""


def choices(screen: Screen) -> dict[str, str]:
    """What can be pressed: label to choice."""
    found = {}
    for row in screen.rows:
        for thing in row:
            if isinstance(thing, Button) and not thing.disabled:
                button = parse(thing.id)
                assert button is not None
                found[thing.label] = button.choice
    return found


def test_the_panel_tells_cards_coins_and_honest_claims() -> None:
    screen = hand_screen(three().seat(1), T)
    assert screen.content == (
        "Your cards: **Contessa** and **Duke**.\nYou have 2 coins.\nWhat you may claim honestly:\n"
        "- **Contessa**: block an assassination.\n- **Duke**: tax 3 coins; block foreign aid.\n"
        "Allow for me is off: you are asked every time.\nAs of turn 1."
    )
    assert choices(screen) == STANDING
    assert screen.ping is None


def test_proof_is_a_choice_for_who_holds_the_card() -> None:
    screen = hand_screen(three().play("a: tax", "b: challenge").seat(0), T)
    assert "Bob challenges your **Duke**. Show it and draw another, or concede" in screen.content
    assert choices(screen) == {
        "Refresh": "hand",
        "Allow for me": "auto:on",
        "Leave game": "quit",
        "Show the Duke": "show",
        "Concede": "concede",
    }


def test_who_does_not_hold_it_can_only_concede() -> None:
    screen = hand_screen(three(a="contessa contessa").play("a: tax", "b: challenge").seat(0), T)
    assert "You do not hold it" in screen.content
    assert "show" not in choices(screen).values()


def test_two_equal_cards_are_two_buttons() -> None:
    screen = hand_screen(three(coins={0: 7}, b="duke duke").play("a: coup b").seat(1), T)
    ids = [thing.id for thing in screen.rows[-1]]
    assert [parse(text).choice for text in ids] == ["lose:0", "lose:1"]  # type: ignore[union-attr]


def test_an_exchange_is_a_select_with_one_value_a_card() -> None:
    screen = hand_screen(three().play("a: exchange", "b: pass", "c: pass").seat(0), T)
    select = screen.rows[-1][0]
    assert isinstance(select, Select)
    assert (select.min, select.max, [option.value for option in select.options]) == (2, 2, ["0", "1", "2", "3"])
    assert parse(select.id).choice == "keep"  # type: ignore[union-attr]
    assert [option.label for option in select.options[:2]] == ["Duke, from your hand", "Captain, from your hand"]


def test_the_panel_offers_only_what_its_player_may_answer() -> None:
    bystander = hand_screen(three().play("a: steal b").seat(2), T)
    assert set(choices(bystander).values()) == {"hand", "auto:on", "quit", "pass", "challenge"}
    target = hand_screen(three().play("a: steal b").seat(1), T)
    assert set(choices(target).values()) == {"hand", "auto:on", "quit", "pass", "challenge", "block:0", "block:1"}


def test_targets_are_shown_with_what_they_have() -> None:
    screen = target_screen(three(coins={1: 1}).seat(0), "steal", T)
    assert screen.content == "You claim **Captain**. From whom do you steal up to 2 coins?"
    assert choices(screen) == {"Bob: 1 coin, 2 cards": "steal:1", "Cid: 2 coins, 2 cards": "steal:2", "My hand": "hand"}


@pytest.mark.parametrize("action", ["coup", "income", "nonsense"])
def test_a_choice_of_targets_that_is_not_open_says_so(action: str) -> None:
    assert "not possible now" in target_screen(three().seat(0), action, T).content


def test_another_player_gets_no_targets() -> None:
    assert "not possible now" in target_screen(three().seat(1), "steal", T).content


def test_leaving_asks_once_more_where_no_finger_rests() -> None:
    panel, asking = hand_screen(three().seat(0), T), quit_screen(three().seat(0), T)
    assert choices(asking) == {"Stay": "hand", "Leave for good": "quit-yes"}
    leave = next(thing for thing in panel.rows[0] if isinstance(thing, Button) and thing.label == "Leave game")
    assert panel.rows[0].index(leave) >= len(asking.rows[0])


def test_who_is_out_sees_what_everyone_sees() -> None:
    sitting = three().play("b: resign")
    screen = hand_screen(sitting.seat(1), T)
    assert screen.content == "You are out of this game: you see what everyone sees.\nAs of turn 1."
    assert choices(screen) == {"Refresh": "hand"}


def test_several_games_have_a_button_each() -> None:
    screen = games_screen([three().table, three().table], T)
    assert [thing.label for thing in screen.rows[0] if isinstance(thing, Button)] == ["Table 1", "Table 2"]
    assert f"2. <#{three().table.channel_id}>, turn 1: Ana, Bob, and Cid" in screen.content


def test_every_button_of_the_panel_is_a_legal_move_and_every_legal_move_can_be_made() -> None:
    for seed in range(4):
        for sitting in played_out(4, seed):
            for seat in sitting.game.awaited():
                private = sitting.seat(seat)
                offered = set()
                for choice in choices(hand_screen(private, T)).values():
                    verb, _, arg = choice.partition(":")
                    if verb == "target":
                        picks = choices(target_screen(private, arg, T)).values()
                        offered |= {decode(pick, private.view) for pick in picks if pick != "hand"}
                    elif verb not in {"hand", "auto", "quit"}:
                        offered.add(decode(choice, private.view))
                legal = {move for move in private.view.moves if move.verb != "keep"}
                assert offered == legal
                assert len({move_label(move, private, T) for move in legal}) == len(legal)


def test_the_switch_says_how_it_stands_and_what_pressing_it_does() -> None:
    seat = three().seat(1)
    assert "Allow for me is off" in hand_screen(seat, T).content
    players = tuple(replace(player, auto_allow=True) for player in seat.table.players)
    screen = hand_screen(replace(seat, table=replace(seat.table, players=players)), T)
    assert "Allow for me is on" in screen.content
    assert choices(screen)["Ask me again"] == "auto:off"


@pytest.mark.parametrize("sitting", [three(), three(lost={1: (Character.DUKE, Character.CONTESSA)}, b="")])
def test_a_notice_ends_the_panel(sitting: Sitting) -> None:
    with_it, without = (hand_screen(sitting.seat(1), T, notice=notice) for notice in ("Told once.", ""))
    assert with_it == replace(without, content=f"{without.content}\n\nTold once.")
