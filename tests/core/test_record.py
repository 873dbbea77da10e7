"""The record's text: both ways without loss, and every kind of malformed text refused at its line."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coup_core.cards import Character
from coup_core.errors import RecordError
from coup_core.events import CardsDrawn, Conceded, Debt, Drew, InfluenceLost, Shown
from coup_core.headers import Start
from coup_core.lines import NOT_NAMES, AllPass, Check, DrawLine, Line, MoveLine, OtherEdition, Refused
from coup_core.moves import FORMS, PASS, Move, show
from coup_core.record import Record, display_text, format, move_lines, parse, read  # noqa: A004

HEAD = "rules: classic\nplayers: a b c\nhands: a=duke,captain b=contessa,duke c=assassin,assassin\n"
DUKE, CAPTAIN, ASSASSIN = Character.DUKE, Character.CAPTAIN, Character.ASSASSIN


def refused(text: str) -> tuple[int, str]:
    """Line and reason of the error that `text` must be malformed with."""
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value.malformed
    assert "\n" not in str(caught.value)
    assert caught.value.line is not None
    return caught.value.line, caught.value.reason


# --------------------------------------------------------------------------------------------------- what is understood


def test_headers_and_lines() -> None:
    text = (
        "# a comment\n\nrules: classic   # the edition\nplayers:\ta  b c\nhands: b=contessa,duke a=duke,captain c=\n"
        "first: b\nlost: c=duke,duke\ncoins: b=0\nname.b: Ana  María # the display name\nstart: winner\n\n"
        "b: coup a !\n  all: pass\ndraw a duke\n! a: give b 1\n= court duke 2 contessa 1\n"
    )
    record, places = read(text)
    assert record == Record(
        rules="classic",
        names=("a", "b", "c"),
        first=1,
        start=Start.WINNER,
        hands=((DUKE, CAPTAIN), (Character.CONTESSA, DUKE), ()),
        display={1: "Ana  María"},
        coins={1: 0},
        lost={2: (DUKE, DUKE)},
        body=(
            MoveLine(1, Move("coup", 0), clock=True),
            AllPass(),
            DrawLine(0, (DUKE,)),
            Refused(0, ("give", "b", "1")),
            Check("court", cards=(DUKE, Character.CONTESSA), counts=(2, 1)),
        ),
    )
    assert places.headers == {
        "rules": 3,
        "players": 4,
        "hands": 5,
        "first": 6,
        "lost": 7,
        "coins": 8,
        "name.b": 9,
        "start": 10,
    }
    assert places.body == (12, 13, 14, 15, 16)
    assert places.last == 16


def test_the_same_game_in_another_layout_is_equal() -> None:
    plain = HEAD + "a: tax\nall: pass\n"
    assert parse(plain.replace("\n", "\r\n")) == parse(plain)
    assert parse(plain.replace("\n", "   # said\n\n\t\n").replace(": ", ":  ")) == parse(plain)
    assert parse(plain.rstrip("\n")) == parse(plain)


def test_only_newlines_end_lines() -> None:
    record = parse(HEAD + "name.a: one\u2028two\x0bthree\n")
    assert record.display == {0: "one\u2028two\x0bthree"}


def test_who_starts_by_default() -> None:
    assert parse(HEAD).starter == 0
    dead = "rules: classic\nplayers: a b\nhands: a= b=duke\nlost: a=duke,duke b=duke\n"
    assert parse(dead).starter == 1
    assert parse(dead + "first: a\n").starter == 0


def test_names_may_look_like_cards_verbs_and_numbers() -> None:
    text = (
        "rules: classic\nplayers: duke income 7 -\nhands: duke=duke,duke income=captain,captain 7=contessa,contessa "
        "-=assassin,assassin\n\nduke: coup income\n= coins 7 2 - 2\n= hand duke duke duke\n= awaiting income\n"
    )
    assert format(parse(text)) == text


def test_moves_of_other_editions_are_well_formed() -> None:
    said = [
        ("examine", "b"),
        ("convert",),
        ("convert", "b"),
        ("embezzle",),
        ("side", "loyalist"),
        ("show",),
        ("leave",),
    ]
    said += [("choose", "duke"), ("offer", "inquisitor"), ("force",)]
    record = parse(HEAD + "".join(f"a: {' '.join(words)}\n" for words in said))
    assert record.body == tuple(MoveLine(0, OtherEdition(words)) for words in said)
    assert parse(format(record)) == record


def test_lines_of_a_move() -> None:
    names = ("a", "b", "c")
    events = [
        Shown(0, DUKE),
        Drew(0, 1),
        CardsDrawn(0, (CAPTAIN,)),
        InfluenceLost(1, ASSASSIN, Debt.DISPROVED, automatic=True),
        Drew(0, 2),
        CardsDrawn(0, (DUKE, DUKE)),
    ]
    assert move_lines(names, 0, show(DUKE), events) == [
        "a: show duke",
        "draw a captain",
        "b: lose assassin",
        "draw a duke duke",
    ]
    chosen = [Conceded(0, DUKE), InfluenceLost(0, DUKE, Debt.CONCEDED, automatic=False)]
    assert move_lines(names, 2, PASS, chosen, clock=True) == ["c: pass !"]


# ---------------------------------------------------------------------------------------------------------- round trips

names_of_players = st.lists(
    st.from_regex(r"[a-z0-9_-]{1,32}", fullmatch=True).filter(lambda name: name not in NOT_NAMES),
    min_size=2,
    max_size=10,
    unique=True,
)
characters = st.sampled_from(list(Character))
some_cards = st.lists(characters, max_size=3).map(tuple)
texts = st.text(st.characters(exclude_characters="#", exclude_categories=["Cs"])).map(display_text)
words = st.lists(st.from_regex(r"[^# \t\r\n]+", fullmatch=True), min_size=1, max_size=4).map(tuple)


@st.composite
def moves(draw: st.DrawFn, seats: st.SearchStrategy[int]) -> Move:
    verb = draw(st.sampled_from(sorted(FORMS)))
    form = FORMS[verb]
    target = draw(seats) if draw(st.sampled_from(sorted(form.targets))) else None
    count = draw(st.sampled_from(sorted(form.cards)))
    return Move(verb, target, tuple(draw(characters) for _ in range(count)))


def checks(seats: st.SearchStrategy[int]) -> st.SearchStrategy[Check]:
    numbers = st.integers(0, 999)
    pairs = st.lists(st.tuples(seats, numbers), min_size=1, max_size=4)
    copies = st.lists(st.tuples(characters, numbers), min_size=1, max_size=4)

    def split(found: list[tuple[Any, int]]) -> tuple[tuple[Any, ...], tuple[int, ...]]:
        return tuple(what for what, _ in found), tuple(count for _, count in found)

    return st.one_of(
        pairs.map(split).map(lambda both: Check("coins", seats=both[0], counts=both[1])),
        copies.map(split).map(lambda both: Check("court", cards=both[0], counts=both[1])),
        numbers.map(lambda count: Check("court", counts=(count,))),
        st.builds(lambda topic, count: Check(topic, counts=(count,)), st.sampled_from(["treasury", "minted"]), numbers),
        st.builds(
            lambda topic, seat, cards: Check(topic, seats=(seat,), cards=cards),
            st.sampled_from(["hand", "lost"]),
            seats,
            some_cards,
        ),
        st.builds(
            lambda topic, seat, move: Check(topic, seats=(seat,), move=move),
            st.sampled_from(["may", "may-not"]),
            seats,
            moves(seats),
        ),
        st.lists(seats, max_size=3).map(lambda found: Check("awaiting", seats=tuple(found))),
        st.builds(lambda topic, seat: Check(topic, seats=(seat,)), st.sampled_from(["turn", "winner"]), seats),
        st.builds(lambda seat, count: Check("draws-seen", seats=(seat,), counts=(count,)), seats, numbers),
        st.builds(lambda seat: Check("side", seats=(seat,), side="loyalist"), seats),
        st.just(Check("going")),
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    names = tuple(draw(names_of_players))
    seats = st.integers(0, len(names) - 1)
    lines: st.SearchStrategy[Line] = st.one_of(
        st.builds(MoveLine, seats, moves(seats), st.booleans()),
        st.builds(AllPass, st.booleans()),
        st.builds(DrawLine, seats, some_cards.filter(bool)),
        st.builds(Refused, seats, words),
        checks(seats),
    )
    seed = draw(st.none() | st.binary(min_size=32, max_size=32))
    start = draw(st.sampled_from(list(Start)))
    return Record(
        names=names,
        first=draw(st.none() | seats),
        start=start if seed is not None else draw(st.sampled_from([None, start])),
        hands=tuple(draw(some_cards) for _ in names),
        display=draw(st.dictionaries(seats, texts)),
        seed=seed,
        mix=draw(st.none() | st.lists(st.integers(0, 10**20), min_size=1).map(lambda found: ",".join(map(str, found)))),
        commit=draw(st.none() | st.from_regex(r"[0-9a-f]{64}", fullmatch=True)),
        coins=draw(st.dictionaries(seats, st.integers(0, 60))),
        lost=draw(st.dictionaries(seats, some_cards)),
        body=tuple(draw(st.lists(lines, max_size=12))),
    )


@given(records())
def test_what_is_written_is_read_again(record: Record) -> None:
    text = format(record)
    assert parse(text) == record
    assert format(parse(text)) == text


def error_of(text: str) -> RecordError | None:
    try:
        parse(text)
    except RecordError as error:
        return error
    return None


@given(st.text("a:=# \t\r\nincome!\x0b"))
@example("name.a: Ana\r # c")
@example("! a: hello\r\r")
def test_what_is_read_can_be_written(text: str) -> None:
    for whole in (f"{HEAD}name.a: {text}", f"{HEAD}! a: {text}", HEAD + text):
        try:
            record = parse(whole)
        except RecordError:
            continue
        assert parse(format(record)) == record


@given(st.text())
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for whole in (text, HEAD + text):
        if (error := error_of(whole)) is not None:
            assert error.malformed
            assert "\n" not in str(error)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_display_name_can_be_made_to_fit(name: str) -> None:
    record = Record(names=("a", "b"), hands=((), ()), display={0: display_text(name)})
    assert parse(format(record)) == record


@pytest.mark.parametrize("name", ["a # b", "a\nb", " a", "a\r", "a\rb"])
def test_a_display_name_that_does_not_fit_is_not_written(name: str) -> None:
    with pytest.raises(ValueError, match="cannot hold"):
        format(Record(names=("a", "b"), hands=((), ()), display={0: name}))


# ------------------------------------------------------------------------------------------------------- malformed text

SEED = "seed: " + "0" * 64 + "\n"

HEADERS_GONE_WRONG = {
    "empty": ("", 1, "begins with 'rules:'"),
    "comments only": ("# nothing\n", 1, "begins with 'rules:'"),
    "rules not first": ("\nplayers: a b\nrules: classic\n", 2, "begins with 'rules:'"),
    "no rules": ("players: a b\nhands: a=duke,duke b=duke,captain\n", 1, "begins with 'rules:'"),
    "upper case": ("Rules: classic\n", 1, "begins with 'rules:'"),
    "no players": ("rules: classic\nhands: a=duke\n", 2, "'players:' is required"),
    "no hands": ("rules: classic\nplayers: a b\n", 2, "'hands:' is required"),
    "seed without start": (HEAD + SEED, 4, "'start:' is required with 'seed:'"),
    "unknown rules": (HEAD.replace("classic", "klassik"), 1, "klassik"),
    "no base rules": (HEAD.replace("classic", "inquisitor"), 1, ""),
    "empty rules": (HEAD.replace("classic", ""), 1, ""),
    "rules and a vertical tab": (HEAD.replace("classic", "classic\x0b"), 1, r"'classic\x0b'"),
    "rules after a no-break space": (HEAD.replace("classic", "\u00a0classic"), 1, r"'\xa0classic'"),
    "rules twice": (HEAD.replace("classic", "classic classic"), 1, "no module 'classic'"),
    "module twice": (HEAD.replace("classic", "classic duel duel"), 1, "'duel' stands here twice"),
    "modules": (HEAD.replace("classic", "classic duel inquisitor"), 1, "'duel' and 'inquisitor' are not supported yet"),
    "unknown module": (HEAD.replace("classic", "classic anarchy"), 1, "anarchy"),
    "duel": (HEAD.replace("classic", "classic duel"), 1, "not supported yet"),
    "inquisitor": (HEAD.replace("classic", "classic inquisitor"), 1, "not supported yet"),
    "reformation": (HEAD.replace("classic", "classic reformation"), 1, "not supported yet"),
    "twice": (HEAD + "first: a\nfirst: a\n", 5, "a second header"),
    "late": (HEAD + "a: income\nfirst: a\n", 5, "after the first move"),
    "late name": (HEAD + "a: income\nname.a: Ana\n", 5, "after the first move"),
    "unknown header": (HEAD + "date: today\n", 4, "no player is called 'date'"),
    "one player": ("rules: classic\nplayers: a\nhands: a=duke,duke\n", 2, "2 to 10"),
    "no player": ("rules: classic\nplayers:\nhands: a=duke,duke\n", 2, "2 to 10"),
    "eleven": ("rules: classic\nplayers: a b c d e f g h i j k\nhands: a=duke,duke\n", 2, "2 to 10"),
    "same name": ("rules: classic\nplayers: a b a\nhands: a=duke,duke\n", 2, "same name"),
    "first unknown": (HEAD + "first: d\n", 4, "'d'"),
    "first nobody": (HEAD + "first:\n", 4, "''"),
    "start": (HEAD + "start: fair\n", 4, "random or winner"),
    "display of nobody": (HEAD + "name.d: Dora\n", 4, "'d'"),
    "display of none": (HEAD + "name: Dora\n", 4, "name"),
    "hand of nobody": (HEAD.replace("c=", "d="), 3, "'d'"),
    "hand missing": (HEAD.replace("c=assassin,assassin", ""), 3, "the hand of 'c' is missing"),
    "hand twice": (HEAD.replace("c=", "b="), 3, "twice"),
    "hands empty": ("rules: classic\nplayers: a b\nhands:\n", 3, "without content"),
    "hand without =": (HEAD.replace("c=", "c"), 3, "NAME="),
    "unknown card": (HEAD.replace("contessa", "countess"), 3, "'countess'"),
    "empty card": (HEAD.replace("contessa,", "contessa,,"), 3, "''"),
    "blank in a hand": (HEAD.replace("contessa,", "contessa, "), 3, "NAME="),
    "seed short": (HEAD + "start: random\nseed: 00\n", 5, "64 digits"),
    "seed upper case": (HEAD + "start: random\nseed: " + "A" * 64 + "\n", 5, "64 digits"),
    "commit": (HEAD + "commit: " + "g" * 64 + "\n", 4, "64 digits"),
    "mix empty": (HEAD + "mix:\n", 4, "numbers"),
    "mix comma": (HEAD + "mix: 1,,2\n", 4, "numbers"),
    "mix blank": (HEAD + "mix: 1, 2\n", 4, "numbers"),
    "mix leading zero": (HEAD + "mix: 1,02\n", 4, "numbers"),
    "mix not ascii": (HEAD + "mix: ١\n", 4, "numbers"),
    "coins": (HEAD + "coins: a=many\n", 4, "'many' is not a number"),
    "coins negative": (HEAD + "coins: a=-1\n", 4, "not a number"),
    "coins leading zero": (HEAD + "coins: a=01\n", 4, "leading zeros"),
    "coins not ascii": (HEAD + "coins: a=٣\n", 4, "not a number"),
    "coins endless": (HEAD + f"coins: a={'9' * 5000}\n", 4, "a number of 5000 digits is too large: 18 are the most"),
    "coins too many": (HEAD + f"coins: a=1{'0' * 18}\n", 4, "a number of 19 digits is too large"),
    "lost card": (HEAD + "lost: a=king\n", 4, "'king'"),
    "carriage return before a comment": (HEAD + "name.a: Ana\r # c\n", 4, "a carriage return"),
    "carriage return before a blank": (HEAD.replace("classic", "classic\r "), 1, "a carriage return"),
    "carriage return inside a name": (HEAD + "name.a: A\rna\n", 4, "a carriage return"),
    "two carriage returns": (HEAD + "name.a: Ana\r\r\n", 4, "a carriage return"),
    "two carriage returns in all lines": (HEAD.replace("\n", "\r\r\n"), 1, "a carriage return"),
    "carriage returns only": (HEAD.replace("\n", "\r"), 1, "a carriage return"),
    "sides": (HEAD + "sides: a=loyalist b=reformist c=loyalist\n", 4, "reformation"),
    "reserve": (HEAD + "reserve: 3\n", 4, "reformation"),
}


@pytest.mark.parametrize(("text", "line", "reason"), HEADERS_GONE_WRONG.values(), ids=HEADERS_GONE_WRONG)
def test_malformed_headers(text: str, line: int, reason: str) -> None:
    at, why = refused(text)
    assert at == line
    assert reason in why


@pytest.mark.parametrize("name", [*sorted(NOT_NAMES), "Ana", "a.b", "é", "a=b", "a" * 33, "a:"])
def test_what_is_no_name(name: str) -> None:
    at, why = refused(f"rules: classic\nplayers: b {name}\nhands: b=duke,duke {name}=captain,captain\n")
    assert (at, why) == (2, f"{name!r} cannot be a player's name")


BAD_LINES = [
    "income",
    "a income",
    "a :income",
    "a:income",
    "a:",
    "a: !",
    ": income",
    "A: income",
    "d: income",
    "a: Income",
    "a: give b",
    "a: tax b",
    "a: income duke",
    "a: coup",
    "a: coup d",
    "a: coup b c",
    "a: coup all",
    "a: coup duke",
    "a: block",
    "a: block king",
    "a: block duke duke",
    "a: show duke captain",
    "a: lose",
    "a: keep",
    "a: keep duke duke duke",
    "a: pass!",
    "a: pass ! !",
    "a: examine",
    "a: examine d",
    "a: convert b c",
    "a: embezzle b",
    "a: side",
    "a: side north",
    "a: choose",
    "a: offer king",
    "a: leave b",
    "all: income",
    "all:",
    "all: pass pass",
    "draw",
    "draw a",
    "draw d duke",
    "draw a king",
    "draw: a duke",
    "draw a duke !",
    "!",
    "! a",
    "! a:",
    "! A: income",
    "! d: income",
    "! all: pass",
    "! = going",
    "!a: income",
    "=",
    "=going",
    "= fame a 3",
    "= coins",
    "= coins a",
    "= coins d 3",
    "= coins a 03",
    "= coins a -1",
    "= coins a 5 b",
    "= hand",
    "= hand d",
    "= hand a king",
    "= lost",
    "= court",
    "= court many",
    "= court duke",
    "= court king 1",
    "= court duke 1 assassin",
    "= court 9 9 9",
    "= treasury",
    "= treasury 1 2",
    "= treasury 01",
    "= reserve x",
    "= minted",
    "= side a",
    "= side a north",
    "= turn",
    "= turn d",
    "= turn a b",
    "= awaiting d",
    "= may a",
    "= may d income",
    "= may a give b",
    "= may-not a block king",
    "= draws-seen a",
    "= draws-seen a b",
    "= draws-seen a 4 b 4",
    "= winner",
    "= winner d",
    "= going on",
    "= all",
    "# a \n\x0b",
    "! a: hello\r # c",
    "\ufeffa: income",
    "a:\u00a0income",
]


@pytest.mark.parametrize("line", BAD_LINES)
def test_malformed_lines(line: str) -> None:
    at, why = refused(f"{HEAD}\n= going\n{line}\na: king\n")
    assert at == 6 + line.count("\n")
    assert why


@pytest.mark.parametrize("said", ["give b 1", "Income", "coup", "coup d", "!", "pass !", "= going", "draw a duke", "ñ"])
def test_any_words_can_be_refused(said: str) -> None:
    assert parse(f"{HEAD}! a: {said}\n").body == (Refused(0, tuple(said.split())),)


def test_errors_say_the_file() -> None:
    with pytest.raises(RecordError, match=re.escape("some/where.coup:4: no player is called 'd'")):
        parse(HEAD + "d: income\n", "some/where.coup")
