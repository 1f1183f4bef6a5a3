"""From questions to values: the best payoff that can be forced, for a position and for each of its cards."""

from __future__ import annotations

from bigpepper.jit import Rows, count, entry, lowest, share
from bigpepper.kernel import follow
from bigpepper.solve.board import Answer, Position, Search
from bigpepper.solve.bounds import judge_lead
from bigpepper.solve.goals import OPEN, YES
from bigpepper.solve.search import can_force, choices
from bigpepper.solve.setup import set_up


@entry
def answer_all(positions: Rows, answers: Rows, searches: Rows, each_card: int) -> None:
    """Solve every position into the answer of the same number, with the one search of `searches`.

    With `each_card` 1 the value of every legal card is found too.
    """
    s = searches[0]
    for i in range(len(positions)):
        answer(s, positions[i], answers[i], each_card)


@share
def answer(s: Search, p: Position, a: Answer, each_card: int) -> None:
    """Solve one position."""
    s.nodes = 0
    a.legal = 0
    if p.turn < 0 or p.hands[p.turn] == 0:
        a.value = p.payoff[0]
        a.nodes = 0
        return
    set_up(s, p)
    a.legal = follow(p.hands[p.turn], p.led)
    seat = s.mover[0]
    hand = s.hands[seat] & s.unplayed[0]
    legal, cards = follow(hand, s.led[0]), choices(s, s.unplayed[0], seat, s.led[0], s.best[0])
    whole, maker, n = cards, s.makers >> seat & 1, 0
    while cards:
        group = lowest(cards) if each_card else cards
        cards ^= group
        value = worth(s, p, group, group == whole)
        if n == 0 or (value > a.value if maker else value < a.value):
            a.value = value
        if each_card:
            n = write_down(a, legal, cards, value, n)
        else:
            n = 1
    a.nodes = s.nodes


@share
def write_down(a: Answer, legal: int, rest: int, value: int, n: int) -> int:
    """The value for all legal cards up to the next group."""
    below = (rest & -rest) - 1 if rest else legal
    many = count(legal & below)
    for i in range(n, many):
        a.values[i] = value
    return many


@share
def worth(s: Search, p: Position, cards: int, all_cards: bool) -> int:
    """The best payoff that the makers can force when the seat to act has only `cards` to choose from.

    "Pays at least v" is asked for payoffs v that can occur; the largest with the answer yes is the value (see `goals`).
    """
    seat, unplayed = s.mover[0], s.unplayed[0]
    left = count(s.hands[seat] & unplayed)
    numbers = by_payoff(p, left)
    whole = s.best[0] == 0 and all_cards
    low, high = 0, left  # of the numbers of tricks, ordered by payoff, the makers can force the low-th
    while low < high:
        middle = low + high + 1 >> 1
        want = paying(p, left, p.payoff[numbers >> 4 * middle & 15])
        s.want[0], s.scattered = want, is_scattered(want, left)
        verdict = judge_lead(s, seat, unplayed, left, want) if whole else OPEN
        if verdict == OPEN:
            verdict = can_force(s, cards)
        if verdict == YES:
            low = middle
        else:
            high = middle - 1
    return p.payoff[numbers >> 4 * low & 15]


@share
def by_payoff(p: Position, left: int) -> int:
    """The numbers from 0 to `left`, ordered by what they pay, the least first; four bits each, the first lowest."""
    numbers = 0
    for n in range(left + 1):
        place = 0
        for other in range(left + 1):
            if p.payoff[other] < p.payoff[n] or (p.payoff[other] == p.payoff[n] and other < n):
                place += 1
        numbers |= n << 4 * place
    return numbers


@share
def paying(p: Position, left: int, least: int) -> int:
    """The set of the numbers up to `left` that pay at least `least`."""
    want = 0
    for n in range(left + 1):
        if p.payoff[n] >= least:
            want |= 1 << n
    return want


@share
def is_scattered(want: int, left: int) -> int:
    """1 unless a set of numbers up to `left` is "some number and all above it"."""
    return 0 if want + lowest(want) == 2 << left else 1
