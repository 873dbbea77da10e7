"""The only writer of public messages.

Owns: bringing the channel up to date with a table. It renders the newest view, at most one request in flight a table;
what changes meanwhile is shown by the next round. Messages are created with a nonce, their attempt stored before they
are sent, so that a crash in between posts nothing twice. No task outlives its work: a round that has to wait is
started by a timer.
"""

from __future__ import annotations

import asyncio
from typing import Any

import discord

from bot.i18n import translator
from bot.tables.errors import Refusal
from bot.tables.requests import End
from bot.tables.service import Tables
from bot.tables.table import Phase, Post, PublicTable
from bot.telemetry import count, error_id, logger
from bot.ui.discord_form import to_edit, to_send
from bot.ui.lobby import lobby_screen
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.screen import Screen, payload
from bot.ui.table_message import folded_turn_screen, turn_screen

log = logger(__name__)

ROUND_EVERY = 1.2
"""Seconds between two rounds for one table: edits are rationed to about one a second a channel."""
RETRY_AFTER = 5.0
"""Seconds until another try after Discord failed."""
REFUSED_PAUSE = 60.0
"""Seconds until another try after Discord refused us the channel: a storm of refused calls gets a bot banned."""

UNKNOWN_MESSAGE = 10008
UNKNOWN_CHANNEL = 10003


class Announcer:
    """Shows tables in their channels. An `Audience` of the tables."""

    def __init__(self) -> None:
        self._client: discord.Client | None = None
        self._tables: Tables | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._written: dict[str, dict[tuple[str, int], bytes]] = {}
        """By table: what each of its messages shows, to leave out edits that change nothing."""

    def attach(self, client: discord.Client, tables: Tables) -> None:
        """What it writes with, and where it reads; both know it first."""
        self._client, self._tables = client, tables

    def changed(self, table_id: str) -> None:
        """Show `table_id`, now or as soon as its turn comes."""
        if table_id in self._running or table_id in self._waiting:
            self._again.add(table_id)
            return
        self._begin(table_id)

    def repair(self, table_id: str) -> None:
        """Show `table_id` again even if we think that the channel is up to date."""
        self._written.pop(table_id, None)
        self.changed(table_id)

    async def close(self) -> None:
        """Finish what is being written."""
        for timer in self._waiting.values():
            timer.cancel()
        self._waiting.clear()
        self._again.clear()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    # ------------------------------------------------------------------------------------------------ rounds

    def _begin(self, table_id: str) -> None:
        self._waiting.pop(table_id, None)
        self._again.discard(table_id)
        self._running[table_id] = asyncio.get_running_loop().create_task(self._round(table_id))

    async def _round(self, table_id: str) -> None:
        pause = ROUND_EVERY
        try:
            await self._bring_up_to_date(table_id)
        except Refusal:
            log.info("nothing to announce", table=table_id)
        except discord.Forbidden as error:
            count(f"discord_{error.code}")
            log.warning("channel refused", table=table_id, code=error.code)
            pause = REFUSED_PAUSE
            self._again.add(table_id)
        except discord.HTTPException as error:
            count(f"discord_{error.code}")
            log.warning("announcing failed", table=table_id, code=error.code, status=error.status)
            pause = RETRY_AFTER
            self._again.add(table_id)
        except Exception:
            log.exception("announcing failed", table=table_id, error_id=error_id())
            pause = RETRY_AFTER
        finally:
            del self._running[table_id]
            # The pause is kept also when nothing waits yet, so that the next change cannot outrun it.
            loop = asyncio.get_running_loop()
            self._waiting[table_id] = loop.call_later(pause, self._paused, table_id)

    def _paused(self, table_id: str) -> None:
        self._waiting.pop(table_id, None)
        if table_id in self._again:
            self._begin(table_id)

    # ------------------------------------------------------------------------------------------------ messages

    async def _bring_up_to_date(self, table_id: str) -> None:
        assert self._tables is not None
        table = await self._tables.table(table_id)
        posts = {(post.kind, post.number): post for post in table.posts}
        try:
            await _Round(self, self._tables, table, posts).run()
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            table = await self._ended_unseen(table)
        await self._tables.announced(table_id, table.version)
        if table.phase is Phase.OVER:
            self._written.pop(table_id, None)

    async def _ended_unseen(self, table: PublicTable) -> PublicTable:
        """The channel is gone and nobody can see this table any more: end it, so that its players are free."""
        assert self._tables is not None
        if table.phase is Phase.OVER:
            return table
        request = f"channel-gone-{table.id}"
        return await self._tables.submit(
            End(request=request, table_id=table.id, user_id=0, name="Discord", moderator=True)
        )

    def channel(self, table: PublicTable) -> discord.PartialMessageable:
        """Where the table is shown; nothing needs to be fetched for it."""
        assert self._client is not None
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)

    def shows(self, table_id: str, key: tuple[str, int], screen: Screen) -> bool:
        """Whether that message shows just this already."""
        return self._written.get(table_id, {}).get(key) == payload(screen)

    def showing(self, table_id: str, key: tuple[str, int], screen: Screen) -> None:
        """Remember what that message shows."""
        self._written.setdefault(table_id, {})[key] = payload(screen)


