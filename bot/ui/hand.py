"""The private panels: a player's hand, the choice of a target, and the question before leaving.

Owns: every screen that shows a `PrivateSeat`; on which ways it may leave the bot is listed in `bot.ui`. Buttons name
cards by their place in the hand.

The panel is redrawn in place, so a second press of a button must not hit something else that commits. Its rows:

1. Refresh, Allow for me (a switch), Leave game (which asks once more)
2. Challenge, alone
3. Allow - or Show and Concede
4. Block as ... - or the select of an exchange, or the actions that are free
5. the cards to lose - or the actions that cost, all of which still ask for a target

A row that has nothing to press holds its place with a disabled button.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bot.i18n import Translator
from bot.tables.choices import encode
from bot.tables.table import Phase, PrivateSeat, PublicTable
from bot.ui import words
from bot.ui.buttons import CHOICES, answer_rows, button, disabled
from bot.ui.hints import hint_text
from bot.ui.ids import ButtonId, parse
from bot.ui.move_words import ACTIONS
from bot.ui.narration import turn_story
from bot.ui.screen import BUTTONS, CONTENT, Button, Option, Row, Screen, Select, Style, in_rows, shortened, with_story
from bot.ui.table_message import table_embed
from coup_core.cards import Character
from coup_core.view import Asked, Question


def hand_screen(seat: PrivateSeat, t: Translator, *, hints: bool = False, notice: str = "") -> Screen:
    """The panel: hand, what it is honestly good for, the pending choice. Who is out sees what everyone sees.

    `hints`: whether a hint stands under what is asked. `notice`: what is told once, at the end.
    """
    last = f"\n{notice}" if notice else ""
    table, view = seat.table, seat.view
    state = view.table.seats[seat.seat]
    running = table.phase is Phase.PLAYING and view.table.winner is None
    if state.out or not running:
        why = t("You are out of this game: you see what everyone sees.") if running else t("This game is over.")
        as_of = t("As of turn {number}.", number=view.table.number)
        rows = ((_refresh(table, t),),) if running else ()
        return Screen("\n".join(filter(None, (why, as_of, last))), table_embed(table, view.table, t), rows)
    lines = [
        *_cards(seat, t, t.n("You have {count} coin.", "You have {count} coins.", state.coins)),
        t("Allow for me is on: what is not aimed at you is allowed for you after a moment.")
        if table.players[seat.seat].auto_allow
        else t("Allow for me is off: you are asked every time."),
        t("As of turn {number}.", number=view.table.number),
    ]
    question = view.table.question
    story = asked = ""
    rows_of_choice: tuple[Row, ...] = ()
    if question is not None and view.moves:
        lines.append("")
        story = turn_story(table, table.story[-1], t) if table.story and question.asked is not Asked.TURN else ""
        asked = _asked_text(seat, question, t, hints=hints)
        rows_of_choice = _choice_rows(seat, question, t)
    first = (_refresh(table, t), _auto_switch(seat, t), button(table, t("Leave game"), "quit"))
    return Screen(
        with_story("\n".join(lines), story, "\n".join(filter(None, (asked, last)))),
        table_embed(table, view.table, t),
        (first, *rows_of_choice),
    )


def dm_screen(seat: PrivateSeat, t: Translator, *, hints: bool = False) -> Screen:
    """The hand as it is sent by DM: what changes with the hand, and the choices that are made with it alone.

    It tells neither turn nor coins, so that it is edited only when there is something new. Without rows it is over.
    """
    table, view = seat.table, seat.view
    where = _where(table, t)
    if view.table.seats[seat.seat].out:
        return Screen("\n".join((where, t("You are out of this game: you see what everyone sees."))))
    if table.phase is not Phase.PLAYING:
        return over_dm_screen(table, t)
    lines = [where, *_cards(seat, t)]
    question = view.table.question
    choosing = question is not None and question.asked in CHOICES and bool(view.moves)
    # Outside a choice its buttons belong to no window: they look the same from turn to turn.
    buttons = table if choosing else replace(table, window=0)
    first = (
        _refresh(buttons, t),
        button(buttons, t("Leave game"), "quit"),
        button(buttons, t("No hands by DM"), "dm-off"),
    )
    if question is None or not choosing:
        return Screen("\n".join(lines), rows=(first,))
    asked = _asked_text(seat, question, t, hints=hints)
    return Screen("\n".join([*lines, "", asked]), rows=(first, *_choice_rows(seat, question, t)))


def over_dm_screen(table: PublicTable, t: Translator) -> Screen:
    """In place of a hand, once the game has ended."""
    return Screen("\n".join((_where(table, t), t("This game is over."))))


def no_dm_screen(t: Translator) -> Screen:
    """In place of a hand, for whoever does not want it by DM."""
    return Screen(t("Your hand is not sent by DM any more. **My hand** at the table and `/coup hand` show it."))


def target_screen(seat: PrivateSeat, action: str, t: Translator) -> Screen:
    """The targets of `action`, with what each has: one more click commits."""
    table, view = seat.table, seat.view.table
    offer = next((offer for offer in view.actions if offer.action == action), None)
    back = (button(table, t("My hand"), "hand"),)
    if offer is None or not offer.targets or view.turn != seat.seat:
        return Screen(t("That is not possible now: look at the newest message of the table."), rows=(back,))
    names = words.names(table)
    targets = tuple(
        button(
            table,
            t(
                "{name}: {coins}, {cards}",
                name=names[target],
                coins=words.coins(view.seats[target].coins, t),
                cards=words.influence(view.seats[target].influence, t),
            ),
            action,
            str(target),
            Style.PRIMARY,
        )
        for target in offer.targets
    )
    claim = "" if offer.claim is None else words.bold(offer.claim, t)
    return Screen(t(ACTIONS[action].whom, character=claim), rows=(*in_rows(targets), back))


def quit_screen(seat: PrivateSeat, t: Translator) -> Screen:
    """Asks once more. Yes stands where the panel has nothing that is pressed twice by mistake."""
    table = seat.table
    stay = button(table, t("Stay"), "hand", style=Style.SUCCESS)
    leave = button(table, t("Leave for good"), "quit-yes", style=Style.DANGER)
    text = t("Leave this game? Your cards are turned up, you are out, and you cannot come back.")
    return Screen(text, rows=((stay,), (leave,)))


def games_screen(tables: Sequence[PublicTable], t: Translator) -> Screen:
    """Which of several games? A button for each opens the reader's hand there."""
    return _choice_of_table(tables, t("You play at several tables. Which hand do you want to see?"), "hand", t)


