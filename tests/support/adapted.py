"""simcord, made to fit: virtual time alone, waiting for locks, languages, and every request passing by the wire.

Owns the patches; they are made once, when this module is imported. Pinned to simcord 3.2.1: look here when it moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import discord
import simcord._runtime
import simcord._settlement as settlement
import simcord.env
from simcord import _dpy_internals, interactions
from simcord.backend import Backend
from simcord.backend.models import channel as channel_models
from simcord.http import FakeHTTPClient, FakeWebhookAdapter
from simcord.http.client import _path_of
from simcord.http.router import parse_form

INSTANT = 0.00001
"""A timer due within this many virtual seconds counts as due now (`call_later(0, ...)`)."""
CHAIN = 100
"""So many of them may follow each other before simcord's own settling is asked again."""
LOCKS = (asyncio.Lock.acquire.__code__, asyncio.Semaphore.acquire.__code__)


class Wire(Protocol):
    """Whoever carries a client's requests to Discord; registered with `connect`."""

    locales: dict[int, str]

    async def carry(
        self, method: str, path: str, body: Any, files: Any, deliver: Callable[[], Awaitable[Any]]
    ) -> Any: ...


def connect(backend: Backend, wire: Wire) -> None:
    """Send every request to this backend, and ask for every person's language, by way of `wire`."""
    vars(backend)["wire"] = wire


def _wire(backend: Backend) -> Wire:
    wire: Wire = vars(backend)["wire"]
    return wire


class Env(simcord.env.Env):
    """simcord's environment, in which no timer of the bot ever fires because real time passed."""

    held = False
    """While true, nothing waits for the client: what people do piles up in one instant."""
    stuck = False
    """The client has once not come to rest; it would not for an orderly end either."""

    @property
    def _advancing(self) -> bool:
        # simcord asks this to decide whether a timer may fall back to the wall clock. Never, here.
        return True

    @_advancing.setter
    def _advancing(self, value: bool) -> None: ...

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - simcord's signature
        idle: float = 0.05,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        if self.held:
            return
        # simcord looks every 50 ms whether the client is at rest, which is most of what a click costs.
        idle = min(idle, 0.001)
        try:
            await super()._settle_internal(timeout=timeout, idle=idle, dispatch=dispatch, _deadline=_deadline)
        except TimeoutError:
            self.stuck = True
            raise
        if _deadline is not None:
            return
        for _ in range(CHAIN):
            due = settlement._next_virtual_timer(self._settlement_state())
            if due is None or due > self._virtual_time + INSTANT:
                return
            self._move_clock(max(due, self._virtual_time))
            await super()._settle_internal(timeout=timeout, idle=idle, dispatch=dispatch)


_is_parked = settlement._is_parked


def _is_parked_or_queues(state: settlement._SettlementState, task: asyncio.Task[Any], deadline: float) -> bool:
    """At rest is also who waits for a lock or a semaphore while somebody else, its holder, sleeps."""
    if _is_parked(state, task, deadline):
        return True
    return _waits_for_lock(task) and any(
        _is_parked(state, other, deadline) for other in settlement._owned_tasks(state) if other is not task
    )


def _waits_for_lock(task: asyncio.Task[Any]) -> bool:
    waiter = getattr(task, "_fut_waiter", None)
    step: Any = task.get_coro()
    while step is not None:
        frame = getattr(step, "cr_frame", None)
        if frame is not None and frame.f_code in LOCKS:
            return waiter is not None and not waiter.done()
        step = getattr(step, "cr_await", None)
    return False


class _HTTP(FakeHTTPClient):
    """Requests by the bot's token."""

    async def request(self, route: Any, *, files: Any = None, form: Any = None, **kwargs: Any) -> Any:
        body = kwargs.get("json") if form is None else parse_form(list(form), [])[0]
        request = super().request
        return await _wire(self.backend).carry(
            route.method, _path_of(route.url), body, files, lambda: request(route, files=files, form=form, **kwargs)
        )


class _Adapter(FakeWebhookAdapter):
    """Requests by an interaction's token."""

    async def request(
        self, route: Any, session: Any, *, payload: Any = None, multipart: Any = None, files: Any = None, **kwargs: Any
    ) -> Any:
        body = parse_form(multipart, [])[0] if multipart else payload
        request = super().request
        return await _wire(self.backend).carry(
            route.method,
            _path_of(route.url),
            body,
            files,
            lambda: request(route, session, payload=payload, multipart=multipart, files=files, **kwargs),
        )


class _Sleepers:
    """Who sleeps, by a look: simcord searches all timers for every task, which a hundred busy tables make slow."""

    def __init__(self) -> None:
        self._timers: Any = None
        self._count = 0
        self._waking: dict[int, Any] = {}
        """By the id of the future that it sets: the timer."""

    def __call__(self, state: settlement._SettlementState, waiter: Any, deadline: float) -> bool:
        # simcord makes a new list at every turn of its own, and in between only adds to it.
        timers = state.work.callbacks
        if timers is not self._timers or len(timers) != self._count:
            self._timers, self._count = timers, len(timers)
            self._waking = {id(future): timer for timer in timers for future in _woken_by(timer)}
        timer = self._waking.get(id(waiter))
        if timer is None or timer.handle.cancelled() or waiter.done():
            return False
        return settlement._callback_fire_time(state, timer) > deadline


def _woken_by(timer: Any) -> tuple[Any, ...]:
    """The future that a timer of `asyncio.sleep` sets; nothing of any other timer."""
    if timer.when is None or timer.handle is None or timer.handle.cancelled():
        return ()
    callback = _dpy_internals._original_callback(timer.handle._callback)
    is_sleep = getattr(callback, "__name__", "") == "_set_result_unless_cancelled"
    return tuple(timer.handle._args[:1]) if is_sleep else ()


_base_payload = interactions.base_payload


def _localised_payload(backend: Backend, **kwargs: Any) -> Any:
    """simcord says en-US for everybody, and that the bot may do nothing in a DM."""
    record, payload = _base_payload(backend, **kwargs)
    payload["locale"] = _wire(backend).locales[record.user_id]
    if record.guild_id is None:
        payload["app_permissions"] = str(discord.Permissions._dm_permissions().value)
    else:
        payload["guild_locale"] = backend.get_guild(record.guild_id).preferred_locale
    return record, payload


vars(settlement)["_is_virtual_sleep_waiter"] = _Sleepers()
# Which of the real timers wakes it: none.
vars(_dpy_internals)["is_sleep_waiter"] = lambda *_: False
# 10: a thread under an announcement channel, which simcord takes for a channel without threads.
vars(channel_models)["THREAD_TYPES"] = (10, *channel_models.THREAD_TYPES)
vars(simcord.env)["_is_parked"] = _is_parked_or_queues
vars(interactions)["base_payload"] = _localised_payload
vars(simcord._runtime).update(FakeHTTPClient=_HTTP, FakeWebhookAdapter=_Adapter)
