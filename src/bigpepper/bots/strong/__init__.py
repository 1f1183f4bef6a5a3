"""`club` (Jalapeño) and `expert` (Habanero): worlds, weighed by what the others did, and the exact solver in each."""

from __future__ import annotations

from bigpepper.bots.strong.bot import Strong, club, expert, prepare
from bigpepper.bots.strong.budget import CLUB, EXPERT, Budget

__all__ = ["CLUB", "EXPERT", "Budget", "Strong", "club", "expert", "prepare"]
