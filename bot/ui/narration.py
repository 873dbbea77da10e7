"""The story of a turn in whole sentences.

Owns: how public events are told. `SILENT` lists the events that need no words because others tell them. Sees nothing
but public events: whatever is told here, everybody knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bot.i18n import N_, Translator
from bot.tables.table import Cause, Phase, PublicTable, Removed, TimeRanOut, TurnStory
from bot.ui import words
from bot.ui.move_words import ACTIONS
from coup_core.events import (
    ActionFailed,
    BlockDeclared,
    BlockStood,
    BlockWithdrawn,
    CardsDrawn,
    Challenged,
    Conceded,
    Debt,
    Declared,
    Drew,
    Eliminated,
    Event,
    Exchanged,
    Failure,
    GameEnded,
    InfluenceLost,
    Passed,
    PurseForfeited,
    Refunded,
    Resigned,
    Shown,
    Took,
    TurnStarted,
    visible,
)
from coup_core.view import Asked

SILENT: Final = (TurnStarted, Passed, Drew, CardsDrawn)
"""Told by the turn's number, by who is still awaited, and by the showing or exchange that made somebody draw."""

_CAUSES = {
    Cause.SILENT: N_("{name} was silent for two turns in a row and is out of the game."),
    Cause.KICKED: N_("{name} was silent and was removed from the game."),
    Cause.GONE: N_("{name} is not in this server any more and is out of the game."),
}


class _Scene:
    """Where the telling of a turn has got to."""

    def __init__(self, table: PublicTable, story: TurnStory, t: Translator) -> None:
        self.t = t
        self.names = words.names(table)
        self.events = [event for event in visible(story.events) if not isinstance(event, SILENT)]
        self.place = 0
        self.declared: Declared | None = None
        self.asked = _asked(table, story)

    def following(self) -> Event | None:
        rest = self.events[self.place + 1 :]
        return rest[0] if rest else None

    def preceding(self) -> Event | None:
        return self.events[self.place - 1] if self.place else None

    def undisturbed(self) -> bool:
        """Whether the action that is declared takes effect next, in a way that tells the declaration too."""
        after = self.following()
        return (
            isinstance(after, Took | Exchanged)
            and self.declared is not None
            and ACTIONS[self.declared.action].did != ""
        )


def turn_story(table: PublicTable, story: TurnStory, t: Translator) -> str:
    """What happened in one turn, for people; its number in front. Present tense where the turn waits for answers."""
    scene = _Scene(table, story, t)
    sentences = []
    for event in scene.events:
        sentence = _TOLD[type(event)](event, scene)
        scene.place += 1
        if sentence:
            sentences.append(sentence)
    if not sentences:
        over = table.phase is Phase.OVER
        sentences = [_quiet(scene, event, over=over) for event in story.events if isinstance(event, TurnStarted)]
    text = " ".join(sentences)
    return f"**{story.number}.** {text}" if story.number else text


def _quiet(scene: _Scene, event: TurnStarted, *, over: bool) -> str:
    """A turn in which nothing has happened: the one that is on, or was when the game was ended from outside."""
    name = scene.names[event.seat]
    if over:
        return scene.t("It was {name}'s turn when the game was ended.", name=name)
    return scene.t("It is {name}'s turn.", name=name)


def _asked(table: PublicTable, story: TurnStory) -> Asked | None:
    """The question that is open in this turn."""
    going_on = table.phase is Phase.PLAYING and bool(table.story) and story.number == table.story[-1].number
    if not going_on or table.view is None or table.view.question is None:
        return None
    return table.view.question.asked


# ---------------------------------------------------------------------------------------------------- the sentences


def _action_words(event: Declared, scene: _Scene) -> dict[str, Any]:
    return {
        "name": scene.names[event.seat],
        "target": "" if event.target is None else scene.names[event.target],
        "character": "" if event.claim is None else words.bold(event.claim, scene.t),
    }


def _declared(event: Declared, scene: _Scene) -> str:
    scene.declared = event
    if scene.undisturbed():
        return ""
    facts = _action_words(event, scene)
    action = ACTIONS[event.action]
    return scene.t(action.claims if scene.asked is Asked.REACTION else action.claimed, **facts)


def _took(event: Took, scene: _Scene) -> str:
    t, declared = scene.t, scene.declared
    facts: dict[str, Any] = {"name": scene.names[event.seat], "purse": event.purse}
    if declared is not None and isinstance(scene.preceding(), Declared) and ACTIONS[declared.action].did:
        facts = _action_words(declared, scene) | facts | {"coins": words.coins(event.amount, t)}
        return t(ACTIONS[declared.action].did, **facts)
    if event.source is None:
        return t.n("{name} took {count} coin ({purse}).", "{name} took {count} coins ({purse}).", event.amount, **facts)
    return t.n(
        "{name} took {count} coin from {source} ({purse}).",
        "{name} took {count} coins from {source} ({purse}).",
        event.amount,
        source=scene.names[event.source],
        **facts,
    )


def _exchanged(event: Exchanged, scene: _Scene) -> str:
    if scene.declared is not None and isinstance(scene.preceding(), Declared):
        return scene.t(ACTIONS[scene.declared.action].did, **_action_words(scene.declared, scene))
    return scene.t("{name} exchanged cards with the Court.", name=scene.names[event.seat])


