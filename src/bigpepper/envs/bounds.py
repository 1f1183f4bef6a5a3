"""How many points a round can bring and how long it can last: from the tables, by the kernel's own scoring."""

from __future__ import annotations

from bigpepper.kernel import makers_points
from bigpepper.records import Round
from bigpepper.rules import Rules


def most_points(rules: Rules) -> int:
    """A bound of what a side's points and the difference between sides can be in a round, up or down."""
    t, most = rules.tables, 0
    for bid in range(t.bids):
        for tricks in range(t.hand_size + 1):
            r = Round()
            r.bid, r.maker, r.lone = bid, 0, 0 if t.alone else -1
            defenders = t.defenders_score * (t.hand_size - tricks)
            most = max(most, abs(makers_points(r, t, tricks)) + defenders)
    return most


def longest_auction(rules: Rules) -> int:
    """Calls at most: before each bid all others pass who can; or everybody passes and the Joker's holder bids."""
    return max((rules.players - 1) * rules.tables.bids, rules.players) + 1


def longest_round(rules: Rules) -> int:
    """A bound of the actions of a round: calls, naming, discard, answers and cards."""
    return longest_auction(rules) + 1 + int(rules.widow == "pick-up") + 2 + rules.players * rules.cards
