"""Intervals, ratings and the sequential test keep their promises on made-up data whose truth is known."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bigpepper.arena import Measure, Sprt
from bigpepper.arena.estimate import Values, error_of, estimate, resampled_means, with_one_each
from bigpepper.arena.ratings import ratings


def skewed(rng: np.random.Generator, n: int, mean: float = 0.0) -> Values:
    """Points as rounds have them: mostly small, now and then a Big, half points by the two seatings."""
    values: Values = rng.choice([-6.0, -1.5, -0.5, 0.0, 0.5, 1.5, 9.0], n, p=[0.08, 0.14, 0.18, 0.2, 0.2, 0.15, 0.05])
    return values - (-6 * 0.08 - 1.5 * 0.14 - 0.5 * 0.18 + 0.5 * 0.2 + 1.5 * 0.15 + 9 * 0.05) + mean


def test_the_interval_is_as_wide_as_theory_has_it() -> None:
    values = np.random.default_rng(1).normal(3, 2, 500)
    found = estimate(values)
    assert found is not None
    assert found.mean == pytest.approx(values.mean())
    assert found.n == 500
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * error_of(values), rel=0.06)
    assert (found.high + found.low) / 2 == pytest.approx(found.mean, abs=0.02)


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(2)
    inside = 0
    for _ in range(400):
        found = estimate(skewed(rng, 120, mean=1))
        assert found is not None
        inside += found.low <= 1 <= found.high
    assert 0.915 <= inside / 400 <= 0.98


def test_resampling_draws_whole_rows() -> None:
    """Columns that are equal stay equal: pairings are drawn together, deal by deal."""
    rows = np.random.default_rng(3).integers(0, 5, (50, 1)).astype(float)
    means = resampled_means(np.hstack([rows, rows, -rows]), draws=200)
    assert means.shape == (200, 3)
    assert np.allclose(means[:, 0], means[:, 1])
    assert np.allclose(means[:, 0], -means[:, 2])
    assert means[:, 0].std() == pytest.approx(rows.std() / 50**0.5, rel=0.2)
    assert np.array_equal(means, resampled_means(np.hstack([rows, rows, -rows]), draws=200))


def test_fewer_than_two_values_have_no_interval() -> None:
    assert estimate(np.array([])) is None
    assert estimate(np.array([1.0])) is None
    assert error_of(np.array([1.0])) == float("inf")


def test_games_that_were_all_won_leave_doubt() -> None:
    found = estimate(np.ones(20), of_games=True)
    assert found is not None
    assert found.mean == 1
    assert 0.75 < found.low < 1
    assert found.high == 1
    assert with_one_each(np.ones((3, 2))).mean() == pytest.approx(0.8)


def test_ratings_find_the_strengths_that_made_the_games() -> None:
    strengths = np.array([150.0, 0.0, -150.0])
    rng = np.random.default_rng(4)
    chances = [1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400)) for a, b in ((0, 1), (0, 2), (1, 2))]
    shares = rng.binomial(1, chances, (800, 3)).astype(float)
    found = ratings(shares, 3)
    for truth, rating in zip(strengths, found, strict=True):
        assert rating.low <= truth <= rating.high
        assert rating.high - rating.low < 60
    apart = ratings(np.tile([1.0, 1.0, 1.0], (30, 1)), 3)
    assert apart[0].mean > apart[1].mean > apart[2].mean
    assert all(np.isfinite(one[:3]).all() for one in apart)


def outcome(sprt: Sprt, values: Values) -> str:
    """What the test accepts, asked after every fourth value."""
    for n in range(4, len(values) + 1, 4):
        if accepted := sprt.verdict(values[:n]).accepted:
            return accepted
    return "none"


@pytest.mark.parametrize(("mean", "wrong"), [(0.0, "H1"), (0.5, "H0")])
def test_the_sequential_test_errs_as_seldom_as_it_says(mean: float, wrong: str) -> None:
    """At most 5 % of errors; 8 % of 400 tests would come by chance one time in 100."""
    rng = np.random.default_rng(5)
    sprt = Sprt.of(Measure.POINTS, 0.0, 0.5)
    found = Counter(outcome(sprt, skewed(rng, 2000, mean)) for _ in range(400))
    assert found[wrong] / 400 <= 0.08
    assert found["none"] <= 4


@pytest.mark.parametrize(("chance", "wrong"), [(0.5, "H1"), (0.6, "H0")])
def test_the_sequential_test_on_games(chance: float, wrong: str) -> None:
    rng = np.random.default_rng(6)
    sprt = Sprt.of(Measure.GAMES, 0.5, 0.6)
    found = Counter(outcome(sprt, rng.binomial(2, chance, 1500) / 2) for _ in range(400))
    assert found[wrong] / 400 <= 0.08
    assert found["none"] <= 4


def test_looking_after_every_deal_at_an_interval_would_err_far_more_often() -> None:
    """Why there is a sequential test: stopping as soon as the 95 % interval leaves 0 out is wrong in a third or so."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(100):
        values = skewed(rng, 1000)
        wrong += any(abs(values[:n].mean()) > 1.96 * error_of(values[:n]) for n in range(24, 1001, 4))
    assert wrong > 20


def test_few_values_prove_nothing() -> None:
    sprt = Sprt.of()
    assert sprt.verdict(np.full(20, 5.0)).accepted is None
    assert sprt.verdict(np.full(24, 5.0)).accepted == "H1"
    assert Sprt.of(least=40).verdict(np.full(24, 5.0)).accepted is None
    assert sprt.verdict(np.array([])).ratio == 0
    assert sprt.verdict(np.zeros(100)).ratio < 0
