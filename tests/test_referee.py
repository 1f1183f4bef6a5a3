"""The referee checked against the vectors of rules §7, by hand-made deals played through auction and tricks.

Most rounds are played by one simple habit, `play_out`: the leader plays the first card of his hand, the others the last
one they may. The hands below are written in that order, so that each can be followed on paper.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Options, Referee, best_card, deck, playable, side_of, suit_of, winners
from strategies import CHOICES, SHIPPED, Broken, broken_options, deals, rulebook_options


def deal(*hands: str) -> list[list[str]]:
    """Hands from texts with a blank between cards."""
    return [hand.split() for hand in hands]


def apply_all(referee: Referee, *texts: str) -> Referee:
    for text in texts:
        referee.apply(text)
    return referee


def pass_until_closed(referee: Referee) -> Referee:
    while referee.phase == "auction":
        referee.apply("pass")
    return referee


def play_out(referee: Referee) -> Referee:
    """The leader plays his first card, everybody else the last card he may play."""
    while not referee.over:
        assert referee.turn is not None
        may = [card for card in referee.hands[referee.turn] if card in referee.legal()]
        referee.apply(may[-1] if referee.trick else may[0])
    return referee


CLUBS_FOR_SEAT_0 = {
    6: deal("JC JS AC KC QC TC", "AD KD QD JD TD 9C", "AH KH QH JH TH 9H", "AS KS QS TS 9S 9D"),
    5: deal("JC JS AC KC QC 9D", "AD KD QD JD TD 9C", "AH KH QH JH TH 9H", "TC AS KS QS TS 9S"),
    4: deal("JC JS AC KC 9D 9H", "AD KD QD JD TD 9C", "AH KH QH JH TH 9S", "QC TC AS KS QS TS"),
    3: deal("JC JS AC 9D 9H 9S", "AD KD QD JD TD 9C", "AH KH QH JH TH TS", "KC QC TC AS KS QS"),
    0: deal("9D TD 9H TH 9S TS", "AD KD QD JD TC 9C", "AH KH QH JH AS KS", "JC JS AC KC QC QS"),
}
"""24 cards, clubs trump: seat 0 and his partner win as many tricks as the key says, seat 1 being strong in diamonds."""


def rounds_of_4(rulebook: str, bid: str, won: int, alone: bool = False) -> Referee:
    """Seat 0, at the dealer's left, bids and makes clubs trump; a Joker lies in the widow and is discarded."""
    options = SHIPPED[rulebook]
    referee = Referee(options, CLUBS_FOR_SEAT_0[won], dealer=3, widow="JO" if options["joker"] else None)
    pass_until_closed(apply_all(referee, bid))
    referee.apply("C-alone" if alone else "C")
    if options["joker"]:
        referee.apply("discard-JO")
    if alone:
        apply_all(referee, "pass", "pass")
    play_out(referee)
    assert referee.tricks_won[0] + referee.tricks_won[2] == won
    return referee


# --- §7: points of a round ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "won", "points"),
    [
        ("4", 4, [4, 2]),
        ("4", 6, [6, 0]),
        ("4", 3, [-6, 3]),
        ("1", 0, [-6, 6]),
        ("small", 5, [-6, 1]),
        ("small", 6, [6, 0]),
        ("big", 6, [12, 0]),
        ("big", 5, [-12, 1]),
        ("big", 0, [-12, 6]),
    ],
)
def test_pepper_4(bid: str, won: int, points: list[int]) -> None:
    referee = rounds_of_4("pepper-4", bid, won)
    assert (referee.maker, referee.bid, referee.strain) == (0, bid, "C")
    assert referee.points == points


