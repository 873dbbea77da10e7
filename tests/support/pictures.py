"""Sample screens as pages to look at: `python -m tests.support.pictures OUTDIR [--language es] [--phone] [--png]`.

Owns: the look, which imitates a dark chat. Writes a page for each of `scenes.PAGES` into a folder for each language, as
`OUTDIR/es/hands.html` (`en/table` is a table in the channel, as the README shows it); with `--png`, and Chromium
installed, a picture of each.
"""

from __future__ import annotations

import argparse
import html
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from babel.dates import format_timedelta

from bot.i18n import Translator, languages, translator
from bot.ui.screen import Button, Select
from tests.support.scenes import PAGES, Scene
from tests.ui.positions import PEOPLE

STYLE = """
body { background: #313338; color: #dbdee1; font: 16px/1.375 'Noto Sans', 'DejaVu Sans', sans-serif; margin: 0 }
main { padding: 16px }
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
WIDE, PHONE = 760, 360
"""Pixels across."""
AHEAD = timedelta(seconds=28)
"""How far every timestamp lies ahead."""
MEASURE = "document.documentElement.dataset.height = document.querySelector('main').offsetHeight"
MARKDOWN = (
    (r"\*\*(.+?)\*\*", r"<b>\1</b>"),
    (r"~~(.+?)~~", r"<s>\1</s>"),
    (r"`(.+?)`", r"<code>\1</code>"),
    (r"(?m)^- ", "&nbsp;• "),
    (r"&lt;#\d+&gt;", '<span class="mention">#coup</span>'),
)


def page(shown: Iterable[Scene], t: Translator, width: int = WIDE) -> str:
    """The scenes as one HTML page, which says in its root how high it is."""
    body = "".join(_scene(scene, t) for scene in shown)
    return (
        f'<!doctype html><html><meta charset="utf-8"><title>Screens</title><style>{STYLE}</style>'
        f'<main style="width: {width}px">{body}</main><script>{MEASURE}</script></html>'
    )


def _scene(scene: Scene, t: Translator) -> str:
    screen = scene.screen
    title = f"<h2>{html.escape(scene.caption)}</h2>" if scene.caption else ""
    note = '<div class="note">Only you can see this</div>' if scene.private else ""
    parts = [f'<div class="text">{_markdown(screen.content, t)}</div>' if screen.content else ""]
    if screen.embed is not None:
        heading = f'<div class="title">{_markdown(screen.embed.title, t)}</div>' if screen.embed.title else ""
        footer = f'<div class="footer">{html.escape(screen.embed.footer)}</div>' if screen.embed.footer else ""
        text = f'<div class="text">{_markdown(screen.embed.description, t)}</div>'
        parts.append(f'<div class="embed">{heading}{text}{footer}</div>')
    if screen.attachment is not None:
        parts.append(f'<div class="file">{html.escape(screen.attachment[0])}</div>')
    parts += [f'<div class="row">{"".join(map(_component, row))}</div>' for row in screen.rows]
    who = '<div><span class="who">Coup</span><span class="bot">APP</span></div>'
    kind = "message private" if scene.private else "message"
    return (
        f'{title}<div class="{kind}"><div class="face">C</div><div class="body">{who}{"".join(parts)}{note}</div></div>'
    )


def _component(thing: Button | Select) -> str:
    if isinstance(thing, Button):
        kind = f"button {thing.style}{' disabled' if thing.disabled else ''}"
        return f'<span class="{kind}">{html.escape(thing.label)}</span>'
    options = "".join(f'<div class="option">{html.escape(option.label)}</div>' for option in thing.options)
    return f'<div class="select">{html.escape(thing.placeholder)}{options}</div>'


def _markdown(text: str, t: Translator) -> str:
    marked = html.escape(text, quote=False)
    for pattern, becomes in MARKDOWN:
        marked = re.sub(pattern, becomes, marked)

    def mention(found: re.Match[str]) -> str:
        return f'<span class="mention">@{html.escape(PEOPLE[int(found[1]) - 100])}</span>'

    soon = format_timedelta(AHEAD, add_direction=True, locale=t.locale)
    marked = re.sub(r"&lt;t:\d+:R&gt;", f'<span class="time">{soon}</span>', marked)
    return re.sub(r"&lt;@(\d+)&gt;", mention, marked)


def picture(source: Path, target: Path, width: int) -> None:
    """Have Chromium draw `source`, all of it."""
    measured = re.search(rb'data-height="(\d+)"', _chromium(source, "--dump-dom"))
    assert measured is not None
    _chromium(source, f"--window-size={width + 32},{measured[1].decode()}", f"--screenshot={target}")


def _chromium(source: Path, *options: str) -> bytes:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no Chromium found: open the pages in a browser instead")
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={profile}",
                *options,
                source.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pages, and with `--png` the pictures."""
    codes = {code.replace("_", "-"): code for code in languages()}
    parser = argparse.ArgumentParser(description="Sample screens as pages to look at")
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--language", choices=codes, help="only this one; otherwise every language")
    parser.add_argument("--phone", action="store_true", help="as narrow as a phone")
    parser.add_argument("--png", action="store_true", help="have Chromium draw them too")
    args = parser.parse_args(arguments)
    width = PHONE if args.phone else WIDE
    for language in [args.language] if args.language else codes:
        t = translator(codes[language])
        folder = args.outdir / language
        folder.mkdir(parents=True, exist_ok=True)
        for name, scenes in PAGES.items():
            source = folder / f"{name}.html"
            source.write_text(page(scenes(t), t, width), "utf-8")
            if args.png:
                picture(source, folder / f"{name}.png", width)


if __name__ == "__main__":
    main()
