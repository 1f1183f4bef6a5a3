"""Every vector of rules §7, through the package: real deals, auctions and plays.

Most rounds are played by one habit, `play_out`: the leader plays the card that stands first in the hand as it is
written here, the others the last one they may. So each round can be followed on paper.
"""

from __future__ import annotations

import pytest

from bigpepper import Card, Deal, Game, Rules, State
from bigpepper.cards import parse_cards

CLUBS_FOR_4 = {
    6: "JC JS AC KC QC TC / AD KD QD JD TD 9C / AH KH QH JH TH 9H / AS KS QS TS 9S 9D",
    5: "JC JS AC KC QC 9D / AD KD QD JD TD 9C / AH KH QH JH TH 9H / TC AS KS QS TS 9S",
    4: "JC JS AC KC 9D 9H / AD KD QD JD TD 9C / AH KH QH JH TH 9S / QC TC AS KS QS TS",
    3: "JC JS AC 9D 9H 9S / AD KD QD JD TD 9C / AH KH QH JH TH TS / KC QC TC AS KS QS",
    0: "9D TD 9H TH 9S TS / AD KD QD JD TC 9C / AH KH QH JH AS KS / JC JS AC KC QC QS",
}
"""Clubs trump, seat 0 the maker: tricks that his side wins → the hands of seats 0 to 3."""
CLUBS_FOR_3 = {
    (5, 2, 1): "JC JS AC KC QC 9D 9S TS / AD KD 9H QD JD TD TC 9C / AH KH QH JH TH AS KS QS",
    (4, 4, 0): "JC JS AC KC 9D TD 9H 9S / AD KD QD JD TS QC TC 9C / AH KH QH JH TH AS KS QS",
    (8, 0, 0): "JC JS AC KC QC TC 9C AD / KD QD JD TD 9D 9H 9S TS / AH KH QH JH TH AS KS QS",
    (7, 1, 0): "JC JS AC KC QC TC 9C 9D / AD KD QD JD TD 9H 9S TS / AH KH QH JH TH AS KS QS",
}
"""Clubs trump, seat 0 the maker of three: tricks of each seat → the hands."""


def say(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(text)
    return state


def close_auction(state: State) -> State:
    while state.phase == "auction":
        state = state.apply("pass")
    return state


def play_out(state: State, hands: str) -> State:
    order = [parse_cards(hand) for hand in hands.split("/")]
    while state.turn is not None:
        held = [card for card in order[state.turn] if card in state.hand(state.turn)]
        may = [card for card in held if any(str(card) == str(action) for action in state.legal)]
        state = state.apply(str(may[-1] if state.trick else may[0]))
    return state


def start(rules: Rules, hands: str, scores: list[int] | None = None) -> State:
    """The maker of the hands above sits left of the dealer; a Joker lies in the widow."""
    deal = Deal(rules, hands.split("/"), widow="JO" if rules.joker else None)
    return State.new(rules, deal=deal, dealer=rules.players - 1, scores=scores)


def round_of_4(rulebook: str, bid: str, won: int, alone: bool = False) -> State:
    rules = Rules.load(rulebook)
    state = say(close_auction(start(rules, CLUBS_FOR_4[won]).apply(bid)), "C-alone" if alone else "C")
    state = state.apply("discard-JO") if rules.joker else state
    state = play_out(say(state, "pass", "pass") if alone else state, CLUBS_FOR_4[won])
    assert (state.maker, str(state.contract), state.lone) == (0, bid, 0 if alone else None)
    assert state.tricks_won[0] + state.tricks_won[2] == won
    return state


# --- points of a round --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "bid", "won", "points"),
    [
        ("pepper-4", "4", 4, (4, 2)),
        ("pepper-4", "4", 6, (6, 0)),
        ("pepper-4", "4", 3, (-6, 3)),
        ("pepper-4", "1", 0, (-6, 6)),
        ("pepper-4", "small", 5, (-6, 1)),
        ("pepper-4", "small", 6, (6, 0)),
        ("pepper-4", "big", 6, (12, 0)),
        ("pepper-4", "big", 5, (-12, 1)),
        ("pepper-4", "big", 0, (-12, 6)),
        ("hasenpfeffer", "4", 5, (5, 0)),
        ("hasenpfeffer-peppers", "4", 5, (5, 0)),
        ("hasenpfeffer-traditional", "4", 5, (5, 1)),
        ("hasenpfeffer", "4", 3, (-3, 0)),
        ("hasenpfeffer-peppers", "4", 3, (-3, 0)),
        ("hasenpfeffer-traditional", "4", 3, (-4, 3)),
        ("hasenpfeffer", "6", 0, (0, 0)),
        ("hasenpfeffer-peppers", "small", 0, (0, 0)),
        ("hasenpfeffer-traditional", "small", 0, (-6, 6)),
        ("hasenpfeffer-peppers", "big", 5, (-10, 0)),
        ("hasenpfeffer-traditional", "big", 5, (-12, 1)),
        ("hasenpfeffer-peppers", "big", 6, (12, 0)),
        ("hasenpfeffer-traditional", "big", 6, (12, 0)),
    ],
)
def test_points_with_partners(rulebook: str, bid: str, won: int, points: tuple[int, int]) -> None:
    state = round_of_4(rulebook, bid, won)
    assert state.points == points
    assert state.made is (won >= (int(bid) if bid.isdigit() else 6))
    assert state.observation(1).made is state.made
    assert start(state.rules, CLUBS_FOR_4[won]).made is None


