"""Moves: what a player may do, as small values with a text form both ways.

Owns: the words of a game record's moves. Knows nothing of whether a move is legal: `Game` does.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from coup_core.cards import CHARACTER_OF_WORD, Cards, Character

Seat = int
"""A player's place at the table, counted clockwise from 0 in the order of the record's `players:`."""


class Move(Struct, frozen=True, gc=False):
    """One decision of one player: a verb, and what the verb is about."""

    verb: str
    target: Seat | None = None
    cards: Cards = ()

    def words(self, names: Sequence[str]) -> str:
        """This move as the words of a record line; `names` are the seats' names in seat order."""
        parts = [self.verb]
        if self.target is not None:
            parts.append(names[self.target])
        parts.extend(self.cards)
        return " ".join(parts)


class Form(Struct, frozen=True, gc=False):
    """Which words may follow a verb in a record."""

    targets: frozenset[int] = frozenset({0})
    """How many names may follow."""
    cards: frozenset[int] = frozenset({0})
    """How many characters may follow."""


_BARE = Form()
_ONE_TARGET = Form(targets=frozenset({1}))
_ONE_CARD = Form(cards=frozenset({1}))

FORMS: dict[str, Form] = {
    "income": _BARE,
    "foreign-aid": _BARE,
    "tax": _BARE,
    "exchange": _BARE,
    "coup": _ONE_TARGET,
    "assassinate": _ONE_TARGET,
    "steal": _ONE_TARGET,
    "challenge": _BARE,
    "block": _ONE_CARD,
    "pass": _BARE,
    "show": _ONE_CARD,
    "concede": _BARE,
    "lose": _ONE_CARD,
    "keep": Form(cards=frozenset({1, 2})),
    "resign": _BARE,
}

CHALLENGE = Move("challenge")
PASS = Move("pass")
CONCEDE = Move("concede")
RESIGN = Move("resign")


def block(character: Character) -> Move:
    """W2, W4: will block, as `character`."""
    return Move("block", cards=(character,))


def show(character: Character) -> Move:
    """R19: proves a claim."""
    return Move("show", cards=(character,))


def lose(character: Character) -> Move:
    """R21: turns `character` up."""
    return Move("lose", cards=(character,))


def keep(*cards: Character) -> Move:
    """R13: keeps `cards` of an exchange, in this order."""
    return Move("keep", cards=cards)


def parse_move(words: Sequence[str], names: Sequence[str], forms: Mapping[str, Form] = FORMS) -> Move:
    """The move that `words` spell; the inverse of `Move.words`. `forms` are the verbs that are understood.

    Raises ValueError with one clear sentence: an unknown verb, name or card, or words of the wrong number.
    """
    if not words:
        raise ValueError("a move needs a verb")
    verb, *rest = words
    form = forms.get(verb)
    if form is None:
        raise ValueError(f"unknown move {verb!r}")
    target: Seat | None = None
    if 1 in form.targets and rest:
        if rest[0] not in names:
            raise ValueError(f"no player is called {rest[0]!r}")
        target = names.index(rest.pop(0))
    elif 0 not in form.targets:
        raise ValueError(f"{verb!r} needs a target")
    if rest and form.cards == {0}:
        raise ValueError(f"{verb!r} is followed by one word too many: {rest[0]!r}")
    unknown = [word for word in rest if word not in CHARACTER_OF_WORD]
    if unknown:
        raise ValueError(f"no card is called {unknown[0]!r}")
    if len(rest) not in form.cards:
        raise ValueError(f"{verb!r} takes {' or '.join(map(str, sorted(form.cards)))} cards, not {len(rest)}")
    return Move(verb, target, tuple(CHARACTER_OF_WORD[word] for word in rest))
