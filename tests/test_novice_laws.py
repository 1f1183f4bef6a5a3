"""What `novice` never does, as laws over random rounds of all rulebooks, shipped ones and house rules.

The laws look at the whole truth and at the rulebook's suits, not at what the novice itself works out.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bigpepper import conformance
from bigpepper.actions import Action, Bid, Discard, Pass, Play
from bigpepper.bots.novice import Novice
from bigpepper.bots.random import Random
from bigpepper.cards import Card, Strain, Suit
from bigpepper.public import Phase
from bigpepper.rules import Rules, rulebooks
from bigpepper.state import State
from strategies import rulebook_options


class Decision(NamedTuple):
    """A position and what the novice whose turn it was did."""

    state: State
    action: Action

    @property
    def seat(self) -> int:
        """Who decided."""
        assert self.state.turn is not None
        return self.state.turn

    @property
    def played(self) -> Card:
        """The card played."""
        assert isinstance(self.action, Play)
        return self.action.card

    @property
    def others(self) -> list[Card]:
        """The legal cards that were not played."""
        return [a.card for a in self.state.legal if isinstance(a, Play) and a != self.action]

    def ours(self, seat: int) -> bool:
        """Whether a seat is of the same side."""
        return self.state.rules.side_of(seat) == self.state.rules.side_of(self.seat)


Law = Callable[[Decision], bool]


# --- cards as the rulebook has them ---------------------------------------------------------------------------------


def suits_of(state: State) -> dict[Suit | None, tuple[Card, ...]]:
    """The suits under the strain named, lowest card first."""
    assert state.strain is not None
    return state.rules.suits_in_play(state.strain)


def suit_of(state: State, card: Card) -> tuple[Card, ...]:
    """The suit a card belongs to."""
    return next(cards for cards in suits_of(state).values() if card in cards)


def trumps(state: State) -> tuple[Card, ...]:
    """The trump suit; at no-trump none (the Joker, of no suit, counts as one)."""
    assert state.strain is not None
    return suits_of(state).get(state.strain.suit if state.strain.suit else None, ())


def above(state: State, card: Card) -> set[Card]:
    """The higher cards of its suit."""
    suit = suit_of(state, card)
    return set(suit[suit.index(card) + 1 :])


def unseen(decision: Decision) -> set[Card]:
    """Cards that the seat has not seen."""
    state = decision.state
    seen = {turn.action.card for turn in state.history if isinstance(turn.action, Play)} | set(
        state.hand(decision.seat)
    )
    if decision.seat == state.maker and state.discarded:
        seen.add(state.discarded)
    return set(state.rules.deck) - seen


def is_sure(decision: Decision, card: Card) -> bool:
    """Whether nobody can have a higher card of its suit."""
    return not above(decision.state, card) & unseen(decision)


def winning_with(decision: Decision, card: Card) -> bool:
    """Whether the seat is winning the trick after it has played the card."""
    before = decision.state.trick
    cards = [*(before.cards if before else ()), (decision.seat, card)]
    return best_of(decision.state, cards)[0] == decision.seat


def best_so_far(decision: Decision) -> tuple[int, Card] | None:
    """Who is winning the trick, and with which card; None for a lead."""
    trick = decision.state.trick
    return best_of(decision.state, trick.cards) if trick else None


def best_of(state: State, cards: Sequence[tuple[int, Card]]) -> tuple[int, Card]:
    """The best of cards played in this order: the highest trump, else the highest of the suit led."""
    best = cards[0]
    for seat, card in cards[1:]:
        same = suit_of(state, best[1])
        if card in above(state, best[1]) or (card not in same and card in trumps(state)):
            best = seat, card
    return best


def is_last(decision: Decision) -> bool:
    """Whether the seat plays the trick's last card."""
    trick = decision.state.trick
    return trick is not None and len(trick.cards) == len(decision.state.playing) - 1


def failed_to_follow(state: State, seat: int) -> set[Card]:
    """Cards that the seat has shown not to hold, by not following their suit."""
    shown: set[Card] = set()
    for trick in (*state.tricks, *((state.trick,) if state.trick else ())):
        led = set(suit_of(state, trick.cards[0][1]))
        shown |= {card for who, played in trick.cards for card in led if who == seat and played not in led}
    return shown


def foes_may_beat(decision: Decision, card: Card) -> bool:
    """Whether some opponent, by all that was shown, may have a higher card of the suit."""
    foes = [seat for seat in decision.state.playing if not decision.ours(seat)]
    higher = above(decision.state, card) & unseen(decision)
    return any(higher - failed_to_follow(decision.state, seat) for seat in foes)


# --- laws of the play -----------------------------------------------------------------------------------------------


def leaves_the_partners_trick(decision: Decision) -> bool:
    """The last to play never takes a trick that his partner has won, unless all his cards would."""
    best = best_so_far(decision)
    if (
        best is None
        or not is_last(decision)
        or not decision.ours(best[0])
        or not winning_with(decision, decision.played)
    ):
        return True
    return all(winning_with(decision, card) for card in decision.others)


