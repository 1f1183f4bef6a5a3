"""Golden play-throughs: three rounds under every rulebook, with the options, the deals, what was legal, and the result.

A change in them is a change of the rules, or of the deals. `python tests/test_golden.py --write` writes them anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bigpepper import Game, Rules, State, rulebooks
from bigpepper.deal import below, mix

FOLDER = Path(__file__).parent / "golden"
ROUNDS = 3


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def playthrough(name: str) -> str:
    """The rulebook, then rounds of a game in which everybody acts at random, most calls being low ones."""
    rules = Rules.load(name)
    game = Game.new(rules, seed=f"golden {name}")
    step = 0
    while len(game.rounds) < ROUNDS and not game.is_over:
        legal = game.state.legal
        cautious = game.state.phase == "auction" and below(mix(1, 2 * step), 3) > 0
        number = below(mix(1, 2 * step + 1), min(3, len(legal)) if cautious else len(legal))
        game = game.apply(legal[number])
        step += 1
    lines = [*rules.to_toml().splitlines(), ""]
    for number, state in enumerate(game.rounds):
        lines += [f"--- round {number + 1}", *round_lines(state), ""]
    lines += [f"scores {' '.join(map(str, game.scores))}", f"winners {' '.join(map(str, game.winners)) or '-'}"]
    return "\n".join(lines) + "\n"


def round_lines(end: State) -> list[str]:
    """Deal, actions (seat, action, what was legal) and result of a round."""
    rules = end.rules
    state = State.new(rules, deal=end.deal, dealer=end.dealer, scores=end.scores)
    lines = [f"dealer {end.dealer}   scores {' '.join(map(str, end.scores))}"]
    lines += [f"seat {seat}   {' '.join(map(str, hand))}" for seat, hand in enumerate(end.deal.hands)]
    if end.deal.widow:
        lines.append(f"widow    {end.deal.widow}")
    if end.deal.dead:
        lines.append(f"dead     {' '.join(map(str, end.deal.dead))}")
    phase = ""
    for turn in end.history:
        if state.phase != phase:
            phase = state.phase
            lines.append(phase)
        lines.append(f"  {turn.seat}: {turn.action!s:<11} of {' '.join(map(str, state.legal))}")
        tricks = len(state.tricks)
        assert not isinstance(turn.action, tuple)
        state = state.apply(turn.action)
        if len(state.tricks) > tricks:
            lines.append(f"     trick {tricks + 1} to {state.tricks[tricks].winner}")
    return [*lines, *result_lines(end)]


def result_lines(end: State) -> list[str]:
    if end.thrown_in:
        return [f"thrown in   next dealer {end.next_dealer()}"]
    alone = "" if end.lone is None else " alone"
    against = "" if end.lone_defender is None else f" against {end.lone_defender} alone"
    return [
        f"contract {end.contract} by {end.maker}{alone} in {end.strain}{against}",
        f"tricks {' '.join(map(str, end.tricks_won))}   points {' '.join(map(str, end.points or ()))}",
    ]


@pytest.mark.parametrize("name", rulebooks())
def test_a_rulebook_plays_as_it_did(name: str) -> None:
    assert path_of(name).exists(), f"{name} has no golden play-through: python tests/test_golden.py --write"
    assert playthrough(name) == path_of(name).read_text("utf-8")


def test_every_rulebook_has_one_and_nothing_else_does() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.txt")) == sorted(path_of(name).name for name in rulebooks())


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in rulebooks():
        path_of(name).write_text(playthrough(name), "utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
