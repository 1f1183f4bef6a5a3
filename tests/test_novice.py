"""What players complain of, and `novice` never does: positions, each with its reason.

Every position comes from a real deal and real actions. In the deals for four, seats 0 and 2 are partners; the last
seat deals, so that seat 0 speaks first. What can be said as a law stands in test_novice_laws.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bigpepper.bots.novice import Novice
from bigpepper.deal import Deal
from bigpepper.rules import Rules
from bigpepper.state import State

HEARTS_BY_0 = "3 pass pass pass H"
HEARTS_BY_1 = "pass 3 pass pass pass H"


def position(
    rules: Rules | str, hands: str, done: str, *, widow: str | None = None, scores: Sequence[int] | None = None
) -> State:
    """The position after the actions `done`."""
    rules = Rules.load(rules) if isinstance(rules, str) else rules
    deal = Deal(rules, hands.split("/"), widow)
    state = State.new(rules, deal=deal, dealer=rules.players - 1, scores=scores)
    for text in done.split():
        state = state.apply(text)
    return state


def chosen(state: State) -> str:
    """What the novice does."""
    assert state.turn is not None
    assert len(state.legal) > 1
    return str(Novice(1).act(state.observation(state.turn)))


# --- the play -------------------------------------------------------------------------------------------------------


def test_the_partners_ace_is_not_trumped() -> None:
    """His ace stands unless seat 3 is void, of which there is no sign; a trump would win what is won already."""
    hands = "AC JH JD QH 9S TS / 9C TC JC KS AS QD / 9H AH 9D TD QS JS / QC KC TH KH AD KD"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_0} AC 9C")) not in ("9H", "AH")


def test_the_partners_ace_is_not_trumped_by_the_maker() -> None:
    """Late in the round too: seat 1 followed the ace of diamonds, seat 3 never failed to; the last trump can wait."""
    hands = "TC JC KC JH JS QS / AC 9D 9H QH 9S AS / 9C TD JD AD TH AH / QC QD KD KH TS KS"
    done = "1 pass 2 pass 3 pass pass pass S JS 9S 9C TS JC AS TH KS JH QH AH KH AD QD"
    assert chosen(position("pepper-4", hands, done)) in ("TC", "KC")


def test_with_reason_it_trumps() -> None:
    """The same, but seat 1 has beaten the partner's nine: now a trump is well spent."""
    hands = "9C JH JD QH 9S TS / AC TC JC KS AS QD / 9H AH 9D TD QS JS / QC KC TH KH AD KD"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_0} 9C AC")) in ("9H", "AH")


def test_the_maker_leads_his_right_bower() -> None:
    """He called hearts to draw them: from the top."""
    hands = "JH KH 9H AC 9S TS / 9C TC JC KS AS QD / AH JD 9D TD QS JS / QC KC TH QH AD KD"
    assert chosen(position("pepper-4", hands, HEARTS_BY_0)) == "JH"


def test_the_maker_forces_with_his_highest_trump() -> None:
    """Without the right bower he leads the left, from four: a low one would fall to any."""
    hands = "JD AH KH 9H AC 9S / 9C TC JC KS AS QD / JH TS 9D TD QS JS / QC KC TH QH AD KD"
    assert chosen(position("pepper-4", hands, HEARTS_BY_0)) == "JD"


def test_the_left_bower_is_not_played_under_the_right() -> None:
    """The right bower wins whatever seat 1 plays; his left bower takes a later trick."""
    hands = "JH KH TH AC 9S TS / JD 9H JC KS AS QD / AH 9C 9D TD QS JS / QC KC TC QH AD KD"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_0} JH")) == "9H"


def test_the_left_bower_keeps_its_guard_when_a_card_is_thrown() -> None:
    """Seat 3 trumped with the right bower, which nothing beats."""
    hands = "JD 9H 9C TC TD 9D / KS AS TS JS QD AC / 9S QS AH KH KC QC / JH TH QH AD KD JC"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_1} KS 9S JH")) not in ("9H", "JD")


def test_the_left_bower_is_not_bared_by_a_lead() -> None:
    """Seat 2 leads next: a lead of the nine would leave the left bower alone, to fall under the right."""
    hands = "KH QH TH 9S TS AC / JH 9C TC QD KD JS / JD 9H AS KC QC 9D / AH JC QS KS AD TD"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_0} TS JS AS QS")) != "9H"


def test_a_sure_winner_is_not_thrown_away() -> None:
    """Seat 2 follows neither clubs nor trumps: his aces, and the king beside one, will win tricks of their own."""
    hands = "AC JH JD QH 9S TS / 9C TC JC KS QS QD / AD 9D AS JS TD KD / QC KC TH KH AH 9H"
    assert chosen(position("pepper-4", hands, f"{HEARTS_BY_0} AC 9C")) in ("9D", "TD", "JS")


FELLOW = "AS KS QS JS TS 9S JH JD / 9H QD KD AC KC QC JC TC / AH TH AD TD 9D KH QH 9C"
"""Three players, hearts: seat 0 is the maker, seat 1 trumps his ace of spades, seat 2 could trump higher."""


