"""Rulebooks: a frozen value for each, what would contradict itself, and the tables that the kernel plays by.

A rulebook is data (`rulebooks/*.toml`) with the options of rules §6. What is refused is refused with a sentence that
names the option, the value given and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from bigpepper import records
from bigpepper.actions import Action, Bid, Defend, Discard, Name, Pass, Play
from bigpepper.cards import JOKER, Card, Strain, Suit
from bigpepper.errors import InvalidAction, InvalidRules
from bigpepper.options import OPTIONS, Rung, check_keys, in_place, read_options, refuse, rung_options, toml_text
from bigpepper.records import Tables
from bigpepper.text import listed, msg

_RULEBOOKS: Final = Path(__file__).parent / "rulebooks"
_ORDER: Final = (
    "pepper-4",
    "pepper-3",
    "pepper-2",
    "hasenpfeffer",
    "hasenpfeffer-peppers",
    "hasenpfeffer-traditional",
    "iowa",
    "bid-euchre",
    "tiny",
)
PROGRAM_ROUND_LIMIT: Final = 200
"""Rounds after which a game that programs play ends (rules §5)."""


def rulebooks() -> tuple[str, ...]:
    """Names of the shipped rulebooks, the best known first."""
    return _ORDER


@dataclass(frozen=True)
class Rules:
    """One rulebook: the options of rules §6 as fields, and what follows from them. Equal when all of that is equal.

    Made by `Rules.load`, `Rules.from_toml`, `Rules.from_options` or `rules.replace`, which check it.
    """

    name: str
    """The rulebook's name; one that `replace` made keeps its parent's name."""
    based_on: str | None
    """The shipped rulebook it departs from, if any."""
    recommended: bool
    """Whether it is the one to choose among close relatives."""
    players: int
    """2 to 4."""
    cards: int
    """Hand size, 1 to 8; also called `hand_size`."""
    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    dead_hand: bool
    """Whether one more hand is dealt to nobody."""
    auction: str
    all_pass: str
    minimum_bid: str
    ladder: tuple[Rung, ...]
    """The bids, lowest first."""
    defenders: str
    lead: str
    strains: tuple[Strain, ...]
    joker: bool
    widow: str
    alone: str
    alone_stakes: int
    target: int
    """Points a side needs."""
    finish: str
    round_limit: int | None
    """Rounds; None without a limit."""

    # --- making one -------------------------------------------------------------------------------------------------

    @staticmethod
    def load(name: str) -> Rules:
        """The shipped rulebook of that name. Raises `InvalidRules` for a name that none has."""
        return _load(name)

    @classmethod
    def from_toml(cls, text: str) -> Rules:
        """Read a rulebook from TOML: the options, and optionally `name`, `based_on` (a shipped rulebook whose options
        stand where the text sets none) and `recommended`. Raises `InvalidRules`.
        """
        import tomllib

        try:
            given = tomllib.loads(text)
        except (ValueError, RecursionError, TypeError, AttributeError) as error:  # too deep, too long, no text at all
            raise InvalidRules(msg("The rulebook is not valid TOML: {error}.", error=str(error))) from None
        return cls.from_options(given)

    @classmethod
    def from_options(cls, given: Mapping[str, object]) -> Rules:
        """Read a rulebook from plain data with the keys of a TOML rulebook. Raises `InvalidRules`."""
        check_keys(given, (*_HEADER, *OPTIONS), "")
        based_on = given.get("based_on")
        if based_on is not None and based_on not in _ORDER:
            refuse("based_on", based_on, msg("it takes one of {names}", names=listed(_ORDER)))
        base = _load(based_on).options() if isinstance(based_on, str) else {}
        own = {key: value for key, value in given.items() if key not in _HEADER}
        return cls._checked(
            name=_read_name(given.get("name", "custom")),
            based_on=based_on if isinstance(based_on, str) else None,
            recommended=_read_recommended(given.get("recommended", False)),
            values=read_options({**base, **own}),
        )

    def replace(self, **changes: Any) -> Rules:
        """The same rulebook with some options changed, checked anew; `round_limit=None` takes the limit away."""
        values = read_options({**self.options(), **changes})
        return self._checked(self.name, self.based_on, self.recommended, values)

    @classmethod
    def _checked(cls, name: str, based_on: str | None, recommended: bool, values: dict[str, Any]) -> Rules:
        values["strains"] = tuple(Strain(strain) for strain in values["strains"])
        rules = cls(name, based_on, recommended, **values)
        for check in _CHECKS:
            check(rules)
        return rules

    # --- as data ----------------------------------------------------------------------------------------------------

    def options(self) -> dict[str, object]:
        """All options as plain data, in the order of rules §6; `round_limit` is left out where there is none."""
        values = {key: getattr(self, key) for key in OPTIONS}
        values["ladder"] = [rung_options(rung) for rung in self.ladder]
        for key in ("suits", "ranks", "strains"):
            values[key] = [str(item) for item in values[key]]
        if self.round_limit is None:
            del values["round_limit"]
        return values

    def to_toml(self) -> str:
        """The complete rulebook as TOML, in a fixed form: `Rules.from_toml(rules.to_toml()) == rules`."""
        options = self.options()
        ladder = options.pop("ladder")
        head: dict[str, object] = {"name": self.name}
        if self.based_on:
            head["based_on"] = self.based_on
        if self.recommended:
            head["recommended"] = True
        lines = [f"{key} = {toml_text(value)}" for key, value in {**head, **options}.items()]
        for rung in ladder:  # type: ignore[attr-defined]
            lines += ["", "[[ladder]]", *(f"{key} = {toml_text(value)}" for key, value in rung.items())]
        return "\n".join(lines) + "\n"

    def for_programs(self) -> Rules:
        """This rulebook with the round limit of games that programs play, where it has none (rules §5)."""
        return self if self.round_limit else self.replace(round_limit=PROGRAM_ROUND_LIMIT)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, tuple(getattr(self, field.name) for field in fields(self))  # the options alone, no memo

    # --- what follows from the options ------------------------------------------------------------------------------

    @property
    def hand_size(self) -> int:
        """Cards each, 1 to 8; as many tricks has a round."""
        return self.cards

    @property
    def sides(self) -> int:
        """How many sides play: 2 partnerships with four players, else each player is one."""
        return 2 if self.partners else self.players

    @property
    def partners(self) -> bool:
        """Whether seats opposite each other are partners."""
        return self.players == 4

    def side_of(self, seat: int) -> int:
        """The side of a seat."""
        return seat % self.sides

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """The ladder's bids, lowest first."""
        return tuple(Bid(rung.name) for rung in self.ladder)

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The printed deck: clubs, diamonds, hearts, spades, ranks rising, the Joker last."""
        return (*(Card(rank + suit) for suit in self.suits for rank in self.ranks), *((JOKER,) if self.joker else ()))

    @cached_property
    def names(self) -> tuple[Name, ...]:
        """What the maker may name: each strain, then each strain alone where the rulebook has it."""
        plain = tuple(Name(strain) for strain in self.strains)
        return plain if self.alone == "no" else (*plain, *(Name(strain, True) for strain in self.strains))

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All actions; an action's number is its place here, whatever the strain."""
        defend = (Defend(),) if self.alone == "makers-and-defender" else ()
        discards = tuple(Discard(card) for card in self.deck) if self.widow == "pick-up" else ()
        return (Pass(), *self.bids, *self.names, *defend, *discards, *(Play(card) for card in self.deck))

    @cached_property
    def number_of(self) -> dict[Action, int]:
        """The number of each action."""
        return {action: number for number, action in enumerate(self.actions)}

    @cached_property
    def card_number(self) -> dict[Card, int]:
        """The place of each card in the printed deck."""
        return {card: number for number, card in enumerate(self.deck)}

    def action(self, text: str) -> Action:
        """The action with that text, in any case, `H alone` and `10H` too. Raises `InvalidAction`."""
        text = str(text)
        found = self._texts.get(text) or self._texts.get(text.strip().lower().replace(" ", "-"))
        if found is None:
            raise InvalidAction(
                msg(
                    "“{text}” is no action of {rules}; its actions are {actions}.",
                    text=text,
                    rules=self.name,
                    actions=listed(self.actions),
                )
            )
        return found

    @cached_property
    def _texts(self) -> dict[str, Action]:
        texts = {form: action for action in self.actions for form in (str(action), str(action).lower())}
        tens = {text.replace("t", "10"): action for text, action in texts.items() if _is_a_ten(action)}
        return {**tens, **texts}

    def suits_in_play(self, strain: Strain) -> dict[Suit | None, tuple[Card, ...]]:
        """The cards of each suit under `strain`, lowest first (rules §2): the bowers and the Joker belong to trumps.

        At no-trump the Joker belongs to no suit and stands under None.
        """
        found = self.memo.get(strain)
        if found is None:
            found = self.memo[strain] = self._suits_in_play(strain)
        return dict(found)

    def _suits_in_play(self, strain: Strain) -> dict[Suit | None, tuple[Card, ...]]:
        trump = strain.suit
        trumps = self._trumps(trump) if trump else ()
        suits: dict[Suit | None, tuple[Card, ...]] = {}
        for suit in map(Suit, self.suits):
            printed = tuple(card for card in self.deck if card.suit is suit and card not in trumps)
            suits[suit] = trumps if suit is trump else printed
        if self.joker and trump is None:
            suits[None] = (JOKER,)
        return suits

    def _trumps(self, trump: Suit) -> tuple[Card, ...]:
        plain = [Card(rank + trump) for rank in self.ranks if rank != "J"]
        bowers = [
            Card("J" + suit) for suit in (trump.colour_partner, trump) if suit in self.suits and "J" in self.ranks
        ]
        return (*plain, *bowers, *((JOKER,) if self.joker else ()))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the complete rulebook, 64 hex digits: the same for equal rulebooks, on every machine."""
        from hashlib import sha256

        return sha256(self.to_toml().encode()).hexdigest()

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """A place where skins keep what they derive from this rulebook; no part of its value."""
        return {}

    @cached_property
    def tables(self) -> Tables:
        """The rulebook as numbers, for the kernel; shared, so never to be changed."""
        t = Tables()
        _fill_options(t, self)
        _fill_ladder(t, self)
        _fill_actions(t, self)
        for strain in Strain:
            _fill_strain(t, self, strain)
        return t


_HEADER: Final = ("name", "based_on", "recommended")


def require_rules(given: object) -> None:
    """Raise `InvalidRules` unless this is a rulebook; its name alone is not one."""
    if not isinstance(given, Rules):
        raise InvalidRules(
            msg(
                "Rules are wanted, not {given}; Rules.load takes the name of a rulebook: {names}.",
                given=in_place(given),
                names=listed(_ORDER),
            )
        )


@cache
def _load(name: str) -> Rules:
    if name not in _ORDER:
        raise InvalidRules(
            msg("There is no rulebook “{name}”; there are {names}.", name=name, names=listed(_ORDER)), "name"
        )
    return Rules.from_toml((_RULEBOOKS / f"{name}.toml").read_text("utf-8"))


def _read_name(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= 40 or not set(value.lower()) <= _NAME_LETTERS:
        refuse("name", value, msg("it takes up to 40 letters, digits and hyphens"))
    return value


_NAME_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def _read_recommended(value: object) -> bool:
    if not isinstance(value, bool):
        refuse("recommended", value, msg("it takes true or false"))
    return value


def _is_a_ten(action: Action) -> bool:
    return isinstance(action, (Play, Discard)) and action.card is not None and action.card.rank == "T"


# --- contradictions (rules §6) --------------------------------------------------------------------------------------


def _check_deck(rules: Rules) -> None:
    """Every card is dealt, but for the Joker's odd one."""
    deck, hands = len(rules.suits) * len(rules.ranks), rules.players + rules.dead_hand
    if hands * rules.cards == deck:
        return
    right = msg(
        "{hands} hands of {cards} are {dealt} cards, and the deck without the Joker has {deck}; every card is dealt",
        hands=hands,
        cards=rules.cards,
        dealt=hands * rules.cards,
        deck=deck,
    )
    refuse("cards", rules.cards, right)


