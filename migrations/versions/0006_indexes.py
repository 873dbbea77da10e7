"""Indexes for what is asked of tables all day long: neither the sweep nor a new game reads all that are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """For what is open, not announced or not settled, and for the last game of a channel, alone or with its threads."""
    _partial("ix_tables_open", "deadline_at", "open_channel_id IS NOT NULL")
    _partial("ix_tables_unannounced", "id", "announced_version < version")
    op.create_index(
        "ix_posts_unsettled",
        "posts",
        ["table_id"],
        sqlite_where=sa.text("settled = 0"),
        postgresql_where=sa.text("NOT settled"),
    )
    op.create_index("ix_tables_channel_id_ended_at", "tables", ["channel_id", "ended_at"])
    op.create_index("ix_tables_parent_id_ended_at", "tables", ["parent_id", "ended_at"])
    op.drop_index("ix_tables_phase_deadline_at", "tables")
    op.drop_index("ix_tables_parent_id", "tables")


def downgrade() -> None:
    """As before."""
    op.drop_index("ix_posts_unsettled", "posts")
    op.create_index("ix_tables_parent_id", "tables", ["parent_id"])
    op.create_index("ix_tables_phase_deadline_at", "tables", ["phase", "deadline_at"])
    for name in ("parent_id_ended_at", "channel_id_ended_at", "unannounced", "open"):
        op.drop_index(f"ix_tables_{name}", "tables")


def _partial(name: str, column: str, where: str) -> None:
    op.create_index(name, "tables", [column], sqlite_where=sa.text(where), postgresql_where=sa.text(where))
