"""Claims: granted only when they are proven for every deal that fits, and what is proven comes true."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import Deal, Play, Rules, State, rulebooks, worlds
from bigpepper.conformance import random_round
from bigpepper.server import claims
from bigpepper.server import commands as c
from bigpepper.server.cases import Refusal
from bigpepper.server.claims import proven, runs
from bigpepper.server.seen import view_of
from server_desk import PEOPLE, Desk
from strategies import rulebook_options

PEPPER = Rules.load("pepper-4")


def in_play(hands: list[str], strain: str, rules: Rules = PEPPER) -> State:
    """A round at its first lead, seat 0 being the maker, who leads."""
    state = State.new(rules, deal=Deal(rules, hands), dealer=rules.players - 1)
    return state.apply("big").apply(strain)


def test_top_cards_in_hand_are_proof_enough() -> None:
    state = in_play(["JH JD AH AS AC AD", "KH QH TH 9H 9C 9D", "TC JC QC KC TD QD", "KD 9S TS JS QS KS"], "H")
    seen = state.observation(0)
    assert not proven(seen, 6)  # three high trumps do not draw four low ones that may lie in one hand
    state = in_play(["JH JD AH KH AC AD", "QH TH 9H 9C 9D TC", "JC QC KC TD QD KD", "9S TS JS QS KS AS"], "H")
    assert runs(state.observation(0))
    assert proven(state.observation(0), 6)
    assert not proven(state.observation(0), 5)
    assert not proven(state.observation(1), 6)
    state = in_play(["JH JD AH QH AC AD", "KH TH 9H 9C 9D TC", "JC QC KC TD QD KD", "9S TS JS QS KS AS"], "H")
    assert runs(state.observation(0))  # the king has fallen by the time the queen is led
    state = in_play(["JH AH KH QH AC AD", "JD TH 9H 9C 9D TC", "JC QC KC TD QD KD", "9S TS JS QS KS AS"], "H")
    assert not runs(state.observation(0))
    state = in_play(["AC KC QC AD KD QD", "JC TC 9C JD TD 9D", "AH KH QH JH TH 9H", "AS KS QS JS TS 9S"], "NT")
    assert runs(state.observation(0))
    state = in_play(["AC KC JC AD KD QD", "QC TC 9C JD TD 9D", "AH KH QH JH TH 9H", "AS KS QS JS TS 9S"], "NT")
    assert not runs(state.observation(0))


def positions(rules: Rules, rounds: int) -> Iterator[tuple[State, Random]]:
    for number in range(rounds):
        for position in random_round(rules, f"claims-{number}", dealer=number % rules.players):
            if position.state.phase == "play":
                yield position.state, position.rng


def outcomes(state: State, seat: int, rng: Random, goal: int) -> bool:
    """Whether the claimant, who knows the truth here, can reach the goal whatever the others do: by brute force."""
    if state.is_over:
        rules = state.rules
        own = sum(won for other, won in enumerate(state.tricks_won) if rules.side_of(other) == rules.side_of(seat))
        return own == goal
    later = (outcomes(state.apply(action), seat, rng, goal) for action in state.legal)
    return any(later) if state.turn == seat else all(later)


@pytest.mark.parametrize("name", [name for name in rulebooks() if name != "tiny"])
def test_what_is_proven_comes_true_in_every_world(name: str) -> None:
    rules, granted = Rules.load(name), 0
    for state, rng in positions(rules, 10):
        if state.tricks_left > 2 or rng.random() < 0.4:
            continue
        for seat in {state.turn or 0, rng.choice(state.playing)}:
            seen = state.observation(seat)
            for tricks in {rng.randrange(2), state.tricks_left}:
                if rules.sides == 3 and tricks != state.tricks_left:
                    continue
                if proven(seen, tricks):
                    granted += 1
                    own = sum(won for s, won in enumerate(seen.tricks_won) if rules.side_of(s) == rules.side_of(seat))
                    for _ in range(2):
                        assert outcomes(worlds.sample(seen, rng), seat, rng, own + tricks)
                    state.claim(seat, tricks)
    assert granted > 3


@settings(max_examples=15)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_the_last_trick_is_always_proven_one_way(options: dict[str, Any], seed: int) -> None:
    """With one card each it is settled who takes what; the last to play knows it."""
    rules = Rules.from_options(options)
    for position in random_round(rules, str(seed)):
        state = position.state
        last = state.trick is not None and len(state.trick.cards) == len(state.playing) - 1
        if state.phase == "play" and state.tricks_left == 1 and last and rules.sides == 2:
            assert state.turn is not None
            own = state.apply(state.legal[0])
            before = state.tricks_won
            side = rules.side_of(state.turn)
            tricks = sum(own.tricks_won[s] - before[s] for s in range(rules.players) if rules.side_of(s) == side)
            seen = state.observation(state.turn)
            assert proven(seen, tricks)
            assert not proven(seen, 1 - tricks)


def test_one_right_way_to_play_is_enough() -> None:
    """Claims are granted though another card than the right one would lose them."""
    narrow = 0
    for state, _ in positions(PEPPER, 40):
        seat = state.turn
        if seat is None or state.tricks_left != 2 or len(state.legal) < 2 or runs(state.observation(seat)):
            continue
        after = [state.apply(action) for action in state.legal]
        for tricks in range(3):
            if after[0].tricks_left == 2 and proven(state.observation(seat), tricks):
                narrow += not all(proven(one.observation(seat), tricks) for one in after)
    assert narrow > 1


def test_nobody_gets_anything_by_a_split_that_is_not_forced() -> None:
    rules, granted, refused = Rules.load("pepper-3"), 0, 0
    for state, _ in positions(rules, 20):
        if state.tricks_left != 1 or state.trick is None or len(state.trick.cards) < 2:
            continue
        seat = state.turn
        assert seat is not None
        won = state.apply(state.legal[0]).tricks_won
        split = tuple(after - before for after, before in zip(won, state.tricks_won, strict=True))
        seen = state.observation(seat)
        for other in range(3):
            wanted = tuple(int(n == other) for n in range(3))
            if other == seat:
                continue
            assert proven(seen, 0, wanted) == (wanted == split)
            granted, refused = granted + (wanted == split), refused + (wanted != split)
    assert granted > 5
    assert refused > 5


def test_a_claim_follows_from_the_observation_alone() -> None:
    """The same answer, after the same number of steps, in every world that looks the same."""
    for state, rng in positions(PEPPER, 6):
        assert state.turn is not None
        seen = state.observation(state.turn)
        other = worlds.sample(seen, rng).observation(state.turn)
        steps = [_steps(one, state.tricks_left) for one in (seen, other)]
        assert steps[0] == steps[1]


def _steps(seen: Any, tricks: int) -> tuple[bool, int]:
    search = claims._Search(seen, claims._goal(seen, tricks, None))
    rounds = list(claims._worlds(seen)) if worlds.count(seen) <= claims.MOST_WORLDS else []
    return search.proves(rounds), search.steps


def test_the_search_is_bounded() -> None:
    for state, _ in positions(Rules.load("pepper-2"), 2):
        seen = state.observation(state.turn)
        _, left = _steps(seen, state.tricks_left)
        assert left >= -claims.MOST_WORLDS


def test_every_world_is_searched_and_none_twice() -> None:
    for state, _ in positions(PEPPER, 8):
        seen = state.observation(state.turn)
        count = worlds.count(seen)
        if count <= claims.MOST_WORLDS:
            hands = [tuple(r.hands) for r in claims._worlds(seen)]
            assert len(hands) == len(set(hands)) == count


def test_nothing_is_claimed_outside_of_the_play_or_by_a_spectator() -> None:
    state = State.new(PEPPER, seed=1)
    assert not proven(state.observation(1), 6)
    state = in_play(["JH JD AH KH AC AD", "QH TH 9H 9C 9D TC", "JC QC KC TD QD KD", "9S TS JS QS KS AS"], "H")
    assert not proven(state.observation(None), 6)


# --- at a table -------------------------------------------------------------------------------------------------------


def test_a_granted_claim_ends_the_round_and_a_refused_one_changes_nothing() -> None:
    desk = Desk(PEPPER, "claims").seat_everybody()
    codes: list[str | None] = []
    while len(desk.table.facts.rounds) < 6 and desk.table.facts.phase == "playing":
        facts, state = desk.table.facts, desk.table.hidden.state
        assert state is not None
        player = PEOPLE[desk.turn]
        before, rounds = desk.table, len(facts.rounds)
        right = proven(view_of(desk.table, desk.turn), state.tricks_left)
        decision = desk.do(player, c.Claim(facts.n, state.tricks_left))
        code = decision.code if isinstance(decision, Refusal) else None
        codes.append(code)
        assert (code is None) == right
        if code is None:
            assert len(desk.table.facts.rounds) == rounds + 1
            assert desk.table.facts.rounds[-1].claim is not None
        else:
            assert desk.table is before
            desk.step()
    assert set(codes) == {None, "illegal", "not_proven"}


def test_a_claim_has_to_be_one_that_the_rules_allow() -> None:
    desk = Desk(PEPPER, "claims").seat_everybody()
    desk.play_until("play")
    n, player = desk.table.facts.n, PEOPLE[desk.turn]
    assert desk.code(player, c.Claim(n, 8)) == "illegal"
    assert desk.code(player, c.Claim(n, 0, (1, 1, 1, 1))) == "illegal"
    assert desk.code("emil", c.Claim(n, 6)) == "not_your_seat"
    assert desk.code(player, c.Claim(n - 1, 6)) == "stale"
    assert isinstance(desk.table.hidden.state.legal[0], Play)  # type: ignore[union-attr]
