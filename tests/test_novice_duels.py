"""`novice` beats the simplest opponents in every rulebook: duplicate deals, seats exchanged, the deal is the unit.

A modest version of what `python tests/novice_duels.py` measures; deals and bots are fixed, so the outcome is too.
"""

from __future__ import annotations

import pytest

from bigpepper.arena import duel
from bigpepper.bots.novice import Novice
from bigpepper.rules import Rules, rulebooks
from bigpepper.state import State
from novice_duels import Simple, habits, is_made, opponent, times

RULEBOOKS = [name for name in rulebooks() if name != "tiny"]  # two cards each: luck decides


@pytest.mark.parametrize("other", ["random", "first", "simple"])
@pytest.mark.parametrize("name", RULEBOOKS)
def test_it_wins_points_and_games(name: str, other: str) -> None:
    rules = Rules.load(name).replace(round_limit=25)
    result = duel(rules, ("novice", opponent(other)), deals=24, games=7, seed="test", processes=1)
    assert result.points is not None
    assert result.games_won is not None
    assert result.points.low > 0, f"points a round {result.points}"
    assert result.games_won.low > 0.5, f"games {result.games_won}"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_games_among_novices_are_games(name: str) -> None:
    """They end by points long before the limit of rounds, hardly a round is thrown in, and bids are kept."""
    seen = habits(Rules.load(name), Novice(), 6, "test habits")
    played = [state for state in seen.rounds if not state.thrown_in]
    made = sum(map(is_made, played)) / len(played)
    assert len(seen.rounds) / seen.games < 30
    assert len(played) > 0.8 * len(seen.rounds)
    assert made > (0.25 if Rules.load(name).ladder[0].failed.each else 0.5)  # as written, failing costs little


@pytest.mark.parametrize("name", ["pepper-3", "hasenpfeffer-traditional"])
def test_a_decision_takes_less_than_a_millisecond(name: str) -> None:
    """Of computing, on the mean and for nine in ten; the slowest hundredth is left to the report of novice_duels.py."""
    taken = times(Rules.load(name), Novice(), 30, "test times")
    assert sum(taken) / len(taken) < 1e-3
    assert taken[len(taken) * 9 // 10] < 1e-3


def test_the_simple_opponent_is_what_it_says() -> None:
    """The lowest bid, then the highest card."""
    state = State.new(Rules.load("pepper-4"), seed=1)
    assert state.turn is not None
    assert str(Simple().act(state.observation(state.turn))) == "1"
    for text in ("1", "pass", "pass", "pass", "C"):
        state = state.apply(text)
    played = str(Simple().act(state.observation(state.turn)))
    assert "9TJQKA".index(played[0]) == max("9TJQKA".index(card.rank) for card in state.hand(state.turn or 0))
