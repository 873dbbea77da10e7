"""What must hold in every position (I1-I4).

Owns: the checks, cheap enough to make after every move, in tests and in production. I5 and I6 are about whole games and
stand in the tests.
"""

from collections import Counter

from coup_core.cards import INFLUENCE, full_deck
from coup_core.game import BANK, Game


def violations(game: Game) -> list[str]:
    """One sentence for each invariant that `game` breaks; empty for a sound game. Names no card."""
    found: list[str] = []
    cards = Counter(game.court)
    for pile in (*game.hands, *game.lost, *(game.drawn(seat) for seat in game.living)):
        cards.update(pile)
    if cards != Counter(full_deck(game.ruleset.characters, len(game.names))):
        found.append("I1: hands, face-up cards, Court and cards in transit are not the full deck")
    if sum(game.coins) + game.treasury != BANK + game.minted or min(*game.coins, game.treasury, game.minted) < 0:
        found.append("I2: purses and treasury do not add up to 50 and the minted coins")
    due = game.draw_due
    for seat, hand in enumerate(game.hands):
        # A card that was shown and whose replacement is still due is in the Court.
        missing = due[1] if due is not None and due[0] == seat and game.agenda[-1].asked is None else 0
        if len(hand) + len(game.lost[seat]) + missing != INFLUENCE:
            found.append(f"I3: {game.names[seat]} does not have {INFLUENCE} cards, face down and face up together")
    awaited = game.awaited()
    able = awaited and all(map(game.legal_moves, awaited))
    if game.outcome is None and due is None and not able:
        found.append("I4: nobody has a legal move")
    return found
