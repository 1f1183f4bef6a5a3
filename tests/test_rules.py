"""Rulebooks: loaded, written, changed, refused; their decks, actions and tables."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import bigpepper
from bigpepper import Bid, Card, Defend, Discard, InvalidAction, InvalidRules, Name, Pass, Play, Rules, rulebooks
from bigpepper.cards import JOKER, Strain, Suit
from bigpepper.jit import place_of
from bigpepper.records import JOKER_PLACE
from bigpepper.rules import require_rules
from referee import Options, deck, suit_lists
from strategies import SHIPPED, rulebook_options

HASENPFEFFER = Rules.load("hasenpfeffer")


# --- shipped rulebooks --------------------------------------------------------------------------------------------


def test_every_rulebook_file_is_shipped_and_named_as_its_file() -> None:
    folder = Path(bigpepper.__file__).parent / "rulebooks"
    assert sorted(path.stem for path in folder.glob("*.toml")) == sorted(rulebooks())
    assert [Rules.load(name).name for name in rulebooks()] == list(rulebooks())
    assert set(SHIPPED) < set(rulebooks())


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rulebooks_are_those_of_rules_1(name: str) -> None:
    """As the referee's author copied the table by hand."""
    assert Rules.load(name).options() == SHIPPED[name]


def test_tiny() -> None:
    rules = Rules.load("tiny")
    assert (rules.players, rules.cards, len(rules.deck), len(rules.suits), rules.target) == (2, 2, 4, 2, 4)
    assert [str(bid) for bid in rules.bids] == ["1", "2"]


def test_one_among_close_relatives_is_recommended() -> None:
    assert [name for name in rulebooks() if Rules.load(name).recommended] == ["hasenpfeffer-traditional"]


def test_presets_say_what_they_depart_from() -> None:
    assert {name: Rules.load(name).based_on for name in ("iowa", "bid-euchre", "pepper-4")} == {
        "iowa": "pepper-4",
        "bid-euchre": "pepper-4",
        "pepper-4": None,
    }


def test_a_name_is_no_rulebook() -> None:
    require_rules(Rules.load("tiny"))
    with pytest.raises(InvalidRules, match=r"Rules are wanted, not 'tiny'; Rules\.load takes the name"):
        require_rules("tiny")
    with pytest.raises(InvalidRules, match="Rules are wanted, not NoneType"):
        require_rules(None)


def test_an_unknown_rulebook() -> None:
    with pytest.raises(InvalidRules, match=r"There is no rulebook “peper”; there are pepper-4, pepper-3"):
        Rules.load("peper")


# --- as text, as data, changed ------------------------------------------------------------------------------------


@given(options=rulebook_options())
def test_a_rulebook_comes_back_from_its_toml(options: Options) -> None:
    rules = Rules.from_options(options)
    assert Rules.from_toml(rules.to_toml()) == rules
    assert Rules.from_options(rules.options()) == rules
    assert rules.replace() == rules
    again = Rules.from_toml(rules.to_toml())
    assert (again.digest, hash(again)) == (rules.digest, hash(rules))
    assert len(rules.digest) == 64


@pytest.mark.parametrize("name", rulebooks())
def test_shipped_ones_come_back_too(name: str) -> None:
    rules = Rules.load(name)
    assert Rules.from_toml(rules.to_toml()) == rules
    assert Rules.load(name) is rules
    assert pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules) == rules


def test_digests_differ() -> None:
    assert len({Rules.load(name).digest for name in rulebooks()}) == len(rulebooks())
    assert HASENPFEFFER.replace(target=11).digest != HASENPFEFFER.digest


def test_a_rulebook_never_changes() -> None:
    with pytest.raises(AttributeError):
        HASENPFEFFER.target = 11  # type: ignore[misc]


def test_replace_keeps_the_name_and_checks_again() -> None:
    changed = HASENPFEFFER.replace(target=32, round_limit=5)
    assert (changed.name, changed.target, changed.round_limit, HASENPFEFFER.target) == ("hasenpfeffer", 32, 5, 10)
    assert changed.replace(round_limit=None, target=10) == HASENPFEFFER
    with pytest.raises(InvalidRules, match="without the Joker no card is left over"):
        HASENPFEFFER.replace(joker=False)
    with pytest.raises(InvalidRules, match="There is no option targte = 4: did you mean target"):
        HASENPFEFFER.replace(targte=4)


