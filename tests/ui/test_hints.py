"""The line of advice under a question, for somebody's first game."""

from __future__ import annotations

from random import Random

import pytest

from bot.i18n import languages, translator
from bot.ui.hand import dm_screen, hand_screen
from bot.ui.hints import hint_text
from bot.ui.screen import payload
from coup_core.moves import Seat
from coup_core.view import Asked
from tests.core.test_secrecy import redistributed
from tests.ui.positions import Sitting, T, played_out, three
from tests.ui.test_literals import T as MARKED
from tests.ui.test_literals import loose, texts
from tests.ui.test_screens import LONG, within_limits

QUESTIONS: dict[str, tuple[Sitting, Seat, str]] = {
    "the first turn": (three(), 0, "turns them off"),
    "a turn": (three().play("a: income", "b: income", "c: income"), 0, "may press any action"),
    "a turn with ten coins": (three(coins={0: 10}), 0, "your only action"),
    "a claim": (three().play("a: steal b"), 2, "If you challenge and"),
    "a claim that they may block": (three().play("a: steal b"), 1, "or block whether"),
    "what can only be blocked": (three().play("a: foreign-aid"), 1, "You may block"),
    "a second chance": (three().play("a: steal b", "c: challenge", "a: show captain", "c: lose assassin"), 1, "still"),
    "a block": (three().play("a: foreign-aid", "b: block duke", "c: pass"), 0, "the block falls"),
    "proof with the card": (three().play("a: tax", "b: challenge"), 0, "no influence"),
    "proof without": (three(a="contessa contessa").play("a: tax", "b: challenge"), 0, "is caught"),
    "a loss": (three(coins={0: 7}).play("a: coup b"), 1, "face up for all"),
    "an exchange": (three().play("a: exchange", "b: pass", "c: pass"), 0, "put back"),
}


@pytest.mark.parametrize("kind", QUESTIONS)
def test_each_kind_of_question_has_a_hint_in_the_last_line(kind: str) -> None:
    sitting, seat, words = QUESTIONS[kind]
    private = sitting.seat(seat)
    plain, hinted = hand_screen(private, T), hand_screen(private, T, hints=True)
    said, _, hint = hinted.content.rpartition("\n")
    assert said == plain.content, "only a line more"
    assert hint.startswith("Hint: ")
    assert words in hint
    assert (hinted.rows, hinted.embed) == (plain.rows, plain.embed)


def test_the_hints_differ_and_the_first_turn_alone_tells_how_to_be_rid_of_them() -> None:
    hints = {kind: hint(sitting, seat) for kind, (sitting, seat, _) in QUESTIONS.items()}
    assert len(set(hints.values())) == len(QUESTIONS)
    assert [kind for kind, text in hints.items() if "/coup preferences" in text] == ["the first turn"]


def hint(sitting: Sitting, seat: Seat) -> str:
    private = sitting.seat(seat)
    assert private.view.table.question is not None
    return hint_text(private, private.view.table.question, T)


def test_who_is_not_asked_has_no_hint() -> None:
    for seat in (1, 2):
        assert "Hint" not in hand_screen(three().seat(seat), T, hints=True).content


def test_a_hand_by_dm_has_hints_where_it_has_choices() -> None:
    for sitting, seat, words in QUESTIONS.values():
        private = sitting.seat(seat)
        assert private.view.table.question is not None
        choosing = private.view.table.question.asked in {Asked.PROOF, Asked.LOSS, Asked.EXCHANGE}
        assert (words in dm_screen(private, T, hints=True).content) is choosing
        assert "Hint" not in dm_screen(private, T).content


@pytest.mark.parametrize("code", languages())
def test_every_hint_is_one_line_and_fits(code: str) -> None:
    t = translator(code)
    for sitting, seat, _ in QUESTIONS.values():
        private = sitting.seat(seat)
        assert private.view.table.question is not None
        text = hint_text(private, private.view.table.question, t)
        assert "\n" not in text
        assert "{" not in text
        assert len(text) < 220
    for place, crowd in enumerate(played_out(10, 5, LONG)):
        for seat in crowd.game.awaited() if place % 9 == 0 else ():
            assert within_limits(hand_screen(crowd.seat(seat), t, hints=True))


def test_hints_have_no_words_of_their_own() -> None:
    for place, sitting in enumerate(played_out(3, 11, ("1", "2", "3"))):
        for seat in sitting.game.awaited() if place % 3 == 0 else ():
            assert [text for text in texts(hand_screen(sitting.seat(seat), MARKED, hints=True)) if loose(text)] == []


def test_no_hint_depends_on_cards_that_its_reader_cannot_know() -> None:
    rng = Random(8)
    for seed in range(4):
        for sitting in played_out(4, seed):
            game = sitting.game
            for seat in game.awaited():
                panels = [payload(screen(sitting.seat(seat), T, hints=True)) for screen in (hand_screen, dm_screen)]
                sitting.game = redistributed(game, seat, rng)
                again = [payload(screen(sitting.seat(seat), T, hints=True)) for screen in (hand_screen, dm_screen)]
                sitting.game = game
                assert again == panels
