"""The rules in our own words, a page a topic.

Owns: the pages of the rules. Belongs to no table: its buttons carry `ids.NO_TABLE` and the verb `help` with a topic for
argument; without one it opens the tour (`bot.ui.tour`).
"""

from __future__ import annotations

from bot.i18n import N_, Translator
from bot.ui.ids import NO_TABLE, ButtonId
from bot.ui.screen import Button, Embed, Screen, Style, in_rows

RULE_TOPICS: dict[str, str] = {
    "basics": N_("The game in short"),
    "actions": N_("Actions"),
    "challenges": N_("Challenges"),
    "blocks": N_("Blocks"),
    "losing": N_("Losing and leaving"),
    "fairness": N_("Fair dealing"),
}
"""The titles of the pages, in the order to read them."""
FIRST_TOPIC = "basics"
_PAGES = {
    "basics": N_(
        "Everyone starts with two face-down cards, their influence, and two coins."
        " Each card is one of five characters.\n"
        "On your turn you take one action. Many actions belong to a character: to take one you claim that character,"
        " whether you hold it or not.\n"
        "Others may doubt a claim, and some actions can be blocked. Whoever loses both cards is out."
        " The last player left wins.\n"
        "With two players, whoever starts has one coin instead of two."
    ),
    "actions": N_(
        "**Income**: take 1 coin. Nobody can stop it.\n"
        "**Foreign Aid**: take 2 coins. Anyone may block as Duke.\n"
        "**Coup**: pay 7 coins, the target loses an influence. Nobody can stop it. With 10 coins or more it is your"
        " only action.\n"
        "**Tax** (Duke): take 3 coins.\n"
        "**Steal** (Captain): take 2 coins from a player, or what they have.\n"
        "**Assassinate** (Assassin): pay 3 coins, the target loses an influence.\n"
        "**Exchange** (Ambassador): draw 2 cards from the Court, keep as many as you had, return 2."
    ),
    "challenges": N_(
        "Any other player may challenge a claim, the claim of a block included. The first challenge counts.\n"
        "The player who was challenged either shows the character or concedes.\n"
        "Shown: the challenger loses an influence; the shown card goes back to the Court and is replaced by another.\n"
        "Conceded: the claimant loses an influence, the action fails, and what it cost comes back."
        " Where the claim was a block, the action goes on."
    ),
    "blocks": N_(
        "Foreign Aid: any other player, as Duke.\n"
        "Assassination: the target, as Contessa.\n"
        "Stealing: the target, as Captain or Ambassador.\n"
        "A block is a claim, so it can be challenged and can be a bluff."
        " A blocked action fails and what it cost stays spent.\n"
        "A challenge comes before a block: after a proved claim the target may still block."
    ),
    "losing": N_(
        "Whoever loses an influence chooses which card to turn up; it stays face up for all to see.\n"
        "Both can go in one turn: challenge a true Assassin aimed at you, and the challenge costs one,"
        " the assassination the other.\n"
        "Silence has an answer: a silent turn takes income (with 10 coins, a coup), a silent answer allows,"
        " a challenged claim is shown if it can be.\n"
        "**Leave game**, in your hand's panel, turns up your cards and ends the game for you."
    ),
    "fairness": N_(
        "The shuffle follows from a secret seed and from numbers that the bot cannot choose: the lobby message's and"
        " those of everybody's joins.\n"
        "The lobby shows a commitment, a fingerprint of the seed, before anyone joins. After the game the seed is"
        " published with the record, and `python -m coup_core verify` checks every card.\n"
        "This cannot stop a host of the bot from reading its database or from seating friends:"
        " play with people you trust."
    ),
}


def topic_title(topic: str, t: Translator) -> str:
    """The heading of a page."""
    return t(RULE_TOPICS[topic])


def rules_screen(topic: str, t: Translator) -> Screen:
    """One page of the rules; the first one for a topic that does not exist."""
    page = topic if topic in _PAGES else FIRST_TOPIC
    return Screen(content="", embed=Embed(topic_title(page, t), t(_PAGES[page])), rows=_pages(page, t))


def rules_button(topic: str, label: str, *, current: bool = False) -> Button:
    """Turns to a page of the rules."""
    style = Style.PRIMARY if current else Style.SECONDARY
    return Button(label, ButtonId(NO_TABLE, 0, "help", topic).text, style, disabled=current)


def _pages(current: str, t: Translator) -> tuple[tuple[Button, ...], ...]:
    topics = tuple(rules_button(topic, topic_title(topic, t), current=topic == current) for topic in RULE_TOPICS)
    tour = Button(t("How to play"), ButtonId(NO_TABLE, 0, "help").text)
    return (*in_rows(topics), (tour,))
