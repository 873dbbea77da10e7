"""What a message is made of, before it is Discord's.

Owns: the values that every renderer returns, and Discord's limits on them. Equal input gives equal bytes (`payload`),
so that tests can tell that nothing secret shines through. Knows neither discord.py nor the game.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import Struct

LABEL, CONTENT, DESCRIPTION = 80, 2000, 4096
"""Discord's limits, in UTF-16 units as its clients count."""
BUTTONS = 25
"""A message carries no more."""


class Style(StrEnum):
    """The look of a button."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    SUCCESS = "success"
    DANGER = "danger"


class Button(Struct, frozen=True):
    """A button. `id` is a custom_id."""

    label: str
    id: str
    style: Style = Style.SECONDARY
    disabled: bool = False


class Option(Struct, frozen=True):
    """One line of a select."""

    label: str
    value: str


class Select(Struct, frozen=True):
    """A select menu from which `min` to `max` options are picked."""

    placeholder: str
    id: str
    options: tuple[Option, ...]
    min: int
    max: int


class Embed(Struct, frozen=True):
    """The framed part of a message."""

    title: str
    description: str
    footer: str = ""


Row = tuple[Button, ...] | tuple[Select]


class Screen(Struct, frozen=True):
    """One message."""

    content: str
    embed: Embed | None = None
    rows: tuple[Row, ...] = ()
    ping: int | None = None
    """The one user whom the message may ping."""
    attachment: tuple[str, str] | None = None
    """File name and text."""


def payload(screen: Screen) -> bytes:
    """Everything of `screen` that anybody could see, as bytes to compare."""
    return msgspec.json.encode(screen)


def width(text: str) -> int:
    """The length of `text` in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def shortened(text: str, limit: int) -> str:
    """`text`, or as much of it as fits `limit` UTF-16 units with an ellipsis at its end; nothing where none fits."""
    if width(text) <= limit:
        return text
    if limit < 1:
        return ""
    cut = text[: limit - 1]
    while width(cut) > limit - 1:
        cut = cut[:-1]
    return cut.rstrip() + "…"


def with_story(before: str, story: str, after: str) -> str:
    """The content of a message, a part a paragraph. The story is what is shortened, not what is asked after it.

    Only where there is no room even without a story the end is cut.
    """
    room = CONTENT - width(before) - width(after) - 2
    return shortened("\n".join(part for part in (before, shortened(story, room), after) if part), CONTENT)


def in_rows(buttons: tuple[Button, ...]) -> tuple[tuple[Button, ...], ...]:
    """`buttons` in rows of five."""
    return tuple(buttons[start : start + 5] for start in range(0, len(buttons), 5))
