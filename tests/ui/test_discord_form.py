"""Screens as discord.py takes them."""

from __future__ import annotations

import discord

from bot.ui.discord_form import to_edit, to_send
from bot.ui.hand import hand_screen
from bot.ui.screen import Embed, Screen
from bot.ui.table_message import folded_turn_screen, turn_screen
from bot.ui.tour import tour_screen
from tests.ui.positions import T, three


async def test_sending_a_turn() -> None:
    form = to_send(turn_screen(three().table, T))
    assert set(form) == {"content", "embed", "view", "allowed_mentions"}
    assert form["allowed_mentions"].to_dict() == {"parse": [], "users": [100]}
    view: discord.ui.View = form["view"]
    assert view.timeout is None
    assert view.is_finished()
    assert [item.row for item in view.children] == [0] * 5 + [1] * 2 + [2] + [3] * 2
    assert next(iter(view.children)).custom_id == "c1:abcd2345:0:income"  # type: ignore[attr-defined]


async def test_nobody_is_pinged_unless_the_screen_says_so() -> None:
    for form in (to_send(Screen("<@1> @everyone")), to_edit(Screen("<@1> @everyone"))):
        assert form["allowed_mentions"].to_dict() == {"parse": []}


async def test_an_edit_takes_off_what_the_screen_lacks() -> None:
    form = to_edit(folded_turn_screen(three().play("a: income").table, 1, T))
    assert form["content"] == "**1.** Ana took income (3)."
    assert (form["embeds"], form["view"], form["attachments"]) == ([], None, [])


async def test_a_send_leaves_out_what_the_screen_lacks() -> None:
    assert set(to_send(Screen("x"))) == {"content", "allowed_mentions"}


async def test_a_select_and_an_attachment() -> None:
    screen = hand_screen(three().play("a: exchange", "b: pass", "c: pass").seat(0), T)
    select = to_edit(screen)["view"].children[-1]
    assert isinstance(select, discord.ui.Select)
    assert [option.value for option in select.options] == ["0", "1", "2", "3"]
    file = to_send(Screen("x", attachment=("a.coup", "rules: é\n")))["file"]
    assert (file.filename, file.fp.read().decode()) == ("a.coup", "rules: é\n")


async def test_a_screen_without_content() -> None:
    form = to_send(tour_screen(1, T))
    assert form["content"] is None
    assert to_edit(Screen("", Embed("t", "d", "f")))["embeds"][0].footer.text == "f"