def test_programs_stop_after_200_rounds() -> None:
    assert HASENPFEFFER.for_programs() == HASENPFEFFER.replace(round_limit=200)
    limited = HASENPFEFFER.replace(round_limit=7)
    assert limited.for_programs() is limited


def test_a_rulebook_can_depart_from_a_shipped_one() -> None:
    rules = Rules.from_toml('name = "Home"\nbased_on = "pepper-4"\nrecommended = true\ntarget = 50\n')
    assert (rules.name, rules.based_on, rules.recommended) == ("Home", "pepper-4", True)
    assert rules.options() == Rules.load("pepper-4").options() | {"target": 50}
    assert Rules.from_options(SHIPPED["pepper-4"]).name == "custom"


@pytest.mark.parametrize(
    ("given_header", "key", "right"),
    [
        ({"name": ""}, "name", "it takes up to 40 letters, digits and hyphens"),
        ({"name": "x" * 41}, "name", "it takes up to 40 letters, digits and hyphens"),
        ({"name": "two words"}, "name", "it takes up to 40 letters, digits and hyphens"),
        ({"name": 4}, "name", "it takes up to 40 letters, digits and hyphens"),
        ({"based_on": "peper"}, "based_on", "it takes one of pepper-4, "),
        ({"based_on": 4}, "based_on", "it takes one of pepper-4, "),
        ({"recommended": "yes"}, "recommended", "it takes true or false"),
    ],
)
def test_a_header_that_is_refused(given_header: dict[str, Any], key: str, right: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.from_options({"based_on": "pepper-4", **given_header})
    assert refused.value.key == key
    assert f" cannot be: {right}" in str(refused.value)


def test_text_that_is_no_toml() -> None:
    with pytest.raises(InvalidRules, match=r"The rulebook is not valid TOML: .*line 2"):
        Rules.from_toml("target = 4\nplayers = = 4")


# --- sides, deck, actions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sides"), [("pepper-4", [0, 1, 0, 1]), ("pepper-3", [0, 1, 2]), ("pepper-2", [0, 1]), ("tiny", [0, 1])]
)
def test_sides(name: str, sides: list[int]) -> None:
    rules = Rules.load(name)
    assert [rules.side_of(seat) for seat in range(rules.players)] == sides
    assert (rules.sides, rules.partners, rules.hand_size) == (max(sides) + 1, rules.players == 4, rules.cards)


@given(options=rulebook_options())
def test_deck_and_actions_of_any_rulebook(options: Options) -> None:
    rules = Rules.from_options(options)
    t = rules.tables
    assert sorted(map(str, rules.deck)) == sorted(deck(options))
    assert list(rules.deck) == sorted(rules.deck)
    texts = [str(action) for action in rules.actions]
    assert len(set(texts)) == len(texts) == t.actions <= 87
    assert [rules.number_of[action] for action in rules.actions] == list(range(len(texts)))
    assert all(rules.action(text) == action for text, action in zip(texts, rules.actions, strict=True))
    firsts = [t.first_name, t.defend, t.first_discard, t.first_play]
    kinds = [Name, Defend, Discard, Play]
    for first, kind in zip(firsts, kinds, strict=True):
        found = [number for number, action in enumerate(rules.actions) if isinstance(action, kind)]
        assert found == [] or found[0] == first
    assert rules.actions[0] == Pass()
    assert rules.actions[1 : 1 + t.bids] == rules.bids


def test_actions_of_hasenpfeffer() -> None:
    texts = [str(action) for action in HASENPFEFFER.actions]
    assert " ".join(texts[:16]) == "pass 1 2 3 4 5 6 C D H S C-alone D-alone H-alone S-alone defend"
    assert texts[16:41] == [f"discard-{card}" for card in HASENPFEFFER.deck]
    assert texts[41:] == [str(card) for card in HASENPFEFFER.deck]
    pepper = " ".join(map(str, Rules.load("pepper-3").actions))
    assert pepper.startswith("pass 1 2 3 4 5 6 7 small big C D H S NT 9C TC ")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Pass()),
        (" PASS ", Pass()),
        ("6", Bid("6")),
        ("h", Name(Strain.HEARTS)),
        ("H alone", Name(Strain.HEARTS, True)),
        ("h-ALONE", Name(Strain.HEARTS, True)),
        ("Defend", Defend()),
        ("discard 9C", Discard(Card("9C"))),
        ("discard-10s", Discard(Card("TS"))),
        ("10S", Play(Card("TS"))),
        ("jo", Play(JOKER)),
    ],
)
def test_texts_of_actions(text: str, action: object) -> None:
    assert HASENPFEFFER.action(text) == action


