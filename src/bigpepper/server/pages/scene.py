"""What one viewer sees of a table while it is played at: places, ladder, trick, hand, choices. Made from `Seen` alone.

Templates lay it out and decide nothing about the game: what may be done comes with the Observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from bigpepper import explain
from bigpepper.actions import Action, Bid, Discard, Name, Play
from bigpepper.cards import Card
from bigpepper.explain.table import winning_play
from bigpepper.observation import Observation
from bigpepper.public import Phase, Trick
from bigpepper.server.pages import saying
from bigpepper.server.pages.cards import card_art
from bigpepper.server.pages.drawing import suit_icon
from bigpepper.server.pages.saying import Word
from bigpepper.server.pages.track import Track, track
from bigpepper.server.seen import Seen
from bigpepper.text import Message

_WHERE: Final = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
"""Where the seats are drawn, clockwise from the viewer's."""


@dataclass(frozen=True)
class Place:
    """A seat at the table."""

    seat: int
    where: str
    name: Word
    role: Word
    said: Word
    turn: bool
    away: bool
    """A bot plays for him."""


@dataclass(frozen=True)
class Step:
    """A bid on the ladder. `state`: below, standing, open (may be said now) or above."""

    name: Word
    worth: Word
    state: str
    action: str
    bidder: str


@dataclass(frozen=True)
class Laid:
    """A card on the table."""

    where: str
    art: Markup
    name: Message
    who: str
    winning: bool
    latest: bool


@dataclass(frozen=True)
class Held:
    """A card in the hand. `action` plays or discards it, where it may be; `asks`: whether to ask first."""

    art: Markup
    name: Message
    caption: Word
    trump: bool
    action: str
    label: Word
    first: bool
    """Whether another suit begins with it."""
    asks: bool


@dataclass(frozen=True)
class Choice:
    """Something to say now."""

    action: str
    label: Word
    icon: Markup | str
    strong: bool


@dataclass(frozen=True)
class Scene:
    """The table."""

    track: Track
    places: tuple[Place, ...]
    contract: Message
    turn: Message
    yours: bool
    reason: Message | None
    happened: Message
    ladder: tuple[Step, ...]
    """Highest first; nothing outside of the auction."""
    trick: tuple[Laid, ...]
    taken: bool
    """Whether the trick shown is complete."""
    choices: tuple[Choice, ...]
    hand: tuple[Held, ...]
    last: tuple[Message, ...]
    """The last trick in words."""
    log: tuple[Message, ...]
    widow: Held | None
    claimable: int
    """How many tricks a claim can be about; 0 for no claim now."""

    @property
    def me(self) -> Place:
        """The place at the bottom: the viewer's own, or for spectators the first."""
        return self.places[0]


def scene(seen: Seen, names: Sequence[str]) -> Scene | None:
    """The table as a viewer sees it; None before the first deal."""
    now = seen.observation
    if now is None or seen.facts.round is None:
        return None
    return _Painter(seen, now, names).scene()


