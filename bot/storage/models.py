"""The schema, as SQLAlchemy sees it. `migrations/` makes it; a test holds the two together.

Owns: tables, seats, moves, posts, people and facts. Portable: nothing here is particular to one database.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, MetaData, String, Text, UniqueConstraint, text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class Utc(TypeDecorator[datetime]):
    """An aware time in UTC, also on a database that keeps none of the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """To the database: in UTC."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without its zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """From the database: aware."""
        del dialect
        if value is None:
            return None
        found: datetime = value
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


class Base(DeclarativeBase):
    """Names every constraint, so that a migration can name it too."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


_OPEN = text("open_channel_id IS NOT NULL")
_UNANNOUNCED = text("announced_version < version")


class TableModel(Base):
    """One table; the columns are those of `bot.tables.ports.TableRow`."""

    __tablename__ = "tables"
    __table_args__ = (
        # Two small ones, however many tables are over: those that are not, and those whose channel is behind.
        Index("ix_tables_open", "deadline_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
        Index("ix_tables_unannounced", "id", sqlite_where=_UNANNOUNCED, postgresql_where=_UNANNOUNCED),
        Index("ix_tables_channel_id_ended_at", "channel_id", "ended_at"),
        Index("ix_tables_parent_id_ended_at", "parent_id", "ended_at"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    version: Mapped[int]
    request: Mapped[str] = mapped_column(String(64))
    phase: Mapped[str] = mapped_column(String(16))
    guild_id: Mapped[int] = mapped_column(BigInteger, index=True)
    channel_id: Mapped[int] = mapped_column(BigInteger)
    open_channel_id: Mapped[int | None] = mapped_column(BigInteger, unique=True)
    """The channel while the table is open, else NULL: what makes one open table a channel a rule of the database."""
    parent_id: Mapped[int] = mapped_column(BigInteger)
    host_id: Mapped[int] = mapped_column(BigInteger)
    language: Mapped[str] = mapped_column(String(16))
    edition: Mapped[str] = mapped_column(String(64))
    speed: Mapped[str] = mapped_column(String(16))
    seed: Mapped[str] = mapped_column(String(64))
    start: Mapped[str | None] = mapped_column(String(16))
    first: Mapped[int | None]
    mix: Mapped[str | None] = mapped_column(Text)
    window: Mapped[int]
    deadline_at: Mapped[datetime | None] = mapped_column(Utc)
    granted: Mapped[int | None]
    paused: Mapped[str | None] = mapped_column(String(16))
    announced_version: Mapped[int]
    ending: Mapped[str | None] = mapped_column(String(16))
    ended_by: Mapped[str | None] = mapped_column(String(100))
    ended_by_id: Mapped[int | None] = mapped_column(BigInteger)
    winner_id: Mapped[int | None] = mapped_column(BigInteger)
    created_at: Mapped[datetime] = mapped_column(Utc)
    ended_at: Mapped[datetime | None] = mapped_column(Utc)


class SeatModel(Base):
    """A player at a table."""

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("table_id", "user_id"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    user_id: Mapped[int] = mapped_column(BigInteger, index=True)
    name: Mapped[str] = mapped_column(String(200))
    click: Mapped[int] = mapped_column(BigInteger)
    auto_allow: Mapped[bool]


class MoveModel(Base):
    """One line of a table's record."""

    __tablename__ = "moves"

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    line: Mapped[str] = mapped_column(String(120))
    request: Mapped[str] = mapped_column(String(64))
    cause: Mapped[str | None] = mapped_column(String(16))


class PostModel(Base):
    """A message of ours in a table's channel, or in a player's."""

    __tablename__ = "posts"
    __table_args__ = (
        Index("ix_posts_unsettled", "table_id", sqlite_where=text("settled = 0"), postgresql_where=text("NOT settled")),
    )

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    attempt: Mapped[int]
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    settled: Mapped[bool]


class PersonModel(Base):
    """What is remembered of somebody; the columns are those of `bot.tables.people.Person`."""

    __tablename__ = "people"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    language: Mapped[str | None] = mapped_column(String(16))
    locale: Mapped[str | None] = mapped_column(String(16))
    dm_hand: Mapped[bool]
    hints: Mapped[bool]
    games: Mapped[int]


class FactModel(Base):
    """A small fact kept between runs."""

    __tablename__ = "facts"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
