"""Positions as one line of text, for bug reports and solver calls.

A *round so far*: rulebook, dealer, scores, deal, and all that was done. It reads back as the same `State`:

    pepper-4 | dealer 3 | scores 0,0 | 9C … / … / … / … | 0:4 1:pass 2:pass 3:pass 0:H 0:JH

An *ending*: the hands as they are now, without the way there. It reads back as an `Ending`:

    pepper-4 | H | maker 0 | bid 4 | leader 2 | won 2,1,0,0 | JH AH 9C / … / … / … | 2:9H 3:TH

`won` (tricks a seat) may be left out before the first trick is taken, `defend 3` names a lone defender, `H-alone` a
strain with a lone maker; a seat that takes no part has `-` for a hand, and the last field is the trick on the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from bigpepper.actions import Bid, Claim, Name
from bigpepper.cards import Card, Strain, parse_cards
from bigpepper.deal import Deal, cards_of, mask_of
from bigpepper.errors import BigPepperError, IllegalAction
from bigpepper.jit import place_of
from bigpepper.kernel import follow, next_playing, partner_of, play, printed_order, strain_order
from bigpepper.records import PLAY, Round
from bigpepper.rules import Rules, require_rules
from bigpepper.state import State
from bigpepper.text import Message, listed, msg, msgn

_STRAINS: Final = tuple(Strain)


class InvalidPosition(BigPepperError):
    """A position that cannot be read or cannot be; its sentence names the card or the field to blame."""


class Ending:
    """A moment of the play with all cards open, without the way there: what a solver needs. Immutable.

    `hands` a seat (a seat that takes no part has none), `trick` in order from the leader, `won` tricks a seat.
    Raises `InvalidPosition`, naming the card, for what cannot be.
    """

    __slots__ = ("_record", "rules")

    rules: Rules
    _record: Round

    def __init__(
        self,
        rules: Rules,
        name: Name,
        *,
        maker: int,
        bid: Bid,
        leader: int,
        hands: Sequence[str | Sequence[Card]],
        trick: str | Sequence[Card] = (),
        won: Sequence[int] | None = None,
        lone_defender: int | None = None,
    ) -> None:
        require_rules(rules)
        held = [parse_cards(hand) if isinstance(hand, str) else tuple(hand) for hand in hands]
        played = parse_cards(trick) if isinstance(trick, str) else tuple(trick)
        _check_cards(rules, held, played)
        r = _contract(rules, name, maker, bid, lone_defender)
        _check_seat(rules, leader)
        r.leader = r.turn = leader
        _put_hands(rules, r, held, played)
        _put_tricks(rules, r, won)
        _put_trick(rules, r, played)
        self.rules, self._record = rules, r

    @property
    def record(self) -> Round:
        """A copy of the record behind it; what is not known is as if the hands had been dealt like this."""
        return self._record.copy()

    @classmethod
    def of(cls, state: State) -> Ending:
        """What is left to play in a State; its history is forgotten. Raises `InvalidPosition` outside of the play."""
        r = state.record
        if r.phase != PLAY:
            raise InvalidPosition(
                msg("Only a round in play has an ending; this one is in the phase {phase}.", phase=state.phase)
            )
        ending = object.__new__(cls)
        ending.rules, ending._record = state.rules, r
        return ending

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Ending:
        """Read what `str` writes; `rules` for a rulebook that is not shipped. Raises `InvalidPosition`."""
        rules, fields = _head(text, rules)
        return _ending(rules, fields)

    def __str__(self) -> str:
        r, rules = self._record, self.rules
        strain = Name(_STRAINS[r.strain], r.lone >= 0)
        fields = [rules.name, str(strain), f"maker {r.maker}", f"bid {rules.bids[r.bid]}"]
        if r.lone_defender >= 0:
            fields.append(f"defend {r.lone_defender}")
        fields.append(f"leader {r.leader}")
        if any(r.won):
            fields.append("won " + ",".join(map(str, r.won[: rules.players])))
        fields.append(" / ".join(self._hand(seat) for seat in range(rules.players)))
        if r.best:
            fields.append(" ".join(f"{seat}:{card}" for seat, card in self.trick))
        return " | ".join(fields)

    def _hand(self, seat: int) -> str:
        r = self._record
        if not r.playing >> seat & 1:
            return "-"
        return " ".join(map(str, self._cards(r.hands[seat])))

    def _cards(self, mask: int) -> tuple[Card, ...]:
        return cards_of(self.rules, printed_order(self.rules.tables, self._record.strain, mask))

    @property
    def trick(self) -> tuple[tuple[int, Card], ...]:
        """The trick on the table: (seat, card) pairs, the leader's first."""
        r, seat, cards = self._record, self._record.leader, []
        while r.trick[seat]:
            cards.append((seat, self._cards(r.trick[seat])[0]))
            seat = next_playing(r, self.rules.tables, seat)
        return tuple(cards)

    def __repr__(self) -> str:
        return f"<Ending {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ending) and self.rules == other.rules and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))


