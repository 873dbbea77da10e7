"""Which messages a table should have in its channel, and bringing the channel up to that.

Owns: the rule that names the messages (`wanted`), the order in which they are written, and what follows where the
channel is gone or closed to us. It is the only writer of public messages: `rounds` says when, `posts` how.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from enum import Enum, auto
from functools import partial

import discord
from msgspec import Struct

from bot.i18n import Translator, translator
from bot.tables.errors import Refusal
from bot.tables.requests import Abandon, PauseTable, Unblock
from bot.tables.service import Tables
from bot.tables.table import Pause, Phase, Post, PostKind, PublicTable
from bot.telemetry import count, logger
from bot.ui.discord_errors import NO_ACCESS, THREAD_ARCHIVED, TROUBLE, UNKNOWN_CHANNEL
from bot.ui.lobby import lobby_screen
from bot.ui.pace import Pace
from bot.ui.posts import Part, Posts
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.rounds import Rounds, Unfinished
from bot.ui.screen import Screen
from bot.ui.table_message import damaged_screen, folded_turn_screen, paused_screen, turn_screen

log = logger(__name__)


AWAITED_EVERY = 12.0
"""Seconds that a list of who is still awaited stands before a shorter one replaces it: a channel takes only so many
edits, and by then most questions are answered by all. Everything else is shown at once."""


class Fate(Enum):
    """What becomes of a message that shows nothing new."""

    DELETED = auto()
    DISARMED = auto()
    """It keeps its words and loses its buttons."""


class Wanted(Struct, frozen=True):
    """How one message should be."""

    kind: PostKind
    number: int
    form: Screen | Fate
    part: Part


def wanted(table: PublicTable) -> tuple[Wanted, ...]:
    """The messages to write, in their order: turns that nobody saw, what people act on, then what is over.

    A message that is settled, or that nothing is to be done about, is not among them.
    """
    t = translator(table.language)
    if table.damaged:
        first = tuple(_of_damaged(table, t))
    elif table.view is None:
        first = tuple(_of_lobby(table, t))
    else:
        first = (*_missed_turns(table, t), *_of_game(table, t))
    named = {(want.kind, want.number) for want in first}
    rest = (
        post
        for post in table.posts
        if not post.settled and post.kind is not PostKind.HAND and (post.kind, post.number) not in named
    )
    newest_first = sorted(rest, key=lambda post: post.message_id or 0, reverse=True)
    return (*first, *(_last_form(table, post, t) for post in newest_first))


def _of_lobby(table: PublicTable, t: Translator) -> Iterator[Wanted]:
    if table.phase is not Phase.OVER:
        yield Wanted(PostKind.LOBBY, 0, lobby_screen(table, t), Part.ACT)
    elif not _settled(table, PostKind.LOBBY, 0):
        yield Wanted(PostKind.LOBBY, 0, lobby_screen(table, t), Part.TELL)


def _of_damaged(table: PublicTable, t: Translator) -> Iterator[Wanted]:
    """Its newest message says what has happened. The lobby's, once cards were dealt, alone tells the commitment."""
    turns = [post.number for post in table.posts if post.kind is PostKind.TURN]
    started = bool(turns) or table.mix is not None
    kind, number = (PostKind.TURN, max(turns, default=1)) if started else (PostKind.LOBBY, 0)
    over = table.phase is Phase.OVER
    if not (over and _settled(table, kind, number)):
        yield Wanted(kind, number, damaged_screen(table, t), Part.KEEP if over else Part.ACT)


def _missed_turns(table: PublicTable, t: Translator) -> Iterator[Wanted]:
    """Turns that were over before they could be shown; first, so that the channel tells them in their order."""
    assert table.view is not None
    seen = {post.number for post in table.posts if post.kind is PostKind.TURN and (post.settled or post.message_id)}
    for story in table.story:
        going_on = table.phase is Phase.PLAYING and story.number >= table.view.number
        if story.number > 0 and not going_on and story.number not in seen:
            yield Wanted(PostKind.TURN, story.number, folded_turn_screen(table, story.number, t), Part.TELL)