def does_not_trump_the_partners_top_card(decision: Decision) -> bool:
    """Nor does he trump a highest card of his partner's that nobody has shown he could trump."""
    best, state = best_so_far(decision), decision.state
    if best is None or best[1] in trumps(state) or not decision.ours(best[0]) or decision.played not in trumps(state):
        return True
    assert state.trick is not None
    led = suit_of(state, state.trick.cards[0][1])
    if best[1] not in led or above(state, best[1]) & unseen(decision):
        return True
    void = any(set(led) <= failed_to_follow(state, seat) for seat in state.playing if not decision.ours(seat))
    ruffable = not set(led) & unseen(decision)  # nobody can follow: then everybody may trump
    return void or ruffable or all(card in trumps(state) for card in decision.others)


def leads_trumps_from_the_top(decision: Decision) -> bool:
    """A maker who leads a trump from three or more leads the highest, or one that is as good."""
    state = decision.state
    own = [card for card in trumps(state) if card in state.hand(decision.seat)]
    if state.trick or decision.seat != state.maker or len(own) < 3 or decision.played not in own:
        return True
    return not above(state, decision.played) & set(own)


def throws_no_trump_away(decision: Decision) -> bool:
    """A trump that does not win is not played while another suit may be: so bowers keep their guards."""
    state = decision.state
    if state.trick is None or decision.played not in trumps(state) or winning_with(decision, decision.played):
        return True
    return all(card in trumps(state) for card in decision.others)


def throws_no_winner_away(decision: Decision) -> bool:
    """A sure winner is not thrown on a lost trick while there is a card that an opponent may beat."""
    state = decision.state
    if state.trick is None or winning_with(decision, decision.played) or not is_sure(decision, decision.played):
        return True
    losing = [c for c in decision.others if not winning_with(decision, c) and c not in trumps(state)]
    return not any(foes_may_beat(decision, card) for card in losing) or decision.played in trumps(state)


def leaves_a_fellow_defenders_trick(decision: Decision) -> bool:
    """Three players, defenders without points: a trick taken from the maker is not taken once more."""
    state, best = decision.state, best_so_far(decision)
    if (
        state.rules.sides < 3
        or state.rules.defenders != "none"
        or best is None
        or state.maker in (decision.seat, best[0])
    ):
        return True
    assert state.trick is not None
    if state.maker not in [seat for seat, _ in state.trick.cards] or not winning_with(decision, decision.played):
        return True
    return all(winning_with(decision, card) for card in decision.others)


def loses_what_only_costs(decision: Decision) -> bool:
    """A maker who pays a point for each trick of a lost contract does not take a trick that he can leave."""
    state, rules, best = decision.state, decision.state.rules, best_so_far(decision)
    assert state.contract is not None
    rung = rules.ladder[rules.bids.index(state.contract)]
    won = sum(n for seat, n in enumerate(state.tricks_won) if decision.ours(seat))
    lost = decision.seat == state.maker and won + state.tricks_left < rung.tricks
    if not lost or not rung.failed.each or best is None or decision.ours(best[0]) or not is_last(decision):
        return True
    return not winning_with(decision, decision.played) or all(winning_with(decision, c) for c in decision.others)


LAWS_OF_PLAY: list[Law] = [
    leaves_the_partners_trick,
    does_not_trump_the_partners_top_card,
    leads_trumps_from_the_top,
    throws_no_trump_away,
    throws_no_winner_away,
    leaves_a_fellow_defenders_trick,
]
"""Where no rung charges for tricks, so that nobody wants to lose any."""


# --- laws of the calls ----------------------------------------------------------------------------------------------


def keeps_winners_and_trumps(decision: Decision) -> bool:
    """Neither a trump nor the highest card of a suit is discarded while there is another card."""
    if not isinstance(decision.action, Discard):
        return True
    state, card = decision.state, decision.action.card
    assert card is not None
    valued = {card for card in state.hand(decision.seat) if card in trumps(state) or not above(state, card)}
    plain = [c for c in state.hand(decision.seat) if c not in trumps(state)]
    return card not in valued or (card not in trumps(state) and valued.issuperset(plain)) or not plain


def promises_all_tricks_with_the_top_card(decision: Decision) -> bool:
    """Whoever freely promises all of four tricks or more holds the highest card of some suit to be named."""
    state, rules = decision.state, decision.state.rules
    if not isinstance(decision.action, Bid) or rules.cards < 4 or _tricks(rules, decision.action) < rules.cards:
        return True
    free = any(isinstance(a, Pass) or (isinstance(a, Bid) and _tricks(rules, a) < rules.cards) for a in state.legal)
    return not free or any(_holds_the_top(state, decision.seat, strain) for strain in rules.strains)


def _holds_the_top(state: State, seat: int, strain: Strain) -> bool:
    suits = state.rules.suits_in_play(strain)
    tops = [suits[strain.suit][-1]] if strain.suit else [cards[-1] for suit, cards in suits.items() if suit]
    return any(top in state.hand(seat) for top in tops)


