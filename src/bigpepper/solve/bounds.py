"""Bounds on the tricks to come, at the start of a trick. Each function says why its bound holds.

"Sure" tricks of a side are tricks that it wins whatever the others do, if it plays for them. Numbers a suit stand in
lanes (see `lanes`). The *hand* is that of the seat on lead, *partner* another hand of its side, or no cards.
"""

from __future__ import annotations

from bigpepper.jit import count, highest, share
from bigpepper.solve.board import Search
from bigpepper.solve.goals import OPEN, enough_for_defenders, enough_for_makers
from bigpepper.solve.lanes import (
    PLENTY,
    SIDES,
    TRUMPS,
    above,
    at_least,
    below,
    count_suits,
    larger,
    lengths,
    smaller,
    suits_with,
    total,
)


@share
def judge_lead(s: Search, seat: int, unplayed: int, left: int, want: int) -> int:
    """The verdict on a position in which `seat` leads, or OPEN.

    Cheap bounds come first: each is asked for only if the ones before have not settled the question.
    """
    makers_lead = s.makers >> seat & 1
    for_makers, for_defenders = enough_for_makers(want, left), enough_for_defenders(want, left)
    ours, theirs = (for_makers, for_defenders) if makers_lead else (for_defenders, for_makers)
    if ours <= 0:
        return makers_lead
    if theirs <= 0:
        return 1 - makers_lead
    hand, partner = s.hands[seat] & unplayed, s.partner[seat] & unplayed
    left_enemy, right_enemy = s.enemy[seat] & unplayed, s.other_enemy[seat] & unplayed
    if unplayed & TRUMPS:
        settled = settled_with_trumps(hand, partner, left_enemy, right_enemy, left, ours, theirs)
    else:
        settled = settled_without_trumps(hand, partner, left_enemy, right_enemy, left, ours, theirs)
    return OPEN if settled == 0 else makers_lead if settled > 0 else 1 - makers_lead


@share
def settled_without_trumps(
    hand: int, partner: int, left_enemy: int, right_enemy: int, left: int, ours: int, theirs: int
) -> int:
    """1: the side on lead is sure of `ours` tricks; -1: the other one is of `theirs`; 0: neither is known."""
    if running(hand, partner, left_enemy, right_enemy, left, ours) >= ours:
        return 1
    return -1 if stoppers(hand, partner, left_enemy, right_enemy, left) >= theirs else 0


@share
def settled_with_trumps(
    hand: int, partner: int, left_enemy: int, right_enemy: int, left: int, ours: int, theirs: int
) -> int:
    """The same, where somebody has trumps: only the side on lead, only the other one, or both.

    Two that lead against one who has trumps are seldom sure of enough: to count their tricks costs more than it saves.
    """
    friends, enemies = hand | partner, left_enemy | right_enemy
    if enemies & TRUMPS == 0:
        if max(alone_with_trumps(hand, partner | enemies), alone_with_trumps(partner, hand | enemies)) >= ours:
            return 1
        return 1 if running(hand, partner, left_enemy, right_enemy, left, ours) >= ours else 0
    if friends & TRUMPS == 0:
        his = alone_with_trumps(left_enemy, right_enemy | friends)
        if max(his, alone_with_trumps(right_enemy, left_enemy | friends)) >= theirs:
            return -1
        return 1 if cashing(hand, partner, left_enemy, right_enemy, left) >= ours else 0
    if partner == 0 and leading_alone(hand, left_enemy, right_enemy) >= ours:
        return 1
    if right_enemy == 0 and outlasting(left_enemy, friends) >= theirs:
        return -1
    if has_trump_tricks(left_enemy, right_enemy, friends, theirs):
        return -1
    if partner and right_enemy == 0:
        return 0
    if cashing(hand, partner, left_enemy, right_enemy, left) >= ours:
        return 1
    return 1 if keeping_trumps(hand, partner, left_enemy, right_enemy, left) >= ours else 0


# --- the side on lead -----------------------------------------------------------------------------------------------


