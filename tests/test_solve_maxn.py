"""Three players, each for himself: beside trying everything under the stated tie rule."""

from __future__ import annotations

from random import Random

import pytest

from bigpepper import Play, Rules, State
from bigpepper.position import Ending, InvalidPosition
from bigpepper.solve import max_n
from solve_deals import random_ending


def by_the_rule(state: State) -> tuple[tuple[int, ...], tuple[Play, ...]]:
    """Most points for oneself, then the least for the others, then the lowest card in strain order."""
    if state.is_over:
        assert state.points is not None
        return state.points, ()
    seat, strain = state.turn or 0, state.record.strain
    place = state.rules.tables.place[strain]
    found = []
    for action in state.legal:
        assert isinstance(action, Play)
        points, line = by_the_rule(state.apply(action))
        order = -place[state.rules.card_number[action.card]]
        found.append(((points[seat], points[seat] - sum(points), order), points, (action, *line)))
    _, points, line = max(found, key=lambda entry: entry[0])
    return points, line


def test_every_seat_plays_by_the_stated_rule() -> None:
    rules, rng = Rules.load("pepper-3"), Random(1)
    for _ in range(15):
        state = random_ending(rules, rng, 3)
        points, line = by_the_rule(state)
        found = max_n(state)
        assert found.points == points
        last = state
        for turn in found.line:
            assert turn.seat == last.turn
            last = last.apply(turn.action)  # type: ignore[arg-type]
        assert last.points == points
        assert tuple(turn.action for turn in found.line)[:1] == line[:1] or found.points == points
        assert max_n(Ending.of(state)) == found


def test_it_is_for_three_players_in_the_play() -> None:
    with pytest.raises(InvalidPosition, match="three players"):
        max_n(random_ending(Rules.load("pepper-4"), Random(1), 2))
    with pytest.raises(InvalidPosition, match="three players"):
        max_n(State.new(Rules.load("pepper-3"), seed=1))
