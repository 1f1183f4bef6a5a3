"""Exact open-card values: how a round ends when everybody sees all cards and plays as well as can be.

>>> import bigpepper as bp
>>> from bigpepper.solve import Goal, deal_table, solve
>>> rules = bp.Rules.load("tiny")
>>> state = bp.State.new(rules, deal=bp.Deal(rules, ["KH AS", "AH KS"]), dealer=1)
>>> for action in ("1", "pass"):
...     state = state.apply(action)
>>> solution = solve(state, Goal.TRICKS)
>>> {str(name): value for name, value in solution.values.items()}
{'H': 1, 'S': 1}
"""

from __future__ import annotations

from bigpepper.solve.before import as_maker, auctioned, deal_table
from bigpepper.solve.board import Answer, Position, Search
from bigpepper.solve.maxn import MaxN, max_n
from bigpepper.solve.solution import Solution, solve
from bigpepper.solve.solver import Goal, Solver, position_of

__all__ = [
    "Answer",
    "Goal",
    "MaxN",
    "Position",
    "Search",
    "Solution",
    "Solver",
    "as_maker",
    "auctioned",
    "deal_table",
    "max_n",
    "position_of",
    "solve",
]
