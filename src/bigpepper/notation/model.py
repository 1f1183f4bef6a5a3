"""A game record as data: what a `.pep` text and its JSON twin hold. Immutable values, equal when all is equal.

Cards and actions stand as their short texts (`JH`, `pass`, `H-alone`, `discard-??`), an unknown card as `?`. A value
may still contradict the rules: `verify` tells, and whatever is written or read has passed it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct, field

from bigpepper.notation.ruleform import RulesForm, rules_of
from bigpepper.rules import Rules

VERSION: Final = 1
"""The version of the format, in the first line of every record."""
UNKNOWN: Final = "?"
"""A card that whoever wrote the record does not know."""
HIDDEN_DISCARD: Final = "discard-??"
"""A discard whose card is not known."""
PRACTICE: Final = "practice"
"""The tag of games in which somebody took back actions."""

Seat = Annotated[int, Meta(ge=0, le=3, description="Seats go clockwise from 0.")]
CardText = Annotated[str, Meta(pattern=r"^([9TJQKA][CDHS]|JO|\?)$", description="A card such as JH; JO; ? unknown.")]
Whole = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Count = Annotated[int, Meta(ge=0, le=2**31)]
Score = Annotated[int, Meta(ge=-(2**31), le=2**31)]
Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})+$", max_length=256)]
How = Literal["finished", "abandoned", "unfinished"]
Decimal = Annotated[float, Meta(ge=-1e6, le=1e6)]


class _Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What all parts of a record have in common."""


class Player(_Data, frozen=True):
    """Who sits on a seat: a person's name, a bot, or both (a bot that is shown under a name)."""

    name: str | None = None
    bot: str | None = None
    """The name by which `bots.load` finds it, with its options: `expert:drawn=50,calls=20`."""
    version: str | None = None
    """The bot's version."""
    seed: Whole | None = None
    """The bot's seed: only once the game is over, or in a save."""


class Proof(_Data, frozen=True):
    """What proves that the deals were fixed before the game: commit first, reveal the secret afterwards."""

    commitment: Hex | None = None
    """SHA-256 of the secret's bytes."""
    seeds: tuple[str | None, ...] = ()
    """What each seat added; one a seat, or none at all."""
    secret: Hex | None = None
    """The secret's bytes: only once the game is over."""


class Evaluation(_Data, frozen=True):
    """What an analysis says of an action."""

    points: Decimal | None = None
    """Expected points of the makers minus those of all defenders."""
    tricks: Decimal | None = None
    """Expected tricks of the makers."""
    best: str | None = None
    """The text of the action it would have chosen."""


class Act(_Data, frozen=True):
    """One action of a round: who did what, how long he took, and what is said about it."""

    seat: Seat
    action: str
    ms: Count | None = None
    """Milliseconds that he took."""
    evaluation: Evaluation | None = None
    comments: tuple[str, ...] = ()


class Takeover(_Data, frozen=True):
    """A bot takes over a seat, or the player is back."""

    at: Count
    """How many actions of the round were done before."""
    seat: Seat
    bot: str | None = None
    """The bot that plays from now on, as in `Player`; None: the player himself again."""
    version: str | None = None


class Result(_Data, frozen=True):
    """How a round ended; verified when a record is read or written."""

    tricks: tuple[Count, ...]
    """Tricks won, one value a seat; those of a claim included."""
    points: tuple[Score, ...]
    """Points of the round, one value a side."""
    thrown_in: bool = False


class Step(NamedTuple):
    """An action of a round with its place there."""

    phase: Literal["auction", "naming", "discard", "defence", "tricks", "claim"]
    trick: int
    """The trick's number, from 0; -1 outside of the play."""
    path: str
    """Its place in the round's data, such as `tricks[1][0]`."""
    act: Act


class RoundRecord(_Data, frozen=True):
    """One round: the deal, what was done, and the result."""

    dealer: Seat
    scores: tuple[Score, ...]
    """Points of each side before the round."""
    hands: tuple[tuple[CardText, ...], ...]
    """The hand of each seat as dealt, in the order of the printed deck, unknown cards last."""
    widow: CardText | None = None
    dead: tuple[CardText, ...] = ()
    """The hand that is dealt to nobody."""
    auction: tuple[Act, ...] = ()
    naming: Act | None = None
    discard: Act | None = None
    defence: tuple[Act, ...] = ()
    tricks: tuple[tuple[Act, ...], ...] = ()
    """The plays of each trick, in the order of play; the leader's is the first."""
    claim: Act | None = None
    takeovers: tuple[Takeover, ...] = ()
    result: Result | None = None
    """None while the round goes on."""
    comments: tuple[str, ...] = ()

    def steps(self) -> Iterator[Step]:
        """All actions in order."""
        yield from (Step("auction", -1, f"auction[{i}]", act) for i, act in enumerate(self.auction))
        if self.naming:
            yield Step("naming", -1, "naming", self.naming)
        if self.discard:
            yield Step("discard", -1, "discard", self.discard)
        yield from (Step("defence", -1, f"defence[{i}]", act) for i, act in enumerate(self.defence))
        for n, trick in enumerate(self.tricks):
            yield from (Step("tricks", n, f"tricks[{n}][{i}]", act) for i, act in enumerate(trick))
        if self.claim:
            yield Step("claim", -1, "claim", self.claim)

    @property
    def acts(self) -> tuple[Act, ...]:
        """All actions in order."""
        return tuple(step.act for step in self.steps())

    @property
    def is_complete(self) -> bool:
        """Whether every card of it is known."""
        hidden = UNKNOWN in (*(card for hand in self.hands for card in hand), self.widow, *self.dead)
        return not hidden and not (self.discard and self.discard.action == HIDDEN_DISCARD)


class End(_Data, frozen=True):
    """How the record ends."""

    how: How
    """Somebody has won; the players left it; it is still going on."""
    scores: tuple[Score, ...]
    """Points of each side after the finished rounds."""
    winners: tuple[Seat, ...] = ()
    """The sides that have won."""


class GameRecord(_Data, frozen=True, tag_field="format", tag=f"bigpepper-{VERSION}"):
    """A game: header, rounds, end."""

    form: RulesForm = field(name="rules")
    """The complete rulebook as data; `rules` is the value made of it."""
    players: tuple[Player, ...] = ()
    """One a seat, or none at all."""
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$")] | None = None
    """A day, or a moment in UTC: `2026-03-01` or `2026-03-01T19:30Z`."""
    event: str | None = None
    tags: tuple[str, ...] = ()
    proof: Proof | None = None
    seed: str | None = None
    """The seed of the deals (`DealStream`), in a save: with it an unfinished game can go on."""
    view: Seat | None = None
    """The seat from which the record was made, where cards are unknown."""
    first_round: Annotated[int, Meta(ge=1, le=10**6)] = 1
    """The number of the first round in the record."""
    comments: tuple[str, ...] = ()
    rounds: tuple[RoundRecord, ...] = ()
    end: End | None = None
    """None while the record is still being appended to."""

    @property
    def rules(self) -> Rules:
        """The rulebook. Raises `InvalidRules`."""
        return rules_of(self.form)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: won or abandoned."""
        return self.end is not None and self.end.how != "unfinished"

    @property
    def is_complete(self) -> bool:
        """Whether every card of it is known."""
        return all(round.is_complete for round in self.rounds)
