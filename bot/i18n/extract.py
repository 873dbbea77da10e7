"""Where the catalogs' messages come from: calls of `t`, `t.n` and `N_` in the bot's source.

Owns: the extraction of msgids and the layout of messages.pot and the .po files. Part of the workshop, not of the
running bot.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.i18n import LOCALES, SOURCE, po_file

BOT = Path(__file__).parent.parent
POT = LOCALES / "messages.pot"
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


def messages(source: str) -> Iterator[str | tuple[str, str]]:
    """The msgids in Python `source`; a pair for one with a plural."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        literals = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        match node.func:
            case ast.Name(id="t" | "N_") | ast.Attribute(attr="t") if literals:
                yield literals[0]
            case ast.Attribute(attr="n") if len(literals) >= 2:
                yield literals[0], literals[1]


def template(root: Path = BOT) -> Catalog:
    """All messages of the sources under `root`, by file and then by their order of appearance."""
    catalog = Catalog()
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root.parent).as_posix()
        for message in messages(path.read_text("utf-8")):
            catalog.add(message, locations=[(place, 0)])
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
    return _HEADER.format(code=code, plural=Catalog(locale=code).plural_forms).encode() + out.getvalue()
