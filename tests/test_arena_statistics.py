"""Intervals, ratings and the sequential test keep their promises on made-up data whose truth is known."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from bigpepper import InvalidGame
from bigpepper.arena import Measure, Sprt
from bigpepper.arena.estimate import MOST_POINTS, Values, error_of, estimate, resampled_means, with_one_each
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
    assert with_one_each(np.ones(3)).mean() == pytest.approx(0.8)


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


def renamed(shares: Values, order: tuple[int, ...]) -> Values:
    """The same games, had the bots been named in this order."""
    column = {pair: i for i, pair in enumerate(combinations(range(len(order)), 2))}
    pairs = combinations(order, 2)
    return np.column_stack([shares[:, column[a, b]] if a < b else 1 - shares[:, column[b, a]] for a, b in pairs])


SHARES = {
    "all won": np.ones((10, 3)),
    "all even": np.full((10, 6), 0.5),
    "one who won all": np.tile([1.0, 1.0, 0.5], (12, 1)),
    "in a circle": np.tile([1.0, 0.0, 1.0], (12, 1)),
    "parts of games": np.random.default_rng(7).integers(0, 7, (30, 6)) / 6,
    "many games": np.random.default_rng(8).binomial(2, [0.5, 0.6, 0.9], (500, 3)) / 2,
}


@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_ratings_do_not_depend_on_the_order_of_the_bots(shares: Values) -> None:
    bots = 3 if shares.shape[1] == 3 else 4
    found = np.array(ratings(shares, bots))
    for order in permutations(range(bots)):
        assert np.array(ratings(renamed(shares, order), bots)) == pytest.approx(found[list(order)], abs=1e-6)


@pytest.mark.parametrize("n", [2, 10, 300])
def test_equal_results_have_equal_intervals(n: int) -> None:
    """Whoever won as much as another, against each of the others too, is as sure of it."""
    for shares, bots in ((np.full((n, 3), 0.5), 3), (np.full((n, 6), 0.5), 4), (np.tile([1.0, 0.0, 1.0], (n, 1)), 3)):
        found = np.array(ratings(shares, bots))
        assert found == pytest.approx(np.tile(found[0], (bots, 1)), abs=1e-6)
        assert found[0][1] < -1 < 1 < found[0][2]


@pytest.mark.parametrize(("strengths", "n"), [((150, 0, -150), 10), ((300, 0, -300), 20), ((60, 20, -20, -60), 60)])
def test_the_intervals_of_ratings_hold_the_truth_95_times_in_100(strengths: tuple[int, ...], n: int) -> None:
    rng = np.random.default_rng(9)
    chances = [1 / (1 + 10 ** ((b - a) / 400)) for a, b in combinations(strengths, 2)]
    inside = 0
    for _ in range(60):
        found = ratings(rng.binomial(2, chances, (n, len(chances))) / 2, len(strengths))
        inside += sum(one.low <= truth <= one.high for one, truth in zip(found, strengths, strict=True))
    assert inside / (60 * len(strengths)) >= 0.9


def test_the_other_bot_has_the_same_interval_from_its_side() -> None:
    rng = np.random.default_rng(10)
    samples: list[Values] = [skewed(rng, 80), rng.normal(0, 1, 50), rng.integers(-9, 9, 40) / 6]
    for points in samples:
        one, other = estimate(points), estimate(-points)
        assert one is not None
        assert other is not None
        assert (one.mean, one.low, one.high) == pytest.approx((-other.mean, -other.high, -other.low), abs=1e-6)
    samples = [np.ones(10), np.tile([0.5, 0.75], 8), rng.integers(0, 7, 40) / 6, rng.binomial(1, 0.7, 30).astype(float)]
    for shares in samples:
        one, other = estimate(shares, of_games=True), estimate(1 - shares, of_games=True)
        assert one is not None
        assert other is not None
        assert (one.mean, one.low, one.high) == pytest.approx((1 - other.mean, 1 - other.high, 1 - other.low), abs=1e-6)


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


def test_a_measure_is_named_by_its_text_too() -> None:
    values = np.tile([1.0, 0.5], 40)
    for name in Measure:
        named, meant = (Sprt.of(measure) for measure in (name.value, name))
        assert named == meant == Sprt(name.value, meant.h0, meant.h1)  # type: ignore[arg-type]
        assert named.measure is name
        assert named.verdict(values) == meant.verdict(values)
    for wrong in ("rounds", "Games", "", None, 1):
        for make in (Sprt.of, Sprt):
            with pytest.raises(InvalidGame, match=r"There is no measure .*; there are points, games\."):
                make(wrong)  # type: ignore[arg-type]


INF, NAN = float("inf"), float("nan")
POINTS_FROM = r"In a test on points H[01] is a number from -100000 to 100000; given: "
GAMES_FROM = r"In a test on games H[01] is a number from 0 to 1; given: "
CHANCES = r"The chances of error lie between 0 and 0\.5; given: "
SENSELESS: list[tuple[dict[str, Any], str]] = [
    *(({name: given}, POINTS_FROM) for name in ("h0", "h1") for given in (INF, -INF, NAN, 1e308, 10**400, "1", True)),
    *(
        ({"measure": "games", name: given}, GAMES_FROM)
        for name in ("h0", "h1")
        for given in (INF, -INF, NAN, -1, 1.01, 3, 53)
    ),
    *(({name: given}, CHANCES) for name in ("alpha", "beta") for given in (0, 0.5, 1, -0.1, 0.7, 5, INF, NAN, "0.1")),
    *(({name: given}, "one time in a million") for name in ("alpha", "beta") for given in (1e-320, 1e-17, 9e-7)),
    *(({"least": given}, "2 values or more before it accepts") for given in (1, 0, -5, 2.5, INF, NAN, "9", True)),
    ({"h0": 0.3, "h1": 0.1}, r"H1 \(0.1\) has to lie above H0 \(0.3\)"),
    ({"h0": 0.2}, r"H1 \(0.2\) has to lie above H0 \(0.2\)"),
    ({"measure": "games", "h0": 0.6}, r"H1 \(0.53\) has to lie above H0 \(0.6\)"),
]


@pytest.mark.parametrize(("options", "sentence"), SENSELESS, ids=str)
def test_a_senseless_test_is_refused_with_what_was_given(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidGame, match=sentence) as refused:
        Sprt.of(**options)
    given = [value for value in options.values() if value != "games"]
    assert any(str(value).strip("'")[:20] in str(refused.value) for value in (*given, str(given[0]).lower()))


@pytest.mark.parametrize("measure", list(Measure))
def test_whatever_test_is_taken_has_numbers_for_json(measure: Measure) -> None:
    most = 1 if measure is Measure.GAMES else MOST_POINTS
    samples = [np.zeros(0), np.zeros(30), np.full(30, float(most)), np.full(10_000, float(most)), np.arange(30) % 2.0]
    for h0, h1 in ((0, 1), (0, 1e-300), (1 - 1e-16, 1), (most - 1, most), (0, most), (-most if most > 1 else 0, most)):
        for chance in (1e-6, 0.4999999):
            for values in samples:
                verdict = Sprt.of(measure, h0, h1, chance, chance).verdict(values)
                assert np.isfinite([verdict.ratio, verdict.lower, verdict.upper]).all()
                assert verdict.lower < 0 < verdict.upper


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