# --- text -----------------------------------------------------------------------------------------------------------


def parse(text: str, rules: Rules | None = None) -> State | Ending:
    """Read a position of either form; `rules` stands in for the rulebook that the text names.

    Raises `InvalidPosition`, and the errors of a deal, a card or an action that cannot be.
    """
    rules, fields = _head(text, rules)
    if fields and fields[0].startswith("dealer"):
        return _round(rules, fields)
    return _ending(rules, fields)


def line_of(state: State) -> str:
    """A State as one line, from which `parse` makes it again."""
    scores = ",".join(map(str, state.scores))
    return f"{state.rules.name} | dealer {state.dealer} | scores {scores} | {state.deal} | {state}".rstrip(" |")


def _head(text: str, rules: Rules | None) -> tuple[Rules, list[str]]:
    name, *fields = (field.strip() for field in text.strip().split("|"))
    return Rules.load(name) if rules is None else rules, fields


def _refuse(message: Message) -> NoReturn:
    raise InvalidPosition(message)


def _round(rules: Rules, fields: list[str]) -> State:
    """`dealer D | scores a,b | deal | history`; the scores may be left out."""
    dealer, scores = _number(fields[0], "dealer"), None
    rest = fields[1:]
    if rest and rest[0].startswith("scores"):
        scores = _numbers(rest[0], "scores")
        rest = rest[1:]
    if not rest or len(rest) > 2:
        _refuse(msg("After the dealer and the scores come the deal and what was done, each after a “|”."))
    state = State.new(rules, deal=Deal.parse(rules, rest[0]), dealer=dealer, scores=scores)
    for entry in rest[1].split() if len(rest) == 2 else ():
        state = _step(state, entry)
    return state


def _step(state: State, entry: str) -> State:
    """One entry of the history, `seat:action`; the seat may be left out, except that of a claim."""
    seat, _, action = entry.rpartition(":")
    if seat.isdecimal() and action.startswith("claim-"):
        return claimed(state, int(seat), action)
    if seat and seat != str(state.turn):
        _refuse(msg("“{entry}” cannot be: it is seat {turn}'s turn.", entry=entry, turn=state.turn))
    return state.apply(action)


def claimed(state: State, seat: int, text: str) -> State:
    """The end of a round by a claim, which has to be written as the rules would: `claim-4-2-0-0`, tricks a seat.

    Raises `IllegalAction` when it is no claim, `InvalidClaim` when it cannot be.
    """
    rules = state.rules
    tricks = [int(part) for part in text.split("-")[1:] if part.isascii() and part.isdigit() and len(part) < 3]
    if len(tricks) != rules.players or text != str(Claim(tuple(tricks))) or seat >= rules.players:
        raise IllegalAction(
            msg(
                "“{action}” is no claim; a claim gives the tricks left to the seats, such as {right}.",
                action=text,
                right=Claim((0,) * rules.players),
            )
        )
    split = tricks if rules.sides == 3 and tricks[seat] == 0 else None
    after = state.claim(seat, tricks[seat], split)
    right = after.history[-1].action
    if str(right) != text:
        raise IllegalAction(msg("“{given}” is written “{right}”.", given=text, right=right))
    return after


