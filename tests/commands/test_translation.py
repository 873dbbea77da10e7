"""What Discord is told of the commands, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from babel.messages.pofile import read_po

from bot.app import App
from bot.commands.names import COMMANDS, OPTIONS, command_name
from bot.commands.registration import payload, register
from bot.commands.translation import LANGUAGES, CommandTranslator
from bot.i18n import languages, po_file
from bot.i18n.extract import template
from tests.support.fakes import MemoryPeople, MemoryStore, Time

NAME = re.compile(r"[-_\w]{1,32}")
"""As Discord wants names, but for scripts that we do not write."""
MENTION = re.compile(r"/coup ([^\s`.,;:)]+)")
MOST = 8000
"""Characters of a command with all that belongs to it, each text counted in its longest language."""


@pytest.fixture
async def sent() -> dict[str, Any]:
    """The one command as it is registered."""
    tree = App(MemoryStore(), Time(), MemoryPeople()).client.tree
    await tree.set_translator(CommandTranslator())
    (command,) = await payload(tree)
    return command


def parts(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command, its subcommands, their options and those options' choices."""
    yield command
    for part in (*(command.get("options") or ()), *(command.get("choices") or ())):
        yield from parts(part)


def described(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (part for part in parts(command) if "description" in part)


async def test_every_text_is_there_in_every_language(sent: dict[str, Any]) -> None:
    wanted = {locale.value for locale in LANGUAGES}
    for part in parts(sent):
        assert set(part["name_localizations"]) == wanted, part["name"]
        assert "description" not in part or set(part["description_localizations"]) == wanted, part["name"]


def test_every_language_that_is_spoken_has_a_locale_and_no_other_has() -> None:
    assert set(LANGUAGES.values()) == set(languages())


async def test_english_is_english(sent: dict[str, Any]) -> None:
    for part in parts(sent):
        assert {part["name_localizations"][locale] for locale in ("en-US", "en-GB")} == {part["name"]}


async def test_names_are_as_discord_wants_them(sent: dict[str, Any]) -> None:
    for part in described(sent):
        for name in (part["name"], *part["name_localizations"].values()):
            assert NAME.fullmatch(name), name
            assert name == name.lower()


async def test_names_beside_each_other_differ_in_every_language(sent: dict[str, Any]) -> None:
    for part in parts(sent):
        for locale in LANGUAGES:
            for kind in ("options", "choices"):
                names = [other["name_localizations"][locale.value] for other in part.get(kind) or ()]
                assert len(set(names)) == len(names), names


async def test_texts_are_no_longer_than_discord_allows(sent: dict[str, Any]) -> None:
    total = 0
    for part in parts(sent):
        names = [part["name"], *part["name_localizations"].values()]
        texts = [part.get("description", ""), *part.get("description_localizations", {}).values()]
        assert max(map(len, names)) <= (32 if "description" in part else 100)
        assert all(1 <= len(text) <= 100 for text in texts if "description" in part), texts
        total += max(map(len, names)) + max(map(len, texts)) + len(str(part.get("value", "")))
    assert total <= MOST
    assert len(sent["options"]) <= 25


async def test_nothing_is_left_without_its_description(sent: dict[str, Any]) -> None:
    assert [part["name"] for part in described(sent) if part["description"] == "…"] == []


async def test_the_tables_of_names_hold_what_is_registered_and_no_more(sent: dict[str, Any]) -> None:
    commands = sent["options"]
    assert {command["name"] for command in commands} == set(COMMANDS)
    assert {option["name"] for command in commands for option in command["options"]} == set(OPTIONS)
    assert all(set(names) == set(languages()) - {"en"} for names in (*COMMANDS.values(), *OPTIONS.values()))


def test_commands_are_mentioned_by_the_name_that_their_reader_types() -> None:
    for message in template():
        for text in [message.id] if isinstance(message.id, str) else list(message.id):
            assert set(MENTION.findall(text)) <= set(COMMANDS), text
    for code in set(languages()) - {"en"}:
        with po_file(code).open("rb") as source:
            catalog = read_po(source, locale=code)
        for message in catalog:
            if not message.id:
                continue
            original = message.id if isinstance(message.id, str) else message.id[0]
            wanted = {command_name(name, code) for name in MENTION.findall(original)}
            for text in [message.string] if isinstance(message.string, str) else list(message.string or ()):
                assert set(MENTION.findall(text)) == wanted, text


async def test_what_is_registered_is_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    tree = App(store, Time(), MemoryPeople()).client.tree
    tree.client._connection.application_id = 7
    synced: list[list[dict[str, Any]]] = []

    async def sync() -> None:
        synced.append(await payload(tree))

    monkeypatch.setattr(tree, "sync", sync)
    assert await register(tree, store)
    assert not await register(tree, store)
    await tree.set_translator(CommandTranslator())
    assert await register(tree, store), "a translation that changed is registered too"
    assert not await register(tree, store)
    assert len(synced) == 2
