"""A picture of the table as one seat sees it, for phones and larger screens: `picture(observation, names)`.

Only what the Observation holds can be drawn. The words are those of `explain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from bigpepper import explain
from bigpepper.actions import Bid, Name, Pass
from bigpepper.cards import Card, Suit
from bigpepper.envs.canvas import THEMES, Box, Canvas, Point
from bigpepper.envs.cardface import SHAPE, draw_back, draw_card, draw_suit
from bigpepper.envs.scoretrack import draw_track
from bigpepper.envs.settings import InvalidSetting, one_of
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.text import SOURCE_LANGUAGE, Message, msg, msgn

SIZE: Final = (960, 720)
"""Width and height in pixels, unless given."""
SMALLEST: Final = (320, 480)


def picture(
    observation: Observation,
    names: Sequence[str],
    *,
    size: tuple[int, int] = SIZE,
    theme: str = "paper",
    language: str = SOURCE_LANGUAGE,
) -> Image.Image:
    """The table as the observer sees it (a spectator sits behind seat 0); `names` one a seat; `theme` paper or spruce.

    `size` is width and height in pixels, from 320 × 480. Raises `InvalidSetting`.
    """
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise InvalidSetting(
            msg("A picture of {given} is too small: it takes at least {least}.", given=str(size), least=str(SMALLEST))
        )
    colours = list(THEMES.values())[one_of("theme", theme, list(THEMES))]
    return _Picture(Canvas(*size, colours), observation, names, language).draw()


class _Picture:
    """Where everything is, and the drawing of it, top to bottom."""

    def __init__(self, canvas: Canvas, observation: Observation, names: Sequence[str], language: str) -> None:
        self.canvas, self.seen, self.names, self.language = canvas, observation, names, language
        self.own = observation.seat or 0
        width, height = canvas.width, canvas.height
        self.is_wide = width >= 840
        self.margin = 28.0 if self.is_wide else 12.0
        self.letter = 16.0 if self.is_wide else 14.0
        log = 250.0 if self.is_wide else 0.0
        right = width - self.margin - (log + self.margin if log else 0)
        hand = min((right - self.margin - 16) / max(5.2, 0.62 * observation.rules.cards + 1), 104.0, height * 0.14)
        self.card = hand
        """Width of a card in the hand."""
        self.table: Box = (self.margin, 78.0, right, height - hand * SHAPE - 68)
        self.log: Box = (right + self.margin, 78.0, width - self.margin, height - self.margin)

    def words(self, message: Message | str) -> str:
        """A message in the picture's language."""
        return message.text(self.language) if isinstance(message, Message) else message

    def draw(self) -> Image.Image:
        """The whole."""
        self.canvas.box(self.table, self.canvas.theme.table, radius=18)
        draw_track(self.canvas, (self.margin + 8, 12, self.canvas.width - self.margin - 8, 70), self.seen, self._side)
        for seat in range(self.seen.rules.players):
            if seat != self.own:
                self._draw_place(seat)
        self._draw_middle()
        self._draw_contract()
        self._draw_turn()
        self._draw_hand()
        if self.is_wide:
            self._draw_log()
        return self.canvas.image()

    def _side(self, side: int, points: int) -> str:
        """A marker of the score track: "We 17", "They 11", "Bell 4"."""
        rules = self.seen.rules
        if self.seen.seat is None or (rules.sides == 3 and side != rules.side_of(self.own)):
            name = self.names[side] if not rules.partners else explain.side_names(rules, self.names)[side]
            return self.words(msg("{name} {points}", name=name, points=explain.signed(points).lstrip("+")))
        shown = explain.signed(points).lstrip("+")
        if side != rules.side_of(self.own):
            return self.words(msg("They {points}", points=shown) if rules.partners else self._other(side, shown))
        return self.words(msg("We {points}", points=shown) if rules.partners else msg("You {points}", points=shown))

    def _other(self, side: int, shown: str) -> Message:
        return msg("{name} {points}", name=self.names[side], points=shown)

    # --- the others -------------------------------------------------------------------------------------------------

    def _where(self, seat: int) -> str:
        """Where a seat sits, as seen from the bottom."""
        around = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
        return around[self.seen.rules.players][(seat - self.own) % self.seen.rules.players]

    def _draw_place(self, seat: int) -> None:
        left, top, right, _ = self.table
        where = self._where(seat)
        x = {"left": left + 16, "right": right - 16, "top": (left + right) / 2}[where]
        y = top + 24 if where == "top" else self._centre()[1] - self._trick_card() * SHAPE * 0.5 - 44
        if self.is_wide and where != "top":
            y = self._centre()[1] - 10
        anchor = {"left": "lm", "right": "rm", "top": "mm"}[where]
        room = (right - left) * (0.28 if where != "top" else 0.4)
        is_on_turn = self.seen.turn == seat
        self.canvas.text((x, y), self.names[seat], self.letter, bold=True, anchor=anchor, room=room)
        if is_on_turn:
            self._underline(x, y, self.canvas.text_width(self.names[seat], self.letter, bold=True), where)
        at, quiet = (x, y + self.letter * 1.35), self.canvas.theme.quiet
        self.canvas.text(at, self._about(seat), self.letter * 0.84, colour=quiet, anchor=anchor, room=room)

    def _underline(self, x: float, y: float, width: float, where: str) -> None:
        """Somebody else is to act: a quiet line under the name."""
        begin = {"left": x, "right": x - width, "top": x - width / 2}[where]
        below = y + self.letter * 0.68
        self.canvas.stroke([(begin, below), (begin + width, below)], self.canvas.theme.quiet, 1.4)

    def _about(self, seat: int) -> str:
        """What there is to know of a seat: who it is, and what it said or won."""
        rules, seen = self.seen.rules, self.seen
        who = []
        if seen.seat not in (None, seat) and rules.partners and rules.side_of(seat) == rules.side_of(self.own):
            who.append(msg("partner"))
        if seat == seen.dealer:
            who.append(msg("dealer"))
        if seat == seen.maker and seen.phase is not Phase.AUCTION:
            who.append(msg("maker"))
        did = self._said(seat) if seen.phase in (Phase.AUCTION, Phase.NAMING) else self._won(seat)
        return " · ".join(self.words(part) for part in (*who, *((did,) if did else ())))

    def _said(self, seat: int) -> Message | None:
        own = [turn.action for turn in self.seen.history if turn.seat == seat]
        calls = [action for action in own if isinstance(action, (Pass, Bid))]
        if not calls:
            return None
        last = calls[-1]
        return msg("bid {bid}", bid=explain.bid_name(last)) if isinstance(last, Bid) else msg("passed")

    def _won(self, seat: int) -> Message | None:
        if self.seen.thrown_in:
            return None
        if seat not in self.seen.playing:
            return msg("sits out")
        return msgn("{n} trick", "{n} tricks", self.seen.tricks_won[seat])

    # --- the middle -------------------------------------------------------------------------------------------------

    def _centre(self) -> Point:
        left, top, right, bottom = self.table
        head = 62 if self.seen.rules.players != 3 else 20
        return (left + right) / 2, (top + head + bottom - 42) / 2

    def _trick_card(self) -> float:
        """Width of a card of the trick: all fit without touching each other."""
        left, top, right, bottom = self.table
        high = (bottom - top - 62 - 42 - 34) / 2 / SHAPE
        return min(high, (right - left) / 5.2, 104.0)

    def _draw_middle(self) -> None:
        if self.seen.is_over:
            self._draw_lines(explain.score_lines(self.seen, self.names) or [])
        elif self.seen.phase is Phase.AUCTION:
            self._draw_ladder()
        elif self.seen.phase is Phase.NAMING:
            self._draw_strains()
        elif self.seen.trick:
            self._draw_trick()
        else:
            self._draw_lines(self._just_done(), quiet=True)

    def _just_done(self) -> list[Message]:
        """What to say where no card lies: who took the last trick, or what the widow was."""
        if self.seen.tricks:
            return [explain.trick_line(self.seen, self.seen.tricks[-1], self.names)]
        widow = explain.widow_line(self.seen, self.names)
        return [widow] if widow else []

    def _draw_trick(self) -> None:
        assert self.seen.trick is not None
        width = self._trick_card()
        across, down = width + 14, width * SHAPE / 2 + 7
        shift = {"bottom": (0, down), "left": (-across, 0), "top": (0, -down), "right": (across, 0)}
        winning = self.seen.view.winner
        for seat, card in sorted(self.seen.trick.cards, key=lambda played: played[0] == winning):
            dx, dy = shift[self._where(seat)]
            x, y = self._centre()[0] + dx, self._centre()[1] + dy
            box = (x - width / 2, y - width * SHAPE / 2, x + width / 2, y + width * SHAPE / 2)
            draw_card(self.canvas, box, card, lifted=seat == winning, trump=self._marked(card))

    def _marked(self, card: Card) -> Suit | None:
        """The trump suit, for a bower or the Joker: cards that do not show by themselves that they are trumps."""
        strain = self.seen.strain
        if strain is None or strain.suit is None or not (card.rank == "J" or card.is_joker):
            return None
        return strain.suit if card in self.seen.rules.suits_in_play(strain)[strain.suit] else None

    def _draw_ladder(self) -> None:
        """The bids, lowest at the bottom; what may be said is lit, the standing bid is dark with its bidder's name."""
        theme, bids = self.canvas.theme, self.seen.rules.bids
        x, y = self._centre()
        height = min(34.0, (self.table[3] - self.table[1] - 62 - 50) / len(bids))
        half = min(74.0, (self.table[2] - self.table[0]) * 0.22)
        bottom = y + height * len(bids) / 2
        for rung, bid in enumerate(bids):
            box = (x - half, bottom - height * (rung + 1) + 2, x + half, bottom - height * rung - 2)
            stands, lit = bid == self.seen.contract, bid in self.seen.legal
            fill = theme.ink if stands else theme.card if lit else None
            self.canvas.box(box, fill, radius=min(8, height / 4), outline=theme.line, weight=1)
            colour = theme.ground if stands else theme.card_ink if lit else theme.quiet
            at, size = (x, (box[1] + box[3]) / 2), min(self.letter, height * 0.6)
            words = self.words(explain.bid_name(bid))
            self.canvas.text(at, words, size, colour=colour, bold=lit or stands, room=half * 1.8)
            if stands and self.seen.maker is not None:
                name = self.words(msg("You")) if self.seen.maker == self.seen.seat else self.names[self.seen.maker]
                self.canvas.text((x + half + 8, at[1]), name, size, anchor="lm", room=half * 1.2)

    def _draw_strains(self) -> None:
        """What may be named."""
        strains, theme = self.seen.rules.strains, self.canvas.theme
        lit = any(isinstance(action, Name) for action in self.seen.legal)
        size = min(44.0, (self.table[2] - self.table[0]) / (2.2 * len(strains)))
        x, y = self._centre()
        for place, strain in enumerate(strains):
            at = (x + (place - (len(strains) - 1) / 2) * size * 1.7, y)
            self.canvas.box(
                (at[0] - size * 0.72, y - size * 0.72, at[0] + size * 0.72, y + size * 0.72),
                theme.card if lit else None,
                radius=9,
                outline=theme.line,
            )
            red = strain.suit in (Suit.DIAMONDS, Suit.HEARTS)
            colour = (theme.card_red if red else theme.card_ink) if lit else theme.quiet
            if strain.suit:
                draw_suit(self.canvas, at, size * 0.8, strain.suit, colour)
            else:
                words = self.words(explain.strain_name(strain))
                self.canvas.text(at, words, size * 0.4, colour=colour, bold=True, room=size * 1.3)

    def _draw_lines(self, messages: Sequence[Message], quiet: bool = False) -> None:
        """Sentences in the middle of the table."""
        x, y = self._centre()
        room = (self.table[2] - self.table[0]) * (0.5 if self.is_wide else 0.86)
        lines = [line for message in messages for line in self.canvas.wrapped(self.words(message), self.letter, room)]
        for row, line in enumerate(lines):
            at = (x, y + (row - (len(lines) - 1) / 2) * self.letter * 1.6)
            self.canvas.text(at, line, self.letter, colour=self.canvas.theme.quiet if quiet else None)

    # --- own place --------------------------------------------------------------------------------------------------

    def _draw_contract(self) -> None:
        left, _, right, bottom = self.table
        words = self.words(explain.contract_line(self.seen, self.names))
        self.canvas.text(((left + right) / 2, bottom - 22), words, self.letter, bold=True, room=right - left - 24)

    def _draw_turn(self) -> None:
        """One's own turn is marked with the accent; one's deal and tricks stand at the side."""
        theme, (left, _, right, bottom) = self.canvas.theme, self.table
        own_turn = self.seen.turn is not None and self.seen.turn == self.seen.seat
        words = self.words(explain.turn_line(self.seen, self.names))
        about = self._about(self.own)
        if self.seen.seat is None:
            about = f"{self.names[self.own]} · {about}" if about else self.names[self.own]
        aside = self.canvas.text_width(about, self.letter * 0.84) + 14 if about else 0
        at = (left + (22 if own_turn else 6), bottom + 24)
        room = right - left - aside - 28
        self.canvas.text(
            at, words, self.letter, bold=own_turn, colour=None if own_turn else theme.quiet, anchor="lm", room=room
        )
        if own_turn:
            self.canvas.disc((left + 10, bottom + 24), 5, theme.accent)
        self.canvas.text((right - 6, bottom + 24), about, self.letter * 0.84, colour=theme.quiet, anchor="rm")

    def _draw_hand(self) -> None:
        rules, seen, width = self.seen.rules, self.seen, self.card
        cards = [card for group in explain.hand_order(rules, seen.hand, seen.strain) for card in group]
        count = len(cards) if seen.seat is not None else seen.tricks_left - int(self._has_played(self.own))
        if not count or (seen.seat is None and self.own not in seen.playing):
            return
        left, _, right, bottom = self.table
        step = min(width + 8, (right - left - 8 - width) / max(1, count - 1))
        x, y = (left + right - width - step * (count - 1)) / 2, bottom + 48
        playable = {getattr(action, "card", None) for action in seen.legal}
        choosing = seen.phase in (Phase.PLAY, Phase.DISCARD) and seen.turn == seen.seat
        for place in range(count):
            pale = choosing and bool(cards) and cards[place] not in playable
            top = y + (6 if pale else 0)
            box = (x + place * step, top, x + place * step + width, top + width * SHAPE)
            if cards:
                draw_card(self.canvas, box, cards[place], pale=pale, trump=self._marked(cards[place]))
            else:
                draw_back(self.canvas, box)

    def _has_played(self, seat: int) -> bool:
        return self.seen.trick is not None and any(who == seat for who, _ in self.seen.trick.cards)

    # --- what was done ----------------------------------------------------------------------------------------------

    def _draw_log(self) -> None:
        """The latest actions, at the side."""
        left, top, right, bottom = self.log
        size, high = 13.0, 20.0
        lines: list[str] = []
        for message in reversed(explain.history_lines(self.seen, self.names)):
            wrapped = self.canvas.wrapped(self.words(message), size, right - left)
            if (len(lines) + len(wrapped)) * high > bottom - top:
                break
            lines = [*wrapped, *lines]
        for row, line in enumerate(lines):
            self.canvas.text((left, top + 10 + row * high), line, size, colour=self.canvas.theme.quiet, anchor="lm")