def test_a_fellow_defender_is_not_overtrumped_for_nothing() -> None:
    """Where defenders score nothing the trick is lost to the maker either way; the trumps are needed later."""
    rules = Rules.load("pepper-3").replace(defenders="none")
    assert chosen(position(rules, FELLOW, "5 pass pass H AS 9H")) in ("9C", "9D", "TD")


def test_a_sure_trump_is_not_spent_on_a_fellow_defenders_trick() -> None:
    """Even where each scores for himself: the ace of trumps is the highest one left and takes its trick later."""
    assert chosen(position("pepper-3", FELLOW, "5 pass pass H AS 9H")) != "AH"


LOST = "AC 9C JH AH KH 9S / AS KC KD AD QS TS / TC QC 9H TH JS KS / JC 9D TD JD QH JO"
"""Seat 0 bids the highest and loses the first trick; then seat 1 leads the king of clubs and all follow low."""


@pytest.mark.parametrize(
    ("rulebook", "bid", "card"), [("hasenpfeffer", "6", "9C"), ("hasenpfeffer-traditional", "big", "AC")]
)
def test_a_lost_contract_is_played_as_the_rulebook_scores_it(rulebook: str, bid: str, card: str) -> None:
    """As written a failed side pays a point a trick: the ace stays down. Where defenders score, it stops a point."""
    assert chosen(position(rulebook, LOST, f"{bid} H discard-QD 9S AS JS 9D KC TC JC", widow="QD")) == card


# --- before the play ------------------------------------------------------------------------------------------------


def test_neither_winner_nor_guard_is_discarded() -> None:
    """Of seven cards with two aces and a guarded left bower the lonely low diamond goes."""
    hands = "JD 9H AS KS AC KC / AH KH QH 9S TS JO / TH TD QD KD 9C TC / AD JS QS JC QC JH"
    assert chosen(position("hasenpfeffer", hands, "6 H", widow="9D")) == "discard-9D"


ABOUT_TO_WIN = "TC JC JD KD JH KH / 9C QC AC 9D AD TS / 9H TH AH 9S QS KS / KC TD QD QH JS AS"


def test_it_does_not_pass_when_the_opponents_are_about_to_win() -> None:
    """At nought all seat 1 may play his two, which will hardly hurt; at 28 for him it would end the game."""
    call = "pass 2 pass pass"
    assert chosen(position("pepper-4", ABOUT_TO_WIN, call)) == "pass"
    assert chosen(position("pepper-4", ABOUT_TO_WIN, call, scores=(20, 28))) == "3"


SUPPORT = "JC KC 9D KD 9H KS / AC TD JD JH QH TS / 9C TC QC AD JS QS / QD TH KH AH 9S AS"


def test_it_does_not_raise_a_contract_that_already_wins() -> None:
    """The partner's three ends the game at 27; at nought all the same hand may well raise."""
    assert chosen(position("pepper-4", SUPPORT, "3 pass")) == "4"
    assert chosen(position("pepper-4", SUPPORT, "3 pass", scores=(27, 10))) == "pass"


def test_at_29_the_lowest_bid_is_enough() -> None:
    """One trick wins the game: why promise more?"""
    hands = "TC JC JD KD JH KH / 9C QC AC 9D AD TS / 9H TH AH 9S QS KS / KC TD QD QH JS AS"
    assert chosen(position("pepper-4", hands, "", scores=(29, 10))) == "1"


@pytest.mark.parametrize("scores", [(0, 0), (15, 27), (-20, 29)])
def test_it_does_not_choose_a_hopeless_big(scores: tuple[int, int]) -> None:
    """An ace and two kings never take all six, however far behind one is."""
    hands = "KD 9H TH AH TS KS / JD AD QC KC 9C 9S / QD TD TC JC QH KH / 9D JH AC JS QS AS"
    assert chosen(position("pepper-4", hands, "pass 5 pass pass", scores=scores)) != "big"


def test_it_chooses_a_big_that_cannot_fail() -> None:
    """The six highest trumps: twelve points rather than six."""
    hands = "JH JD AH KH QH TH / 9C QC AC 9D AD TS / 9H TC JC 9S QS KS / KC TD QD KD JS AS"
    assert chosen(position("pepper-4", hands, "")) == "big"


def test_it_goes_alone_when_the_partner_is_not_needed() -> None:
    """The six highest trumps again, where going alone doubles what all tricks bring."""
    hands = "JH JD AH KH QH TH / 9C QC AC 9D AD TS / 9H TC JC 9S QS KS / KC TD QD KD JS AS"
    assert chosen(position("hasenpfeffer", hands, "6", widow="JO")) == "H-alone"


def test_it_does_not_defend_alone_without_winners() -> None:
    """A partner never does a defender harm, unless the lead sets the contract at once."""
    hands = "JH JD AH KH QH TH / 9C QC AC 9D AD TS / 9H TC JC 9S QS KS / KC TD QD KD JS AS"
    assert chosen(position("hasenpfeffer", hands, "6 H-alone discard-TH", widow="JO")) == "pass"