_KEYS: Final = ("maker", "bid", "defend", "leader", "won")


def _ending(rules: Rules, fields: list[str]) -> Ending:
    keyed = {field.split()[0]: field for field in fields if field and field.split()[0] in _KEYS}
    plain = [field for field in fields if field and field not in keyed.values()]
    for key in ("maker", "bid", "leader"):
        if key not in keyed:
            _refuse(msg("The position lacks “{key} …”; it reads: {form}.", key=key, form=_FORM))
    if not 2 <= len(plain) <= 3 or "/" in plain[0]:
        _refuse(msg("The position lacks the strain or the hands; it reads: {form}.", form=_FORM))
    name, bid = rules.action(plain[0]), rules.action(keyed["bid"].removeprefix("bid").strip())
    if not isinstance(name, Name):
        _refuse(
            msg(
                "“{text}” is no strain of {rules}: {names}.", text=plain[0], rules=rules.name, names=listed(rules.names)
            )
        )
    if not isinstance(bid, Bid):
        _refuse(msg("“{text}” is no bid of {rules}: {bids}.", text=bid, rules=rules.name, bids=listed(rules.bids)))
    leader = _number(keyed["leader"], "leader")
    return Ending(
        rules,
        name,
        maker=_number(keyed["maker"], "maker"),
        bid=bid,
        leader=leader,
        hands=["" if hand.strip() == "-" else hand for hand in plain[1].split("/")],
        trick=_trick_cards(plain[2] if len(plain) == 3 else ""),
        won=_numbers(keyed["won"], "won") if "won" in keyed else None,
        lone_defender=_number(keyed["defend"], "defend") if "defend" in keyed else None,
    )


_FORM: Final = "RULES | STRAIN | maker M | bid B | leader L | won … | HANDS | TRICK"


def _trick_cards(text: str) -> tuple[Card, ...]:
    """The cards of `2:9H 3:TH`; the seats follow from the leader and may be left out."""
    return tuple(Card(entry.rpartition(":")[2]) for entry in text.split())


def _number(field: str, key: str) -> int:
    numbers = _numbers(field, key)
    if len(numbers) != 1:
        _refuse(msg("“{field}” should be “{key}” and one number.", field=field, key=key))
    return numbers[0]


def _numbers(field: str, key: str) -> list[int]:
    try:
        return [int(number) for number in field.removeprefix(key).replace(",", " ").split()]
    except ValueError:
        _refuse(msg("“{field}” should be “{key}” and whole numbers with commas.", field=field, key=key))


# --- an ending that can be ------------------------------------------------------------------------------------------


def _check_cards(rules: Rules, hands: Sequence[tuple[Card, ...]], trick: tuple[Card, ...]) -> None:
    if len(hands) != rules.players:
        _refuse(
            msg(
                "There are {given} hands; {rules} has {n} players.", given=len(hands), rules=rules.name, n=rules.players
            )
        )
    seen: set[Card] = set()
    for card in [*(card for hand in hands for card in hand), *trick]:
        if card not in rules.card_number:
            _refuse(
                msg(
                    "{card} is not in the deck of {rules}: {deck}.",
                    card=card,
                    rules=rules.name,
                    deck=listed(rules.deck),
                )
            )
        if card in seen:
            _refuse(msg("{card} is there twice; every card is there once.", card=card))
        seen.add(card)


