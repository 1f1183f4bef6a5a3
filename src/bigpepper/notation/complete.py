"""A round of which not every card is known, as a State: some deal that fits all that was done.

The rules are asked, not restated: a deal of the unknown cards is tried by playing the round again. Where the rules
refuse, somebody was given a card that he would have had to play: he cannot hold it, and another deal is tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from bigpepper.actions import Play
from bigpepper.cards import JOKER, Card
from bigpepper.deal import Deal
from bigpepper.notation.model import HIDDEN_DISCARD, UNKNOWN, RoundRecord
from bigpepper.notation.walk import Walk, Wrong, walk
from bigpepper.rules import Rules
from bigpepper.state import State

_WIDOW: Final = 4
_DEAD: Final = 5
Where = tuple[Card, int]
"""A card at a place: a seat 0 to 3, the widow, the dead hand."""


class Unknown:
    """What is known of a round's cards, and what has been found out about the others."""

    def __init__(self, rules: Rules, round: RoundRecord, hidden: Card | None) -> None:
        self.rules = rules
        self.hidden = hidden
        """The card that is taken to be the hidden discard."""
        self.known: dict[Card, int] = {}
        self.room: Counter[int] = Counter()
        for place, cards in _dealt(round):
            for card in cards:
                if card == UNKNOWN:
                    self.room[place] += 1
                else:
                    self.known[Card(card)] = place
        self.cards = [card for card in rules.deck if card not in self.known]
        self.holders = dict(_holders(rules, round, hidden))
        self.maker = round.naming.seat if round.naming and rules.widow == "pick-up" else None
        self.excluded: set[Where] = set()

    def deal(self) -> Deal | None:
        """A deal that fits what is known, and excludes nothing; None where there is none."""
        placed: dict[Card, int] = {}
        for card in self.cards:
            if not self._place(card, placed, set()):
                return None
        where = {**self.known, **placed}
        hands = [[card for card, place in where.items() if place == seat] for seat in range(self.rules.players)]
        widow = next((card for card, place in where.items() if place == _WIDOW), None)
        return Deal(self.rules, hands, widow)

    def _place(self, card: Card, placed: dict[Card, int], tried: set[int]) -> bool:
        """Place a card where there is room, moving others on if need be (bipartite matching)."""
        for place in self._allowed(card):
            if place in tried:
                continue
            tried.add(place)
            inside = [other for other, where in placed.items() if where == place]
            if len(inside) < self.room[place] or any(self._place(other, placed, tried) for other in inside):
                placed[card] = place
                return True
        return False

    def _allowed(self, card: Card) -> Iterator[int]:
        holder = self.holders.get(card)
        for place, room in self.room.items():
            own = holder in (None, place) or (holder == self.maker and place == _WIDOW)
            if room and own and (card, place) not in self.excluded:
                yield place

    def learn(self, wrong: Wrong) -> bool:
        """Exclude what cannot be, by the refusal of the rules; False where it tells nothing new."""
        new = set(self._told(wrong)) - self.excluded
        self.excluded |= new
        return bool(new)

    def _told(self, wrong: Wrong) -> Iterator[Where]:
        state, seat = wrong.state, wrong.state.turn
        if wrong.turn:
            yield from self._told_by_turn(state)
        elif isinstance(wrong.action, Play) and seat is not None and wrong.action.card in state.hand(seat):
            for action in state.legal:
                if isinstance(action, Play) and self._free(action.card):
                    yield action.card, seat
                    if seat == self.maker:
                        yield action.card, _WIDOW

    def _told_by_turn(self, state: State) -> Iterator[Where]:
        """After all have passed, the holder of the Joker is asked (rules §3): here another one was."""
        if self.rules.all_pass == "joker-bids-3" and state.contract is None and self._free(JOKER):
            hands = (seat for seat in range(self.rules.players) if JOKER in state.hand(seat))
            yield JOKER, next(hands, _WIDOW)

    def _free(self, card: Card) -> bool:
        return card not in self.known and card not in self.holders


def _dealt(round: RoundRecord) -> Iterator[tuple[int, tuple[str, ...]]]:
    yield from enumerate(round.hands)
    yield _WIDOW, (round.widow,) if round.widow else ()
    yield _DEAD, round.dead


def _holders(rules: Rules, round: RoundRecord, hidden: Card | None) -> Iterator[Where]:
    """Who had which card, as far as the play and the discard tell; the first to play a card counts."""
    seen: set[Card] = set()
    if round.discard and hidden:
        seen.add(hidden)
        yield hidden, round.discard.seat
    for step in round.steps():
        if step.phase not in ("tricks", "discard") or step.act.action == HIDDEN_DISCARD:
            continue
        card = Card(step.act.action.removeprefix("discard-"))
        if card in rules.card_number and card not in seen:
            seen.add(card)
            yield card, step.act.seat


def complete(rules: Rules, round: RoundRecord, turn: int | None = None) -> Walk:
    """The round played again under a deal that fits; `turn` is the seat to act at its end, where that is known.

    The round's cards have been counted before. Raises `Wrong`, the refusal that comes latest in the round.
    """
    worst: Wrong | None = None
    for hidden in _discards(rules, round):
        unknown = Unknown(rules, round, hidden)
        while (deal := unknown.deal()) is not None:
            try:
                return walk(rules, round, deal, hidden, turn)
            except Wrong as wrong:
                worst = wrong if worst is None or wrong.at >= worst.at else worst
                if not unknown.learn(wrong):
                    break
    raise worst or Wrong.no_deal(rules, round)


def _discards(rules: Rules, round: RoundRecord) -> Iterator[Card | None]:
    """The cards that may have been discarded, where that is hidden; else None once."""
    if round.discard is None or round.discard.action != HIDDEN_DISCARD:
        yield None
        return
    maker = round.discard.seat
    elsewhere = {
        Card(card)
        for place, cards in _dealt(round)
        if place not in (maker, _WIDOW)
        for card in cards
        if card != UNKNOWN
    }
    played = {Card(step.act.action) for step in round.steps() if step.phase == "tricks"}
    yield from (card for card in rules.deck if card not in elsewhere and card not in played)
