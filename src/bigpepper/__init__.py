"""Big Pepper: Pepper and Hasenpfeffer, the games, complete by the rules.

>>> import bigpepper as bp
>>> rules = bp.Rules.load("pepper-4")
>>> state = bp.State.new(rules, seed=7)
>>> state.turn, str(state.legal[0])
(1, 'pass')
"""

from __future__ import annotations

from bigpepper import bots, worlds
from bigpepper._version import __version__
from bigpepper.actions import Action, Bid, Claim, Defend, Discard, Name, Pass, Play, Turn
from bigpepper.cards import Card, Strain, Suit
from bigpepper.deal import Deal, DealStream
from bigpepper.errors import (
    BigPepperError,
    BotFailed,
    IllegalAction,
    InvalidAction,
    InvalidCard,
    InvalidClaim,
    InvalidDeal,
    InvalidGame,
    InvalidRules,
    NotConforming,
    UnknownBot,
)
from bigpepper.game import Bot, Game, play
from bigpepper.observation import Observation
from bigpepper.public import Phase, Trick
from bigpepper.rules import Rules, rulebooks
from bigpepper.state import State
from bigpepper.text import Message

__all__ = [
    "Action",
    "Bid",
    "BigPepperError",
    "Bot",
    "BotFailed",
    "Card",
    "Claim",
    "Deal",
    "DealStream",
    "Defend",
    "Discard",
    "Game",
    "IllegalAction",
    "InvalidAction",
    "InvalidCard",
    "InvalidClaim",
    "InvalidDeal",
    "InvalidGame",
    "InvalidRules",
    "Message",
    "Name",
    "NotConforming",
    "Observation",
    "Pass",
    "Phase",
    "Play",
    "Rules",
    "State",
    "Strain",
    "Suit",
    "Trick",
    "Turn",
    "UnknownBot",
    "__version__",
    "bots",
    "play",
    "rulebooks",
    "worlds",
]
