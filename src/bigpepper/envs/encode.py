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
from bigpepper.envs.layout import FULL, MOST, WORD, Cells, Layout, Shown, Slots, layout_of, slots_of
from bigpepper.envs.shown import recall, shown_from, suit_led
from bigpepper.jit import Row4, Rows, entry, inlined, place_of, share, spread
from bigpepper.kernel import printed_order
from bigpepper.observation import Observation
from bigpepper.records import AUCTION, DEFENCE, DISCARD, NAMING, PLAY, Public, Tables, View
from bigpepper.rules import Rules, require_rules
from bigpepper.text import msg

Row: TypeAlias = Any
"""A NumPy array that compiled code writes into or reads."""


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
        encode(view, view, t, x, shown, cells)
        if out is None:
            out = np.empty(self.size, np.float32)
        out[: x.flags] = _spread(cells, x.flags)
        out[x.flags :] = np.array(cells.numbers[: x.numbers]) * self.number_scales(out.dtype)
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
        out[:] = _spread(cells, self.actions)
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


def _spread(cells: Cells, n: int) -> NDArray[np.uint8]:
    """The first `n` flags, 0 or 1 each."""
    return np.unpackbits(np.array(cells.flags, "<u4").view(np.uint8), count=n, bitorder="little")


def encoder(rules: Rules) -> Encoder:
    """The encoder of a rulebook, made once. Raises `InvalidRules` for a name in place of rules."""
    require_rules(rules)
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
        encode(views[i], views[i], t, x, shown, cells)
        put_row(x, cells, scales, out, i)


@entry
def mask_rows(views: Rows, tables: Rows, scratch: Rows, out: Row) -> None:
    """Write the mask of each view into its row of `out`."""
    t, cells = tables[0], scratch[0]
    for i in range(len(views)):
        put_mask(views[i], t, views[i].legal, cells)
        put_flags(cells, t.actions, out, i)


@inlined
def put_row(x: Layout, cells: Cells, scales: Row, out: Row, i: int) -> None:
    """Write a row: the flags, then the numbers times their scales."""
    put_flags(cells, x.flags, out, i)
    numbers, first = cells.numbers, x.flags & 511
    for k in range(x.numbers & 15):
        out[i, first + k] = numbers[k] * scales[k]


@inlined
def put_flags(cells: Cells, n: int, out: Row, i: int) -> None:
    """Write the first `n` flags into the row, a word at a time; the last word overlaps the one before."""
    flags = cells.flags
    for word in range(n >> 5):
        spread(flags[word], out, i, word << 5)
    if n & 31 and n >= WORD:
        word, bit = (n - WORD) >> 5, n & 31
        spread(flags[word] >> bit | flags[word + 1] << WORD - bit & FULL, out, i, n - WORD)
    elif n < WORD:
        for k in range(n):
            out[i, k] = flags[0] >> k & 1


@inlined
def encode(p: Public, v: View, t: Tables, x: Layout, shown: Shown, out: Cells) -> None:
    """Write the compact form of a view into `out`, whatever that held.

    Of `v` only the seat's own part is read; `p` is the public part, of the same view or of the round itself, and
    `shown` what all seats have shown in it.
    """
    own = max(v.seat, 0) & 3
    bits, at = put_shown(t, x, own, shown, out)
    bits, at = put_step(p, x, own, bits, at, out)
    bits, at = put_own_cards(v, x, shown_from(shown, own * x.shown + x.shown_played), bits, at, out)
    bits, at = put_trick(p, t, x, own, shown.trick, bits, at, out)
    bits, at = put_contract(p, x, own, bits, at, out)
    if x.own_widow:
        bits, at = put(one(v.own_widow), x.own_widow, bits, at, out)
        bits, at = put(one(v.own_discard), x.own_discard, bits, at, out)
    out.flags[at >> 5 & 15] = bits
    put_numbers(p, t, x, own, out)


# Flags are put one block after another. `bits` are those of the word that is being filled, `at` is how many flags there
# are so far; compiled code keeps both in registers.


@share
def put(block: int, width: int, bits: int, at: int, out: Cells) -> tuple[int, int]:
    """Append a block of at most 30 flags; returns `bits` and `at` after it."""
    bits |= block << (at & 31)
    out.flags[at >> 5 & 15] = bits & FULL
    return bits >> ((at + width >> 5) - (at >> 5) << 5), at + width