def _challenged(event: Challenged, scene: _Scene) -> str:
    after = scene.following()
    t = scene.t
    facts = {
        "name": scene.names[event.seat],
        "claimant": scene.names[event.claimant],
        "character": words.bold(event.character, t),
    }
    # Told together with the proof, where that comes next.
    if isinstance(after, Shown):
        if event.of_block:
            return t("{name} challenged the block; {claimant} showed {character} and drew a new card.", **facts)
        return t("{name} challenged; {claimant} showed {character} and drew a new card.", **facts)
    if isinstance(after, Conceded):
        if event.of_block:
            return t("{name} challenged the block; {claimant} did not show {character}.", **facts)
        return t("{name} challenged; {claimant} did not show {character}.", **facts)
    if event.of_block:
        return t("{name} challenged {claimant}'s block as {character}.", **facts)
    return t("{name} challenged {claimant}'s {character}.", **facts)


def _shown(event: Shown, scene: _Scene) -> str:
    if isinstance(scene.preceding(), Challenged):
        return ""
    return scene.t("{name} showed {character} and drew a new card.", **_who_and_card(event, scene))


def _conceded(event: Conceded, scene: _Scene) -> str:
    if isinstance(scene.preceding(), Challenged):
        return ""
    return scene.t("{name} did not show {character}.", **_who_and_card(event, scene))


def _block_declared(event: BlockDeclared, scene: _Scene) -> str:
    facts = _who_and_card(event, scene)
    if scene.asked is Asked.REACTION:
        return scene.t("**{name}** will block as {character} unless the claim falls.", **facts)
    if scene.asked is Asked.BLOCK and scene.following() is None:
        return scene.t("**{name}** blocks as {character}.", **facts)
    return scene.t("{name} blocked as {character}.", **facts)


def _block_withdrawn(event: BlockWithdrawn, scene: _Scene) -> str:
    return scene.t("{name}'s block as {character} is void.", **_who_and_card(event, scene))


def _block_stood(event: BlockStood, scene: _Scene) -> str:
    return scene.t("{name}'s block stood and the action failed.", name=scene.names[event.seat])


def _lost(event: InfluenceLost, scene: _Scene) -> str:
    facts = _who_and_card(event, scene)
    taken = ACTIONS[scene.declared.action].lost if scene.declared is not None and event.debt is Debt.ACTION else ""
    return scene.t(taken, **facts) if taken else scene.t("{name} lost {character}.", **facts)


def _time_ran_out(event: TimeRanOut, scene: _Scene) -> str:
    return scene.t("{name}'s time ran out.", name=scene.names[event.seat])


def _removed(event: Removed, scene: _Scene) -> str:
    return scene.t(_CAUSES[event.cause], name=scene.names[event.seat])


def _resigned(event: Resigned, scene: _Scene) -> str:
    name = scene.names[event.seat]
    if isinstance(scene.preceding(), Removed):
        return scene.t("{name} turned up {cards}.", name=name, cards=words.cards(event.cards, scene.t))
    return scene.t("{name} left the game and turned up {cards}.", name=name, cards=words.cards(event.cards, scene.t))


def _eliminated(event: Eliminated, scene: _Scene) -> str:
    # Leaving says it already.
    return "" if isinstance(scene.preceding(), Resigned) else scene.t("{name} is out.", name=scene.names[event.seat])


def _refunded(event: Refunded, scene: _Scene) -> str:
    return scene.t.n(
        "{name} got {count} coin back ({purse}).",
        "{name} got {count} coins back ({purse}).",
        event.amount,
        name=scene.names[event.seat],
        purse=event.purse,
    )


def _failed(event: ActionFailed, scene: _Scene) -> str:
    match event.reason:
        case Failure.EXPOSED:
            return scene.t("The action failed.")
        case Failure.LEFT:
            return scene.t("The action came to nothing.")
        case Failure.BLOCKED:  # the block's own sentence has said it
            return "" if isinstance(scene.preceding(), BlockStood) else scene.t("The action was blocked.")


def _forfeited(event: PurseForfeited, scene: _Scene) -> str:
    if not event.amount:
        return ""
    return scene.t.n(
        "{name}'s {count} coin went to the Treasury.",
        "{name}'s {count} coins went to the Treasury.",
        event.amount,
        name=scene.names[event.seat],
    )


def _ended(event: GameEnded, scene: _Scene) -> str:
    return scene.t("**{name}** wins.", name=scene.names[event.seat])


def _who_and_card(
    event: Shown | Conceded | BlockDeclared | BlockWithdrawn | InfluenceLost, scene: _Scene
) -> dict[str, str]:
    return {"name": scene.names[event.seat], "character": words.bold(event.character, scene.t)}


_TOLD: Final[dict[type[Event], Callable[[Any, _Scene], str]]] = {
    Declared: _declared,
    Challenged: _challenged,
    BlockDeclared: _block_declared,
    BlockWithdrawn: _block_withdrawn,
    BlockStood: _block_stood,
    Shown: _shown,
    Conceded: _conceded,
    InfluenceLost: _lost,
    TimeRanOut: _time_ran_out,
    Removed: _removed,
    Resigned: _resigned,
    Eliminated: _eliminated,
    Refunded: _refunded,
    Took: _took,
    Exchanged: _exchanged,
    ActionFailed: _failed,
    PurseForfeited: _forfeited,
    GameEnded: _ended,
}
