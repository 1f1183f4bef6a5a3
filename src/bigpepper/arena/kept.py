"""A match in a file, so that it can be stopped, or killed, at any moment and goes on where it was."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from bigpepper.arena.duplicate import Shares
from bigpepper.arena.tally import Tally
from bigpepper.errors import BigPepperError
from bigpepper.text import listed, msg

FORMAT: Final = "bigpepper-arena-1"


class Kept(msgspec.Struct, forbid_unknown_fields=True):
    """The content of the file."""

    format: str
    version: str
    """Of the package: other bots may play otherwise."""
    rules: str
    """The rulebook's name."""
    digest: str
    """The rulebook's digest."""
    bots: list[str]
    seed: str
    deals: list[list[tuple[float, float]]]
    games: list[list[tuple[float, float]]]


def load(path: Path, fresh: Kept) -> Tally:
    """What was played of this match; nothing where there is no such file. `fresh` is the match at its beginning.

    Raises `BigPepperError` when the file holds something else, or another match.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Tally()
    try:
        kept = msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BigPepperError(msg("{path} is no file that a match was kept in.", path=path)) from None
    _check(path, kept, fresh)
    return Tally(
        [[Shares(*pair) for pair in row] for row in kept.deals], [[Shares(*pair) for pair in row] for row in kept.games]
    )


def _check(path: Path, kept: Kept, fresh: Kept) -> None:
    for name, value, other in (
        (msg("format"), kept.format, fresh.format),
        (msg("version of Big Pepper"), kept.version, fresh.version),
        (msg("rulebook"), kept.rules, fresh.rules),
        (msg("rulebook"), kept.digest[:8], fresh.digest[:8]),
        (msg("bots"), listed(kept.bots), listed(fresh.bots)),
        (msg("seed"), kept.seed, fresh.seed),
    ):
        if value != other:
            raise BigPepperError(
                msg(
                    "{path} holds another match; {name}: {value}, here {other}. Choose another file.",
                    path=path,
                    name=name,
                    value=value,
                    other=other,
                )
            )


def save(path: Path, fresh: Kept, tally: Tally) -> None:
    """Write the match so far; the file is the old one or the new one, whatever happens meanwhile.

    Raises `BigPepperError` where it cannot be written.
    """
    content = msgspec.json.encode(msgspec.structs.replace(fresh, deals=tally.deals, games=tally.games))
    try:
        _replace(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BigPepperError(msg("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
