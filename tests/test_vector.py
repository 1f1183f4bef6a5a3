"""The compiled batch against States played in lockstep, and what it promises: exact rows, no row moved by a mistake."""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from bigpepper import Deal, IllegalAction, InvalidDeal, Rules, State, bots, rulebooks
from bigpepper.envs.encode import encoder
from bigpepper.envs.gym_vector import VectorEnv
from bigpepper.envs.lanes import Buffers
from bigpepper.envs.rewards import rewards
from bigpepper.envs.settings import InvalidSetting
from bigpepper.envs.truth import TruthEncoder
from bigpepper.envs.vector import Rounds, deal_at, new_buffers

SEED = "vector"


@dataclass
class Twin:
    """The row of a batch, played on States."""

    rules: Rules
    row: int
    episode: int = 0
    learner: int | None = None

    def __post_init__(self) -> None:
        self.deal_round()

    def deal_round(self) -> None:
        """Begin the row's round; with a learner, the next one in which he has something to decide."""
        deal = deal_at(self.rules, SEED, self.row, self.episode)
        self.state = State.new(self.rules, deal=deal, dealer=(self.row + self.episode) % self.rules.players)
        self.let_first_play()
        if self.state.is_over:
            self.next_round()

    def next_round(self) -> None:
        """Begin the round after this one."""
        self.episode += 1
        self.deal_round()

    def let_first_play(self) -> None:
        """The bot `first` plays the seats that are not the learner's."""
        while self.learner is not None and self.state.turn not in (self.learner, None):
            self.state = self.state.apply(self.state.legal[0])

    def step(self, action: int) -> State | None:
        """Do the action; returns the round's last state if that ended it."""
        self.state = self.state.apply(self.rules.actions[action])
        self.let_first_play()
        if not self.state.is_over:
            return None
        last = self.state
        self.next_round()
        return last


def check(env: Rounds, twins: list[Twin]) -> None:
    """Seats, masks and observations of all rows are those of the states."""
    code = encoder(env.rules)
    for i, twin in enumerate(twins):
        state = twin.state
        seat = state.turn
        assert env.seats[i] == seat
        observation = state.observation(seat)
        assert (env.masks[i] == code.mask(observation)).all()
        assert (env.observations[i] == code.encode(observation, np.empty(code.size, env.observations.dtype))).all()


def earned(rules: Rules, last: State | None, kind: str) -> list[float]:
    """Rewards a seat."""
    if last is None:
        return [0.0] * rules.players
    assert last.points is not None
    each = rewards(last.points, kind)
    return [each[rules.side_of(seat)] for seat in range(rules.players)]


@pytest.mark.parametrize("name", rulebooks())
def test_rows_are_the_rounds_of_states(name: str) -> None:
    rules = Rules.load(name)
    kind = ("points", "difference", "win")[rulebooks().index(name) % 3]
    env = Rounds(rules, 5, seed=SEED, reward=kind)
    twins, ends = [Twin(rules, row) for row in range(5)], 0
    check(env, twins)
    for step in range(70):
        actions = env.sample(step)
        env.step(actions)
        lasts = [twin.step(int(action)) for twin, action in zip(twins, actions, strict=True)]
        check(env, twins)
        assert env.dones.tolist() == [last is not None for last in lasts]
        assert env.rewards.tolist() == [earned(rules, last, kind) for last in lasts]
        ends += int(env.dones.sum())
    assert ends >= 5
    assert [env.episode(i) for i in range(5)] == [twin.episode for twin in twins]
    assert [env.state(i) for i in range(5)] == [twin.state for twin in twins]


@pytest.mark.parametrize("kind", ["points", "difference", "win"])
def test_rewards_of_three_sides(kind: str) -> None:
    rules = Rules.load("pepper-3")
    buffers = new_buffers(rules, 40, dtype=np.float32)
    env, twins, seen = Rounds(rules, 40, seed=SEED, reward=kind, buffers=buffers), [], set()
    twins = [Twin(rules, row) for row in range(40)]
    for step in range(45):
        actions = env.sample(step)
        env.step(actions)
        lasts = [twin.step(int(action)) for twin, action in zip(twins, actions, strict=True)]
        assert env.rewards.tolist() == [earned(rules, last, kind) for last in lasts]
        seen |= set(env.rewards.ravel().tolist())
    check(env, twins)
    assert len(seen) >= 3


