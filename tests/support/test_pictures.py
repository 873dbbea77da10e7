"""The pages of sample screens."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.i18n import SOURCE, languages, translator
from bot.ui.refusals import MISTAKES, REASONS
from tests.support import pictures, scenes


def test_there_is_a_page_of_each_kind_in_each_language(tmp_path: Path) -> None:
    pictures.main([str(tmp_path)])
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["en", "es", "pt-BR"]
    for folder in tmp_path.iterdir():
        assert {file.stem for file in folder.iterdir()} == set(scenes.PAGES)
    assert "Bloquear como Capitán" in (tmp_path / "es" / "turns.html").read_text("utf-8")
    assert "dentro de 28 segundos" in (tmp_path / "es" / "turns.html").read_text("utf-8")


def test_one_language_is_enough_where_it_is_asked_for(tmp_path: Path) -> None:
    pictures.main([str(tmp_path), "--language", "pt-BR", "--phone"])
    assert [folder.name for folder in tmp_path.iterdir()] == ["pt-BR"]
    assert f"width: {pictures.PHONE}px" in (tmp_path / "pt-BR" / "hands.html").read_text("utf-8")


def test_every_refusal_is_among_the_scenes() -> None:
    shown = {scene.caption for scene in scenes.refusals(translator(SOURCE))}
    assert shown == (set(MISTAKES) | set(REASONS)) - {"illegal"}


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("name", scenes.PAGES)
def test_no_sentence_glues_and_no_name_is_missing(code: str, name: str) -> None:
    for scene in scenes.PAGES[name](translator(code)):
        texts = [scene.screen.content]
        if scene.screen.embed is not None:
            texts += [scene.screen.embed.title, scene.screen.embed.description, scene.screen.embed.footer]
        for text in texts:
            for wrong in ("  ", " .", " ,", "..", "{", "}", "****", "None"):
                assert wrong not in text, scene.caption
