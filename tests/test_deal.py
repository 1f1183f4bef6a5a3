"""Deals: data that never changes, and a generator that gives the same everywhere."""

from __future__ import annotations

import ast
import copy
import hashlib
import hmac
import pickle
import re
from collections import Counter
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import Card, Deal, DealStream, Game, InvalidCard, InvalidDeal, Rules, State, jit, rulebooks
from bigpepper.conformance import random_round
from bigpepper.deal import MASK62, below, mix, shuffle
from bigpepper.jit import Rows, entry
from bigpepper.records import Round, Tables
from strategies import deals as random_deals
from strategies import rulebook_options

PAGE = Path(__file__).parents[1] / "docs" / "deals.md"
VECTORS = re.findall(r"^\| ([\w-]+) \| `(.+)` \| (\d+) \| (\d) \| `(.+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
PEPPER = Rules.load("pepper-4")

# --- the generator ----------------------------------------------------------------------------------------------------


def from_the_page(seed: int | str | bytes, label: bytes, number: int, sizes: list[int]) -> list[int]:
    """docs/deals.md once more: for each n of `sizes` a number below n."""
    seeded = b"bigpepper-bytes:" + seed if isinstance(seed, bytes) else f"bigpepper:{seed}".encode()
    key, drawn, taken = hashlib.sha256(seeded).digest(), [], 0
    for n in sizes:
        byte = 256
        while byte >= 256 - 256 % n:
            message = label + number.to_bytes(8, "big") + (taken // 32).to_bytes(8, "big")
            byte = hmac.new(key, message, hashlib.sha256).digest()[taken % 32]
            taken += 1
        drawn.append(byte % n)
    return drawn


def dealt_by_the_page(rules: Rules, seed: int | str | bytes, number: int) -> str:
    deck = [rank + suit for suit, rank in product("CDHS", "9TJQKA") if suit in rules.suits and rank in rules.ranks]
    deck += ["JO"] * rules.joker
    printed = list(deck)
    sizes = range(len(deck), 1, -1)
    for n, k in zip(sizes, from_the_page(seed, b"deal", number, [*sizes]), strict=True):
        deck[k], deck[n - 1] = deck[n - 1], deck[k]
    hands = [deck[seat * rules.cards : (seat + 1) * rules.cards] for seat in range(rules.players)]
    text = " / ".join(" ".join(sorted(hand, key=printed.index)) for hand in hands)
    return f"{text} + {deck[-1]}" if rules.joker else text


@pytest.mark.parametrize(("name", "seed", "number", "dealer", "text"), VECTORS)
def test_vectors(name: str, seed: str, number: str, dealer: str, text: str) -> None:
    rules = Rules.load(name)
    stream = DealStream(rules, ast.literal_eval(seed))
    assert str(stream(int(number))) == text
    assert stream.first_dealer() == int(dealer)
    assert str(Deal.random(rules, ast.literal_eval(seed))) == text or number != "0"


def test_there_are_vectors_of_every_kind_of_seed() -> None:
    assert {type(ast.literal_eval(seed)) for _, seed, _, _, _ in VECTORS} == {int, str, bytes}
    assert len(VECTORS) >= 15


@settings(max_examples=60)
@given(options=rulebook_options(), seed=st.one_of(st.integers(), st.text(), st.binary()), number=st.integers(0, 2**63))
def test_the_page_is_enough_to_build_the_generator(
    options: dict[str, Any], seed: int | str | bytes, number: int
) -> None:
    rules = Rules.from_options(options)
    stream = DealStream(rules, seed)
    assert str(stream(number)) == dealt_by_the_page(rules, seed, number)
    assert stream.first_dealer() == from_the_page(seed, b"dealer", 0, [rules.players])[0]


@given(options=rulebook_options(), seed=st.integers(0, 999))
def test_every_card_is_dealt_once(options: dict[str, Any], seed: int) -> None:
    rules = Rules.from_options(options)
    deal = Deal.random(rules, seed)
    cards = [*(card for hand in deal.hands for card in hand), *deal.dead, *([deal.widow] if deal.widow else [])]
    assert Counter(cards) == Counter(rules.deck)
    assert {len(hand) for hand in deal.hands} == {rules.cards}
    assert len(deal.dead) == (rules.cards if rules.dead_hand else 0)
    assert (deal.widow is not None) == rules.joker


def deviation(counts: Counter[Any], draws: int, chances: dict[Any, float], freedom: int | None = None) -> float:
    """How many standard deviations a chi-square statistic lies above or below what chance gives."""
    chi = sum((counts[key] - draws * chance) ** 2 / (draws * chance) for key, chance in chances.items())
    freedom = freedom or len(chances) - 1
    assert set(counts) <= set(chances)
    return (chi - freedom) / sqrt(2 * freedom)


def places(rules: Rules) -> dict[int, float]:
    """The chance of each place: a seat, the dead hand as -1, the widow as -2."""
    size = len(rules.deck)
    dead = {-1: rules.cards / size} if rules.dead_hand else {}
    widow = {-2: 1 / size} if rules.joker else {}
    return dict.fromkeys(range(rules.players), rules.cards / size) | dead | widow


def place_counts(deals: list[Deal]) -> Counter[tuple[Card, int]]:
    counts: Counter[tuple[Card, int]] = Counter()
    for deal in deals:
        counts.update((card, seat) for seat, hand in enumerate(deal.hands) for card in hand)
        counts.update((card, -1) for card in deal.dead)
        counts.update([(deal.widow, -2)] if deal.widow else [])
    return counts


def card_by_seat(rules: Rules, deals: list[Deal]) -> float:
    chances = {
        (card, place): chance / len(rules.deck) for card in rules.deck for place, chance in places(rules).items()
    }
    freedom = len(rules.deck) * (len(places(rules)) - 1)  # each card is somewhere
    return deviation(place_counts(deals), len(deals) * len(rules.deck), chances, freedom)


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "pepper-2", "hasenpfeffer"])
def test_every_card_goes_everywhere_equally_often(name: str) -> None:
    rules = Rules.load(name)
    stream = DealStream(rules, "chi-square")
    assert abs(card_by_seat(rules, [stream(number) for number in range(3000)])) < 4


