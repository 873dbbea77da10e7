"""Sample screens as a page to look at: `python -m tests.support.pictures OUTDIR [--png]`.

Owns: the look, which imitates a dark chat, and the scenes. Writes `screens.html` (every screen) and `table.html` (a
table in the channel, as the README shows it); with `--png`, and Chromium installed, a picture of each.
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from bot.tables.table import ClaimTold
from bot.ui.hand import hand_screen, quit_screen, target_screen
from bot.ui.help import rules_screen
from bot.ui.lobby import lobby_screen
from bot.ui.prompts import prompt_screen
from bot.ui.result import result_screen
from bot.ui.screen import Button, Screen, Select
from bot.ui.table_message import folded_turn_screen, turn_screen
from bot.ui.tour import tour_screen
from coup_core.cards import Character
from tests.ui.positions import PEOPLE, Sitting, T, lobby, played_out, three

Scene = tuple[str, Screen, bool]
"""Caption, screen, and whether only one person sees it."""

STYLE = """
body { background: #313338; color: #dbdee1; font: 16px/1.375 'Noto Sans', 'DejaVu Sans', sans-serif; margin: 0 }
main { width: 760px; padding: 16px }
h2 { color: #949ba4; font-size: 12px; font-weight: 600; margin: 26px 0 4px 56px; text-transform: uppercase }
.message { display: flex; gap: 16px; margin: 4px 0 14px }
.private { background: #373a53; margin: 4px -8px 14px; padding: 6px 8px; border-radius: 4px }
.face { width: 40px; height: 40px; border-radius: 50%; background: #5865f2; color: #fff; flex: none;
        display: grid; place-items: center; font-weight: 700 }
.who { color: #f2f3f5; font-weight: 600 } .bot { background: #5865f2; border-radius: 3px; color: #fff;
        font-size: 10px; padding: 1px 4px; vertical-align: 2px; margin-left: 4px }
.body { flex: 1; min-width: 0 } .text { white-space: pre-wrap; overflow-wrap: anywhere }
.mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px }
.time { background: #40444b; border-radius: 3px; padding: 0 2px }
code { background: #2b2d31; border-radius: 3px; font-size: 13px; padding: 1px 3px; overflow-wrap: anywhere }
.embed { background: #2b2d31; border-left: 4px solid #4e5058; border-radius: 4px; margin-top: 6px; padding: 10px 14px;
         font-size: 14px; max-width: 516px } .title { color: #f2f3f5; font-weight: 600; margin-bottom: 6px }
.footer { color: #b5bac1; font-size: 12px; margin-top: 8px }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px }
.button { border-radius: 4px; color: #fff; font-size: 14px; font-weight: 500; padding: 6px 14px }
.secondary { background: #4e5058 } .primary { background: #5865f2 } .success { background: #248046 }
.danger { background: #da373c } .disabled { opacity: .5 }
.select { background: #1e1f22; border-radius: 4px; font-size: 14px; padding: 8px 12px; width: 340px; color: #949ba4 }
.option { border-top: 1px solid #2b2d31; color: #dbdee1; margin-top: 6px; padding-top: 6px }
.file { background: #2b2d31; border-radius: 6px; display: inline-block; margin-top: 8px; padding: 10px 14px }
.note { color: #949ba4; font-size: 12px; margin-top: 4px }
"""
MARKDOWN = (
    (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
    (r"~~(.+?)~~", r"<s>\1</s>"),
    (r"`(.+?)`", r"<code>\1</code>"),
    (r"(?m)^- ", "&nbsp;• "),
    (r"&lt;t:\d+:R&gt;", '<span class="time">in 28 seconds</span>'),
)


def scenes() -> Iterable[Scene]:
    """Every kind of screen once."""
    yield "Lobby", lobby_screen(lobby(), T), False
    yield "Lobby, started", lobby_screen(three().table, T), False
    yield "The first turn", turn_screen(three().table, T), False
    yield "A choice of targets", target_screen(three().seat(0), "steal", T), True
    stealing = three().play("a: steal b")
    yield "Reaction window", turn_screen(stealing.table, T), False
    yield "The call to the target", _prompt(stealing), False
    yield "Foreign aid", turn_screen(three().play("a: foreign-aid").table, T), False
    blocked = three().play("a: steal b", "b: block captain")
    yield "A declared block", turn_screen(blocked.table, T), False
    window = three().play("a: steal b", "b: block captain", "c: pass")
    yield "Block window", turn_screen(window.table, T), False
    window.play("a: challenge")
    yield "Proof, in the channel", turn_screen(window.table, T), False
    yield "Proof, the call", _prompt(window), False
    yield "Proof, in the panel", hand_screen(window.seat(1), T), True
    shown = three().play("a: tax", "b: challenge")
    yield "Proof by a holder", hand_screen(shown.seat(0), T), True
    yield "Losing an influence", hand_screen(shown.play("a: show duke").seat(1), T), True
    exchange = three(a="duke duke").play("a: exchange", "b: pass", "c: pass")
    yield "Exchange", hand_screen(exchange.seat(0), T), True
    yield "My hand, own turn", hand_screen(three().seat(0), T), True
    yield "My hand, not asked", hand_screen(three().seat(1), T), True
    yield "Leave game", quit_screen(three().seat(0), T), True
    yield "Double danger, folded", folded_turn_screen(_danger().table, 1, T), False
    yield "Ten players", turn_screen(_crowd().table, T), False
    yield "Result", _result(), False
    yield "How to play", tour_screen(2, T), True
    yield "How to play, the characters", tour_screen(5, T), True
    yield "Rules", rules_screen("challenges", T), True


def channel() -> Iterable[Scene]:
    """A table in the middle of a game, as people read it."""
    sitting = three(coins={0: 2, 1: 2, 2: 2}, b="contessa captain")
    sitting.play("a: tax", "b: challenge", "a: show duke", "b: lose contessa", "b: income", "c: foreign-aid")
    sitting.everyone_passes()
    for number in (1, 2, 3):
        yield "", folded_turn_screen(sitting.table, number, T), False
    sitting.play("a: steal c")
    yield "", turn_screen(sitting.table, T), False
    yield "", _prompt(sitting), False


def page(shown: Iterable[Scene], names: Mapping[int, str]) -> str:
    """The scenes as one HTML page; `names` are those of mentioned users."""
    body = "".join(_scene(caption, screen, names, private=private) for caption, screen, private in shown)
    return f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{STYLE}</style><main>{body}</main>'


def _scene(caption: str, screen: Screen, names: Mapping[int, str], *, private: bool) -> str:
    title = f"<h2>{html.escape(caption)}</h2>" if caption else ""
    note = '<div class="note">Only you can see this</div>' if private else ""
    parts = [f'<div class="text">{_markdown(screen.content, names)}</div>' if screen.content else ""]
    if screen.embed is not None:
        heading = f'<div class="title">{_markdown(screen.embed.title, names)}</div>' if screen.embed.title else ""
        footer = f'<div class="footer">{html.escape(screen.embed.footer)}</div>' if screen.embed.footer else ""
        text = f'<div class="text">{_markdown(screen.embed.description, names)}</div>'
        parts.append(f'<div class="embed">{heading}{text}{footer}</div>')
    if screen.attachment is not None:
        parts.append(f'<div class="file">{html.escape(screen.attachment[0])}</div>')
    parts += [f'<div class="row">{"".join(map(_component, row))}</div>' for row in screen.rows]
    who = '<div><span class="who">Coup</span><span class="bot">APP</span></div>'
    kind = "message private" if private else "message"
    return (
        f'{title}<div class="{kind}"><div class="face">C</div><div class="body">{who}{"".join(parts)}{note}</div></div>'
    )


def _component(thing: Button | Select) -> str:
    if isinstance(thing, Button):
        kind = f"button {thing.style}{' disabled' if thing.disabled else ''}"
        return f'<span class="{kind}">{html.escape(thing.label)}</span>'
    options = "".join(f'<div class="option">{html.escape(option.label)}</div>' for option in thing.options)
    return f'<div class="select">{html.escape(thing.placeholder)}{options}</div>'


def _markdown(text: str, names: Mapping[int, str]) -> str:
    marked = html.escape(text, quote=False)
    for pattern, becomes in MARKDOWN:
        marked = re.sub(pattern, becomes, marked)

    def mention(found: re.Match[str]) -> str:
        return f'<span class="mention">@{html.escape(names[int(found[1])])}</span>'

    return re.sub(r"&lt;@(\d+)&gt;", mention, marked)


def _prompt(sitting: Sitting) -> Screen:
    screen = prompt_screen(sitting.table, T)
    assert screen is not None
    return screen


def _danger() -> Sitting:
    sitting = three(coins={0: 3}, a="assassin captain")
    return sitting.play("a: assassinate b", "b: challenge", "a: show assassin", "b: lose duke", "b: pass")


def _crowd() -> Sitting:
    """Ten players with the longest names, in the middle of a game."""
    people = tuple(f"{name} of the very long name"[:24] for name in PEOPLE)
    return next(s for s in played_out(10, 4, people) if s.game.number > 12 and len(s.game.awaited()) > 5)


def _result() -> Screen:
    table = list(played_out(4, 7))[-1].table
    assert table.result is not None
    claims = (
        ClaimTold(2, 1, Character.DUKE, False, False),
        ClaimTold(5, 0, Character.CAPTAIN, False, True),
        ClaimTold(6, 2, Character.CONTESSA, False, False),
    )
    return result_screen(replace(table, result=replace(table.result, claims=claims)), T)


def picture(source: Path, target: Path, width: int, height: int) -> None:
    """Have Chromium draw `source`."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no Chromium found: open the pages in a browser instead")
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                f"--screenshot={target}",
                source.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )


def main() -> None:
    """Write the pages, and with `--png` the pictures."""
    parser = argparse.ArgumentParser(description="Sample screens as pages to look at")
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--png", action="store_true", help="have Chromium draw them too")
    args = parser.parse_args()
    args.outdir.mkdir(parents=True, exist_ok=True)
    names = {100 + seat: name for seat, name in enumerate(PEOPLE)}
    for name, shown, height in (("screens", scenes(), 9000), ("table", channel(), 640)):
        source = args.outdir / f"{name}.html"
        source.write_text(page(shown, names), "utf-8")
        if args.png:
            picture(source, args.outdir / f"{name}.png", 792, height)


if __name__ == "__main__":
    main()
