"""Hands by DM: one message a player a game, sent at the deal and edited as the hand changes.

Owns: to whom a hand is sent, and what becomes of one that cannot be delivered. It is one of the ways on which hidden
cards leave the bot (`bot.ui` lists them), and writes nowhere but to the player's own DM. No game waits for it.
"""

from __future__ import annotations

import asyncio
from functools import partial

import discord

from bot.tables.errors import Refusal
from bot.tables.people import Person
from bot.tables.service import Tables
from bot.tables.table import Phase, Player, Post, PostKind, PublicTable
from bot.telemetry import count, logger
from bot.ui.discord_errors import DM_REFUSED, TROUBLE
from bot.ui.hand import dm_screen, no_dm_screen, over_dm_screen
from bot.ui.pace import Pace
from bot.ui.posts import Part, Posts
from bot.ui.readers import Readers
from bot.ui.rounds import Rounds, Unfinished

log = logger(__name__)


class DirectHands:
    """Sends players their hands. An `Audience` of the tables."""

    def __init__(self, client: discord.Client, tables: Tables, readers: Readers, pace: Pace) -> None:
        self._client = client
        self._tables = tables
        self._readers = readers
        self._pace = pace
        self._rounds = Rounds("delivering hands", self._deliver)
        self._shown: dict[tuple[str, int], dict[int, bytes]] = {}
        """By table and player: what their message shows, to leave out edits that change nothing."""
        self._channels: dict[int, int] = {}
        """By person: where their DMs with us are. It never changes, and asking is a request."""
        self._undelivered: set[tuple[str, int]] = set()
        """Players of a table who could not be reached and have not yet been told so."""
        self._asked_for: set[tuple[str, int]] = set()
        """Players of a table who have just said that they want their hand, even if it could not be sent before."""

    def changed(self, table_id: str) -> None:
        """Bring the hands of `table_id` up to date, now or as soon as its turn comes."""
        self._rounds.ask(table_id)

    def take_notice(self, table_id: str, user_id: int) -> bool:
        """Whether their hand could not be sent to them, and they have not been told: once true, then not again."""
        undelivered = (table_id, user_id) in self._undelivered
        self._undelivered.discard((table_id, user_id))
        return undelivered

    def overwritten(self, table_id: str, user_id: int, message_id: int) -> None:
        """A click may have made anything of this message: should it be their hand, the next change writes it anew."""
        self._shown.get((table_id, user_id), {}).pop(message_id, None)

    async def switch(self, user_id: int, *, on: bool) -> Person:
        """Somebody wants their hands by DM, or none: at every table where they sit now, and at those to come."""
        person = await self._readers.choose(user_id, dm_hand=on)
        for table in await self._tables.of_player(user_id):
            if on and table.phase is Phase.PLAYING:
                self._asked_for.add((table.id, user_id))
            self.changed(table.id)
        return person

    async def close(self) -> None:
        """Finish what is being written."""
        await self._rounds.close()

    async def _deliver(self, table_id: str) -> None:
        try:
            table = await self._tables.table(table_id)
        except Refusal:
            return
        if table.view is None and not (table.damaged and table.phase is Phase.OVER):
            return
        players = enumerate(table.players)
        done = await asyncio.gather(*(self._bring(table, *one) for one in players), return_exceptions=True)
        errors = [error for error in done if isinstance(error, Exception)]
        if errors:
            # A mistake of ours must be heard of, whatever Discord did to the others' hands.
            raise Unfinished(next((error for error in errors if not isinstance(error, TROUBLE)), errors[0]))
        if table.phase is Phase.OVER:
            for player in table.players:
                self._shown.pop((table.id, player.user_id), None)
                self._undelivered.discard((table.id, player.user_id))

    async def _bring(self, table: PublicTable, seat: int, player: Player) -> None:
        """One player's message."""
        post = table.post(PostKind.HAND, seat)
        wanted = await self._readers.dm_hand(player.user_id)
        asked_for = (table.id, player.user_id) in self._asked_for
        self._asked_for.discard((table.id, player.user_id))
        last = not wanted or table.phase is Phase.OVER or _is_out(table, seat)
        if last and (post is None or post.settled):
            return
        if post is not None and post.settled and post.message_id is None and not asked_for:
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
            if error.code not in DM_REFUSED and error.status not in (400, 404):
                raise
            await self._give_up(table, seat, player, error)

    async def _give_up(self, table: PublicTable, seat: int, player: Player, error: discord.HTTPException) -> None:
        """For this game: whoever closes their DMs has their hand in the channel's private panels."""
        count(f"discord_{error.code}")
        log.info("hand not delivered", table=table.id, code=error.code)
        await self._tables.save_post(table.id, Post(PostKind.HAND, seat, 1, None, settled=True))
        self._undelivered.add((table.id, player.user_id))

    async def _posts(self, table: PublicTable, player: Player) -> Posts:
        save = partial(self._tables.save_post, table.id)
        if player.user_id not in self._channels:
            await self._pace.turn()
            self._channels[player.user_id] = (await self._client.create_dm(discord.Object(player.user_id))).id
        channel = self._client.get_partial_messageable(self._channels[player.user_id])
        shown = self._shown.setdefault((table.id, player.user_id), {})
        return Posts(channel, table.id, table.posts, shown, save, self._pace)


def _is_out(table: PublicTable, seat: int) -> bool:
    """Whether nothing that still happens at the table can change their hand."""
    return table.view is not None and table.view.seats[seat].out
