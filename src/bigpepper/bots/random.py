"""`random` (Bell): any legal action, each with the same chance."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from bigpepper.actions import Action
from bigpepper.observation import Observation


@dataclass(frozen=True, slots=True)
class Random:
    """Draws from a digest of its seed and what it sees, so that the same bot does the same in another process."""

    seed: int = 0

    def act(self, observation: Observation) -> Action:
        """One of the legal actions."""
        observation.require_turn()
        digest = sha256(f"{self.seed} ".encode() + bytes(observation)).digest()
        legal = observation.legal
        return legal[int.from_bytes(digest[:8], "big") % len(legal)]
