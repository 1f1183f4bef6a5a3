"""Renews the golden playthroughs of the OpenSpiel game: `python tests/golden/renew.py`, when a change is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import bigpepper.envs.openspiel  # noqa: F401 - registers the game

FOLDER: Final = Path(__file__).parent / "openspiel"
GAMES: Final = {
    "pepper-4": "bigpepper(rules=pepper-4)",
    "pepper-3": "bigpepper(rules=pepper-3)",
    "pepper-2": "bigpepper(rules=pepper-2)",
    "hasenpfeffer-traditional": "bigpepper(rules=hasenpfeffer-traditional)",
    "tiny": "bigpepper(rules=tiny)",
    "tiny-game": "bigpepper(rules=tiny,episode=game,target=2)",
}
SEED: Final = 7


def main() -> None:
    """Write them all."""
    flags.FLAGS(["renew"], known_only=True)
    FOLDER.mkdir(exist_ok=True)
    for name, game in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(generate_playthrough.playthrough(game, [], seed=SEED), "utf-8")


if __name__ == "__main__":
    main()