def _check_ladder(rules: Rules) -> None:
    tricks = 1
    for rung in rules.ladder:
        if rung.tricks > rules.cards:
            refuse("ladder.tricks", rung.tricks, msg("a hand has only {cards} tricks", cards=rules.cards))
        if rung.tricks < tricks:
            refuse(
                "ladder.tricks", rung.tricks, msg("a higher bid never promises fewer tricks, so at least {n}", n=tricks)
            )
        tricks = rung.tricks


def _check_minimum_bid(rules: Rules) -> None:
    names = [rung.name for rung in rules.ladder]
    if rules.minimum_bid not in names:
        refuse("minimum_bid", rules.minimum_bid, msg("it takes a bid of the ladder: {names}", names=listed(names)))


def _check_strains(rules: Rules) -> None:
    suits = [strain.suit for strain in rules.strains if strain.suit]
    missing = [suit for suit in suits if suit not in rules.suits]
    if missing or not suits:
        right = msg("it takes at least one suit of the deck ({suits}), with or without NT", suits=listed(rules.suits))
        refuse("strains", rules.strains, right)


def _check_widow(rules: Rules) -> None:
    if rules.joker and rules.widow == "none":
        refuse("widow", rules.widow, msg("with the Joker one card is left over, so it is pick-up or dead"))
    if not rules.joker and rules.widow != "none":
        refuse("widow", rules.widow, msg("without the Joker no card is left over, so it is none"))


