"""What players are called: display names made harmless.

Owns: the cleaning of names that strangers chose. A clean name cannot mention, format, reorder, hide or stretch the text
around it, and cleaning it again changes nothing. Knows nothing of tables but that names are seen side by side.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

LONGEST = 24
"""Graphemes of a name."""
NAMELESS = "?"
"""Where nothing can be shown of a name; no word, for it is the same in every language."""

_LONGEST_CODES = 64
_MARKS = 2
"""Combining marks that one letter may carry; more is a tower of marks."""
_CUSTOM_EMOJI = re.compile(r"<a?:(\w+):\d+>")
_TAG = re.compile(r"<(?:[@#]|t:|id:|/)[^<>]*>")
_LINK = re.compile(r"\w*://")
_MARKDOWN = str.maketrans(dict.fromkeys("*~`|\\<>[]#@", ""))
_LOOSE_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_BULLET, _NUMBERED = re.compile(r"^(?:[-+]+ )+"), re.compile(r"^([0-9]+)[.)] ")
"""What would begin a list where a name begins a line."""
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
"""Characters that count as letters, marks or symbols and look like nothing."""
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"


def clean(raw: str) -> str:
    """`raw` without markdown, mentions, timestamps, custom emoji, invisible and reordering characters, on one line."""
    text = _CUSTOM_EMOJI.sub(r"\1", unicodedata.normalize("NFC", raw[:500]))
    text = "".join(_visible(_TAG.sub("", text).translate(_MARKDOWN)))
    while (tidier := _LOOSE_UNDERSCORE.sub("", _LINK.sub("", text))) != text:
        text = tidier  # what is taken out may bring together what is taken out next
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = _cut(_NUMBERED.sub(r"\1 ", _BULLET.sub("", text)))
    return text if any(unicodedata.category(letter)[0] in "LNS" for letter in text) else NAMELESS


def told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """The clean form of `names`, to stand in a sentence; who has the name of somebody before them gets a number."""
    taken: set[str] = set()
    called: list[str] = []
    for raw in names:
        name = clean(raw)
        number = 2
        candidate = name
        while candidate.casefold() in taken:
            candidate = f"{_cut(name, LONGEST - len(str(number)) - 1)} {number}"
            number += 1
        taken.add(candidate.casefold())
        called.append(_isolated(candidate))
    return tuple(called)


def graphemes(text: str) -> list[str]:
    """`text` in pieces that a reader takes for one character each: a letter with its marks, an emoji with its parts."""
    pieces: list[str] = []
    for letter in text:
        if pieces and _continues(pieces[-1], letter):
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces


def _isolated(name: str) -> str:
    """A name in a script that runs from right to left would pull the numbers that follow to its other side."""
    backwards = any(unicodedata.bidirectional(letter) in {"R", "AL", "AN"} for letter in name)
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}" if backwards else name


def _visible(text: str) -> Iterator[str]:
    """The letters of `text` that may stay."""
    marks = 0
    for place, letter in enumerate(text):
        kind = unicodedata.category(letter)
        if kind in {"Zs", "Zl", "Zp"} or letter in "\n\r\t":
            yield " "
        elif letter == _JOINER:
            if _joins(text, place):
                yield letter
        elif letter in _BLANK or kind[0] == "C":
            continue
        elif kind[0] == "M":
            marks += 1
            if marks <= _MARKS and _may_carry(text, place):
                yield letter
            continue
        else:
            yield letter
        marks = 0


def _may_carry(text: str, place: int) -> bool:
    """A mark needs something to stand on; a variation selector an emoji."""
    if text[place] == _EMOJI_STYLE:
        return place > 0 and unicodedata.category(text[place - 1]) in {"So", "Sk"}
    return not "\ufe00" <= text[place] <= "\ufe0e" and place > 0 and unicodedata.category(text[place - 1])[0] in "LNMS"


def _joins(text: str, place: int) -> bool:
    """Whether the joiner at `place` stands between two emoji."""
    before = text[:place].rstrip(_EMOJI_STYLE)[-1:]
    after = text[place + 1 : place + 2]
    return bool(before and after) and all(unicodedata.category(part) in {"So", "Sk"} for part in (before, after))


def _continues(piece: str, letter: str) -> bool:
    if unicodedata.category(letter)[0] == "M" or letter == _JOINER or piece[-1] == _JOINER:
        return True
    if "\U0001f3fb" <= letter <= "\U0001f3ff":
        return unicodedata.category(piece[0]) == "So"
    return len(piece) == 1 and _is_regional(piece) and _is_regional(letter)


def _is_regional(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _cut(text: str, longest: int = LONGEST) -> str:
    kept = ""
    for piece in graphemes(text)[:longest]:
        if len(kept) + len(piece) > _LONGEST_CODES:
            break
        kept += piece
    return kept.rstrip(" \u200d_")
