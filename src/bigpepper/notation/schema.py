"""The published JSON schemas. `python -m bigpepper.notation.schema FOLDER` writes them there."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from bigpepper.notation.json import game_schema
from bigpepper.notation.observation import observation_schema


def schemas() -> dict[str, str]:
    """The text of each schema file."""
    made = {"game.json": game_schema(), "observation.json": observation_schema()}
    return {name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in made.items()}


def main(arguments: Sequence[str]) -> None:
    """Write the schema files into the folder that is named."""
    for name, text in schemas().items():
        (Path(arguments[0]) / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
