"""Short ways into the middle of a game, for the tests of what goes wrong there."""

from __future__ import annotations

from collections.abc import Sequence

from bot.tables.table import PublicTable
from bot.ui import words
from coup_core.view import Question, SeatView, TableView
from tests.support.harness import Channel, SimulatedDiscord
from tests.support.people import Person
from tests.support.seen import Button, Seen
from tests.support.table import Bot


async def dealt(
    sim: SimulatedDiscord, bot: Bot, people: Sequence[Person], *, channel: Channel | None = None, speed: str = "normal"
) -> None:
    """These people sit at a table in the channel, and the cards are dealt. Each is called what the bot calls them."""
    place = channel or sim.channel
    await people[0].command("coup new", channel=place, speed=speed)
    await sim.advance(1.3)
    for person in people[1:]:
        await person.click(place.last, label="Join")
        await sim.advance(1.3)
    await people[0].click(place.last, label="Start")
    await sim.advance(1.3)
    table = await bot.app.tables.in_channel(place.id)
    shown = {player.user_id: name for player, name in zip(table.players, words.names(table), strict=True)}
    for person in people:
        person.name = shown[person.id]


async def table_of(sim: SimulatedDiscord, bot: Bot, channel: Channel | None = None) -> PublicTable:
    return await bot.app.tables.in_channel((channel or sim.channel).id)


async def view_of(sim: SimulatedDiscord, bot: Bot) -> TableView:
    view = (await table_of(sim, bot)).view
    assert view is not None
    return view


async def question_of(sim: SimulatedDiscord, bot: Bot) -> Question:
    question = (await view_of(sim, bot)).question
    assert question is not None
    return question


async def seat_of(sim: SimulatedDiscord, bot: Bot, person: Person) -> SeatView:
    """What the engine knows of that person's own cards."""
    return (await bot.app.tables.private((await table_of(sim, bot)).id, person.id)).view


def newest(channel: Channel) -> Seen:
    """The message of the turn."""
    return next(seen for seen in reversed(channel.messages) if "My hand" in seen.labels)


def pressable(channel: Channel, label: str) -> Button:
    """The button of the turn's message whose label begins like that."""
    return next(button for button in newest(channel).buttons if button.label.startswith(label))


def on_turn(channel: Channel, people: Sequence[Person]) -> Person:
    """Whose turn the newest message says it is."""
    return next(person for person in people if f"{person.mention}, your turn" in newest(channel).content)


async def acts(sim: SimulatedDiscord, people: Sequence[Person], label: str) -> tuple[Person, list[Person]]:
    """Whoever's turn it is takes an action that needs no target; returns them and the others."""
    actor = on_turn(sim.channel, people)
    await actor.click(pressable(sim.channel, label))
    await sim.advance(1.3)
    return actor, [person for person in people if person is not actor]
