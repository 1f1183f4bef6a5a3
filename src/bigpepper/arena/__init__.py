"""Matches between bots that prove who is stronger: duplicate deals, intervals, ratings, a sequential test."""

from __future__ import annotations

from bigpepper.arena.entrants import Entrant
from bigpepper.arena.estimate import Estimate
from bigpepper.arena.match import Goal, Match, duel, play_match
from bigpepper.arena.result import Pairing, Rating, Result
from bigpepper.arena.sequential import Measure, Sprt, Verdict

__all__ = [
    "Entrant",
    "Estimate",
    "Goal",
    "Match",
    "Measure",
    "Pairing",
    "Rating",
    "Result",
    "Sprt",
    "Verdict",
    "duel",
    "play_match",
]
