"""Deals as data, and the one generator of deals.

A deal is fixed before the first bid and never changes. The generator is an HMAC-SHA256 counter: the same key and round
give the same deal on every platform. `shuffle` is the counter of compiled batches, which hand their deals back as data.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final, TypeAlias

from bigpepper.cards import Card, parse_cards
from bigpepper.errors import InvalidDeal, InvalidGame
from bigpepper.jit import share
from bigpepper.options import is_whole, shown
from bigpepper.records import Round, Tables
from bigpepper.rules import Rules, require_rules
from bigpepper.text import listed, msg

Seed: TypeAlias = int | str | bytes
Deals: TypeAlias = Callable[[int], "Deal"]
"""The deal of each round of a game, 0, 1, 2, …"""


class Deal:
    """Who is dealt which card: immutable, checked against its rulebook, equal when all cards are the same.

    `Deal(rules, ["9C TC …", …], widow="JO")`: a hand a seat, as text or as cards in any order. Cards that nobody is
    dealt are the dead hand, where the rulebook has one. Raises `InvalidDeal`, `InvalidCard`.
    """

    __slots__ = ("_deck", "_masks", "_widow")

    _deck: tuple[Card, ...]
    _masks: tuple[int, ...]  # a seat, in printed order
    _widow: int  # number in the printed deck; -1 none

    def __init__(self, rules: Rules, hands: Sequence[str | Sequence[Card]], widow: str | Card | None = None) -> None:
        require_rules(rules)
        dealt = [_cards(hand) for hand in hands]
        odd = None if widow is None else Card(widow)
        _check(rules, dealt, odd)
        self._set(rules.deck, tuple(mask_of(rules, hand) for hand in dealt), rules.card_number[odd] if odd else -1)

    def _set(self, deck: tuple[Card, ...], masks: tuple[int, ...], widow: int) -> None:
        object.__setattr__(self, "_deck", deck)
        object.__setattr__(self, "_masks", masks)
        object.__setattr__(self, "_widow", widow)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Deal never changes: {name}")

    @classmethod
    def random(cls, rules: Rules, seed: Seed) -> Deal:
        """The deal of the first round under `seed`; the same on every platform."""
        return DealStream(rules, seed)(0)

    @classmethod
    def from_masks(cls, rules: Rules, hands: Sequence[int], widow: int) -> Deal:
        """The deal of a record: masks of printed cards a seat, and the widow's number (-1 none). Not checked."""
        deal = object.__new__(cls)
        deal._set(rules.deck, tuple(hands[: rules.players]), widow)
        return deal

    @classmethod
    def parse(cls, rules: Rules, text: str) -> Deal:
        """Read what `str` writes: hands with `/` between them, then `+` and the widow."""
        body, _, widow = text.partition("+")
        return cls(rules, body.split("/"), widow.strip() or None)

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The hand of each seat, in the order of the printed deck."""
        return tuple(_cards_in(self._deck, mask) for mask in self._masks)

    @property
    def widow(self) -> Card | None:
        """The widow's card, where the rulebook has one."""
        return self._deck[self._widow] if self._widow >= 0 else None

    @property
    def dead(self) -> tuple[Card, ...]:
        """The dead hand, in the order of the printed deck; empty where the rulebook has none."""
        used = sum(self._masks) | (1 << self._widow if self._widow >= 0 else 0)
        return _cards_in(self._deck, (1 << len(self._deck)) - 1 & ~used)

    def fits(self, rules: Rules) -> bool:
        """Whether it is a deal of this rulebook's deck, for its players and hand size."""
        sizes = [mask.bit_count() for mask in self._masks]
        return self._deck == rules.deck and sizes == [rules.cards] * rules.players

    def put_into(self, r: Round) -> None:
        """Write the deal into a record, which `kernel.start` then begins."""
        r.dealt[: len(self._masks)] = self._masks
        r.widow = self._widow

    def __str__(self) -> str:
        hands = " / ".join(" ".join(map(str, hand)) for hand in self.hands)
        return f"{hands} + {self.widow}" if self.widow else hands

    def __repr__(self) -> str:
        return f"<Deal {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self._masks, self._widow))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, self._key()

    def _key(self) -> tuple[tuple[Card, ...], tuple[int, ...], int]:
        return self._deck, self._masks, self._widow


def _restore(deck: tuple[Card, ...], masks: tuple[int, ...], widow: int) -> Deal:
    deal = object.__new__(Deal)
    deal._set(deck, masks, widow)
    return deal


def mask_of(rules: Rules, cards: Sequence[Card]) -> int:
    """Cards → their mask in printed order."""
    return sum(1 << rules.card_number[card] for card in cards)


def cards_of(rules: Rules, mask: int) -> tuple[Card, ...]:
    """A mask in printed order → its cards, in that order."""
    return _cards_in(rules.deck, mask)


def _cards_in(deck: tuple[Card, ...], mask: int) -> tuple[Card, ...]:
    return tuple(card for number, card in enumerate(deck) if mask >> number & 1)


def _cards(hand: str | Sequence[Card]) -> tuple[Card, ...]:
    return parse_cards(hand) if isinstance(hand, str) else tuple(Card(card) for card in hand)


def _check(rules: Rules, hands: Sequence[tuple[Card, ...]], widow: Card | None) -> None:
    """Refuse a deal that does not fit the rulebook."""
    if len(hands) != rules.players:
        raise InvalidDeal(
            msg(
                "There are {given} hands; {rules} has {n} players.", given=len(hands), rules=rules.name, n=rules.players
            )
        )
    _check_cards(rules, [*(card for hand in hands for card in hand), *((widow,) if widow else ())])
    for seat, hand in enumerate(hands):
        if len(hand) != rules.cards:
            raise InvalidDeal(
                msg("Seat {seat} is dealt {given} cards; it gets {n}.", seat=seat, given=len(hand), n=rules.cards)
            )
    if rules.joker and widow is None:
        raise InvalidDeal(msg("The widow is missing: with the Joker one card is left over."))
    if not rules.joker and widow is not None:
        raise InvalidDeal(msg("The widow {card} is one card too many: {rules} has none.", card=widow, rules=rules.name))


