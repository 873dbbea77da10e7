"""`python -m bot.i18n`: rewrite messages.pot and bring the .po files up to date.

Owns: the command. What is extracted and how it is laid out: `bot.i18n.extract`.
"""

from bot.i18n import SOURCE, languages, po_file
from bot.i18n.extract import POT, po_text, pot_text


def main() -> None:
    """Write the files."""
    POT.write_bytes(pot_text())
    for code in set(languages()) - {SOURCE}:
        po_file(code).write_bytes(po_text(code))


if __name__ == "__main__":
    main()
