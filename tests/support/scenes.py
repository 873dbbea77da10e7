"""What there is to look at: every kind of screen, in words of any language, on pages of their own.

Owns: the choice of scenes. `tests.support.pictures` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from bot.commands.names import COMMANDS, command_name
from bot.i18n import Translator, languages, translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.people import Person
from bot.tables.table import Cause, ClaimTold, Ending, Pause, Phase, PublicTable, Removed, Result, TimeRanOut
from bot.ui.deeds import joined_text
from bot.ui.hand import (
    dm_screen,
    games_screen,
    hand_screen,
    no_dm_screen,
    quit_screen,
    target_screen,
)
from bot.ui.help import RULE_TOPICS, rules_screen
from bot.ui.lobby import lobby_screen
from bot.ui.move_words import move_label
from bot.ui.preferences import forget_screen, preferences_screen
from bot.ui.prompts import prompt_screen
from bot.ui.refusals import MISTAKES, REASONS, RIGHTS, refusal_text
from bot.ui.result import result_screen
from bot.ui.screen import Screen
from bot.ui.table_message import damaged_screen, folded_turn_screen, turn_screen
from bot.ui.tour import PAGES as TOUR_PAGES
from bot.ui.tour import tour_screen
from coup_core.cards import Character
from coup_core.events import PurseForfeited, Refunded
from tests.ui.positions import CLOSES, PEOPLE, Sitting, lobby, played_out, three


class Scene(Struct, frozen=True):
    """One screen to look at."""

    caption: str
    screen: Screen
    private: bool = False
    """Whether only one person sees it."""


def lobbies(t: Translator) -> Iterable[Scene]:
    """The lobby from its first seat to its end."""
    some, full = _spoken(lobby(), t), _spoken(lobby(PEOPLE), t)
    alone = replace(some, players=some.players[:1])
    yield Scene("One seat", lobby_screen(alone, t))
    yield Scene("Some seats", lobby_screen(some, t))
    yield Scene("Full", lobby_screen(full, t))
    kept = (some.players[0], *(replace(player, click=0) for player in some.players[1:]))
    yield Scene("Rematch", lobby_screen(replace(some, players=kept, deadline_at=CLOSES), t))
    yield Scene("Started", lobby_screen(_spoken(three().table, t), t))
    over = replace(some, phase=Phase.OVER)
    yield Scene("Closed", lobby_screen(over, t))
    yield Scene("Closed by somebody", lobby_screen(replace(over, ended_by="Mod"), t))
    yield Scene("Whoever has joined", Screen(joined_text(some, 9001, t)), private=True)


def turns(t: Translator) -> Iterable[Scene]:
    """The message of the turn, question by question."""
    table = three().table
    yield Scene("The first turn", turn_screen(table, t))
    yield Scene("The winner starts", turn_screen(replace(table, start="winner"), t))
    yield Scene("Eight coins", turn_screen(three(coins={0: 8}).table, t))
    yield Scene("Ten coins", turn_screen(three(coins={0: 10}).table, t))
    for action in ("foreign-aid", "tax", "exchange", "steal b", "assassinate b"):
        sitting = three(coins={0: 3}).play(f"a: {action}")
        yield Scene(f"Reaction: {action}", turn_screen(sitting.table, t))
        if (call := prompt_screen(sitting.table, t)) is not None:
            yield Scene("The call to the target", call)
    blocked = three().play("a: steal b", "b: block captain")
    yield Scene("A declared block", turn_screen(blocked.table, t))
    yield Scene("Block window", turn_screen(blocked.play("c: pass").table, t))
    yield from _asked("Proof of a block", blocked.play("a: challenge"), t)
    yield from _asked("Proof of an action", three().play("a: tax", "b: challenge"), t)
    second = three(coins={0: 3}, a="assassin captain").play("a: assassinate b", "c: challenge", "a: show assassin")
    yield from _asked("A loss", second, t)
    yield from _asked("A second chance to block", second.play("c: lose ambassador"), t)
    again = three().play("a: foreign-aid", "b: block duke", "c: challenge", "b: concede", "b: lose contessa")
    yield from _asked("Another chance to block", again, t)
    yield from _asked("Exchange", three(a="duke duke").play("a: exchange").everyone_passes(), t)
    yield Scene("Ten players", turn_screen(_crowd().table, t))
    paused = replace(three().play("a: income").table, paused=Pause.IDLE, window_length=0)
    yield Scene("Paused", turn_screen(paused, t))
    yield Scene("Damaged", damaged_screen(paused, t))
    yield Scene("Damaged and ended", damaged_screen(replace(paused, phase=Phase.OVER), t))


def stories(t: Translator) -> Iterable[Scene]:
    """Turns that are over."""
    games = {
        "Income, aid, tax": ("a: income", "b: foreign-aid", "a: pass", "c: pass", "c: tax", "a: pass", "b: pass"),
        "Steal and exchange": ("a: steal b", "b: pass", "c: pass", "b: exchange", "a: challenge", "b: concede"),
        "A proof": ("a: tax", "b: challenge", "a: show duke", "b: lose contessa"),
        "A bluff": ("a: assassinate b", "c: challenge", "a: concede", "a: lose duke"),
        "A block that stands": ("a: steal b", "b: block captain", "c: pass", "a: pass", "c: pass"),
        "A block that falls": (
            *("a: steal b", "b: block captain", "c: pass", "a: challenge", "b: concede", "b: lose duke"),
        ),
        "A block that is proved": (
            *("a: foreign-aid", "b: block duke", "a: challenge", "b: show duke", "a: lose captain"),
        ),
        "A coup": ("a: coup b", "b: lose duke"),
        "Leaving": ("a: steal b", "b: block captain", "b: resign", "c: pass"),
    }
    for caption, lines in games.items():
        sitting = three(coins={0: 8}).play(*lines)
        for story in sitting.table.story:
            yield Scene(caption, folded_turn_screen(sitting.table, story.number, t))
    yield Scene("Double danger", folded_turn_screen(_danger().table, 1, t))
    table = three().play("a: income").table
    told = (
        TimeRanOut(0),
        *(Removed(1, cause) for cause in (Cause.SILENT, Cause.KICKED, Cause.GONE)),
        Refunded(0, 3, 5),
        PurseForfeited(1, 1),
        PurseForfeited(2, 4),
    )
    rare = replace(table, story=(replace(table.story[0], events=told),))
    yield Scene("What happens rarely", folded_turn_screen(rare, 1, t))


def hands(t: Translator) -> Iterable[Scene]:
    """The private panels."""

    def shown(caption: str, sitting: Sitting, seat: int, *, hints: bool = True) -> Scene:
        return Scene(caption, hand_screen(sitting.seat(seat), t, hints=hints), private=True)

    yield shown("Own turn", three(), 0)
    yield shown("Own turn, ten coins", three(coins={0: 10}), 0)
    yield shown("Not asked", three(), 1, hints=False)
    seat = three().seat(1)
    ready = replace(seat.table, players=tuple(replace(player, auto_allow=True) for player in seat.table.players))
    yield Scene("Allow for me", hand_screen(replace(seat, table=ready), t), private=True)
    yield shown("Target of a steal", three().play("a: steal b"), 1)
    yield shown("Bystander of a steal", three().play("a: steal b"), 2)
    yield shown("Foreign aid", three().play("a: foreign-aid"), 1)
    blocked = three().play("a: steal b", "b: block captain", "c: pass")
    yield shown("A block", blocked, 0)
    blocked.play("a: challenge")
    yield shown("Proof of a bluff", blocked, 1)
    yield shown("Proof of a holder", three().play("a: tax", "b: challenge"), 0)
    yield shown("A loss", three().play("a: tax", "b: challenge", "a: show duke"), 1)
    second = three(coins={0: 3}, a="assassin captain").play("a: assassinate b", "b: challenge", "a: show assassin")
    yield shown("A second chance to block", second.play("b: lose duke"), 1)
    exchange = three(a="duke duke").play("a: exchange").everyone_passes()
    yield shown("Exchange", exchange, 0)
    for action in ("coup", "assassinate", "steal"):
        seat = three(coins={0: 8}).seat(0)
        yield Scene(f"Whom to {action}", target_screen(seat, action, t), private=True)
    yield Scene("A target, too late", target_screen(three().seat(1), "steal", t), private=True)
    yield Scene("Leave game", quit_screen(three().seat(0), t), private=True)
    out = three(coins={0: 7}, lost={1: (Character.CAPTAIN,)}, b="duke").play("a: coup b")
    yield shown("Out of the game", out, 1)
    yield Scene("Several games", games_screen([three().table, out.table], t), private=True)
    yield Scene("DM", dm_screen(three().seat(0), t))
    yield Scene("DM, a proof", dm_screen(blocked.seat(1), t, hints=True))
    yield Scene("DM, out of the game", dm_screen(out.seat(1), t))
    yield Scene("DM, not wanted any more", no_dm_screen(t))
    for caption, sitting, place in (("turn", three(coins={0: 8}), 0), ("exchange", exchange, 0)):
        seat = sitting.seat(place)
        moves = "\n".join(move_label(move, seat, t) for move in seat.view.moves)
        yield Scene(f"Suggestions of /coup play: {caption}", Screen(moves), private=True)


def results(t: Translator) -> Iterable[Scene]:
    """The last message of a game."""
    table = list(played_out(4, 7))[-1].table
    assert table.result is not None
    claims = (
        ClaimTold(2, 1, Character.DUKE, False, False),
        ClaimTold(5, 0, Character.CAPTAIN, False, True),
        ClaimTold(6, 2, Character.CONTESSA, False, False),
    )
    yield Scene("Won", result_screen(_with(table, table.result, claims), t))
    honest = _with(table, table.result, ())
    yield Scene("Ended by somebody", result_screen(replace(honest, ending=Ending.ENDED, ended_by="Mod"), t))
    yield Scene("Nobody left", result_screen(replace(honest, ending=Ending.ABANDONED), t))


def reading(t: Translator) -> Iterable[Scene]:
    """The tour, the rules, the preferences and the commands."""
    for page in range(1, TOUR_PAGES + 1):
        yield Scene(f"Tour {page}", tour_screen(page, t), private=True)
    for topic in RULE_TOPICS:
        yield Scene(f"Rules: {topic}", rules_screen(topic, t), private=True)
    yield Scene("Preferences", preferences_screen(Person(user_id=100), t), private=True)
    chosen = Person(user_id=100, language="es", dm_hand=False, hints=False)
    yield Scene("Preferences, chosen", preferences_screen(chosen, t), private=True)
    yield Scene("Delete my data", forget_screen(t), private=True)
    code = str(t.locale)
    yield Scene("Commands", Screen("\n".join(f"`/coup {command_name(name, code)}`" for name in COMMANDS)))


def refusals(t: Translator) -> Iterable[Scene]:
    """Why something was refused."""
    table = three().table
    facts = {"target": 1, "coins": 2, "cost": 3, "count": 2, "verb": "assassinate", "rights": list(RIGHTS)[1:4]}
    facts |= {"blocked_by": ("captain", "ambassador"), "character": "contessa"}
    for mistake in MISTAKES:
        if mistake is not Mistake.ILLEGAL:
            yield Scene(mistake, Screen(refusal_text(Refusal(mistake, **facts), table, t)), private=True)
    for reason in REASONS:
        refusal = Refusal(Mistake.ILLEGAL, **facts | {"reason": reason})
        yield Scene(reason, Screen(refusal_text(refusal, table, t)), private=True)


def mixture(t: Translator) -> Iterable[Scene]:
    """A table in this language, and its players' panels in the others."""
    table = three().play("a: steal b")
    yield Scene("The table", turn_screen(table.table, t))
    for code in languages():
        if code != str(t.locale):
            yield Scene(f"A panel: {code}", hand_screen(table.seat(1), translator(code), hints=True), private=True)