def test_all_deals_of_tiny_come_up_equally_often() -> None:
    rules = Rules.load("tiny")
    counts = Counter(str(Deal.random(rules, seed)) for seed in range(6000))
    assert len(counts) == 6
    assert abs(deviation(counts, 6000, dict.fromkeys(counts, 1 / 6))) < 4


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "pepper-2"])
def test_every_seat_is_first_dealer_equally_often(name: str) -> None:
    rules = Rules.load(name)
    counts = Counter(DealStream(rules, seed).first_dealer() for seed in range(6000))
    assert abs(deviation(counts, 6000, dict.fromkeys(range(rules.players), 1 / rules.players))) < 4


def test_rounds_and_seeds_differ() -> None:
    stream = DealStream(PEPPER, 1)
    assert (
        len({str(stream(number)) for number in range(200)} | {str(Deal.random(PEPPER, s)) for s in range(2, 200)})
        == 398
    )
    assert Deal.random(PEPPER, 7) == Deal.random(PEPPER, "7") != Deal.random(PEPPER, b"7")


# --- compiled batches -------------------------------------------------------------------------------------------------


@entry
def numbers(rows: Rows, counters: Rows, n: int) -> int:
    """Row i: mix of seed and counter, and three numbers below something."""
    for i in range(len(rows)):
        random = mix(rows[i].left, counters[i].left)
        rows[i].points[0], rows[i].points[1], rows[i].points[2] = random, below(random, n), below(random, 25)
    return 0


@entry
def shuffles(rows: Rows, tables: Rows, seed: int) -> int:
    """Row i is dealt with the seed `seed` + i."""
    for i in range(len(rows)):
        shuffle(rows[i], tables[0], seed + i)
    return 0


def _with_left(number: int) -> Round:
    twin = Round()
    twin.left = number
    return twin


