"""Hands by DM: one message a player a game, sent at the deal and edited as the hand changes.

Owns: to whom a hand is sent, and what becomes of one that cannot be delivered. Besides the answers to clicks this is
the only way on which hidden cards leave the bot, and it writes nowhere but to the player's own DM. No game waits for
it.
"""

from __future__ import annotations

import asyncio
from functools import partial

import discord

from bot.tables.errors import Refusal
from bot.tables.service import Tables
from bot.tables.table import Phase, Player, Post, PostKind, PublicTable
from bot.telemetry import count, logger
from bot.ui.hand import dm_screen, no_dm_screen, over_dm_screen
from bot.ui.posts import Part, Posts
from bot.ui.readers import Readers
from bot.ui.rounds import Rounds, Unfinished

log = logger(__name__)

CLOSED = {40003, 50007, 50278}
"""Discord's codes for somebody whom we may not write to, or not now: opening DMs is rationed."""


class DirectHands:
    """Sends players their hands. An `Audience` of the tables."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self._client: discord.Client | None = None
        self._tables: Tables | None = None
        self._rounds = Rounds(self._deliver)
        self._shown: dict[tuple[str, int], dict[int, bytes]] = {}
        """By table and player: what their message shows, to leave out edits that change nothing."""
        self._undelivered: set[tuple[str, int]] = set()
        """Players of a table who could not be reached and have not yet been told so."""

    def attach(self, client: discord.Client, tables: Tables) -> None:
        """What it writes with, and where it reads; both know it first."""
        self._client, self._tables = client, tables

    def changed(self, table_id: str) -> None:
        """Bring the hands of `table_id` up to date, now or as soon as its turn comes."""
        self._rounds.ask(table_id)

    def take_notice(self, table_id: str, user_id: int) -> bool:
        """Whether their hand could not be sent to them, and they have not been told: once true, then not again."""
        undelivered = (table_id, user_id) in self._undelivered
        self._undelivered.discard((table_id, user_id))
        return undelivered

    async def stop(self, table_id: str, user_id: int) -> None:
        """Somebody does not want their hands by DM, this one and those to come."""
        await self._readers.choose(user_id, dm_hand=False)
        self.changed(table_id)

    async def close(self) -> None:
        """Finish what is being written."""
        await self._rounds.close()

    async def _deliver(self, table_id: str) -> None:
        assert self._tables is not None
        try:
            table = await self._tables.table(table_id)
        except Refusal:
            return
        if table.view is None and not (table.damaged and table.phase is Phase.OVER):
            return
        players = enumerate(table.players)
        done = await asyncio.gather(*(self._bring(table, *one) for one in players), return_exceptions=True)
        for error in done:
            if isinstance(error, Exception):
                raise Unfinished(error)
        if table.phase is Phase.OVER:
            for player in table.players:
                self._shown.pop((table.id, player.user_id), None)
                self._undelivered.discard((table.id, player.user_id))

    async def _bring(self, table: PublicTable, seat: int, player: Player) -> None:
        """One player's message."""
        assert self._tables is not None
        post = next((post for post in table.posts if (post.kind, post.number) == (PostKind.HAND, seat)), None)
        wanted = await self._readers.dm_hand(player.user_id)
        if post is None and (not wanted or table.phase is Phase.OVER):
            return
        last = not wanted or table.phase is Phase.OVER or _is_out(table, seat)
        if post is not None and post.settled and (post.message_id is None or last):
            return
        t = await self._readers.words_for(player.user_id)
        if not wanted:
            screen = no_dm_screen(t)
        elif table.view is None:
            screen = over_dm_screen(table, t)
        else:
            private = await self._tables.private(table.id, player.user_id)
            screen = dm_screen(private, t, hints=await self._readers.hints(player.user_id, table.id))
        part = Part.ACT if wanted and screen.rows else Part.TELL
        try:
            await (await self._posts(table, player)).show(PostKind.HAND, seat, screen, part)
        except discord.HTTPException as error:
            if error.code not in CLOSED and error.status != 400:
                raise
            await self._give_up(table, seat, player, error)

    async def _give_up(self, table: PublicTable, seat: int, player: Player, error: discord.HTTPException) -> None:
        """For this game: whoever closes their DMs has their hand in the channel's private panels."""
        assert self._tables is not None
        count(f"discord_{error.code}")
        log.info("hand not delivered", table=table.id, code=error.code)
        await self._tables.save_post(table.id, Post(PostKind.HAND, seat, 1, None, settled=True))
        self._undelivered.add((table.id, player.user_id))

    async def _posts(self, table: PublicTable, player: Player) -> Posts:
        assert self._client is not None
        assert self._tables is not None
        save = partial(self._tables.save_post, table.id)
        dm = await self._client.create_dm(discord.Object(player.user_id))
        channel = self._client.get_partial_messageable(dm.id)
        shown = self._shown.setdefault((table.id, player.user_id), {})
        return Posts(channel, table.id, table.posts, shown, save)


def _is_out(table: PublicTable, seat: int) -> bool:
    """Whether nothing that still happens at the table can change their hand."""
    return table.view is not None and table.view.seats[seat].out
