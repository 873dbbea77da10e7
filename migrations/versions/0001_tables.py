"""Tables, seats, moves, posts and facts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the schema."""
    utc = sa.DateTime(timezone=True)
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("open_channel_id", sa.BigInteger, nullable=True),
        sa.Column("host_id", sa.BigInteger, nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("edition", sa.String(64), nullable=False),
        sa.Column("speed", sa.String(16), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("start", sa.String(16), nullable=True),
        sa.Column("first", sa.Integer, nullable=True),
        sa.Column("mix", sa.Text, nullable=True),
        sa.Column("window", sa.Integer, nullable=False),
        sa.Column("deadline_at", utc, nullable=True),
        sa.Column("announced_version", sa.Integer, nullable=False),
        sa.Column("ending", sa.String(16), nullable=True),
        sa.Column("ended_by", sa.String(100), nullable=True),
        sa.Column("winner_id", sa.BigInteger, nullable=True),
        sa.Column("created_at", utc, nullable=False),
        sa.Column("ended_at", utc, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("open_channel_id", name="uq_tables_open_channel_id"),
    )
    op.create_index("ix_tables_channel_id", "tables", ["channel_id"])
    op.create_index("ix_tables_phase_deadline_at", "tables", ["phase", "deadline_at"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("click", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_seats"),
        sa.UniqueConstraint("table_id", "user_id", name="uq_seats_table_id_user_id"),
        _of_table("seats"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("line", sa.String(120), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_moves"),
        _of_table("moves"),
    )
    op.create_table(
        "posts",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=True),
        sa.Column("settled", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "kind", "number", name="pk_posts"),
        _of_table("posts"),
    )
    op.create_table(
        "facts",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_facts"),
    )


def downgrade() -> None:
    """Drop it all."""
    for table in ("facts", "posts", "moves", "seats", "tables"):
        op.drop_table(table)


def _of_table(child: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{child}_table_id_tables", ondelete="CASCADE")
