"""A match as a picture: how the differences settled while it was played, or where the bots of a pool stand."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bigpepper.arena.estimate import Values, estimate
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
_LOOKS: Final = 60
"""At most so many intervals make a band."""
_FIRST: Final = 8
"""Values before which a running mean says nothing, where there are many more."""


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
    try:
        figure_of(match, language).savefig(path, dpi=150)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BigPepperError(msg("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


def figure_of(match: Match, language: str = SOURCE_LANGUAGE) -> Figure:
    """The drawing."""
    from matplotlib.figure import Figure

    result = match.result()
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    figure.suptitle(_title(result).text(language), fontsize=11, color=_INK)
    if len(result.bots) == 2:
        _running(figure, match, result, language)
    else:
        _pool(figure, result, language)
    return figure


def _title(result: Result) -> Message:
    if len(result.bots) > 2:
        return msg("{rules}: {bots}", rules=result.rules.name, bots=listed(result.bots))
    return msg(
        "{rules}: {first} against {second}", rules=result.rules.name, first=result.bots[0], second=result.bots[1]
    )


# --- two bots -------------------------------------------------------------------------------------------------------


def _running(figure: Figure, match: Match, result: Result, language: str) -> None:
    points, games = figure.subplots(1, 2)
    if result.deals:
        _course(points, match.values(Measure.POINTS), 0.0, 1.0, language)
    else:
        _say(points, msg("No deals were played."), language)
    if result.games:
        _course(games, match.values(Measure.GAMES), 0.5, 100.0, language, of_games=True)
    else:
        _say(games, msg("No games were played."), language)
    first, second = result.bots
    points.set_title(
        msg("Points a round: {first} less {second}", first=first, second=second).text(language), fontsize=9
    )
    points.set_xlabel(msg("deals, each from every seating").text(language))
    games.set_title(msg("Games won by {first}, %", first=first).text(language), fontsize=9)
    games.set_xlabel(msg("games, each from every seating").text(language))


def _course(axes: Any, values: Values, even: float, scale: float, language: str, *, of_games: bool = False) -> None:
    """The running mean with a band of its 95 % intervals, as the table has them; `even`: neither bot is ahead."""
    from matplotlib.ticker import MaxNLocator

    axes.axhline(even * scale, color=_INK, linewidth=0.8, linestyle=":")
    n = np.arange(_first(len(values)), len(values) + 1)
    means = np.cumsum(values)[n - 1] / n * scale
    looks = np.unique(np.linspace(n[0], n[-1], _LOOKS).astype(int)).tolist()
    found = [one for look in looks if (one := estimate(values[:look], of_games=of_games))]
    low, high = [one.low * scale for one in found], [one.high * scale for one in found]
    if found:
        lone = len(found) == 1  # a band of no width
        band = msg("95 % interval").text(language)
        axes.fill_between([one.n for one in found], low, high, color=_BAND, linewidth=3 if lone else 0, label=band)
    marker = "o" if len(n) < _LOOKS else None
    axes.plot(n, means, color=_PEPPER, linewidth=1.4, marker=marker, markersize=3, label=msg("so far").text(language))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.legend(fontsize=7, frameon=False)
    _finish(axes)


def _first(n: int) -> int:
    """From which value on a course of `n` is drawn."""
    return _FIRST if n >= 4 * _FIRST else 1


# --- a pool ---------------------------------------------------------------------------------------------------------


def _pool(figure: Figure, result: Result, language: str) -> None:
    points, rated = figure.subplots(1, 2)
    pairs = [pairing for pairing in result.pairings if pairing.points]
    labels = [
        msg("{first} less {second}", first=pairing.bots[0], second=pairing.bots[1]).text(language) for pairing in pairs
    ]
    if pairs:
        _whiskers(points, labels, [tuple(pairing.points or ())[:3] for pairing in pairs])
    else:
        _say(points, msg("An interval takes two deals; played: {n}.", n=result.deals), language)
    points.set_title(msg("Points a round").text(language), fontsize=9)
    if result.ratings:
        _whiskers(rated, [one.bot for one in result.ratings], [tuple(one.rating)[:3] for one in result.ratings])
    else:
        _say(rated, msg("A rating takes two games; played: {n}.", n=result.games), language)
    rated.set_title(msg("Rating; 400 points are odds of ten to one").text(language), fontsize=9)


def _whiskers(axes: Any, labels: list[str], intervals: list[tuple[float, ...]]) -> None:
    """A dot with its interval a line, the first on top."""
    axes.axvline(0, color=_INK, linewidth=0.8, linestyle=":")
    for row, (mean, low, high) in enumerate(intervals):
        axes.plot([low, high], [-row, -row], color=_PEPPER, linewidth=1.6)
        axes.plot([mean], [-row], "o", color=_PEPPER, markersize=5)
    axes.set_yticks([-row for row in range(len(labels))], labels)
    _finish(axes)


# --- both -----------------------------------------------------------------------------------------------------------


def _finish(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)


def _say(axes: Any, why: Message, language: str) -> None:
    """A sentence in place of a drawing."""
    axes.text(0.5, 0.5, why.text(language), transform=axes.transAxes, ha="center", va="center", fontsize=9, color=_INK)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
