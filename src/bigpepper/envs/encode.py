"""What a seat sees as arrays: one Observation at a time, or a batch of view records in one compiled call.

Two forms: `int8` (compact), and `float32`, which is the compact form times `Encoder.scales`. Which slot says what is in
docs/observations.md, and in `Encoder.slots`. Seats count from the observer: own, then clockwise.

An encoder reads a View and nothing else: it cannot be given a State (critics that may see all have `truth`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bigpepper import jit
from bigpepper.envs.layout import MOST, Cells, Layout, Shown, Slots, layout_of, slots_of
from bigpepper.envs.shown import recall, suit_led
from bigpepper.jit import Rows, entry, lowest, place_of, share
from bigpepper.observation import Observation
from bigpepper.records import AUCTION, DEFENCE, DISCARD, NAMING, PLAY, Public, Tables, View
from bigpepper.rules import Rules
from bigpepper.text import msg

Row: TypeAlias = Any
"""Rows that lie one after another in a flat NumPy array; a list in plain Python."""


class Encoder:
    """Turns the observations of one rulebook into arrays. `encoder(rules)` keeps one for each rulebook."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.slots: Slots = slots_of(rules)
        """The blocks of slots, in order."""
        self.layout: Layout = layout_of(rules)
        """Where they begin, as compiled code takes it; not to be changed."""
        self.size: int = self.layout.size
        """How many slots an observation has."""
        self.actions: int = len(rules.actions)
        """How many actions there are: the width of a mask."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each slot."""
        return tuple(name for slot in self.slots for name in slot.names)

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """Float form = compact form × scales, `float32[size]`."""
        return self._each("scale").astype(np.float32)

    @cached_property
    def low_compact(self) -> NDArray[np.int8]:
        """The lowest value of each slot, compact form."""
        return self._each("low").astype(np.int8)

    @cached_property
    def high_compact(self) -> NDArray[np.int8]:
        """The highest value of each slot, compact form."""
        return self._each("high").astype(np.int8)

    @cached_property
    def low(self) -> NDArray[np.float32]:
        """The lowest value of each slot, float form."""
        return self.low_compact * self.scales

    @cached_property
    def high(self) -> NDArray[np.float32]:
        """The highest value of each slot, float form."""
        return self.high_compact * self.scales

    def _each(self, field: str) -> NDArray[Any]:
        return np.repeat([getattr(slot, field) for slot in self.slots], [slot.size for slot in self.slots])

    # --- one observation --------------------------------------------------------------------------------------------

    def encode(self, observation: Observation, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The observation as `float32[size]`, or written into `out` (`float32` or `int8`), which is returned.

        A spectator's is as seat 0 sees the table, its own cards empty. Raises `TypeError` for anything but an
        Observation of this rulebook.
        """
        t, x, view, cells, shown = self.rules.tables, self.layout, self._view(observation), Cells(), Shown()
        recall(view, t, x, shown)
        encode(view, view, t, x, cells)
        if out is None:
            out = np.empty(self.size, np.float32)
        own = max(view.seat, 0) * x.shown_each  # what follows is `put_row`, by slices
        out[: x.first] = np.frombuffer(shown.seats, np.uint8, x.first, own)
        out[x.first : x.first + x.flags] = np.frombuffer(cells.flags, np.uint8, x.flags)
        out[x.first + x.flags :] = np.array(cells.numbers[: x.numbers]) * self.number_scales(out.dtype)
        return out

    def compact(self, observation: Observation) -> NDArray[np.int8]:
        """The observation as `int8[size]`."""
        return self.encode(observation, np.empty(self.size, np.int8))

    def mask(self, observation: Observation, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """`int8[actions]`: 1 for what the observer may do now; all 0 when it is not his turn."""
        view, cells = self._view(observation), Cells()
        put_mask(view, self.rules.tables, view.legal, cells)
        if out is None:
            out = np.empty(self.actions, np.int8)
        out[:] = np.frombuffer(cells.mask, np.uint8, self.actions)
        return out

    def _view(self, observation: Observation) -> View:
        if not isinstance(observation, Observation):
            raise TypeError(msg("An encoder takes an Observation, not a {kind}.", kind=type(observation).__name__))
        if observation.rules is not self.rules and observation.rules.digest != self.rules.digest:
            raise TypeError(
                msg(
                    "This encoder is for {rules} as it was given; the observation is of other rules.",
                    rules=self.rules.name,
                )
            )
        return observation.view

    # --- batches ----------------------------------------------------------------------------------------------------

    def encode_views(self, views: Rows, observations: NDArray[Any], masks: NDArray[np.int8]) -> None:
        """Encode records of the dtype of `View` into the rows of `observations` and `masks`, in one compiled call.

        `observations` is `float32` or `int8`, `[≥ n, size]`, `masks` `int8[≥ n, actions]`, both C-contiguous; a
        width of 0 means "not wanted". Raises `TypeError` for records of another kind, `ValueError` for other shapes.
        """
        check_records(views, View)
        check_buffer("observations", observations, len(views), (0, self.size), (np.float32, np.int8))
        check_buffer("masks", masks, len(views), (0, self.actions), (np.int8,))
        if masks.size:
            mask_rows(views, self._tables, jit.rows(Cells, 1), masks)
        if observations.size:
            scratch, scales = (jit.rows(Cells, 1), jit.rows(Shown, 1)), self.number_scales(observations.dtype)
            encode_rows(views, self._tables, self._layouts, scratch, scales, observations)

    @cached_property
    def _tables(self) -> Rows:
        return jit.pack([self.rules.tables])

    @cached_property
    def _layouts(self) -> Rows:
        return jit.pack([self.layout])

    def number_scales(self, dtype: DTypeLike) -> NDArray[Any]:
        """The scales of the numbers, which follow the flags, in an array of `dtype`; ones for the compact form."""
        numbers = self.scales[-self.layout.numbers :]
        return np.ones_like(numbers, np.int8) if dtype == np.int8 else numbers


def encoder(rules: Rules) -> Encoder:
    """The encoder of a rulebook, made once."""
    found: Encoder | None = rules.memo.get(Encoder)
    if found is None:
        found = rules.memo[Encoder] = Encoder(rules)
    return found


def check_records(records: Rows, kind: type[jit.Record]) -> None:
    """Raise `TypeError` unless `records` are of that kind, as `jit.pack` or `jit.rows` makes them."""
    if isinstance(records, np.ndarray) and jit.enabled():
        right = records.dtype == jit.dtype(kind)
    else:
        right = isinstance(records, list) and all(isinstance(one, kind) for one in records)
    if not right:
        raise TypeError(msg("These are not records of {kind}.", kind=kind.__name__))


def check_buffer(
    name: str, buffer: NDArray[Any], rows: int, widths: tuple[int, ...], dtypes: tuple[DTypeLike, ...]
) -> None:
    """Raise `TypeError` or `ValueError` unless `buffer` can be written to by compiled code as it is."""
    if buffer.dtype not in dtypes:
        raise TypeError(msg("{name} has the wrong type {dtype}.", name=name, dtype=str(buffer.dtype)))
    shape = buffer.shape
    if len(shape) != 2 or shape[0] < rows or shape[1] not in widths or not buffer.flags.c_contiguous:
        raise ValueError(
            msg(
                "{name} has the shape {given}; it takes {rows} or more contiguous rows of {width}.",
                name=name,
                given=str(shape),
                rows=rows,
                width=widths[-1],
            )
        )


# --- the encoding, shared by both ways ------------------------------------------------------------------------------


@entry
def encode_rows(views: Rows, tables: Rows, layouts: Rows, scratch: tuple[Rows, Rows], scales: Row, out: Row) -> None:
    """Encode each view into its row of `out`, times the scales of the numbers."""
    t, x, cells, shown = tables[0], layouts[0], scratch[0][0], scratch[1][0]
    for i in range(len(views)):
        recall(views[i], t, x, shown)
        encode(views[i], views[i], t, x, cells)
        put_row(views[i], x, shown, cells, scales, out, i)


@entry
def mask_rows(views: Rows, tables: Rows, scratch: Rows, out: Row) -> None:
    """Write the mask of each view into its row of `out`."""
    t, cells = tables[0], scratch[0]
    for i in range(len(views)):
        put_mask(views[i], t, views[i].legal, cells)
        for k in range(t.actions):
            out[i, k] = cells.mask[k]


@share
def put_row(v: View, x: Layout, shown: Shown, cells: Cells, scales: Row, out: Row, i: int) -> None:
    """Put a row together: what the seats have shown, from the observer's block on, the other flags, the numbers.

    Masks that change nothing tell the compiler that no index is negative: it then copies in large steps.
    """
    own, first, flags = max(v.seat, 0) * x.shown_each & 255, x.first & 255, x.flags & 511
    for k in range(first):
        out[i, k] = shown.seats[own + k]
    for k in range(flags):
        out[i, first + k] = cells.flags[k]
    for k in range(x.numbers):
        out[i, first + flags + k] = cells.numbers[k] * scales[k]


@share
def encode(p: Public, v: View, t: Tables, x: Layout, out: Cells) -> None:
    """Write the compact form of a view, but for what the seats have shown, into `out`, whatever that held.

    Of `v` only the seat's own part is read; `p` is the public part, of the same view or of the round itself.
    """
    for k in range(x.flags):
        out.flags[k] = 0
    own = max(v.seat, 0)
    put_step(p, t, x, own, out)
    put_own_cards(p, v, t, x, out)
    put_contract(p, t, x, own, out)
    put_numbers(p, t, x, own, out)
    if p.phase >= PLAY:
        put_trick(p, t, x, own, out)


@share
def relative(t: Tables, own: int, seat: int) -> int:
    """The seat as seat `own` counts: itself 0, then clockwise. Without a branch, which nobody could predict."""
    return seat - own + t.players * (seat < own)


@share
def put_seat(t: Tables, own: int, seat: int, block: int, out: Cells) -> None:
    """Mark a seat in a block of seats; nothing for -1."""
    if seat >= 0:
        out.flags[block + relative(t, own, seat) & 511] = 1


@share
def put_step(p: Public, t: Tables, x: Layout, own: int, out: Cells) -> None:
    """The phase, whose turn it is, who dealt."""
    out.flags[x.phase + p.phase] = 1
    put_seat(t, own, p.turn, x.turn, out)
    put_seat(t, own, p.dealer, x.dealer, out)


@share
def put_own_cards(p: Public, v: View, t: Tables, x: Layout, out: Cells) -> None:
    """Own hand now and as dealt, own widow and discard: every card in the hand was dealt to it, or was the widow's."""
    flags, dealt, hand, held, cards = out.flags, x.dealt & 255, x.hand & 255, v.hand, v.own_dealt
    if cards and p.strain < 0:
        for _ in range(t.hand_size):
            card = place_of(cards) & 31
            flags[dealt + card] = 1
            flags[hand + card] = held >> card & 1
            cards &= cards - 1
    elif cards:
        place = t.place[p.strain]
        for _ in range(t.hand_size):
            card = place_of(cards) & 31
            flags[dealt + card] = 1
            flags[hand + card] = held >> place[card] & 1
            cards &= cards - 1
    if v.own_widow >= 0:
        flags[x.own_widow + v.own_widow] = 1
        flags[hand + v.own_widow] = held >> (v.own_widow if p.strain < 0 else t.place[p.strain][v.own_widow]) & 1
    if v.own_discard >= 0:
        flags[x.own_discard + v.own_discard] = 1


@share
def put_contract(p: Public, t: Tables, x: Layout, own: int, out: Cells) -> None:
    """The standing bid and its maker, the strain, who is alone, who had to bid on the Joker."""
    if p.bid >= 0:
        out.flags[x.bid + p.bid] = 1
    put_seat(t, own, p.maker, x.maker, out)
    if p.strain >= 0:
        out.flags[x.strain + x.strain_slot[p.strain]] = 1
    put_seat(t, own, p.lone, x.lone, out)
    put_seat(t, own, p.lone_defender, x.lone_defender, out)
    put_seat(t, own, p.joker_seat, x.joker_seat, out)


@share
def put_trick(p: Public, t: Tables, x: Layout, own: int, out: Cells) -> None:
    """The trick on the table: who led, which suit, who played what, who is winning."""
    put_seat(t, own, p.leader, x.leader, out)
    if p.best == 0:
        return
    put_seat(t, own, p.winner, x.winner, out)
    if p.led:
        out.flags[x.led + suit_led(p, t, x)] = 1
    flags, card_of, trick, players, deck = out.flags, t.card[p.strain], p.trick, t.players, t.deck_size
    seat, block = own & 3, x.trick
    for _ in range(players):
        bit = trick[seat]
        place = place_of(bit | (bit == 0)) & 63  # a seat that has not played marks nothing: cheaper than to ask first
        flags[block + card_of[place] & 511] |= bit != 0
        seat, block = (seat + 1) * (seat + 1 < players) & 3, block + deck


@share
def put_numbers(p: Public, t: Tables, x: Layout, own: int, out: Cells) -> None:
    """Scores from the observer's side on, tricks promised, lacking and left, passes in succession, tricks won.

    Seats in a loop of four, which compiled code unrolls; beyond the seats there are nobody reads. Masks that change
    nothing spare it the question whether an index is negative.
    """
    numbers, scores, won, side_of, at = out.numbers, p.scores, p.won, x.side, x.scores & 7
    sides, players, makers, tricks = t.sides, t.players, side_of[max(p.maker, 0)], 0
    side = side_of[own & 3]
    for k in range(sides):
        score = scores[side & 3]
        numbers[at + k] = min(max(score if x.unit == 1 else score // x.unit, -MOST), MOST)
        side = (side + 1) * (side + 1 < sides)
    seat, at = own & 3, x.won & 7
    for k in range(4):
        numbers[at + k] = won[seat]
        tricks += won[seat] * (side_of[seat] == makers and k < players)
        seat = (seat + 1) * (seat + 1 < players) & 3
    promised = t.bid_tricks[p.bid & 31] if p.bid >= 0 else 0
    numbers[x.promised & 15] = promised
    numbers[x.needed & 15] = max(promised - tricks, 0)
    numbers[x.left & 15] = p.left
    numbers[x.passes & 15] = p.passes


# --- actions by number ----------------------------------------------------------------------------------------------


@share
def put_mask(p: Public, t: Tables, legal: int, out: Cells) -> None:
    """Write the mask: 1 at the numbers of the actions in a legal mask, else 0."""
    for k in range(t.actions):
        out.mask[k] = 0
    while legal:
        out.mask[action_of(p, t, lowest(legal))] = 1
        legal &= legal - 1


@share
def choice_of(p: Public, t: Tables, action: int) -> int:
    """The bit, in the phase's space, of the action with this number; 0 where the phase has no such action."""
    if p.phase == PLAY or p.phase == DISCARD:
        card = action - (t.first_play if p.phase == PLAY else t.first_discard)
        return 1 << t.place[p.strain][card] if 0 <= card < t.deck_size else 0
    if p.phase == AUCTION:
        return 1 << action if 0 <= action <= t.bids else 0
    if p.phase == NAMING:
        name = action - t.first_name
        return 1 << name if 0 <= name < t.names else 0
    if p.phase == DEFENCE:
        return 0b10 if action == t.defend else 1 if action == 0 else 0
    return 0


@share
def action_of(p: Public, t: Tables, choice: int) -> int:
    """The number of the action of one bit in the phase's space; the inverse of `choice_of`."""
    if p.phase == PLAY or p.phase == DISCARD:
        return (t.first_play if p.phase == PLAY else t.first_discard) + t.card[p.strain][place_of(choice)]
    if p.phase == DEFENCE:
        return t.defend if choice == 0b10 else 0
    return place_of(choice) + (t.first_name if p.phase == NAMING else 0)
