"""The letters that stand for our signs where only ASCII can be shown."""

from __future__ import annotations

from typing import Final

_LETTERS: Final = {
    **dict(zip("♣♦♥♠", "CDHS", strict=True)),
    **dict(zip("╭╮╰╯╔╗╚╝├┤┼╞│║─═━", "++++####||+|||-==", strict=True)),
    **dict(zip("●◂·–−—…“”‘’", "*<----.\"\"''", strict=True)),
}
_FOLD: Final = str.maketrans(_LETTERS)


def letters_only(text: str) -> str:
    """The same text in ASCII, each sign one letter wide: suits as letters, accents dropped."""
    from unicodedata import normalize

    plain = normalize("NFKD", text.translate(_FOLD))
    return plain.encode("ascii", "ignore").decode()
