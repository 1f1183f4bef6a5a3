"""What an environment can be set to, and the error for anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bigpepper.errors import BigPepperError
from bigpepper.text import listed, msg

REWARDS: Final = ("points", "difference", "win")
"""How a side is rewarded at the end of an episode: see `rewards`."""

OPPONENTS: Final = ("random", "first")
"""Bots that are compiled into the batch."""


class InvalidSetting(BigPepperError):
    """A setting or an argument of an environment that cannot be: what was given, and what would be right."""


def one_of(key: str, value: object, allowed: Sequence[str]) -> int:
    """The place of `value` in `allowed`. Raises `InvalidSetting`."""
    if value not in allowed:
        raise InvalidSetting(
            msg("{key} cannot be {value}; it takes one of {allowed}.", key=key, value=value, allowed=listed(allowed))
        )
    return list(allowed).index(str(value))
