"""The one error of the notation: what is wrong with a record, where, and what would be right."""

from __future__ import annotations

from typing import NamedTuple

from bigpepper.errors import BigPepperError
from bigpepper.text import Message, msg


class Place(NamedTuple):
    """Where in a record something stands: in a text by line and column, both from 1; in data by its path."""

    line: int | None = None
    column: int | None = None
    path: str = ""
    """Such as `rounds[2].auction[0]`; empty for the record as a whole."""


class NotationError(BigPepperError):
    """A record that cannot be read or written. `problem` is the sentence without the place."""

    def __init__(self, problem: Message, place: Place = Place()) -> None:  # noqa: B008 (an immutable value)
        super().__init__(_placed(problem, place))
        self.problem = problem
        self.place = place

    @property
    def line(self) -> int | None:
        """The line in the text, from 1; None where there is no text."""
        return self.place.line

    @property
    def column(self) -> int | None:
        """The column in the line, in characters from 1; None where there is no text."""
        return self.place.column

    @property
    def path(self) -> str:
        """The place in the record as data, such as `rounds[2].auction[0]`."""
        return self.place.path

    def __reduce__(self) -> tuple[type[NotationError], tuple[Message, Place]]:
        return type(self), (self.problem, self.place)


def _placed(problem: Message, place: Place) -> Message:
    if place.line is not None:
        return msg("Line {line}, column {column}: {problem}", line=place.line, column=place.column, problem=problem)
    return msg("At {path}: {problem}", path=place.path, problem=problem) if place.path else problem
