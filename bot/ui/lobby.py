"""The lobby's message: who sits, what will be played, and the commitment of the shuffle.

Owns: its open form and its closed ones. Public.
"""

from __future__ import annotations

from bot.i18n import Translator
from bot.tables.table import Phase, PublicTable
from bot.ui import words
from bot.ui.buttons import button
from bot.ui.names import clean
from bot.ui.screen import DESCRIPTION, Embed, Screen, Style, shortened
from coup_core.cards import MAX_PLAYERS, MIN_PLAYERS


def lobby_screen(table: PublicTable, t: Translator) -> Screen:
    """The lobby as it is: open, started or closed."""
    if table.phase is Phase.LOBBY:
        return _open(table, t)
    if table.mix is None:
        return Screen(content=_closed(table, t))
    lines = [*_seats(table, t), "", *_numbers(table, table.mix, t), _commitment(table, t)]
    content = " ".join(filter(None, (t("The game has begun."), words.starter(table, t))))
    return Screen(content=content, embed=_embed(table, lines, t))


def _open(table: PublicTable, t: Translator) -> Screen:
    speed = t(
        "Speed: {speed}. {turn} for a turn, {answer} for an answer.",
        speed=words.speed(table.speed.name, t),
        turn=words.duration(table.speed.turn, t),
        answer=words.duration(table.speed.answer, t),
    )
    lines = [
        *_seats(table, t),
        "",
        t.n(
            "{count} player of at most {most}.",
            "{count} players of at most {most}.",
            len(table.players),
            most=MAX_PLAYERS,
        ),
        speed,
        t("Language: {language}.", language=t.language(table.language)),
        _commitment(table, t),
    ]
    buttons = (
        button(table, t("Join"), "join", style=Style.SUCCESS),
        button(table, t("Leave"), "leave"),
        button(table, t("Start"), "start", style=Style.PRIMARY),
        button(table, t("Cancel"), "cancel", style=Style.DANGER),
        button(table, t("Help"), "help"),
    )
    return Screen(content=_invitation(table, t), embed=_embed(table, lines, t), rows=(buttons,))


def _invitation(table: PublicTable, t: Translator) -> str:
    """What to press; with seats that are kept, until when. Here, for a timestamp in an embed may stand still."""
    pairs = zip(table.players, words.names(table), strict=True)
    kept = [f"**{name}**" for player, name in pairs if player.held]
    if kept and table.deadline_at is not None:
        until = words.relative(table.deadline_at)
        return t(
            "A rematch is gathering. Seats kept for {names} go free {until}: press **Join** to take yours.",
            names=t.list(kept),
            until=until,
        )
    host = words.host(table)
    if len(table.players) >= MIN_PLAYERS and host is not None:
        return t("A game of Coup is gathering: **Join** takes a seat, {host} presses **Start**.", host=host)
    return t("A game of Coup is gathering: press **Join** to take a seat.")


def _embed(table: PublicTable, lines: list[str], t: Translator) -> Embed:
    title = t("Coup · {edition}", edition=words.edition(table.edition, t))
    return Embed(title, shortened("\n".join(lines), DESCRIPTION))


def _seats(table: PublicTable, t: Translator) -> list[str]:
    lines = []
    for player, name in zip(table.players, words.names(table), strict=True):
        if player.held:
            lines.append(t("· {name}: the seat is kept", name=name))
        elif player.user_id == table.host_id:
            lines.append(t("· **{name}** (host)", name=name))
        else:
            lines.append(t("· **{name}**", name=name))
    return lines


def _numbers(table: PublicTable, mix: str, t: Translator) -> list[str]:
    """The numbers that the shuffle was mixed with, for everybody to compare with what they saw."""
    message, *clicks = mix.split(",")
    names = words.names(table)
    lines = [
        t("The shuffle was mixed with this message's number `{number}` and the numbers of the joins:", number=message)
    ]
    lines += [t("· {name}: `{number}`", name=name, number=click) for name, click in zip(names, clicks, strict=False)]
    return lines


def _commitment(table: PublicTable, t: Translator) -> str:
    return t(
        "Commitment `{commit}`: it fixes the secret seed of the shuffle before anyone joins, so that after the game"
        " everyone can check that the cards were not chosen later.",
        commit=table.commit,
    )


def _closed(table: PublicTable, t: Translator) -> str:
    if table.ended_by:
        name = clean(table.ended_by)
        return t("This lobby was closed by {name} before a game began. `/coup new` opens another.", name=name)
    return t("This lobby was closed before a game began. `/coup new` opens another.")
