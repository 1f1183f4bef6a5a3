"""A match in a file, so that it can be stopped, or killed, at any moment and goes on where it was."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from bigpepper.arena.duplicate import Shares, pairings
from bigpepper.arena.estimate import MOST_POINTS
from bigpepper.arena.tally import Tally
from bigpepper.errors import BigPepperError
from bigpepper.options import shown
from bigpepper.text import listed, msg

FORMAT: Final = "bigpepper-arena-1"
_FUZZ: Final = 1e-9
"""How far sums of parts may be from 1."""


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


def path_of(given: object) -> Path:
    """The path that was given, also as text. Raises `BigPepperError` for what is none."""
    if isinstance(given, Path) or (isinstance(given, str) and given and "\0" not in given):
        return Path(given)
    raise BigPepperError(
        msg("A match is kept in a file, given by its path; this is none: {given}.", given=shown(given))
    )


def load(path: Path, fresh: Kept) -> Tally:
    """What was played of this match; nothing where there is no such file. `fresh` is the match at its beginning.

    Raises `BigPepperError` when the file holds something else, or another match.
    """
    try:
        content = _read(path)
    except FileNotFoundError:
        return Tally()
    except OSError as error:
        reason = error.strerror or str(error)
        raise BigPepperError(msg("{path} cannot be read: {reason}.", path=path, reason=reason)) from None
    try:
        kept = msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _no_match(path) from None
    _check(path, kept, fresh)
    if not _makes_sense(kept, len(pairings(len(fresh.bots)))):
        raise _no_match(path)
    return Tally(
        [[Shares(*pair) for pair in row] for row in kept.deals], [[Shares(*pair) for pair in row] for row in kept.games]
    )


def _no_match(path: Path) -> BigPepperError:
    return BigPepperError(msg("{path} is no file that a match was kept in.", path=path))


def _read(path: Path) -> bytes:
    _require_ordinary(path)
    return path.read_bytes()


def _require_ordinary(path: Path) -> None:
    """A device or a pipe may have no end, and must not be replaced. Raises `OSError` where there is nothing."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise BigPepperError(msg("{path} is no ordinary file; a match is kept in one.", path=path))


def _makes_sense(kept: Kept, pairs: int) -> bool:
    """Whether each deal and game has what could come out of it, for so many pairings."""
    return (
        all(len(row) == pairs for row in (*kept.deals, *kept.games))
        and all(abs(points) <= MOST_POINTS for row in kept.deals for shares in row for points in shares)
        and all(min(shares) >= 0 and abs(sum(shares) - 1) < _FUZZ for row in kept.games for shares in row)
    )


def _check(path: Path, kept: Kept, fresh: Kept) -> None:
    for name, value, other in (
        (msg("format"), kept.format, fresh.format),
        (msg("version of Big Pepper"), kept.version, fresh.version),
        (msg("rulebook"), kept.rules, fresh.rules),
        (msg("rulebook"), kept.digest[:8], fresh.digest[:8]),
        (msg("bots"), kept.bots, fresh.bots),
        (msg("seed"), kept.seed, fresh.seed),
    ):
        if value != other:
            raise BigPepperError(
                msg(
                    "{path} holds another match; {name}: {value}, here {other}. Choose another file.",
                    path=path,
                    name=name,
                    value=value if isinstance(value, str) else listed(value),
                    other=other if isinstance(other, str) else listed(other),
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
    """Replace the file, or what a link leads to, as a whole; one that was there keeps its permissions."""
    target = path.resolve()
    try:
        _require_ordinary(target)
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = None
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            if mode is not None:
                beside.chmod(mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