class _Round:
    """One table, brought up to date once."""

    def __init__(
        self, announcer: Announcer, tables: Tables, table: PublicTable, posts: dict[tuple[str, int], Post]
    ) -> None:
        self._announcer = announcer
        self._tables = tables
        self._table = table
        self._posts = posts
        self._t = translator(table.language)

    async def run(self) -> None:
        """Newest first: what people must act on, then what is over."""
        table, t = self._table, self._t
        if table.view is None:
            await self._put("lobby", 0, lobby_screen(table, t), settled=table.phase is Phase.OVER)
            return
        if table.phase is Phase.PLAYING:
            await self._missed_turns(before=table.view.number)
            await self._put("turn", table.view.number, turn_screen(table, t))
            self._tables.shown(table.id, table.window)
            await self._prompt()
        await self._settle_old()
        if table.phase is Phase.OVER and table.result is not None:
            await self._missed_turns(before=table.view.number + 1)
            await self._put("result", 0, result_screen(table, t), settled=True)

    async def _missed_turns(self, before: int) -> None:
        """Turns that were over before they could be shown are told in their folded form."""
        shown = max((number for kind, number in self._posts if kind == "turn"), default=0)
        for story in self._table.story:
            if shown < story.number < before:
                await self._put(
                    "turn", story.number, folded_turn_screen(self._table, story.number, self._t), settled=True
                )

    async def _prompt(self) -> None:
        screen = prompt_screen(self._table, self._t)
        if screen is not None:
            turn = self._posts.get(("turn", self._table.view.number if self._table.view else 0))
            await self._put("prompt", self._table.window, screen, reply_to=turn.message_id if turn else None)

    async def _settle_old(self) -> None:
        """Messages whose time is over: turns become their story, calls to one player go (the story tells the rest)."""
        table, t = self._table, self._t
        assert table.view is not None
        playing = table.phase is Phase.PLAYING
        for (kind, number), post in list(self._posts.items()):
            if post.settled or post.message_id is None:
                continue
            if kind == "lobby":
                await self._put(kind, number, lobby_screen(table, t), settled=True)
            elif kind == "turn" and not (playing and number == table.view.number):
                await self._put(kind, number, folded_turn_screen(table, number, t), settled=True)
            elif kind == "prompt" and not (playing and number == table.window):
                await self._delete(post)

    async def _put(
        self, kind: str, number: int, screen: Screen, *, settled: bool = False, reply_to: int | None = None
    ) -> None:
        """Make the message of that kind and number show `screen`: create it, edit it, or leave it as it is."""
        post = self._posts.get((kind, number))
        if post is not None and post.message_id is not None:
            if await self._edit(post, screen):
                if settled and not post.settled:
                    await self._save(Post(kind, number, post.attempt, post.message_id, settled=True))
                return
            if settled and kind != "result":
                # Somebody deleted a message that is over anyway.
                await self._save(Post(kind, number, post.attempt, post.message_id, settled=True))
                return
            post = Post(kind, number, post.attempt + 1, None, settled=False)
            await self._save(post)
        if post is None:
            # The attempt is stored before anything is sent: after a crash the same nonce finds the same message.
            post = Post(kind, number, 1, None, settled=False)
            await self._save(post)
        message_id = await self._send(post, screen, reply_to)
        await self._save(Post(kind, number, post.attempt, message_id, settled))

    async def _send(self, post: Post, screen: Screen, reply_to: int | None) -> int:
        channel = self._announcer.channel(self._table)
        more: dict[str, Any] = {}
        if reply_to is not None:
            more["reference"] = discord.MessageReference(
                message_id=reply_to, channel_id=self._table.channel_id, fail_if_not_exists=False
            )
        nonce = f"{self._table.id}:{post.kind[0]}{post.number}:{post.attempt}"
        message = await channel.send(nonce=nonce, **to_send(screen), **more)
        count("message_created")
        self._announcer.showing(self._table.id, (post.kind, post.number), screen)
        return message.id

    async def _edit(self, post: Post, screen: Screen) -> bool:
        """Edit if it shows something else. False: the message is gone."""
        key = (post.kind, post.number)
        if self._announcer.shows(self._table.id, key, screen):
            return True
        assert post.message_id is not None
        message = self._announcer.channel(self._table).get_partial_message(post.message_id)
        try:
            await message.edit(**to_edit(screen))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return False
        count("message_edited")
        self._announcer.showing(self._table.id, key, screen)
        return True

    async def _delete(self, post: Post) -> None:
        assert post.message_id is not None
        message = self._announcer.channel(self._table).get_partial_message(post.message_id)
        try:
            await message.delete()
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        count("message_deleted")
        await self._save(Post(post.kind, post.number, post.attempt, post.message_id, settled=True))

    async def _save(self, post: Post) -> None:
        await self._tables.save_post(self._table.id, post)
        self._posts[post.kind, post.number] = post