def leaving_screen(tables: Sequence[PublicTable], t: Translator) -> Screen:
    """Which of several tables do they want to leave?"""
    return _choice_of_table(tables, t("You sit at several tables. Which one do you want to leave?"), "go", t)


def _choice_of_table(tables: Sequence[PublicTable], question: str, verb: str, t: Translator) -> Screen:
    """A button for each table, numbered as in the text."""
    numbered = list(enumerate(tables[:BUTTONS], start=1))
    lines = [_one_of_several(number, table, t) for number, table in numbered]
    buttons = tuple(button(table, t("Table {number}", number=number), verb) for number, table in numbered)
    return Screen(shortened("\n".join([question, *lines]), CONTENT), rows=in_rows(buttons))


def _where(table: PublicTable, t: Translator) -> str:
    return t("Your hand in <#{channel}>", channel=table.channel_id)


def _one_of_several(number: int, table: PublicTable, t: Translator) -> str:
    facts = {"number": number, "channel": table.channel_id, "names": t.list(list(words.names(table)))}
    if table.view is None:
        return t("{number}. <#{channel}>: {names}", **facts)
    return t("{number}. <#{channel}>, turn {turn}: {names}", turn=table.view.number, **facts)


def pending_text(seat: PrivateSeat, question: Question, t: Translator) -> str:
    """What the player is asked now."""
    names = words.names(seat.table)
    match question.asked:
        case Asked.TURN:
            return t("It is your turn: take one action.")
        case Asked.PROOF if question.claim is not None:
            return _proof_text(seat, question, question.claim.character, t)
        case Asked.LOSS:
            return t("Choose the influence that you lose.")
        case Asked.EXCHANGE:
            cards = words.cards(seat.view.drawn, t)
            return t("You drew {cards}. Choose the cards that you keep.", cards=cards)
        case Asked.BLOCK if question.claim is not None:
            facts = {"name": names[question.claim.seat], "character": words.bold(question.claim.character, t)}
            return t("{name} blocks as {character}: allow it or challenge.", **facts)
    return t("Your answer is awaited.")


def _asked_text(seat: PrivateSeat, question: Question, t: Translator, *, hints: bool) -> str:
    asked = pending_text(seat, question, t)
    hint = hint_text(seat, question, t) if hints else ""
    return f"{asked}\n{hint}" if hint else asked