@pytest.mark.parametrize(
    ("rulebook", "bid", "won", "makers"),
    [
        ("hasenpfeffer", "4", 6, 12),
        ("hasenpfeffer-peppers", "4", 6, 12),
        ("hasenpfeffer-traditional", "4", 6, 12),
        ("hasenpfeffer", "4", 5, 5),
        ("hasenpfeffer-peppers", "4", 5, 5),
        ("hasenpfeffer-traditional", "4", 5, 5),
        ("hasenpfeffer", "4", 3, -3),
        ("hasenpfeffer-peppers", "4", 3, -3),
        ("hasenpfeffer-traditional", "4", 3, -4),
        ("hasenpfeffer-peppers", "big", 6, 24),
        ("hasenpfeffer-traditional", "big", 6, 24),
    ],
)
def test_points_alone(rulebook: str, bid: str, won: int, makers: int) -> None:
    state = round_of_4(rulebook, bid, won, alone=True)
    assert state.points_of(0) == state.points_of(2) == makers
    assert len(state.hand(2)) == 6, "the partner's cards stay face down"


@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [
        ("5", (5, 2, 1), (5, 2, 1)),
        ("5", (4, 4, 0), (-8, 4, 0)),
        ("small", (8, 0, 0), (8, 0, 0)),
        ("big", (8, 0, 0), (16, 0, 0)),
        ("big", (7, 1, 0), (-16, 1, 0)),
    ],
)
def test_points_of_three(bid: str, tricks: tuple[int, int, int], points: tuple[int, int, int]) -> None:
    state = close_auction(start(Rules.load("pepper-3"), CLUBS_FOR_3[tricks]).apply(bid)).apply("C")
    state = play_out(state, CLUBS_FOR_3[tricks])
    assert (state.tricks_won, state.points) == (tricks, points)


# --- endings at 30 ------------------------------------------------------------------------------------------------


def last_round(rulebook: str, hands: str, bid: str, scores: list[int]) -> Game:
    """A game in its last round, with these scores before it."""
    rules = Rules.load(rulebook)
    deal = Deal(rules, hands.split("/"))
    game = Game.new(rules, deals=lambda _: deal, dealer=rules.players - 1, scores=scores)
    for text in [bid, *["pass"] * (rules.players - 1), "C"]:
        game = game.apply(text)
    for turn in play_out(game.state, hands).history[rules.players + 1 :]:
        game = game.apply(str(turn.action))
    return game


@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [([26, 28], (30, 30), (0, 1)), ([28, 29], (32, 31), (0,)), ([26, 27], (30, 29), (0,)), ([25, 28], (29, 30), (1,))],
)
def test_endings_of_four(before: list[int], after: tuple[int, int], winners: tuple[int, ...]) -> None:
    """Bid 4, won 4: +4/+2."""
    game = last_round("pepper-4", CLUBS_FOR_4[4], "4", before)
    assert (game.scores, game.winners) == (after, winners)


@pytest.mark.parametrize(
    ("before", "winners"),
    [([20, 20, 29], (2,)), ([20, 28, 29], (1, 2)), ([25, 27, 29], (0, 2)), ([25, 29, 29], (1,)), ([26, 20, 29], (0,))],
)
def test_a_defender_at_29_takes_one_trick(before: list[int], winners: tuple[int, ...]) -> None:
    """+5/+2/+1: seat 2 wins, unless another side ends higher; jointly if equal."""
    game = last_round("pepper-3", CLUBS_FOR_3[5, 2, 1], "5", before)
    assert game.scores[2] == 30
    assert game.winners == winners


# --- following suit -----------------------------------------------------------------------------------------------

SMALL = {"cards": 2, "ranks": ["J", "A"], "ladder": [{"name": "1", "tricks": 1, "made": 1, "failed": 1}]}
WITHOUT_JOKER = Rules.load("pepper-4").replace(**SMALL)
WITH_JOKER = WITHOUT_JOKER.replace(joker=True, widow="dead")


