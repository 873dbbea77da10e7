"""A screen in the terms of discord.py.

Owns: the keyword arguments for sending and for editing. Views are stopped before they are sent, so that the library
never stores them: clicks are found by their id alone. Mentions are always spelled out: an edit without them would allow
all. Must run inside an event loop, as the library's views demand.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

import discord

from bot.ui.screen import Button, Screen, Select, Style

_STYLES = {
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SECONDARY: discord.ButtonStyle.secondary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}


def to_send(screen: Screen) -> dict[str, Any]:
    """For `channel.send` and `interaction.response.send_message`; what the screen lacks is left out."""
    form: dict[str, Any] = {"content": screen.content or None, "allowed_mentions": _mentions(screen)}
    if screen.embed is not None:
        form["embed"] = _embed(screen)
    if screen.rows:
        form["view"] = _view(screen)
    if screen.attachment is not None:
        form["file"] = _file(screen.attachment)
    return form


def to_edit(screen: Screen) -> dict[str, Any]:
    """For `message.edit` and `interaction.response.edit_message`; what the screen lacks is taken off the message."""
    return {
        "content": screen.content or None,
        "embeds": [] if screen.embed is None else [_embed(screen)],
        "view": _view(screen) if screen.rows else None,
        "attachments": [] if screen.attachment is None else [_file(screen.attachment)],
        "allowed_mentions": _mentions(screen),
    }


def _mentions(screen: Screen) -> discord.AllowedMentions:
    users = [discord.Object(screen.ping)] if screen.ping is not None else False
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


def _embed(screen: Screen) -> discord.Embed:
    assert screen.embed is not None
    embed = discord.Embed(title=screen.embed.title or None, description=screen.embed.description)
    if screen.embed.footer:
        embed.set_footer(text=screen.embed.footer)
    return embed


def _view(screen: Screen) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for row, things in enumerate(screen.rows):
        for thing in things:
            view.add_item(_item(thing, row))
    view.stop()
    return view


def _item(thing: Button | Select, row: int) -> discord.ui.Item[discord.ui.View]:
    if isinstance(thing, Button):
        return discord.ui.Button(
            label=thing.label, custom_id=thing.id, style=_STYLES[thing.style], disabled=thing.disabled, row=row
        )
    return discord.ui.Select(
        custom_id=thing.id,
        placeholder=thing.placeholder,
        min_values=thing.min,
        max_values=thing.max,
        options=[discord.SelectOption(label=option.label, value=option.value) for option in thing.options],
        row=row,
    )


def _file(attachment: tuple[str, str]) -> discord.File:
    name, text = attachment
    return discord.File(BytesIO(text.encode()), filename=name)
