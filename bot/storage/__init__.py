"""Where tables are kept: a database through SQLAlchemy, its schema through alembic. Knows no Discord."""
