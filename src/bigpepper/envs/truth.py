"""For critics only: where every card of a round is, seen from a seat. Never for what decides at a table.

A type of its own, so that nobody confuses it with `encode`: it takes a State and no Observation, the other takes an
Observation and no State.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bigpepper import jit
from bigpepper.envs.encode import Row, check_buffer, check_records
from bigpepper.envs.layout import Axis, Slot, Slots, card_axis, seat_axis, size_of
from bigpepper.jit import Rows, entry, place_of, share
from bigpepper.kernel import printed_order
from bigpepper.records import Round, Tables
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import msg


class TruthEncoder:
    """Turns the States of one rulebook into flags (0 or 1); beside the observation a critic then knows everything."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.slots: Slots = truth_slots(rules)
        """The blocks of slots, in order."""
        self.size: int = size_of(self.slots)
        """How many slots."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each slot."""
        return tuple(name for slot in self.slots for name in slot.names)

    def encode(self, state: State, seat: int, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The state as `float32[size]` as `seat` counts, or written into `out` (`float32` or `int8`).

        Raises `TypeError` for anything but a State of this rulebook.
        """
        if not isinstance(state, State):
            raise TypeError(msg("A TruthEncoder takes a State, not a {kind}.", kind=type(state).__name__))
        if state.rules is not self.rules and state.rules.digest != self.rules.digest:
            raise TypeError(msg("This encoder is for other rules than the state: {rules}.", rules=self.rules.name))
        cells = [0] * self.size
        encode_truth(state.record, self.rules.tables, seat, cells, 0)
        if out is None:
            out = np.empty(self.size, np.float32)
        out[:] = cells
        return out

    def encode_rounds(self, rounds: Rows, seats: NDArray[np.int64], out: NDArray[Any]) -> None:
        """Encode records of the dtype of `Round`, each as its seat counts, into the rows of `out`, in one call.

        `seats` is `int64[n]`, `out` `float32` or `int8`, `[≥ n, size]`, C-contiguous.
        """
        check_records(rounds, Round)
        check_buffer("out", out, len(rounds), (self.size,), (np.float32, np.int8))
        encode_truths(rounds, self._tables, seats, out.reshape(-1), self.size)

    @cached_property
    def _tables(self) -> Rows:
        return jit.pack([self.rules.tables])


def truth_slots(rules: Rules) -> Slots:
    """The blocks of a rulebook's truth."""
    seat, card = seat_axis(rules), card_axis(rules)
    nowhere = Axis("where", ("widow", "discard", "nobody"))
    return (
        Slot("hands", (seat, card), "the hand of each seat now"),
        Slot("hidden", (nowhere, card), "the widow's card as it was dealt, the card laid away, cards dealt to nobody"),
    )


@entry
def encode_truths(rounds: Rows, tables: Rows, seats: NDArray[np.int64], out: Row, size: int) -> None:
    """Encode each round into its row, of `size` cells, of the flat `out`."""
    out[:] = 0
    for i in range(len(rounds)):
        encode_truth(rounds[i], tables[0], seats[i], out, i * size)


@share
def encode_truth(r: Round, t: Tables, own: int, out: Row, at: int) -> None:
    """Write where all cards are into `out` from `at` on, where zeros are."""
    nobody = (1 << t.deck_size) - 1
    for seat in range(t.players):
        hand = r.hands[seat] if r.strain < 0 else printed_order(t, r.strain, r.hands[seat])
        put_hand(hand, out, at + relative(t, own, seat) * t.deck_size)
        nobody &= ~r.dealt[seat]
    hidden = at + t.players * t.deck_size
    if r.widow >= 0:
        nobody &= ~(1 << r.widow)
        out[hidden + r.widow] = 1
    if r.discarded >= 0:
        out[hidden + t.deck_size + r.discarded] = 1
    put_hand(nobody, out, hidden + 2 * t.deck_size)


@share
def relative(t: Tables, own: int, seat: int) -> int:
    """The seat as seat `own` counts: itself 0, then clockwise."""
    return seat - own + t.players * (seat < own)


@share
def put_hand(cards: int, out: Row, at: int) -> None:
    """Mark the cards of a mask in printed order."""
    while cards:
        out[at + place_of(cards)] = 1
        cards &= cards - 1
