"""The catalogs are in step with the source and cannot break a sentence."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.i18n import N_, SOURCE, languages, po_file, translator
from bot.i18n.extract import POT, po_text, pot_text, template

TRANSLATED = tuple(code for code in languages() if code != SOURCE)


def test_the_template_is_up_to_date() -> None:
    assert POT.read_bytes() == pot_text(), "run: python -m bot.i18n"


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_catalog_is_up_to_date(code: str) -> None:
    assert po_file(code).read_bytes() == po_text(code), "run: python -m bot.i18n"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_sentence_is_translated_whole(code: str) -> None:
    with po_file(code).open("rb") as source:
        catalog = read_po(source, locale=code)
    for message in catalog:
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        originals = [message.id] if isinstance(message.id, str) else list(message.id)
        translations = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert len(translations) == (1 if len(originals) == 1 else catalog.num_plurals), message.id
        for text in translations:
            assert text, message.id
            # The form for one may say it in a word.
            wanted = _placeholders(originals[-1])
            assert _placeholders(text) in (wanted, wanted - {"count"} if len(originals) > 1 else wanted), text


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_placeholders_are_named() -> None:
    for message in template():
        for text in [message.id] if isinstance(message.id, str) else list(message.id):
            assert all(name.isidentifier() for name in _placeholders(text)), text


def test_calls_are_found_also_inside_others() -> None:
    found = {message.id for message in template()}
    # hand.py: the second is an argument of the first.
    assert {"{character}: tax 3 coins; block foreign aid.", "Your cards: {cards}.", "Allow"} <= found
    assert ("You have {count} coin.", "You have {count} coins.") in found


def test_english_speaks_without_a_translation() -> None:
    t = translator("en-US")
    assert t is translator("en")
    assert t("Waiting for {names}.", names=t.list(["Ana", "{x}"])) == "Waiting for Ana and {x}."
    assert [t.n("{count} coin", "{count} coins", count) for count in (0, 1, 2)] == ["0 coins", "1 coin", "2 coins"]
    assert t.list(["Ana", "Bob", "Cid"], style="or") == "Ana, Bob, or Cid"
    assert t.language("pt-BR") == "Portuguese (Brazil)"
    assert N_("x") == "x"


@pytest.mark.parametrize("locale", ["", "xx", "tlh-XX", "not a locale", "e", "zz_ZZ"])
def test_an_unknown_locale_is_english(locale: str) -> None:
    assert translator(locale)("x") == "x"


def test_the_catalogs_lie_beside_the_code() -> None:
    assert Path(POT).is_file()
    assert languages() == ("en", "es", "pt_BR")


@pytest.mark.parametrize(
    ("last", "both", "either"),
    [
        ("Bob", "y", "o"),
        ("Inés", "e", "o"),
        ("**Íker**", "e", "o"),
        ("Hilda", "e", "o"),
        ("Hielo", "y", "o"),
        ("Yago", "y", "o"),
        ("Olga", "y", "u"),
        ("**Hortensia**", "y", "u"),
    ],
)
def test_spanish_joins_by_sound(last: str, both: str, either: str) -> None:
    t = translator("es")
    assert t.list(["Ana", last]) == f"Ana {both} {last}"
    assert t.list(["Ana", "Bob", last], style="or") == f"Ana, Bob {either} {last}"
    assert translator("pt_BR").list(["Ana", last]) == f"Ana e {last}"