def _check_alone(rules: Rules) -> None:
    if rules.alone != "no" and not rules.partners:
        refuse("alone", rules.alone, msg("only partners can go alone, so with {n} players it is no", n=rules.players))


def _check_joker_bids(rules: Rules) -> None:
    if rules.all_pass != "joker-bids-3":
        return
    if not rules.joker:
        refuse("all_pass", rules.all_pass, msg("it needs the Joker (joker = true)"))
    if _joker_bid(rules) < 0:
        refuse("all_pass", rules.all_pass, msg("it needs a permitted bid of at least 3 tricks on the ladder"))


_CHECKS: Final = (
    _check_deck,
    _check_ladder,
    _check_minimum_bid,
    _check_strains,
    _check_widow,
    _check_alone,
    _check_joker_bids,
)


def _lowest_bid(rules: Rules) -> int:
    return [rung.name for rung in rules.ladder].index(rules.minimum_bid)


def _joker_bid(rules: Rules) -> int:
    """The lowest permitted bid of at least 3 tricks (rules §3); -1 where there is none."""
    return next((i for i, rung in enumerate(rules.ladder) if i >= _lowest_bid(rules) and rung.tricks >= 3), -1)


# --- tables ---------------------------------------------------------------------------------------------------------


def _fill_options(t: Tables, rules: Rules) -> None:
    t.players, t.sides, t.hand_size, t.deck_size = rules.players, rules.sides, rules.cards, len(rules.deck)
    t.joker = rules.card_number.get(JOKER, -1)
    t.auction = _NUMBERS[rules.auction]
    t.all_pass = _NUMBERS[rules.all_pass]
    t.widow = {"none": records.NO_WIDOW, "pick-up": records.PICK_UP, "dead": records.DEAD_WIDOW}[rules.widow]
    t.alone = _NUMBERS[rules.alone]
    t.stakes = rules.alone_stakes
    t.maker_leads = int(rules.lead == "maker")
    t.defenders_score = int(rules.defenders == "per-trick")
    t.target = rules.target
    t.makers_first = int(rules.finish == "makers-first")
    t.round_limit = rules.round_limit or 0


