"""Whatever cards a reader cannot know, every screen is the same bytes: texts, labels, custom_ids, order of buttons.

At random moments of random games the cards that nobody, or not this reader, can know are dealt anew. Every message
that the channel has, and every panel, choice and DM of the reader, is compared, in each language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from bot.i18n import Translator, languages, translator
from bot.tables.table import Post, PostKind, PrivateSeat, PublicTable
from bot.ui.announcer import wanted
from bot.ui.hand import dm_screen, games_screen, hand_screen, quit_screen, target_screen
from bot.ui.move_words import move_label
from bot.ui.result import result_screen
from bot.ui.screen import Screen, payload
from bot.ui.table_message import damaged_screen, folded_turn_screen
from coup_core.game import Game
from coup_core.moves import Seat
from coup_core.view import SeatView, TableView, seat_view, table_view
from tests.core.test_secrecy import redistributed
from tests.ui import positions
from tests.ui.positions import Sitting, played_out

MOMENTS = {2: 1300, 3: 1300, 5: 550, 10: 190}
"""By players, for each language: 10,020 in all. Most where screens are short, as the test must not take minutes."""
ONE_IN = 3
"""Of the moments of a game, so that they come from many games."""


def public(table: PublicTable, t: Translator, rng: Random) -> list[bytes]:
    """Every message of a running table that the channel could see; of the turns that are over the newest, and one."""
    told = rng.choice(table.story).number if table.story else 0
    screens = (damaged_screen(table, t), folded_turn_screen(table, told, t))
    return [announced(table), before_the_end(table, t), *map(payload, screens)]


def announced(table: PublicTable) -> bytes:
    """By the rule that names them: the lobby, a turn that nobody saw, the open turn, and who is called to it."""
    seen = (Post(PostKind.TURN, story.number, 1, 7, settled=True) for story in table.story[:-2])
    lobby = Post(PostKind.LOBBY, 0, 1, 6, settled=False)
    return msgspec.json.encode(wanted(replace(table, posts=(lobby, *seen))))


def before_the_end(table: PublicTable, t: Translator) -> bytes:
    """What the result would tell while the game is on."""
    try:
        return payload(result_screen(table, t))
    except ValueError as refused:
        return str(refused).encode()


def panels(seat: PrivateSeat, t: Translator) -> list[bytes]:
    """Every panel and every suggestion that a player could ask for."""
    targets = [target_screen(seat, action, t) for action in ("coup", "assassinate", "steal")]
    screens: list[Screen] = [hand_screen(seat, t), quit_screen(seat, t), games_screen([seat.table] * 2, t), *targets]
    return [*map(payload, screens), *(move_label(move, seat, t).encode() for move in seat.view.moves)]


class Reader:
    """Somebody at the table, whose language need not be the table's."""

    def __init__(self, sitting: Sitting, seat: Seat, table: Translator, own: Translator, rng: Random) -> None:
        self.sitting, self.seat, self._table, self._own = sitting, seat, table, own
        self._seed = rng.random()

    def public(self) -> list[bytes]:
        table = replace(self.sitting.table, language=str(self._table.locale))
        return public(table, self._table, Random(self._seed))

    def panels(self) -> list[bytes]:
        return panels(self.sitting.seat(self.seat), self._own)

    def dm(self) -> bytes:
        return payload(dm_screen(self.sitting.seat(self.seat), self._own))


def differences(players: int, language: str, moments: int, rng: Random) -> Counter[str]:
    """What changed with cards that its reader cannot know, and how often; and `own` changes, which are no leaks."""
    found: Counter[str] = Counter(moments=0)
    while found["moments"] < moments:
        for sitting in played_out(players, rng.randrange(1_000_000)):
            if sitting.game.outcome is None and rng.randrange(ONE_IN) == 0:
                found["moments"] += 1
                own = translator(rng.choice(languages()))
                # whoever is out reads on
                reader = Reader(sitting, rng.randrange(players), translator(language), own, rng)
                found.update(compared(reader, rng))
    return found


def compared(reader: Reader, rng: Random) -> list[str]:
    sitting, found = reader.sitting, []
    game = sitting.game
    assert all(event.public for story in sitting.table.story for event in story.events), "a private event is told"
    messages, own, dm = reader.public(), reader.panels(), reader.dm()
    sitting.game = redistributed(game, None, rng)
    found += ["public"] if reader.public() != messages else []
    found += ["own"] if reader.dm() != dm else []
    sitting.game = redistributed(game, reader.seat, rng)
    found += ["panel"] if reader.panels() != own else []
    found += ["dm"] if reader.dm() != dm else []
    sitting.game = game
    return found


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("players", MOMENTS)
def test_no_screen_depends_on_cards_that_its_reader_cannot_know(players: int, language: str) -> None:
    found = differences(players, language, MOMENTS[players], Random(f"{players} {language}"))
    assert found.keys() == {"moments", "own"}, found
    assert found["moments"] >= MOMENTS[players]
    # the comparison can fail: one's own DM does show one's own cards
    assert found["own"] > MOMENTS[players] // 3


def starts_with_duke(game: Game) -> bool:
    """One fact of one hidden card, which the smallest leak would tell."""
    return game.hands[game.living[0]][0] == "duke"


def number_in_footer(game: Game) -> TableView:
    view = table_view(game)
    return replace(view, court=view.court + starts_with_duke(game))


def order_of_buttons(game: Game) -> TableView:
    view = table_view(game)
    return replace(view, actions=view.actions[::-1] if starts_with_duke(game) else view.actions)


def order_of_own_cards(game: Game, seat: Seat) -> SeatView:
    """Tells in somebody's DM and panel of a card that is not theirs."""
    view = seat_view(game, seat)
    told = seat != game.living[0] and starts_with_duke(game)
    return replace(view, hand=view.hand[::-1] if told else view.hand)


@pytest.mark.parametrize(
    ("leak", "where"),
    [
        (number_in_footer, {"public", "panel"}),
        (order_of_buttons, {"public"}),
        (order_of_own_cards, {"panel", "dm"}),
    ],
)
def test_a_planted_leak_is_found(leak: Callable[..., object], where: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "seat_view" if leak is order_of_own_cards else "table_view", leak)
    if leak is not order_of_own_cards:
        # as in the engine, where a seat's view holds the table's
        monkeypatch.setattr(positions, "seat_view", lambda game, seat: replace(seat_view(game, seat), table=leak(game)))
    found = differences(3, "es", 60, Random("leak"))
    assert where <= found.keys(), found
