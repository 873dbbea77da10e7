"""What a person in the simulated Discord has in front of them, as values that do not change afterwards.

Owns the reading of Discord's message payloads: text, buttons, selects. Knows nothing of simcord and nothing of the bot.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

BUTTON, SELECT, TEXT_DISPLAY = 2, 3, 10
EPHEMERAL = 1 << 6

Audience = Literal["public"] | int
"""Who can read what was sent: everyone in the channel, or the one person with that user id."""

Kind = Literal["post", "patch", "delete", "callback", "webhook", "other"]
"""`post`, `patch` and `delete` are messages by the bot's token; `webhook` is anything by an interaction's token."""


@dataclass(frozen=True)
class Option:
    """One line of a select, or one choice of an autocomplete."""

    label: str
    value: str | int | float
    description: str = ""
    default: bool = False


@dataclass(frozen=True)
class Button:
    label: str
    custom_id: str
    disabled: bool
    style: int
    emoji: str
    message: Seen = field(repr=False, compare=False)


@dataclass(frozen=True)
class Select:
    custom_id: str
    placeholder: str
    options: tuple[Option, ...]
    fewest: int
    most: int
    disabled: bool
    message: Seen = field(repr=False, compare=False)


@dataclass(frozen=True)
class Seen:
    """A message as it stood at one moment."""

    payload: Mapping[str, Any] = field(repr=False)
    audience: Audience
    in_dm: bool
    files: Mapping[str, bytes]

    @property
    def id(self) -> int:
        return int(self.payload["id"])

    @property
    def channel_id(self) -> int:
        return int(self.payload["channel_id"])

    @property
    def author_id(self) -> int:
        return int(self.payload["author"]["id"])

    @property
    def private(self) -> bool:
        return self.audience != "public"

    @property
    def ephemeral(self) -> bool:
        return bool(self.payload["flags"] & EPHEMERAL)

    @property
    def edited(self) -> bool:
        return self.payload["edited_timestamp"] is not None

    @property
    def content(self) -> str:
        return str(self.payload["content"])

    @property
    def embeds(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.payload["embeds"])

    @property
    def text(self) -> str:
        """Every word that can be read in the message, without its buttons."""
        parts: list[str | None] = [self.content]
        for embed in self.embeds:
            parts += [embed.get("author", {}).get("name"), embed.get("title"), embed.get("description")]
            for entry in embed.get("fields", ()):
                parts += [entry["name"], entry["value"]]
            parts.append(embed.get("footer", {}).get("text"))
        parts += [part["content"] for part in _walk(self.payload["components"]) if part["type"] == TEXT_DISPLAY]
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> tuple[Button, ...]:
        return tuple(
            Button(
                part.get("label") or "",
                part.get("custom_id", ""),
                bool(part.get("disabled")),
                part["style"],
                (part.get("emoji") or {}).get("name") or "",
                self,
            )
            for part in _walk(self.payload["components"])
            if part["type"] == BUTTON
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the buttons that can be pressed, in order."""
        return tuple(button.label for button in self.buttons if not button.disabled)

    @property
    def selects(self) -> tuple[Select, ...]:
        return tuple(
            Select(
                part["custom_id"],
                part.get("placeholder") or "",
                tuple(
                    Option(line["label"], line["value"], line.get("description") or "", bool(line.get("default")))
                    for line in part["options"]
                ),
                part.get("min_values", 1),
                part.get("max_values", 1),
                bool(part.get("disabled")),
                self,
            )
            for part in _walk(self.payload["components"])
            if part["type"] == SELECT
        )

    def button(self, label: str) -> Button:
        """The one button with that label, enabled or not."""
        found = [button for button in self.buttons if button.label == label]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} buttons {label!r} among {[button.label for button in self.buttons]}")
        return found[0]


@dataclass(frozen=True)
class Sent:
    """One request of the bot to Discord, and what came of it."""

    kind: Kind
    method: str
    path: str
    body: Any
    """The JSON of the request; of a callback `{"type": ..., "data": ...}`."""
    files: tuple[tuple[str, bytes], ...]
    audience: Audience | None
    """None: nobody reads it (a fetch, the registration of commands)."""
    channel_id: int | None
    in_dm: bool
    interaction_id: int | None
    started: datetime
    ended: datetime
    error: tuple[int, int] | None
    """Status and code, if Discord refused it."""
    repeated: bool
    """Discord recognised the nonce and answered with the message it already had."""
    message: Seen | None
    """The message it made or changed, as it stood right afterwards."""

    @property
    def callback(self) -> int | None:
        """The type of an interaction's answer: 4 message, 6 acknowledged, 7 edited in place, 8 choices."""
        return int(self.body["type"]) if self.kind == "callback" else None

    @property
    def wire(self) -> bytes:
        """What an audience could tell one request from another by: everything but ids of interactions, in order."""
        files = [(name, base64.b64encode(content).decode()) for name, content in self.files]
        return json.dumps([self.kind, self.method, self.channel_id, self.body, files], ensure_ascii=False).encode()


def _walk(components: Any) -> Iterator[Mapping[str, Any]]:
    for part in components:
        yield part
        yield from _walk(part.get("components", ()))
        if "accessory" in part:
            yield from _walk([part["accessory"]])
