"""The commands of those who run a table: `/coup kick`, `transfer`, `extend`, `end`; and `resume`, for its players.

Owns: their names, options and descriptions, what is said after them, and how a player is named in an option. Players
are offered by their seats, not as users of the server: whoever has left that must be found too. Who may use a command
is decided by the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.commands.desk import AnyCommand, Desk, Suggestions, suggestions
from bot.i18n import N_, Translator
from bot.tables.errors import Mistake, Refusal, about
from bot.tables.requests import End, Extend, Kick, Transfer
from bot.tables.table import Player, PublicTable
from bot.ui import words
from bot.ui.deeds import Asker, by, name_of
from bot.ui.hosts import as_host, must_be_there
from bot.ui.names import NAMELESS, clean

_USER_ID = re.compile(r"<@!?([0-9]+)>|([0-9]{15,})")
"""A mention, or the id alone; a name may be a number too, but hardly one so long."""


class HostingCommands:
    """For hosts and moderators."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def commands(self) -> list[AnyCommand]:
        """From the mildest to the last one."""
        transfer = app_commands.Command[Any, ..., Any](
            name="transfer", description=N_("Make another player the host (host, moderators)"), callback=self.transfer
        )
        transfer.autocomplete("player")(self._who_may_host)
        kick = app_commands.Command[Any, ..., Any](
            name="kick",
            description=N_("Remove somebody from the lobby, or a silent player from the game (host, moderators)"),
            callback=self.kick,
        )
        kick.autocomplete("player")(self._who_may_go)
        return [
            app_commands.Command(name="resume", description=N_("Wake a paused game (players)"), callback=self.resume),
            app_commands.Command(
                name="extend",
                description=N_("Give the open question its time once more (host, moderators)"),
                callback=self.extend,
            ),
            transfer,
            kick,
            app_commands.Command(
                name="end",
                description=N_("End this channel's table (moderators; the host, when alone)"),
                callback=self.end,
            ),
        ]

    async def resume(self, interaction: discord.Interaction) -> None:
        """As the button."""
        await self._desk.tell(interaction, self._desk.deeds.resume)

    async def extend(self, interaction: discord.Interaction) -> None:
        """More time for everybody who is asked."""
        await self._desk.tell(interaction, self._extended)

    @app_commands.describe(player=N_("Who becomes the host"))
    async def transfer(self, interaction: discord.Interaction, player: str) -> None:
        """To somebody who sits there."""
        t = await self._desk.readers.words(interaction)
        table, name, user_id = await self._named(interaction, player)
        await must_be_there(self._desk.tables, table, user_id)
        await as_host(self._desk.tables, Transfer(**_ruling(interaction, table.id), player=user_id))
        await self._desk.responses.say(interaction, t("**{name}** is the host now.", name=name))

    @app_commands.describe(player=N_("Who has to go"))
    async def kick(self, interaction: discord.Interaction, player: str) -> None:
        """From the lobby anybody; from the game who is silent."""
        t = await self._desk.readers.words(interaction)
        table, name, user_id = await self._named(interaction, player)
        request = Kick(**_ruling(interaction, table.id), player=user_id, name=name_of(interaction))
        await as_host(self._desk.tables, request)
        await self._desk.responses.say(interaction, t("**{name}** is not at the table any more.", name=name))

    async def end(self, interaction: discord.Interaction) -> None:
        """Whatever state its messages are in."""
        await self._desk.tell(interaction, self._ended)

    # ------------------------------------------------------------------------------------------------ inside

    async def _extended(self, interaction: discord.Interaction, table_id: str, t: Translator) -> str:
        table = await as_host(self._desk.tables, Extend(**_ruling(interaction, table_id)))
        assert table.deadline_at is not None
        closes = words.relative(table.deadline_at)
        return t("The open question has more time: it closes {closes}.", closes=closes)

    async def _ended(self, interaction: discord.Interaction, table_id: str, t: Translator) -> str:
        await self._desk.tables.submit(End(**_ruling(interaction, table_id), name=name_of(interaction)))
        return t("The table has ended.")

    async def _named(self, interaction: discord.Interaction, text: str) -> tuple[PublicTable, str, int]:
        """The table of this channel, and the name and user id of the player who is meant by `text`."""
        table = await self._desk.here(interaction)
        with about(table.id):
            name, user_id = player_meant(table, text)
        return table, name, user_id

    async def _who_may_host(self, interaction: discord.Interaction, typed: str) -> Suggestions:
        return await self._offered(
            interaction, typed, lambda table, player: not player.held and player.user_id != table.host_id
        )

    async def _who_may_go(self, interaction: discord.Interaction, typed: str) -> Suggestions:
        return await self._offered(interaction, typed, lambda _table, player: player.user_id != interaction.user.id)

    async def _offered(
        self, interaction: discord.Interaction, typed: str, fits: Callable[[PublicTable, Player], bool]
    ) -> Suggestions:
        """The players of this channel's table whom the command could be about."""
        try:
            table = await self._desk.here(interaction)
        except Refusal:
            return []
        seats = () if table.view is None else table.view.seats
        out = {state.seat for state in seats if state.out}
        pairs = enumerate(zip(table.players, words.names(table), strict=True))
        there = [(player, name) for seat, (player, name) in pairs if seat not in out]
        found = [(name, str(player.user_id)) for player, name in there if fits(table, player)]
        return suggestions(found, typed)


def player_meant(table: PublicTable, text: str) -> tuple[str, int]:
    """Name and user id of the player meant by `text`: what was suggested, a mention, or a name typed by hand.

    An id means who has it and nobody else: people choose their names, and one may be the id of another. A name is the
    one that is seen at the table; else, in whatever spelling, the one that somebody brought along. Raises Refusal
    NO_SUCH_PLAYER or SEVERAL_PLAYERS.
    """
    called = dict(zip(words.names(table), table.players, strict=True))
    wanted, typed = text.strip(), clean(text).casefold()
    if (by_id := _USER_ID.fullmatch(wanted)) is not None:
        meant = [name for name, player in called.items() if player.user_id == int(by_id[1] or by_id[2])]
    elif wanted in called:
        meant = [wanted]
    elif typed != NAMELESS:
        meant = [name for name, who in called.items() if typed in {clean(name).casefold(), clean(who.name).casefold()}]
    else:
        meant = []
    if not meant:
        raise Refusal(Mistake.NO_SUCH_PLAYER)
    if len(meant) > 1:
        raise Refusal(Mistake.SEVERAL_PLAYERS)
    return meant[0], called[meant[0]].user_id


class _Ruling(Asker):
    """What a request of the host or a moderator says."""

    moderator: bool


def _ruling(interaction: discord.Interaction, table_id: str) -> _Ruling:
    """A moderator is who may manage the channel or the server."""
    rights = interaction.permissions
    return {**by(interaction, table_id), "moderator": rights.manage_channels or rights.manage_guild}
