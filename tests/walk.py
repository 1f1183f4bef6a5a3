"""Random rounds for tests: the kernel walks through them in one compiled call and writes down what it saw at each step.

The choices lean towards passes and low bids, so that throw-ins and long auctions come up too.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from bigpepper import Deal, Rules
from bigpepper.deal import below, mix, shuffle
from bigpepper.jit import Record, Row4, Rows, count, entry, lowest, pack, record, rows, share
from bigpepper.kernel import apply, legal, next_dealer, start, winners
from bigpepper.records import AUCTION, LONGEST_ROUND, OVER, Round, Tables

CHOICE_COUNTERS = 32
"""`shuffle` uses the counters 0 … 24 of a seed; choices count on from here, two each."""


@record
class Step(Record):
    """What was true before an action, and the action."""

    turn: int  # seat
    phase: int  # AUCTION … PLAY
    legal: int  # mask in the phase's space
    choice: int  # one bit of it
    won: Row4  # tricks won a seat


@record
class End(Record):
    """What follows from a round."""

    steps: int  # how many it had
    dealer: int  # seat that deals next
    winners: int  # mask of sides


@share
def choose(mask: int, phase: int, a: int, b: int) -> int:
    """One bit of `mask` by two random numbers: in the auction often the lowest call, or the lowest bid."""
    if phase == AUCTION and below(a, 4) < 2:
        return lowest(mask)
    if phase == AUCTION and below(a, 4) == 2 and mask & ~1:
        return lowest(mask & ~1)
    for _ in range(below(b, count(mask))):
        mask &= mask - 1
    return lowest(mask)


@share
def walk_round(r: Round, t: Tables, steps: Rows, at: int, seed: int) -> int:
    """Walk through one round that has been started; `steps` is filled from `at` on. Returns where the next begins."""
    while r.phase != OVER:
        step, mask = steps[at], legal(r, t)
        counter = CHOICE_COUNTERS + 2 * r.length
        step.turn, step.phase, step.legal = r.turn, r.phase, mask
        step.choice = choose(mask, r.phase, mix(seed, counter), mix(seed, counter + 1))
        for seat in range(4):
            step.won[seat] = r.won[seat]
        apply(r, t, step.choice)
        at += 1
    return at


@entry
def walk_rounds(rounds: Rows, tables: Rows, steps: Rows, ends: Rows, seed: int) -> int:
    """A random round on each record of `rounds`, whose scores are given; returns the number of all steps.

    Round i has the seed `seed` + i, is dealt by seat i mod players and is the (i + 1)-th of its game. `steps` has room
    for LONGEST_ROUND a round, `ends` as many records as `rounds`.
    """
    t = tables[0]
    at = 0
    for i in range(len(rounds)):
        shuffle(rounds[i], t, seed + i)
        start(rounds[i], t, i % t.players)
        after = walk_round(rounds[i], t, steps, at, seed + i)
        ends[i].steps = after - at
        ends[i].dealer = next_dealer(rounds[i], t)
        ends[i].winners = winners(rounds[i], t, i + 1)
        at = after
    return at


def column(records: Rows, name: str) -> list[Any]:
    """One field of all records, as plain ints or lists of them."""
    return [getattr(one, name) for one in records] if isinstance(records, list) else list(records[name].tolist())


@dataclass
class Walk:
    """One round of `walk_rounds` as plain values."""

    deal: Deal
    dealer: int
    scores: tuple[int, ...]
    """Before the round, a side."""
    number: int
    """Which round of its game it is, 1, 2, …"""
    steps: list[tuple[int, int, int, int, list[int]]]
    """Turn, phase, legal mask, chosen bit and tricks won, of every action."""
    points: tuple[int, ...]
    thrown_in: bool
    won: list[int]
    next_dealer: int
    winners: tuple[int, ...]


def random_scores(rules: Rules, seed: int, n: int) -> list[list[int]]:
    """Scores before a round, most of them close to the target, some of them below zero."""
    dice = Random(seed)
    lowest_score = min(-12, rules.target - 12)
    return [[dice.randint(lowest_score, rules.target - 1) for _ in range(rules.sides)] for _ in range(n)]


def walk(rules: Rules, n: int, seed: int) -> Iterator[Walk]:
    """`n` random rounds from one call of the entry; the same ones for the same seed."""
    scores = random_scores(rules, seed, n)
    before = [Round() for _ in range(n)]
    for r, points in zip(before, scores, strict=True):
        r.scores[: rules.sides] = points
    rounds, steps, ends = pack(before), rows(Step, n * LONGEST_ROUND), rows(End, n)
    total = walk_rounds(rounds, pack([rules.tables]), steps, ends, seed)
    all_steps = list(zip(*(column(steps[:total], name) for name in Step.fields), strict=True))
    lengths, dealers, won_by = (column(ends, name) for name in End.fields)
    done = {name: column(rounds, name) for name in ("dealt", "widow", "dealer", "points", "thrown", "won")}
    at = 0
    for i in range(n):
        yield Walk(
            deal=Deal.from_masks(rules, done["dealt"][i], done["widow"][i]),
            dealer=done["dealer"][i],
            scores=tuple(scores[i]),
            number=i + 1,
            steps=all_steps[at : at + lengths[i]],
            points=tuple(done["points"][i][: rules.sides]),
            thrown_in=done["thrown"][i] == 1,
            won=done["won"][i],
            next_dealer=dealers[i],
            winners=tuple(side for side in range(rules.sides) if won_by[i] >> side & 1),
        )
        at += lengths[i]
