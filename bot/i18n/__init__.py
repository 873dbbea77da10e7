"""The catalogs: every sentence a person reads, in the reader's language.

Owns: the way from an English sentence with named {placeholders} (the gettext msgid) to its wording in a locale.
Catalogs are the .po files under `locales`, read once at first use; English needs none. Knows neither Discord nor the
game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Literal

from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

SOURCE = "en"
"""The language of the msgids."""

LOCALES = Path(__file__).parent / "locales"

_EUPHONY = {
    " y ": (" e ", re.compile(r"\W*h?[ií](?!(?<=h.)[ae])", re.IGNORECASE)),
    " o ": (" u ", re.compile(r"\W*h?[oó]", re.IGNORECASE)),
}
"""What Spanish says for "and" and "or" before a word that begins with the same sound; CLDR's patterns leave it out."""


def N_(message: str) -> str:  # noqa: N802 - gettext's own word for it
    """Mark `message` for the catalogs where it stands, to be translated later."""
    return message


class Translator:
    """Words sentences in one locale. `t("Waiting for {names}.", names=...)`."""

    def __init__(self, locale: Locale, catalog: NullTranslations) -> None:
        self.locale = locale
        self._catalog = catalog

    def __call__(self, message: str, /, **facts: object) -> str:
        """`message` in this language, with its placeholders filled."""
        return self._catalog.gettext(message).format(**facts)

    def n(self, singular: str, plural: str, count: int, /, **facts: object) -> str:
        """The form of the sentence that goes with `count`, which fills the placeholder {count}."""
        return self._catalog.ngettext(singular, plural, count).format(count=count, **facts)

    def list(self, items: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        """`Ana, Bob, and Cid`, or with style `or` `Ana, Bob, or Cid`."""
        text = format_list(items, style=style, locale=self.locale)
        return _euphonic(text, items[-1]) if self.locale.language == "es" and items else text

    def language(self, code: str) -> str:
        """The name of the language `code`, in this language."""
        return _parsed(code).get_display_name(self.locale) or code

    def __repr__(self) -> str:
        return f"Translator({self.locale})"


def _euphonic(text: str, last: str) -> str:
    """A Spanish list, `Ana y Inés` made `Ana e Inés`."""
    for joiner, (instead, sounds) in _EUPHONY.items():
        if text.endswith(joiner + last) and sounds.match(last):
            return text.removesuffix(joiner + last) + instead + last
    return text


@cache
def translator(locale: str) -> Translator:
    """The translator for `locale` (`es`, `pt-BR`, ...); the closest for one without a catalog, else English."""
    return _loaded(_closest(_parsed(locale)))


def language_of(locale: str) -> str:
    """The code of the language that the bot speaks to `locale`: `en`, `es` or `pt_BR`."""
    return _closest(_parsed(locale))


def endonym(code: str) -> str:
    """What a language calls itself, to stand alone: `Español`."""
    locale = _parsed(code)
    name = locale.get_language_name(locale) or code
    return name[:1].upper() + name[1:]


@cache
def languages() -> tuple[str, ...]:
    """Codes of the languages that the bot speaks: `en`, `es`, `pt_BR`."""
    return SOURCE, *sorted(path.name for path in LOCALES.iterdir() if path.is_dir())


def po_file(code: str) -> Path:
    """Where the catalog of the language `code` is kept."""
    return LOCALES / code / "LC_MESSAGES" / "messages.po"


def _parsed(code: str) -> Locale:
    try:
        return Locale.parse(code.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Locale.parse(SOURCE)


def _closest(locale: Locale) -> str:
    codes = languages()
    wanted = (str(locale), locale.language)
    exact = (code for want in wanted for code in codes if code == want)
    kin = (code for code in codes if code.partition("_")[0] == locale.language)
    return next(exact, None) or next(kin, None) or SOURCE


@cache
def _loaded(code: str) -> Translator:
    """Compiled in memory: no .mo file can be older than its .po."""
    locale = Locale.parse(code)
    if code == SOURCE:
        return Translator(locale, NullTranslations())
    compiled = BytesIO()
    with po_file(code).open("rb") as source:
        write_mo(compiled, read_po(source, locale=code))
    compiled.seek(0)
    return Translator(locale, GNUTranslations(compiled))
