"""The edge of the command line: where messages become words, and words the bytes that a terminal can show."""

from __future__ import annotations

import codecs
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill
from typing import Final

import click

from bigpepper.cli.letters import letters_only
from bigpepper.text import SOURCE_LANGUAGE, Message, msg

_ERRORS: Final = "bigpepper-letters"
_CODEC: Final = "bigpepper-ascii"
"""ASCII by another name: the argument parser takes a stream named ASCII for a mistake, and writes UTF-8 to it."""
_SIGNS: Final = str.maketrans({"•": "*", "└": "`"})
"""What our pages draw besides the signs of the table."""


def language() -> str:
    """The language to speak: English, until there are other catalogues."""
    return SOURCE_LANGUAGE


def say(message: Message, err: bool = False) -> None:
    """Print a sentence, on standard error with `err`; a terminal gets no line that breaks in the middle of a word."""
    text, stream = message.text(language()), sys.stderr if err else sys.stdout
    if stream.isatty():
        width = get_terminal_size().columns
        text = "\n".join(fill(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    click.echo(text, err=err)


def say_error(message: Message) -> None:
    """Print a sentence on standard error, in the form of the argument parser's own errors."""
    click.echo(msg("Error: {message}", message=message).text(language()), err=True)


def interrupted() -> None:
    """Say that a key ended the program."""
    click.echo(msg("Stopped.").text(language()), err=True)


def in_utf8(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A callback for text options: refuses bytes that are no UTF-8, which Python keeps as lone surrogates."""
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise click.BadParameter(msg("This is no UTF-8 text.").text(language()), ctx, param) from None
    return value


# --- streams --------------------------------------------------------------------------------------------------------


def prepare_streams() -> None:
    """Before anything is read or said: a stream that the caller closed becomes an empty one, and what a terminal
    cannot show is written in letters.
    """
    codecs.register_error(_ERRORS, _in_letters)
    codecs.register(_codec)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if _is_ascii(stream):
                only_letters(stream)
            else:
                stream.reconfigure(errors=_ERRORS)


def only_letters(stream: object) -> None:
    """From now on the stream writes ASCII."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding=_CODEC, errors=_ERRORS)


def shown(text: str) -> str:
    """A text as standard output can show it."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, getattr(sys.stdout, "errors", None) or "strict").decode(encoding)


def in_unicode() -> bool:
    """Whether standard output takes every sign, so that data need no escapes."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")


def drop_output() -> None:
    """Forget what standard output could not take: the end of the process must not try it again."""
    with suppress(OSError, ValueError):  # it may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_ascii(stream: TextIOWrapper) -> bool:
    """By the encoding, or by the locale of a terminal (which Python overrides by LC_CTYPE where it is C)."""
    if codecs.lookup(stream.encoding).name == "ascii":
        return True
    chosen = os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return stream.isatty() and chosen in ("C", "POSIX")


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for signs that an encoding lacks; “?” for what has no letter."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].translate(_SIGNS)
    return "".join(letters_only(sign) or "?" for sign in lacking), error.end


def _codec(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != _CODEC:
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        ascii_codec.streamreader,
        ascii_codec.streamwriter,
        ascii_codec.incrementalencoder,
        ascii_codec.incrementaldecoder,
        name=_CODEC,
    )
