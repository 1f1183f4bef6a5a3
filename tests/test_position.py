"""Positions as one line: what is written reads back; what cannot be is refused by a sentence that names the card."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import BigPepperError, Deal, Rules, State, rulebooks
from bigpepper.position import Ending, InvalidPosition, line_of, parse
from solve_deals import random_ending
from strategies import rulebook_options

RIGHT = "pepper-4 | H | maker 0 | bid 4 | leader 2 | won 2,1,0,0 | 9C JH AH / QC 9D TD / KS AS / TC AC 9S | 2:KH"


def test_an_ending_reads_back() -> None:
    assert str(parse(RIGHT)) == RIGHT
    assert repr(parse(RIGHT)) == f"<Ending {RIGHT}>"
    assert parse(RIGHT) == Ending.parse(RIGHT)
    assert hash(parse(RIGHT)) == hash(Ending.parse(RIGHT))


@pytest.mark.parametrize("name", rulebooks())
def test_rounds_and_endings_of_every_rulebook_read_back(name: str) -> None:
    rules, rng = Rules.load(name), Random(name)
    for _ in range(15):
        state = random_ending(rules, rng, rng.randrange(1, rules.cards + 1))
        assert parse(line_of(state)) == state
        ending = Ending.of(state)
        again = parse(str(ending))
        assert again == ending
        assert isinstance(again, Ending)
        mine, theirs = again.record, state.record
        for field in ("turn", "leader", "led", "best", "winner", "trick", "won", "left", "playing", "strain", "bid"):
            assert getattr(mine, field) == getattr(theirs, field), field
        assert [mine.hands[seat] for seat in state.playing] == [theirs.hands[seat] for seat in state.playing]


@pytest.mark.parametrize("name", rulebooks())
def test_a_round_that_ended_by_a_claim_reads_back(name: str) -> None:
    rules, rng = Rules.load(name), Random(name)
    for _ in range(10):
        state = random_ending(rules, rng, rules.cards)
        claimant = rng.choice(state.playing)
        state = state.claim(claimant, state.tricks_left)
        assert state.is_over
        assert parse(line_of(state)) == state


def test_a_claim_that_cannot_be_is_refused() -> None:
    state = random_ending(Rules.load("pepper-4"), Random(1), 3)
    line = line_of(state)
    for claim in (
        "0:claim-9-0-0-0",
        "0:claim-1-0-0",
        "9:claim-3-0-0-0",
        "0:claim-x-0-0-0",
        "claim-3-0-0-0",
        "0:claim-",
    ):
        with pytest.raises(BigPepperError):
            parse(f"{line} {claim}")


@settings(max_examples=40)
@given(rulebook_options(), st.integers(0, 2**40))
def test_positions_under_house_rules_read_back(options: dict[str, object], seed: int) -> None:
    rules = Rules.from_options(options)
    state = random_ending(rules, Random(seed), rules.cards)
    assert parse(line_of(state), rules) == state
    assert str(parse(str(Ending.of(state)), rules)) == str(Ending.of(state))


def test_a_round_may_leave_out_the_scores_and_the_history() -> None:
    rules = Rules.load("pepper-4")
    deal = Deal.random(rules, 1)
    assert parse(f"pepper-4 | dealer 2 | {deal}") == State.new(rules, deal=deal, dealer=2)
    assert parse(f"pepper-4 | dealer 2 | scores 3,4 | {deal}") == State.new(rules, deal=deal, dealer=2, scores=(3, 4))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (RIGHT.replace("KS AS", "TS KS AS"), "Seat 2 has 3 cards and should have 2"),
        (RIGHT.replace("TD", "9D"), "9D is there twice"),
        (RIGHT.replace("2:KH", "2:AH"), "AH is there twice"),
        (RIGHT.replace("TD", "JO"), "JO is not in the deck of pepper-4"),
        (RIGHT.replace("TD", "XX"), "“XX” is no card"),
        (RIGHT.replace("AH / ", "/ ", 1), "Seat 0 has 2 cards and should have 3"),
        (RIGHT.replace("2:KH", "2:KH 3:AC 0:9C").replace("TC AC", "TC").replace("9C ", ""), "Seat 0 could not play 9C"),
        (RIGHT.replace("won 2,1,0,0", "won 2,2,0,0"), "“won 2, 2, 0, 0” cannot be"),
        (RIGHT.replace(" | won 2,1,0,0", ""), "3 tricks have been taken"),
        (RIGHT.replace("maker 0", "maker 7"), "no seat 7"),
        (RIGHT.replace("maker 0", "maker x"), "“maker x” should be"),
        (RIGHT.replace("maker 0 | ", ""), "lacks “maker"),
        (RIGHT.replace("| H |", "|"), "lacks the strain"),
        (RIGHT.replace("| H |", "| pass |"), "“pass” is no strain"),
        (RIGHT.replace("bid 4", "bid H"), "“H” is no bid"),
        (RIGHT.replace("TC AC 9S", ""), "Seat 3 has 0 cards"),
        (RIGHT.replace(" / TC AC 9S", ""), "There are 3 hands"),
        (RIGHT.replace("leader 2", "leader 2 | defend 1"), "Seat 1 cannot defend alone"),
        (RIGHT.replace("pepper-4", "pepper-5"), "no rulebook “pepper-5”"),
    ],
)
def test_what_cannot_be_is_refused_by_name(text: str, sentence: str) -> None:
    with pytest.raises(BigPepperError) as refused:
        parse(text)
    assert sentence in str(refused.value)


def test_a_history_that_cannot_be_is_refused() -> None:
    deal = Deal.random(Rules.load("pepper-4"), 1)
    with pytest.raises(InvalidPosition, match="“2:4” cannot be: it is seat 0's turn"):
        parse(f"pepper-4 | dealer 3 | {deal} | 2:4")
    with pytest.raises(InvalidPosition, match="come the deal"):
        parse("pepper-4 | dealer 3")
    with pytest.raises(BigPepperError, match="dealt twice"):
        parse("pepper-4 | dealer 3 | " + str(deal).replace(str(deal.hands[0][0]), str(deal.hands[1][0])))


def test_only_a_round_in_play_has_an_ending() -> None:
    with pytest.raises(InvalidPosition, match="auction"):
        Ending.of(State.new(Rules.load("pepper-4"), seed=1))


def test_a_lone_maker_and_a_lone_defender() -> None:
    text = "hasenpfeffer | H-alone | maker 0 | bid 4 | defend 3 | leader 3 | won 2,0,0,2 | JH JO / - / - / 9C AC"
    ending = parse(text)
    assert str(ending) == text
    assert ending.record.playing == 0b1001
    with pytest.raises(InvalidPosition, match="Seat 1 takes no part"):
        parse(text.replace("leader 3", "leader 1"))
    with pytest.raises(InvalidPosition, match="Seat 1 has 1 card and should have 0"):
        parse(text.replace("- /", "KC /", 1))
