"""Which card to try first. Order never changes a value; it decides how soon a mover finds the card that gets his wish.

A frame keeps the cards still to be tried as one mask, and three masks of cards to prefer; within a mask the lowest card
comes first. Most frames are decided by their first card, so nothing is sorted.
"""

from __future__ import annotations

from bigpepper.jit import highest, lowest, share
from bigpepper.kernel import follow
from bigpepper.solve.board import Search
from bigpepper.solve.lanes import SIDES, TRUMPS, above, suits_with


@share
def next_card(s: Search, f: int) -> int:
    """The card to be tried next in frame `f`, which has one."""
    todo = s.todo[f]
    first, second, third = todo & s.first[f], todo & s.second[f], todo & s.third[f]
    rest = third if third else todo
    rest = second if second else rest
    best = first if first else rest
    worked = 0 if s.best[f] else best & s.worked
    return lowest(worked if worked else best)


@share
def prefer(s: Search, f: int, first: int, second: int, third: int) -> None:
    """Set the order of frame `f`."""
    s.first[f], s.second[f], s.third[f] = first, second, third


@share
def order_lead(s: Search, f: int) -> None:
    """The seat that leads: to partner's tops, one's own tops, cards that force an enemy's top out.

    With trumps about: to a suit that partner can ruff too, and suits that an enemy can ruff come last.
    """
    seat, unplayed = s.mover[f], s.unplayed[f]
    hand, partner = s.hands[seat] & unplayed, s.partner[seat] & unplayed
    left_enemy, right_enemy = s.enemy[seat] & unplayed, s.other_enemy[seat] & unplayed
    enemies = left_enemy | right_enemy
    reaching = suits_with(above(partner, hand | enemies))
    tops = above(hand, partner | enemies)
    forcing = above(hand, enemies & ~above(enemies, hand | partner))
    if (hand | partner | enemies) & TRUMPS:
        safe = ~(voids(left_enemy) | voids(right_enemy))
        prefer(s, f, (voids(partner) | reaching | tops) & safe, forcing & safe, safe)
    else:
        prefer(s, f, reaching | s.worked, tops, forcing)


@share
def voids(hand: int) -> int:
    """The side suits that this hand can ruff."""
    return SIDES & ~suits_with(hand) & (-1 if hand & TRUMPS else 0)


@share
def order_follow(s: Search, f: int, cards: int) -> None:
    """A seat that follows: low when partner holds the trick or will win it; else the cheapest card that holds it.

    Cards above all that the enemies have in their suit are thrown away last. Masks of different hands compare like
    their highest cards.
    """
    later, led, best, unplayed = s.mover[f], s.led[f], s.best[f], s.unplayed[f]
    ours = s.side if s.makers >> later & 1 else ~s.side
    help, threat = best & ours, 0
    for _ in range(s.after[f]):
        later = later + 1 if later + 1 < s.players else 0
        reached = follow(s.hands[later] & unplayed, led) & (led | TRUMPS)
        help = max(help, reached & ours)
        threat = max(threat, reached & ~ours)
    winning = cards & (led | TRUMPS) & -best & ~best
    holding = winning & -(highest(threat | 1) << 1)
    losers = cards & ~winning
    low = losers & ~above(losers, unplayed & ~ours)
    prefer(s, f, 0 if help > max(threat, best - 1) else holding, low, losers)
