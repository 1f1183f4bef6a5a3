"""The compiled entry that benchmarks and tests share: N whole random rounds in one call."""

from __future__ import annotations

from bigpepper.deal import below, mix, shuffle
from bigpepper.jit import Rows, count, entry, lowest, share
from bigpepper.kernel import apply, legal, start
from bigpepper.records import OVER, Round, Tables

DEAL_COUNTERS = 32
"""`shuffle` uses the counters 0 … 24 of a seed; choices count on from here."""


@share
def pick(mask: int, random: int) -> int:
    """One bit of `mask`, each with the same chance."""
    k = below(random, count(mask))
    while k > 0:
        mask &= mask - 1
        k -= 1
    return lowest(mask)


@share
def random_round(r: Round, t: Tables, seed: int, dealer: int) -> int:
    """Deal a round and play it with random legal choices; returns how many."""
    shuffle(r, t, seed)
    start(r, t, dealer)
    steps = 0
    while r.phase != OVER:
        apply(r, t, pick(legal(r, t), mix(seed, DEAL_COUNTERS + steps)))
        steps += 1
    return steps


@entry
def random_rounds(rounds: Rows, tables: Rows, n: int, seed: int) -> int:
    """Play `n` random rounds, one after another on the records of `rounds`; returns the number of actions.

    Round i has the seed `seed` + i and is dealt by seat i mod players; it stands in `rounds[i % len(rounds)]`.
    """
    t = tables[0]
    steps = 0
    for i in range(n):
        steps += random_round(rounds[i % len(rounds)], t, seed + i, i % t.players)
    return steps