def channel(t: Translator) -> Iterable[Scene]:
    """A table in the middle of a game, as people read it."""
    sitting = three(coins={0: 2, 1: 2, 2: 2}, b="contessa captain")
    sitting.play("a: tax", "b: challenge", "a: show duke", "b: lose contessa", "b: income", "c: foreign-aid")
    sitting.everyone_passes()
    for number in (1, 2, 3):
        yield Scene("", folded_turn_screen(sitting.table, number, t))
    sitting.play("a: steal c")
    yield Scene("", turn_screen(sitting.table, t))
    call = prompt_screen(sitting.table, t)
    assert call is not None
    yield Scene("", call)


PAGES: dict[str, Callable[[Translator], Iterable[Scene]]] = {
    "lobbies": lobbies,
    "turns": turns,
    "stories": stories,
    "hands": hands,
    "results": results,
    "reading": reading,
    "refusals": refusals,
    "mixture": mixture,
    "table": channel,
}
"""By the name of the file."""


def _asked(caption: str, sitting: Sitting, t: Translator) -> Iterable[Scene]:
    yield Scene(caption, turn_screen(sitting.table, t))
    call = prompt_screen(sitting.table, t)
    if call is not None:
        yield Scene(f"{caption}: the call", call)


def _spoken(table: PublicTable, t: Translator) -> PublicTable:
    return replace(table, language=str(t.locale))


def _with(table: PublicTable, result: Result, claims: tuple[ClaimTold, ...]) -> PublicTable:
    return replace(table, result=replace(result, claims=claims))


def _danger() -> Sitting:
    sitting = three(coins={0: 3}, a="assassin captain")
    return sitting.play("a: assassinate b", "b: challenge", "a: show assassin", "b: lose duke", "b: pass")


def _crowd() -> Sitting:
    """Ten players with the longest names, in the middle of a game."""
    people = tuple(f"{name} of the very long name"[:24] for name in PEOPLE)
    return next(s for s in played_out(10, 4, people) if s.game.number > 12 and len(s.game.awaited()) > 5)
