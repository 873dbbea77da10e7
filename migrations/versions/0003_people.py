"""What is remembered of people: languages, switches, and how many games they have finished."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games that are over count from the start."""
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("language", sa.String(16), nullable=True),
        sa.Column("locale", sa.String(16), nullable=True),
        sa.Column("dm_hand", sa.Boolean, nullable=False),
        sa.Column("hints", sa.Boolean, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_people"),
    )
    op.execute(
        sa.text(
            "INSERT INTO people (user_id, dm_hand, hints, games) "
            "SELECT seats.user_id, (1 = 1), (1 = 1), count(*) FROM seats JOIN tables ON tables.id = seats.table_id "
            "WHERE tables.ending = 'won' GROUP BY seats.user_id"
        )
    )


def downgrade() -> None:
    """Forget them."""
    op.drop_table("people")
