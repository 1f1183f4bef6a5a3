"""What a seat sees during the play, worked out once for a decision: cards unseen, voids shown, who is still to play."""

from __future__ import annotations

from bigpepper.bots.novice.layout import Layout, layout
from bigpepper.bots.novice.strength import Others, power
from bigpepper.jit import count
from bigpepper.kernel import next_playing, side_of
from bigpepper.records import View
from bigpepper.rules import Rules


class Sight:
    """One seat's view of the play; masks are in strain order."""

    __slots__ = (
        "_others",
        "later",
        "legal",
        "opponents",
        "out",
        "partner",
        "rules",
        "seat",
        "side",
        "suits",
        "v",
        "voids",
    )

    rules: Rules
    v: View
    suits: Layout
    seat: int
    side: int
    legal: int
    """Cards that may be played."""
    out: int
    """Cards that have not been seen: in other hands, in the dead hand, widow or discard."""
    voids: list[int]
    """A seat: cards it cannot hold, having failed to follow their suit."""
    later: list[int]
    """Seats that play to this trick after this one, in order."""
    opponents: list[int]
    """Seats of other sides that take part."""
    partner: int
    """The partner's seat if he takes part; -1."""

    def __init__(self, rules: Rules, v: View) -> None:
        t = rules.tables
        self.rules, self.v, self.seat, self.side = rules, v, v.seat, side_of(t, v.seat)
        self.suits, self.legal = layout(rules, v.strain), v.legal
        played, self.voids = _look_back(rules, v)
        own = v.hand | (1 << t.place[v.strain][v.own_discard] if v.own_discard >= 0 else 0)
        self.out = self.suits.deck & ~played & ~own
        self.later = _later(rules, v)
        playing = [seat for seat in range(t.players) if v.playing >> seat & 1 and seat != v.seat]
        self.opponents = [seat for seat in playing if side_of(t, seat) != self.side]
        self.partner = next((seat for seat in playing if side_of(t, seat) == self.side), -1)
        self._others = Others(count(self.out), v.left, len(self.opponents))

    @property
    def is_maker_side(self) -> bool:
        """Whether this seat or its partner is the maker."""
        return self.v.maker % self.rules.sides == self.side

    def held(self, seat: int) -> int:
        """How many cards a seat has in hand."""
        return self.v.left - (1 if self.v.trick[seat] else 0)

    def can_hold(self, seat: int, cards: int) -> int:
        """Those of `cards` that are unseen and that the seat may have."""
        return self.out & cards & ~self.voids[seat]

    def against(self, cards: int) -> int:
        """Those of `cards` that some opponent may have."""
        found = 0
        for seat in self.opponents:
            found |= self.can_hold(seat, cards)
        return found

    def is_top(self, bit: int) -> bool:
        """Whether no opponent can have a higher card of its suit."""
        return not self.against(self.suits.suit_of(bit) & -bit)

    def power(self, hand: int) -> float:
        """Tricks that the hand is likely to take in what is left of the round."""
        return power(self.suits, hand, self.out, self._others, self.seat == self.v.maker)

    def cost(self, bit: int) -> float:
        """Likely tricks that are given up with this card."""
        return self.power(self.v.hand) - self.power(self.v.hand ^ bit)


def _later(rules: Rules, v: View) -> list[int]:
    later = []
    seat = next_playing(v, rules.tables, v.seat)
    while seat != v.leader:
        later.append(seat)
        seat = next_playing(v, rules.tables, seat)
    return later


def _look_back(rules: Rules, v: View) -> tuple[int, list[int]]:
    """All cards played, and for each seat the suits that it did not follow."""
    t, played, voids = rules.tables, 0, [0, 0, 0, 0]
    width, n, led = count(v.playing), 0, 0
    place, suit = t.place[v.strain], t.suit[v.strain]
    for i in range(v.length):
        card = v.acts[i] - t.first_play
        if not 0 <= card < t.deck_size:
            continue
        at = place[card]
        if n % width == 0:
            led = suit[at]
        elif led and not led >> at & 1:
            voids[v.seats[i]] |= led
        played |= 1 << at
        n += 1
    return played, voids