def _of_game(table: PublicTable, t: Translator) -> Iterator[Wanted]:
    assert table.view is not None
    if table.phase is Phase.PLAYING and table.paused is Pause.IDLE:
        # A message of its own: the turn's comes when somebody plays again, and an edited one would call nobody.
        yield Wanted(PostKind.PAUSE, table.view.number, paused_screen(table, t), Part.ACT)
    elif table.phase is Phase.PLAYING:
        yield Wanted(PostKind.TURN, table.view.number, turn_screen(table, t), Part.ACT)
        call = prompt_screen(table, t)
        if call is not None and not _settled(table, PostKind.PROMPT, table.window):
            yield Wanted(PostKind.PROMPT, table.window, call, Part.CALL)
    elif table.result is not None and not _settled(table, PostKind.RESULT, 0):
        yield Wanted(PostKind.RESULT, 0, result_screen(table, t), Part.KEEP)


def _last_form(table: PublicTable, post: Post, t: Translator) -> Wanted:
    """A message whose time is over: a turn becomes its story; a call, or a pause, goes (somebody has answered)."""
    form: Screen | Fate
    part = Part.TELL
    if post.kind in {PostKind.PROMPT, PostKind.PAUSE}:
        form = Fate.DELETED
    elif post.kind is PostKind.TURN:
        form = damaged_screen(table, t) if table.damaged else folded_turn_screen(table, post.number, t)
    elif post.kind is PostKind.LOBBY and not table.damaged:
        # The numbers of the shuffle are told nowhere else at the deal.
        form, part = lobby_screen(table, t), Part.TELL if table.mix is None else Part.KEEP
    else:
        form = Fate.DISARMED
    return Wanted(post.kind, post.number, form, part)


def _settled(table: PublicTable, kind: PostKind, number: int) -> bool:
    post = table.post(kind, number)
    return post is not None and post.settled


