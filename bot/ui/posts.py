"""One message after the other, each made to show a screen.

Owns: sending, editing, replacing, finding again and deleting a message, and what is stored of it on the way. Its
attempt is stored before it is sent, and names its nonce: a sending whose answer was lost is found again by sending the
same once more. Knows a channel and how a `Post` is saved; no table, and no rule about which messages there should be.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from enum import Enum, auto
from typing import Any

import discord
from msgspec.structs import replace

from bot.tables.table import Post, PostKind
from bot.telemetry import count, logger
from bot.ui import ids
from bot.ui.discord_errors import NO_ACCESS, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.ui.discord_form import to_edit, to_send
from bot.ui.pace import Pace
from bot.ui.screen import Screen, payload

log = logger(__name__)

OLD = timedelta(minutes=50)
"""From an hour on Discord lets a message be edited so rarely that people cannot rely on it."""
LOOKED_THROUGH = 25
"""How many messages are looked through for those of which neither the id nor the nonce is known any more."""
STAND_IN = "…"
"""What is sent to find a message again by its nonce; it is seen only if there was none, and then for a moment."""

LETTERS = {
    PostKind.LOBBY: "l",
    PostKind.TURN: "t",
    PostKind.PROMPT: "p",
    PostKind.PAUSE: "s",
    PostKind.RESULT: "r",
    PostKind.HAND: "h",
}
"""How the nonces tell the kinds apart. For good: a message under way over a restart is known by it."""


class Part(Enum):
    """What a message is there for, and so what is done where Discord refuses it."""

    ACT = auto()
    """People act on it: it is replaced as often as need be."""
    CALL = auto()
    """It calls somebody to such a message: replaced, but given up if it cannot be sent."""
    KEEP = auto()
    """It is over, and must be there to be looked up: replaced if somebody deletes it."""
    TELL = auto()
    """It tells what is over: edited if that can be done."""

    @property
    def over(self) -> bool:
        """Whether the message is settled with this."""
        return self in (Part.KEEP, Part.TELL)


class _Edited(Enum):
    DONE = auto()
    GONE = auto()
    """Somebody has deleted it."""
    REFUSED = auto()
    """It can be edited no more, or should not be."""


def is_final(error: discord.HTTPException) -> bool:
    """Whether Discord will refuse this one request, and this one only, as often as it is made."""
    return (
        400 <= error.status < 500
        and error.status not in (401, 403, 429)
        and error.code not in NO_ACCESS
        and error.code != UNKNOWN_CHANNEL
    )


class Posts:
    """The messages of one owner in one channel.

    `name` begins their nonces, at most ten characters. `shown` remembers by message what it shows, from one time to
    the next, to leave out edits that change nothing. Every request waits for its turn in `pace`. Every method raises
    what discord.py raises.
    """

    def __init__(
        self,
        channel: discord.PartialMessageable,
        name: str,
        posts: Iterable[Post],
        shown: dict[int, bytes],
        save: Callable[[Post], Awaitable[None]],
        pace: Pace,
    ) -> None:
        self._channel = channel
        self._name = name
        self._posts = {(post.kind, post.number): post for post in posts}
        self._shown = shown
        self._store = save
        self._pace = pace

    def message_id(self, kind: PostKind, number: int) -> int | None:
        """The message, where it is known."""
        post = self._posts.get((kind, number))
        return None if post is None else post.message_id

    async def show(
        self, kind: PostKind, number: int, screen: Screen, part: Part, *, reply_to: int | None = None
    ) -> None:
        """Make the message show `screen`: send it, edit it, replace it, or leave it as it is."""
        post = self._posts.get((kind, number))
        if post is None:
            post = await self._save(Post(kind, number, 1, None, settled=False))
        elif post.message_id is not None:
            if await self._stands(post, post.message_id, screen, part):
                return
            post = await self._save(replace(post, attempt=post.attempt + 1, message_id=None, settled=False))
        elif post.settled:
            post = await self._save(replace(post, attempt=post.attempt + 1, settled=False))
        else:
            await self._send_again(post, screen, part, reply_to)
            return
        message_id = await self._send(post, screen, part, reply_to)
        if message_id is not None:
            await self._save(replace(post, message_id=message_id, settled=part.over))
            self._remember(message_id, screen, part)

    async def remove(self, kind: PostKind, number: int) -> None:
        """Delete the message, wherever it got to."""
        post = await self._found(self._posts[kind, number])
        if post.message_id is not None:
            await self._delete(post.message_id)
        await self._save(replace(post, settled=True))

    async def disarm(self, kind: PostKind, number: int) -> None:
        """Take the buttons off the message, and leave what it says."""
        post = await self._found(self._posts[kind, number])
        if post.message_id is not None:
            message = self._channel.get_partial_message(post.message_id)
            await self._pace.turn()
            try:
                await message.edit(view=None, allowed_mentions=discord.AllowedMentions.none())
            except discord.HTTPException as error:
                if not is_final(error):
                    raise
                _given_up(post, error)
            self._shown.pop(post.message_id, None)
        await self._save(replace(post, settled=True))

    # ------------------------------------------------------------------------------------------------ inside

    async def _stands(self, post: Post, message_id: int, screen: Screen, part: Part) -> bool:
        """Whether the message that is there shows `screen` now, or is left as it is. False: another is needed."""
        edited = await self._edit(post, message_id, screen, part)
        if edited is _Edited.REFUSED:
            # Before a new one is sent: a crash in between must not leave buttons that nobody knows of.
            await self._delete(message_id)
        if edited is not _Edited.DONE and part is not Part.TELL:
            return False
        if post.settled is not part.over:
            await self._save(replace(post, settled=part.over))
        if part.over:
            self._shown.pop(message_id, None)
        return True

    async def _edit(self, post: Post, message_id: int, screen: Screen, part: Part) -> _Edited:
        shows = self._shown.get(message_id)
        if shows == payload(screen):
            return _Edited.DONE
        # After a start nothing is known of what old messages show: replacing them all would call everyone at once.
        if shows is not None and not part.over and _is_old(message_id):
            return _Edited.REFUSED
        await self._pace.turn()
        # Should the answer to this edit be lost, it is not known what the message shows.
        self._shown.pop(message_id, None)
        try:
            await self._channel.get_partial_message(message_id).edit(**to_edit(screen))
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                return _Edited.GONE
            if not is_final(error):
                raise
            _given_up(post, error)
            return _Edited.REFUSED
        count("message_edited")
        self._remember(message_id, screen, part)
        return _Edited.DONE

    async def _send(self, post: Post, screen: Screen, part: Part, reply_to: int | None) -> int | None:
        """The new message; None if it is given up."""
        try:
            message = await self._deliver(post, screen, reply_to)
        except discord.HTTPException as error:
            if part not in (Part.CALL, Part.TELL) or not is_final(error):
                raise
            _given_up(post, error)
            await self._save(replace(post, settled=True))
            return None
        count("message_created")
        return message.id

    async def _send_again(self, post: Post, screen: Screen, part: Part, reply_to: int | None) -> None:
        """The earlier try may have arrived: then this finds its message, which shows what was true then."""
        message_id = await self._send(post, screen, part, reply_to)
        if message_id is not None:
            await self._save(replace(post, message_id=message_id))
            await self._remove_strays(message_id)
            await self.show(post.kind, post.number, screen, part)

    async def _deliver(self, post: Post, screen: Screen, reply_to: int | None) -> discord.Message:
        nonce = self._nonce(post)
        await self._pace.turn()
        if reply_to is None:
            return await self._channel.send(nonce=nonce, **to_send(screen))
        reference = discord.MessageReference(message_id=reply_to, channel_id=self._channel.id, fail_if_not_exists=False)
        try:
            return await self._channel.send(nonce=nonce, reference=reference, **to_send(screen))
        except discord.HTTPException as error:
            # A reply needs more rights than a message, and something to reply to.
            refused = is_final(error) or (isinstance(error, discord.Forbidden) and error.code not in NO_ACCESS)
            if not refused:
                raise
        count("reply_refused")
        await self._pace.turn()
        return await self._channel.send(nonce=nonce, **to_send(screen))

    async def _found(self, post: Post) -> Post:
        """`post` with its message, if the answer to its sending was lost and it had arrived all the same."""
        if post.message_id is not None or post.settled:
            return post
        plain: dict[str, Any] = {"allowed_mentions": discord.AllowedMentions.none(), "silent": True}
        await self._pace.turn()
        try:
            message = await self._channel.send(STAND_IN, nonce=self._nonce(post), **plain)
        except discord.HTTPException as error:
            if not is_final(error):
                raise
            _given_up(post, error)
            return post
        found = await self._save(replace(post, message_id=message.id))
        if message.content != STAND_IN:
            return found
        await self._delete(message.id)
        return await self._save(replace(post, message_id=None, settled=True))

    async def _delete(self, message_id: int) -> None:
        self._shown.pop(message_id, None)
        await self._pace.turn()
        try:
            await self._channel.get_partial_message(message_id).delete()
        except discord.HTTPException as error:
            if not is_final(error):
                raise
        count("message_deleted")

    async def _remove_strays(self, newest: int) -> None:
        """Delete messages whose buttons are ours and of which we know nothing: Discord forgets nonces in minutes."""
        known = {newest, *(post.message_id for post in self._posts.values())}
        try:
            async for message in self._channel.history(limit=LOOKED_THROUGH, before=discord.Object(newest)):
                if message.id not in known and self._name in tables_named(message):
                    await self._delete(message.id)
        except discord.HTTPException as error:
            # The right to read what was written before may be missing; such a message does no harm but to be there.
            if not is_final(error) and not isinstance(error, discord.Forbidden):
                raise
            log.info("not looked for strays", code=error.code)

    async def _save(self, post: Post) -> Post:
        await self._store(post)
        self._posts[post.kind, post.number] = post
        return post

    def _remember(self, message_id: int, screen: Screen, part: Part) -> None:
        if not part.over:
            self._shown[message_id] = payload(screen)

    def _nonce(self, post: Post) -> str:
        return f"{self._name}:{LETTERS[post.kind]}{post.number}:{post.attempt}"


def tables_named(message: discord.Message) -> set[str]:
    """Of which tables the buttons of `message` are."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    parsed = (ids.parse(getattr(item, "custom_id", None) or "") for row in rows for item in row.children)
    return {button.table for button in parsed if button is not None}


def _is_old(message_id: int) -> bool:
    return discord.utils.utcnow() - discord.utils.snowflake_time(message_id) > OLD


def _given_up(post: Post, error: discord.HTTPException) -> None:
    count(f"discord_{error.code}")
    log.warning("message refused", kind=post.kind, number=post.number, code=error.code, status=error.status)
