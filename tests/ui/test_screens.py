"""The other screens, the limits of Discord, and whole random games looked at through everything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from bot.i18n import Translator, languages, translator
from bot.tables import table as table_values
from bot.tables.table import Cause, Ending, Phase, Player, TurnStory
from bot.ui import ids
from bot.ui.hand import hand_screen, quit_screen, target_screen
from bot.ui.help import FIRST_TOPIC, RULE_TOPICS, rules_screen, topic_title
from bot.ui.ids import ButtonId
from bot.ui.lobby import lobby_screen
from bot.ui.names import graphemes
from bot.ui.narration import _TOLD, SILENT, turn_story
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.screen import Button, Screen, Select, payload, shortened, width
from bot.ui.table_message import folded_turn_screen, turn_screen
from coup_core import events
from coup_core.cards import Character
from coup_core.events import Event
from coup_core.moves import CHALLENGE, CONCEDE, Move
from tests.ui.positions import PEOPLE, Sitting, T, dealt, lobby, played_out, three

HOSTILE = (
    *("**Ana**", "<@1>", "\u202eBob", "@everyone", "||x||", "", "\U0001f600" * 32, "1. {name}", "%s {0}", "- `x`"),
)
LONG = tuple(f"{chr(0x1F600 + seat)}" * 24 for seat in range(10))


def within_limits(screen: Screen) -> bool:
    """Discord's limits, and no id twice."""
    assert width(screen.content) <= 2000
    assert screen.content or screen.embed
    if screen.embed is not None:
        assert width(screen.embed.title) <= 256
        assert width(screen.embed.description) <= 4096
        assert width(screen.embed.footer) <= 2048
    assert len(screen.rows) <= 5
    for row in screen.rows:
        assert 1 <= len(row) <= 5
        for thing in row:
            assert 1 <= len(thing.id) <= 100
            assert ids.parse(thing.id) is not None
            if isinstance(thing, Select):
                assert len(row) == 1
                assert 1 <= thing.min <= thing.max <= len(thing.options) <= 25
                assert len({option.value for option in thing.options}) == len(thing.options)
                assert all(1 <= width(option.label) <= 100 for option in thing.options)
            else:
                assert 1 <= width(thing.label) <= 80
    every = [thing.id for row in screen.rows for thing in row]
    assert len(set(every)) == len(every)
    return True


def all_screens(sitting: Sitting, t: Translator) -> list[Screen]:
    table = sitting.table
    screens = [turn_screen(table, t), lobby_screen(table, t)]
    screens += [folded_turn_screen(table, story.number, t) for story in table.story[-2:]]
    prompt = prompt_screen(table, t)
    screens += [prompt] if prompt is not None else []
    for seat in range(len(table.players)):
        private = sitting.seat(seat)
        screens += [hand_screen(private, t), quit_screen(private, t)]
        screens += [target_screen(private, action, t) for action in ("coup", "assassinate", "steal")]
    if table.result is not None:
        screens.append(result_screen(table, t))
    return screens


@pytest.mark.parametrize("players", range(2, 11))
def test_whole_random_games_can_be_looked_at(players: int) -> None:
    for people in (PEOPLE, HOSTILE):
        for place, sitting in enumerate(played_out(players, 70 + players, people)):
            if place % 5 == 0 or sitting.game.outcome is not None:
                assert all(within_limits(screen) for screen in all_screens(sitting, T))


@pytest.mark.parametrize("code", languages())
def test_ten_players_with_the_longest_names_fit(code: str) -> None:
    t = translator(code)
    for place, sitting in enumerate(played_out(10, 3, LONG)):
        assert all(len(graphemes(player.name)) == 24 for player in sitting.table.players)
        if place % 25 == 0 or sitting.game.outcome is not None:
            assert all(within_limits(screen) for screen in all_screens(sitting, t))
    assert within_limits(lobby_screen(lobby(LONG), t))


@pytest.mark.parametrize("code", languages())
def test_no_label_is_cut_short(code: str) -> None:
    """With names as people have them; phones show about so many letters of a button."""
    t = translator(code)
    for place, sitting in enumerate(played_out(6, 8)):
        for screen in all_screens(sitting, t) if place % 5 == 0 else ():
            labels = [thing.label for row in screen.rows for thing in row if isinstance(thing, Button)]
            assert [label for label in labels if len(label) > 38] == []


