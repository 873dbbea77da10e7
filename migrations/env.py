"""Alembic's entry: runs the migrations on the connection that `bot.storage.migrate` hands over."""

from alembic import context

from bot.storage.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True, compare_type=True)
with context.begin_transaction():
    context.run_migrations()