@pytest.mark.parametrize("text", ["", "7", "NT", "big", "discard", "discard-??", "11S", "alone"])
def test_texts_that_are_no_actions(text: str) -> None:
    with pytest.raises(InvalidAction, match="is no action of hasenpfeffer; its actions are pass, 1, 2"):
        HASENPFEFFER.action(text)


# --- suits and tables ---------------------------------------------------------------------------------------------


@given(options=rulebook_options())
def test_suits_in_play_are_those_of_rules_2(options: Options) -> None:
    """The cards of every suit in the referee's order, under every strain that the deck has."""
    rules = Rules.from_options(options)
    held = [str(card) for card in rules.deck]
    for strain in Strain:
        if strain.suit and strain.suit not in rules.suits:
            continue
        suits = rules.suits_in_play(strain)
        for suit, cards in suit_lists(str(strain)).items():
            mine = [str(card) for card in reversed(suits.get(Suit(suit), ()))]
            assert mine == [card for card in cards if card in held], strain
        assert suits.get(None, ()) == ((JOKER,) if rules.joker and strain is Strain.NO_TRUMP else ())


@given(options=rulebook_options())
def test_tables_hold_cards_in_strain_order(options: Options) -> None:
    """Every card has a place, and every place its card and suit; trumps lie above all, the rest suit by suit."""
    rules = Rules.from_options(options)
    t = rules.tables
    for s, strain in enumerate(Strain):
        if strain.suit and strain.suit not in rules.suits:
            assert set(t.card[s]) == {-1}
            continue
        numbers = range(len(rules.deck))
        used = [t.place[s][number] for number in numbers]
        assert len(set(used)) == len(used)
        assert [t.card[s][place] for place in used] == list(numbers)
        assert sum(card >= 0 for card in t.card[s]) == len(used)
        trumps = [place for place in used if t.trump[s] >> place & 1]
        assert min(trumps, default=99) > max([place for place in used if place not in trumps], default=-1)
        for cards in rules.suits_in_play(strain).values():
            mine = [t.place[s][rules.card_number[card]] for card in cards]
            mask = sum(1 << place for place in mine)
            assert mine == sorted(mine)
            if mine == [JOKER_PLACE]:
                assert (t.suit[s][JOKER_PLACE], t.trump[s]) == (0, 1 << JOKER_PLACE)
            else:
                assert mine == list(range(mine[0], mine[0] + len(mine))) if mine else True
                assert all(t.suit[s][place] == mask for place in mine)
                assert place_of(mask) % 16 == 0 if mine else True


def test_a_left_bower_needs_its_suit_and_jacks() -> None:
    tiny = Rules.load("tiny").replace(ranks=["J", "A"], suits=["H", "S"])
    assert list(map(str, tiny.suits_in_play(Strain.HEARTS)[Suit.HEARTS])) == ["AH", "JH"]
    red = tiny.replace(suits=["D", "H"], strains=["D"])
    assert list(map(str, red.suits_in_play(Strain.DIAMONDS)[Suit.DIAMONDS])) == ["AD", "JH", "JD"]
    without = red.replace(ranks=["K", "A"])
    assert list(map(str, without.suits_in_play(Strain.DIAMONDS)[Suit.DIAMONDS])) == ["KD", "AD"]


def test_who_changes_the_suits_changes_only_his_own() -> None:
    suits = HASENPFEFFER.suits_in_play(Strain.HEARTS)
    before = dict(suits)
    suits.clear()
    assert HASENPFEFFER.suits_in_play(Strain.HEARTS) == before != {}


def test_the_tables_of_a_ladder() -> None:
    t = Rules.load("bid-euchre").tables
    assert t.bids_mask == 0b11111001
    assert list(t.bid_tricks[:8]) == [1, 2, 3, 4, 5, 6, 6, 0]
    assert list(t.made_points[:8]) == [0, 0, 0, 0, 0, 0, 12, 0]
    assert list(t.made_each[:8]) == [1, 1, 1, 1, 1, 1, 0, 0]
    assert list(t.failed_points[:8]) == [1, 2, 3, 4, 5, 6, 12, 0]
    assert (t.joker_bid, t.joker, t.round_limit) == (2, -1, 0)
    assert list(Rules.load("hasenpfeffer-peppers").tables.failed_each[:8]) == [1, 1, 1, 1, 1, 1, 2, 0]
