"""How to play: a tour of five short pages for whoever is new.

Owns: what the pages say and how one turns them. Belongs to no table: its buttons carry `ids.NO_TABLE` and the verb
`tour` with the number of a page. Back and Next stand in their places on every page, disabled where there is no page, so
that nothing else comes under the finger; what stands below them comes with the last page only.
"""

from __future__ import annotations

from bot.i18n import N_, Translator
from bot.ui import words
from bot.ui.help import FIRST_TOPIC, rules_button
from bot.ui.ids import NO_TABLE, ButtonId
from bot.ui.screen import Button, Embed, Screen, Style

_PAGES = (
    (
        N_("What it is about"),
        N_(
            "Coup is a game of bluffing for 2 to 10 players. You start with some coins and two face-down cards, your"
            " influence. Each card is one of five characters.\n"
            "Whoever loses an influence turns up a card for all to see. Whoever has lost both is out."
            " The last player left wins.\n"
            "You may claim any character, whether you hold it or not. The others believe you, or they do not.\n"
            "To begin, `/coup new` opens a lobby. **Join** takes a seat in it, and its host presses **Start**."
        ),
    ),
    (
        N_("Your turn"),
        N_(
            "The newest message of the table calls you when it is your turn, and has a button for each action.\n"
            "**Income** brings 1 coin, **Foreign Aid** 2. **Coup** costs 7 coins and takes an influence from a player;"
            " nobody can stop it. With 10 coins or more it is your only action.\n"
            "The other actions name a character in brackets: by pressing one you claim that character. The buttons are"
            " the same for everyone, whatever they hold.\n"
            "An action that is aimed at a player asks you privately for its target.\n"
            "If you do nothing until your time is over, you take income; with 10 coins or more, it is a coup."
        ),
    ),
    (
        N_("When others act"),
        N_(
            "**Allow** lets an action pass. If you do not answer in time, you allow it.\n"
            "**Challenge** doubts a claim. If the character is shown, the challenger loses an influence, and the shown"
            " card is replaced by another. If it is not, the claimant loses an influence and the action fails.\n"
            "**Block** stops some actions. A block is a claim too: it can be a bluff, and it can be challenged. If it"
            " falls, its player loses an influence and the action goes on.\n"
            "Income and Coup ask nobody: they cannot be challenged or blocked."
        ),
    ),
    (
        N_("Your hand"),
        N_(
            "**My hand** shows your cards, your coins and any choice that waits, to you alone. If the panel has"
            " vanished, `/coup hand` brings it back. Your hand also comes by direct message, unless you do not want"
            " it.\n"
            "**Choose** opens the same panel when you must show, lose or keep a card.\n"
            "**Allow for me**, in the panel, allows what is not aimed at you. **Leave game** asks once more, then ends"
            " the game for you.\n"
            "`/coup table` finds the newest message of the table. `/coup play` makes a move without buttons."
            " `/coup preferences` has your language, hands by direct message, and hints."
        ),
    ),
)
PAGES = len(_PAGES) + 1
"""The last one is the table of characters."""


def tour_screen(page: int, t: Translator) -> Screen:
    """One page, counted from 1; the first for a number that no page has."""
    page = page if 1 <= page <= PAGES else 1
    if page < PAGES:
        title, text = (t(part) for part in _PAGES[page - 1])
    else:
        title, text = t("The characters"), _characters(t)
    turning = (_to(page - 1, t("Back"), Style.SECONDARY), _to(page + 1, t("Next"), Style.PRIMARY))
    return Screen(
        content="",
        embed=Embed(title, text, t("Page {page} of {pages}", page=page, pages=PAGES)),
        rows=(turning, (rules_button(FIRST_TOPIC, t("The rules")),)) if page == PAGES else (turning,),
    )


def page_number(arg: str | None) -> int:
    """The page that a button's argument names; 0 for what names none."""
    return int(arg) if arg is not None and arg.isdecimal() else 0


def _characters(t: Translator) -> str:
    """The table, a line a character: no columns, for a screen reader reads line by line."""
    lines = ((card, told.line) for card, told in words.CHARACTERS.items())
    return "\n".join(
        (
            t("Each line has a name, what whoever claims it may do, and what it blocks."),
            *(f"- {t(line, character=words.bold(card, t))}" for card, line in lines if line),
            t(
                "There are three cards of each; four among 7 or 8 players, five among 9 or 10."
                " Only the target of an action may block it; Foreign Aid may be blocked by anyone else."
            ),
        )
    )


def _to(page: int, label: str, style: Style) -> Button:
    turned = ButtonId(NO_TABLE, 0, "tour", str(page)).text
    return Button(label, turned, style, disabled=not 1 <= page <= PAGES)
