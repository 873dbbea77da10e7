"""A table speaks its own language to all, and every person's own to each: whole games among readers of mixed languages.

Played by labels alone, each read in the language that it should be in: a wrong one would be looked for in vain. Then
every word that was sent is judged by the catalogs.
"""

from __future__ import annotations

import pytest

from bot.i18n import languages, translator
from bot.ui.hand import dm_screen, hand_screen
from bot.ui.screen import Screen
from bot.ui.table_message import turn_screen
from tests.support.harness import SimulatedDiscord
from tests.support.languages import foreign
from tests.support.people import Person
from tests.support.seen import Seen, Sent
from tests.support.table import Bot, Players, current, seated
from tests.ui.positions import three

READERS = ("pt-BR", "en-US", "es-ES", "en-GB", "es-419")


def words(seen: Seen) -> list[str]:
    """Everything in a message that can be read, piece by piece."""
    selects = [word for part in seen.selects for word in (part.placeholder, *(line.label for line in part.options))]
    return [*seen.text.splitlines(), *(button.label for button in seen.buttons), *selects]


def misspoken(sent: list[Sent], language: str) -> dict[str, list[str]]:
    """By what was said, the sentences of other languages in it."""
    said = {word for one in sent if one.message is not None for word in words(one.message)}
    assert len(said) > 10, "hardly anything was said: nothing was proved"
    return {word: found for word in sorted(said) if (found := foreign(word, language))}


async def looks_around(person: Person) -> None:
    """Everything that can be asked for without playing."""
    for name in ("coup table", "coup hand", "coup help", "coup preferences"):
        assert (await person.command(name)).private


@pytest.mark.parametrize(("language", "count"), [("es", 4), ("pt-BR", 3), ("en", 5)])
async def test_a_whole_game_at_a_table_of_mixed_readers(
    sim: SimulatedDiscord, bot: Bot, language: str, count: int
) -> None:
    people = await seated(sim, count, language=language, locales=READERS)
    players = Players(sim, people, f"game in {language}", language=language)
    asked = iter(people)

    async def one_looks_around(_seen: Seen) -> None:
        person = next(asked, None)
        if person is not None:
            await looks_around(person)

    assert await players.play(before_each=one_looks_around) > count
    t = translator(language)
    assert current(sim, language) is None
    assert t("Rematch") in sim.channel.last.labels
    assert misspoken(sim.sent_to("public"), str(t.locale)) == {}
    for person in people:
        own = translator(person.locale)
        assert any(sent.in_dm for sent in sim.sent_to(person)), "no hand came by DM"
        assert misspoken(sim.sent_to(person), str(own.locale)) == {}, person.locale


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("other", languages())
def test_a_wrong_language_is_found(language: str, other: str) -> None:
    sitting = three().play("a: foreign-aid")
    t = translator(language)
    for screen in (turn_screen(sitting.table, t), hand_screen(sitting.seat(1), t), dm_screen(sitting.seat(1), t)):
        assert bool(_foreign(screen, other)) is (language != other), screen.content


def _foreign(screen: Screen, language: str) -> list[str]:
    said = [screen.content, *(part.label for row in screen.rows for part in row if hasattr(part, "label"))]
    return [sentence for words in said for sentence in foreign(words, language)]
