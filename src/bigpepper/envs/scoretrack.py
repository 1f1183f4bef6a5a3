"""The score track of a picture: a line from below zero to the target, with a marker for every side."""

from __future__ import annotations

from collections.abc import Callable

from bigpepper.envs.canvas import Box, Canvas
from bigpepper.observation import Observation


def draw_track(canvas: Canvas, box: Box, seen: Observation, label: Callable[[int, int], str]) -> None:
    """The track in `box`; `label` gives the words of a side's marker. After a round its points are added."""
    left, top, right, bottom = box
    y, target = (top + bottom) / 2, seen.rules.target
    totals = _totals(seen)
    step = _step(target)
    low = min(-step, (min(totals) - 1) // step * step)
    high = max(target, *totals)

    def place(points: int) -> float:
        return left + (right - left) * (points - low) / (high - low)

    canvas.stroke([(left, y), (right, y)], canvas.theme.line, 3)
    own = seen.rules.side_of(seen.seat or 0)
    covered = place(totals[own]), canvas.text_width(label(own, totals[own]), 12, bold=True) / 2 + 20
    marks = [*range(low, target, step), target]
    _draw_scale(canvas, y, {points: abs(place(points) - covered[0]) > covered[1] for points in marks}, target, place)
    ends: dict[bool, float] = {}
    for side in sorted(range(seen.rules.sides), key=lambda side: (side != own, totals[side])):
        above = side == own
        start = ends.get(above, left)
        ends[above] = _draw_marker(canvas, (place(totals[side]), y), label(side, totals[side]), above, start, right)


def _totals(seen: Observation) -> list[int]:
    points = seen.points or (0,) * seen.rules.sides
    return [score + more for score, more in zip(seen.scores, points, strict=True)]


def _step(target: int) -> int:
    """Points between the marks of the scale."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 10**9) if target <= 5 * step or step == 10**9)


def _draw_scale(canvas: Canvas, y: float, marks: dict[int, bool], target: int, place: Callable[[int], float]) -> None:
    """The marks, each with its number unless a marker covers that."""
    for points, is_free in marks.items():
        x = place(points)
        tall = 9 if points in (0, target) else 5
        canvas.stroke([(x, y - tall), (x, y + tall)], canvas.theme.ink if points == target else canvas.theme.line, 2)
        if is_free:
            anchor = "rm" if points == target else "lm" if points == min(marks) else "mm"
            canvas.text((x, y - 19), str(points), 11, colour=canvas.theme.quiet, anchor=anchor)


def _draw_marker(canvas: Canvas, at: tuple[float, float], words: str, above: bool, start: float, end: float) -> float:
    """A pill at a score: filled for one's own side, above the line; the others' below it. Returns where it ends."""
    theme, size = canvas.theme, 12.0
    half = canvas.text_width(words, size, bold=True) / 2 + 9
    x, y = min(max(at[0], start + half), end - half), at[1] + (-19 if above else 19)
    canvas.disc(at, 4.5, theme.ink)
    fill = theme.ink if above else theme.ground
    canvas.box((x - half, y - 11, x + half, y + 11), fill, radius=11, outline=theme.ink, weight=1.4)
    canvas.text((x, y), words, size, bold=True, colour=theme.ground if above else theme.ink)
    return x + half + 4
