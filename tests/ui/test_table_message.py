"""What people read and press in the channel."""

from __future__ import annotations

from msgspec.structs import replace

from bot.tables.table import Pause, Phase, PublicTable
from bot.ui.hand import hand_screen
from bot.ui.ids import parse
from bot.ui.prompts import prompt_screen
from bot.ui.screen import Button, Screen, payload
from bot.ui.table_message import folded_turn_screen, paused_screen, turn_screen
from tests.ui.positions import Sitting, T, dealt, played_out, three


def labels(screen: Screen) -> list[list[str]]:
    return [[thing.label for thing in row if isinstance(thing, Button)] for row in screen.rows]


def pressable(screen: Screen) -> list[str]:
    return [b.label for row in screen.rows for b in row if isinstance(b, Button) and not b.disabled]


def ids(screen: Screen) -> list[str]:
    return [thing.id for row in screen.rows for thing in row]


def lines(screen: Screen) -> list[str]:
    return screen.content.split("\n")


def description(screen: Screen) -> list[str]:
    assert screen.embed is not None
    return screen.embed.description.split("\n")


def test_a_turn_asks_its_player_with_the_one_ping() -> None:
    screen = turn_screen(three().table, T)
    assert lines(screen) == [
        "Ana starts: drawn at random.",
        "<@100>, your turn. 90 seconds, closes <t:1893499200:R>.",
    ]
    assert screen.ping == 100
    assert labels(screen) == [
        ["Income +1", "Foreign Aid +2", "Tax +3 (Duke)", "Steal 2 (Captain)", "Exchange (Ambassador)"],
        ["Assassinate −3 (Assassin)", "Coup −7"],
        ["Challenge"],
        ["My hand", "Help"],
    ]
    assert pressable(screen) == [*labels(screen)[0], "My hand", "Help"]
    assert [parse(text).choice for text in ids(screen)[:7]] == [  # type: ignore[union-attr]
        *("income", "foreign-aid", "tax", "target:steal", "exchange", "target:assassinate", "target:coup")
    ]


def test_a_paused_game_waits_for_somebody_and_shows_no_clock() -> None:
    table = replace(three().play("a: income").table, paused=Pause.IDLE, window_length=0)
    screen = paused_screen(table, T)
    assert lines(screen)[-1] == (
        "The game is paused: nobody answered for a whole round. It waits one day for a player to press **Resume**, and"
        " is given up <t:1893499200:R>."
    )
    assert "your turn" not in screen.content
    assert "closes" not in screen.content
    assert labels(screen) == [["Resume", "My hand", "Help"]]
    assert screen.ping is None
    assert [parse(text).verb for text in ids(screen)] == ["resume", "hand", "help"]  # type: ignore[union-attr]


def test_the_table_shows_what_everyone_knows() -> None:
    sitting = three(coins={0: 7, 2: 1}).play("a: coup b", "b: lose duke")
    screen = turn_screen(sitting.table, T)
    assert description(screen) == [
        "· **Ana** — 0 coins · 2 cards",
        "▸ **Bob** — 2 coins · 1 card · lost Duke",
        "· **Cid** — 1 coin · 2 cards",
    ]
    assert screen.embed is not None
    assert screen.embed.footer == "Turn 2 · Classic · Court 9 · Treasury 47"
    assert folded_turn_screen(sitting.table, 1, T) == Screen(
        "**1.** Ana paid 7 coins for a coup against Bob. Bob lost **Duke**."
    )


def test_only_the_first_turn_tells_who_starts() -> None:
    assert lines(turn_screen(replace(three().table, start="winner"), T))[0] == (
        "Ana starts: the winner of the last game here."
    )
    assert lines(turn_screen(three().play("a: income").table, T)) == [
        "<@101>, your turn. 90 seconds, closes <t:1893499200:R>."
    ]


def test_with_ten_coins_only_coup_can_be_pressed() -> None:
    assert pressable(turn_screen(three(coins={0: 10}).table, T)) == ["Coup −7", "My hand", "Help"]


def test_a_window_names_the_claim_the_blockers_and_who_is_awaited() -> None:
    screen = turn_screen(three().play("a: steal b").table, T)
    assert lines(screen) == [
        "**1.** **Ana** claims **Captain** to steal up to 2 coins from **Bob**.",
        "Bob may block as **Captain** or **Ambassador**.",
        "Waiting for **Bob** and **Cid**: 30 seconds, closes <t:1893499200:R>.",
    ]
    assert screen.ping is None
    assert labels(screen) == [
        ["Allow"],
        ["Block as Captain", "Block as Ambassador"],
        ["Challenge the Captain"],
        ["My hand", "Help"],
    ]


def test_foreign_aid_can_be_blocked_by_anyone_and_challenged_by_nobody() -> None:
    screen = turn_screen(three().play("a: foreign-aid").table, T)
    assert "Any other player may block as **Duke**." in lines(screen)
    assert pressable(screen) == ["Allow", "Block as Duke", "My hand", "Help"]


def test_a_declared_block_waits_for_the_claim() -> None:
    screen = turn_screen(three().play("a: steal b", "b: block captain").table, T)
    assert "**Bob** will block as **Captain** unless the claim falls." in screen.content
    assert pressable(screen) == ["Allow", "Challenge the Captain", "My hand", "Help"]


def test_a_choice_of_cards_is_opened_by_a_public_button() -> None:
    sitting = three().play("a: tax", "b: challenge")
    screen = turn_screen(sitting.table, T)
    assert lines(screen)[:2] == [
        "**1.** Ana claimed **Duke** to tax 3 coins. Bob challenged Ana's **Duke**.",
        "**Ana** shows **Duke** or concedes.",
    ]
    assert pressable(screen) == ["Choose", "My hand", "Help"]
    prompt = prompt_screen(sitting.table, T)
    assert prompt is not None
    assert prompt.content == "<@100>, Bob challenges your **Duke**: show it or concede."
    assert (prompt.ping, labels(prompt)) == (100, [["Choose"]])


