"""What the bots of a table do: by what their seats see, and by seeds that nobody knows until the game is over."""

from __future__ import annotations

import logging
from typing import Final

from bigpepper import bots
from bigpepper.server.facts import Table
from bigpepper.server.fairness import bot_seed
from bigpepper.server.seen import view_of

_LOG: Final = logging.getLogger(__name__)


def move_of(table: Table, seat: int) -> str:
    """What the bot of a seat does; should it fail, its first legal action."""
    observation = view_of(table, seat)
    name = table.facts.played_by(seat)
    assert name is not None
    try:
        action = bots.load(name, bot_seed(bytes.fromhex(table.hidden.secret), seat)).act(observation)
        if action in observation.legal:
            return str(action)
        _LOG.error("bot %s did what it may not", name)
    except Exception:  # noqa: BLE001  whatever is wrong with a bot, the table goes on
        _LOG.exception("bot %s failed", name)
    return str(observation.legal[0])
