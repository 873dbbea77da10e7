"""Texts that must fit into a message."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.ui.screen import CONTENT, shortened, width, with_story

TEXTS = st.text(alphabet="ab \n\u00e9\U0001f600", max_size=12)


@given(TEXTS, st.integers(-3, 30))
def test_a_shortened_text_fits_whatever_the_limit(text: str, limit: int) -> None:
    short = shortened(text, limit)
    assert width(short) <= max(limit, 0)
    if short != text:
        assert width(text) > limit
        assert text.startswith(short.removesuffix("…"))
        assert short.endswith("…") == (limit > 0)


@given(before=st.integers(0, 1100), story=st.integers(0, 2500), after=st.integers(0, 1100))
def test_a_message_with_a_story_fits_and_the_story_gives_way(before: int, story: int, after: int) -> None:
    content = with_story("b" * before, "s" * story, "a" * after)
    assert width(content) <= CONTENT
    if before + after + 1 <= CONTENT:
        assert content.startswith("b" * before)
        assert content.endswith("a" * after)
    if before + story + after + 2 <= CONTENT:
        assert content.count("s") == story
