"""A move in words, for choosing it by command instead of by button.

Owns: the labels of `/coup play`'s suggestions. They may name the reader's own cards, so they are for the reader alone.
"""

from __future__ import annotations

from bot.i18n import N_, Translator
from bot.tables.table import PrivateSeat
from bot.ui import words
from bot.ui.buttons import action_label
from coup_core.moves import Move

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