def does_not_raise_a_won_game(decision: Decision) -> bool:
    """The partner's bid, if just made, wins the game out of the opponents' reach: it is not raised."""
    state, rules = decision.state, decision.state.rules
    if state.phase != Phase.AUCTION or state.maker is None or not decision.ours(state.maker) or len(state.legal) < 2:
        return True
    assert state.contract is not None
    rung = rules.ladder[rules.bids.index(state.contract)]
    made = rung.made.points(rung.tricks) + rung.made.each * rung.tricks
    side = rules.side_of(decision.seat)
    reaches = state.scores[side] + made >= rules.target
    theirs = max(score for other, score in enumerate(state.scores) if other != side) + rules.cards
    return not reaches or theirs >= rules.target or isinstance(decision.action, Pass)


def _tricks(rules: Rules, bid: Bid) -> int:
    return rules.ladder[rules.bids.index(bid)].tricks


LAWS_OF_CALLS: list[Law] = [keeps_winners_and_trumps, promises_all_tricks_with_the_top_card, does_not_raise_a_won_game]


# --- rounds ---------------------------------------------------------------------------------------------------------


def decisions(rules: Rules, seed: int, wild: int, scores: list[int]) -> list[Decision]:
    """All decisions of the novices in a round; `wild` is a mask of the seats that play at random."""
    state, found = State.new(rules, seed=seed, dealer=seed % rules.players, scores=scores), []
    while state.turn is not None:
        bot = Random(seed) if wild >> state.turn & 1 else Novice(seed)
        action = bot.act(state.observation(state.turn))
        if not wild >> state.turn & 1 and len(state.legal) > 1:
            found.append(Decision(state, action))
        state = state.apply(action)
    return found


def check(rules: Rules, decision: Decision) -> None:
    """All laws that hold under the rulebook."""
    laws = [*LAWS_OF_CALLS]
    if isinstance(decision.action, Play):
        laws = [loses_what_only_costs] if _charges(rules) else LAWS_OF_PLAY
    for law in laws:
        assert law(decision), f"{law.__name__}: {decision.action} in {decision.state!r}"


def _charges(rules: Rules) -> bool:
    return any(rung.failed.each for rung in rules.ladder)


HABITATS: dict[Law, Rules] = {
    leaves_a_fellow_defenders_trick: Rules.load("pepper-3").replace(defenders="none"),
    loses_what_only_costs: Rules.load("hasenpfeffer"),
    keeps_winners_and_trumps: Rules.load("hasenpfeffer"),
}
"""Where a law can be broken, if not in pepper-4."""


@pytest.mark.parametrize("law", [*LAWS_OF_PLAY, loses_what_only_costs, *LAWS_OF_CALLS])
def test_every_law_is_broken_by_who_plays_at_random(law: Law) -> None:
    """A law that nobody can break says nothing."""
    rules = HABITATS.get(law, Rules.load("pepper-4"))
    for seed in range(200):
        state = State.new(rules, seed=seed, scores=[rules.target - 3, *[0] * (rules.sides - 1)])
        while state.turn is not None:
            action = Random(seed).act(state.observation(state.turn))
            if (isinstance(action, Play) or law in LAWS_OF_CALLS) and not law(Decision(state, action)):
                return
            state = state.apply(action)
    pytest.fail(f"{law.__name__} was never broken")


SITUATIONS = st.tuples(
    st.integers(0, 2**32), st.integers(0, 14), st.lists(st.integers(-10, 100), min_size=4, max_size=4)
)


def near(rules: Rules, points: list[int]) -> list[int]:
    """Scores a side, as part of the target."""
    return [min(rules.target - 1, rules.target * n // 100) for n in points[: rules.sides]]


@pytest.mark.parametrize("name", rulebooks())
@settings(max_examples=settings().max_examples // 4)
@given(situation=SITUATIONS)
def test_no_law_is_broken_in_a_shipped_rulebook(name: str, situation: tuple[int, int, list[int]]) -> None:
    seed, wild, points = situation
    rules = Rules.load(name)
    for decision in decisions(rules, seed, wild, near(rules, points)):
        check(rules, decision)


@given(options=rulebook_options(), situation=SITUATIONS)
def test_no_law_is_broken_under_house_rules(options: dict[str, object], situation: tuple[int, int, list[int]]) -> None:
    seed, wild, points = situation
    rules = Rules.from_options(options)
    for decision in decisions(rules, seed, wild, near(rules, points)):
        check(rules, decision)


@pytest.mark.parametrize("name", rulebooks())
def test_it_conforms(name: str) -> None:
    conformance.check_bot(Novice(3), Rules.load(name))


@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_it_depends_on_the_observation_alone(options: dict[str, object], seed: int) -> None:
    """Asked in any order, with any seed, as a copy, it does the same; and it cannot be changed."""
    rules = Rules.from_options(options)
    first = decisions(rules, seed, 0, [0] * rules.sides)
    assume(first)
    fresh = copy.copy(Rules.from_options(options))
    for state, action in reversed(first):
        again = State.of_record(fresh, state.record)
        assert again.turn is not None
        assert Novice(seed + 1).act(again.observation(again.turn)) == action
    with pytest.raises(AttributeError):
        Novice().seed = 3  # type: ignore[misc]
