"""What the documents tell people to run exists, and runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README, CONTRIBUTING = ((ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md"))


def test_the_games_of_the_readme_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        exec(block, {})
    assert re.fullmatch(r"(ana|bob|cid) wins\n", capsys.readouterr().out)


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_target_that_is_named_is_one_of_make(text: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE))
    assert named
    assert named <= targets
