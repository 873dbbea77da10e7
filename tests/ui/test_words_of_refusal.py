"""Every refusal is worded."""

from __future__ import annotations

import string
from typing import Any

import pytest

from bot.tables.errors import Mistake, Refusal
from bot.ui.refusals import MISTAKES, REASONS, refusal_text
from coup_core.errors import IllegalMove, Reason
from coup_core.moves import parse_move
from tests.ui.positions import Sitting, T, lobby, three


@pytest.mark.parametrize("mistake", list(Mistake))
def test_every_mistake_says_what_is_wrong_and_what_to_do(mistake: Mistake) -> None:
    for table in (None, lobby(), three().table):
        text = refusal_text(Refusal(mistake), table, T)
        assert text.count(".") >= 1
        assert "{" not in text
        assert text[0].isupper()


@pytest.mark.parametrize("reason", list(Reason))
def test_every_reason_says_what_is_wrong_and_what_to_do(reason: Reason) -> None:
    for table in (None, three().table):
        text = refusal_text(Refusal(Mistake.ILLEGAL, reason=reason), table, T)
        assert "{" not in text
        assert text != refusal_text(Refusal(Mistake.ILLEGAL), table, T)


def test_no_sentence_stands_for_two_mistakes() -> None:
    sentences = [*MISTAKES.values(), *REASONS.values()]
    assert len(set(sentences)) == len(sentences) - 1  # being out is one thing, whoever notices it
    assert set(MISTAKES) == set(Mistake)
    assert set(REASONS) == set(Reason)
    assert all(name for text in sentences for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def refused(sitting: Sitting, line: str) -> str:
    name, _, words = line.partition(": ")
    names = sitting.game.names
    with pytest.raises(IllegalMove) as caught:
        sitting.game.play(names.index(name), parse_move(words.split(), names))
    facts: dict[str, Any] = caught.value.facts
    return refusal_text(Refusal(Mistake.ILLEGAL, reason=caught.value.reason, **facts), sitting.table, T)


def test_the_engine_s_facts_reach_the_reader() -> None:
    assert refused(three(), "a: coup b") == "Coup costs 7 coins and you have 2 coins. Choose another action."
    assert refused(three(coins={0: 11}), "a: tax") == (
        "You start your turn with 11 coins, so your only action is Coup. Choose its target."
    )
    assert refused(three().play("a: steal b"), "c: block captain") == (
        "Only **Bob** may block this. You can allow it, or challenge the claim."
    )
    assert refused(three().play("a: steal b"), "b: block duke") == (
        "Steal is blocked as **Captain** or **Ambassador** only. Choose one of these, or allow it."
    )
    assert refused(three().play("a: steal b"), "b: block inquisitor") == (
        "Inquisitor is not in play in this edition. Choose one of the buttons."
    )
    assert refused(three(coins={0: 7}).play("c: resign"), "a: coup c") == (
        "**Cid** is out of the game. Choose another target."
    )
    assert refused(three().play("a: exchange", "b: pass", "c: pass"), "a: keep duke") == (
        "You must keep exactly 2 cards. Choose again."
    )


def test_the_host_is_named() -> None:
    text = refusal_text(Refusal(Mistake.ONLY_HOST, host=100), lobby(), T)
    assert text == "Only the host, **Ana**, may do that. Ask them."