_NUMBERS: Final = {
    "re-entry": records.RE_ENTRY,
    "final-pass": records.FINAL_PASS,
    "one-round": records.ONE_ROUND,
    "throw-in": records.THROW_IN,
    "same-dealer": records.SAME_DEALER,
    "stick-dealer": records.STICK_DEALER,
    "joker-bids-3": records.JOKER_BIDS_3,
    "no": records.ALONE_NO,
    "makers": records.ALONE_MAKERS,
    "makers-and-defender": records.ALONE_DEFENDER,
}


def _fill_ladder(t: Tables, rules: Rules) -> None:
    t.bids = len(rules.ladder)
    t.bids_mask = 1 | sum(1 << (i + 1) for i in range(_lowest_bid(rules), t.bids))
    t.joker_bid = _joker_bid(rules)
    for i, rung in enumerate(rules.ladder):
        t.bid_tricks[i] = rung.tricks
        t.made_points[i], t.made_each[i] = rung.made.points(rung.tricks), rung.made.each
        t.failed_points[i], t.failed_each[i] = rung.failed.points(rung.tricks), rung.failed.each


def _fill_actions(t: Tables, rules: Rules) -> None:
    t.names = len(rules.names)
    for i, name in enumerate(rules.names):
        t.name_strain[i] = list(Strain).index(name.strain)
        t.name_alone[i] = int(name.alone)
    t.actions = len(rules.actions)
    t.first_name = rules.number_of[rules.names[0]]
    t.defend = rules.number_of.get(Defend(), -1)
    t.first_discard = rules.number_of.get(Discard(rules.deck[0]), -1)
    t.first_play = rules.number_of[Play(rules.deck[0])]


def _fill_strain(t: Tables, rules: Rules, strain: Strain) -> None:
    """Lay the suits out in lanes of 16 bits, the trump suit in the top one; -1 and 0 where there is no such strain."""
    s = list(Strain).index(strain)
    t.card[s] = [-1] * len(t.card[s])
    if strain.suit and strain.suit not in rules.suits:
        return
    suits = rules.suits_in_play(strain)
    for card in suits.pop(None, ()):
        _put(t, rules, s, card, records.JOKER_PLACE, 0)
        t.trump[s] = 1 << records.JOKER_PLACE
    trumps = suits.pop(strain.suit, None)
    lanes = list(suits.values())
    for lane, cards in enumerate(lanes):
        _fill_lane(t, rules, s, lane, cards)
    if trumps:
        t.trump[s] = _fill_lane(t, rules, s, 3, trumps)


def _fill_lane(t: Tables, rules: Rules, s: int, lane: int, cards: tuple[Card, ...]) -> int:
    """One suit into one lane, lowest card lowest; returns the suit's mask."""
    suit = ((1 << len(cards)) - 1) << 16 * lane
    for i, card in enumerate(cards):
        _put(t, rules, s, card, 16 * lane + i, suit)
    return suit


def _put(t: Tables, rules: Rules, s: int, card: Card, place: int, suit: int) -> None:
    number = rules.card_number[card]
    t.place[s][number] = place
    t.card[s][place] = number
    t.suit[s][place] = suit
