"""The people on the simulated server, who do only what somebody with a Discord client could do, and what they are told.

Owns finding buttons by their labels among what that person sees. Reaches the simulation through `SimulatedDiscord`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tests.support.seen import BUTTON, SELECT, Button, Option, Seen, Select, Sent

if TYPE_CHECKING:
    from simcord.actors import MemberActor

    from tests.support.harness import Channel, SimulatedDiscord

C = TypeVar("C", Button, Select)

_KINDS: dict[int | None, Literal["nothing", "message", "thinking", "acknowledged", "edit", "choices", "modal"]] = {
    None: "nothing",
    4: "message",
    5: "thinking",
    6: "acknowledged",
    7: "edit",
    8: "choices",
    9: "modal",
}


class Answer:
    """What one click or command was answered. It looks at what has been sent so far, so it may come later."""

    def __init__(self, sim: SimulatedDiscord, interaction_id: int, who: Person) -> None:
        self._sim = sim
        self.interaction_id = interaction_id
        self.who = who

    @property
    def callbacks(self) -> list[Sent]:
        """Every attempt to answer; a well-behaved client makes exactly one."""
        return [s for s in self._sim.sent if s.kind == "callback" and s.interaction_id == self.interaction_id]

    @property
    def followups(self) -> list[Sent]:
        """Whatever was done with the token afterwards."""
        return [s for s in self._sim.sent if s.kind == "webhook" and s.interaction_id == self.interaction_id]

    @property
    def accepted(self) -> Sent | None:
        """The callback that Discord accepted."""
        return next((sent for sent in self.callbacks if sent.error is None), None)

    @property
    def kind(self) -> Literal["nothing", "message", "thinking", "acknowledged", "edit", "choices", "modal"]:
        """`nothing` is what Discord shows as "This interaction failed"."""
        return _KINDS[self.accepted.callback if self.accepted else None]

    @property
    def message(self) -> Seen | None:
        """The message sent or edited by the answer, as it stood then; None after a mere acknowledgement."""
        return self.accepted.message if self.accepted else None

    @property
    def private(self) -> bool:
        """Only who asked could read the answer (an acknowledgement has nothing to read)."""
        return self.accepted is not None and self.accepted.audience == self.who.id

    @property
    def text(self) -> str:
        return self.message.text if self.message else ""

    @property
    def labels(self) -> tuple[str, ...]:
        return self.message.labels if self.message else ()

    def __repr__(self) -> str:
        whose = f"to {self.who.name} alone" if self.private else "in public"
        return f"<Answer {self.kind} {whose}: {self.text!r} {list(self.labels)}>"


class Person:
    """A member of the server. Made by `SimulatedDiscord.person`."""

    def __init__(self, sim: SimulatedDiscord, member: MemberActor, name: str, locale: str) -> None:
        self._sim = sim
        self._member = member
        self._gone: set[int] = set()
        self.name = name
        self.locale = locale
        self.id: int = member.id
        self.mention: str = member.mention

    # ------------------------------------------------------------------------------------------------ what they see

    @property
    def sees(self) -> tuple[Seen, ...]:
        """Every message in front of them: the channels, their own ephemerals, their DMs; oldest first."""
        return tuple(seen for seen in self._sim.visible_to(self.id) if seen.id not in self._gone)

    @property
    def panels(self) -> tuple[Seen, ...]:
        """Their ephemeral messages, oldest first."""
        return tuple(seen for seen in self.sees if seen.ephemeral)

    @property
    def panel(self) -> Seen:
        """Their newest ephemeral message, as it stands now."""
        return self.panels[-1]

    @property
    def dms(self) -> tuple[Seen, ...]:
        return tuple(seen for seen in self.sees if seen.in_dm and not seen.ephemeral)

    @property
    def labels(self) -> tuple[str, ...]:
        """Everything they could press now, newest message first."""
        return tuple(label for seen in reversed(self.sees) for label in seen.labels)

    def reload(self) -> None:
        """Their Discord forgets its ephemeral messages, as it does when it is started again."""
        self._gone.update(seen.id for seen in self.panels)

    # ------------------------------------------------------------------------------------------------- what they do

    async def command(self, name: str, *, channel: Channel | None = None, dm: bool = False, **options: Any) -> Answer:
        """Type a slash command: `command("coup new", speed="blitz")`; in their DM with the bot if `dm`."""
        place = None if dm else channel or self._sim.channel
        return self._answer(await self._sim.emit_command(self._member, place, name, options))

    async def autocomplete(
        self,
        name: str,
        option: str,
        typed: str = "",
        *,
        channel: Channel | None = None,
        dm: bool = False,
        **filled: Any,
    ) -> list[Option]:
        """Type into an option, and read what is offered."""
        place = None if dm else channel or self._sim.channel
        return await self._sim.emit_autocomplete(self._member, place, name, option, typed, filled)

    async def click(
        self,
        on: Seen | Button | None = None,
        *,
        label: str | None = None,
        where: Callable[[Seen], bool] | None = None,
    ) -> Answer:
        """Press a button that is there and enabled: on that message, or else on the newest one that has it.

        `where` narrows the messages: `click(label="Allow", where=lambda seen: seen.ephemeral)`.
        """
        if isinstance(on, Button):
            wanted: Callable[[Button], bool] = lambda button: button.custom_id == on.custom_id  # noqa: E731
            return await self.forge(self._find(wanted, lambda seen: seen.buttons, on.message, where))
        return await self.forge(
            self._find(lambda button: label in (None, button.label), lambda seen: seen.buttons, on, where)
        )

    async def double_click(self, on: Seen | Button | None = None, *, label: str | None = None) -> tuple[Answer, Answer]:
        """Press the same button twice before anything happens."""
        first, second = await self._sim.at_once(self.click(on, label=label), self.click(on, label=label))
        return first, second

    async def choose(
        self,
        *labels: str,
        on: Seen | None = None,
        placeholder: str | None = None,
        where: Callable[[Seen], bool] | None = None,
    ) -> Answer:
        """Choose lines of a select by their labels (or values, where labels repeat)."""

        def offers(select: Select) -> bool:
            known = {option.label for option in select.options} | {str(option.value) for option in select.options}
            return known.issuperset(labels) and placeholder in (None, select.placeholder)

        select = self._find(offers, lambda seen: seen.selects, on, where)
        if not select.fewest <= len(labels) <= select.most:
            raise AssertionError(f"{select} takes {select.fewest} to {select.most} lines, not {len(labels)}")
        values = {option.label: str(option.value) for option in select.options}
        values |= {str(option.value): str(option.value) for option in select.options}
        return await self.forge(select, values=[values[label] for label in labels])

    async def forge(
        self, what: str | Button | Select, *, on: Seen | None = None, values: Sequence[str] | None = None
    ) -> Answer:
        """Send a click that no check has looked at: an id of one's own, a button removed since, somebody else's.

        `on` is the message it claims to be on; by default the button's own, or the newest message they see.
        """
        custom_id = what if isinstance(what, str) else what.custom_id
        message = on or (self.sees[-1] if isinstance(what, str) else what.message)
        component: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON}
        if values is not None:
            component |= {"component_type": SELECT, "values": list(values)}
        answer = self._answer(self._sim.emit_component(self.id, component, message))
        await self._sim.settle()
        return answer

    # ------------------------------------------------------------------------------------------- their circumstances

    def close_dms(self) -> None:
        """The bot may not write to them any more (50007)."""
        self._sim.inject_error("*", self._dm_path, 403, 50007, times=None)

    def open_dms(self) -> None:
        self._sim.heal(self._dm_path)

    def leave_server(self) -> None:
        self._sim.remove_member(self.id)

    @property
    def _dm_path(self) -> str:
        return f"/channels/{self._sim.dm_channel_id(self.id)}/*"

    # ----------------------------------------------------------------------------------------------------- plumbing

    def _answer(self, interaction_id: int) -> Answer:
        return Answer(self._sim, interaction_id, self)

    def _find(
        self,
        wanted: Callable[[C], bool],
        parts: Callable[[Seen], tuple[C, ...]],
        on: Seen | None,
        where: Callable[[Seen], bool] | None,
    ) -> C:
        """The enabled one that is meant, as it stands now: on that message, or on the newest message that has it."""
        messages = [seen for seen in self.sees if on is None or seen.id == on.id]
        for seen in reversed([seen for seen in messages if where is None or where(seen)]):
            found = [part for part in parts(seen) if wanted(part) and not part.disabled]
            if len(found) > 1:
                raise AssertionError(f"{self.name} cannot tell which one is meant: {found}")
            if found:
                return found[0]
        shown = [(seen.text, list(seen.buttons), list(seen.selects)) for seen in reversed(messages)]
        raise AssertionError(f"{self.name} finds nothing like that to use; in front of them: {shown}")

    def __repr__(self) -> str:
        return f"<Person {self.name}>"
