"""Games that pause, players who allow without being asked, moves that others made, and threads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every table so far hangs on its own channel and pauses for nothing."""
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sa.Column("parent_id", sa.BigInteger, nullable=True))
        tables.add_column(sa.Column("paused", sa.String(16), nullable=True))
        tables.drop_index("ix_tables_channel_id")
    op.execute(sa.text("UPDATE tables SET parent_id = channel_id"))
    with op.batch_alter_table("tables") as tables:
        tables.alter_column("parent_id", existing_type=sa.BigInteger, nullable=False)
        tables.create_index("ix_tables_parent_id", ["parent_id"])
        tables.create_index("ix_tables_guild_id", ["guild_id"])
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("auto_allow", sa.Boolean, nullable=True))
    op.execute(sa.text("UPDATE seats SET auto_allow = (1 = 0)"))
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("auto_allow", existing_type=sa.Boolean, nullable=False)
    with op.batch_alter_table("moves") as moves:
        moves.add_column(sa.Column("cause", sa.String(16), nullable=True))


def downgrade() -> None:
    """As before; what was paused goes on."""
    with op.batch_alter_table("moves") as moves:
        moves.drop_column("cause")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("auto_allow")
    with op.batch_alter_table("tables") as tables:
        tables.drop_index("ix_tables_guild_id")
        tables.drop_index("ix_tables_parent_id")
        tables.create_index("ix_tables_channel_id", ["channel_id"])
        tables.drop_column("paused")
        tables.drop_column("parent_id")
