"""PettingZoo: `env(rules="pepper-4", episode="round")` is an AECEnv in which each seat is an agent.

>>> from bigpepper.envs.pettingzoo import env
>>> table = env(rules="pepper-4")
>>> table.reset(seed=7)
>>> for agent in table.agent_iter():
...     observation, reward, termination, truncation, info = table.last()
...     over = termination or truncation
...     table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from bigpepper.envs.encode import Encoder, encoder
from bigpepper.envs.episode import Episodes
from bigpepper.envs.render import FRAMES_A_SECOND, RENDER_MODES, checked_mode, rendered, seat_names
from bigpepper.envs.settings import InvalidSetting
from bigpepper.observation import Observation
from bigpepper.rules import Rules
from bigpepper.text import msg


def env(
    rules: Rules | str = "pepper-4",
    episode: str = "round",
    *,
    reward: str = "points",
    render_mode: str | None = None,
    viewer: int | None = None,
) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: calls in a wrong order and actions out of range are refused.

    See `Table` for the arguments.
    """
    table = Table(rules, episode, reward=reward, render_mode=render_mode, viewer=viewer)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(table))


class Table(AECEnv):  # type: ignore[misc]  # PettingZoo is typed as Any
    """A round or a game as an AECEnv; the agents are `player_0` … `player_3`, in the order of the seats.

    - `rules`: the name of a shipped rulebook, the TOML of one, or a `Rules`;
    - `episode`: `round` or `game`;
    - `reward`: `points`, `difference` or `win` (see `rewards`), at the end of a round, or in games: round by round,
      adding up to the final scores, and for `win` at the end of the game;
    - `render_mode`: `human`, `ansi`, `rgb_array`;
    - `viewer`: whose seat `render` looks from; None: from that of the agent to act.

    An observation is a dict of `observation` (`float32[size]`, see docs/observations.md) and `action_mask`
    (`int8[actions]`, 1 for what is legal); the mask stands in `infos[agent]["action_mask"]` too. The actions are the
    places in `rules.actions`. An action that is not legal raises `IllegalAction`, as does anything done out of turn.

    `reset(seed=…)` begins the same deals on every platform (see `Episodes`); without a seed the next ones. Its options
    are `deal`, `dealer` and `scores`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bigpepper_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str = "pepper-4",
        episode: str = "round",
        *,
        reward: str = "points",
        render_mode: str | None = None,
        viewer: int | None = None,
    ) -> None:
        super().__init__()
        self.episodes = Episodes(rules, episode, reward)
        self.rules: Rules = self.episodes.rules
        self.encoder: Encoder = encoder(self.rules)
        self.render_mode = checked_mode(render_mode)
        self.viewer = viewer
        self.possible_agents: list[str] = list(seat_names(self.rules.players))
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space(self.encoder) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoder.actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def sight(self, agent: str) -> Observation:
        """What an agent may know, as an Observation: what the package's bots act on."""
        return self.episodes.state.observation(self.possible_agents.index(agent))

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know, as arrays."""
        return arrays(self.encoder, self.sight(agent))

    # --- going on ---------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode."""
        self.episodes.begin(seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """The agent to act does the action with this number; None for an agent whose episode is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InvalidSetting(msg("{agent} is to act: None is for agents whose episode is over.", agent=agent))
        self.episodes.apply(self.rules.actions[int(action)])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.episodes.earned, strict=True))
        self.terminations = dict.fromkeys(self.agents, self.episodes.is_over)
        self._look()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Whose turn it is, and what each may do."""
        turn = self.episodes.turn
        self.agent_selection = self.agents[turn or 0]
        self.infos = {agent: {"action_mask": self.encoder.mask(self.sight(agent))} for agent in self.agents}

    # --- showing ----------------------------------------------------------------------------------------------------

    def render(self) -> Any:
        """The table as `viewer` sees it: a picture (`rgb_array`), sentences returned (`ansi`) or written (`human`)."""
        seat = (self.episodes.turn or 0) if self.viewer is None else self.viewer
        return rendered(self.episodes.state.observation(seat), self.possible_agents, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return f"bigpepper_v0 {self.rules.name}"


def observation_space(coder: Encoder) -> spaces.Dict:
    """The space of `arrays`."""
    return spaces.Dict(
        {
            "observation": spaces.Box(coder.low, coder.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (coder.actions,), np.int8),
        }
    )


def arrays(coder: Encoder, observation: Observation) -> dict[str, Any]:
    """An observation with its mask, as arrays of their own."""
    return {"observation": coder.encode(observation), "action_mask": coder.mask(observation)}
