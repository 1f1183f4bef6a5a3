"""The kernel's functions one by one, on twins: seats, following, beating, the steps of a round, the end of a game."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigpepper import Rules, kernel, rulebooks
from bigpepper.cards import JOKER, Card, Strain
from bigpepper.choices import choices
from bigpepper.deal import DealStream, mask_of
from bigpepper.jit import lowest
from bigpepper.kernel import makers_points, partner_of, printed_order, strain_order
from bigpepper.records import (
    AUCTION,
    DEFENCE,
    DISCARD,
    LONGEST_ROUND,
    NAMING,
    OVER,
    PLAY,
    Round,
    Tables,
    View,
)
from referee import Options, best_card, playable
from strategies import rulebook_options
from walk import walk

JOKERS = Rules.load("pepper-4").replace(joker=True, widow="dead")
"""All 25 cards, every strain."""
STRAINS = tuple(Strain)


def places(rules: Rules, strain: Strain, cards: list[Card]) -> int:
    return strain_order(rules.tables, STRAINS.index(strain), mask_of(rules, cards))


def begun(rules: Rules, seed: int, dealer: int = 0) -> Round:
    r = Round()
    DealStream(rules, seed)(0).put_into(r)
    kernel.start(r, rules.tables, dealer)
    return r


def do(r: Round, rules: Rules, *texts: str) -> Round:
    for text in texts:
        choice = choices(rules, r).bit(rules.action(text))
        assert choice & kernel.legal(r, rules.tables), text
        kernel.apply(r, rules.tables, choice)
    return r


def first_choices(r: Round, rules: Rules, until: int) -> Round:
    """The first legal choice again and again, until the phase `until`."""
    while r.phase != until:
        kernel.apply(r, rules.tables, lowest(kernel.legal(r, rules.tables)))
    return r


# --- seats --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_go_clockwise(players: int) -> None:
    t, r = Tables(), Round()
    t.players, t.sides = players, 2 if players == 4 else players
    r.playing = (1 << players) - 1
    assert [kernel.left_of(t, seat) for seat in range(players)] == [*range(1, players), 0]
    assert [kernel.next_playing(r, t, seat) for seat in range(players)] == [*range(1, players), 0]
    assert [kernel.side_of(t, seat) for seat in range(players)] == ([0, 1, 0, 1] if players == 4 else [*range(players)])


def test_who_does_not_play_is_skipped() -> None:
    t, r = Tables(), Round()
    t.players, r.playing = 4, 0b0110
    assert [kernel.next_playing(r, t, seat) for seat in range(4)] == [1, 2, 1, 1]
    assert [partner_of(seat) for seat in range(4)] == [2, 3, 0, 1]


# --- following and beating ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("strain", STRAINS)
def test_strain_order_and_back(strain: Strain) -> None:
    s = STRAINS.index(strain)
    for size in (1, 2, 24):
        for cards in list(combinations(JOKERS.deck, size))[:400]:
            printed = mask_of(JOKERS, list(cards))
            ordered = strain_order(JOKERS.tables, s, printed)
            assert ordered.bit_count() == size
            assert printed_order(JOKERS.tables, s, ordered) == printed
    assert strain_order(JOKERS.tables, s, 0) == printed_order(JOKERS.tables, s, 0) == 0


@pytest.mark.parametrize("strain", STRAINS)
def test_following_any_lead_with_any_two_cards(strain: Strain) -> None:
    """All leads and all pairs of other cards, as the referee has it."""
    t, s = JOKERS.tables, STRAINS.index(strain)
    for led in JOKERS.deck:
        suit = t.suit[s][t.place[s][JOKERS.card_number[led]]]
        for hand in combinations([card for card in JOKERS.deck if card is not led], 2):
            may = kernel.follow(places(JOKERS, strain, list(hand)), suit)
            allowed = playable([str(card) for card in hand], [str(led)], str(strain))
            assert may == places(JOKERS, strain, [Card(text) for text in allowed]), (led, hand)


@pytest.mark.parametrize("strain", STRAINS)
def test_beating_any_card_with_any_other(strain: Strain) -> None:
    t, s = JOKERS.tables, STRAINS.index(strain)
    for led, played in permutations(JOKERS.deck, 2):
        first, second = (1 << t.place[s][JOKERS.card_number[card]] for card in (led, played))
        suit = t.suit[s][t.place[s][JOKERS.card_number[led]]]
        wins = best_card([str(led), str(played)], str(strain)) == str(played)
        assert kernel.beats(second, first, suit, t.trump[s]) == wins, (led, played)


def test_the_joker_at_no_trump_has_no_suit() -> None:
    t = JOKERS.tables
    place = t.place[4][JOKERS.card_number[JOKER]]
    assert (t.suit[4][place], t.trump[4]) == (0, 1 << place)


# --- the steps of a round -----------------------------------------------------------------------------------------


def test_start_forgets_the_round_before() -> None:
    rules = Rules.load("hasenpfeffer-traditional")
    used, fresh = Round(), begun(rules, 2, dealer=3)
    for seed in range(40):
        DealStream(rules, seed)(0).put_into(used)
        kernel.start(used, rules.tables, 1)
        first_choices(do(used, rules, "4", *["pass"] * (seed % 3)), rules, OVER) if seed % 2 else None
        used.claimer, used.claimed[1] = 1, 2
    DealStream(rules, 2)(0).put_into(used)
    kernel.start(used, rules.tables, 3)
    assert [getattr(used, name) for name in used.fields] == [getattr(fresh, name) for name in fresh.fields]


def test_legal_masks_of_each_phase() -> None:
    rules = Rules.load("hasenpfeffer")
    t, r = rules.tables, begun(rules, 5, dealer=3)
    assert (r.phase, kernel.legal(r, t)) == (AUCTION, 0b1111111)
    do(r, rules, "3")
    assert kernel.legal(r, t) == 0b1110001
    do(r, rules, "pass", "pass", "pass")
    assert (r.phase, kernel.legal(r, t)) == (NAMING, 0b11111111)
    do(r, rules, "H-alone")
    assert (r.phase, kernel.legal(r, t)) == (DISCARD, r.hands[0])
    kernel.apply(r, t, lowest(r.hands[0]))
    assert (r.phase, r.turn, kernel.legal(r, t)) == (DEFENCE, 1, 0b11)
    do(r, rules, "defend")
    assert (r.phase, r.turn, kernel.legal(r, t)) == (PLAY, 1, r.hands[1])
    first_choices(r, rules, OVER)
    assert (r.turn, kernel.legal(r, t)) == (-1, 0)


def test_the_log_names_actions_and_hides_the_discard() -> None:
    rules = Rules.load("hasenpfeffer")
    r = do(begun(rules, 5, dealer=3), rules, "6", "D")
    kernel.apply(r, rules.tables, lowest(r.hands[0]))
    card = rules.deck[rules.tables.card[1][lowest(r.hands[0]).bit_length() - 1]]
    do(r, rules, str(card))
    assert list(r.acts[: r.length])[2:] == [len(rules.actions), rules.number_of[rules.action(str(card))]]
    assert [str(rules.actions[number]) for number in r.acts[:2]] == ["6", "D"]
    assert list(r.seats[: r.length]) == [0, 0, 0, 0]


@given(options=rulebook_options(), seed=st.integers(0, 2**60))
def test_no_card_is_lost(options: Options, seed: int) -> None:
    """Hands, trick, played cards, discard and widow are the deck but for the dead hand, at every step."""
    rules = Rules.from_options(options)
    (walked,) = walk(rules, 1, seed)
    t, r = rules.tables, Round()
    walked.deal.put_into(r)
    kernel.start(r, t, walked.dealer)
    played = 0
    for _, phase, _, choice, _ in walked.steps:
        strain = r.strain
        kernel.apply(r, t, choice)
        if phase == PLAY:
            played |= printed_order(t, strain, choice)
        held = [printed_order(t, r.strain, hand) if r.strain >= 0 else hand for hand in r.hands[: rules.players]]
        away = [1 << r.discarded] if r.discarded >= 0 else []
        widow = [1 << r.widow] if r.widow >= 0 and (t.widow != 1 or r.phase == AUCTION or r.thrown) else []
        parts = [*held, played, *away, *widow]
        assert sum(parts) == sum(r.dealt) + (1 << r.widow if r.widow >= 0 else 0)
        assert sum(part.bit_count() for part in parts) == rules.players * rules.cards + rules.joker
    assert r.length == len(walked.steps) <= LONGEST_ROUND


def test_the_longest_round_fits() -> None:
    """Three pass, then every bid of the longest ladder is said, each after two more passes: 73 calls."""
    rungs = [{"name": f"b{i}", "tricks": 1, "made": 1, "failed": 1} for i in range(24)]
    rules = Rules.load("pepper-4").replace(ladder=rungs, minimum_bid="b0")
    r = do(begun(rules, 1), rules, "pass", "pass", "pass")
    for i in range(24):
        do(r, rules, f"b{i}", *(["pass", "pass"] if i < 23 else []))
    assert r.phase == NAMING
    first_choices(r, rules, OVER)
    assert r.length == 73 + 1 + 24 <= LONGEST_ROUND


def test_who_has_passed_is_skipped_under_final_pass() -> None:
    rules = Rules.load("pepper-4").replace(auction="final-pass")
    r = do(begun(rules, 1, dealer=3), rules, "1", "pass", "pass", "2")
    assert r.turn == 0
    assert do(r, rules, "3").turn == 3
    assert (do(r, rules, "pass").phase, r.turn, r.maker) == (NAMING, 0, 0)


@pytest.mark.parametrize("auction", ["re-entry", "final-pass", "one-round"])
def test_the_holder_of_the_joker_bids_three_or_nobody_does(auction: str) -> None:
    rules = Rules.load("hasenpfeffer-traditional").replace(auction=auction)
    seen: set[int] = set()
    for seed in range(100):
        r = do(begun(rules, seed, dealer=2), rules, *["pass"] * 4)
        holders = [seat for seat in range(4) if r.dealt[seat] >> rules.tables.joker & 1]
        seen.update(holders or [-1])
        if holders:
            assert (r.phase, r.turn, kernel.legal(r, rules.tables)) == (AUCTION, holders[0], 0b1000)
            do(r, rules, "3")
            assert (r.phase, r.turn, r.maker, r.thrown) == (NAMING, holders[0], holders[0], 0)
        else:
            assert (r.phase, r.turn, r.maker, r.thrown) == (OVER, -1, -1, 1)
    assert seen == {-1, 0, 1, 2, 3}


# --- claims -------------------------------------------------------------------------------------------------------


def test_a_claim_gives_the_tricks_and_scores() -> None:
    rules = Rules.load("pepper-4")
    r = first_choices(do(begun(rules, 1, dealer=3), rules, "4"), rules, PLAY)
    r.claimer, r.claimed[0], r.claimed[1] = 0, 4, 2
    kernel.concede(r, rules.tables)
    assert (r.phase, r.turn, r.won, r.points) == (OVER, -1, [4, 2, 0, 0], [4, 2, 0, 0])


# --- scores and the end of a game ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulebook", "bid", "tricks", "lone", "points"),
    [
        ("pepper-4", "big", 6, False, 12),
        ("pepper-4", "big", 5, False, -12),
        ("hasenpfeffer-traditional", "big", 6, True, 24),
        ("hasenpfeffer-traditional", "1", 0, True, -1),
        ("hasenpfeffer", "6", 5, True, -5),
        ("bid-euchre", "big", 5, False, -12),
        ("bid-euchre", "3", 2, False, -3),
    ],
)
def test_points_of_the_makers(rulebook: str, bid: str, tricks: int, lone: bool, points: int) -> None:
    rules, r = Rules.load(rulebook), Round()
    r.bid, r.lone = [str(name) for name in rules.bids].index(bid), 0 if lone else -1
    assert makers_points(r, rules.tables, tricks) == points


def ended(rules: Rules, scores: list[int], points: list[int], maker: int) -> Round:
    r = begun(rules, 1)
    r.phase, r.turn, r.maker, r.thrown = OVER, -1, maker, int(maker < 0)
    r.scores[: len(scores)], r.points[: len(points)] = scores, points
    return r


@pytest.mark.parametrize(
    ("changes", "scores", "points", "maker", "rounds", "won"),
    [
        ({}, [10, 10, 10], [5, 2, 1], 0, 9, 0b000),
        ({}, [10, 28, 28], [5, 2, 2], 0, 9, 0b110),
        ({}, [28, 28, 28], [2, 2, 2], 0, 9, 0b111),
        ({}, [29, 28, 28], [2, 2, 2], 0, 9, 0b001),
        ({"finish": "makers-first"}, [28, 29, 29], [2, 3, 3], 0, 9, 0b001),
        ({"finish": "makers-first"}, [20, 29, 29], [2, 3, 3], 0, 9, 0b110),
        ({"finish": "makers-first", "round_limit": 9}, [20, 20, -5], [0, 0, 0], -1, 9, 0b011),
        ({"round_limit": 9}, [-20, -5, -5], [2, 0, 0], 0, 9, 0b110),
        ({"round_limit": 9}, [-20, -5, -5], [2, 0, 0], 0, 8, 0b000),
        ({"round_limit": 9}, [20, 29, 29], [2, 1, 0], 0, 9, 0b010),
        ({"round_limit": 9}, [20, 29, 29], [2, 1, 0], 0, 10, 0b010),
    ],
)
def test_winners(changes: Options, scores: list[int], points: list[int], maker: int, rounds: int, won: int) -> None:
    rules = Rules.load("pepper-3").replace(**changes)
    assert kernel.winners(ended(rules, scores, points, maker), rules.tables, rounds) == won


@pytest.mark.parametrize(
    ("rule", "thrown", "dealer"), [("throw-in", 1, 0), ("same-dealer", 1, 2), ("same-dealer", 0, 0)]
)
def test_next_dealer(rule: str, thrown: int, dealer: int) -> None:
    rules = Rules.load("pepper-3").replace(all_pass=rule)
    r = begun(rules, 1, dealer=2)
    r.thrown = thrown
    assert kernel.next_dealer(r, rules.tables) == dealer


# --- what a seat sees ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_views_hold_the_public_part_and_the_own_hand(name: str) -> None:
    rules = Rules.load(name)
    t, r, v = rules.tables, begun(rules, 11, dealer=1), View()
    hands = rules.players + rules.dead_hand
    assert hands * rules.cards + rules.joker == len(rules.deck)
    while r.phase != OVER:
        for seat in range(-1, rules.players):
            kernel.view(r, t, seat, v)
            assert [getattr(v, field) for field in r.fields if field in v.fields] == [
                getattr(r, field) for field in r.fields if field in v.fields
            ]
            own = seat >= 0
            assert (v.seat, v.own_dealt, v.hand) == (seat, r.dealt[seat] if own else 0, r.hands[seat] if own else 0)
            assert v.legal == (kernel.legal(r, t) if seat == r.turn else 0)
            took = own and seat == r.maker and t.widow == 1 and r.phase != AUCTION
            assert (v.own_widow, v.own_discard) == ((r.widow, r.discarded) if took else (-1, -1))
        mask = kernel.legal(r, t)
        kernel.apply(r, t, lowest(mask & ~1 or mask) if r.phase != PLAY else lowest(mask))
    for seat in range(-1, rules.players):
        kernel.view(r, t, seat, v)
        assert (v.legal, v.points) == (0, r.points)
