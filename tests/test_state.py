"""State: immutable, checked; claims, tricks and history."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bigpepper as bp
from bigpepper import (
    Bid,
    Card,
    Claim,
    Deal,
    Discard,
    IllegalAction,
    InvalidAction,
    InvalidClaim,
    InvalidGame,
    Name,
    Pass,
    Phase,
    Play,
    Rules,
    State,
    Strain,
    Trick,
    Turn,
    rulebooks,
)
from bigpepper.conformance import random_round, replayed
from strategies import rulebook_options

PEPPER = Rules.load("pepper-4")
DEAL = Deal(PEPPER, ["JC JS AC KC 9D 9H", "AD KD QD JD TD 9C", "AH KH QH JH TH 9S", "QC TC AS KS QS TS"])
"""Seats 0 and 2 win four tricks at clubs when everybody leads his first card and follows with his last."""


def after(state: State, *actions: str) -> State:
    for action in actions:
        state = state.apply(action)
    return state


def in_play(name: str, number: int = 0) -> State:
    """Some position in which a trick is being played."""
    for position in random_round(Rules.load(name), f"play-{number}"):
        if position.state.trick and position.state.tricks_left < position.state.rules.cards:
            return position.state
    return in_play(name, number + 1)


# --- a round from end to end ------------------------------------------------------------------------------------------


def test_a_round_as_it_is_told() -> None:
    state = State.new(PEPPER, deal=DEAL, dealer=3, scores=(10, -4))
    assert (state.phase, state.turn, state.contract, state.maker, state.strain) == (Phase.AUCTION, 0, None, None, None)
    assert (state.scores, state.points, state.trick, state.tricks, state.history) == ((10, -4), None, None, (), ())
    state = after(state, "4", "pass", "pass", "pass")
    assert (state.phase, state.turn, state.contract, state.maker) == (Phase.NAMING, 0, Bid("4"), 0)
    assert state.legal == tuple(Name(strain) for strain in Strain)
    state = after(state, "C", "JS", "9C")
    assert (state.phase, state.turn, state.strain) == (Phase.PLAY, 2, Strain.CLUBS)
    assert state.trick == Trick(((0, Card("JS")), (1, Card("9C"))), None)
    assert (state.trick.leader, state.tricks_left, state.hand(0)) == (
        0,
        6,
        tuple(map(Card, ("JC", "KC", "AC", "9D", "9H"))),
    )
    state = after(state, "9S", "TC")
    assert state.tricks == (Trick(((0, Card("JS")), (1, Card("9C")), (2, Card("9S")), (3, Card("TC"))), 0),)
    assert (state.trick, state.turn, state.tricks_won, state.tricks_left) == (None, 0, (1, 0, 0, 0), 5)
    assert str(state) == "0:4 1:pass 2:pass 3:pass 0:C 0:JS 1:9C 2:9S 3:TC"
    state = after(state, "JC", "TD", "TH", "QC", "AC", "JD", "JH", "TS", "KC", "QD", "QH", "QS")
    assert state.tricks_won == (4, 0, 0, 0)
    state = after(state, "9D", "AD", "KH", "KS", "KD", "AH", "AS", "9H")
    assert (state.phase, state.turn, state.legal, state.is_over) == (Phase.OVER, None, (), True)
    assert (state.points, state.points_of(2), state.points_of(3), state.thrown_in) == ((4, 2), 4, 2, False)
    assert state.tricks[-1] == Trick(((1, Card("KD")), (2, Card("AH")), (3, Card("AS")), (0, Card("9H"))), 1)
    assert (state.deal, state.dealer, state.scores) == (DEAL, 3, (10, -4))


def test_a_thrown_in_round() -> None:
    state = after(State.new(PEPPER, seed=1), "pass", "pass", "pass", "pass")
    assert (state.thrown_in, state.is_over, state.points, state.tricks_left) == (True, True, (0, 0), 6)
    assert state.history == tuple(Turn(seat, Pass()) for seat in (1, 2, 3, 0))


@settings(max_examples=40)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_tricks_and_history_fit_together(options: dict[str, Any], seed: int) -> None:
    rules = Rules.from_options(options)
    for position in random_round(rules, str(seed), dealer=seed % rules.players):
        state = position.state
        plays = [(turn.seat, turn.action.card) for turn in state.history if isinstance(turn.action, Play)]
        shown = [play for trick in state.tricks for play in trick.cards] + list(
            state.trick.cards if state.trick else ()
        )
        assert shown == plays
        assert all(len(trick.cards) == len(state.playing) for trick in state.tricks)
        winners = [trick.winner for trick in state.tricks]
        leaders = [trick.leader for trick in state.tricks]
        assert all(trick.winner in [seat for seat, _ in trick.cards] for trick in state.tricks)
        assert leaders[1:] == winners[: max(0, len(winners) - 1)]
        if state.trick:
            assert state.trick.winner is None
            assert state.trick.leader == (winners[-1] if winners else state.trick.leader)
        elif state.phase == "play" and winners:
            assert state.turn == winners[-1]


# --- immutable --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_states_never_change(name: str) -> None:
    positions = list(random_round(Rules.load(name), "frozen"))
    records = [position.state.record for position in positions]
    for position in positions:
        state = position.state
        told = (repr(state), str(state), hash(state), state.legal, state.history, state.deal)
        for public in [public for public in dir(state) if not public.startswith("_")]:
            with pytest.raises(AttributeError):
                setattr(state, public, None)
        record = state.record
        record.length, record.hands[0], record.dealt[0], record.acts[0] = 99, 0, 0, 99
        for seat in (None, *range(state.rules.players)):
            state.observation(seat)
        assert (repr(state), str(state), hash(state), state.legal, state.history, state.deal) == told
        assert replayed(state) == state
    assert all(State.of_record(p.state.rules, r) == p.state for p, r in zip(positions, records, strict=True))


@pytest.mark.parametrize("name", rulebooks())
def test_states_are_copied_and_pickled(name: str) -> None:
    states = [position.state for position in random_round(Rules.load(name), "copies")]
    for state in states:
        for again in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert again == state
            assert hash(again) == hash(state)
            assert (again.legal, again.history, repr(again)) == (state.legal, state.history, repr(state))
    assert len(set(states)) == len(states)


def test_states_differ_when_anything_differs() -> None:
    start = State.new(PEPPER, seed=1)
    different = [
        start,
        State.new(PEPPER, seed=2),
        State.new(PEPPER, seed=1, dealer=1),
        State.new(PEPPER, seed=1, scores=(1, 0)),
        State.new(PEPPER.replace(target=31), seed=1),
        State.new(Rules.load("iowa"), seed=1),
        start.apply("pass"),
        start.apply("1"),
    ]
    assert len(set(different)) == len(different)
    assert start == State.new(PEPPER, deal=Deal.random(PEPPER, 1))
    assert start != "state"


# --- what is refused --------------------------------------------------------------------------------------------------


def test_an_illegal_action_is_named_with_seat_and_choices() -> None:
    state = after(State.new(PEPPER, deal=DEAL, dealer=3), "4")
    with pytest.raises(IllegalAction) as caught:
        state.apply("3")
    assert str(caught.value) == "“3” is not legal for seat 1 now; legal: pass, 5, small, big."
    for action in (Play(Card("AD")), Name(Strain.CLUBS), Bid("4"), Bid("9"), Discard(Card("9C"))):
        with pytest.raises(IllegalAction, match=f"“{action}” is not legal for seat 1"):
            state.apply(action)
    over = after(State.new(PEPPER, seed=1), "pass", "pass", "pass", "pass")
    with pytest.raises(IllegalAction, match=r"“pass” comes too late: the round is over\."):
        over.apply("pass")


def test_a_text_that_is_no_action_is_refused() -> None:
    with pytest.raises(InvalidAction, match="“7” is no action of pepper-4; its actions are pass, 1, 2"):
        State.new(PEPPER, seed=1).apply("7")


def test_texts_are_read_as_people_write_them() -> None:
    state = State.new(Rules.load("hasenpfeffer"), seed=4).apply(" 6 ")
    assert state.apply("h ALONE") == state.apply(Name(Strain.HEARTS, alone=True))
    tens = [card for card in state.apply("H").hand(1) if card.rank == "T"] or [state.hand(1)[0]]
    assert state.apply("H").apply(f"Discard {str(tens[0]).replace('T', '10')}").discarded == tens[0]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either a deal or a seed"),
        ({"seed": 1, "deal": DEAL}, "either a deal or a seed"),
        ({"seed": 1, "dealer": 4}, "Seat 4 cannot deal; seats are 0 to 3."),
        ({"seed": 1, "dealer": -1}, "Seat -1 cannot deal; seats are 0 to 3."),
        ({"seed": 1, "scores": (1,)}, "There are 1 scores; pepper-4 has 2 sides."),
        ({"seed": 1, "scores": (1, 2, 3)}, "There are 3 scores; pepper-4 has 2 sides."),
        ({"seed": 1, "scores": (0, 30)}, "A score of 30 has already won: the target is 30."),
    ],
)
def test_a_round_that_cannot_begin_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidGame, match=words):
        State.new(PEPPER, **given)


def test_there_is_no_other_seat() -> None:
    state = State.new(PEPPER, seed=1)
    for seat in (-1, 4):
        with pytest.raises(InvalidGame, match=f"There is no seat {seat}; seats are 0 to 3."):
            state.hand(seat)


# --- claims -----------------------------------------------------------------------------------------------------------

CLAIMING = ["pepper-4", "pepper-3", "pepper-2", "hasenpfeffer-traditional", "tiny"]


def claims(state: State, seat: int) -> list[tuple[int, tuple[int, ...] | None]]:
    """Every claim that `seat` can make: its tricks, and the split with three players."""
    left = state.tricks_left
    if state.rules.sides == 2:
        return [(n, None) for n in range(left + 1)]
    others = [other for other in range(3) if other != seat]
    splits = [tuple(dict(zip(others, (n, left - n), strict=True)).get(s, 0) for s in range(3)) for n in range(left + 1)]
    return [(left, None), *((0, split) for split in splits)]


@pytest.mark.parametrize("name", CLAIMING)
def test_claims(name: str) -> None:
    for number in range(5):
        state = in_play(name, number)
        for seat in state.playing:
            for n, split in claims(state, seat):
                ended = state.claim(seat, n, split)
                mine = [s for s in range(state.rules.players) if state.rules.side_of(s) == state.rules.side_of(seat)]
                gained = [now - was for now, was in zip(ended.tricks_won, state.tricks_won, strict=True)]
                assert (ended.is_over, ended.turn, ended.legal, sum(gained)) == (True, None, (), state.tricks_left)
                assert sum(gained[s] for s in mine) == n
                assert split is None or tuple(gained) == split
                assert ended.history == (*state.history, Turn(seat, Claim(tuple(gained))))
                assert (ended.trick, ended.tricks, ended.deal) == (state.trick, state.tricks, state.deal)
                assert str(ended).endswith(f"{seat}:claim-{'-'.join(map(str, gained))}")
                assert replayed(ended) == ended == pickle.loads(pickle.dumps(ended))


@pytest.mark.parametrize("name", CLAIMING)
def test_a_claim_scores_as_the_play_would(name: str) -> None:
    claimed = 0
    for number in range(12):
        *positions, last = [position.state for position in random_round(Rules.load(name), f"claim-{number}")]
        for state in positions:
            if state.phase == "play":
                gained = tuple(now - was for now, was in zip(last.tricks_won, state.tricks_won, strict=True))
                for seat in state.playing:
                    own = sum(gained[seat % state.rules.sides :: state.rules.sides])
                    split = gained if state.rules.sides == 3 and own == 0 else None
                    if (own, split) in claims(state, seat):
                        assert state.claim(seat, own, split).points == last.points
                        claimed += 1
    assert claimed > 30


def test_a_lone_maker_claims_with_his_stakes() -> None:
    rules = Rules.load("hasenpfeffer-traditional")
    hands = ["JC JS AC KC QC TC", "AD KD QD JD TD 9C", "AH KH QH JH TH 9H", "AS KS QS TS 9S 9D"]
    state = after(
        State.new(rules, deal=Deal(rules, hands, "JO"), dealer=3), "big", "C-alone", "discard-TC", "pass", "pass"
    )
    assert (state.playing, state.lone, state.maker) == ((0, 1, 3), 0, 0)
    assert state.claim(0, 6).points == (24, 0)
    assert state.claim(0, 5).points == (-12, 1)
    assert state.claim(1, 6).points == (-12, 6)
    with pytest.raises(InvalidClaim, match=r"Seat 2 cannot claim now: only who takes part in the play can\."):
        state.claim(2, 6)


@pytest.mark.parametrize("name", CLAIMING)
def test_claims_outside_of_the_play_are_refused(name: str) -> None:
    for position in random_round(Rules.load(name), "no-claim"):
        state = position.state
        seats = [-1, state.rules.players] if state.phase == "play" else range(state.rules.players)
        for seat in seats:
            with pytest.raises(InvalidClaim, match=f"Seat {seat} cannot claim now"):
                state.claim(seat, 0)
        if state.phase == "play":
            for n in (-1, state.tricks_left + 1):
                with pytest.raises(InvalidClaim, match=f"{n} tricks cannot be claimed: {state.tricks_left} are left."):
                    state.claim(state.playing[0], n)


def test_splits_that_do_not_fit_are_refused() -> None:
    state = in_play("pepper-3")
    seat, left = state.playing[1], state.tricks_left
    assert left >= 2
    for split in ((0, left, 0), (left, 0, 1), (left + 1, 0, -1), (left, 0), (left - 1, 0, 0), (1, 0, left, -1)):
        with pytest.raises(InvalidClaim, match="does not fit: it has 3 values, 0 for seat 1"):
            state.claim(seat, 0, split)
    with pytest.raises(InvalidClaim, match="does not fit"):
        state.claim(seat, left, (left, 0, 0))
    for n in (0, 1, left - 1):
        with pytest.raises(InvalidClaim, match="for all tricks, or for none with a split"):
            state.claim(seat, n)
    with pytest.raises(InvalidClaim, match="a claim needs no split"):
        in_play("pepper-4").claim(0, 0, (0, 1, 0, 0))


def test_a_claim_leaves_the_round_as_it_was() -> None:
    state = in_play("pepper-4")
    before = state.record
    state.claim(Random(1).choice(state.playing), 1)
    assert State.of_record(state.rules, before) == state


# --- what is not of the right kind ------------------------------------------------------------------------------------

NO_WHOLE_NUMBERS = [1.5, float("nan"), "1", None, True]


@pytest.mark.parametrize(
    "wrong", [1.5, [1], object(), pytest.param(10**5000, id="long"), pytest.param("\ud800", id="half"), True]
)
def test_what_is_no_seed_is_refused(wrong: object) -> None:
    with pytest.raises(bp.InvalidGame, match="no seed"):
        bp.DealStream(bp.Rules.load("tiny"), wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", NO_WHOLE_NUMBERS)
def test_dealers_scores_and_claims_are_whole_numbers(wrong: object) -> None:
    rules = bp.Rules.load("pepper-4")
    with pytest.raises(bp.InvalidGame, match="cannot deal"):
        bp.State.new(rules, seed=1, dealer=wrong)  # type: ignore[arg-type]
    with pytest.raises(bp.InvalidGame, match="whole numbers"):
        bp.State.new(rules, seed=1, scores=(wrong, 0))  # type: ignore[arg-type]
    state = bp.State.new(rules, seed=1, dealer=3).apply("big").apply("H")
    with pytest.raises(bp.InvalidClaim, match="whole numbers"):
        state.claim(0, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [1, None, 2.5, bp.Card("JH")])
def test_what_is_no_action_is_refused(wrong: object) -> None:
    with pytest.raises(bp.IllegalAction, match="is no action"):
        bp.State.new(bp.Rules.load("pepper-4"), seed=1).apply(wrong)  # type: ignore[arg-type]


def test_cards_may_be_given_as_texts_or_cards() -> None:
    rules = bp.Rules.load("tiny")
    mixed: list[Any] = [["KH", bp.Card("AS")], ("AH", "KS")]
    assert bp.Deal(rules, mixed) == bp.Deal(rules, ["KH AS", "AH KS"])
    assert bp.Card(bp.Card("JH")) is bp.Card("JH")