class Announcer:
    """Shows tables in their channels. An `Audience` of the tables."""

    def __init__(self, client: discord.Client, tables: Tables, pace: Pace) -> None:
        self._client = client
        self._tables = tables
        self._pace = pace
        self._rounds = Rounds("announcing", self._bring_up_to_date)
        self._shown: dict[str, dict[int, bytes]] = {}
        """By table and message: what it shows, to leave out edits that change nothing."""
        self._looked_for: set[str] = set()
        """Tables that somebody looks for: nothing that we remember of their messages counts."""
        self._scenes: dict[str, tuple[object, float]] = {}
        """By table: what it shows, but for who is still awaited, and when (in the loop's time) that was written."""
        self._closed: dict[str, int] = {}
        """Tables whose channel is closed to us though nothing could be paused, each with its version then."""

    def changed(self, table_id: str) -> None:
        """Show `table_id`, now or as soon as its turn comes."""
        self._rounds.ask(table_id)

    def repair(self, table_id: str) -> None:
        """Show `table_id` again even if we think that the channel is up to date, or closed to us."""
        self._looked_for.add(table_id)
        # Somebody is here and looks: no reason to wait on.
        self._rounds.hurry(table_id)

    def is_shut_out(self, table: PublicTable) -> bool:
        """Whether nothing is written for `table` because its channel was closed to us."""
        return table.paused is Pause.NO_ACCESS or table.id in self._closed

    async def close(self) -> None:
        """Finish what is being written."""
        await self._rounds.close()

    # ------------------------------------------------------------------------------------------------ one round

    async def _bring_up_to_date(self, table_id: str) -> None:
        try:
            table = await self._to_show(table_id)
            if table is not None:
                await self._show(table)
        except Refusal as refusal:
            log.info("nothing to announce", table=table_id, mistake=refusal.mistake)

    async def _to_show(self, table_id: str) -> PublicTable | None:
        """The table; None while its channel is closed to us: then not one request is made."""
        looked_for = table_id in self._looked_for
        self._looked_for.discard(table_id)
        if looked_for:
            self._shown.pop(table_id, None)
            self._closed.pop(table_id, None)
            self._scenes.pop(table_id, None)
        table = await self._tables.table(table_id)
        if self._can_wait(table):
            return None
        if table.paused is Pause.NO_ACCESS:
            if not looked_for:
                return None
            request = f"looked-for-{table.id}-{table.version}"
            table = await self._tables.submit(Unblock(request=request, table_id=table.id, why=Pause.NO_ACCESS))
        return None if self._closed.get(table_id) == table.version else table

    def _can_wait(self, table: PublicTable) -> bool:
        """Whether nothing is new but who is still awaited; then another round is arranged for."""
        scene, (seen, at) = _scene(table), self._scenes.get(table.id, (None, 0.0))
        left = at + AWAITED_EVERY - asyncio.get_running_loop().time()
        if scene is None or scene != seen or left <= 0:
            return False
        self._rounds.later(table.id, left)
        return True

    async def _show(self, table: PublicTable, *, reopened: bool = False) -> None:
        """Write it. A thread that Discord has put away meanwhile is opened again, once."""
        left = None
        try:
            left = await self._write(table)
        except discord.HTTPException as error:
            if error.code == UNKNOWN_CHANNEL:
                table = await self._ended_unseen(table)
            elif error.code == THREAD_ARCHIVED and not reopened and await self._reopened(table):
                await self._show(await self._tables.table(table.id), reopened=True)
                return
            elif error.code not in NO_ACCESS:
                raise
            elif table.phase is not Phase.OVER:
                await self._shut_out(table, error.code)
                return
        if left is not None and table.phase is Phase.OVER:
            raise left
        self._closed.pop(table.id, None)
        await self._tables.announced(table.id, table.version)
        if left is not None:
            raise Unfinished(left)
        self._scenes[table.id] = (_scene(table), asyncio.get_running_loop().time())
        if table.phase is Phase.OVER:
            self._shown.pop(table.id, None)
            self._scenes.pop(table.id, None)

    async def _write(self, table: PublicTable) -> Exception | None:
        """Write what is wanted, each message for itself. Returns what kept one from it that people do not act on.

        Raises what keeps them from acting, and what concerns the whole channel.
        """
        posts = self._posts(table)
        left: Exception | None = None
        for want in wanted(table):
            try:
                await _carry_out(want, table, posts)
            except TROUBLE as error:
                if want.part is Part.ACT or getattr(error, "code", 0) in NO_ACCESS | {UNKNOWN_CHANNEL}:
                    raise
                left = left or error
            else:
                if want.part is Part.ACT and table.view is not None and table.paused is None:
                    self._tables.shown(table.id, table.window)
        return left

    def _posts(self, table: PublicTable) -> Posts:
        """The table's messages; nothing needs to be fetched for its channel."""
        save = partial(self._tables.save_post, table.id)
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        return Posts(channel, table.id, table.posts, self._shown.setdefault(table.id, {}), save, self._pace)

    async def _ended_unseen(self, table: PublicTable) -> PublicTable:
        """The channel is gone and nobody can see this table any more: end it, so that its players are free."""
        if table.phase is Phase.OVER:
            return table
        return await self._tables.submit(Abandon(request=f"channel-gone-{table.id}", table_id=table.id))

    async def _reopened(self, table: PublicTable) -> bool:
        """Whether the table's thread is open again: whoever may write in it may open it, unless it is locked."""
        try:
            thread = await self._client.fetch_channel(table.channel_id)
            if not isinstance(thread, discord.Thread):
                return False
            await thread.edit(archived=False)
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("thread stays archived", table=table.id, code=error.code)
            return False
        count("thread_reopened")
        return True

    async def _shut_out(self, table: PublicTable, code: int) -> None:
        """One refusal is enough: nobody is held to answer what nobody can see, and nothing more is tried."""
        count(f"discord_{code}")
        log.warning("no access to the channel", table=table.id, channel=table.channel_id, code=code)
        request = f"no-access-{table.id}-{table.version}"
        table = await self._tables.submit(PauseTable(request=request, table_id=table.id, why=Pause.NO_ACCESS))
        if table.paused is not Pause.NO_ACCESS:
            self._closed[table.id] = table.version


def _scene(table: PublicTable) -> object:
    """Everything that people act on; None where they do not answer a question together."""
    view = table.view
    if view is None or view.question is None or table.phase is not Phase.PLAYING or table.damaged:
        return None
    called = prompt_screen(table, translator(table.language)) is not None
    return table.window, table.deadline_at, table.paused, called, view.question.declared, view.living


async def _carry_out(want: Wanted, table: PublicTable, posts: Posts) -> None:
    if want.form is Fate.DELETED:
        await posts.remove(want.kind, want.number)
    elif want.form is Fate.DISARMED:
        await posts.disarm(want.kind, want.number)
    else:
        reply_to = None
        if want.kind is PostKind.PROMPT and table.view is not None:
            reply_to = posts.message_id(PostKind.TURN, table.view.number)
        await posts.show(want.kind, want.number, want.form, want.part, reply_to=reply_to)