@share
def one(place: int) -> int:
    """One flag of a block, nothing for -1."""
    return 1 << place + 1 >> 1


@share
def one_seat(x: Layout, own: int, seat: int) -> int:
    """A seat in a block of seats as seat `own` counts, nothing for -1."""
    return x.seat[own][seat + 1 & 7]


@share
def put_shown(t: Tables, x: Layout, own: int, shown: Shown, out: Cells) -> tuple[int, int]:
    """What the seats have shown, from the observer's block on."""
    begin, at = own * x.shown, t.players * x.shown
    for word in range((at >> 5 & 15) + 1):
        out.flags[word] = shown_from(shown, begin + (word << 5))
    return out.flags[at >> 5 & 15] & (1 << (at & 31)) - 1, at


@share
def put_step(p: Public, x: Layout, own: int, bits: int, at: int, out: Cells) -> tuple[int, int]:
    """The phase, whose turn it is, who dealt."""
    turn, dealer = one_seat(x, own, p.turn), one_seat(x, own, p.dealer)
    block = 1 << p.phase | turn << x.phase | dealer << (x.phase + x.turn)
    return put(block, x.phase + x.turn + x.dealer, bits, at, out)


@share
def put_own_cards(v: View, x: Layout, played: int, bits: int, at: int, out: Cells) -> tuple[int, int]:
    """Own hand now and as dealt; in hand is what was dealt or taken and has not gone."""
    held = (v.own_dealt | one(v.own_widow)) & ~played & ~one(v.own_discard)
    bits, at = put(held, x.hand, bits, at, out)
    return put(v.own_dealt, x.dealt, bits, at, out)


@share
def put_trick(
    p: Public, t: Tables, x: Layout, own: int, cards: Row4, bits: int, at: int, out: Cells
) -> tuple[int, int]:
    """The trick on the table: who played what, who led, who is winning, which suit was led."""
    seat, begun = own & 3, -int(p.best != 0)
    for _ in range(t.players):
        bits, at = put(cards[seat] & begun, t.deck_size, bits, at, out)
        seat = (seat + 1) * (seat + 1 < t.players) & 3
    block = one_seat(x, own, p.leader) | one_seat(x, own, p.winner) << x.leader
    if p.led:
        block |= 1 << (x.leader + x.winner + suit_led(p, t, x))
    return put(block, x.leader + x.winner + x.led, bits, at, out)


@share
def put_contract(p: Public, x: Layout, own: int, bits: int, at: int, out: Cells) -> tuple[int, int]:
    """The standing bid and its maker, the strain, who is alone, who had to bid on the Joker."""
    bits, at = put(one(p.bid), x.bid, bits, at, out)
    block, width = one_seat(x, own, p.maker) | x.strain_flag[p.strain + 1 & 7] << x.maker, x.maker + x.strain
    block |= one_seat(x, own, p.joker_seat) << width  # where there is no such block, there is no such seat
    width += x.joker_seat
    block |= one_seat(x, own, p.lone) << width
    width += x.lone
    block |= one_seat(x, own, p.lone_defender) << width
    return put(block, width + x.lone_defender, bits, at, out)


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


@inlined
def put_mask(p: Public, t: Tables, legal: int, out: Cells) -> None:
    """Write the mask as flags: 1 at the numbers of the actions in a legal mask (see `action_of`), else 0."""
    for k in range(4):
        out.flags[k] = 0
    if p.phase == PLAY or p.phase == DISCARD:
        first = t.first_play if p.phase == PLAY else t.first_discard
        put_at(printed_order(t, p.strain, legal), first, out)
    elif p.phase == DEFENCE:
        put_at(legal & 1 | legal >> 1 << t.defend, 0, out)
    else:
        put_at(legal, t.first_name if p.phase == NAMING else 0, out)


@share
def put_at(block: int, at: int, out: Cells) -> None:
    """Set flags from `at` on, where zeros are: up to 30, or 61 where a word begins."""
    word, block = at >> 5 & 15, block << (at & 31)
    out.flags[word] = block & FULL
    out.flags[word + 1] = block >> WORD


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
