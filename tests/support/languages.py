"""Which language something is in, judged by the catalogs.

Owns: sentences of the catalogs as patterns, and finding among some words a sentence that another language would say.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache

from babel.messages.pofile import read_po

from bot.i18n import SOURCE, languages, po_file
from bot.i18n.extract import template

GAP = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands in a sentence for what fills a placeholder."""

FEWEST_LETTERS = 3
"""Of a sentence, without what fills it; fewer belong to no language."""


def heard(sentence: str, text: str) -> tuple[str, ...] | None:
    """What fills the gaps of `sentence` where `text` says it; None where it does not."""
    found = _pattern(sentence).search(text)
    return None if found is None else found.groups()


def foreign(text: str, language: str) -> list[str]:
    """The sentences of other languages that `text` says, which in `language` nobody would."""
    return [sentence for sentence in _foreign_to(language) if _says(text, sentence)]


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in sentence.split(GAP)]
    return re.compile(rf"(?<!\w){'(.+?)'.join(parts)}(?!\w)")


def _says(text: str, sentence: str) -> bool:
    # Looking for the words first is much faster, and mostly enough.
    return all(part in text for part in sentence.split(GAP)) and _pattern(sentence).search(text) is not None


@cache
def _foreign_to(language: str) -> tuple[str, ...]:
    own = "\n".join(_sentences(language))
    others = {sentence for code in languages() if code != language for sentence in _sentences(code)}
    return tuple(sentence for sentence in sorted(others) if not _says(own, sentence))


@cache
def _sentences(language: str) -> frozenset[str]:
    """Every wording of that catalog that has words of its own."""
    return frozenset(
        sentence for sentence in map(_gapped, _wordings(language)) if sum(map(str.isalpha, sentence)) >= FEWEST_LETTERS
    )


def _wordings(language: str) -> Iterator[str]:
    if language == SOURCE:
        for message in template():
            yield from [message.id] if isinstance(message.id, str) else message.id
        return
    with po_file(language).open("rb") as source:
        catalog = read_po(source, locale=language)
    for message in catalog:
        if message.id:
            yield from [message.string] if isinstance(message.string, str) else message.string or ()


def _gapped(wording: str) -> str:
    return "".join(text + ("" if name is None else GAP) for text, name, _, _ in string.Formatter().parse(wording))