CLUBS_FOR_THREE = {
    (5, 2, 1): deal("JC JS AC KC QC 9D 9S TS", "AD KD 9H QD JD TD TC 9C", "AH KH QH JH TH AS KS QS"),
    (4, 4, 0): deal("JC JS AC KC 9D TD 9H 9S", "AD KD QD JD TS QC TC 9C", "AH KH QH JH TH AS KS QS"),
    (8, 0, 0): deal("JC JS AC KC QC TC 9C AD", "KD QD JD TD 9D 9H 9S TS", "AH KH QH JH TH AS KS QS"),
    (7, 1, 0): deal("JC JS AC KC QC TC 9C 9D", "AD KD QD JD TD 9H 9S TS", "AH KH QH JH TH AS KS QS"),
}


@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [
        ("5", (5, 2, 1), [5, 2, 1]),
        ("5", (4, 4, 0), [-8, 4, 0]),
        ("small", (8, 0, 0), [8, 0, 0]),
        ("big", (8, 0, 0), [16, 0, 0]),
        ("big", (7, 1, 0), [-16, 1, 0]),
    ],
)
def test_pepper_3(bid: str, tricks: tuple[int, int, int], points: list[int]) -> None:
    referee = Referee(SHIPPED["pepper-3"], CLUBS_FOR_THREE[tricks], dealer=2)
    pass_until_closed(apply_all(referee, bid))
    play_out(apply_all(referee, "C"))
    assert referee.tricks_won == list(tricks)
    assert referee.points == points


@pytest.mark.parametrize(
    ("rulebook", "bid", "won", "points"),
    [
        ("hasenpfeffer", "4", 5, [5, 0]),
        ("hasenpfeffer-peppers", "4", 5, [5, 0]),
        ("hasenpfeffer-traditional", "4", 5, [5, 1]),
        ("hasenpfeffer", "4", 3, [-3, 0]),
        ("hasenpfeffer-peppers", "4", 3, [-3, 0]),
        ("hasenpfeffer-traditional", "4", 3, [-4, 3]),
        ("hasenpfeffer", "6", 0, [0, 0]),
        ("hasenpfeffer-peppers", "small", 0, [0, 0]),
        ("hasenpfeffer-traditional", "small", 0, [-6, 6]),
        ("hasenpfeffer-peppers", "big", 5, [-10, 0]),
        ("hasenpfeffer-traditional", "big", 5, [-12, 1]),
        ("hasenpfeffer-peppers", "big", 6, [12, 0]),
        ("hasenpfeffer-traditional", "big", 6, [12, 0]),
    ],
)
def test_hasenpfeffer(rulebook: str, bid: str, won: int, points: list[int]) -> None:
    referee = rounds_of_4(rulebook, bid, won)
    assert referee.discarded == "JO"
    assert referee.points == points


@pytest.mark.parametrize(
    ("rulebook", "bid", "won", "makers"),
    [
        ("hasenpfeffer", "4", 6, 12),
        ("hasenpfeffer", "4", 5, 5),
        ("hasenpfeffer", "4", 3, -3),
        ("hasenpfeffer-peppers", "4", 3, -3),
        ("hasenpfeffer-traditional", "4", 6, 12),
        ("hasenpfeffer-traditional", "4", 5, 5),
        ("hasenpfeffer-traditional", "4", 3, -4),
        ("hasenpfeffer-peppers", "big", 6, 24),
        ("hasenpfeffer-traditional", "big", 6, 24),
    ],
)
def test_alone(rulebook: str, bid: str, won: int, makers: int) -> None:
    referee = rounds_of_4(rulebook, bid, won, alone=True)
    assert (referee.lone, referee.lone_defender) == (0, None)
    assert len(referee.hands[2]) == 6, "the partner's cards stay face down"
    assert referee.points is not None
    assert referee.points[0] == makers


