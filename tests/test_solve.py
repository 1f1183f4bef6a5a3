"""The solver is exact: beside trying everything, beside a search without bounds, under every shape and rulebook."""

from __future__ import annotations

from random import Random
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import Deal, Rules, State, rulebooks
from bigpepper.jit import rows
from bigpepper.position import Ending, InvalidPosition
from bigpepper.records import Round
from bigpepper.solve import Answer, Goal, Solver, as_maker, auctioned, deal_table, solve
from bigpepper.solve.solver import values_of
from bigpepper.solve.values import answer_all
from solve_deals import SHAPES, deals_of, random_ending, rules_of
from solve_plain import plain, play_out
from strategies import rulebook_options

GOALS = tuple(Goal)


def check_against_trying(state: State, goal: Goal, solver: Solver) -> None:
    """Value, the value of every action, and the line, beside trying everything."""
    solution = solve(state, goal, solver=solver)
    assert solution.value == play_out(state.rules, state.record, goal), Ending.of(state)
    assert list(solution.values) == list(state.legal)
    for action, value in solution.values.items():
        assert value == play_out(state.rules, state.apply(action).record, goal), (action, Ending.of(state))
    last = state
    for turn in solution.line:
        assert turn.seat == last.turn
        last = last.apply(turn.action)  # type: ignore[arg-type]
    assert (last.points, last.tricks_won) == (solution.points, solution.tricks)
    assert solution.value == play_out(state.rules, last.record, goal)


@pytest.mark.parametrize("name", [*rulebooks(), "joker-nt"])
@pytest.mark.parametrize("goal", GOALS)
def test_small_endings_of_every_rulebook_equal_trying_everything(name: str, goal: Goal) -> None:
    rng, rules, solver = Random(name + goal), rules_of(name), Solver()
    for _ in range(12):
        check_against_trying(random_ending(rules, rng, 3 if rules.players == 4 else 4), goal, solver)


@pytest.mark.soak
@pytest.mark.parametrize("name", [*rulebooks(), "joker-nt"])
@pytest.mark.parametrize("goal", GOALS)
def test_many_small_endings_equal_trying_everything(name: str, goal: Goal) -> None:
    rng, rules, solver = Random(name), rules_of(name), Solver()
    for _ in range(400):
        check_against_trying(random_ending(rules, rng, 3 if rules.players == 4 else 4), goal, solver)


@settings(max_examples=60)
@given(rulebook_options(), st.integers(0, 2**40))
def test_endings_under_house_rules_equal_trying_everything(options: dict[str, object], seed: int) -> None:
    rules = Rules.from_options(options)
    for goal in GOALS:
        check_against_trying(random_ending(rules, Random(seed), 2), goal, Solver())


@pytest.mark.parametrize("shape", SHAPES)
def test_whole_deals_equal_a_search_without_bounds(shape: str) -> None:
    positions = deals_of(shape, 60 if shape.startswith("3 × 8") else 150)
    assert values_of(Solver().answers(positions)) == plain(positions)


@pytest.mark.soak
@pytest.mark.parametrize("shape", SHAPES)
def test_a_hundred_thousand_deals_equal_a_search_without_bounds(shape: str) -> None:
    solver = Solver()
    for seed in range(100):
        positions = deals_of(shape, 1000, 1000 + seed)
        assert values_of(solver.answers(positions)) == plain(positions), seed


SIGNATURE = {
    "4 × 6": 74_699,
    "4 × 6, trump": 109_378,
    "4 × 6, Joker": 107_224,
    "3 × 8": 80_788,
    "3 × 8, trump": 150_855,
    "2 × 8": 17_595,
    "2 × 8, trump": 24_853,
    "3 × 6, lone maker": 33_129,
    "2 × 6, lone maker and lone defender": 6_473,
    "4 × 6, Joker at no-trump": 132_164,
}
"""Card decisions of 300 deals a shape, on a fresh Solver: a change in how the solver searches shows here."""


@pytest.mark.parametrize("shape", SHAPES)
def test_the_search_signature(shape: str) -> None:
    answers = Solver().answers(deals_of(shape, 300, 42))
    assert sum(int(answer["nodes"]) for answer in answers) == SIGNATURE[shape]


def test_plain_python_searches_the_same_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Solver().answers(deals_of("4 × 6, trump", 5, 3), each_card=True)
    monkeypatch.setenv("BIGPEPPER_JIT", "0")
    twins = Solver().answers(deals_of("4 × 6, trump", 5, 3), each_card=True)
    assert [(t.value, t.legal, t.values, t.nodes) for t in twins] == [
        (c["value"], c["legal"], list(c["values"]), c["nodes"]) for c in compiled
    ]


def test_two_threads_on_one_solver_give_the_same_answers() -> None:
    positions, solver = deals_of("4 × 6, trump", 400), Solver()
    alone = values_of(Solver().answers(positions))
    assert values_of(solver.answers(positions, threads=2)) == alone
    found: dict[int, list[int]] = {}
    threads = [Thread(target=lambda n=n: found.update({n: values_of(solver.answers(positions))})) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found.values()) == [alone] * 3


