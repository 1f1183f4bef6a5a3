"""The strong bots' tables foretell deals that they were not made from, and are fair to all sides."""

from __future__ import annotations

import numpy as np
import pytest

from bigpepper import Rules
from bigpepper.bots.strong import fit
from bigpepper.bots.strong.match import WON
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, Model
from bigpepper.bots.strong.season import season_of


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
