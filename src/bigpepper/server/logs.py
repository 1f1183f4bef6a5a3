"""Structured logs: one JSON object a line. No cards, seeds, names, codes or addresses of people get into them.

What may be told stands in `FIELDS`. Of an error only its kind and where it happened is told, never its sentence.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec

FIELDS: Final = (
    "method", "route", "status", "ms", "table", "sockets", "close", "code", "version", "url", "database",
)  # fmt: skip
"""Fields that a line can have besides `at`, `level`, `event`, `error` and `where`. A route is a pattern, not a path."""
_ROOT: Final = "bigpepper.server"
_OURS: Final = Path(__file__).parents[1].name


class JsonLines(logging.Formatter):
    """Writes records as JSON lines."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage() if record.name.startswith(_ROOT) else record.name,
        }
        line |= {field: value for field in FIELDS if (value := getattr(record, field, None)) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "where": list(_places(record.exc_info[1]))}
        return msgspec.json.encode(line).decode()


def _places(error: BaseException | None) -> Iterator[str]:
    """Where an error comes from, the innermost place last; no values."""
    for frame in traceback.extract_tb(error.__traceback__ if error else None)[-8:]:
        path = Path(frame.filename)
        name = "/".join(path.parts[path.parts.index(_OURS) :]) if _OURS in path.parts else path.name
        yield f"{name}:{frame.lineno} {frame.name}"


def set_up(level: str = "info", stream: TextIO | None = None) -> None:
    """Send the server's log, and what libraries warn of, to `stream` (standard error)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    ours = logging.getLogger(_ROOT)
    ours.handlers, ours.propagate = [handler], False
    ours.setLevel(level.upper())
    for name in ("uvicorn.error", "uvicorn.access", "asyncio", "litestar", "sqlalchemy", "alembic"):
        library = logging.getLogger(name)
        library.handlers, library.propagate = [handler], False
        library.setLevel(logging.WARNING)


LOG: Final = logging.getLogger(_ROOT)


def tell(event: str, level: int = logging.INFO, **fields: Any) -> None:
    """Log what happened; `fields` are some of `FIELDS`."""
    LOG.log(level, event, extra=fields)
