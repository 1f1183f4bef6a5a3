"""The letters that stand for our signs where only ASCII can be shown."""

from __future__ import annotations

from typing import Final

_LETTERS: Final = {
    **dict(zip("♣♦♥♠", "CDHS", strict=True)),
    **dict(zip("╭╮╰╯╔╗╚╝├┤┼╞│║─═━", "++++####||+|||-==", strict=True)),
    **dict(zip("●◂·–−—…“”‘’", "*<----.\"\"''", strict=True)),
}
_FOLD: Final = str.maketrans(_LETTERS)
_WIDER: Final = str.maketrans({"±": "+/-", "…": ".."})


def letters_only(text: str) -> str:
    """The same text in ASCII, each sign one letter wide: suits as letters, accents dropped."""
    from unicodedata import normalize

    plain = normalize("NFKD", text.translate(_FOLD))
    return plain.encode("ascii", "ignore").decode()


def in_letters(text: str) -> str:
    """The same text in ASCII for where its width may change; “?” for what has no letter."""
    from unicodedata import normalize

    return "".join(
        sign if sign.isascii() else letters_only(sign) or "?" for sign in normalize("NFC", text).translate(_WIDER)
    )