# --- §7: endings at 30 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "finish", "won_by"),
    [
        ([26, 28], "highest", {0, 1}),
        ([28, 29], "highest", {0}),
        ([26, 27], "highest", {0}),
        ([24, 29], "highest", {1}),
        ([26, 29], "highest", {1}),
        ([26, 29], "makers-first", {0}),
        ([25, 29], "makers-first", {1}),
        ([20, 20], "highest", set()),
    ],
)
def test_ending_after_four_and_two(before: list[int], finish: str, won_by: set[int]) -> None:
    referee = rounds_of_4("pepper-4", "4", 4)
    assert referee.points == [4, 2]
    after = [score + points for score, points in zip(before, referee.points, strict=True)]
    assert winners(SHIPPED["pepper-4"] | {"finish": finish}, after, 0, 7) == won_by


@pytest.mark.parametrize(
    ("before", "won_by"), [([20, 28, 29], {1, 2}), ([20, 10, 29], {2}), ([25, 29, 29], {1}), ([26, 28, 29], {0})]
)
def test_defender_at_29_takes_a_trick(before: list[int], won_by: set[int]) -> None:
    """Tricks 5-2-1: seat 2 arrives at 30 with one trick and wins unless another ends higher, jointly if equal."""
    referee = play_out(
        apply_all(Referee(SHIPPED["pepper-3"], CLUBS_FOR_THREE[5, 2, 1], 2), "5", "pass", "pass", "C"),
    )
    assert referee.points is not None
    after = [score + points for score, points in zip(before, referee.points, strict=True)]
    assert winners(SHIPPED["pepper-3"], after, 0, 9) == won_by


def test_round_limit() -> None:
    options = SHIPPED["pepper-3"] | {"round_limit": 200}
    assert winners(options, [3, -8, 3], None, 199) == set()
    assert winners(options, [3, -8, 3], None, 200) == {0, 2}
    assert winners(options, [3, -8, 31], 2, 200) == {2}
    assert winners(options | {"finish": "makers-first"}, [30, 31, 31], 0, 200) == {0}


# --- §7: bowers, Joker, following suit ------------------------------------------------------------

JACKS_AND_ACES: Options = SHIPPED["pepper-4"] | {
    "cards": 2,
    "ranks": ["J", "A"],
    "ladder": [{"name": "1", "tricks": 1, "made": "tricks-won", "failed": 2}],
}
"""Eight cards for four hands of two: every position can be shown."""
WITH_JOKER: Options = JACKS_AND_ACES | {"joker": True, "widow": "dead"}


@pytest.mark.parametrize(
    ("strain", "first", "second", "led", "legal"),
    [
        ("H", "AD AS", "JD AC", "AD", {"JD", "AC"}),
        ("H", "AH AS", "JD AD", "AH", {"JD"}),
        ("H", "JD AS", "AH AD", "JD", {"AH"}),
        ("H", "JD AS", "JC AD", "JD", {"JC", "AD"}),
        ("NT", "AD AS", "JD AC", "AD", {"JD"}),
        ("NT", "AH AS", "JD AC", "AH", {"JD", "AC"}),
    ],
)
def test_following_suit(strain: str, first: str, second: str, led: str, legal: set[str]) -> None:
    others = [card for card in deck(JACKS_AND_ACES) if card not in (first + " " + second).split()]
    referee = Referee(JACKS_AND_ACES, [first.split(), second.split(), others[:2], others[2:]], dealer=3)
    apply_all(referee, "1", strain, led)
    assert (referee.turn, referee.legal()) == (1, legal)


@pytest.mark.parametrize(
    ("strain", "first", "second", "led", "legal"),
    [
        ("H", "JO AS", "JD AD", "JO", {"JD"}),
        ("H", "JO AS", "JS AD", "JO", {"JS", "AD"}),
        ("H", "AH AS", "JO AD", "AH", {"JO"}),
        ("H", "AD AS", "JO JH", "AD", {"JO", "JH"}),
        ("NT", "JO AS", "JD AD", "JO", {"JD", "AD"}),
        ("NT", "AD AS", "JO JD", "AD", {"JD"}),
        ("NT", "AD AS", "JO JH", "AD", {"JO", "JH"}),
    ],
)
def test_following_the_joker(strain: str, first: str, second: str, led: str, legal: set[str]) -> None:
    others = [card for card in deck(WITH_JOKER) if card not in (first + " " + second).split()]
    referee = Referee(WITH_JOKER, [first.split(), second.split(), others[:2], others[2:4]], dealer=3, widow=others[4])
    apply_all(referee, "1", strain, led)
    assert (referee.turn, referee.legal()) == (1, legal)
    assert referee.strain == strain


