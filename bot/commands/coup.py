"""`/coup`: the group, put together from what players, hosts and readers use.

Owns: where the commands may be used, and their order in the list that Discord shows. The commands themselves are in
the modules beside this one; each callback asks for one thing and answers once.
"""

from __future__ import annotations

from discord import app_commands

from bot.commands.desk import Desk
from bot.commands.hosting import HostingCommands
from bot.commands.lobby import LobbyCommands
from bot.commands.playing import PlayingCommands
from bot.commands.reading import ReadingCommands
from bot.i18n import N_


def coup(desk: Desk) -> app_commands.Group:
    """The group `/coup`. Contexts and installs hold for all of it: Discord ignores them on a single subcommand."""
    group = app_commands.Group(
        name="coup",
        description=N_("The bluffing game of Coup"),
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )
    for part in (LobbyCommands, PlayingCommands, HostingCommands, ReadingCommands):
        for command in part(desk).commands():
            group.add_command(command)
    return group