def test_rewards_in_words() -> None:
    assert rewards((4, 2), "points") == (4, 2)
    assert rewards((4, 2), "difference") == (2, -2)
    assert rewards((5, 2, 1), "difference") == (3.5, -1, -2.5)
    assert rewards((-6, 4, 4), "win") == (-1, 1, 1)
    assert rewards((0, 0, 0), "win") == (0, 0, 0)
    with pytest.raises(InvalidSetting, match="reward cannot be money; it takes one of points, difference, win"):
        rewards((1, 2), "money")


def played(env: Rounds, rows: int, steps: int) -> list[bytes]:
    """Everything that the first rows show over some steps."""
    shown = []
    for step in range(steps):
        env.step(env.sample(step))
        shown.append(b"".join(buffer[:rows].tobytes() for buffer in env.buffers))
    return shown


def test_a_row_depends_on_the_seed_alone() -> None:
    rules = Rules.load("hasenpfeffer")
    alone = played(Rounds(rules, 7, seed=3), 7, 60)
    many = Rounds(rules, 75, seed=3, threads=2)
    assert played(many, 7, 60) == alone
    many.close()
    assert played(Rounds(rules, 7, seed=4), 7, 60) != alone


def test_reset_begins_again_or_goes_on() -> None:
    env = Rounds(Rules.load("pepper-2"), 3, seed="a")
    first = [str(env.deal(row)) for row in range(3)]
    assert first == [str(deal_at(env.rules, "a", row, 0)) for row in range(3)]
    env.reset()
    assert [str(env.deal(row)) for row in range(3)] == [str(deal_at(env.rules, "a", row, 1)) for row in range(3)]
    env.step(env.sample(1))
    env.reset("a")
    assert [str(env.deal(row)) for row in range(3)] == first
    assert len(set(first)) == 3


def test_deals_are_given_and_handed_back() -> None:
    rules = Rules.load("hasenpfeffer")
    env = Rounds(rules, 3, seed=1)
    deals = [Deal.random(rules, seed) for seed in range(3)]
    env.reset(deals=deals, dealers=[2, 0, 3])
    assert [env.deal(row) for row in range(3)] == deals
    assert env.seats.tolist() == [3, 1, 0]
    code = encoder(rules)
    for row, dealer in enumerate([2, 0, 3]):
        state = State.new(rules, deal=deals[row], dealer=dealer)
        assert env.state(row) == state
        assert (env.observations[row] == code.compact(state.observation(state.turn))).all()
    with pytest.raises(InvalidSetting, match="for all 3 rows"):
        env.reset(deals=deals[:2])
    with pytest.raises(InvalidDeal):
        env.reset(deals=[Deal.random(Rules.load("pepper-2"), 1)] * 3)


def test_an_action_that_is_not_legal_moves_nothing() -> None:
    env = Rounds(Rules.load("pepper-4"), 40, seed=2)
    actions = env.sample(0)
    before = [buffer.copy() for buffer in env.buffers]
    wrong = actions.copy()
    wrong[[7, 30]] = env.rules.number_of[env.rules.action("JH")]
    with pytest.raises(IllegalAction, match="Row 7: “JH” is not legal for seat 0 now"):
        env.step(wrong)
    for number in (-1, 37, 2**60):
        wrong[:] = actions
        wrong[39] = number
        with pytest.raises(IllegalAction, match="Row 39"):
            env.step(wrong)
    assert all((now == then).all() for now, then in zip(env.buffers, before, strict=True))
    with pytest.raises(TypeError, match="one whole number for each of 40 rows"):
        env.step(actions[:39])
    with pytest.raises(TypeError, match="one whole number"):
        env.step(actions.astype(np.float32))
    env.step(actions.astype(np.int32))


@pytest.mark.parametrize("name", ["pepper-4", "hasenpfeffer"])
def test_only_what_the_mask_holds_is_done(name: str) -> None:
    env, refused = Rounds(Rules.load(name), 1, seed=2), 0
    for step in range(40):
        before = env.state(0)
        for number in np.flatnonzero(env.masks[0] == 0):
            with pytest.raises(IllegalAction):
                env.step(np.array([number]))
            refused += 1
        assert env.state(0) == before
        env.step(env.sample(step))
    assert refused > 800


