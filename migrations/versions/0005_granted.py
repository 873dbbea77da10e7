"""How much time people have for an open window, where it was given more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Windows that are open now have their usual length."""
    op.add_column("tables", sa.Column("granted", sa.Integer, nullable=True))


def downgrade() -> None:
    """What was given beyond the deadline of now is forgotten."""
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("granted")