@pytest.mark.parametrize(
    ("strain", "trick", "best"),
    [
        ("H", "AD JH JD JO", "JO"),
        ("H", "AH JD JH KH", "JH"),
        ("H", "AH JD KH 9H", "JD"),
        ("H", "9D TD AS JS", "TD"),
        ("H", "9D AD 9H AC", "9H"),
        ("NT", "JD JO AD KD", "JO"),
        ("NT", "JO JH AH AS", "JO"),
        ("NT", "9C AH TC JC", "JC"),
        ("S", "KC JC QC AC", "JC"),
    ],
)
def test_best_card(strain: str, trick: str, best: str) -> None:
    assert best_card(trick.split(), strain) == best


def test_no_left_bower_without_its_suit() -> None:
    """Clubs, diamonds and hearts only: clubs have no left bower, diamonds and hearts have theirs (rules §6)."""
    options = JACKS_AND_ACES | {"players": 3, "suits": ["C", "D", "H"], "strains": ["C", "D", "H"]}
    referee = Referee(options, deal("JC AD", "AC JD", "JH AH"), dealer=2)
    apply_all(referee, "1", "C", "AD")
    assert referee.legal() == {"JD"}
    assert {card for card in deck(options) if suit_of(card, "C") == "C"} == {"JC", "AC"}
    assert {card for card in deck(options) if suit_of(card, "D") == "D"} == {"JD", "JH", "AD"}


def test_no_bowers_without_jacks() -> None:
    options = JACKS_AND_ACES | {"ranks": ["Q", "A"]}
    referee = Referee(options, deal("QH AH", "QD AD", "QC AC", "QS AS"), dealer=3)
    play_out(apply_all(referee, "1", "S"))
    assert referee.tricks_won == [0, 0, 0, 2]
    assert playable(["QD", "AH"], ["QH"], "H") == {"AH"}


# --- §4 and §7: leads -----------------------------------------------------------------------------


def maker_2(rulebook: str) -> Referee:
    """Dealer 3, maker 2; the Joker is the widow and goes into the discard."""
    widow = "JO" if SHIPPED[rulebook]["joker"] else None
    referee = Referee(SHIPPED[rulebook], CLUBS_FOR_SEAT_0[4], dealer=3, widow=widow)
    return apply_all(referee, "pass", "pass", "2", "pass", "pass", "pass")


def test_leads_in_hasenpfeffer() -> None:
    assert apply_all(maker_2("hasenpfeffer"), "H", "discard-JO").turn == 0
    assert apply_all(maker_2("hasenpfeffer"), "H-alone", "discard-JO", "pass", "pass").turn == 3
    referee = apply_all(maker_2("hasenpfeffer"), "H-alone", "discard-JO", "pass", "defend")
    assert (referee.turn, referee.lone_defender, referee.playing()) == (1, 1, [1, 2])
    apply_all(referee, "AD")
    assert referee.turn == 2


def test_leads_in_pepper() -> None:
    assert apply_all(maker_2("pepper-4"), "H").turn == 2


def test_steps_before_the_lead() -> None:
    referee = maker_2("hasenpfeffer")
    assert (referee.phase, referee.turn, len(referee.hands[2])) == ("naming", 2, 7)
    assert referee.legal() == {"C", "D", "H", "S", "C-alone", "D-alone", "H-alone", "S-alone"}
    referee.apply("H-alone")
    assert (referee.phase, referee.turn) == ("discard", 2)
    assert referee.legal() == {f"discard-{card}" for card in ["AH", "KH", "QH", "JH", "TH", "9S", "JO"]}
    referee.apply("discard-9S")
    assert (referee.phase, referee.turn, referee.discarded) == ("defence", 3, "9S")
    referee.apply("defend")
    assert (referee.phase, referee.turn, referee.lone_defender) == ("play", 3, 3)
    assert referee.playing() == [2, 3]
    assert len(play_out(referee).hands[1]) == 6


