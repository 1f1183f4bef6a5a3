"""The score track: a line a side from below zero to the target, with a marker where the side stands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from bigpepper.cli.table.canvas import Canvas


def track(labels: Sequence[str], scores: Sequence[int], target: int, width: int, yours: int) -> list[Text]:
    """A scale, and a line for each side; `yours` is your side, which stands out."""
    low, high = bounds(scores, target)
    left = max(map(cell_len, labels)) + 2
    length = max(10, width - left - 7)
    canvas = Canvas(width, 1 + len(labels))
    for mark in (low, 0, target // 2, target):
        canvas.put_centre(0, left + place(mark, low, high, length), _shown(mark), "dim")
    for row, (label, score) in enumerate(zip(labels, scores, strict=True), 1):
        canvas.put(row, 0, label, "bold" if row - 1 == yours else "")
        canvas.put(row, left, _line(score, low, high, length))
        canvas.put_right(row, width, _shown(score), "bold" if row - 1 == yours else "")
    return canvas.lines()


def bounds(scores: Sequence[int], target: int) -> tuple[int, int]:
    """The ends of the track: some room below zero, more where a score needs it, and the target or the best score."""
    step = max(1, target // 3)
    lowest = min(*scores, -step)
    return -step * -(lowest // step), max(target, *scores)


def place(score: int, low: int, high: int, length: int) -> int:
    """Where on the track a score is, 0 to length - 1."""
    return round((score - low) / (high - low) * (length - 1))


def _line(score: int, low: int, high: int, length: int) -> Text:
    zero, at = place(0, low, high, length), place(score, low, high, length)
    cells = ["─"] * length
    cells[0], cells[zero], cells[-1] = "├", "┼", "┤"
    for i in range(min(zero, at) + 1, max(zero, at)):
        cells[i] = "━"
    line = Text("".join(cells), "dim")
    line.stylize("not dim", min(zero, at) + 1, max(zero, at))
    return Text.assemble(line[:at], Text("●", "bold"), line[at + 1 :])


def _shown(score: int) -> str:
    return str(score).replace("-", "−")