def test_however_long_the_story_what_is_asked_is_whole() -> None:
    """Six blocks of foreign aid, one after the other, challenged and conceded."""
    sitting = Sitting(dealt(10, 3), LONG)
    game = sitting.game
    sitting.do(game.turn, Move("foreign-aid"))
    *blockers, challenger, onlooker = game.awaited()
    for blocker in blockers[:6]:
        sitting.do(blocker, Move("block", cards=(Character.DUKE,)))
        sitting.do(challenger, CHALLENGE)
        sitting.do(blocker, CONCEDE)
        while game.legal_moves(blocker) and game.legal_moves(blocker)[0].verb == "lose":
            sitting.do(blocker, game.legal_moves(blocker)[0])
    content = turn_screen(sitting.table, T).content
    assert "…\n" in content
    assert content.endswith("30 seconds, closes <t:1893499200:R>.")
    assert hand_screen(sitting.seat(onlooker), T).content.endswith("\nYour answer is awaited.")
    with_notice = hand_screen(sitting.seat(onlooker), T, notice="Told once. " * 10)
    assert within_limits(with_notice)
    assert with_notice.content.endswith(f"\nYour answer is awaited.\n\n{'Told once. ' * 10}")


def test_hostile_names_mention_and_format_nothing() -> None:
    for sitting in played_out(10, 4, HOSTILE):
        screen = turn_screen(sitting.table, T)
        assert "@everyone" not in payload(screen).decode()
        assert "<@1>" not in screen.content
        assert "\u202e" not in screen.content
        assert screen.embed is None or "||" not in screen.embed.description


def test_every_event_is_narrated_or_silent_on_purpose() -> None:
    named = [*vars(events).values(), *vars(table_values).values()]
    every = {thing for thing in named if isinstance(thing, type) and issubclass(thing, Event)}
    assert every - {Event} == set(_TOLD) | set(SILENT)
    assert not set(_TOLD) & set(SILENT)


def test_every_event_has_words_of_its_own_where_it_stands_alone() -> None:
    table = three().table
    for kind in _TOLD:
        facts = {field.name: _example(field.type, field.name) for field in msgspec.structs.fields(kind)}
        text = turn_story(table, TurnStory(4, (kind(**facts),)), T)
        assert len(text) > len("**4.** "), kind
        assert "{" not in text


def _example(kind: object, name: str) -> Any:
    if name == "action":
        return "tax"
    if name == "cards":
        return ("duke",)
    if name == "character" or (get_args(kind) and name == "claim"):
        return "duke"
    if name == "cause":
        return Cause.SILENT
    if name == "debt":
        return events.Debt.CONCEDED
    if name == "target":
        return 1
    if name == "reason":
        return events.Failure.BLOCKED
    return 1


def test_a_rematch_says_whose_seats_are_kept_and_until_when() -> None:
    table = lobby()
    players = (table.players[0], *(replace(player, click=0) for player in table.players[1:]))
    until = datetime(2030, 1, 1, tzinfo=UTC)
    screen = lobby_screen(replace(table, players=players, deadline_at=until), T)
    kept = T.list([f"**{player.name}**" for player in players[1:]])
    assert f"Seats kept for {kept} go free <t:{int(until.timestamp())}:R>" in screen.content
    assert screen.embed is not None
    assert f"{players[1].name}: the seat is kept" in screen.embed.description


def test_the_lobby_open_started_and_closed() -> None:
    table = lobby()
    screen = lobby_screen(table, T)
    assert [thing.label for thing in screen.rows[0] if isinstance(thing, Button)] == [
        *("Join", "Leave", "Start", "Cancel", "Help")
    ]
    assert screen.embed is not None
    assert "· **Ana** (host)\n· **Bob**\n· **Cid**\n" in screen.embed.description
    assert f"Commitment `{table.commit}`" in screen.embed.description
    started = lobby_screen(three().table, T)
    assert started.rows == ()
    assert started.embed is not None
    assert "number `8999`" in started.embed.description
    assert "· Bob: `9001`" in started.embed.description
    assert started.content == "The game has begun. Ana starts: drawn at random."
    closed = lobby_screen(replace(table, phase=Phase.OVER, players=()), T)
    assert (closed.rows, closed.embed) == ((), None)