def test_only_makers_alone() -> None:
    options = SHIPPED["hasenpfeffer"] | {"alone": "makers"}
    referee = Referee(options, CLUBS_FOR_SEAT_0[6], dealer=3, widow="JO")
    pass_until_closed(apply_all(referee, "4"))
    assert apply_all(referee, "C-alone", "discard-JO").phase == "play"
    assert referee.turn == 1


def test_lone_defender_changes_no_points() -> None:
    """Seat 1 alone against seat 0 alone, who wins all tricks but the first."""
    referee = Referee(SHIPPED["hasenpfeffer-traditional"], CLUBS_FOR_SEAT_0[5], dealer=3, widow="JO")
    pass_until_closed(apply_all(referee, "5"))
    play_out(apply_all(referee, "C-alone", "discard-JO", "defend"))
    assert referee.tricks_won == [5, 1, 0, 0]
    assert referee.points == [5, 1]


def test_dead_widow_is_nobodys() -> None:
    options = SHIPPED["hasenpfeffer"] | {"widow": "dead"}
    referee = Referee(options, CLUBS_FOR_SEAT_0[6], dealer=3, widow="JO")
    pass_until_closed(apply_all(referee, "4"))
    assert apply_all(referee, "C").phase == "play"
    assert (len(referee.hands[0]), referee.discarded) == (6, None)


# --- §3 and §7: auctions --------------------------------------------------------------------------

PASS_AND_BID = [
    (0, "pass"),
    (1, "pass"),
    (2, "pass"),
    (3, "2"),
    (0, "pass"),
    (1, "3"),
    (2, "pass"),
    (3, "pass"),
    (0, "pass"),
]
OF_TWO = {
    "players": 2,
    "dead_hand": False,
    "cards": 4,
    "suits": ["C", "D"],
    "ranks": ["9", "T", "J", "Q"],
    "strains": ["C"],
}
OF_THREE = {"players": 3, "cards": 4, "suits": ["C", "D"], "strains": ["C"]}


@pytest.mark.parametrize(
    ("changes", "dealer", "calls", "maker"),
    [
        ({"auction": "re-entry"}, 3, PASS_AND_BID, 1),
        ({"auction": "final-pass"}, 3, PASS_AND_BID[:4], 3),
        ({"auction": "one-round"}, 3, PASS_AND_BID[:4], 3),
        (OF_TWO | {"auction": "re-entry"}, 1, [(0, "pass"), (1, "2"), (0, "3"), (1, "pass")], 0),
        (OF_TWO | {"auction": "final-pass"}, 1, [(0, "pass"), (1, "2")], 1),
        (OF_THREE | {"auction": "final-pass"}, 2, [(0, "1"), (1, "pass"), (2, "2"), (0, "pass")], 2),
        (OF_THREE | {"auction": "one-round"}, 2, [(0, "1"), (1, "2"), (2, "pass")], 1),
        ({"auction": "re-entry"}, 1, [(2, "1"), (3, "big")], 3),
        (
            {"auction": "re-entry"},
            0,
            [(1, "1"), (2, "pass"), (3, "4"), (0, "pass"), (1, "5"), *[(2, "pass"), (3, "pass")], (0, "pass")],
            1,
        ),
        ({"auction": "final-pass"}, 0, [(1, "pass"), (2, "1"), (3, "2"), (0, "pass"), (2, "pass")], 3),
        ({"auction": "final-pass"}, 0, [(1, "pass"), (2, "pass"), (3, "pass"), (0, "1")], 0),
        (
            {"all_pass": "stick-dealer"},
            3,
            [(0, "pass"), (1, "pass"), (2, "pass"), (3, "1"), (0, "2"), (1, "pass"), (2, "pass"), (3, "pass")],
            0,
        ),
    ],
)
def test_auction(changes: Options, dealer: int, calls: list[tuple[int, str]], maker: int) -> None:
    options = SHIPPED["pepper-4"] | changes
    size, cards = options["cards"], deck(options)
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(options["players"])]
    referee = Referee(options, hands, dealer)
    for seat, call in calls:
        assert (referee.phase, referee.turn) == ("auction", seat)
        referee.apply(call)
    assert (referee.phase, referee.turn, referee.maker) == ("naming", maker, maker)