@pytest.mark.parametrize(
    ("strain", "leader", "follower", "led", "legal"),
    [
        ("H", "AD AS", "JD AC", "AD", {"JD", "AC"}),  # J♦ is the left bower: no diamond
        ("H", "AH AS", "JD AD", "AH", {"JD"}),
        ("H", "JD AS", "AH AD", "JD", {"AH"}),
        ("H", "JD AS", "JC AD", "JD", {"JC", "AD"}),
        ("NT", "AD AS", "JD AC", "AD", {"JD"}),
        ("H", "JO AS", "JD AD", "JO", {"JD"}),
        ("H", "JO AS", "JH AC", "JO", {"JH"}),
        ("H", "JO AS", "JS AD", "JO", {"JS", "AD"}),
        ("H", "AH AS", "JO AD", "AH", {"JO"}),
        ("NT", "JO AS", "JD AD", "JO", {"JD", "AD"}),  # at no-trump the Joker is of no suit (rules §2)
        ("NT", "AD AS", "JO JD", "AD", {"JD"}),
        ("NT", "AD AS", "JO JH", "AD", {"JO", "JH"}),
    ],
)
def test_following_suit(strain: str, leader: str, follower: str, led: str, legal: set[str]) -> None:
    rules = WITH_JOKER if "JO" in leader + follower else WITHOUT_JOKER
    others = [card for card in rules.deck if str(card) not in f"{leader} {follower}".split()]
    widow = others.pop() if rules.joker else None
    deal = Deal(rules, [leader, follower, others[:2], others[2:]], widow)
    state = say(State.new(rules, deal=deal, dealer=3), "1", strain, led)
    assert state.turn == 1
    assert {str(action) for action in state.legal} == legal


@pytest.mark.parametrize(
    ("strain", "hands", "winner"),
    [
        ("H", "AD AS / JD AC / JC AH / JS JH", 3),  # right bower over left bower over ace
        ("H", "AD AS / JD AC / AH JC / JS JO", 3),
        ("C", "AD AS / JD AH / JC JH / AC JS", 2),
        ("NT", "AD AS / JD AH / JC JH / AC JO", 3),
        ("NT", "JO AS / JD AH / JC JH / AC AD", 0),
        ("NT", "JD AS / AD AH / JC JH / AC JS", 1),
    ],
)
def test_who_wins_a_trick(strain: str, hands: str, winner: int) -> None:
    """The first card of seat 0 is led; the others play the trump, the Joker or what they must."""
    rules = WITH_JOKER if "JO" in hands else WITHOUT_JOKER
    dealt = [parse_cards(hand) for hand in hands.split("/")]
    widow = next((card for card in rules.deck if not any(card in hand for hand in dealt)), None)
    deal = Deal(rules, [list(hand) for hand in dealt], widow)
    state = say(State.new(rules, deal=deal, dealer=3), "1", strain, str(dealt[0][0]))
    best = [Card("JO"), *(Card(rank + suit) for suit in (strain if strain != "NT" else "") for rank in "JA")]
    while state.trick:
        hand = [action for action in state.legal if any(str(action) == str(card) for card in best)]
        state = state.apply((hand or list(state.legal))[0])
    assert state.tricks[0].winner == state.turn == winner


# --- leads and auctions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "leader"), [(["H"], 0), (["H-alone", "pass", "pass"], 3), (["H-alone", "pass", "defend"], 1)]
)
def test_leads_in_hasenpfeffer(texts: list[str], leader: int) -> None:
    """Dealer 3, maker 2."""
    state = State.new(Rules.load("hasenpfeffer"), seed=7, dealer=3)
    state = close_auction(say(state, "pass", "pass", "3")).apply(texts[0])
    state = say(state, str(state.legal[0]), *texts[1:])
    assert (state.phase, state.maker, state.turn) == ("play", 2, leader)


FOUR = [(0, "pass"), (1, "pass"), (2, "pass"), (3, "2"), (0, "pass"), (1, "3"), (2, "pass"), (3, "pass"), (0, "pass")]


@pytest.mark.parametrize(
    ("rulebook", "auction", "calls", "maker", "bid"),
    [
        ("pepper-4", "re-entry", FOUR, 1, "3"),
        ("pepper-4", "final-pass", FOUR[:4], 3, "2"),
        ("pepper-4", "one-round", FOUR[:4], 3, "2"),
        ("pepper-2", "re-entry", [(0, "pass"), (1, "2"), (0, "pass")], 1, "2"),
        ("pepper-2", "final-pass", [(0, "pass"), (1, "2")], 1, "2"),
        ("pepper-3", "final-pass", [(0, "1"), (1, "pass"), (2, "2"), (0, "pass")], 2, "2"),
        ("pepper-3", "one-round", [(0, "1"), (1, "2"), (2, "pass")], 1, "2"),
    ],
)
def test_auctions(rulebook: str, auction: str, calls: list[tuple[int, str]], maker: int, bid: str) -> None:
    """The last seat deals."""
    rules = Rules.load(rulebook).replace(auction=auction)
    state = State.new(rules, seed=7, dealer=rules.players - 1)
    for seat, text in calls:
        assert (state.phase, state.turn) == ("auction", seat)
        state = state.apply(text)
    assert (state.phase, state.turn, state.maker, str(state.contract)) == ("naming", maker, maker, bid)
