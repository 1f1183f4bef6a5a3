"""A match as a picture: how the differences settled while it was played, or where the bots of a pool stand."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bigpepper.arena.estimate import Values
from bigpepper.arena.match import Match
from bigpepper.arena.result import Result
from bigpepper.arena.sequential import Measure
from bigpepper.errors import BigPepperError
from bigpepper.text import SOURCE_LANGUAGE, Message, listed, msg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: Final = (".png", ".svg", ".pdf")
_INK: Final = "#1e1b18"
_PEPPER: Final = "#b3261e"
_BAND: Final = "#e7c9b8"
_FIRST: Final = 8
"""Values before which a running mean says nothing."""


def check(path: Path) -> None:
    """Refuse before anything is played what could not be drawn afterwards. Raises `BigPepperError`."""
    if path.suffix.lower() not in FORMATS:
        raise BigPepperError(
            msg("{path} is no picture: its name has to end in {ends}.", path=path, ends=listed(FORMATS))
        )
    if not path.absolute().parent.is_dir():
        raise BigPepperError(msg("{path} cannot be written: there is no such folder.", path=path))
    if find_spec("matplotlib") is None:
        raise BigPepperError(msg("A plot needs Matplotlib, which is not installed: pip install 'bigpepper[plot]'."))


def draw(match: Match, path: Path, language: str = SOURCE_LANGUAGE) -> None:
    """Draw the match so far into a file. Raises `BigPepperError` where that cannot be done."""
    check(path)
    from matplotlib.figure import Figure

    result = match.result()
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    figure.suptitle(_title(result).text(language), fontsize=11, color=_INK)
    if len(result.bots) == 2:
        _running(figure, match, result, language)
    else:
        _pool(figure, result, language)
    figure.savefig(path, dpi=150)


def _title(result: Result) -> Message:
    if len(result.bots) > 2:
        return msg("{rules}: {bots}", rules=result.rules.name, bots=listed(result.bots))
    return msg(
        "{rules}: {first} against {second}", rules=result.rules.name, first=result.bots[0], second=result.bots[1]
    )


# --- two bots -------------------------------------------------------------------------------------------------------


def _running(figure: Figure, match: Match, result: Result, language: str) -> None:
    points, games = figure.subplots(1, 2)
    _course(points, match.values(Measure.POINTS), 0.0, 1.0)
    _course(games, match.values(Measure.GAMES), 0.5, 100.0)
    first, second = result.bots
    points.set_title(
        msg("Points a round: {first} less {second}", first=first, second=second).text(language), fontsize=9
    )
    points.set_xlabel(msg("deals, each from every seating").text(language))
    games.set_title(msg("Games won by {first}, %", first=first).text(language), fontsize=9)
    games.set_xlabel(msg("games, each from every seating").text(language))


def _course(axes: Any, values: Values, even: float, scale: float) -> None:
    """The running mean with its 95 % band; `even` is where neither bot is ahead."""
    axes.axhline(even * scale, color=_INK, linewidth=0.8, linestyle=":")
    if len(values) >= _FIRST:
        n = np.arange(1, len(values) + 1)
        mean = np.cumsum(values) / n
        spread = np.sqrt(np.maximum(np.cumsum(values**2) / n - mean**2, 0) / np.maximum(n - 1, 1)) * 1.96
        shown = slice(_FIRST - 1, None)
        low, high = (mean - spread)[shown] * scale, (mean + spread)[shown] * scale
        axes.fill_between(n[shown], low, high, color=_BAND, linewidth=0)
        axes.plot(n[shown], mean[shown] * scale, color=_PEPPER, linewidth=1.4)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)


# --- a pool ---------------------------------------------------------------------------------------------------------


def _pool(figure: Figure, result: Result, language: str) -> None:
    points, rated = figure.subplots(1, 2)
    pairs = [pairing for pairing in result.pairings if pairing.points]
    labels = [
        msg("{first} less {second}", first=pairing.bots[0], second=pairing.bots[1]).text(language) for pairing in pairs
    ]
    _whiskers(points, labels, [tuple(pairing.points or ())[:3] for pairing in pairs])
    points.set_title(msg("Points a round").text(language), fontsize=9)
    _whiskers(rated, [one.bot for one in result.ratings], [tuple(one.rating)[:3] for one in result.ratings])
    rated.set_title(msg("Rating; 400 points are odds of ten to one").text(language), fontsize=9)


def _whiskers(axes: Any, labels: list[str], intervals: list[tuple[float, ...]]) -> None:
    """A dot with its interval a line, the first on top."""
    axes.axvline(0, color=_INK, linewidth=0.8, linestyle=":")
    for row, (mean, low, high) in enumerate(intervals):
        axes.plot([low, high], [-row, -row], color=_PEPPER, linewidth=1.6)
        axes.plot([mean], [-row], "o", color=_PEPPER, markersize=5)
    axes.set_yticks([-row for row in range(len(labels))], labels)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