def finished() -> Sitting:
    return three(coins={0: 7}, b="duke contessa").play("a: coup b", "b: lose duke", "c: resign", "b: resign")


def test_the_result_tells_everything() -> None:
    table = finished().table
    screen = result_screen(table, T)
    assert screen.content == "**Ana** wins after 2 turns and 4 lost influences."
    assert screen.attachment == ("coup-abcd2345.coup", "rules: classic\n")
    assert [thing.label for row in screen.rows for thing in row if isinstance(thing, Button)] == ["Rematch"]
    assert screen.ping is None
    assert screen.embed is not None
    text = screen.embed.description
    assert "· Ana: held **Duke** and **Captain**\n· Bob: lost **Duke** and **Contessa**" in text
    assert "Bluffs that lived: Ana as Duke (turn 1)." in text
    assert "Bluffs that died: Bob as Captain (turn 2)." in text
    assert all(word in text for word in ("5e" * 32, "c0" * 32, "1,2,3"))


def test_an_ended_game_says_who_ended_it() -> None:
    sitting = three()
    over = replace(sitting.table, phase=Phase.OVER, result=sitting.result())
    table = replace(over, ending=Ending.ENDED, ended_by="**Mod**")
    assert result_screen(table, T).content == (
        "The game was ended by Mod after 1 turn and 0 lost influences. Nobody wins."
    )
    nobody = replace(over, ending=Ending.ABANDONED)
    assert result_screen(nobody, T).content.startswith("For a day nobody came back: the game ends after 1 turn")
    closed = replace(over, ending=Ending.NO_ACCESS)
    assert result_screen(closed, T).content.startswith("I had no access to this channel: the game ends after 1 turn")


def test_a_result_of_countless_bluffs_still_carries_the_seed() -> None:
    table = finished().table
    assert table.result is not None
    claims = table.result.claims * 400
    screen = result_screen(replace(table, result=replace(table.result, claims=claims)), T)
    assert within_limits(screen)
    assert screen.embed is not None
    assert "5e" * 32 in screen.embed.description


def test_a_running_table_has_no_result() -> None:
    with pytest.raises(ValueError, match="no result"):
        result_screen(three().table, T)


@pytest.mark.parametrize("code", languages())
def test_the_rules_have_short_pages(code: str) -> None:
    t = translator(code)
    for topic in RULE_TOPICS:
        screen = rules_screen(topic, t)
        assert within_limits(screen)
        assert screen.embed is not None
        assert screen.embed.title == topic_title(topic, t)
        assert len(screen.embed.description) < 1000
    assert rules_screen("nonsense", T) == rules_screen(FIRST_TOPIC, T)


def test_ids_have_a_text_both_ways() -> None:
    for button in (ButtonId("t1", 0, "join"), ButtonId("t1", 42, "steal", "2"), ButtonId("-", 0, "help", "basics")):
        assert ids.parse(button.text) == button
    assert ButtonId("t1", 42, "steal", "2").text == "c1:t1:42:steal:2"
    for text in (
        "",
        "c0:t1:1:pass",
        "c1:t1:x:pass",
        "c1:t1:1:",
        "c1:t1:1:pass:",
        "c1:t1:1:Pass",
        "join",
        "c1:t1:1:a:b:c",
    ):
        assert ids.parse(text) is None


def test_a_text_is_shortened_between_letters() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "ab…"
    assert shortened("\U0001f600" * 3, 4) == "\U0001f600…"


def test_an_unknown_locale_reads_english() -> None:
    assert translator("xx-YY") is translator("en")


def test_players_may_have_left_the_lobby_to_somebody_else() -> None:
    table = replace(lobby(), host_id=101, players=(Player(101, "Bob", 5),))
    screen = lobby_screen(table, T)
    assert screen.content == "A game of Coup is gathering: press **Join** to take a seat."
    assert screen.embed is not None
    assert "1 player of at most 10." in screen.embed.description
