"""Which records hold: draws where they are due, automatic losses written or not, checks that look closely."""

import pytest
from msgspec.structs import replace

from coup_core.errors import RecordError
from coup_core.record import parse, read
from coup_core.replay import check

HEAD = "rules: classic\nplayers: a b c\nhands: a=duke,captain b=contessa,duke c=assassin,assassin\n"
WEAK = "rules: classic\nplayers: a b c\nhands: a=ambassador,captain b=contessa c=assassin,assassin\nlost: b=duke\n"


def fails(text: str) -> tuple[int, str]:
    """Line and reason with which the well-formed record `text` does not hold."""
    with pytest.raises(RecordError) as caught:
        check(*read(text))
    assert not caught.value.malformed
    assert "\n" not in str(caught.value)
    assert caught.value.line is not None
    return caught.value.line, caught.value.reason


def holds(text: str) -> None:
    check(*read(text))


def test_a_record_may_stop_anywhere_but_before_a_due_draw() -> None:
    holds(HEAD)
    holds(HEAD + "a: tax\n")
    holds(HEAD + "a: exchange\nb: pass\n")
    at, why = fails(HEAD + "a: exchange\nall: pass\n= awaiting\n# no draw\n")
    assert at == 6
    assert "draw of 2 for a" in why


def test_nothing_happens_while_a_draw_is_due() -> None:
    due = HEAD + "a: tax\nb: challenge\na: show duke\n"
    holds(due + "= awaiting\n= court 10\n= hand a captain\n! c: resign\n! b: lose duke\ndraw a duke\n= awaiting b\n")
    for said in ("b: lose duke", "c: resign", "a: resign", "all: pass", "b: pass"):
        assert fails(f"{due}{said}\ndraw a duke\n")[0] == 7


def test_a_draw_is_exactly_the_one_due() -> None:
    due = HEAD + "a: exchange\nall: pass\n"
    holds(due + "draw a duke contessa\n")
    assert "draw of 2 for a" in fails(due + "draw a duke\n")[1]
    assert "draw of 2 for a" in fails(due + "draw b duke contessa\n")[1]
    assert fails(due + "draw a assassin assassin\n")[0] == 6
    assert fails(due + "draw a inquisitor duke\n")[0] == 6
    assert "no draw is due" in fails(HEAD + "draw a duke\n")[1]
    assert "no draw is due" in fails(due + "draw a duke contessa\ndraw a duke contessa\n")[1]


CHALLENGED_BY_THE_WEAK = WEAK + "a: exchange\nb: challenge\na: show ambassador\ndraw a assassin\n"


@pytest.mark.parametrize(
    "between",
    [
        "",
        "b: lose contessa\n",
        "b: lose contessa !\n",
        "= awaiting\n= hand b\n! b: lose contessa\nb: lose contessa\n= awaiting\n",
    ],
)
def test_an_automatic_loss_may_be_written_or_not(between: str) -> None:
    holds(CHALLENGED_BY_THE_WEAK + between + "draw a duke contessa\n= awaiting a\na: keep captain assassin\n= turn c\n")


@pytest.mark.parametrize(
    ("after", "line"),
    [
        ("draw a duke contessa\nb: lose contessa\n", 10),
        ("b: lose contessa\nb: lose contessa\n", 10),
        ("b: lose duke\n", 9),
        ("c: lose contessa\n", 9),
        ("= may b lose contessa\n", 9),
    ],
)
def test_an_automatic_loss_is_written_once_at_once_and_right(after: str, line: int) -> None:
    assert fails(CHALLENGED_BY_THE_WEAK + after)[0] == line


def test_a_loss_with_a_choice_must_be_written() -> None:
    assert fails(HEAD + "a: tax\nb: challenge\na: concede\nb: income\n")[0] == 7


def test_a_refusal_that_is_none() -> None:
    at, why = fails(HEAD + "! b: income\n! a: tax\n")
    assert at == 5
    assert "a: tax" in why
    assert fails(HEAD + "! a: tax !\n")[0] == 4
    holds(HEAD + "! a: tax b\n! a: hello\n! a: keep king\n! a: side loyalist\n! a: embezzle\n! a: show\n")


