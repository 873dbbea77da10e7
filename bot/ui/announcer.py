"""The only writer of public messages.

Owns: bringing the channel up to date with a table. It renders the newest view, at most one request in flight a table;
what changes meanwhile is shown by the next round. Messages are created with a nonce, their attempt stored before they
are sent, so that a crash in between posts nothing twice. No task outlives its work: a round that has to wait is
started by a timer.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
from msgspec.structs import replace

from bot.i18n import translator
from bot.tables.errors import Refusal
from bot.tables.requests import Abandon
from bot.tables.service import Tables
from bot.tables.table import Phase, Post, PublicTable
from bot.telemetry import count, error_id, logger
from bot.ui.discord_form import to_edit, to_send
from bot.ui.lobby import lobby_screen
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.screen import Screen, payload
from bot.ui.table_message import damaged_screen, folded_turn_screen, turn_screen

log = logger(__name__)

ROUND_EVERY = 1.2
"""Seconds between two rounds for one table: edits are rationed to about one a second a channel."""
RETRY_AFTER = 5.0
"""Seconds until another try after Discord failed; twice as many after each further failure."""
REFUSED_PAUSE = 60.0
"""The same after Discord refused us the channel: a storm of refused calls gets a bot banned."""
LONGEST_PAUSE = 900.0
"""Seconds between two tries, however often they failed."""
AT_ONCE = 25
"""Tables written at one time: after a start all open ones want to be."""

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
        self._failures: dict[str, int] = {}
        """By table: rounds that failed since the last one that did not."""
        self._closing = False
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._written: dict[str, dict[int, bytes]] = {}
        """By table and message: what it shows, to leave out edits that change nothing."""

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
        if table_id in self._failures and table_id in self._waiting:
            # Somebody is here and looks: no reason to wait on.
            self._waiting.pop(table_id).cancel()
        self.changed(table_id)

    async def close(self) -> None:
        """Finish what is being written."""
        self._closing = True
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
            async with self._slots:
                await self._bring_up_to_date(table_id)
            self._failures.pop(table_id, None)
        except Refusal:
            log.info("nothing to announce", table=table_id)
        except (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, TimeoutError) as error:
            code = getattr(error, "code", type(error).__name__)
            count(f"discord_{code}")
            log.warning("announcing failed", table=table_id, code=code, status=getattr(error, "status", None))
            pause = self._put_off(table_id, error)
        except Exception as error:
            log.exception("announcing failed", table=table_id, error_id=error_id())
            pause = self._put_off(table_id, error)
        finally:
            del self._running[table_id]
            if not self._closing:
                # The pause is kept also when nothing waits yet, so that the next change cannot outrun it.
                loop = asyncio.get_running_loop()
                self._waiting[table_id] = loop.call_later(pause, self._paused, table_id)

    def _put_off(self, table_id: str, error: Exception) -> float:
        """Seconds until the next try after one more failure."""
        self._again.add(table_id)
        failures = self._failures[table_id] = self._failures.get(table_id, 0) + 1
        first = REFUSED_PAUSE if isinstance(error, discord.Forbidden) else RETRY_AFTER
        asked = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
        return max(asked, min(LONGEST_PAUSE, first * 2.0 ** (min(failures, 16) - 1)))

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
            self._failures.pop(table_id, None)

    async def _ended_unseen(self, table: PublicTable) -> PublicTable:
        """The channel is gone and nobody can see this table any more: end it, so that its players are free."""
        assert self._tables is not None
        if table.phase is Phase.OVER:
            return table
        return await self._tables.submit(Abandon(request=f"channel-gone-{table.id}", table_id=table.id))

    def channel(self, table: PublicTable) -> discord.PartialMessageable:
        """Where the table is shown; nothing needs to be fetched for it."""
        assert self._client is not None
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)

    def shows(self, table_id: str, message_id: int, screen: Screen) -> bool:
        """Whether that message shows just this already."""
        return self._written.get(table_id, {}).get(message_id) == payload(screen)

    def showing(self, table_id: str, message_id: int, screen: Screen | None) -> None:
        """Remember what that message shows; None while that is not certain."""
        written = self._written.setdefault(table_id, {})
        if screen is None:
            written.pop(message_id, None)
        else:
            written[message_id] = payload(screen)


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
        if table.damaged:
            await self._settle_damaged()
            return
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
        for story in self._table.story:
            post = self._posts.get(("turn", story.number))
            if 0 < story.number < before and (post is None or post.message_id is None):
                screen = folded_turn_screen(self._table, story.number, self._t)
                await self._put("turn", story.number, screen, settled=True)

    async def _prompt(self) -> None:
        screen = prompt_screen(self._table, self._t)
        post = self._posts.get(("prompt", self._table.window))
        if screen is not None:
            turn = self._posts.get(("turn", self._table.view.number if self._table.view else 0))
            await self._put("prompt", self._table.window, screen, reply_to=turn.message_id if turn else None)
        elif post is not None and post.message_id is not None and not post.settled:
            # Whoever was called has answered; the others have not.
            await self._delete(post)

    async def _settle_old(self) -> None:
        """Messages whose time is over: turns become their story, calls to one player go (the story tells the rest)."""
        table, t = self._table, self._t
        assert table.view is not None
        playing = table.phase is Phase.PLAYING
        for kind, number, post in self._open_posts():
            if kind == "lobby":
                await self._put(kind, number, lobby_screen(table, t), settled=True)
            elif kind == "turn" and not (playing and number == table.view.number):
                await self._put(kind, number, folded_turn_screen(table, number, t), settled=True)
            elif kind == "prompt" and not (playing and number == table.window):
                await self._delete(post)

    async def _settle_damaged(self) -> None:
        """A game that cannot be replayed has nothing left to press: its newest message says so."""
        last = max((number for kind, number in self._posts if kind == "turn"), default=0)
        for kind, number, post in self._open_posts():
            if kind == "prompt":
                await self._delete(post)
            elif kind == "lobby" and last:
                await self._put(kind, number, lobby_screen(self._table, self._t), settled=True)
            else:
                over = self._table.phase is Phase.OVER or number != last
                await self._put(kind, number, damaged_screen(self._table, self._t), settled=over)

    def _open_posts(self) -> list[tuple[str, int, Post]]:
        """The messages that are not settled."""
        posts = self._posts.items()
        return [(*key, post) for key, post in posts if not post.settled and post.message_id is not None]

    async def _put(
        self, kind: str, number: int, screen: Screen, *, settled: bool = False, reply_to: int | None = None
    ) -> None:
        """Make the message of that kind and number show `screen`: create it, edit it, or leave it as it is."""
        post = self._posts.get((kind, number))
        if post is not None and post.message_id is not None:
            there = await self._edit(post, screen)
            if there or (settled and not self._must_stay(kind)):
                # Where somebody has deleted a message that is over anyway, it stays deleted.
                if settled and not post.settled:
                    await self._save(replace(post, settled=True))
                return
            post = replace(post, attempt=post.attempt + 1, message_id=None, settled=False)
            await self._save(post)
            tried = False
        elif post is None:
            # The attempt is stored before anything is sent: after a crash the same nonce finds the same message.
            post = Post(kind, number, 1, None, settled=False)
            await self._save(post)
            tried = False
        else:
            tried = True
        message_id = await self._send(post, screen, reply_to)
        await self._save(replace(post, message_id=message_id, settled=settled and not tried))
        if tried:
            # The earlier try may have arrived after all: then this is its message, and shows what was true then.
            self._announcer.showing(self._table.id, message_id, None)
            await self._put(kind, number, screen, settled=settled)

    def _must_stay(self, kind: str) -> bool:
        """Whether people need the message when it is over: the result, and the numbers of the shuffle at the deal."""
        return kind == "result" or (kind == "lobby" and self._table.mix is not None)

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
        self._announcer.showing(self._table.id, message.id, screen)
        return message.id

    async def _edit(self, post: Post, screen: Screen) -> bool:
        """Edit if it shows something else. False: the message is gone."""
        assert post.message_id is not None
        if self._announcer.shows(self._table.id, post.message_id, screen):
            return True
        # Should the answer to this edit be lost, it is not known what the message shows.
        self._announcer.showing(self._table.id, post.message_id, None)
        message = self._announcer.channel(self._table).get_partial_message(post.message_id)
        try:
            await message.edit(**to_edit(screen))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            return False
        count("message_edited")
        self._announcer.showing(self._table.id, post.message_id, screen)
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
        await self._save(replace(post, settled=True))

    async def _save(self, post: Post) -> None:
        await self._tables.save_post(self._table.id, post)
        self._posts[post.kind, post.number] = post
