"""What is said at the table: vectors for the wording, and laws that hold at every moment of random games."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest

import bigpepper as bp
import referee
from bigpepper import explain
from bigpepper.explain import terms

NAMES = ("Anna", "Bell", "Paprika", "Habanero")
SHIPPED = [bp.Rules.load(name) for name in bp.rulebooks()]
HOUSE = [
    bp.Rules.load("pepper-4").replace(all_pass="stick-dealer", minimum_bid="2", target=12),
    bp.Rules.load("hasenpfeffer").replace(
        strains=["C", "H", "NT"], widow="dead", alone="makers", all_pass="same-dealer"
    ),
    bp.Rules.load("hasenpfeffer-traditional").replace(strains=["D", "NT"], alone_stakes=3),
]
ids = [*bp.rulebooks(), "stick", "dead-widow", "joker-at-no-trump"]


def states(rules: bp.Rules, rounds: int, seed: int = 1) -> Iterator[bp.State]:
    """Every state of some random rounds."""
    dice = Random(seed)
    for number in range(rounds):
        state = bp.State.new(rules, seed=f"{seed}/{number}", dealer=number % rules.players)
        yield state
        while not state.is_over:
            passing = bp.Pass() in state.legal and dice.random() < 0.6
            state = state.apply(bp.Pass() if passing else dice.choice(state.legal))
            yield state


def after(rules: bp.Rules, hands: list[str], actions: str, dealer: int, widow: str | None = None) -> bp.State:
    state = bp.State.new(rules, deal=bp.Deal(rules, hands, widow=widow), dealer=dealer)
    for action in actions.split():
        state = state.apply(action)
    return state


PEPPER = bp.Rules.load("pepper-4")
HANDS = ["JH JD AD 9C TC QC", "AH KH QH 9D TD QD", "TH 9H AC KC JC KD", "AS KS QS JS TS 9S"]
"""Seat 0 holds both bowers of hearts and the ace of diamonds; seat 3 holds spades alone."""


def position(actions: str, dealer: int = 3) -> bp.State:
    return after(PEPPER, HANDS, actions, dealer)


LEFT_BOWER_LED = (
    "The jack of diamonds was led. It is the left bower and belongs to hearts: you must follow with a trump."
)


# --- wording ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "seat", "line", "turn"),
    [
        ("", 0, "Nobody has bid yet", "Your bid."),
        ("", 1, "Nobody has bid yet", "Anna is to bid."),
        ("2", 0, "You: 2 so far", "Bell is to bid."),
        ("2 big", 0, "Bell: Big Pepper, trumps not named yet", "Bell is to name trumps."),
        ("2 big", 1, "You: Big Pepper, trumps not named yet", "Name the trump suit or no-trump."),
        ("4 pass pass pass H", 0, "You: 4 in hearts, 0 of 4 taken", "Your lead."),
        ("4 pass pass pass H", 2, "Your partner Anna: 4 in hearts, 0 of 4 taken", "Anna is to lead."),
        ("4 pass pass pass H JH", 1, "Anna: 4 in hearts, 0 of 4 taken", "Your turn."),
        ("4 pass pass pass NT JH", None, "Anna: 4 in no-trump, 0 of 4 taken", "Bell is to play."),
        ("1 pass pass pass H JH QH 9H 9S", 0, "You: 1 in hearts, made: 1 taken", "Your lead."),
        ("big H JH QH 9H 9S", 0, "You: Big Pepper in hearts, 1 of 6 taken", "Your lead."),
        ("big S 9C 9D KC 9S", 2, "Your partner Anna: Big Pepper in spades, lost: 0 of 6 taken", "Habanero is to lead."),
        ("pass pass pass pass", 0, "Everybody passed", "The round is over."),
    ],
)
def test_the_contract_and_the_turn(actions: str, seat: int | None, line: str, turn: str) -> None:
    observation = position(actions).observation(seat)
    assert str(explain.contract_line(observation, NAMES)) == line
    assert str(explain.turn_line(observation, NAMES)) == turn


@pytest.mark.parametrize(
    ("actions", "seat", "action", "reason"),
    [
        ("4 pass pass pass H JH", 1, "9D", "Hearts are trumps and were led: you must follow."),
        ("4 pass pass pass H 9C", 2, "KD", "It is not your turn: Bell is to play."),
        ("4 pass pass pass C 9C 9D", 2, "KD", "Clubs are trumps and were led: you must follow."),
        ("4 pass pass pass NT JD QD", 2, "AC", "Diamonds were led: you must follow."),
        ("4 pass pass pass H JD", 1, "9D", LEFT_BOWER_LED),
        ("pass 3 pass pass", 0, "2", "Bell has bid 3: bid higher, or pass."),
        ("", 0, "JH", "First the bidding: bid or pass."),
        ("4 pass pass pass", 0, "JH", "First name trumps."),
        ("4 pass pass pass H", 0, "5", "Now a card is to be played."),
        ("4 pass pass pass H", 0, "AS", "You do not hold the ace of spades."),
        ("pass pass pass pass", 0, "AS", "The round is over."),
    ],
)
def test_why_something_is_not_legal(actions: str, seat: int, action: str, reason: str) -> None:
    assert str(explain.why_not(position(actions).observation(seat), PEPPER.action(action), NAMES)) == reason


def test_the_left_bower_is_explained_both_ways() -> None:
    """Rules §7: J♦ does not follow diamonds when hearts are trumps, and is forced when hearts are led."""
    hands = ["AH KH QH TH AS KS", "JD 9D AC KC QC TC", "JH 9H AD KD QD TD", "JC 9C JS QS TS 9S"]
    led = after(PEPPER, hands, "4 pass pass pass H AH", 3).observation(1)
    forced = explain.why_not(led, PEPPER.action("9D"), NAMES)
    assert str(forced) == "Trumps were led, and your jack of diamonds is the left bower, a trump: you must play it."
    state = after(PEPPER, hands, "pass pass 4 pass pass pass H AD JC KS", 3).observation(1)
    text = "The jack of diamonds is the left bower and belongs to hearts, the trumps. You must follow diamonds."
    assert str(explain.why_not(state, PEPPER.action("JD"), NAMES)) == text


def test_forced_bids_are_explained() -> None:
    joker = bp.Rules.load("hasenpfeffer-traditional")
    hands = ["JO 9C TC JC QC KC", "AC 9D TD JD QD KD", "AD 9H TH JH QH KH", "AH 9S TS JS QS KS"]
    state = after(joker, hands, "pass pass pass pass", 3, "AS")
    assert str(explain.turn_line(state.observation(0), NAMES)) == (
        "Everybody passed and you hold the Joker: you must bid 3."
    )
    assert str(explain.why_not(state.observation(0), joker.action("4"), NAMES)).endswith("you must bid 3.")
    assert str(explain.turn_line(state.observation(1), NAMES)) == (
        "Everybody passed and Anna holds the Joker: Anna must bid."
    )
    assert str(explain.action_line(state.apply("3").observation(1), -1, NAMES)) == "Anna holds the Joker and bids 3."
    stick = HOUSE[0]
    forced = after(stick, HANDS, "pass pass pass", 3).observation(3)
    assert str(explain.why_not(forced, bp.Pass(), NAMES)) == "Everybody passed and you are the dealer: you must bid."
    assert str(explain.why_not(forced, stick.action("1"), NAMES)) == "The lowest bid is 2."


def test_a_trump_is_not_discarded_without_a_warning() -> None:
    rules = bp.Rules.load("hasenpfeffer")
    hands = ["JO JH JD 9H 9C TC", "AC 9D TD JC QD KD", "AD AH TH QC QH KH", "KC 9S TS JS QS KS"]
    state = after(rules, hands, "6 H", 3, "AS").observation(0)
    warned = {str(card): str(explain.discard_warning(state, card)) for card in state.hand}
    assert warned == {
        "9C": "None",
        "TC": "None",
        "AS": "None",
        "9H": "The nine of hearts is a trump. Discard it all the same?",
        "JD": "The left bower (jack of diamonds) is a high trump. Discard it all the same?",
        "JH": "The right bower (jack of hearts) is a high trump. Discard it all the same?",
        "JO": "The Joker is the highest card of all. Discard it all the same?",
    }
    assert str(explain.widow_line(state, NAMES)) == "You take the widow: the ace of spades."


def test_actions_in_words() -> None:
    rules = bp.Rules.load("hasenpfeffer")
    hands = ["JO JH JD 9H 9C TC", "AC 9D TD JC QD KD", "AD AH TH QC QH KH", "KC 9S TS JS QS KS"]
    state = after(rules, hands, "pass 2 3 pass 5 pass pass pass H-alone discard-9C pass defend KS AS", 3, "AS")
    told = [str(line) for line in explain.history_lines(state.observation(0), NAMES)]
    assert told == [
        "You pass.",
        "Bell bids 2.",
        "Paprika bids 3.",
        "Habanero passes.",
        "You bid 5.",
        *("Bell passes.", "Paprika passes.", "Habanero passes."),
        "You name hearts and go alone.",
        "You discard the nine of clubs, face down.",
        "Bell does not defend alone.",
        "Habanero defends alone.",
        "Habanero plays the king of spades.",
        "You play the ace of spades.",
    ]
    for number in range(-len(told), len(told)):
        assert str(explain.action_line(state.observation(0), number, NAMES)) == told[number]
    other = [str(line) for line in explain.history_lines(state.observation(1), NAMES)]
    assert other[8:11] == [
        "Anna names hearts and goes alone.",
        "Anna discards a card, face down.",
        "You do not defend alone.",
    ]
    assert str(explain.contract_line(state.observation(2), NAMES)).startswith("Your partner Anna: 5 in hearts, alone, ")


def test_the_winner_of_a_trick_is_named_with_the_card() -> None:
    state = position("4 pass pass pass H JD QH TH")
    observation = state.observation(0)
    assert observation.trick
    assert str(explain.trick_line(observation, observation.trick, NAMES)) == (
        "Your left bower (jack of diamonds) is winning."
    )
    done = state.apply("9S").observation(1)
    assert str(explain.trick_line(done, done.tricks[0], NAMES)) == (
        "Anna takes the trick with the left bower (jack of diamonds)."
    )


# --- laws -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*SHIPPED, *HOUSE], ids=ids)
def test_a_reason_is_given_exactly_for_what_is_not_legal(rules: bp.Rules) -> None:
    for state in states(rules, 2):
        if state.turn is None:
            continue
        observation = state.observation(state.turn)
        refused = {action for action in rules.actions if explain.why_not(observation, action, NAMES) is not None}
        assert refused == set(rules.actions) - set(state.legal)


@pytest.mark.parametrize("rules", [*SHIPPED, *HOUSE], ids=ids)
def test_every_moment_has_words_for_everybody(rules: bp.Rules) -> None:
    """Whole sentences, nothing left unfilled, and no word about cards that the seat does not know."""
    for state in states(rules, 2):
        for seat in [*range(rules.players), None]:
            observation = state.observation(seat)
            lines = said(observation)
            assert all(re.fullmatch(r"[^{}]*[.?]", line) and "None" not in line for line in lines), lines
            assert "discards a" in " ".join(lines) or seat == state.maker or state.discarded is None


def said(observation: bp.Observation) -> list[str]:
    tricks = [*observation.tricks, *([observation.trick] if observation.trick else [])]
    widow = explain.widow_line(observation, NAMES)
    lines = [
        explain.turn_line(observation, NAMES),
        *explain.history_lines(observation, NAMES),
        *(explain.trick_line(observation, trick, NAMES) for trick in tricks if trick.cards),
        *explain.score_lines(observation, NAMES),
        explain.standing_line(observation.rules, observation.scores, NAMES, observation.seat),
        *([widow] if widow else []),
    ]
    labels = [explain.choice_name(observation, action) for action in observation.legal]
    return [str(line) for line in lines] + [f"{line}." for line in [*labels, explain.contract_line(observation, NAMES)]]


def test_choices_at_one_moment_all_read_differently() -> None:
    for rules in [*SHIPPED, *HOUSE]:
        for state in states(rules, 2):
            if state.turn is not None:
                observation = state.observation(state.turn)
                assert len({str(explain.choice_name(observation, a)) for a in state.legal}) == len(state.legal)


@pytest.mark.parametrize("rules", [*SHIPPED, *HOUSE], ids=ids)
@pytest.mark.parametrize("strain", [None, *bp.Strain])
def test_a_hand_is_held_by_suit_in_play(rules: bp.Rules, strain: bp.Strain | None) -> None:
    if strain and strain.suit and strain.suit not in rules.suits:
        return
    lists = referee.suit_lists(strain or "NT")
    for seed in range(8):
        hand = Random(seed).sample(rules.deck, min(8, len(rules.deck)))
        groups = explain.hand_order(rules, hand, strain)
        assert sorted(card for group in groups for card in group) == sorted(hand)
        suits = [referee.suit_of(str(group[0]), strain or "NT") for group in groups]
        for suit, group in zip(suits, groups, strict=True):
            assert {referee.suit_of(str(card), strain or "NT") for card in group} == {suit}
            assert list(group) == sorted(group, key=lambda card: lists[suit].index(str(card)) if suit else 0)
        assert len(set(suits)) == len(suits)
        trump = strain.suit if strain else None
        assert trump not in suits or suits[0] == trump
        assert alike(suits) == min(
            alike(row) for row in permutations(suits) if row[0] == suits[0] or trump not in suits
        )


def alike(row: Iterable[str | None]) -> int:
    """Neighbours of one colour."""
    return sum(1 for a, b in pairwise(row) if a and b and referee.SAME_COLOUR[a] == b)


def test_bowers_are_what_the_rules_say() -> None:
    rules = bp.Rules.load("hasenpfeffer")
    for strain in bp.Strain:
        names = [str(explain.card_name_in(rules, card, strain)) for card in rules.deck]
        assert sum("right bower" in name for name in names) == sum("left bower" in name for name in names)
        assert sum("bower" in name for name in names) == (2 if strain.suit else 0)
        if strain.suit:
            high = [str(card) for card in reversed(terms.trumps(rules, strain))]
            assert high == referee.suit_lists(strain)[strain]


def test_every_card_has_a_name_of_its_own() -> None:
    deck = bp.Rules.load("hasenpfeffer").deck
    assert len({str(explain.card_name(card)) for card in deck}) == len({explain.card_sign(card) for card in deck}) == 25
    assert [explain.card_sign(bp.Card(text)) for text in ("TH", "9C", "JO")] == ["10♥", "9♣", "Joker"]


def test_sentences_for_a_seat_know_no_state() -> None:
    """What speaks to a seat is not even able to read the whole truth."""
    folder = Path(explain.__file__).parent
    for name in ("table", "legal", "score", "terms", "order"):
        tree = ast.parse((folder / f"{name}.py").read_text("utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert imported.isdisjoint(
            {"bigpepper.state", "bigpepper.worlds", "bigpepper.game", "bigpepper.explain.examples"}
        )
