"""Bots by name: `load("novice", seed=1)`. Other packages add theirs through the entry-point group `bigpepper.bots`."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from bigpepper.errors import UnknownBot
from bigpepper.game import Bot
from bigpepper.text import listed, msg

BUILT_IN: Final = {
    "random": "bigpepper.bots.random:Random",
    "first": "bigpepper.bots.first:First",
    "novice": "bigpepper.bots.novice:Novice",
}
"""The package's own bots, weakest first, and where each is; imported when it is loaded."""

ENTRY_POINTS: Final = "bigpepper.bots"


def load(name: str, seed: int = 0) -> Bot:
    """The bot of that name. An entry point of another package gives a callable that takes `seed`.

    Raises `UnknownBot`.
    """
    if name in BUILT_IN:
        module, _, kind = BUILT_IN[name].partition(":")
        own: Bot = getattr(import_module(module), kind)(seed)
        return own
    from importlib.metadata import entry_points

    others = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name not in others:
        raise UnknownBot(
            msg("There is no bot “{name}”; there are {names}.", name=name, names=listed([*BUILT_IN, *others]))
        )
    bot: Bot = others[name].load()(seed=seed)
    return bot