def _check_seat(rules: Rules, seat: int) -> None:
    if not 0 <= seat < rules.players:
        _refuse(msg("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=rules.players - 1))


def _contract(rules: Rules, name: Name, maker: int, bid: Bid, lone_defender: int | None) -> Round:
    """A record in play under this contract, without cards."""
    for given, among in ((name, rules.names), (bid, rules.bids)):
        if given not in among:
            _refuse(msg("“{text}” is not of {rules}; it has {all}.", text=given, rules=rules.name, all=listed(among)))
    _check_seat(rules, maker)
    r = Round()
    r.phase, r.maker, r.bid, r.strain = PLAY, maker, rules.bids.index(bid), _STRAINS.index(name.strain)
    r.joker_seat = r.lone = r.lone_defender = r.winner = r.claimer = r.widow = r.discarded = -1
    r.playing = (1 << rules.players) - 1
    if name.alone:
        r.lone = maker
        r.playing &= ~(1 << partner_of(maker))
    if lone_defender is not None:
        _check_seat(rules, lone_defender)
        if not name.alone or rules.alone != "makers-and-defender" or (lone_defender - maker) % 2 == 0:
            _refuse(msg("Seat {seat} cannot defend alone: a defender can, against a lone maker.", seat=lone_defender))
        r.lone_defender = lone_defender
        r.playing &= ~(1 << partner_of(lone_defender))
    return r


def _put_hands(rules: Rules, r: Round, hands: Sequence[tuple[Card, ...]], trick: tuple[Card, ...]) -> None:
    """Everybody's cards as before the trick on the table; each playing seat has the same number of them."""
    if not r.playing >> r.leader & 1:
        _refuse(msg("Seat {seat} takes no part in the play and cannot lead.", seat=r.leader))
    before = [list(hand) for hand in hands]
    seat = r.leader
    if len(trick) >= r.playing.bit_count():
        _refuse(msg("The trick {cards} is complete; a position is given between two cards.", cards=listed(trick)))
    for card in trick:
        before[seat].append(card)
        seat = next_playing(r, rules.tables, seat)
    r.left = _usual_count(r, before)
    for seat, cards in enumerate(before):
        _check_count(rules, r, seat, len(cards), len(hands[seat]))
        r.dealt[seat] = mask_of(rules, cards)
        r.hands[seat] = strain_order(rules.tables, r.strain, r.dealt[seat])


def _usual_count(r: Round, hands: Sequence[Sequence[Card]]) -> int:
    """How many cards most of the playing seats have; where there is no majority, the leader's number."""
    counts = [len(cards) for seat, cards in enumerate(hands) if r.playing >> seat & 1]
    return max([len(hands[r.leader]), *counts], key=counts.count)


def _check_count(rules: Rules, r: Round, seat: int, before: int, now: int) -> None:
    right = r.left if r.playing >> seat & 1 else 0
    if before != right:
        _refuse(
            msgn(
                "Seat {seat} has {n} card and should have {right}: the others had {left} when this trick began.",
                "Seat {seat} has {n} cards and should have {right}: the others had {left} when this trick began.",
                now,
                seat=seat,
                right=right - (before - now),
                left=r.left,
            )
        )
    if not 1 <= r.left <= rules.cards:
        _refuse(
            msg(
                "Seat {seat} has {n} cards; a hand of {rules} has 1 to {most}.",
                seat=seat,
                n=r.left,
                rules=rules.name,
                most=rules.cards,
            )
        )


def _put_tricks(rules: Rules, r: Round, won: Sequence[int] | None) -> None:
    taken = rules.cards - r.left
    tricks = [0] * rules.players if won is None else list(won)
    if (
        len(tricks) != rules.players
        or min(tricks) < 0
        or sum(tricks) != taken
        or (won is not None and _idle_won(r, tricks))
    ):
        _refuse(
            msg(
                "“won {tricks}” cannot be: with {left} cards left {n} tricks have been taken, by those who play, "
                "one number a seat.",
                tricks=listed(tricks),
                left=r.left,
                n=taken,
            )
        )
    r.won[: rules.players] = tricks


def _idle_won(r: Round, tricks: Sequence[int]) -> bool:
    return any(n and not r.playing >> seat & 1 for seat, n in enumerate(tricks))


def _put_trick(rules: Rules, r: Round, trick: tuple[Card, ...]) -> None:
    for card in trick:
        bit = strain_order(rules.tables, r.strain, 1 << rules.card_number[card])
        may = follow(r.hands[r.turn], r.led)
        if not bit & may:
            legal = cards_of(rules, printed_order(rules.tables, r.strain, may))
            _refuse(
                msg(
                    "Seat {seat} could not play {card}: it had to follow suit with {cards}.",
                    seat=r.turn,
                    card=card,
                    cards=listed(legal),
                )
            )
        play(r, rules.tables, bit, place_of(bit))
