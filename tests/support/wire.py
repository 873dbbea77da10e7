"""Between the client and the simulated Discord: what was sent, who could read it, and what went wrong on the way.

Owns the list of requests, the delays, and Discord's memory for nonces (which simcord lacks). Reads simcord's backend.
"""

from __future__ import annotations

import asyncio
import copy
import fnmatch
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord
from simcord.backend import Backend, serializers
from simcord.backend.access import message_accessible
from simcord.backend.models import Message

from tests.support.seen import Audience, Kind, Seen, Sent

NONCE_LIFE = timedelta(minutes=5)
_WRITES: Mapping[str, Kind] = {"POST": "post", "PATCH": "patch", "DELETE": "delete"}
_WITH_MESSAGE = (4, 5, 7)
"""The types of callback that make or change a message."""


@dataclass(eq=False)
class Delay:
    """Requests to a path take time; `delivered`: Discord acts at once, and only its answer is late."""

    method: str
    pattern: str
    seconds: float
    delivered: bool

    def concerns(self, method: str, path: str) -> bool:
        return self.method in (method, "*") and fnmatch.fnmatch(path, self.pattern)


@dataclass(eq=False)
class Break:
    """One request to a path ends in `error`; `delivered`: Discord acts, and only its answer is lost."""

    method: str
    pattern: str
    error: Exception
    delivered: bool

    def concerns(self, method: str, path: str) -> bool:
        return self.method in (method, "*") and fnmatch.fnmatch(path, self.pattern)


class Wire:
    """Carries every request of every client to one backend."""

    def __init__(self, backend: Backend) -> None:
        self.sent: list[Sent] = []
        self.delays: list[Delay] = []
        self.breaks: list[Break] = []
        self.locales: dict[int, str] = {}
        self._backend = backend
        self._nonces: dict[tuple[str, str], tuple[datetime, Any]] = {}

    async def carry(self, method: str, path: str, body: Any, files: Any, deliver: Callable[[], Awaitable[Any]]) -> Any:
        """Take one request to Discord, and write down what it was and who could read it."""
        started = self._now()
        body, contents = copy.deepcopy(body), tuple(_content(file) for file in files or ())
        delays = [delay for delay in self.delays if delay.concerns(method, path)]
        for delay in delays:
            if not delay.delivered:
                await asyncio.sleep(delay.seconds)
        broken = self._broken(method, path)
        if broken is not None and not broken.delivered:
            raise broken.error
        result = known = self._known(path, body)
        error: tuple[int, int] | None = None
        try:
            if known is None:
                result = await deliver()
        except discord.HTTPException as refusal:
            error = (refusal.status, refusal.code)
            raise
        finally:
            self.sent.append(
                Sent(
                    method=method,
                    path=path,
                    body=body,
                    files=contents,
                    started=started,
                    ended=self._now(),
                    error=error,
                    repeated=known is not None,
                    **self._addressees(method, path, body, result),
                )
            )
        if known is None and _has_nonce(body):
            self._nonces[path, str(body["nonce"])] = (self._now(), copy.deepcopy(result))
        for delay in delays:
            if delay.delivered:
                await asyncio.sleep(delay.seconds)
        if broken is not None:
            raise broken.error
        return result

    def _broken(self, method: str, path: str) -> Break | None:
        """What happens to this request, and to no other."""
        broken = next((broken for broken in self.breaks if broken.concerns(method, path)), None)
        if broken is not None:
            self.breaks.remove(broken)
        return broken

    def seen(self, message: Message) -> Seen:
        """A stored message, as it stands now."""
        channel = self._backend.channels[message.channel_id]
        audience: Audience = "public"
        if channel.guild_id is None:
            audience = channel.recipient_ids[0]
        elif message.is_ephemeral:
            audience = int((message.interaction_metadata or {})["user"]["id"])
        payload = copy.deepcopy(dict(serializers.message_payload(self._backend, message)))
        files = {item["filename"]: self._backend.cdn.get(item["url"]) or b"" for item in message.attachments}
        return Seen(payload, audience, channel.guild_id is None, files)

    def visible_to(self, user_id: int) -> list[Seen]:
        """Every message that person can read now, oldest first."""
        stored = [message for messages in self._backend.messages.values() for message in messages.values()]
        return [
            self.seen(message)
            for message in sorted(stored, key=lambda message: message.id)
            if message_accessible(self._backend, message.channel_id, message, user_id, history=True)
        ]

    def find(self, channel_id: int | None, message_id: int | None) -> Seen | None:
        """That message as it stands now; None if there is none."""
        message = self._backend.messages.get(channel_id or 0, {}).get(message_id or 0)
        return None if message is None else self.seen(message)

    def _now(self) -> datetime:
        return self._backend.clock.now()

    def _known(self, path: str, body: Any) -> Any:
        """The message that was made with this nonce a moment ago."""
        if not _has_nonce(body):
            return None
        made, result = self._nonces.get((path, str(body["nonce"])), (None, None))
        return copy.deepcopy(result) if made is not None and self._now() - made <= NONCE_LIFE else None

    def _addressees(self, method: str, path: str, body: Any, result: Any) -> Mapping[str, Any]:
        """Kind, audience, channel, interaction and resulting message of a request; `result` is None if refused."""
        backend = self._backend
        kind: Kind = "other"
        channel_id = interaction_id = message_id = None
        match path.strip("/").split("/"):
            case ["channels", channel, "messages", *_] if method in _WRITES:
                kind, channel_id = _WRITES[method], int(channel)
                message_id = int(result["id"]) if result else None
            case ["interactions", interaction, _, "callback"]:
                kind, interaction_id = "callback", int(interaction)
            case ["webhooks", _, token, *_] if token in backend.interaction_tokens:
                kind, interaction_id = "webhook", backend.interaction_tokens[token]
                message_id = int(result["id"]) if result else None
        record = backend.interactions.get(interaction_id or 0)
        if record is not None:
            channel_id = record.channel_id
            if kind == "callback" and result and body["type"] in _WITH_MESSAGE:
                message_id = record.message_id
        message = self.find(channel_id, message_id)
        place = backend.channels.get(channel_id or 0)
        audience: Audience | None = None
        if message is not None:
            audience = message.audience
        elif record is not None:
            audience = record.user_id
        elif kind != "other":
            audience = place.recipient_ids[0] if place is not None and place.recipient_ids else "public"
        return {
            "kind": kind,
            "audience": audience,
            "channel_id": channel_id,
            "in_dm": place is not None and place.guild_id is None,
            "interaction_id": interaction_id,
            "message": message,
        }


def _has_nonce(body: Any) -> bool:
    return isinstance(body, dict) and bool(body.get("enforce_nonce"))


def _content(file: Any) -> tuple[str, bytes]:
    """Name and bytes of an upload, which is left as it was."""
    at = file.fp.tell()
    content = file.fp.read()
    file.fp.seek(at)
    return file.filename, content
