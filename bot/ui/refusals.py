"""Why something was refused, and what to do instead: one private sentence or two.

Owns: the words for every `Mistake` and every `Reason`. Says nothing that its reader may not know.
"""

from __future__ import annotations

from typing import Any

from bot.i18n import N_, Translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.table import PublicTable
from bot.ui import words
from bot.ui.move_words import action_name
from coup_core.cards import CHARACTER_OF_WORD, MAX_PLAYERS, MIN_PLAYERS
from coup_core.errors import Reason

MISTAKES: dict[Mistake, str] = {
    Mistake.NO_TABLE: N_("There is no open table here. `/coup new` opens one."),
    Mistake.SEATED_NOWHERE: N_(
        "You sit at no open table. In a channel of a server `/coup new` opens one, or **Join** takes a seat."
    ),
    Mistake.SEVERAL_TABLES: N_("You sit at several tables. Use the command in the channel of the one that you mean."),
    Mistake.TABLE_GONE: N_("This table is over. `/coup new` opens another."),
    Mistake.CHANNEL_TAKEN: N_("A table is open in this channel already. `/coup table` finds it."),
    Mistake.ALREADY_SEATED: N_("You have a seat at this table already. Wait for the host to start."),
    Mistake.NOT_SEATED: N_("You have no seat at this table. You can watch, and join the next game."),
    Mistake.TABLE_FULL: N_("The table is full: {most} players at most. Wait for the next game."),
    Mistake.TOO_FEW_PLAYERS: N_("It takes {least} players to start. Ask somebody to press **Join**."),
    Mistake.LOBBY_NOT_SHOWN: N_("The lobby's message is not in the channel yet. Try again in a moment."),
    Mistake.ONLY_HOST: N_("Only the host, {host}, may do that. Ask them."),
    Mistake.GAME_RUNNING: N_(
        "The game has begun: that was possible in the lobby only. Use the buttons of the newest message."
    ),
    Mistake.NOT_STARTED: N_("The game has not begun yet. Wait for the host to press **Start**."),
    Mistake.UNPLAYABLE: N_(
        "This game cannot go on: its record is damaged. Anyone who plays in it can end it with `/coup end`; after a day"
        " it ends by itself."
    ),
    Mistake.LATE: N_("Too late: that question is closed. Look at the newest buttons of the table."),
    Mistake.CLOCK_ANSWERED: N_(
        "Too late: your time was up, and the clock answered for you. Look at the table's newest buttons."
    ),
    Mistake.CHALLENGED_FIRST: N_(
        "Too late: {target} challenged first, and one challenge counts. See what the table asks next."
    ),
    Mistake.ALREADY_ANSWERED: N_("You have done this already, and it counts once. Wait for the others."),
    Mistake.ANSWER_STANDS: N_("You have answered this question already, and that answer stands. Wait for the others."),
    Mistake.NOT_ASKED: N_("This question is for other players. Wait until you are asked."),
    Mistake.OUT_OF_GAME: N_("You are out of this game. You can watch, and join the next one."),
    Mistake.NOT_ALLOWED: N_(
        "You may not end this table: moderators may, and its host once nobody else plays. Ask one of them."
    ),
    Mistake.SEATS_HELD: N_(
        "Some seats are kept for players of the last game. Wait until they come or the minute is over."
    ),
    Mistake.NO_SUCH_PLAYER: N_("That person has no seat at this table. Choose one of its players."),
    Mistake.SEVERAL_PLAYERS: N_("More than one player could be meant by that. Choose one from the suggestions."),
    Mistake.NOT_YOURSELF: N_("That is for others. To go yourself, use `/coup leave`."),
    Mistake.NOT_IDLE: N_(
        "Not now: {target} is playing. Only somebody who let their last turn pass in silence can be removed."
    ),
    Mistake.PLAYER_OUT: N_("No need: {target} is out of the game already."),
    Mistake.NOT_HERE: N_("Not yet: {target} has not come to the table. Choose somebody who has."),
    Mistake.LEFT_SERVER: N_("Not possible: {target} is not in this server any more. Choose somebody who is."),
    Mistake.NOTHING_TO_EXTEND: N_("No question is open that could get more time. Wait for the next one."),
    Mistake.NOT_PAUSED: N_("The game is not paused. Use the buttons of the newest message."),
    Mistake.ILLEGAL: N_("The rules do not allow that now. Look at the newest buttons of the table."),
    Mistake.MALFORMED: N_("That is not a choice that exists here. Open **My hand** and choose again."),
    Mistake.NO_SERVER: N_("A table needs a channel of a server; use this command there."),
    Mistake.WRONG_CHANNEL: N_(
        "This kind of channel cannot hold a table. Use the command in a text channel or in a thread."
    ),
    Mistake.MISSING_RIGHTS: N_("I lack permissions in this channel: {rights}. Ask a moderator to grant them."),
    Mistake.NO_THREADS: N_(
        "A thread can only be opened in a text channel. Leave that option out, or use the command in another channel."
    ),
    Mistake.THREAD_REFUSED: N_(
        "Discord did not open a thread just now. Try again in a few minutes, or leave that option out."
    ),
    Mistake.NOTHING_TO_REPEAT: N_("No game was played here that could be repeated. `/coup new` opens a table."),
    Mistake.GAME_GOES_ON: N_("This game is not over yet. Wait for its end, then ask for the rematch."),
    Mistake.STILL_SEATED: N_(
        "You sit at a table that is open. `/coup leave` takes you out of it, in a direct message too; after that your"
        " data can be deleted."
    ),
    Mistake.CLOSING: N_("The bot is restarting. Nothing is lost: try again in a minute."),
}
RIGHTS: dict[str, str] = {
    "view_channel": N_("View Channel"),
    "connect": N_("Connect"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_public_threads": N_("Create Public Threads"),
    "embed_links": N_("Embed Links"),
    "attach_files": N_("Attach Files"),
    "read_message_history": N_("Read Message History"),
}
"""Rights by the names that Discord shows."""
REASONS: dict[Reason, str] = {
    Reason.GAME_OVER: N_("The game is over. `/coup new` opens another table."),
    Reason.NO_SUCH_SEAT: N_("Nobody sits there. Choose one of the players at the table."),
    Reason.OUT_OF_GAME: N_("You are out of this game. You can watch, and join the next one."),
    Reason.DRAW_DUE: N_("A card is being drawn. Try again in a moment."),
    Reason.NOT_AWAITED: N_("You are not asked now. Wait until you are."),
    Reason.WRONG_QUESTION: N_("That does not answer what you are asked now. Open **My hand** to see your choices."),
    Reason.MUST_COUP: N_("You start your turn with {coins}, so your only action is Coup. Choose its target."),
    Reason.TOO_FEW_COINS: N_("{action} costs {cost} and you have {coins}. Choose another action."),
    Reason.NO_TARGET: N_("{action} needs a target. Choose a player."),
    Reason.TARGETS_NOBODY: N_("{action} has no target. Take it without one."),
    Reason.TARGET_SELF: N_("You cannot be your own target. Choose another player."),
    Reason.TARGET_OUT: N_("{target} is out of the game. Choose another target."),
    Reason.NOT_CHALLENGEABLE: N_(
        "There is no claim to challenge now. You can allow, or block where a Block button is open."
    ),
    Reason.NOT_BLOCKABLE: N_("That cannot be blocked now. You can allow it, or challenge a claim."),
    Reason.ONLY_TARGET_BLOCKS: N_("Only {target} may block this. You can allow it, or challenge the claim."),
    Reason.WRONG_BLOCKER: N_("{action} is blocked as {characters} only. Choose one of these, or allow it."),
    Reason.NOT_IN_PLAY: N_("{character} is not in play in this edition. Choose one of the buttons."),
    Reason.CARD_NOT_HELD: N_("You do not hold that card. Open **My hand** and choose one of yours."),
    Reason.WRONG_CARD_SHOWN: N_("Only the character that you claimed proves the claim. Show it, or concede."),
    Reason.WRONG_COUNT: N_("You must keep exactly {cards}. Choose again."),
}


def refusal_text(refusal: Refusal, table: PublicTable | None, t: Translator) -> str:
    """What to tell the person whose request was refused."""
    facts = _facts(refusal.facts, table, t)
    if refusal.mistake is Mistake.ILLEGAL and refusal.facts.get("reason") in set(Reason):
        return t(REASONS[Reason(refusal.facts["reason"])], **facts)
    return t(MISTAKES[refusal.mistake], **facts)


def _facts(facts: dict[str, Any], table: PublicTable | None, t: Translator) -> dict[str, object]:
    """Every placeholder of the sentences above, whether or not the refusal came with a fact for it."""
    character = facts.get("character")
    return {
        "most": facts.get("most", MAX_PLAYERS),
        "least": facts.get("least", MIN_PLAYERS),
        "host": _host(table, t),
        "coins": words.coins(facts.get("coins", 0), t),
        "cost": words.coins(facts.get("cost", 0), t),
        "action": action_name(str(facts.get("verb", "")), t),
        "target": _target(facts.get("target"), table, t),
        "characters": words.either(facts.get("blocked_by", ()), t),
        "character": words.character(character, t) if character in CHARACTER_OF_WORD else t("That character"),
        "cards": words.influence(facts.get("count", 0), t),
        "rights": t.list([t(RIGHTS[right]) for right in facts.get("rights", ())]),
    }


def _host(table: PublicTable | None, t: Translator) -> str:
    name = None if table is None else words.host(table)
    return t("whoever opened the table") if name is None else f"**{name}**"


def _target(target: object, table: PublicTable | None, t: Translator) -> str:
    if table is not None and isinstance(target, int) and 0 <= target < len(table.players):
        return f"**{words.names(table)[target]}**"
    return t("the target")