def test_bids_rise_and_start_at_the_minimum() -> None:
    referee = Referee(SHIPPED["bid-euchre"], CLUBS_FOR_SEAT_0[6], dealer=3)
    assert referee.legal() == {"pass", "3", "4", "5", "small", "big"}
    assert apply_all(referee, "5").legal() == {"pass", "small", "big"}
    with pytest.raises(ValueError, match="'4' is not legal for seat 1"):
        referee.apply("4")


@pytest.mark.parametrize(("rule", "dealer"), [("throw-in", 2), ("same-dealer", 1)])
@pytest.mark.parametrize("auction", CHOICES["auction"])
def test_all_pass(auction: str, rule: str, dealer: int) -> None:
    options = SHIPPED["pepper-4"] | {"auction": auction, "all_pass": rule}
    referee = apply_all(Referee(options, CLUBS_FOR_SEAT_0[6], dealer=1), *["pass"] * 4)
    assert (referee.over, referee.thrown_in, referee.points, referee.turn) == (True, True, [0, 0], None)
    assert referee.next_dealer() == dealer


@pytest.mark.parametrize("auction", CHOICES["auction"])
def test_stick_dealer(auction: str) -> None:
    options = SHIPPED["pepper-4"] | {"auction": auction, "all_pass": "stick-dealer"}
    referee = apply_all(Referee(options, CLUBS_FOR_SEAT_0[6], dealer=2), *["pass"] * 3)
    assert (referee.turn, referee.legal()) == (2, {"1", "2", "3", "4", "5", "small", "big"})
    assert "pass" in apply_all(Referee(options, CLUBS_FOR_SEAT_0[6], dealer=2), "1", "pass", "pass").legal()


@pytest.mark.parametrize("auction", CHOICES["auction"])
@pytest.mark.parametrize(("minimum", "bid"), [("1", "3"), ("3", "3"), ("5", "5"), ("big", "big")])
def test_joker_bids_three(auction: str, minimum: str, bid: str) -> None:
    options = SHIPPED["hasenpfeffer-traditional"] | {"auction": auction, "minimum_bid": minimum}
    hands = deal("JC JS AC KC QC TC", "AD KD QD JD TD 9C", "AH KH QH JH TH 9H", "AS KS QS TS 9S JO")
    referee = apply_all(Referee(options, hands, dealer=0, widow="9D"), *["pass"] * 4)
    assert (referee.turn, referee.legal()) == (3, {bid})
    referee.apply(bid)
    assert (referee.phase, referee.turn, referee.maker, referee.bid) == ("naming", 3, 3, bid)


def test_joker_in_the_widow_is_thrown_in() -> None:
    referee = Referee(SHIPPED["hasenpfeffer-traditional"], CLUBS_FOR_SEAT_0[6], dealer=3, widow="JO")
    assert apply_all(referee, *["pass"] * 4).thrown_in
    assert referee.next_dealer() == 0


# --- claims ---------------------------------------------------------------------------------------


