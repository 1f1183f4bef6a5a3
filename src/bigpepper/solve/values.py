"""From questions to values: the best payoff that can be forced, for a position and for each of its cards.

A question is "can the makers force at least the payoff v, with these cards to choose from?", for payoffs v that occur;
the largest v with the answer yes is the value (see `goals`). One value takes a few questions, up or down from a guess;
a position has one value when only it is asked for, or one for each group of cards that play alike. What is being asked
stands in the Search, so that the search itself is called in one place only: its machine code is large.
"""

from __future__ import annotations

from bigpepper.jit import Rows, count, entry, inlined, lowest, share
from bigpepper.kernel import follow
from bigpepper.solve.board import Answer, Position, Search
from bigpepper.solve.goals import YES
from bigpepper.solve.lanes import TRUMPS, above, count_suits
from bigpepper.solve.search import can_force, choices
from bigpepper.solve.setup import set_up


@entry
def answer_all(positions: Rows, answers: Rows, searches: Rows, each_card: int) -> None:
    """Solve every position into the answer of the same number, with the one search of `searches`.

    With `each_card` 1 the value of every legal card is found too.
    """
    s = searches[0]
    for i in range(len(positions)):
        p, a = positions[i], answers[i]
        begin(s, p, a, each_card)
        while next_question(s, p, a):
            take(s, can_force(s))
        a.nodes = s.nodes


@inlined
def begin(s: Search, p: Position, a: Answer, each_card: int) -> None:
    """Set a position up; nothing is asked yet."""
    s.nodes = s.group = s.rest = s.low = s.high = s.valued = 0
    a.legal = 0
    if p.turn < 0 or p.hands[p.turn] == 0:
        a.value = p.payoff[0]
        return
    set_up(s, p)
    s.left = count(p.hands[p.turn])
    s.numbers = by_payoff(p, s.left)
    guess(s, p)
    s.each_card = each_card
    s.rest = choices(s, s.unplayed[0], s.mover[0], s.led[0], s.best[0])
    a.legal = follow(p.hands[p.turn], p.led)


@share
def guess(s: Search, p: Position) -> None:
    """The first number to ask about: the answer before, if it was for the same cards; else what the high cards say."""
    deal = p.hands[0] ^ p.hands[1] << 1 ^ p.trump
    if deal != s.deal:
        s.deal, s.asked = deal, likely(s)


@share
def likely(s: Search) -> int:
    """About how many tricks the makers win: half of them, half a trick for each trump they have more, and for each top
    half a trick, or a whole one at no-trump. The halves are those of least squares on random deals.
    """
    mine, theirs = s.unplayed[0] & s.side, s.unplayed[0] & ~s.side
    trumps = count(mine & TRUMPS) - count(theirs & TRUMPS)
    tops = count_suits(above(mine, theirs)) - count_suits(above(theirs, mine))
    return s.left + 1 + trumps + (tops if s.unplayed[0] & TRUMPS else 2 * tops) >> 1


@inlined
def next_question(s: Search, p: Position, a: Answer) -> bool:
    """Put the next question into frame 0; False when all is answered."""
    while s.low == s.high:
        if s.group:
            write_down(s, a, payoff_of(s, p, s.low))
        if s.rest == 0:
            return False
        next_group(s)
    s.asked = min(max(s.asked, s.low + 1), s.high)
    want = paying(p, s.left, payoff_of(s, p, s.asked))
    s.want[0], s.todo[0], s.scattered = want, s.group, is_scattered(want, s.left)
    return True


@share
def next_group(s: Search) -> None:
    """Turn to the cards whose value is asked next: one group, or all that there are."""
    s.group = lowest(s.rest) if s.each_card else s.rest
    s.whole = 1 if s.best[0] == 0 and s.valued == 0 and s.group == s.rest else 0
    s.rest ^= s.group
    s.low, s.high = 0, s.left


@inlined
def take(s: Search, verdict: int) -> None:
    """Take the answer to a question, and ask about the next number in that direction."""
    if verdict == YES:
        s.low = s.asked
        s.asked += 1
    else:
        s.asked -= 1
        s.high = s.asked


@share
def write_down(s: Search, a: Answer, value: int) -> None:
    """The value of a group, for each of its cards, and for the position if it is the best so far.

    The cards of a group stand next to each other among the legal ones, from the lowest up: up to the next group.
    """
    makers_move = s.makers >> s.mover[0] & 1
    s.asked = s.low  # the guess for what is asked next
    if s.valued == 0 or (value > a.value if makers_move else value < a.value):
        a.value = value
    legal = follow(s.hands[s.mover[0]] & s.unplayed[0], s.led[0])
    done = count(legal & lowest(s.rest) - 1) if s.rest else count(legal)
    for n in range(s.valued, done):
        a.values[n] = value
    s.valued = done


@share
def payoff_of(s: Search, p: Position, n: int) -> int:
    """What the n-th number of tricks pays, the worst for the makers first."""
    return p.payoff[s.numbers >> 4 * n & 15]


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