def test_a_row_can_end_on_what_is_not_legal() -> None:
    env, same = Rounds(Rules.load("pepper-4"), 40, seed=2), Rounds(Rules.load("pepper-4"), 40, seed=2)
    actions = env.sample(0)
    same.step(actions)
    actions[[7, 30]] = 36
    refused = env.step_or_end(actions)
    assert np.flatnonzero(refused).tolist() == np.flatnonzero(env.dones).tolist() == [7, 30]
    assert not env.rewards.any()
    assert env.deal(7) == deal_at(env.rules, 2, 7, 1)
    assert (env.observations[~refused] == same.observations[~refused]).all()
    assert not env.step_or_end(env.sample(1)).any()


def test_buffers_are_the_callers_own() -> None:
    rules = Rules.load("tiny")
    given = new_buffers(rules, 9, dtype=np.float32)
    env = Rounds(rules, 9, buffers=given)
    assert env.observations is given.observations
    assert given.masks.any(axis=1).all()
    bare = Rounds(rules, 9, buffers=new_buffers(rules, 9, dtype=None, masks=False))
    for step in range(20):
        actions = env.sample(step)
        assert (actions == bare.sample(step)).all()
        env.step(actions)
        bare.step(actions)
        assert (bare.rewards == env.rewards).all()
    assert bare.observations.shape == (9, 0)


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("observations", np.zeros((9, 5), np.int8), ValueError),
        ("observations", np.zeros((8, 64), np.int8), ValueError),
        ("masks", np.zeros((9, 3), np.int8), ValueError),
        ("seats", np.zeros(9, np.int32), TypeError),
        ("rewards", np.zeros((9, 2)), TypeError),
        ("dones", np.zeros(8, np.bool_), ValueError),
    ],
)
def test_buffers_that_do_not_fit_are_refused(field: str, value: NDArray[np.generic], error: type[Exception]) -> None:
    rules = Rules.load("tiny")
    buffers: Buffers = new_buffers(rules, 9)._replace(**{field: value})
    with pytest.raises(error, match=field):
        Rounds(rules, 9, buffers=buffers)


def test_settings_that_cannot_be_are_refused() -> None:
    rules = Rules.load("tiny")
    with pytest.raises(InvalidSetting, match="0 rounds"):
        Rounds(rules, 0)
    with pytest.raises(InvalidSetting, match="take 1 to 2 threads, not 3"):
        Rounds(rules, 2, threads=3)
    with pytest.raises(InvalidSetting, match="a seat from 0 to 1, not 2"):
        Rounds(rules, 2, learner=2)
    with pytest.raises(InvalidSetting, match="opponent cannot be expert"):
        Rounds(rules, 2, opponent="expert")


def test_without_compiling_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.load("hasenpfeffer")
    for learner in (None, 2):
        monkeypatch.setenv("BIGPEPPER_JIT", "1")
        compiled = played(Rounds(rules, 3, seed=8, learner=learner), 3, 25)
        monkeypatch.setenv("BIGPEPPER_JIT", "0")
        assert played(Rounds(rules, 3, seed=8, learner=learner), 3, 25) == compiled


def test_critics_see_all_rows() -> None:
    rules = Rules.load("pepper-4")
    env, truth = Rounds(rules, 6, seed=1), TruthEncoder(rules)
    for step in range(9):
        env.step(env.sample(step))
    rows = np.zeros((6, truth.size), np.int8)
    truth.encode_rounds(env.rounds, env.seats, rows)
    assert (rows == np.array([truth.encode(env.state(i), int(env.seats[i])) for i in range(6)])).all()


# --- one learner ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer", "tiny"])
def test_first_plays_the_other_seats(name: str) -> None:
    rules = Rules.load(name)
    buffers = new_buffers(rules, 5, finals=True)
    env = Rounds(rules, 5, seed=SEED, learner=1, opponent="first", buffers=buffers)
    twins, code, ends = [Twin(rules, row, learner=1) for row in range(5)], encoder(rules), 0
    for step in range(60):
        check(env, twins)
        actions = env.sample(step)
        env.step(actions)
        for i, twin in enumerate(twins):
            last = twin.step(int(actions[i]))
            assert env.dones[i] == (last is not None)
            assert env.rewards[i].tolist() == earned(rules, last, "points")
            if last is not None:
                assert (buffers.finals[i] == code.compact(last.observation(1))).all()
                ends += 1
    assert ends > 5