def test_claim_with_partners() -> None:
    options = SHIPPED["hasenpfeffer-traditional"]
    referee = Referee(options, CLUBS_FOR_SEAT_0[5], dealer=3, widow="JO")
    pass_until_closed(apply_all(referee, "4"))
    apply_all(referee, "C-alone", "discard-JO", "pass", "pass", "AD")
    referee.claim(1, 2)
    assert (referee.over, referee.tricks_won, referee.points) == (True, [4, 2, 0, 0], [4, 2])


@pytest.mark.parametrize(
    ("seat", "n", "split", "tricks"), [(0, 7, None, [8, 0, 0]), (1, 7, None, [1, 7, 0]), (0, 0, [0, 3, 4], [1, 3, 4])]
)
def test_claim_of_three(seat: int, n: int, split: list[int] | None, tricks: list[int]) -> None:
    referee = Referee(SHIPPED["pepper-3"], CLUBS_FOR_THREE[7, 1, 0], dealer=2)
    apply_all(referee, "1", "pass", "pass", "C", "JC", "9H", "QS")
    referee.claim(seat, n, split)
    assert referee.tricks_won == tricks


@pytest.mark.parametrize(
    ("seat", "n", "split"), [(0, 8, None), (0, 3, None), (0, 0, None), (0, 0, [1, 6, 0]), (0, 0, [0, 3, 3])]
)
def test_claim_refused(seat: int, n: int, split: list[int] | None) -> None:
    referee = Referee(SHIPPED["pepper-3"], CLUBS_FOR_THREE[7, 1, 0], dealer=2)
    apply_all(referee, "1", "pass", "pass", "C", "JC", "9H", "QS")
    with pytest.raises(ValueError, match=r"claim|split"):
        referee.claim(seat, n, split)
    assert not referee.over


# --- laws that hold under every rulebook ----------------------------------------------------------


def play_at_random(data: st.DataObject, options: Options) -> tuple[Referee, list[tuple[int | None, str]]]:
    hands, widow, dealer = data.draw(deals(options))
    referee, history = Referee(options, hands, dealer, widow), []
    while not referee.over:
        text = data.draw(st.sampled_from(sorted(referee.legal())))
        history.append((referee.turn, text))
        referee.apply(text)
    return referee, history


@given(data=st.data())
def test_any_round_ends_with_all_tricks_and_points_shared(data: st.DataObject) -> None:
    options = data.draw(rulebook_options())
    referee, history = play_at_random(data, options)
    assert (referee.turn, referee.legal()) == (None, set())
    assert referee.points is not None
    assert len(referee.points) == (2 if options["players"] in {2, 4} else 3)
    assert sum(referee.tricks_won) == (0 if referee.thrown_in else options["cards"])
    for seat in range(options["players"]):
        plays = [text for turn, text in history if turn == seat and text in deck(options)]
        resting = not referee.thrown_in and seat not in referee.playing()
        assert len(plays) == (0 if resting or referee.thrown_in else options["cards"])


@given(data=st.data())
def test_defenders_never_lose_points(data: st.DataObject) -> None:
    options = data.draw(rulebook_options())
    referee, _ = play_at_random(data, options)
    assert referee.points is not None
    makers = None if referee.maker is None else side_of(referee.maker, options["players"])
    others = [points for side, points in enumerate(referee.points) if side != makers]
    assert min(others) >= 0
    assert sum(others) <= (options["cards"] if options["defenders"] == "per-trick" else 0)


@given(broken=broken_options())
def test_a_broken_rulebook_names_a_key_of_its_own(broken: Broken) -> None:
    options, key = broken
    assert key in options


@given(options=rulebook_options())
def test_a_rulebook_has_every_key(options: dict[str, Any]) -> None:
    assert [bid for bid in options["ladder"] if bid["name"].upper() in {*deck(options), "C", "NT", "PASS"}] == []
    assert set(options) | {"round_limit"} == set(SHIPPED["pepper-4"]) | {"round_limit"}
    hands = options["players"] + options["dead_hand"]
    assert hands * options["cards"] == len(options["suits"]) * len(options["ranks"])
