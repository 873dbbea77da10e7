"""What a button carries: `c1:<table>:<window>:<verb>[:<arg>]`.

Owns: the text of custom_ids, both ways. Everybody can read a custom_id, so it names places and seats, never cards; and
nothing in it is trusted but the window it was shown in. Knows nothing of what a verb does.
"""

from __future__ import annotations

import re

from msgspec import Struct

NO_TABLE = "-"
"""Stands for the table in the buttons of screens that belong to none, such as the rules."""

_TEXT = re.compile(
    r"c1:(?P<table>[A-Za-z0-9_-]{1,40}):(?P<window>[0-9]{1,9}):(?P<verb>[a-z-]{1,20})(?::(?P<arg>[a-z0-9,-]{1,20}))?"
)


class ButtonId(Struct, frozen=True):
    """One button: its table, the window it was shown in, and what pressing it asks for."""

    table: str
    window: int
    verb: str
    arg: str | None = None

    @property
    def text(self) -> str:
        """The custom_id."""
        return f"c1:{self.table}:{self.window}:{self.choice}"

    @property
    def choice(self) -> str:
        """Verb and argument as `bot.tables.choices` spells them."""
        return self.verb if self.arg is None else f"{self.verb}:{self.arg}"


def parse(text: str) -> ButtonId | None:
    """The button that has `text` for its custom_id; None for a text that is not ours or of another version."""
    found = _TEXT.fullmatch(text)
    if found is None:
        return None
    return ButtonId(found["table"], int(found["window"]), found["verb"], found["arg"])
