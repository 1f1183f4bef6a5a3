"""The strong bots' tables foretell deals that they were not made from, and are fair to all sides."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from bigpepper import Rules
from bigpepper.bots.strong import fit
from bigpepper.bots.strong.match import WON
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, Model
from bigpepper.bots.strong.season import _play_season, season_of


def open_model(rules: Rules) -> Model:
    """A model of open-card play alone: what players miss is left out."""
    return fit.fit_open(rules, played=np.tile(np.eye(9), (6, 1)))


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "pepper-2", "hasenpfeffer"])
def test_good_and_bad_hands_take_what_the_chances_say(name: str) -> None:
    rules = Rules.load(name)
    model = open_model(rules)
    fresh = fit.learn(rules, model, 10_000, 0, fit.SEED + 1)
    promised = fit.expected(model, fresh.strains, fresh.hands) / TRICK
    steps = np.clip(np.round(8 * promised).astype(int), 0, STEPS - 1)
    said = (np.array(model.likely) / CERTAIN)[steps] @ np.arange(9)
    for part in (promised < np.quantile(promised, 0.1), promised > np.quantile(promised, 0.95)):
        assert said[part].mean() == pytest.approx(fresh.tricks[part].mean(), abs=0.2)


@pytest.mark.parametrize("finish", ["highest", "makers-first"])
@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer"])
def test_the_chances_of_all_sides_add_up_at_every_score(name: str, finish: str) -> None:
    rules = Rules.load(name).replace(finish=finish)
    match, sides = season_of(rules).match, rules.sides
    chances = np.array(match.chance[: match.size**sides]).reshape((match.size,) * sides) / WON
    turned = [np.transpose(chances, [(axis - side) % sides for axis in range(sides)]) for side in range(sides)]
    going_on = (slice(0, match.size - 2),) * sides
    assert np.abs(np.sum(turned, axis=0)[going_on] - 1).max() < 0.003


@pytest.mark.parametrize("target", [1, 10, 10_000])
@pytest.mark.parametrize("name", ["pepper-4", "pepper-3"])
def test_the_largest_awards_need_no_more_room(name: str, target: int) -> None:
    """House rules may pay a thousand points for a bid of a game that ends at ten."""
    rules = Rules.load(name)
    top = rules.ladder[-1]
    most = type(top.made)("", 1_000)
    rules = rules.replace(ladder=(*rules.ladder[:-1], top._replace(made=most, failed=most)), target=target)
    match = season_of(rules).match
    size = match.size**rules.sides
    tracemalloc.start()
    try:
        _play_season(rules)
        assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
    finally:
        tracemalloc.stop()
    chances = np.array(match.chance[:size])
    assert (chances >= 0).all()
    assert (chances <= WON).all()
    assert 0 < chances.mean() < WON