def test_a_refusal_plays_nothing() -> None:
    with pytest.raises(RecordError):
        check(*read(HEAD + "! a: tax\n"))
    holds(HEAD + "! b: tax\n= turn a\n= awaiting a\n")


@pytest.mark.parametrize(
    "said",
    [
        "a: block inquisitor",
        "a: examine b",
        "a: convert",
        "a: side loyalist",
        "a: show",
        "a: pass",
        "b: income",
        "a: coup b",
        "a: steal a",
        "a: keep duke captain",
        "all: pass",
        "= may a examine b",
        "= may b income",
        "= may-not a income",
        "= may-not a resign",
        "= side a loyalist",
        "= reserve 1",
        "= coins a 2 b 3",
        "= hand a duke",
        "= hand a duke duke captain",
        "= hand a",
        "= lost a duke",
        "= court 8",
        "= court duke 2",
        "= court inquisitor 1",
        "= treasury 45",
        "= minted 1",
        "= turn b",
        "= awaiting",
        "= awaiting a b",
        "= draws-seen a 2",
        "= winner a",
    ],
)
def test_what_does_not_hold_at_the_start(said: str) -> None:
    assert fails(f"{HEAD}{said}\n")[0] == 4


def test_what_holds_at_the_start() -> None:
    holds(
        HEAD + "= may a resign\n= may c resign\n= may-not b tax\n= may-not a examine b\n= reserve 0\n= draws-seen a 0\n"
        "= court inquisitor 0 duke 1 ambassador 3\n= hand c assassin assassin\n= lost a\n= going\n"
        "= coins a 2 b 2 c 2\n= treasury 44\n= minted 0\n= awaiting a\n= turn a\n"
    )


def test_keep_is_legal_in_any_order() -> None:
    due = HEAD + "a: exchange\nall: pass\ndraw a duke contessa\n"
    for said in ("duke contessa", "contessa duke", "duke duke", "captain duke"):
        holds(f"{due}= may a keep {said}\na: keep {said}\n= hand a {said}\n= court 9\n")


def test_all_pass_is_for_one_window_only() -> None:
    base = HEAD + "a: steal b\nb: block captain\nall: pass\n"
    holds(base + "= awaiting a c\nall: pass\n= coins a 2 b 2\n= turn b\n")
    assert fails(base + "all: pass\nall: pass\n")[0] == 8
    assert fails(HEAD + "a: tax\nb: challenge\nall: pass\n")[0] == 6


def test_after_the_end() -> None:
    over = HEAD + "b: resign\nc: resign\n"
    holds(over + "= winner a\n= awaiting\n! a: income\n! a: resign\n! b: resign\n= may-not a resign\n")
    assert fails(over + "= turn a\n")[0] == 6
    assert fails(over + "= winner b\n")[0] == 6
    assert fails(over + "= going\n")[0] == 6
    assert fails(over + "a: income\n")[0] == 6


@pytest.mark.parametrize(
    "headers",
    [
        "hands: a=duke,duke b=duke,duke",  # four of three Dukes
        "hands: a=duke b=captain,captain",
        "hands: a=duke,duke,captain b=captain,captain",
        "hands: a=inquisitor,duke b=captain,captain",
        "hands: a=duke b=captain,captain\nlost: a=duke,duke",
        "hands: a=duke b=captain,captain\nlost: a=inquisitor",
        "hands: a= b=captain,captain\nlost: a=duke,duke\nfirst: a",
        "hands: a= b=captain,captain\nlost: a=duke,duke\ncoins: a=3",
        "hands: a= b=\nlost: a=duke,duke b=captain,captain",
    ],
)
def test_an_impossible_start_does_not_hold(headers: str) -> None:
    fails(f"rules: classic\nplayers: a b\n{headers}\n")


def test_a_record_that_cannot_be_written_is_malformed() -> None:
    with pytest.raises(RecordError, match="cannot hold the display name") as caught:
        check(replace(parse(HEAD), display={0: "Ana # María"}))
    assert caught.value.malformed


def test_without_a_file_lines_are_those_of_the_written_form() -> None:
    with pytest.raises(RecordError, match=r"^record:5: "):
        check(parse(HEAD + "\n\n\n# far below\n= turn b\n"))
