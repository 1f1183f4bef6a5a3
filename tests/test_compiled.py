"""The compiled kernel does what the interpreted one does, field by field, and both do it again for the same seed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.rounds import random_rounds
from bigpepper import Rules, kernel, rulebooks
from bigpepper.deal import below, mix, shuffle
from bigpepper.jit import Record, Rows, count, entry, highest, lowest, pack, place_of, rows, unpack
from bigpepper.kernel import view
from bigpepper.records import LONGEST_ROUND, OVER, Round, Tables, View
from referee import Options
from strategies import rulebook_options
from walk import End, Step, walk, walk_rounds


def values(record: Record) -> list[Any]:
    return [getattr(record, name) for name in record.fields]


@entry
def shuffle_all(rounds: Rows, tables: Rows, seed: int) -> None:
    """A deal into each record."""
    for i in range(len(rounds)):
        shuffle(rounds[i], tables[0], seed + i)


@entry
def view_all(rounds: Rows, tables: Rows, views: Rows) -> None:
    """What a spectator and each seat see of each round, five views a round."""
    for i in range(len(rounds)):
        for seat in range(-1, tables[0].players):
            view(rounds[i], tables[0], seat, views[5 * i + seat + 1])


@entry
def concede_all(rounds: Rows, tables: Rows) -> None:
    """End each round by the claim that stands in it."""
    for i in range(len(rounds)):
        kernel.concede(rounds[i], tables[0])


@entry
def numbers(results: Rows, arguments: Rows) -> None:
    """Into scores: lowest, highest, place and count of the first of two numbers; into won: mix and below of both."""
    for i in range(len(arguments)):
        a, b = arguments[i].scores[0], arguments[i].scores[1]
        results[i].scores[0], results[i].scores[1] = lowest(a), highest(a)
        results[i].scores[2], results[i].scores[3] = place_of(a), count(a)
        results[i].won[0], results[i].won[1] = mix(a, b), below(mix(a, b), count(a))


def both(rules: Rules, n: int, seed: int) -> tuple[list[Round], list[Round], list[list[Any]], list[list[Any]]]:
    """Rounds and steps of one walk: compiled, and the same entry as plain Python on twins."""
    rounds, steps, ends = rows(Round, n), rows(Step, n * LONGEST_ROUND), rows(End, n)
    total = walk_rounds(rounds, pack([rules.tables]), steps, ends, seed)
    twins, plain_ends = [Round() for _ in range(n)], [End() for _ in range(n)]
    plain_steps = [Step() for _ in range(n * LONGEST_ROUND)]
    assert walk_rounds.plain(twins, [rules.tables], plain_steps, plain_ends, seed) == total
    compiled = [values(unpack(Step, step)) for step in steps[:total]] + [values(unpack(End, end)) for end in ends]
    plain = [values(step) for step in plain_steps[:total]] + [values(end) for end in plain_ends]
    return [unpack(Round, r) for r in rounds], twins, compiled, plain


@pytest.mark.parametrize("name", rulebooks())
def test_walks_are_the_same_both_ways(name: str) -> None:
    rounds, twins, steps, plain_steps = both(Rules.load(name), 40, seed=40)
    assert [values(r) for r in rounds] == [values(r) for r in twins]
    assert steps == plain_steps
    assert all(r.phase == OVER for r in rounds)


@given(options=rulebook_options(), seed=st.integers(0, 2**61))
@settings(max_examples=50)
def test_walks_of_any_rulebook_are_the_same_both_ways(options: Options, seed: int) -> None:
    rounds, twins, steps, plain_steps = both(Rules.from_options(options), 2, seed)
    assert [values(r) for r in rounds] == [values(r) for r in twins]
    assert steps == plain_steps


@pytest.mark.parametrize("name", rulebooks())
def test_the_benchmark_plays_the_same_both_ways(name: str) -> None:
    tables = Rules.load(name).tables
    rounds, twins = rows(Round, 8), [Round() for _ in range(8)]
    steps = random_rounds(rounds, pack([tables]), 20, 5)
    assert steps == random_rounds.plain(twins, [tables], 20, 5) > 20
    assert [values(unpack(Round, r)) for r in rounds] == [values(r) for r in twins]


@pytest.mark.parametrize("name", rulebooks())
def test_deals_of_batches_are_the_same_both_ways(name: str) -> None:
    tables = Rules.load(name).tables
    rounds, twins = rows(Round, 50), [Round() for _ in range(50)]
    shuffle_all(rounds, pack([tables]), 9)
    shuffle_all.plain(twins, [tables], 9)
    assert [values(unpack(Round, r)) for r in rounds] == [values(r) for r in twins]
    assert len({tuple(r.dealt) for r in twins}) > 1


@pytest.mark.parametrize("name", rulebooks())
def test_views_are_the_same_both_ways(name: str) -> None:
    rules = Rules.load(name)
    some = [r for walked in walk(rules, 6, 3) for r in moments(rules, walked.deal.put_into, walked.steps)]
    views = rows(View, 5 * len(some))
    view_all(pack(some), pack([rules.tables]), views)
    for i, r in enumerate(some):
        for seat in range(-1, rules.players):
            v = View()
            kernel.view(r, rules.tables, seat, v)
            assert values(unpack(View, views[5 * i + seat + 1])) == values(v)


def moments(rules: Rules, deal: Any, steps: list[tuple[int, int, int, int, list[int]]]) -> list[Round]:
    """The records of a round before each of its actions."""
    r, seen = Round(), []
    deal(r)
    kernel.start(r, rules.tables, (steps[0][0] - 1) % rules.players)
    for *_, choice, _ in steps:
        seen.append(r.copy())
        kernel.apply(r, rules.tables, choice)
    return seen


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer-traditional"])
def test_claims_are_the_same_both_ways(name: str) -> None:
    rules = Rules.load(name)
    claims = [r for w in walk(rules, 6, 3) for r in moments(rules, w.deal.put_into, w.steps) if r.leader >= 0]
    for r in claims:
        r.claimer, r.claimed[r.turn] = r.turn, r.left
    array = pack(claims)
    concede_all(array, pack([rules.tables]))
    for r in claims:
        kernel.concede(r, rules.tables)
    assert [values(unpack(Round, row)) for row in array] == [values(r) for r in claims]
    assert len(claims) > 20


EDGES = [1, 2, 3, 0b1000, 2**31 - 1, 2**31, 2**32, 2**60, 2**61, 2**62 - 1, 0x1555_5555_5555_5555]


@given(st.lists(st.tuples(st.integers(1, 2**62 - 1), st.integers(0, 2**62 - 1)), min_size=1, max_size=40))
@settings(max_examples=30)
def test_bits_and_random_numbers_are_the_same_both_ways(pairs: list[tuple[int, int]]) -> None:
    """`lowest`, `highest`, `place_of`, `count`, `mix` and `below`, at the edges too."""
    pairs = [*pairs, *((a, b) for a in EDGES for b in (0, *EDGES))]
    arguments = [Round() for _ in pairs]
    for r, pair in zip(arguments, pairs, strict=True):
        r.scores[:2] = pair
    compiled, plain = rows(Round, len(pairs)), [Round() for _ in pairs]
    numbers(compiled, pack(arguments))
    numbers.plain(plain, arguments)
    assert [values(unpack(Round, r)) for r in compiled] == [values(r) for r in plain]


def test_tables_come_through_unchanged() -> None:
    for name in rulebooks():
        tables = Rules.load(name).tables
        assert values(unpack(Tables, pack([tables])[0])) == values(tables)