def test_random_plays_the_other_seats_anew_each_time() -> None:
    env = Rounds(Rules.load("pepper-4"), 200, seed=1, learner=3)
    assert (env.seats == 3).all()
    played_first = set()
    for step in range(12):
        env.step(env.sample(step))
        assert (env.seats == 3).all()
        played_first |= {str(env.state(i).history[0].action) for i in range(200) if env.state(i).history}
    assert played_first == {str(action) for action in env.rules.actions[: 1 + len(env.rules.bids)]}


# --- Gymnasium ------------------------------------------------------------------------------------------------------


def test_the_vector_environment_keeps_to_its_spaces() -> None:
    env = VectorEnv(50, "hasenpfeffer", reward="win")
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=5)
    ends = 0
    for step in range(15):
        assert env.observation_space.contains(observations)
        assert (infos["action_mask"] == observations["action_mask"]).all()
        actions = env.rounds.sample(step)
        assert env.action_space.contains(actions)
        observations, rewards_, terminated, truncated, infos = env.step(actions)
        assert rewards_.shape == terminated.shape == truncated.shape == (50,)
        assert set(rewards_[~terminated]) <= {0.0}
        assert not truncated.any()
        assert ("final_obs" in infos) == terminated.any()
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            for row in range(50):
                end = infos["final_obs"][row]
                assert end is None or env.single_observation_space.contains(end)
                assert (end is not None) == terminated[row]
            ends += int(terminated.sum())
    assert ends > 50
    env.close()


def test_its_seeds_are_exact_and_its_arrays_its_own() -> None:
    env = VectorEnv(4)
    first, _ = env.reset(seed=5)
    kept = first["observation"].copy()
    env.step(env.rounds.sample(1))
    assert (first["observation"] == kept).all()
    again, _ = env.reset(seed=5)
    assert (again["observation"] == kept).all()
    after, _ = env.reset()
    assert (after["observation"] != kept).any()
    shared = VectorEnv(4, copy=False)
    assert shared.reset(seed=5)[0]["observation"] is shared.rounds.observations


def test_illegal_actions_end_or_raise() -> None:
    env = VectorEnv(3, illegal_reward=-9)
    env.reset(seed=1)
    actions = env.rounds.sample(0)
    actions[1] = 36
    _, rewards_, terminated, _, infos = env.step(actions)
    assert rewards_.tolist() == [0, -9, 0]
    assert terminated.tolist() == [False, True, False]
    assert infos["_final_obs"].tolist() == [False, True, False]
    strict = VectorEnv(3, illegal="error")
    strict.reset(seed=1)
    with pytest.raises(IllegalAction, match="Row 1"):
        strict.step(actions)


def test_it_plays_as_the_single_environment_does() -> None:
    rules = Rules.load("pepper-4")
    import bigpepper.envs.gymnasium  # noqa: F401 - registers

    one = gymnasium.make("BigPepper/Pepper4-v0", opponents=bots.load("first"), seat=2, disable_env_checker=True)
    many = gymnasium.make_vec("BigPepper/Pepper4-v0", num_envs=2, opponents="first", seat=2)
    batch = many.unwrapped
    assert isinstance(batch, VectorEnv)
    assert one.observation_space == batch.single_observation_space
    assert one.action_space == batch.single_action_space
    deals = [Deal.random(rules, 1), Deal.random(rules, 2)]
    all_seen, _ = many.reset(seed=1, options={"deals": deals, "dealers": [0, 3]})
    seen, info = one.reset(seed=1, options={"deal": deals[1], "dealer": 3})
    for step in range(40):
        assert (all_seen["observation"][1] == seen["observation"]).all()
        assert (all_seen["action_mask"][1] == info["action_mask"]).all()
        actions = batch.rounds.sample(step)
        all_seen, all_rewards, all_ended, _, infos = many.step(actions)
        seen, reward, ended, _, info = one.step(int(actions[1]))
        assert (all_rewards[1], all_ended[1]) == (reward, ended)
        if ended:
            assert (infos["final_obs"][1]["observation"] == seen["observation"]).all()
            return
    pytest.fail("the round did not end")
