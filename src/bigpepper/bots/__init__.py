"""Bots by name: `load("random", seed=1)`. Other packages add theirs through the entry-point group `bigpepper.bots`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bigpepper.bots.first import First
from bigpepper.bots.random import Random
from bigpepper.errors import UnknownBot
from bigpepper.game import Bot
from bigpepper.text import listed, msg

BUILT_IN: Final[dict[str, Callable[[int], Bot]]] = {"random": Random, "first": First}
"""The package's own bots, weakest first; each is made from a seed."""

ENTRY_POINTS: Final = "bigpepper.bots"


def load(name: str, seed: int = 0) -> Bot:
    """The bot of that name. An entry point of another package gives a callable that takes `seed`.

    Raises `UnknownBot`.
    """
    if name in BUILT_IN:
        return BUILT_IN[name](seed)
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS, name=name):
        bot: Bot = point.load()(seed=seed)
        return bot
    raise UnknownBot(msg("There is no bot “{name}”; there are {names}.", name=name, names=listed(BUILT_IN)))
