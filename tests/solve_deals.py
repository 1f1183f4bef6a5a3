"""Positions for the solver's tests: deals at the first lead, and endings that random play leads to."""

from __future__ import annotations

from random import Random

from bigpepper import Deal, Rules, State, Strain
from bigpepper.deal import shuffle
from bigpepper.jit import Rows, pack
from bigpepper.kernel import strain_order
from bigpepper.records import Round
from bigpepper.solve import Position

SHAPES = {
    "4 × 6": ("pepper-4", "NT", -1),
    "4 × 6, trump": ("pepper-4", "H", -1),
    "4 × 6, Joker": ("hasenpfeffer", "C", -1),
    "3 × 8": ("pepper-3", "NT", -1),
    "3 × 8, trump": ("pepper-3", "D", -1),
    "2 × 8": ("pepper-2", "NT", -1),
    "2 × 8, trump": ("pepper-2", "S", -1),
    "3 × 6, lone maker": ("hasenpfeffer", "H", 0b1011),
    "2 × 6, lone maker and lone defender": ("hasenpfeffer", "D", 0b1001),
    "4 × 6, Joker at no-trump": ("joker-nt", "NT", -1),
}
"""Shape → rulebook, strain, and who plays (a mask of seats; -1 everybody)."""


def rules_of(name: str) -> Rules:
    """A shipped rulebook, or the house rules with a Joker at no-trump."""
    if name == "joker-nt":
        return Rules.load("hasenpfeffer").replace(strains=["C", "D", "H", "S", "NT"])
    return Rules.load(name)


def first_lead(rules: Rules, strain: Strain, deal: Round, leader: int, playing: int = -1) -> Position:
    """A dealt round at its first lead, seat 0 on the makers' side, a trick worth one."""
    t, s = rules.tables, list(Strain).index(strain)
    p = Position()
    p.players, p.playing, p.turn, p.winner = rules.players, (1 << rules.players) - 1 & playing, leader, -1
    p.trump = t.trump[s]
    p.makers = 0b0101 if rules.partners else 1
    p.hands[:] = [strain_order(t, s, hand) for hand in deal.dealt]
    p.payoff[:] = range(9)
    return p


def deals_of(shape: str, n: int, seed: int = 1) -> Rows:
    """`n` random deals of a shape; the seats that play lead in turn."""
    name, strain, playing = SHAPES[shape]
    rules = rules_of(name)
    leaders = [seat for seat in range(rules.players) if playing >> seat & 1]
    positions = []
    for i in range(n):
        r = Round()
        shuffle(r, rules.tables, seed * 10_000_019 + i)
        positions.append(first_lead(rules, Strain(strain), r, leaders[i % len(leaders)], playing))
    return pack(positions)


def random_ending(rules: Rules, rng: Random, cards: int) -> State:
    """A round in play with at most `cards` tricks left (sometimes in the middle of one), by random calls and plays."""
    while True:
        state = State.new(rules, deal=Deal.random(rules, rng.getrandbits(60)), dealer=rng.randrange(rules.players))
        stop = rng.randrange(rules.players)
        while not state.is_over:
            if state.phase == "play" and state.tricks_left <= cards:
                if stop == 0 or len(state.playing) == len(state.trick.cards if state.trick else ()) + 1:
                    return state
                stop -= 1
            state = state.apply(rng.choice(state.legal))
