"""Files of records: read as a stream, a game at a time, as text or as JSON (a game a line)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, TextIO

from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.json import from_json
from bigpepper.notation.model import GameRecord
from bigpepper.notation.reader import LARGEST, nothing_here, read_game, too_large
from bigpepper.notation.writer import dumps
from bigpepper.text import msg

_BOM: Final = b"\xef\xbb\xbf"
_BEGINS: Final = b"bigpepper"
_BLANK: Final = b" \t\r\n\f\v"


def write(records: GameRecord | Iterable[GameRecord], target: str | Path | TextIO) -> None:
    """Write records to a file, or append them to an open text stream. Raises `NotationError`."""
    if isinstance(records, GameRecord):
        records = (records,)
    if isinstance(target, (str, Path)):
        with _opened(target, "wb") as file:
            for record in records:
                file.write(dumps(record).encode())
    else:
        for record in records:
            target.write(dumps(record))


def read(source: str | Path | BinaryIO, *, growing: bool = False) -> Iterator[GameRecord]:
    """The games of a file or of an open binary stream, one at a time; with `growing` the last may lack its end.

    Reads text and JSON (a game a line, or a single game). Raises `NotationError`, also where the file cannot be read.
    """
    if isinstance(source, (str, Path)):
        with _opened(source, "rb") as file:
            yield from _read(file, growing)
    else:
        yield from _read(source, growing)


@contextmanager
def _opened(path: str | Path, mode: str) -> Iterator[IO[bytes]]:
    try:
        with Path(path).open(mode) as file:
            yield file
    except OSError as error:
        reason = error.strerror or str(error)
        if "w" in mode:
            raise NotationError(
                msg("{path} cannot be written: {reason}.", path=os.fspath(path), reason=reason)
            ) from None
        raise NotationError(msg("{path} cannot be read: {reason}.", path=os.fspath(path), reason=reason)) from None


def _read(file: BinaryIO | IO[bytes], growing: bool) -> Iterator[GameRecord]:
    rows = _Rows(file)
    first = rows.next_filled()
    if not first:
        raise nothing_here(Place(1, 1))
    if first.lstrip(_BLANK).startswith(b"{") and first.lstrip(_BLANK)[1:].lstrip(_BLANK)[:1] in (b'"', b"}", b""):
        yield from _read_json(rows, first, growing)
    else:
        yield from _read_text(rows, first, growing)


class _Rows:
    """The rows of a file, none of them larger than a game."""

    def __init__(self, file: BinaryIO | IO[bytes]) -> None:
        self._file = file
        self.number = 0
        """Of the row given last, from 1."""

    def next(self) -> bytes:
        """The next row with its line end; empty at the end of the file."""
        row = self._file.readline(LARGEST + 1)
        self.number += 1
        if len(row) > LARGEST:
            raise too_large(Place(self.number, 1))
        return row.removeprefix(_BOM) if self.number == 1 else row

    def next_filled(self) -> bytes:
        """The next row that is not blank; empty at the end of the file."""
        row = self.next()
        while row and not row.strip(_BLANK):
            row = self.next()
        return row


def _read_text(rows: _Rows, row: bytes, growing: bool) -> Iterator[GameRecord]:
    text = bytearray(row)
    first_line, depth = rows.number, _Braces(row)
    while row:
        row = rows.next()
        if not row or (not depth.open and row.lstrip(_BLANK)[: len(_BEGINS)].lower() == _BEGINS):
            yield read_game(_decoded(bytes(text), first_line), first_line, growing and not row)
            text, first_line, depth = bytearray(), rows.number, _Braces(b"")
        text += row
        depth.add(row)
        if len(text) > LARGEST:
            raise too_large(Place(first_line, 1))


class _Braces:
    """Whether a comment is open, so that what looks like a new game may be a part of it."""

    def __init__(self, row: bytes) -> None:
        self.open = False
        self.add(row)

    def add(self, row: bytes) -> None:
        """Take the next row."""
        if not self.open and row.lstrip(_BLANK)[:6].lower() == b"option":
            return
        for part in (
            row.replace(b"\\\\", b"")
            .replace(b"\\{", b"")
            .replace(b"\\}", b"")
            .replace(b"{", b"\0{\0")
            .replace(b"}", b"\0}\0")
            .split(b"\0")
        ):
            self.open = part == b"{" or (self.open and part != b"}")


def _decoded(text: bytes, first_line: int) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        before = text[: error.start]
        start = before.rfind(b"\n") + 1
        place = Place(first_line + before.count(b"\n"), len(before[start:].decode(errors="replace")) + 1)
        raise NotationError(msg("This is no text: a record is written in UTF-8."), place) from None


def _read_json(rows: _Rows, row: bytes, growing: bool) -> Iterator[GameRecord]:
    """A game a line; or, where the first line is no whole game, the file is one."""
    first_line = rows.number
    if not row.rstrip(_BLANK).endswith(b"}") or row.strip(_BLANK) == b"{}":
        text = bytearray(row)
        while row := rows.next():
            text += row
            if len(text) > LARGEST:
                raise too_large(Place(first_line, 1))
        yield from_json(bytes(text), first_line=first_line, growing=growing)
        return
    while row:
        following = rows.next_filled()
        yield from_json(row, first_line=first_line, growing=growing and not following)
        row, first_line = following, rows.number