def test_values_do_not_depend_on_what_was_solved_before() -> None:
    solver = Solver()
    for shape in SHAPES:
        positions = deals_of(shape, 20)
        forwards, backwards = values_of(solver.answers(positions)), values_of(solver.answers(positions[::-1]))
        assert forwards == backwards[::-1] == values_of(Solver().answers(positions))


def test_rounds_are_solved_in_a_batch() -> None:
    rules, rng, solver = Rules.load("hasenpfeffer-traditional"), Random(5), Solver()
    states = [random_ending(rules, rng, 5) for _ in range(20)]
    from bigpepper.jit import pack

    answers = solver.rounds(rules, pack([state.record for state in states]), each_card=True)
    for state, answer in zip(states, answers, strict=True):
        solution = solve(state)
        assert answer["value"] == solution.value
        assert sorted(solution.values.values()) == sorted(answer["values"][: len(solution.values)])
    with pytest.raises(InvalidPosition, match="Only rounds in play"):
        solver.rounds(rules, rows(Round, 1))


def test_nothing_is_solved_before_the_auction_is_over() -> None:
    state = State.new(Rules.load("pepper-4"), seed=1)
    with pytest.raises(InvalidPosition, match="auction"):
        solve(state)


# --- points that do not grow with tricks ----------------------------------------------------------------------------


def test_a_failed_contract_as_written_is_played_for_fewer_tricks() -> None:
    """As written, a failed side loses a point a trick it won (rules §1): with no hope left it is made to win some."""
    rules = Rules.load("hasenpfeffer")
    ending = Ending.parse(
        "hasenpfeffer | H | maker 0 | bid 6 | leader 0 | won 0,1,0,3 | AC 9C / TC KC / QC JC / 9D TD", rules
    )
    assert solve(ending, Goal.TRICKS).value == 1
    assert solve(ending, Goal.POINTS).value == -2
    assert solve(ending, Goal.POINTS).points == (-2, 0)
    assert solve(ending, Goal.POINTS).value == play_out(rules, ending.record, Goal.POINTS)


@given(st.lists(st.integers(-9, 9), min_size=9, max_size=9), st.integers(0, 2**30))
@settings(max_examples=60)
def test_any_payoff_is_solved_exactly(payoff: list[int], seed: int) -> None:
    """Payoffs without any order: beside trying everything on tricks, with each number of them worth what it says."""
    rules = Rules.load("pepper-4" if seed % 2 else "pepper-3")
    state = random_ending(rules, Random(seed), 3)
    from bigpepper.jit import pack
    from bigpepper.solve import position_of

    p = position_of(rules, state.record, Goal.TRICKS)
    won = p.payoff[0]
    p.payoff[:] = payoff
    answer = Solver().answers(pack([p]), each_card=True)[0]
    assert answer["value"] == _worth(state, payoff, won)


def _worth(state: State, payoff: list[int], won: int) -> int:
    makers = state.rules.side_of(state.maker or 0)
    if state.is_over:
        return payoff[sum(state.tricks_won[seat] for seat in _seats(state, makers)) - won]
    values = [_worth(state.apply(action), payoff, won) for action in state.legal]
    return max(values) if state.rules.side_of(state.turn or 0) == makers else min(values)


def _seats(state: State, side: int) -> list[int]:
    return [seat for seat in range(state.rules.players) if state.rules.side_of(seat) == side]


# --- before the play ------------------------------------------------------------------------------------------------


def test_naming_and_discarding_are_solved_like_everything_else() -> None:
    rules = Rules.load("hasenpfeffer").replace(
        cards=2, suits=["H", "S"], ranks=["9", "J", "K", "A"], strains=["H", "S"], ladder=_LADDER
    )
    for seed in range(4):
        state = auctioned(rules, Deal.random(rules, seed), seed % 4, "1")
        for goal in GOALS:
            solution = solve(state, goal)
            assert solution.value == play_out(rules, state.record, goal)
            for action, value in solution.values.items():
                assert value == play_out(rules, state.apply(action).record, goal)


_LADDER = [
    {"name": "1", "tricks": 1, "made": "tricks-won", "failed": "tricks-won"},
    {"name": "2", "tricks": 2, "made": 5, "failed": "tricks-won*2"},
]


def test_the_deal_table_is_every_leader_in_every_strain() -> None:
    rules = Rules.load("pepper-4")
    for seed in range(3):
        deal = Deal.random(rules, seed)
        table = deal_table(rules, deal)
        assert list(table) == list(rules.strains)
        for seat in range(4):
            values = as_maker(rules, deal, seat, "1", dealer=seat, goal=Goal.TRICKS).values
            assert {str(name): value for name, value in values.items()} == {
                str(strain): table[strain][seat] for strain in table
            }


def test_a_maker_who_cannot_have_said_that_bid_is_refused() -> None:
    rules = Rules.load("bid-euchre")
    with pytest.raises(InvalidPosition, match="Seat 2 cannot be the maker with “1”"):
        as_maker(rules, Deal.random(rules, 1), 2, "1")


def test_an_answer_says_how_much_was_searched() -> None:
    positions = deals_of("4 × 6", 3)
    answers = rows(Answer, 3)
    from bigpepper.solve import Search

    answer_all(positions, answers, rows(Search, 1), 0)
    assert all(answer["nodes"] > 0 and answer["legal"] for answer in answers)