@share
def keeping_trumps(hand: int, partner: int, left_enemy: int, right_enemy: int, left: int) -> int:
    """Tricks from side winners that nobody can ruff, one ruff by the partner, and trumps that nobody was made to play.

    The hand keeps its own trumps; a partner keeps his unless he runs out of other cards. He ruffs a suit that every
    enemy who has trumps must follow to.
    """
    enemies = left_enemy | right_enemy
    trumps = enemies & TRUMPS
    left_lengths, right_lengths = lengths(left_enemy), lengths(right_enemy)
    safe = smaller(unruffed(left_enemy, left_lengths, 0), unruffed(right_enemy, right_lengths, 0))
    tops = above(hand & SIDES, partner | enemies)
    longest = larger(larger(left_lengths, right_lengths), lengths(partner))
    side = total(smaller(winners(tops, lengths(hand & SIDES), longest), safe))
    own = high_trumps(hand & TRUMPS, trumps, 8)
    his = partner & TRUMPS
    if his and count(his) + side <= left:
        ruff = suits_with(hand & SIDES) & ~suits_with(tops | partner) & suits_with(safe)
        both = high_trumps((hand | partner) & TRUMPS, trumps, longest_trumps(hand, partner))
        own = max(own + (1 if ruff else 0), both)
    return side + own


@share
def running(hand: int, partner: int, left_enemy: int, right_enemy: int, left: int, enough: int) -> int:
    """When no enemy has a trump: tricks the seat on lead takes from the top, first his own, then those of his partner.

    He gets to his partner by a card of a suit in which the partner has the highest. With `enough` tops of his own no
    more is counted.
    """
    enemies = left_enemy | right_enemy
    tops = above(hand, partner | enemies)
    if count(tops) >= enough:
        return count(tops)
    own_lengths, partner_lengths = lengths(hand), lengths(partner)
    enemy_lengths = larger(lengths(left_enemy), lengths(right_enemy))
    sure = total(winners(tops, own_lengths, larger(enemy_lengths, partner_lengths)))
    tops = above(partner, hand | enemies)
    if suits_with(tops) & hand:
        sure += total(winners(tops, partner_lengths, larger(enemy_lengths, own_lengths)))
    return min(sure, left)


@share
def cashing(hand: int, partner: int, left_enemy: int, right_enemy: int, left: int) -> int:
    """When an enemy has trumps: the same, trumps being drawn first.

    Only rounds are counted in which no enemy can ruff, so that an enemy who still has trumps follows to every one of
    them and keeps his other suits as long as they are.
    """
    enemies = left_enemy | right_enemy
    own_lengths, partner_lengths = lengths(hand), lengths(partner)
    left_lengths, right_lengths = lengths(left_enemy), lengths(right_enemy)
    enemy_lengths = larger(left_lengths, right_lengths)

    tops = above(hand, partner | enemies)
    drawn = count(tops & TRUMPS)
    safe = smaller(unruffed(left_enemy, left_lengths, drawn), unruffed(right_enemy, right_lengths, drawn))
    own = total(smaller(winners(tops, own_lengths, larger(enemy_lengths, partner_lengths)), safe))
    tops = above(partner, hand | enemies)
    if suits_with(tops) & hand & suits_with(safe) == 0 or own >= left:
        return own
    drawn += count(tops & TRUMPS)
    safe = smaller(unruffed(left_enemy, left_lengths, drawn), unruffed(right_enemy, right_lengths, drawn))
    more = total(smaller(winners(tops, partner_lengths, larger(enemy_lengths, own_lengths)), safe))
    return min(left, own + more)


@share
def unruffed(enemy: int, its_lengths: int, drawn: int) -> int:
    """How many rounds of each suit this enemy cannot ruff after `drawn` rounds of trumps: those he follows to."""
    free = PLENTY if count(enemy & TRUMPS) <= drawn else PLENTY & TRUMPS
    return its_lengths & SIDES | free


@share
def winners(tops: int, own: int, others: int) -> int:
    """Tricks a suit that a hand takes from the top: its tops, and all its cards once they exhaust the other hands.

    `tops` are its cards above those of every other hand, so nobody has to overtake. `own` and `others` are its length
    and the longest other one.
    """
    runs = lengths(tops)
    exhausting = at_least(runs, others) & suits_with(tops)
    return runs & ~exhausting | own & exhausting


# --- trumps ---------------------------------------------------------------------------------------------------------


@share
def has_trump_tricks(one: int, other: int, enemies: int, enough: int) -> bool:
    """Whether the trumps of two partners are sure of `enough` tricks."""
    longest = longest_trumps(one, other)
    return longest >= enough and high_trumps((one | other) & TRUMPS, enemies & TRUMPS, longest) >= enough


