"""The game of Coup: its rules, its text record, and what each seat may know.

Pure: standard library and msgspec only. No clock, no network, no logging, no database.
The numbers that docstrings cite (R18, W2, I1) are those of docs/RULES.md.
"""

from coup_core.cards import Character
from coup_core.dealer import Dealer, FairDealer, RandomDealer, ScriptedDealer
from coup_core.errors import IllegalMove, Reason, RecordError
from coup_core.events import Event, visible
from coup_core.game import Game, Outcome
from coup_core.moves import Move
from coup_core.ruleset import CLASSIC, Ruleset
from coup_core.view import SeatView, TableView, seat_view, table_view

__all__ = [
    "CLASSIC",
    "Character",
    "Dealer",
    "Event",
    "FairDealer",
    "Game",
    "IllegalMove",
    "Move",
    "Outcome",
    "RandomDealer",
    "Reason",
    "RecordError",
    "Ruleset",
    "ScriptedDealer",
    "SeatView",
    "TableView",
    "seat_view",
    "table_view",
    "visible",
]
