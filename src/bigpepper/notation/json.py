"""The JSON twin of a record: the same values, loss-free both ways. `docs/schema/game.json` is its schema."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

import msgspec

from bigpepper.errors import InvalidRules
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.model import GameRecord
from bigpepper.notation.ruleform import form_of
from bigpepper.notation.verify import verify
from bigpepper.text import msg

_DECODER: Final = msgspec.json.Decoder(GameRecord)
_T = TypeVar("_T")
_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_PATH: Final = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")


def to_json(record: GameRecord) -> bytes:
    """The record as JSON, in one line without a line end. Raises `NotationError`."""
    verify(record)
    return msgspec.json.encode(record)


def from_json(text: bytes | str, *, first_line: int = 1, growing: bool = False) -> GameRecord:
    """The record of its JSON form; with `growing` it may lack its end. Raises `NotationError`.

    `first_line` is the line of its file on which the text begins.
    """
    record = parsed(_DECODER, text, first_line)
    try:
        record = msgspec.structs.replace(record, form=form_of(record.rules))
    except InvalidRules as error:
        raise NotationError(error.message, Place(path="rules")) from None
    if record.end is None and not growing:
        raise NotationError(msg("The record is cut off: its end is missing."), Place(path="end"))
    verify(record)
    return record


def parsed(decoder: msgspec.json.Decoder[_T], text: bytes | str, first_line: int) -> _T:
    """The value that a JSON text holds. Raises `NotationError`."""
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _refused(text, first_line, str(error)) from None


def _refused(text: bytes | str, first_line: int, reason: str) -> NotationError:
    """What the parser says, with the place in the data or in the text."""
    data = text.encode(errors="replace") if isinstance(text, str) else text
    if path := _PATH.search(reason):
        place = Place(path=path[1])
        reason = reason[: path.start()]
    else:
        found = _BYTE.search(reason)
        before = data[: int(found[1]) if found else len(data)]
        column = len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        place = Place(first_line + before.count(b"\n"), column)
    return NotationError(msg("The JSON does not fit: {reason}.", reason=reason), place)


def game_schema() -> dict[str, Any]:
    """The JSON schema of a game record."""
    return schema_of(GameRecord, "A game of Pepper or Hasenpfeffer")


def schema_of(type_: type, title: str) -> dict[str, Any]:
    """The JSON schema of one of the package's types."""
    schema = msgspec.json.schema(type_)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
