"""Games as text (`.pep`) and JSON, and the JSON form of an Observation. The format: docs/notation.md.

>>> import bigpepper as bp
>>> from bigpepper import notation
>>> game = bp.play(bp.Rules.load("tiny"), [bp.bots.load("first")] * 2, seed=7)
>>> record = notation.from_game(game, players=[notation.Player(bot="first")] * 2)
>>> notation.loads(notation.dumps(record)) == record
True
"""

from __future__ import annotations

from bigpepper.notation.build import from_game, from_observations, round_of, round_seen, to_game
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.json import from_json, to_json
from bigpepper.notation.model import (
    PRACTICE,
    Act,
    End,
    Evaluation,
    GameRecord,
    Player,
    Proof,
    Result,
    RoundRecord,
    Takeover,
)
from bigpepper.notation.observation import ObservationForm, observation_form, observation_from_json, observation_to_json
from bigpepper.notation.reader import loads
from bigpepper.notation.streams import read, write
from bigpepper.notation.verify import Replay, final_end, verify
from bigpepper.notation.writer import blocks, digest, dumps

__all__ = [
    "PRACTICE",
    "Act",
    "End",
    "Evaluation",
    "GameRecord",
    "NotationError",
    "ObservationForm",
    "Place",
    "Player",
    "Proof",
    "Replay",
    "Result",
    "RoundRecord",
    "Takeover",
    "blocks",
    "digest",
    "dumps",
    "final_end",
    "from_game",
    "from_json",
    "from_observations",
    "loads",
    "observation_form",
    "observation_from_json",
    "observation_to_json",
    "read",
    "round_of",
    "round_seen",
    "to_game",
    "to_json",
    "verify",
    "write",
]