def test_the_story_of_a_turn_is_folded_to_one_line() -> None:
    sitting = three().play("a: tax", "b: challenge", "a: show duke", "b: lose contessa")
    assert folded_turn_screen(sitting.table, 1, T).content == (
        "**1.** Ana claimed **Duke** to tax 3 coins. Bob challenged; Ana showed **Duke** and drew a new card."
        " Bob lost **Contessa**. Ana took 3 coins (5)."
    )


def test_of_two_losses_in_one_turn_the_story_tells_which_was_the_assassination() -> None:
    sitting = three(coins={0: 3}, a="assassin duke")
    sitting.play("a: assassinate b", "b: challenge", "a: show assassin", "b: lose duke", "b: pass")
    assert folded_turn_screen(sitting.table, 1, T).content == (
        "**1.** Ana claimed **Assassin** and paid 3 coins to assassinate Bob. Bob challenged; Ana showed **Assassin**"
        " and drew a new card. Bob lost **Duke**. Bob was assassinated and lost **Contessa**. Bob is out."
        " Bob's 2 coins went to the Treasury."
    )
    exposed = three(coins={0: 3}).play("a: assassinate b", "c: challenge", "a: concede", "a: lose duke")
    assert folded_turn_screen(exposed.table, 1, T).content.endswith("The action failed. Ana lost **Duke**.")


def test_the_target_is_called_only_while_they_may_block() -> None:
    sitting = three(coins={0: 3}).play("a: assassinate b")
    prompt = prompt_screen(sitting.table, T)
    assert prompt is not None
    assert prompt.content == "<@101>, Ana wants to assassinate you: answer with the buttons above."
    assert (prompt.ping, prompt.rows) == (101, ())
    assert prompt_screen(sitting.play("b: pass").table, T) is None
    assert prompt_screen(three().table, T) is None
    assert prompt_screen(three().play("a: tax").table, T) is None


def test_a_table_that_was_ended_in_mid_game_has_no_buttons_left() -> None:
    table = replace(three().play("a: tax").table, phase=Phase.OVER, deadline_at=None)
    assert turn_screen(table, T) == Screen("**1.** Ana claimed **Duke** to tax 3 coins.")
    assert prompt_screen(table, T) is None


def test_a_turn_that_its_player_left_is_told() -> None:
    sitting = three().play("a: resign")
    assert folded_turn_screen(sitting.table, 1, T).content == (
        "**1.** Ana left the game and turned up **Duke** and **Captain**. Ana's 2 coins went to the Treasury."
    )


def places(table: PublicTable) -> dict[tuple[int, int], str]:
    """What stands where: row and place in the row of each button that can be pressed."""
    screen = turn_screen(table, T)
    return {
        (row, place): parse(thing.id).verb  # type: ignore[union-attr]
        for row, things in enumerate(screen.rows)
        for place, thing in enumerate(things)
        if isinstance(thing, Button) and not thing.disabled
    }


def test_challenge_has_a_place_of_its_own_in_the_message_and_in_the_panel() -> None:
    message: dict[tuple[int, int], set[str]] = {}
    panel: dict[tuple[int, int], set[str]] = {}
    for seed in range(8):
        for sitting in played_out(4, seed):
            if sitting.game.outcome is not None:
                continue
            for place, verb in places(sitting.table).items():
                message.setdefault(place, set()).add(verb)
            screen = hand_screen(sitting.seat(sitting.game.awaited()[0]), T)
            for row, things in enumerate(screen.rows):
                for column, thing in enumerate(things):
                    if isinstance(thing, Button) and not thing.disabled:
                        panel.setdefault((row, column), set()).add(parse(thing.id).verb)  # type: ignore[union-attr]
    assert message[2, 0] == {"challenge"}
    assert panel[1, 0] == {"challenge"}
    assert message[0, 0] == {"income", "pass", "choose"}
    for grid in (message, panel):
        assert sum("challenge" in verbs for verbs in grid.values()) == 1
        assert sum("pass" in verbs for verbs in grid.values()) == 1
    # what costs a card or a turn never stands where another such thing stood a moment ago
    assert panel[2, 0] == {"pass", "show"}
    assert panel[4, 0] <= {"lose", "target"}
    assert panel[4, 1] <= {"lose", "target"}


def test_the_rows_of_the_message_never_move() -> None:
    for sitting in played_out(3, 5):
        if sitting.game.outcome is None:
            assert len(turn_screen(sitting.table, T).rows) == 4


def test_equal_tables_give_equal_bytes() -> None:
    def frames() -> list[bytes]:
        return [payload(turn_screen(sitting.table, T)) for sitting in played_out(5, 11)]

    assert frames() == frames()


def test_the_public_message_is_the_same_whatever_is_held() -> None:
    moves = ("a: steal b", "b: block captain", "c: pass", "a: challenge")
    one = three(a="duke captain", b="contessa duke").play(*moves)
    two = three(a="contessa contessa", b="ambassador assassin", c="duke duke").play(*moves)
    assert turn_screen(one.table, T) == turn_screen(two.table, T)
    assert prompt_screen(one.table, T) == prompt_screen(two.table, T)


def test_a_fresh_table_of_two_gives_the_starter_one_coin() -> None:
    sitting = Sitting(dealt(2, 3))
    sitting.play(f"p{sitting.game.turn + 1}: income")
    assert "took income (2)." in folded_turn_screen(sitting.table, 1, T).content
