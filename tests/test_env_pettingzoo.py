"""PettingZoo: its own suites on every rulebook, and what they do not ask: seeds, rewards, masks, secrecy."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete

import bigpepper as bp
from bigpepper.envs.episode import Episodes
from bigpepper.envs.settings import InvalidSetting

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what its import says of other packages
    from pettingzoo.test import api_test, bombardment_test, render_test, seed_test
    from pettingzoo.utils import BaseWrapper

    from bigpepper.envs.pettingzoo import env

NAMES = bp.rulebooks()
# Of a dict with a mask the suites say each of these, to whoever is not on their own list of environments.
OF_A_DICT = [
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
]
asked_by_the_suites = pytest.mark.filterwarnings(*OF_A_DICT)


def play_out(table: Any, seed: int | None, dice: random.Random) -> dict[str, float]:
    """A whole episode of random actions; what each agent was given in all."""
    table.reset(seed=seed)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, info = table.last()
        total[agent] += reward
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        over = termination or truncation
        table.step(None if over else dice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return total


# --- suites not written here ----------------------------------------------------------------------------------------


@asked_by_the_suites
@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("name", NAMES)
def test_api(name: str, episode: str) -> None:
    api_test(env(rules=name, episode=episode), num_cycles=100)


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("name", NAMES)
def test_seeds(name: str, episode: str) -> None:
    seed_test(lambda: env(rules=name, episode=episode), num_cycles=50)


class Legal(Discrete):
    """Samples what is legal now."""

    def __init__(self, table: Any, agent: str) -> None:
        super().__init__(table.action_space(agent).n)
        self.table, self.agent = table, agent

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        return super().sample(self.table.infos[self.agent]["action_mask"] if mask is None else mask)


class PlainArrays(BaseWrapper):  # type: ignore[misc]
    """The environment as `bombardment_test` can take it: it fails for every observation that is a dict (it asks the
    first one's `shape`), and reads the next observation from `step`, which `api_test` forbids to return anything."""

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def observation_space(self, agent: str) -> Any:
        return super().observation_space(agent)["observation"]

    def action_space(self, agent: str) -> Legal:
        return Legal(self.env, agent)

    def step(self, action: Any) -> Any:
        super().step(action)
        return self.last()[0]


@pytest.mark.parametrize("name", NAMES)
def test_bombardment(name: str) -> None:
    bombardment_test(PlainArrays(env(rules=name)), cycles=20)


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer-traditional", "tiny"])
def test_rendering(name: str) -> None:
    render_test(lambda render_mode: env(rules=name, render_mode=render_mode))


# --- what they do not ask -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_deal_that_it_gives_everywhere(name: str) -> None:
    rules, table = bp.Rules.load(name), env(rules=name)
    table.reset(seed=7)
    state = table.unwrapped.episodes.state
    assert state.deal == bp.Deal.random(rules, 7)
    assert state.dealer == bp.DealStream(rules, 7).first_dealer()
    table.reset()
    again = table.unwrapped.episodes.state
    assert again.deal == bp.DealStream(rules, 7)(1)
    assert again.dealer == (state.dealer + 1) % rules.players


def test_a_game_is_the_game_of_its_seed() -> None:
    rules = bp.Rules.load("pepper-2")
    game = bp.play(rules, [bp.bots.load("novice") for _ in range(2)], seed=3)
    table, bot = env(rules=rules, episode="game"), bp.bots.load("novice")
    table.reset(seed=3)
    total = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        _, reward, termination, _, _ = table.last()
        total[agent] += reward
        action = None if termination else table.unwrapped.rules.number_of[bot.act(table.unwrapped.sight(agent))]
        table.step(action)
    assert tuple(total.values()) == game.scores


@pytest.mark.parametrize("reward", ["points", "difference", "win"])
@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "tiny"])
def test_rewards_follow_from_the_points(name: str, reward: str) -> None:
    table, dice = env(rules=name, reward=reward), random.Random(1)
    earned = set()
    for seed in range(15):
        total = play_out(table, seed, dice)
        state = table.unwrapped.episodes.state
        points = [state.points_of(seat) for seat in range(state.rules.players)]
        by_side = state.points
        for seat, got in enumerate(total.values()):
            others = [value for side, value in enumerate(by_side) if side != state.rules.side_of(seat)]
            most = max(by_side)
            win = 0 if len(set(by_side)) == 1 else 1 if points[seat] == most else -1
            right = {"points": points[seat], "difference": points[seat] - sum(others) / len(others), "win": win}
            assert got == right[reward]
            earned.add(got)
    assert len(earned) > (1 if reward == "win" else 2)


def test_a_win_in_a_game_is_told_once_at_its_end() -> None:
    table = env(rules="tiny", episode="game", reward="win")
    for seed in range(5):
        total = play_out(table, seed, random.Random(seed))
        winners = table.unwrapped.episodes.game.winners
        right = {0: -1.0, 1: 1.0} if winners == (1,) else {0: 1.0, 1: -1.0} if winners == (0,) else {0: 0.0, 1: 0.0}
        assert list(total.values()) == [right[0], right[1]]


def test_rules_may_be_a_name_toml_or_a_value() -> None:
    rules = bp.Rules.load("pepper-4").replace(target=15)
    for given in (rules, rules.to_toml()):
        assert env(rules=given).unwrapped.rules == rules
    with pytest.raises(bp.InvalidRules):
        env(rules="peper-4")


def test_the_first_round_can_be_given() -> None:
    rules = bp.Rules.load("pepper-4")
    deal = bp.Deal.random(rules, 99)
    for episode in ("round", "game"):
        table = env(rules=rules, episode=episode)
        table.reset(seed=1, options={"deal": deal, "dealer": 2, "scores": [3, 4]})
        state = table.unwrapped.episodes.state
        assert (state.deal, state.dealer, state.scores) == (deal, 2, (3, 4))


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    table = env()
    table.reset(seed=1)
    before = table.unwrapped.episodes.state
    illegal = int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(bp.IllegalAction, match="not legal"):
        table.step(illegal)
    assert table.unwrapped.episodes.state is before


@pytest.mark.parametrize("wrong", [{"episode": "match"}, {"reward": "money"}, {"render_mode": "smell"}])
def test_settings_that_do_not_exist_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting):
        env(**wrong)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "tiny"])  # there one's own cards tell the other's
def test_worlds_that_look_the_same_look_the_same_here(name: str) -> None:
    table, dice = env(rules=name, render_mode="ansi"), random.Random(5)
    changed = 0
    for seed in range(3):
        table.reset(seed=seed)
        raw = table.unwrapped
        while not raw.episodes.is_over:
            agent, state = raw.agent_selection, raw.episodes.state
            seen, text = raw.observe(agent), table.render()
            other = bp.worlds.sample(raw.sight(agent), dice)
            put_in_place(raw.episodes, other)
            assert all(np.array_equal(seen[key], raw.observe(agent)[key]) for key in seen)
            assert table.render() == text
            changed += other.deal != state.deal
            put_in_place(raw.episodes, state)
            table.step(dice.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    assert changed > 5


def put_in_place(episodes: Episodes, state: bp.State) -> None:
    """Another truth behind the same table."""
    episodes._round = state


def test_rounds_of_one_seed_are_not_all_the_same() -> None:
    table = env()
    table.reset(seed=1)
    deals = {str(table.unwrapped.episodes.state.deal)}
    for _ in range(5):
        table.reset()
        deals.add(str(table.unwrapped.episodes.state.deal))
    assert len(deals) == 6
