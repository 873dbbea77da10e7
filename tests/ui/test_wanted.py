"""Which messages a table should have: a rule without Discord."""

from __future__ import annotations

from msgspec.structs import replace

from bot.tables.table import Ending, Pause, Phase, Post, PostKind, PublicTable
from bot.ui.announcer import Fate, Wanted, wanted
from bot.ui.lobby import lobby_screen
from bot.ui.posts import LETTERS, Part
from bot.ui.screen import Screen
from bot.ui.table_message import damaged_screen, folded_turn_screen, paused_screen, turn_screen
from tests.ui.positions import Sitting, T, lobby, three

LOBBY, TURN, PROMPT, PAUSE, RESULT = (
    PostKind.LOBBY, PostKind.TURN, PostKind.PROMPT, PostKind.PAUSE, PostKind.RESULT
)  # fmt: skip


def named(table: PublicTable) -> list[tuple[PostKind, int, Part]]:
    return [(want.kind, want.number, want.part) for want in wanted(table)]


def form(table: PublicTable, kind: PostKind, number: int) -> Screen | Fate:
    (found,) = [want.form for want in wanted(table) if (want.kind, want.number) == (kind, number)]
    return found


def at_turn_three(*posts: Post) -> PublicTable:
    sitting = three().play("a: income", "b: income")
    return replace(sitting.table, posts=posts)


def told(kind: PostKind, number: int, message_id: int | None = 7) -> Post:
    """A message that is settled."""
    return Post(kind, number, 1, message_id, settled=True)


def still(kind: PostKind, number: int, message_id: int | None = 7) -> Post:
    """A message that is not."""
    return Post(kind, number, 1, message_id, settled=False)


def test_every_kind_has_a_letter_of_its_own() -> None:
    assert set(LETTERS) == set(PostKind)
    assert len(set(LETTERS.values())) == len(PostKind)
    assert all(len(letter) == 1 for letter in LETTERS.values())


def test_a_lobby_is_acted_on_until_it_closes() -> None:
    table = lobby()
    assert wanted(table) == (Wanted(LOBBY, 0, lobby_screen(table, T), Part.ACT),)
    closed = replace(table, phase=Phase.OVER, ending=Ending.CANCELLED, posts=(still(LOBBY, 0),))
    assert wanted(closed) == (Wanted(LOBBY, 0, lobby_screen(closed, T), Part.TELL),)
    assert wanted(replace(closed, posts=(told(LOBBY, 0),))) == ()


def test_turns_that_nobody_saw_come_before_the_one_that_is_on_and_old_ones_after_it() -> None:
    table = at_turn_three(still(LOBBY, 0, 1), still(TURN, 1, 2))
    assert named(table) == [(TURN, 2, Part.TELL), (TURN, 3, Part.ACT), (TURN, 1, Part.TELL), (LOBBY, 0, Part.KEEP)]
    assert form(table, TURN, 3) == turn_screen(table, T)
    assert form(table, TURN, 1) == folded_turn_screen(table, 1, T)


def test_a_message_on_its_way_when_its_time_ended_is_looked_for() -> None:
    table = at_turn_three(told(LOBBY, 0), told(TURN, 1), still(TURN, 2, None), still(PROMPT, 1, None))
    assert named(table) == [(TURN, 2, Part.TELL), (TURN, 3, Part.ACT), (PROMPT, 1, Part.TELL)]
    assert form(table, PROMPT, 1) is Fate.DELETED


def test_what_was_given_up_is_left_alone() -> None:
    table = at_turn_three(told(LOBBY, 0), told(TURN, 1, None), told(TURN, 2, None), told(PROMPT, 1, None))
    assert named(table) == [(TURN, 3, Part.ACT)]


def test_a_call_stands_while_the_called_is_awaited() -> None:
    sitting = three().play("a: steal b")
    posts = (told(LOBBY, 0), still(TURN, 1))
    before = replace(sitting.table, posts=posts)
    assert named(before) == [(TURN, 1, Part.ACT), (PROMPT, before.window, Part.CALL)]
    gave_up = replace(before, posts=(*posts, told(PROMPT, before.window, None)))
    assert named(gave_up) == [(TURN, 1, Part.ACT)]
    # The window stays the same while others answer.
    window = before.window
    after = replace(sitting.play("b: pass").table, window=window, posts=(*posts, still(PROMPT, window)))
    assert form(after, PROMPT, window) is Fate.DELETED
    paused = replace(before, paused=Pause.IDLE, posts=(*posts, still(PROMPT, window)))
    assert form(paused, PROMPT, window) is Fate.DELETED, "while a game is paused nobody is called"


def test_a_pause_has_a_message_of_its_own_which_goes_once_the_turn_has_one() -> None:
    table = at_turn_three(told(LOBBY, 0), told(TURN, 1), told(TURN, 2))
    paused = replace(table, paused=Pause.IDLE)
    assert wanted(paused) == (Wanted(PAUSE, 3, paused_screen(paused, T), Part.ACT),)
    resumed = replace(table, posts=(*table.posts, still(PAUSE, 3)))
    assert named(resumed) == [(TURN, 3, Part.ACT), (PAUSE, 3, Part.TELL)]
    assert form(resumed, PAUSE, 3) is Fate.DELETED
    closed = replace(table, paused=Pause.NO_ACCESS)
    assert named(closed) == [(TURN, 3, Part.ACT)], "what people see there stays as it is"


def test_the_result_comes_before_the_folding_of_old_turns() -> None:
    sitting = over()
    table = replace(sitting.table, posts=(told(LOBBY, 0), still(TURN, 1)))
    assert named(table) == [(RESULT, 0, Part.KEEP), (TURN, 1, Part.TELL)]
    assert named(replace(table, posts=(told(LOBBY, 0), told(TURN, 1), told(RESULT, 0)))) == []


def test_a_damaged_game_leaves_the_commitment_alone() -> None:
    whole = at_turn_three(still(LOBBY, 0, 1), still(TURN, 1, 2), still(TURN, 2, None), still(PROMPT, 4, None))
    table = replace(whole, damaged=True, view=None, story=(), commit="")
    assert named(table) == [(TURN, 2, Part.ACT), (TURN, 1, Part.TELL), (LOBBY, 0, Part.TELL), (PROMPT, 4, Part.TELL)]
    assert form(table, TURN, 2) == damaged_screen(table, T)
    assert form(table, LOBBY, 0) is Fate.DISARMED
    unseen = replace(table, posts=(still(LOBBY, 0, 1),))
    assert named(unseen) == [(TURN, 1, Part.ACT), (LOBBY, 0, Part.TELL)], "its first turn was never shown"
    assert form(unseen, LOBBY, 0) is Fate.DISARMED


def test_a_damaged_lobby_says_so_itself() -> None:
    table = replace(lobby(), damaged=True, commit="", posts=(still(LOBBY, 0),))
    assert wanted(table) == (Wanted(LOBBY, 0, damaged_screen(table, T), Part.ACT),)
    over = replace(table, phase=Phase.OVER)
    assert wanted(over) == (Wanted(LOBBY, 0, damaged_screen(over, T), Part.KEEP),)
    assert wanted(replace(over, posts=(told(LOBBY, 0),))) == ()


def over() -> Sitting:
    sitting = three(coins={0: 7}, lost={1: (), 2: ()})
    return sitting.play("b: resign", "c: resign")