def _proof_text(seat: PrivateSeat, question: Question, character: Character, t: Translator) -> str:
    names = words.names(seat.table)
    challenger = "" if question.challenger is None else names[question.challenger]
    facts = {"name": challenger, "character": words.bold(character, t)}
    if len(seat.view.moves) > 1:
        return t(
            "{name} challenges your {character}. Show it and draw another, or concede and lose an influence.", **facts
        )
    return t("{name} challenges your {character}. You do not hold it: you can only concede.", **facts)


def _cards(seat: PrivateSeat, t: Translator, *more: str) -> list[str]:
    """What they hold, what they have lost, `more`, and what the cards are honestly good for."""
    lost = seat.view.table.seats[seat.seat].lost
    return [
        t("Your cards: {cards}.", cards=words.cards(seat.view.hand, t)),
        *([t("Lost: {cards}.", cards=words.cards(lost, t))] if lost else []),
        *more,
        t("What you may claim honestly:"),
        *(f"- {_use(card, t)}" for card in dict.fromkeys(seat.view.hand)),
    ]


def _refresh(table: PublicTable, t: Translator) -> Button:
    return button(table, t("Refresh"), "hand")


def _use(card: Character, t: Translator) -> str:
    name = words.bold(card, t)
    uses = words.CHARACTERS[card].uses
    return t(uses, character=name) if uses else name


def _choice_rows(seat: PrivateSeat, question: Question, t: Translator) -> tuple[Row, ...]:
    """The rows below the panel's first: the player's own answers, each in its place."""
    first, second, challenge = answer_rows(seat.table, t)
    if question.asked is Asked.TURN:
        return (challenge, (_no_allow(seat, t),), first, second)
    if question.asked is Asked.PROOF and question.claim is not None:
        return (challenge, _proof_row(seat, question.claim.character, t))
    if question.asked is Asked.EXCHANGE:
        return (challenge, (_no_allow(seat, t),), (_exchange_select(seat, t),))
    if question.asked is Asked.LOSS:
        return (challenge, (_no_allow(seat, t),), second, _loss_row(seat, t))
    legal = {encode(move, seat.view) for move in seat.view.moves}
    return tuple(tuple(_if_legal(shown, legal) for shown in row) for row in (challenge, first, second))


def _auto_switch(seat: PrivateSeat, t: Translator) -> Button:
    """Says what pressing it does, and asks for that, so that a second press of the same changes nothing."""
    if seat.table.players[seat.seat].auto_allow:
        return button(seat.table, t("Ask me again"), "auto", "off", Style.SUCCESS)
    return button(seat.table, t("Allow for me"), "auto", "on")


def _if_legal(shown: Button, legal: set[str]) -> Button:
    """`shown`, disabled where this player may not press it."""
    found = parse(shown.id)
    if found is not None and found.choice in legal:
        return shown
    return Button(shown.label, shown.id, disabled=True)


def _no_allow(seat: PrivateSeat, t: Translator) -> Button:
    return disabled(seat.table, t("Allow"), "pass")


def _proof_row(seat: PrivateSeat, character: Character, t: Translator) -> tuple[Button, ...]:
    label = t("Show the {character}", character=words.character(character, t))
    if len(seat.view.moves) > 1:
        show = button(seat.table, label, "show", style=Style.SUCCESS)
    else:
        show = disabled(seat.table, label, "show")
    return (show, button(seat.table, t("Concede"), "concede", style=Style.DANGER))


def _loss_row(seat: PrivateSeat, t: Translator) -> tuple[Button, ...]:
    labels = [t("Lose the {character}", character=words.character(card, t)) for card in seat.view.hand]
    return tuple(button(seat.table, label, "lose", str(place), Style.DANGER) for place, label in enumerate(labels))


def _exchange_select(seat: PrivateSeat, t: Translator) -> Select:
    """Hand and drawn cards by place: two equal cards are two options."""
    view = seat.view
    count = len(view.hand)
    held = [t("{character}, from your hand", character=words.character(card, t)) for card in view.hand]
    drawn = [t("{character}, drawn", character=words.character(card, t)) for card in view.drawn]
    return Select(
        placeholder=t.n("Keep {count} card", "Keep {count} cards", count),
        id=ButtonId(seat.table.id, seat.table.window, "keep").text,
        options=tuple(Option(label, str(place)) for place, label in enumerate(held + drawn)),
        min=count,
        max=count,
    )