def test_mix_and_below_are_the_same_compiled() -> None:
    rng = Random(5)
    edges = [0, 1, 2, MASK62, MASK62 - 1, 1 << 61, (1 << 31) - 1, 1 << 31]
    pairs = [*product(edges, edges), *((rng.randrange(1 << 62), rng.randrange(1 << 62)) for _ in range(400))]
    seeds, counters = [jit.pack([_with_left(pair[i]) for pair in pairs]) for i in (0, 1)]
    numbers(seeds, counters, 1_000_003)
    for row, (seed, counter) in zip(seeds, pairs, strict=True):
        random = mix(seed, counter)
        expected = [random, below(random, 1_000_003), below(random, 25)]
        assert jit.unpack(Round, row).points[:3] == expected
        assert 0 <= random <= MASK62
        assert 0 <= expected[2] < 25


def test_below_is_even() -> None:
    for n in (2, 3, 7, 25):
        counts = Counter(below(mix(11, counter), n) for counter in range(20_000))
        assert abs(deviation(counts, 20_000, dict.fromkeys(range(n), 1 / n))) < 4


def shuffled(rules: Rules, n: int, seed: int, compiled: bool = True) -> list[Deal]:
    if compiled:
        rows = jit.rows(Round, n)
        shuffles(rows, jit.pack([rules.tables]), seed)
        twins = [jit.unpack(Round, row) for row in rows]
    else:
        twins = [Round() for _ in range(n)]
        for i, twin in enumerate(twins):
            shuffle(twin, rules.tables, seed + i)
    return [Deal.from_masks(rules, twin.dealt, twin.widow) for twin in twins]


@pytest.mark.parametrize("name", rulebooks())
def test_shuffle_is_the_same_compiled(name: str) -> None:
    rules = Rules.load(name)
    deals = shuffled(rules, 200, 1 << 40)
    assert deals == shuffled(rules, 200, 1 << 40, compiled=False)
    assert all(Deal.parse(rules, str(deal)) == deal for deal in deals)


@pytest.mark.parametrize("name", ["pepper-4", "pepper-2", "hasenpfeffer", "tiny"])
def test_shuffle_sends_every_card_everywhere_equally_often(name: str) -> None:
    rules = Rules.load(name)
    assert abs(card_by_seat(rules, shuffled(rules, 4000, 99))) < 4


def test_shuffle_forgets_what_was_dealt_before() -> None:
    for name in ("pepper-4", "hasenpfeffer", "pepper-2"):
        rules, used, fresh = Rules.load(name), Round(), Round()
        used.dealt, used.widow = [1, 2, 4, 8], 3
        tables: Tables = rules.tables
        shuffle(used, tables, 1)
        shuffle(fresh, tables, 1)
        assert (used.dealt, used.widow) == (fresh.dealt, fresh.widow)


# --- deals as data ----------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(data=st.data())
def test_deals_are_read_written_copied_and_pickled(data: st.DataObject) -> None:
    options = data.draw(rulebook_options())
    hands, widow, _ = data.draw(random_deals(options))
    rules = Rules.from_options(options)
    deal = Deal(rules, [" ".join(hand) for hand in hands], widow)
    same = [
        Deal(rules, [[Card(text) for text in reversed(hand)] for hand in hands], Card(widow) if widow else None),
        Deal.parse(rules, str(deal)),
        Deal.parse(rules, str(deal).lower().replace(" / ", "/").replace(" + ", "+")),
        copy.copy(deal),
        copy.deepcopy(deal),
        pickle.loads(pickle.dumps(deal)),
    ]
    assert all(it == deal and hash(it) == hash(deal) and str(it) == str(deal) for it in same)
    assert [set(map(str, hand)) for hand in deal.hands] == [set(hand) for hand in hands]
    assert repr(deal) == f"<Deal {deal}>"


def test_a_deal_never_changes() -> None:
    deal = Deal.random(PEPPER, 1)
    for name in ("hands", "widow", "dead", "_masks", "_deck", "_widow", "other"):
        with pytest.raises(AttributeError):
            setattr(deal, name, None)
    assert deal == Deal.random(PEPPER, 1)


