"""How benchmarks are run and printed: five runs, all shown, the best counts; ratios beside a peer of the same run."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

RUNS = 5


class Figure(NamedTuple):
    """One measured thing."""

    name: str
    values: Sequence[float]
    unit: str
    best: float
    target: str = ""
    met: bool | None = None


def rate(name: str, unit: str, run: Callable[[], float], at_least: float | None = None) -> Figure:
    """Five runs of something that returns a rate (more is better)."""
    values = [run() for _ in range(RUNS)]
    met = None if at_least is None else max(values) >= at_least
    return Figure(name, values, unit, max(values), "" if at_least is None else f"≥ {short(at_least)}", met)


def time_of(name: str, run: Callable[[], float], at_most: float | None = None) -> Figure:
    """Five runs of something that returns seconds (fewer are better)."""
    values = [run() for _ in range(RUNS)]
    met = None if at_most is None else min(values) <= at_most
    return Figure(name, values, "s", min(values), "" if at_most is None else f"≤ {short(at_most)}", met)


def ratio(name: str, ours: Figure, peers: Figure, at_least: float | None = None) -> Figure:
    """Best of ours over best of the peer's, of the same run."""
    value = ours.best / peers.best
    return Figure(
        name,
        [],
        "×",
        value,
        "" if at_least is None else f"≥ {short(at_least)}",
        None if at_least is None else value >= at_least,
    )


def show(title: str, figures: Sequence[Figure]) -> None:
    """Print a table of figures."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for column in ("", "best", "unit", "target", "runs"):
        table.add_column(column, justify="right" if column in ("best", "target") else "left", no_wrap=True)
    for figure in figures:
        mark = {None: "", True: " met", False: " MISSED"}[figure.met]
        runs = "  ".join(short(value) for value in figure.values)
        table.add_row(figure.name, short(figure.best), figure.unit, figure.target + mark, runs)
    Console(width=max(140, Console().width)).print(table)


def short(value: float) -> str:
    """A number in about three figures: 26.3 M, 152 k, 0.072."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= 10 * size or (abs(value) >= size and size == 1e6):
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def heading() -> str:
    """Date and machine, so that figures can be quoted."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    return f"{datetime.now(UTC):%Y-%m-%d}, {machine}, Python {platform.python_version()}"
