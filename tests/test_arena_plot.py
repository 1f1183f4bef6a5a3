"""A match as a picture: whatever there is, is drawn; where there is nothing, it says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bigpepper as bp
from bigpepper.arena import Estimate, Goal, Match, Measure
from bigpepper.arena.duplicate import Shares
from bigpepper.arena.plot import draw, figure_of

TINY = bp.Rules.load("tiny")


def made_up(deals: int, games: int, bots: tuple[str, ...] = ("random", "first")) -> Match:
    """A match with so many made-up results."""
    rng = np.random.default_rng(deals + 1000 * games)
    one = Match(TINY, bots, Goal(max(deals, 2), games))
    pairs = len(bots) * (len(bots) - 1) // 2
    points, won = rng.integers(-5, 5, (deals, pairs)).tolist(), (rng.integers(0, 5, (games, pairs)) / 4).tolist()
    one.tally.deals = [[Shares(value, 0.0) for value in row] for row in points]
    one.tally.games = [[Shares(value, 1 - value) for value in row] for row in won]
    return one


def axes_of(match: Match) -> list[Any]:
    figure = figure_of(match)
    figure.draw_without_rendering()
    return figure.axes


def said(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


NUMBERS = [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 100, 1000]


@pytest.mark.parametrize("n", NUMBERS)
def test_whatever_was_played_is_drawn(n: int) -> None:
    for match, number, word in ((made_up(n, 0), 0, "deals"), (made_up(0, n), 1, "games")):
        axes = axes_of(match)[number]
        if n == 0:
            assert said(axes) == [f"No {word} were played."]
            continue
        assert said(axes) == []
        course = axes.lines[-1]
        values = match.values(list(Measure)[number])
        shown = course.get_xdata()
        assert list(shown) == list(range(shown[0], n + 1))
        assert len(shown) == n or len(shown) > 24
        scale = 100 if word == "games" else 1
        assert course.get_ydata() == pytest.approx([scale * values[:i].mean() for i in shown])
        assert course.get_marker() == "o" or len(shown) > 24


@pytest.mark.parametrize("n", [n for n in NUMBERS if n > 1])
def test_the_band_ends_in_the_interval_of_the_table(n: int) -> None:
    match = made_up(n, n)
    pairing = match.result().pairings[0]
    for axes, told, scale in zip(axes_of(match), (pairing.points, pairing.games), (1, 100), strict=True):
        assert isinstance(told, Estimate)
        band = axes.collections[0].get_paths()[0].vertices
        last = band[band[:, 0] == n][:, 1]
        assert (last.min(), last.max()) == pytest.approx((told.low * scale, told.high * scale))
        assert axes.collections[0].get_label() == "95 % interval"
        assert axes.get_legend() is not None


@pytest.mark.parametrize("n", [n for n in NUMBERS if n])
def test_deals_and_games_are_counted_in_whole_numbers(n: int) -> None:
    for axes in axes_of(made_up(n, n)):
        ticks = axes.get_xticks()
        low, high = axes.get_xlim()
        assert all(tick == round(tick) for tick in ticks)
        assert any(low <= tick <= high for tick in ticks)


@pytest.mark.parametrize(("deals", "games"), [(0, 0), (1, 1), (0, 2), (2, 0), (2, 1), (9, 9)])
def test_a_pool_is_drawn_or_says_why_not(deals: int, games: int) -> None:
    points, rated = axes_of(made_up(deals, games, ("random", "first", "novice")))
    drawn = (len(points.get_yticklabels()), len(rated.get_yticklabels()))
    assert drawn == (3 if deals > 1 else 0, 3 if games > 1 else 0)
    assert said(points) == ([] if deals > 1 else [f"An interval takes two deals; played: {deals}."])
    assert said(rated) == ([] if games > 1 else [f"A rating takes two games; played: {games}."])


@pytest.mark.parametrize("end", ["png", "svg", "pdf"])
def test_a_picture_that_cannot_be_written_is_refused(end: str, tmp_path: Path) -> None:
    draw(made_up(3, 2), tmp_path / f"out.{end}")
    assert (tmp_path / f"out.{end}").stat().st_size > 1000
    folder = tmp_path / f"folder.{end}"
    folder.mkdir()
    with pytest.raises(bp.BigPepperError, match="cannot be written: Is a directory"):
        draw(made_up(3, 2), folder)