@pytest.mark.parametrize("name", rulebooks())
def test_the_deal_of_a_round_never_changes(name: str) -> None:
    for number in range(6):
        positions = list(random_round(Rules.load(name), f"fixed-{number}"))
        assert {position.state.deal for position in positions} == {positions[0].state.deal}
        dealt = positions[-1].state.deal
        assert dealt == Deal.random(Rules.load(name), f"fixed-{number}")


def test_a_game_deals_each_round_once_and_in_order() -> None:
    asked: list[int] = []

    def deals(number: int) -> Deal:
        asked.append(number)
        return Deal.random(PEPPER, number)

    game = Game.new(PEPPER, deals=deals)
    while len(game.rounds) < 4:
        game = game.apply(game.state.legal[0])
    assert asked == [0, 1, 2, 3, 4]
    assert [state.deal for state in game.rounds] == [Deal.random(PEPPER, number) for number in range(4)]


def test_different_deals_differ() -> None:
    one = Deal.random(PEPPER, 1)
    tiny, hasen = Rules.load("tiny"), Rules.load("hasenpfeffer")
    assert len({one, Deal.random(PEPPER, 2), Deal.random(tiny, 1), Deal.random(hasen, 1)}) == 4
    assert Deal(tiny, ["KH AH", "KS AS"]) != Deal(tiny, ["KS AS", "KH AH"])
    assert one != str(one)


HASEN = ["9C TC JC QC KC AC", "9D TD JD QD KD AD", "9H TH JH QH KH AH", "9S TS JS QS KS AS"]


@pytest.mark.parametrize(
    ("name", "hands", "widow", "words"),
    [
        ("pepper-4", HASEN[:3], None, "There are 3 hands; pepper-4 has 4 players."),
        ("pepper-4", [*HASEN, ""], None, "There are 5 hands; pepper-4 has 4 players."),
        ("pepper-4", ["JO TC JC QC KC AC", *HASEN[1:]], None, "JO is not in the deck of pepper-4: 9C, TC, "),
        ("tiny", ["KH AH", "KC AS"], None, "KC is not in the deck of tiny: KH, AH, KS, AS."),
        ("pepper-4", ["TC TC JC QC KC AC", *HASEN[1:]], None, "TC is dealt twice; every card is dealt once."),
        ("hasenpfeffer", HASEN, "9C", "9C is dealt twice; every card is dealt once."),
        ("pepper-4", ["TC JC QC KC AC", *HASEN[1:]], None, "Seat 0 is dealt 5 cards; it gets 6."),
        ("tiny", ["KH", "AH KS AS"], None, "Seat 0 is dealt 1 cards; it gets 2."),
        ("hasenpfeffer", HASEN, None, "The widow is missing: with the Joker one card is left over."),
        ("pepper-2", ["9C TC JC QC KC AC 9D TD", "9H TH JH QH KH AH 9S TS"], "AS", "The widow AS is one card too many"),
    ],
)
def test_a_deal_that_does_not_fit_is_refused(name: str, hands: list[str], widow: str | None, words: str) -> None:
    with pytest.raises(InvalidDeal) as caught:
        Deal(Rules.load(name), hands, widow)
    assert str(caught.value).startswith(words)


def test_what_is_no_card_is_refused() -> None:
    for text in ("KH AH / KS XX", "KH AH / KS AS + XX"):
        with pytest.raises(InvalidCard, match="XX"):
            Deal.parse(Rules.load("tiny"), text)


@pytest.mark.parametrize(
    ("name", "other"), [("pepper-4", "pepper-2"), ("pepper-4", "hasenpfeffer"), ("tiny", "pepper-4")]
)
def test_a_deal_of_another_rulebook_is_refused(name: str, other: str) -> None:
    deal = Deal.random(Rules.load(other), 1)
    with pytest.raises(InvalidDeal):
        State.new(Rules.load(name), deal=deal)
    with pytest.raises(InvalidDeal):
        Game.new(Rules.load(name), deals=lambda _: deal)
