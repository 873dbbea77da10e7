"""Where the catalogs' messages come from: calls of `t`, `t.n` and `N_` in the bot's source.

Owns: the layout of messages.pot and the .po files. Part of the workshop, not of the running bot.
"""

from __future__ import annotations

from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot.i18n import LOCALES, SOURCE, po_file

BOT = LOCALES.parent.parent
POT = LOCALES / "messages.pot"
_KEYWORDS = {"t": None, "N_": None, "n": (1, 2)}
_HEADER = """\
# The sentences of coup-discord. `python -m bot.i18n` keeps this file in step with the source.
msgid ""
msgstr ""
"Language: {code}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""Without dates and versions of tools: a catalog changes only when a message does."""


def template() -> Catalog:
    """All messages of the bot's sources, by file and then by their order of appearance."""
    catalog = Catalog()
    found = extract_from_dir(BOT, [("**.py", "python")], keywords=_KEYWORDS)
    for file, _line, message, _comments, _context in sorted(found, key=lambda one: one[:2]):
        catalog.add(message, locations=[(f"{BOT.name}/{file}", 0)])
    return catalog


def pot_text() -> bytes:
    """What messages.pot must contain."""
    return _written(template(), SOURCE)


def po_text(code: str) -> bytes:
    """The catalog of the language `code` brought up to date: new messages empty, those gone from the source dropped."""
    path = po_file(code)
    catalog = Catalog(locale=code)
    if path.exists():
        with path.open("rb") as source:
            catalog = read_po(source, locale=code)
    catalog.update(template(), no_fuzzy_matching=True)
    return _written(catalog, code)


def _written(catalog: Catalog, code: str) -> bytes:
    out = BytesIO()
    write_po(out, catalog, width=120, include_lineno=False, ignore_obsolete=True, omit_header=True)
    return _HEADER.format(code=code, plural=catalog.plural_forms).encode() + out.getvalue()
