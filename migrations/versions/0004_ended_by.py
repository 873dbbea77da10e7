"""Who ended a table, by id: a moderator needs no seat there, and their name goes when they have their data deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Whoever had a seat is found by their name; of anybody else nobody could say whose name it is."""
    op.add_column("tables", sa.Column("ended_by_id", sa.BigInteger, nullable=True))
    op.execute(
        sa.text(
            "UPDATE tables SET ended_by_id = (SELECT min(seats.user_id) FROM seats WHERE seats.table_id = tables.id"
            " AND seats.name = tables.ended_by) WHERE ended_by IS NOT NULL"
        )
    )
    op.execute(sa.text("UPDATE tables SET ended_by = '?' WHERE ended_by IS NOT NULL AND ended_by_id IS NULL"))


def downgrade() -> None:
    """Names alone."""
    op.drop_column("tables", "ended_by_id")