class _Painter:
    """One viewer's table, part by part."""

    def __init__(self, seen: Seen, now: Observation, names: Sequence[str]) -> None:
        self.seen = seen
        self.now = now
        self.names = names
        self.rules = now.rules
        self.number = (seen.facts.round.number if seen.facts.round else 0) + 1

    @property
    def yours(self) -> bool:
        """Whether the viewer is to act."""
        facts = self.seen.facts
        return self.now.seat is not None and facts.turn == self.now.seat and not facts.paused

    def scene(self) -> Scene:
        now, facts = self.now, self.seen.facts
        shown = now.trick or next((trick for trick in reversed(now.tricks) if trick.cards), None)
        labels = saying.side_labels(self.rules, self.names, now.seat)
        own = None if now.seat is None else self.rules.side_of(now.seat)
        return Scene(
            track=track(labels, facts.scores, self.rules.target, own),
            places=tuple(self._place(offset) for offset in range(self.rules.players)),
            contract=explain.contract_line(now, self.names),
            turn=explain.turn_line(now, self.names),
            yours=self.yours,
            reason=self._reason(),
            happened=saying.happened(now, self.names, self.number),
            ladder=self._ladder() if now.phase is Phase.AUCTION else (),
            trick=self._trick(shown) if shown and now.phase is not Phase.AUCTION else (),
            taken=shown is not None and shown.winner is not None,
            choices=tuple(self._choice(action) for action in now.legal if self._is_choice(action)),
            hand=self._hand(),
            last=self._last(),
            log=tuple(saying.log_lines(now, self.names, self.number)),
            widow=self._widow(),
            claimable=now.tricks_left if self.yours and now.phase is Phase.PLAY and now.tricks_left > 1 else 0,
        )

    # --- seats ------------------------------------------------------------------------------------------------------

    def _where(self, seat: int) -> str:
        viewpoint = self.now.seat or 0
        return _WHERE[self.rules.players][(seat - viewpoint) % self.rules.players]

    def _place(self, offset: int) -> Place:
        now = self.now
        seat = ((now.seat or 0) + offset) % self.rules.players
        return Place(
            seat=seat,
            where=self._where(seat),
            name=self.names[seat],
            role=saying.role(now, seat),
            said=saying.standing(now, seat),
            turn=self.seen.facts.turn == seat,
            away=self.seen.facts.seats[seat].stand_in is not None,
        )

    # --- the middle -------------------------------------------------------------------------------------------------

    def _ladder(self) -> tuple[Step, ...]:
        return tuple(self._step(number) for number in range(len(self.rules.bids) - 1, -1, -1))

    def _step(self, number: int) -> Step:
        now, bid, rung = self.now, self.rules.bids[number], self.rules.ladder[number]
        standing = self.rules.bids.index(now.contract) if now.contract else -1
        lowest = self.rules.bids.index(Bid(self.rules.minimum_bid))
        legal = self.yours and bid in now.legal
        state = "standing" if number == standing else "open" if legal else "above"
        if number < standing or (number < lowest and not legal):
            state = "below"
        bidder = self.names[now.maker] if state == "standing" and now.maker is not None else ""
        return Step(explain.bid_name(bid), saying.worth(self.rules, rung), state, str(bid), bidder)

    def _trick(self, trick: Trick) -> tuple[Laid, ...]:
        winner, _ = winning_play(self.now, trick)
        latest = trick.cards[-1][0] if trick.winner is None else None
        return tuple(
            Laid(
                where=self._where(seat),
                art=card_art(card),
                name=explain.terms.card_name_in(self.rules, card, self.now.strain),
                who=self.names[seat],
                winning=seat == winner,
                latest=seat == latest,
            )
            for seat, card in trick.cards
        )

    def _last(self) -> tuple[Message, ...]:
        """The last trick, card by card, and who took it."""
        now = self.now
        done = [trick for trick in now.tricks if len(trick.cards) == len(now.playing)]
        if not done:
            return ()
        plays = [i for i, turn in enumerate(now.history) if isinstance(turn.action, Play)]
        width, lines = len(now.playing), explain.history_lines(now, self.names)
        first = width * (len(done) - 1)
        return (*(lines[i] for i in plays[first : first + width]), explain.trick_line(now, done[-1], self.names))

    # --- what may be done -------------------------------------------------------------------------------------------

    def _is_choice(self, action: Action) -> bool:
        """Whether an action is said above the hand: all but bids, which stand on the ladder, and cards."""
        return self.yours and not isinstance(action, Bid | Play | Discard)

    def _choice(self, action: Action) -> Choice:
        suit = action.strain.suit if isinstance(action, Name) else None
        icon = suit_icon(suit) if suit else ""
        strong = not (isinstance(action, Name) and action.alone)
        return Choice(str(action), explain.choice_name(self.now, action), icon, strong)

    def _reason(self) -> Message | None:
        """Why some cards may not be played now."""
        if not self.yours or self.now.phase is not Phase.PLAY:
            return None
        pale = [card for card in self.now.hand if Play(card) not in self.now.legal]
        return explain.why_not(self.now, Play(pale[0]), self.names) if pale else None

    # --- the hand ---------------------------------------------------------------------------------------------------

    def _hand(self) -> tuple[Held, ...]:
        groups = explain.hand_order(self.rules, self.now.hand, self.now.strain)
        cards = [(card, number == 0) for group in groups for number, card in enumerate(group)]
        held = [self._held(card, first) for card, first in cards]
        said: set[object] = set()
        return tuple(replace(one, caption="") if _known(one.caption, said) else one for one in held)

    def _held(self, card: Card, first: bool) -> Held:
        now = self.now
        action = Discard(card) if now.phase is Phase.DISCARD else Play(card)
        legal = self.yours and action in now.legal
        return Held(
            art=card_art(card),
            name=explain.terms.card_name_in(self.rules, card, now.strain),
            caption=saying.caption(now, card),
            trump=now.strain is not None and card in explain.terms.trumps(self.rules, now.strain),
            action=str(action) if legal else "",
            label=explain.choice_name(now, action) if legal else "",
            first=first,
            asks=legal and isinstance(action, Discard) and explain.discard_warning(now, card) is not None,
        )

    def _widow(self) -> Held | None:
        """The widow's card, for the maker who has taken it and has not discarded yet."""
        now = self.now
        if now.widow is None or now.phase not in (Phase.NAMING, Phase.DISCARD):
            return None
        return self._held(now.widow, True)


def _known(caption: Word, said: set[object]) -> bool:
    """Whether a caption stands under a card already: “trump” is said once, then a bar goes on."""
    if caption in said:
        return True
    said.add(caption)
    return False
