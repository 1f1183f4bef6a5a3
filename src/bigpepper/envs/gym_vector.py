"""Gymnasium's `VectorEnv` on the compiled batch: one seat of each of many rounds learns, compiled bots play the others.

>>> import gymnasium
>>> import bigpepper.envs.gymnasium
>>> envs = gymnasium.make_vec("BigPepper/Pepper4-v0", num_envs=64)
>>> observations, infos = envs.reset(seed=7)
>>> observations["observation"].shape == (64, 340), infos["action_mask"].shape == observations["action_mask"].shape
(True, True)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bigpepper.deal import MASK62
from bigpepper.envs.bounds import most_points
from bigpepper.envs.settings import one_of
from bigpepper.envs.vector import Rounds, new_buffers
from bigpepper.rules import Rules


class VectorEnv(gymnasium.vector.VectorEnv[dict[str, Any], NDArray[np.int64], NDArray[Any]]):
    """`num_envs` rounds of which one seat is played by the learner; an episode is a round.

    - `rules`: the name of a shipped rulebook, or a `Rules`;
    - `reward`: `points`, `difference` or `win` (see `rewards`), paid at the end of the round;
    - `opponents`: `random` or `first`, compiled; not the same draws as those of the bot `random` elsewhere;
    - `seat`: the learner's; the deal goes round from episode to episode;
    - `threads`: slices that are stepped at the same time;
    - `illegal`: `end` (the episode ends with `illegal_reward`) or `error` (it raises `IllegalAction`, nothing moves);
    - `copy`: False hands out the buffers that the next step overwrites.

    An observation is a dict of `observation` (`float32[num_envs, size]`) and `action_mask` (`int8[num_envs,
    actions]`); the mask stands in `infos["action_mask"]` too. A round that is over is dealt anew in the same step
    (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` and `infos["final_info"]` then hold its end, where `_final_obs`
    says so. Nothing is ever truncated. `reset(seed=…)` is exact, whatever `num_envs` and `threads` are; without a
    seed the rows' next rounds begin. Its options are `deals` and `dealers`, see `Rounds.reset`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "pepper-4",
        *,
        reward: str = "points",
        opponents: str = "random",
        seat: int = 0,
        threads: int = 1,
        illegal: str = "end",
        illegal_reward: float | None = None,
        copy: bool = True,
    ) -> None:
        rules = Rules.load(rules) if isinstance(rules, str) else rules
        self.num_envs, self.seat, self.copy = num_envs, seat, copy
        self.raises = one_of("illegal", illegal, ("end", "error")) == 1
        dearest = -1.0 if reward == "win" else -float(most_points(rules))
        self.illegal_reward = dearest if illegal_reward is None else float(illegal_reward)
        self.rounds = Rounds(
            rules,
            num_envs,
            reward=reward,
            threads=threads,
            learner=seat,
            opponent=opponents,
            buffers=new_buffers(rules, num_envs, dtype=np.float32, finals=True),
        )
        """The batch behind it."""
        coder = self.rounds.encoder
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(coder.low, coder.high, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (coder.actions,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(coder.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a round in every row, at the learner's first decision."""
        super().reset(seed=seed)
        if seed is None and not self._is_begun:
            seed = int(self.np_random.integers(MASK62))
        self._is_begun = True
        self.rounds.reset(seed, **(options or {}))
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """The learner acts in every row, and the others play on to its next turn, or to the end and a new round."""
        actions = np.asarray(actions)
        if self.raises:
            self.rounds.step(actions)
            rewards = self.rounds.rewards[:, self.seat].astype(np.float64)
        else:
            refused = self.rounds.step_or_end(actions)
            rewards = np.where(refused, self.illegal_reward, self.rounds.rewards[:, self.seat])
        infos = {**self._infos(), **self._final_infos()}
        return self._observations(), rewards, self.rounds.dones.copy(), np.zeros(self.num_envs, np.bool_), infos

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.rounds.close()

    def _observations(self) -> dict[str, Any]:
        return {"observation": self._out(self.rounds.observations), "action_mask": self._out(self.rounds.masks)}

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._out(self.rounds.masks), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final_infos(self) -> dict[str, Any]:
        """The ends of the rounds that are over, in the form of Gymnasium's own vector environments."""
        dones = self.rounds.dones.copy()
        if not dones.any():
            return {}
        ends = np.full(self.num_envs, None, object)
        nothing = np.zeros_like(self.rounds.masks)
        for row in np.flatnonzero(dones):
            ends[row] = {"observation": self.rounds.buffers.finals[row].copy(), "action_mask": nothing[row]}
        last = {"action_mask": nothing, "_action_mask": dones}
        return {"final_obs": ends, "_final_obs": dones, "final_info": last, "_final_info": dones}

    def _out(self, buffer: NDArray[Any]) -> NDArray[Any]:
        return buffer.copy() if self.copy else buffer
