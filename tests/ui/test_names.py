"""Names that strangers chose."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.names import LONGEST, clean, graphemes, told_apart

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana \n  Maria\t", "Ana Maria"),
        ("**Bob**", "Bob"),
        ("__x__ ~~y~~ ||z|| `c`", "x y z c"),
        ("bob_the_builder", "bob_the_builder"),
        ("_bob_", "bob"),
        ("@everyone", "everyone"),
        ("<@!123> Bob", "Bob"),
        ("<@&1><#2>Bob", "Bob"),
        ("<t:1893499200:R> Bob", "Bob"),
        ("<:smile:123> Bob", "smile Bob"),
        ("[free](https://evil.example)", "free(evil.example)"),
        ("http:\u200b//evil.example", "evil.example"),
        ("\u202eevil\u202c", "evil"),
        ("a\u200bb\u200dc\ufeff", "abc"),
        ("Z\u0310\u0321\u0322\u0323\u0324algo", "\u1e92\u0321\u0322algo"),
        ("e\u0301", "é"),
        ("", "?"),
        ("\u200b\u3164\u2800", "?"),
        ("***", "?"),
        ("...", "?"),
        ("José", "José"),
        ("Ωμέγα", "Ωμέγα"),
        ("אבג", "אבג"),
        ("- Bob", "Bob"),
        ("-# Bob", "Bob"),
        ("- 1. Bob", "1 Bob"),
        ("Jean-Luc 2.0", "Jean-Luc 2.0"),
        ("名前", "名前"),
        (f"{FAMILY} Ana", f"{FAMILY} Ana"),
    ],
)
def test_a_name_is_cleaned(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@pytest.mark.parametrize("piece", ["\U0001f600", "\U0001f1ea\U0001f1f8", "\U0001f44d\U0001f3fd", "x"])
def test_a_name_has_at_most_24_graphemes(piece: str) -> None:
    assert graphemes(clean(piece * 32)) == [piece] * LONGEST


def test_a_name_of_long_emoji_is_cut_between_emoji() -> None:
    assert set(graphemes(clean(FAMILY * 32))) == {FAMILY}


def test_players_of_one_name_are_told_apart() -> None:
    assert told_apart(["Ana", "ana", "**Ana**", "Ana 2", "", "\u200b"]) == (
        *("Ana", "ana 2", "Ana 3", "Ana 2 2", "?", "? 2"),
    )
    long = told_apart(["x" * 24, "x" * 30])
    assert long == ("x" * 24, "x" * 22 + " 2")


def test_a_name_from_right_to_left_does_not_reorder_its_sentence() -> None:
    assert told_apart(["אבג", "Bob", "אבג"]) == ("\u2068אבג\u2069", "Bob", "\u2068אבג 2\u2069")


@given(st.text(max_size=60))
def test_any_name_becomes_harmless_and_stays_so(raw: str) -> None:
    name = clean(raw)
    assert name
    assert clean(name) == name
    assert len(graphemes(name)) <= LONGEST
    assert not set(name) & set("*~`|\\<>[]#@\n\r")
    assert "://" not in name
    assert all(letter == "\u200d" or unicodedata.category(letter)[0] != "C" for letter in name)


@given(st.lists(st.text(alphabet="aAb *2\u200b", max_size=26), min_size=2, max_size=10))
def test_no_two_players_are_called_the_same(raw: list[str]) -> None:
    names = told_apart(raw)
    assert len({name.casefold() for name in names}) == len(raw)
    assert all(len(graphemes(name)) <= LONGEST for name in names)
