"""`/coup`: the group and its subcommands.

Owns: names, options and descriptions of the commands. Every callback asks the tables and answers once; whatever it
raises is answered by the tree's error handler. Contains no rule of Coup.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.context import CommandContext
from bot.i18n import N_, Translator, translator
from bot.tables.errors import Mistake, Refusal
from bot.tables.requests import Cancel, End, Leave, OpenLobby, Play, Start
from bot.tables.table import SPEEDS, Phase, PublicTable
from bot.ui.hand import games_screen, hand_screen, quit_screen
from bot.ui.help import FIRST_TOPIC, RULE_TOPICS, help_screen, rules_screen
from bot.ui.move_words import move_label
from bot.ui.names import clean
from bot.ui.router import join_request, joined_text
from bot.ui.words import SPEED_NAMES

MAX_CHOICES = 25
"""Discord shows no more suggestions than this."""

MAX_DIGITS = 9
"""A window number has no more; people may type anything into an option."""

_SPEEDS = [app_commands.Choice(name=SPEED_NAMES[name], value=name) for name in SPEEDS]
_TOPICS = [app_commands.Choice(name=title, value=topic) for topic, title in RULE_TOPICS.items()]


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class Coup(app_commands.Group):
    """The group `/coup`."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(name="coup", description=N_("The bluffing game of Coup"))
        self._context = context

    @app_commands.command(name="new", description=N_("Open a lobby in this channel"))
    @app_commands.describe(speed=N_("How long people have for a turn: 30 s, 90 s, 5 minutes or a day"))
    @app_commands.choices(speed=_SPEEDS)
    async def new(self, interaction: discord.Interaction, speed: str = "normal") -> None:
        """A lobby, with its opener as host."""
        t = translator(str(interaction.locale))
        if not await self._context.may_play_here(interaction, t):
            return
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        table = await self._context.tables.open_lobby(
            OpenLobby(
                request=str(interaction.id),
                guild_id=interaction.guild_id,
                channel_id=interaction.channel_id,
                user_id=interaction.user.id,
                name=clean(interaction.user.display_name),
                click=interaction.id,
                language="en",
                speed=speed,
            )
        )
        await self._context.answers.say(interaction, joined_text(table, interaction.id, t))

    @app_commands.command(name="join", description=N_("Take a seat in this channel's lobby"))
    async def join(self, interaction: discord.Interaction) -> None:
        """As the button."""
        table = await self._here(interaction)
        table = await self._context.tables.submit(join_request(interaction, table.id))
        t = translator(str(interaction.locale))
        await self._context.answers.say(interaction, joined_text(table, interaction.id, t))

    @app_commands.command(name="leave", description=N_("Leave the lobby, or the game"))
    async def leave(self, interaction: discord.Interaction) -> None:
        """In the lobby at once; in a running game it asks first."""
        t = translator(str(interaction.locale))
        table = await self._here(interaction)
        if table.phase is Phase.PLAYING:
            seat = await self._context.tables.private(table.id, interaction.user.id, alive=True)
            await self._context.answers.show(interaction, quit_screen(seat, t))
            return
        request = Leave(request=str(interaction.id), table_id=table.id, user_id=interaction.user.id)
        await self._context.tables.submit(request)
        await self._context.answers.say(interaction, t("You have left the lobby."))

    @app_commands.command(name="start", description=N_("Start the game (host)"))
    async def start(self, interaction: discord.Interaction) -> None:
        """As the button."""
        table = await self._here(interaction)
        request = Start(request=str(interaction.id), table_id=table.id, user_id=interaction.user.id)
        await self._context.tables.submit(request)
        t = translator(str(interaction.locale))
        await self._context.answers.say(interaction, t("The cards are dealt. Press My hand below to see yours."))

    @app_commands.command(name="cancel", description=N_("Close the lobby (host)"))
    async def cancel(self, interaction: discord.Interaction) -> None:
        """As the button."""
        table = await self._here(interaction)
        request = Cancel(request=str(interaction.id), table_id=table.id, user_id=interaction.user.id)
        await self._context.tables.submit(request)
        t = translator(str(interaction.locale))
        await self._context.answers.say(interaction, t("The lobby is closed."))

    @app_commands.command(name="hand", description=N_("Your cards, coins and choices; only you see them"))
    async def hand(self, interaction: discord.Interaction) -> None:
        """Of this channel's game; in a DM, of all of yours."""
        t = translator(str(interaction.locale))
        tables = self._context.tables
        if interaction.guild_id is not None:
            table = await self._here(interaction)
            seat = await tables.private(table.id, interaction.user.id)
            await self._context.answers.show(interaction, hand_screen(seat, t))
            return
        mine = [table for table in await tables.of_player(interaction.user.id) if table.phase is Phase.PLAYING]
        if not mine:
            raise Refusal(Mistake.NO_TABLE)
        if len(mine) == 1:
            screen = hand_screen(await tables.private(mine[0].id, interaction.user.id), t)
        else:
            screen = games_screen(mine, t)
        await self._context.answers.show(interaction, screen)

    @app_commands.command(name="table", description=N_("Find the current message of this channel's table"))
    async def table(self, interaction: discord.Interaction) -> None:
        """A link; a message that was deleted is posted again."""
        t = translator(str(interaction.locale))
        table = await self._here(interaction)
        self._context.announcer.repair(table.id)
        shown = [post for post in table.posts if post.kind in ("lobby", "turn") and post.message_id is not None]
        if not shown or shown[-1].settled:
            await self._context.answers.say(interaction, t("The table is being posted again."))
            return
        link = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{shown[-1].message_id}"
        text = t("The table is here: {link}. If that message was deleted, it is posted again now.", link=link)
        await self._context.answers.say(interaction, text)

    @app_commands.command(name="play", description=N_("Make any move of yours by command"))
    @app_commands.describe(move=N_("One of your legal moves"))
    async def play(self, interaction: discord.Interaction, move: str) -> None:
        """Answered in private; the channel shows what everyone may know."""
        t = translator(str(interaction.locale))
        tables = self._context.tables
        table = await self._here(interaction)
        window, _, choice = move.partition("|")
        if not window.isascii() or not window.isdigit() or len(window) > MAX_DIGITS or not choice:
            raise Refusal(Mistake.MALFORMED)
        await tables.submit(
            Play(
                request=str(interaction.id),
                table_id=table.id,
                user_id=interaction.user.id,
                window=int(window),
                choice=choice,
            )
        )
        seat = await tables.private(table.id, interaction.user.id)
        await self._context.answers.show(interaction, hand_screen(seat, t))

    @play.autocomplete("move")
    async def _moves(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The caller's legal moves, in words."""
        t = translator(str(interaction.locale))
        try:
            table = await self._here(interaction)
            seat = await self._context.tables.private(table.id, interaction.user.id)
        except Refusal:
            return []
        labels = [(move_label(move, seat, t)[:100], choice) for move, choice in self._context.choices(seat)]
        found = [
            app_commands.Choice(name=label, value=f"{seat.table.window}|{choice}")
            for label, choice in labels
            if current.casefold() in label.casefold()
        ]
        return found[:MAX_CHOICES]

    @app_commands.command(name="end", description=N_("End this channel's table (moderators; the host, when alone)"))
    async def end(self, interaction: discord.Interaction) -> None:
        """Whatever state its messages are in."""
        t = translator(str(interaction.locale))
        table = await self._here(interaction)
        rights = interaction.permissions
        request = End(
            request=str(interaction.id),
            table_id=table.id,
            user_id=interaction.user.id,
            name=clean(interaction.user.display_name),
            moderator=rights.manage_channels or rights.manage_guild,
        )
        await self._context.tables.submit(request)
        await self._context.answers.say(interaction, t("The table has ended."))

    @app_commands.command(name="rules", description=N_("The rules of the game, a page a topic"))
    @app_commands.describe(topic=N_("What to read about"))
    @app_commands.choices(topic=_TOPICS)
    async def rules(self, interaction: discord.Interaction, topic: str = FIRST_TOPIC) -> None:
        """Private, in the reader's language."""
        t: Translator = translator(str(interaction.locale))
        await self._context.answers.show(interaction, rules_screen(topic, t))

    @app_commands.command(name="help", description=N_("How to play here, and the commands"))
    async def help(self, interaction: discord.Interaction) -> None:
        """Private, in the reader's language."""
        await self._context.answers.show(interaction, help_screen(translator(str(interaction.locale))))

    async def _here(self, interaction: discord.Interaction) -> PublicTable:
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refusal(Mistake.NO_TABLE)
        return await self._context.tables.in_channel(interaction.channel_id)
