"""`first`: always the first legal action."""

from __future__ import annotations

from dataclasses import dataclass

from bigpepper.actions import Action
from bigpepper.observation import Observation


@dataclass(frozen=True, slots=True)
class First:
    """Passes, names the first strain, plays its first card in the order of the printed deck."""

    seed: int = 0
    """Of no effect; every bot is made from one."""

    def act(self, observation: Observation) -> Action:
        """The legal action with the lowest number."""
        observation.require_turn()
        return observation.legal[0]
