"""Telling Discord which commands there are, when that has changed.

Owns: the hash of what was registered last, kept in the store. It is taken over exactly what would be sent, translations
and all, so that a new wording is registered too, and a start that changes nothing sends nothing.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discord import app_commands

from bot.tables.ports import Store
from bot.telemetry import logger

log = logger(__name__)

COMMANDS_FACT = "commands"
"""Under which name the hash of the registered commands is remembered."""


async def register(tree: app_commands.CommandTree[Any], store: Store) -> bool:
    """Register the commands if they are not those registered last. Returns whether they were."""
    text = json.dumps([tree.client.application_id, await payload(tree)], sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    if await store.remembered(COMMANDS_FACT) == digest:
        return False
    await tree.sync()
    await store.remember(COMMANDS_FACT, digest)
    log.info("commands registered")
    return True


async def payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What `tree.sync()` sends."""
    translator = tree.translator
    if translator is None:
        return [command.to_dict(tree) for command in tree.get_commands()]
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]
