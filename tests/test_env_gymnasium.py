"""Gymnasium: its own checker on every rulebook, opponents, seats, illegal actions, registration."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bigpepper as bp
from bigpepper.envs.gymnasium import Table, environment_id
from bigpepper.envs.settings import InvalidSetting

NAMES = bp.rulebooks()


def play_out(table: Table, dice: random.Random, **reset: Any) -> float:
    """An episode of random actions; the rewards' sum."""
    observation, info = table.reset(**reset)
    total, over = 0.0, False
    while not over:
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        action = dice.choice(np.flatnonzero(observation["action_mask"]).tolist())
        observation, reward, over, truncated, info = table.step(action)
        assert not truncated
        total += reward
    return total


# --- the suite not written here -------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"episode": "game", "seat": 1, "reward": "win"}, {"opponents": "novice"}])
@pytest.mark.parametrize("name", NAMES)
def test_the_checker_of_gymnasium(name: str, settings: dict[str, Any]) -> None:
    made = gymnasium.make(environment_id(name), **settings)
    check_env(made.unwrapped, skip_render_check=bool(settings))


# --- registration ---------------------------------------------------------------------------------------------------


def test_ids_follow_from_the_names_of_rulebooks() -> None:
    assert environment_id("pepper-4") == "BigPepper/Pepper4-v0"
    assert environment_id("hasenpfeffer-traditional") == "BigPepper/HasenpfefferTraditional-v0"
    assert {environment_id(name) for name in NAMES} <= set(gymnasium.registry)


def test_the_id_with_the_module_needs_no_import() -> None:
    made = gymnasium.make("bigpepper.envs.gymnasium:BigPepper/Pepper2-v0", reward="difference")
    assert made.unwrapped.rules == bp.Rules.load("pepper-2")  # type: ignore[attr-defined]


# --- playing --------------------------------------------------------------------------------------------------------


@dataclass
class Watcher:
    """Plays the first legal action and keeps what it was shown."""

    seen: list[bp.Observation] = field(default_factory=list)

    def act(self, observation: bp.Observation) -> bp.Action:
        self.seen.append(observation)
        return observation.legal[0]


def test_the_others_are_played_by_their_bots_each_in_its_seat() -> None:
    left, partner, right = Watcher(), Watcher(), Watcher()
    table = Table(seat=1, opponents=[left, partner, right])
    dice = random.Random(3)
    for seed in range(5):
        play_out(table, dice, seed=seed)
    assert [{o.seat for o in bot.seen} for bot in (left, partner, right)] == [{2}, {3}, {0}]
    assert all(o.seat == o.turn for o in left.seen + partner.seen + right.seen)


def test_the_same_seed_gives_the_same_episode() -> None:
    once, twice = Table("pepper-3"), Table("pepper-3")
    for seed in (1, 2):
        assert play_out(once, random.Random(9), seed=seed) == play_out(twice, random.Random(9), seed=seed)
        assert once.sight == twice.sight
    assert play_out(once, random.Random(9)) == play_out(twice, random.Random(9))


def test_a_seed_gives_the_deal_that_it_gives_everywhere() -> None:
    table = Table("pepper-4")
    table.reset(seed=11)
    assert table.episodes.state.deal == bp.Deal.random(table.rules, 11)


def test_rewards_are_the_points_of_the_learners_side() -> None:
    table, dice = Table("pepper-4", seat=3, reward="points"), random.Random(2)
    got = [(play_out(table, dice, seed=seed), table.episodes.state.points_of(3)) for seed in range(10)]
    assert all(total == points for total, points in got)
    assert any(total for total, _ in got)


def test_rewards_of_a_game_add_up_to_its_scores() -> None:
    table = Table("pepper-2", "game", opponents="novice")
    total = play_out(table, random.Random(4), seed=5)
    assert table.episodes.game is not None
    assert total == table.episodes.game.scores[0]


def test_rounds_in_which_the_learner_is_not_asked_are_passed_over() -> None:
    """Under `first` the lone maker's partner may never be asked: whatever comes, the learner is to act at first."""

    @dataclass
    class GoesAlone:
        def act(self, observation: bp.Observation) -> bp.Action:
            return next((a for a in observation.legal if str(a) in ("big", "S-alone", "H-alone")), observation.legal[0])

    table = Table("hasenpfeffer-traditional", opponents=GoesAlone())
    numbers = set()
    for seed in range(12):
        table.reset(seed=seed)
        assert table.episodes.turn == 0
        numbers.add(table.episodes.state.deal == bp.Deal.random(table.rules, seed))
    assert numbers == {True, False}


def test_an_illegal_action_ends_the_episode_or_raises() -> None:
    table = Table("pepper-4")
    observation, _ = table.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, terminated, _, info = table.step(illegal)
    assert terminated
    assert reward == table.illegal_reward < -6
    assert "not legal" in info["illegal"]
    with pytest.raises(InvalidSetting, match="reset"):
        table.step(0)
    strict = Table("pepper-4", illegal="error")
    strict.reset(seed=1)
    with pytest.raises(bp.IllegalAction):
        strict.step(illegal)


@pytest.mark.parametrize(
    "wrong", [{"seat": 4}, {"opponents": ["random"]}, {"illegal": "maybe"}, {"reward": "x"}, {"episode": "x"}]
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting):
        Table("pepper-4", **wrong)


def test_an_unknown_bot_is_refused_at_once() -> None:
    with pytest.raises(bp.UnknownBot):
        Table("pepper-4", opponents="nobody")


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_rendering_shows_the_learners_table(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("pepper-4", render_mode=mode)
    table.reset(seed=1)
    capsys.readouterr()
    shown = table.render()
    if mode == "rgb_array":
        assert shown.shape == (720, 960, 3)
        return
    text = shown if mode == "ansi" else capsys.readouterr().out
    assert "Your bid." in text
    assert shown is None or mode == "ansi"