@share
def longest_trumps(one: int, other: int) -> int:
    """How many trumps the one of two hands has that has more of them."""
    return max(count(one & TRUMPS), count(other & TRUMPS))


@share
def high_trumps(own: int, enemies: int, longest: int) -> int:
    """Sure tricks of a side's trumps: the largest i - e, e enemy trumps above its i-th; i no more than one hand has.

    One who has to play a trump plays one of the i highest, unless his partner does and he has another. So two of them
    fall together only when neither has another, and i tricks, or as many as the longer hand has trumps, get one. The
    enemies win one of these tricks only with a trump above the i-th, and one trump wins one trick.
    """
    sure, balance = 0, 0
    while own:
        bit = highest(own)
        own ^= bit
        balance = min(balance + 1, longest)
        sure = max(sure, balance - count(enemies & -bit))
    return sure


# --- a hand against all others --------------------------------------------------------------------------------------


@share
def outlasting(hand: int, enemies: int) -> int:
    """Sure tricks of a hand without a partner that has more trumps than all enemies: its trumps and tops, less theirs.

    On lead it plays tops, then trumps; else it plays losers while it can, and then ruffs. Only a trump beats its trumps
    and tops, and each time it loses the lead so, one trump at most gets it in again: with more than theirs it lasts.
    """
    more = count(hand & TRUMPS) - count(enemies & TRUMPS)
    return more + count(above(hand & SIDES, enemies)) if more > 0 else 0


@share
def leading_alone(hand: int, left_enemy: int, right_enemy: int) -> int:
    """The same for such a hand on lead. It draws trumps with its highest, and then needs only as many as are left.

    For it leads a top next, and if that is ruffed it does have more trumps than they. Where both enemies still have
    trumps it leads one more: that takes one of each for one trick, or none, and again it has more than they.
    """
    enemies = left_enemy | right_enemy
    trumps, tops = count(hand & TRUMPS), count(above(hand & TRUMPS, enemies))
    one = max(count(left_enemy & TRUMPS) - tops, 0)
    other = max(count(right_enemy & TRUMPS) - tops, 0)
    if trumps - tops < one + other:
        return 0
    return trumps + count(above(hand & SIDES, enemies)) - one - other + (1 if one and other else 0)


# --- the other side -------------------------------------------------------------------------------------------------


@share
def alone_with_trumps(hand: int, others: int) -> int:
    """Sure tricks of a hand with trumps when the other side has none: its trumps and its top cards.

    It throws its other cards away first. Down to these, it wins the next trick with a top or by a ruff, and then leads
    them; made to play a top before, it wins at once. Where its partner has to overruff, he has only trumps left, and
    wins all there is.
    """
    if hand & TRUMPS:
        return count(hand & TRUMPS | above(hand & SIDES, others))
    return 0


@share
def stoppers(hand: int, partner: int, left_enemy: int, right_enemy: int, left: int) -> int:
    """Without trumps: sure tricks of the side that is not on lead, by the top cards it keeps to the end.

    A suit is *stopped* when the enemies have its highest card; nobody makes its holder play it while the suit is not
    led. We can lead other suits only `free` times, and then lead into one that is stopped, unless somebody had to throw
    a stopper away: nobody has while he keeps `room` = left - free cards, at least one for each suit he stops.
    Once in, he cashes his tops, as many as he could keep. If we let the other enemy in before, he leads to them.
    """
    ours = hand | partner
    left_tops, right_tops = above(left_enemy, ours | right_enemy), above(right_enemy, ours | left_enemy)
    stopped = suits_with(left_tops | right_tops)
    if not stopped:
        return 0
    room = left - free_leads(hand, partner, stopped)
    if max(count_suits(left_tops), count_suits(right_tops)) > room:
        return 0
    if left_tops and right_tops:
        return min(room, count(left_tops), count(right_tops))
    if right_enemy and not suits_with(left_tops | right_tops) & (right_enemy if left_tops else left_enemy):
        return 1
    return min(room, count(left_tops | right_tops))


@share
def free_leads(hand: int, partner: int, stopped: int) -> int:
    """How often the side on lead can at most lead a suit that is not stopped, as long as it wins every trick.

    Each lead takes a card of the suit from both hands, where they have one. A partner who has no card above one that
    could be led to him never gets in.
    """
    if hand & below(partner) & ~stopped:
        return total(larger(lengths(hand), lengths(partner)) & ~stopped)
    return total(lengths(hand) & ~stopped)
