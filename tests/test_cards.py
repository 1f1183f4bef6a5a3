"""Cards and actions: their text forms, and what values they are."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bigpepper as bp
from bigpepper.actions import Bid, Claim, Defend, Discard, Name, Pass, Play, Turn
from bigpepper.cards import JOKER, RANKS, Card, Strain, Suit, parse_cards

CARDS = [Card(rank + suit) for suit in "CDHS" for rank in "9TJQKA"] + [Card("JO")]
ACTIONS = [
    Pass(),
    Defend(),
    *(Bid(name) for name in ("1", "4", "small", "big", "five-or-six")),
    *(Name(strain, alone) for strain in Strain for alone in (False, True)),
    *(kind(card) for kind in (Play, Discard) for card in CARDS),
    Discard(None),
]
VALUES: list[Any] = [*CARDS, *ACTIONS, *Suit, *Strain, Claim((1, 0, 2)), Turn(2, Play(Card("JH")))]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_values_survive_repr_copy_and_pickle(value: Any) -> None:
    names = {name: getattr(bp, name) for name in bp.__all__}
    again = [eval(repr(value), names), copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]
    assert all(type(it) is type(value) and it == value and hash(it) == hash(value) for it in again)


@pytest.mark.parametrize("value", [*CARDS, *ACTIONS], ids=str)
def test_texts_are_short_and_without_spaces(value: Any) -> None:
    assert 1 <= len(str(value)) <= 12
    assert not set(str(value)) & set(" \t,/+:")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Pass(), "pass"),
        (Bid("4"), "4"),
        (Name(Strain.HEARTS), "H"),
        (Name(Strain.NO_TRUMP), "NT"),
        (Name(Strain.HEARTS, alone=True), "H-alone"),
        (Defend(), "defend"),
        (Discard(Card("9C")), "discard-9C"),
        (Discard(None), "discard-??"),
        (Play(Card("JH")), "JH"),
        (Play(JOKER), "JO"),
        (Claim((3, 0)), "claim-3-0"),
        (Turn(1, Bid("big")), "1:big"),
    ],
)
def test_texts_of_actions(action: Any, text: str) -> None:
    assert str(action) == text


def test_different_values_differ() -> None:
    assert len({str(action) for action in ACTIONS}) == len(set(ACTIONS)) == len(ACTIONS)
    assert len({str(card) for card in CARDS}) == len(set(CARDS)) == 25


def test_a_card_is_one_shared_constant_that_never_changes() -> None:
    for card in CARDS:
        assert Card(str(card)) is card is copy.deepcopy(card) is pickle.loads(pickle.dumps(card))
        for name in ("text", "rank", "suit"):
            with pytest.raises(AttributeError):
                setattr(card, name, getattr(card, name))


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_actions_never_change(action: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        action.card = Card("9C")


def test_rank_and_suit_make_the_text() -> None:
    for card in CARDS[:-1]:
        assert card.suit is not None
        assert (card.rank + card.suit, card.is_joker) == (str(card), False)
        assert card.rank in RANKS
    assert (JOKER.rank, JOKER.suit, JOKER.is_joker) == ("", None, True)


def test_cards_are_ordered_as_in_the_printed_deck() -> None:
    backwards = CARDS[::-1]
    assert sorted(backwards) == CARDS
    assert "".join(dict.fromkeys(card.suit or "" for card in sorted(CARDS))) == "CDHS"


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_cards_are_read_as_people_write_them(card: Card) -> None:
    for text in (str(card), str(card).lower(), f" {card} ", str(card).replace("T", "10")):
        assert Card(text) is card


@given(st.text(max_size=4))
def test_any_other_text_is_no_card(text: str) -> None:
    known = {str(card) for card in CARDS}
    if text.strip().upper().replace("10", "T") in known:
        assert str(Card(text)) in known
        return
    with pytest.raises(bp.InvalidCard) as caught:
        Card(text)
    assert f"“{text}”" in str(caught.value)
    assert "JO" in str(caught.value)


def test_what_is_no_text_is_no_card() -> None:
    for value in (None, 9, ("9", "C")):
        with pytest.raises(bp.InvalidCard):
            Card(value)  # type: ignore[arg-type]


def test_several_cards_are_read_at_once() -> None:
    assert parse_cards(" 9C, tc JO ") == (Card("9C"), Card("TC"), JOKER)
    assert parse_cards("") == ()
    with pytest.raises(bp.InvalidCard):
        parse_cards("9C XX")


def test_colour_partners() -> None:
    assert {suit: suit.colour_partner for suit in Suit} == {
        Suit.CLUBS: Suit.SPADES,
        Suit.SPADES: Suit.CLUBS,
        Suit.DIAMONDS: Suit.HEARTS,
        Suit.HEARTS: Suit.DIAMONDS,
    }


def test_strains_are_the_suits_and_no_trump() -> None:
    assert [strain.suit for strain in Strain] == [*Suit, None]
    assert [str(strain) for strain in Strain] == ["C", "D", "H", "S", "NT"]
