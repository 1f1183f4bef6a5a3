"""The score track: one line from below zero to the target, a marker for each side, in hundredths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bigpepper.text import Message

Word = Message | str


class Mark(NamedTuple):
    """A number on the scale."""

    text: str
    at: int


class Marker(NamedTuple):
    """Where a side stands."""

    label: Word
    score: str
    at: int
    own: bool
    row: int
    """0 above the line, 1 below it, 2 further below."""


class Track(NamedTuple):
    """The whole track; `zero` and `target` are hundredths."""

    marks: tuple[Mark, ...]
    markers: tuple[Marker, ...]
    zero: int


def track(labels: Sequence[Word], scores: Sequence[int], target: int, own: int | None) -> Track:
    """The track of a game; the viewer's side, or the first, stands above the line, each other in a row of its own."""
    low, high = _ends(scores, target)

    def at(score: int) -> int:
        return round(100 * (score - low) / (high - low))

    marks = tuple(Mark(minus(n), at(n)) for n in sorted({low, 0, target // 2, target}) if n <= high)
    above = own or 0
    order = [above, *(side for side in range(len(scores)) if side != above)]
    markers = (
        Marker(labels[side], minus(scores[side]), at(scores[side]), side == own, row) for row, side in enumerate(order)
    )
    return Track(marks, tuple(markers), at(0))


def _ends(scores: Sequence[int], target: int) -> tuple[int, int]:
    """Some room below zero, more where a score needs it; up to the target, or the best score."""
    step = max(1, target // 3)
    lowest = min(*scores, -step)
    return -step * -(lowest // step), max(target, *scores)


def minus(number: int) -> str:
    """A number with a proper minus."""
    return str(number).replace("-", "−")
