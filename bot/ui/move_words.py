"""The words of moves: one row an action, and the labels of answers.

Owns: everything that is said about an action by its name, so that an edition adds its actions here and its characters
in `words.CHARACTERS`. Labels of moves may name the reader's own cards: those are for the reader alone.
"""

from __future__ import annotations

from msgspec import Struct

from bot.i18n import N_, Translator
from bot.tables.table import PrivateSeat
from bot.ui import words
from coup_core.moves import Move


class ActionWords(Struct, frozen=True, kw_only=True):
    """How one action is told. Msgids; what a sentence does not need is empty."""

    name: str
    label: str
    """Of its button: effect and claim, so that nobody needs the rules beside it."""
    claims: str = ""
    """While others may still stop it."""
    claimed: str
    """Afterwards, where something came in between."""
    did: str = ""
    """Declaration and effect in one, where nobody objected; in brackets the coins that the player has now."""
    whom: str = ""
    """Asks for its target."""
    aimed: str = ""
    """Calls the target, who may block it."""
    lost: str = ""
    """The influence that it takes from its target; where empty that is told as any other."""
    alone: str = ""
    """Hint for whoever has no other action."""
    grave: bool = False
    """Whether its button warns by its look."""


ACTIONS: dict[str, ActionWords] = {
    "income": ActionWords(
        name=N_("Income"),
        label=N_("Income +1"),
        claimed=N_("{name} took income."),
        did=N_("{name} took income ({purse})."),
    ),
    "foreign-aid": ActionWords(
        name=N_("Foreign Aid"),
        label=N_("Foreign Aid +2"),
        claims=N_("**{name}** asks for 2 coins of foreign aid."),
        claimed=N_("{name} asked for 2 coins of foreign aid."),
        did=N_("{name} took foreign aid ({purse})."),
    ),
    "coup": ActionWords(
        name=N_("Coup"),
        label=N_("Coup −7"),
        claimed=N_("{name} paid 7 coins for a coup against {target}."),
        whom=N_("A coup costs 7 coins and cannot be stopped. Against whom?"),
        alone=N_("With 10 coins or more, Coup is your only action. Nobody can stop it."),
        grave=True,
    ),
    "tax": ActionWords(
        name=N_("Tax"),
        label=N_("Tax +3 ({character})"),
        claims=N_("**{name}** claims {character} to tax 3 coins."),
        claimed=N_("{name} claimed {character} to tax 3 coins."),
        did=N_("{name} claimed {character} and taxed 3 ({purse})."),
    ),
    "assassinate": ActionWords(
        name=N_("Assassinate"),
        label=N_("Assassinate −3 ({character})"),
        claims=N_("**{name}** claims {character} and pays 3 coins to assassinate **{target}**."),
        claimed=N_("{name} claimed {character} and paid 3 coins to assassinate {target}."),
        whom=N_("You claim {character} and pay 3 coins. Whom do you assassinate?"),
        aimed=N_("{mention}, {actor} wants to assassinate you: answer with the buttons above."),
        lost=N_("{name} was assassinated and lost {character}."),
    ),
    "steal": ActionWords(
        name=N_("Steal"),
        label=N_("Steal 2 ({character})"),
        claims=N_("**{name}** claims {character} to steal up to 2 coins from **{target}**."),
        claimed=N_("{name} claimed {character} to steal up to 2 coins from {target}."),
        did=N_("{name} claimed {character} and stole {coins} from {target} ({purse})."),
        whom=N_("You claim {character}. From whom do you steal up to 2 coins?"),
        aimed=N_("{mention}, {actor} is stealing from you: answer with the buttons above."),
    ),
    "exchange": ActionWords(
        name=N_("Exchange"),
        label=N_("Exchange ({character})"),
        claims=N_("**{name}** claims {character} to exchange cards with the Court."),
        claimed=N_("{name} claimed {character} to exchange cards with the Court."),
        did=N_("{name} claimed {character} and exchanged cards with the Court."),
    ),
}
_BARE = {
    "pass": N_("Allow"),
    "challenge": N_("Challenge"),
    "concede": N_("Concede"),
    "resign": N_("Leave game"),
}
_WITH_CARDS = {
    "block": N_("Block as {cards}"),
    "show": N_("Show the {cards}"),
    "lose": N_("Lose the {cards}"),
    "keep": N_("Keep {cards}"),
}


def action_name(verb: str, t: Translator) -> str:
    """The name of an action; empty for a verb that is none."""
    return t(ACTIONS[verb].name) if verb in ACTIONS else ""


def action_label(verb: str, claim: str | None, t: Translator) -> str:
    """An action with its effect and the character it claims."""
    return t(ACTIONS[verb].label, character="" if claim is None else words.character(claim, t))


def move_label(move: Move, seat: PrivateSeat, t: Translator) -> str:
    """`move` in words, for the player of `seat`."""
    if move.verb in _BARE:
        return t(_BARE[move.verb])
    if move.verb in _WITH_CARDS:
        return t(_WITH_CARDS[move.verb], cards=t.list([words.character(card, t) for card in move.cards]))
    claim = next((offer.claim for offer in seat.view.table.actions if offer.action == move.verb), None)
    label = action_label(move.verb, claim, t)
    if move.target is None:
        return label
    return t("{action}: {target}", action=label, target=words.names(seat.table)[move.target])
