"""The database's schema, step by step (alembic). `python -m bot migrate` applies them; so does `run` at its start."""
