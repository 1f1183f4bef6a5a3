"""What options are given: numbers, and files to write. What is wrong with them is said before anything is done."""

from __future__ import annotations

import math
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from bigpepper.cli.edge import language
from bigpepper.errors import BigPepperError
from bigpepper.text import Message, msg

# --- numbers --------------------------------------------------------------------------------------------------------


class Whole(click.IntRange):
    """A whole number from `min` to `max`, both included."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises `click.BadParameter`."""
        try:
            number = int(value)
        except (ValueError, OverflowError):
            self.fail(self._wrong(value).text(language()), param, ctx)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            self.fail(self._wrong(value).text(language()), param, ctx)
        return number

    def _wrong(self, given: object) -> Message:
        if self.min is not None and self.max is not None:
            right = msg("a whole number from {low} to {high}", low=self.min, high=self.max)
        elif self.min is not None:
            right = msg("a whole number, {low} or more", low=self.min)
        else:
            right = msg("a whole number")
        return _wrong(given, right)


class Number(click.FloatRange):
    """A finite number, `min` or more where that is given."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number. Raises `click.BadParameter`."""
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = math.nan
        if not math.isfinite(number) or (self.min is not None and number < self.min):
            low = msg("a number, {low} or more", low=self.min)
            self.fail(_wrong(value, msg("a number") if self.min is None else low).text(language()), param, ctx)
        return number


def _wrong(given: object, right: Message) -> Message:
    return msg("“{given}” does not fit here; right would be {right}.", given=given, right=right)


# --- files to write -------------------------------------------------------------------------------------------------


def output(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    """A callback: the file to write, if one is named. Raises `click.BadParameter`."""
    if value is not None and not value.strip():
        raise click.BadParameter(msg("It needs the name of a file to write.").text(language()), ctx, param)
    return None if value is None else Path(value)


def require_distinct(files: dict[str, Path | None]) -> None:
    """Refuse one file for two options, however it is spelt. Raises `click.UsageError`."""
    before: dict[str, tuple[str, Path]] = {}
    for option, path in files.items():
        if path is None:
            continue
        for other, known in before.values():
            if _same(path, known):
                said = msg(
                    "{first} and {second} name the same file, {path}; give each its own.",
                    first=other,
                    second=option,
                    path=path,
                )
                raise click.UsageError(said.text(language()))
        before[option] = option, path


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):  # one of them is not there yet
        return one.samefile(other)
    return _spelling(one) == _spelling(other)


def _spelling(path: Path) -> str:
    found = os.path.realpath(path)
    return found.casefold() if sys.platform in ("darwin", "win32") else found


def require_writable(path: Path) -> None:
    """Refuse a file that could not be written in the end; what is there stays as it is. Raises `BigPepperError`."""
    if os.path.isdir(path):  # noqa: PTH112 (a name that is too long has its answer below)
        raise BigPepperError(msg("{path} cannot be written: it is a folder.", path=path))
    if not os.path.isdir(path.absolute().parent):  # noqa: PTH112
        raise BigPepperError(msg("{path} cannot be written: there is no such folder.", path=path))
    try:
        target = Path(os.path.realpath(path))
        if target.exists():
            target.open("r+b").close()
        else:
            target.open("xb").close()
            target.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise BigPepperError(msg("{path} cannot be written: {reason}.", path=path, reason=reason)) from None