def _check_cards(rules: Rules, cards: Sequence[Card]) -> None:
    seen: set[Card] = set()
    for card in cards:
        if card not in rules.card_number:
            raise InvalidDeal(
                msg(
                    "{card} is not in the deck of {rules}: {deck}.",
                    card=card,
                    rules=rules.name,
                    deck=listed(rules.deck),
                )
            )
        if card in seen:
            raise InvalidDeal(msg("{card} is dealt twice; every card is dealt once.", card=card))
        seen.add(card)


# --- the generator --------------------------------------------------------------------------------------------------


class DealStream:
    """The deals of a game, by its seed: `stream(round)`; a pure function of rulebook, seed and round.

    A seed (a number, a text or bytes) becomes a key by SHA-256. Block j of round i is
    HMAC-SHA256(key, "deal" · i · j) with i and j as 8 bytes, big end first. Its bytes, in turn, shuffle the printed
    deck: for n from its size down to 2, a byte below 256 - 256 mod n (others are skipped) names, mod n, the card that
    changes places with the n-th. Then the seats get their hands from the front, 0 first, the dead hand follows, and
    the widow is last.
    """

    __slots__ = ("_key", "_rules")

    def __init__(self, rules: Rules, seed: Seed) -> None:
        require_rules(rules)
        self._rules = rules
        self._key = key_of(seed)

    @property
    def rules(self) -> Rules:
        """The rulebook whose deck is dealt."""
        return self._rules

    def __call__(self, round: int) -> Deal:
        """The deal of round 0, 1, 2, …"""
        deck = list(range(len(self.rules.deck)))
        random = self._bytes(b"deal", round)
        for n in range(len(deck), 1, -1):
            limit = 256 - 256 % n
            byte = next(random)
            while byte >= limit:
                byte = next(random)
            deck[n - 1], deck[byte % n] = deck[byte % n], deck[n - 1]
        size, players = self.rules.cards, self.rules.players
        hands = (deck[seat * size : (seat + 1) * size] for seat in range(players))
        masks = tuple(sum([1 << card for card in hand]) for hand in hands)
        return _restore(self.rules.deck, masks, deck[-1] if self.rules.joker else -1)

    def first_dealer(self) -> int:
        """The seat that deals the first round, by the bytes of "dealer" instead of "deal"."""
        players = self.rules.players
        return next(byte for byte in self._bytes(b"dealer", 0) if byte < 256 - 256 % players) % players

    def _bytes(self, label: bytes, round: int) -> Iterator[int]:
        label += round.to_bytes(8, "big")
        block = 0
        while True:
            yield from hmac.digest(self._key, label + block.to_bytes(8, "big"), "sha256")
            block += 1


def key_of(seed: Seed) -> bytes:
    """The key of a seed: SHA-256 of `bigpepper:` and the number or text, or of `bigpepper-bytes:` and the bytes.

    Raises `InvalidGame` for what is no whole number, text or bytes, and for a text that UTF-8 cannot hold.
    """
    if isinstance(seed, bytes):
        return sha256(b"bigpepper-bytes:" + seed).digest()
    if is_whole(seed) or isinstance(seed, str):
        with suppress(ValueError):  # thousands of digits, or half of a surrogate pair
            return sha256(f"bigpepper:{seed}".encode()).digest()
    raise InvalidGame(
        msg(
            "This is no seed: {seed}. It takes a whole number (up to 4000 digits), a text or bytes.",
            seed=shown(seed),
        )
    )


# --- deals of compiled batches --------------------------------------------------------------------------------------

MASK62: Final = (1 << 62) - 1


@share
def mix(seed: int, counter: int) -> int:
    """A random number of 62 bits, the same in plain Python and compiled; seed and counter from 0 to 2⁶² - 1.

    A Weyl step and two rounds of multiply and shift, as in SplitMix64, on 62 bits.
    """
    z = (seed + counter * 0x1E3779B97F4A7C15) & MASK62
    z = ((z ^ (z >> 30)) * 0x3F58476D1CE4E5B9) & MASK62
    z = ((z ^ (z >> 27)) * 0x14D049BB133111EB) & MASK62
    return z ^ (z >> 31)


@share
def below(random: int, n: int) -> int:
    """A number from 0 to n - 1, n < 2³⁰, of a random number of 62 bits; its bias is below n / 2³¹."""
    return ((random >> 31) * n) >> 31


@share
def shuffle(r: Round, t: Tables, seed: int) -> None:
    """Write a deal into `r.dealt` and `r.widow`: each card goes to one of the places that are still free."""
    hands = t.players * t.hand_size
    widow = 1 if t.joker >= 0 else 0
    free = 0  # how many cards each seat still gets, 4 bits a seat
    for seat in range(4):
        r.dealt[seat] = 0
        if seat < t.players:
            free |= t.hand_size << 4 * seat
    r.widow = -1
    for card in range(t.deck_size):
        k = below(mix(seed, card), t.deck_size - card)
        if k < hands:
            seat = 0
            while k >= free >> 4 * seat & 15:
                k -= free >> 4 * seat & 15
                seat += 1
            r.dealt[seat] |= 1 << card
            free -= 1 << 4 * seat
            hands -= 1
        elif k < hands + widow:
            r.widow = card
            widow = 0
