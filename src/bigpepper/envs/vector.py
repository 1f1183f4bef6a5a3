"""Thousands of rounds side by side, stepped in one compiled call on arrays: `Rounds`.

Row i plays one round after another. The e-th of them (0, 1, …) has the deal `deal_at(rules, seed, i, e)` and is dealt
by seat (i + e) mod players: a row does not depend on how many rows, threads or steps there are beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from bigpepper import jit
from bigpepper.deal import MASK62, Deal, Seed, key_of, mix, shuffle
from bigpepper.envs import lanes
from bigpepper.envs.encode import Encoder, check_buffer, encoder
from bigpepper.envs.lanes import Batch, Buffers, Lane, Plan
from bigpepper.envs.layout import Cells, Shown
from bigpepper.envs.settings import OPPONENTS, REWARDS, InvalidSetting, one_of
from bigpepper.errors import IllegalAction
from bigpepper.jit import Rows
from bigpepper.records import Round, View
from bigpepper.rules import Rules, require_rules
from bigpepper.state import State
from bigpepper.text import msg


class Rounds:
    """`n` rounds of one rulebook, each an episode, dealt anew as soon as it is over.

    After the constructor, `reset` and every `step` the buffers hold, a row a round: `observations`, `masks`, `seats`,
    `rewards`, `dones` (see `Buffers`). They are written in place, so that `torch.from_numpy` on them is made once.

    - `seed`: of all deals (a number, text or bytes);
    - `reward`: `points`, `difference` or `win` (see `rewards`);
    - `threads`: slices of the batch that are stepped at the same time, without the GIL;
    - `buffers`: what to write into; by default compact observations and masks (`new_buffers` makes others);
    - `learner`: a seat that alone is asked, while `opponent` (`random` or `first`) plays the others. Rounds that end
      before he is asked anything are passed over.

    Raises `InvalidSetting`, and `TypeError` or `ValueError` for buffers that do not fit.
    """

    def __init__(
        self,
        rules: Rules,
        n: int,
        *,
        seed: Seed = 0,
        reward: str = "points",
        threads: int = 1,
        buffers: Buffers | None = None,
        learner: int | None = None,
        opponent: str = "random",
    ) -> None:
        require_rules(rules)
        _check_numbers(rules, n, threads, learner)
        self.rules = rules
        self.encoder: Encoder = encoder(rules)
        self.buffers: Buffers = new_buffers(rules, n) if buffers is None else buffers
        _check_buffers(self.encoder, n, self.buffers)
        plan = Plan()
        plan.reward, plan.opponent = one_of("reward", reward, REWARDS), one_of("opponent", opponent, OPPONENTS)
        plan.learner = -1 if learner is None else learner
        self._batch = _batch(self.encoder, n, plan, self.buffers)
        spans = [slice(n * k // threads, n * (k + 1) // threads) for k in range(threads)]
        self._slices = [_slice(self._batch, self.buffers, span) for span in spans]
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.reset(seed)

    def __len__(self) -> int:
        return len(self._batch.lanes)

    # --- what a step has written ------------------------------------------------------------------------------------

    @property
    def observations(self) -> NDArray[Any]:
        """`[n, size]`: what the seat to act sees."""
        observations: NDArray[Any] = self.buffers.observations
        return observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """`int8[n, actions]`: 1 for what it may do."""
        masks: NDArray[np.int8] = self.buffers.masks
        return masks

    @property
    def seats(self) -> NDArray[np.int64]:
        """`int64[n]`: the seat to act."""
        seats: NDArray[np.int64] = self.buffers.seats
        return seats

    @property
    def rewards(self) -> NDArray[np.float32]:
        """`float32[n, players]`: rewards a seat of the rounds that the last step ended; 0 in other rows.

        The first columns, as many as there are sides, are the rewards a side.
        """
        rewards: NDArray[np.float32] = self.buffers.rewards
        return rewards

    @property
    def dones(self) -> NDArray[np.bool_]:
        """`bool[n]`: whether the last step ended the row's round."""
        dones: NDArray[np.bool_] = self.buffers.dones
        return dones

    # --- acting -----------------------------------------------------------------------------------------------------

    def reset(
        self, seed: Seed | None = None, *, deals: Sequence[Deal] | None = None, dealers: Sequence[int] | None = None
    ) -> None:
        """Begin a round on every row: the first ones of `seed`; without a seed the rows' next ones.

        `deals` (n of them) take the place of these deals, `dealers` (n seats) of their dealers; the rows' next rounds
        are again those of the seed. Raises `InvalidSetting`, `InvalidDeal`, `InvalidGame`.
        """
        lanes.begin_rows(self._batch.lanes, -1 if seed is None else number_of(seed))
        self._run()
        if deals is not None or dealers is not None:
            self._begin_with(deals, dealers)

    def _begin_with(self, deals: Sequence[Deal] | None, dealers: Sequence[int] | None) -> None:
        n, players = len(self), self.rules.players
        deals = [self.deal(row) for row in range(n)] if deals is None else deals
        dealers = [(row + self.episode(row)) % players for row in range(n)] if dealers is None else dealers
        if len(deals) != n or len(dealers) != n:
            raise InvalidSetting(msg("Deals and dealers are given for all {n} rows.", n=n))
        records = [
            State.new(self.rules, deal=deal, dealer=dealer).record for deal, dealer in zip(deals, dealers, strict=True)
        ]
        dealt = np.array([[*r.dealt, r.widow] for r in records], np.int64)
        seats = np.array(dealers, np.int64)
        lanes.set_rows(self._batch, dealt, seats)
        self._run()

    def step(self, actions: NDArray[Any]) -> None:
        """Row i does the action with the number `actions[i]` (a place in `rules.actions`); whole numbers, `[n]`.

        Raises `IllegalAction`, naming the first row whose action is not legal; no row has moved then.
        """
        wrong = self._translate(actions)
        if wrong >= 0:
            raise self._illegal(wrong, int(actions[wrong]))
        self._run()

    def step_or_end(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """As `step`, but the round of a row whose action is not legal ends where it is, without rewards.

        Returns `bool[n]`: the rows of which that is true; they are done.
        """
        if self._translate(actions) < 0:
            refused = np.zeros(len(self), np.bool_)
        else:
            refused = np.array(_column(self._batch.lanes, "choice"), np.int64) == 0
        self._run()
        return refused

    def _translate(self, actions: NDArray[Any]) -> int:
        if actions.shape != (len(self),) or actions.dtype.kind not in "iu":
            raise TypeError(msg("A step takes one whole number for each of {n} rows.", n=len(self)))
        return lanes.first_illegal(self._batch, np.ascontiguousarray(actions, np.int64))

    def sample(self, seed: int, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """A random legal action for each row, `int64[n]`; `seed` 0 to 2⁶² - 1, another one for each step."""
        actions = np.empty(len(self), np.int64) if out is None else out
        lanes.sample_rows(self._batch, actions, seed)
        return actions

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()

    def _run(self) -> None:
        """Step every slice: the first one here, the others on the pool."""
        others = [self._pool.submit(lanes.step_rows, *part) for part in self._slices[1:]] if self._pool else []
        lanes.step_rows(*self._slices[0])
        for other in others:
            other.result()

    def _illegal(self, row: int, action: int) -> IllegalAction:
        actions = self.rules.actions
        return IllegalAction(
            msg(
                "Row {row}: “{action}” is not legal for seat {seat} now.",
                row=row,
                action=actions[action] if 0 <= action < len(actions) else action,
                seat=int(self.seats[row]),
            )
        )

    # --- rounds as data ---------------------------------------------------------------------------------------------

    @property
    def rounds(self) -> Rows:
        """The records of the rounds, for a `TruthEncoder`; not to be changed."""
        return self._batch.rounds

    def state(self, row: int) -> State:
        """The round of a row as a State of its own."""
        return State.of_record(self.rules, jit.unpack(Round, self._batch.rounds[row]))

    def deal(self, row: int) -> Deal:
        """The deal of the round that a row is playing."""
        r = jit.unpack(Round, self._batch.rounds[row])
        return Deal.from_masks(self.rules, r.dealt, r.widow)

    def episode(self, row: int) -> int:
        """Which of its rounds a row is playing, 0, 1, …"""
        return jit.unpack(Lane, self._batch.lanes[row]).episode


def new_buffers(
    rules: Rules, n: int, *, dtype: DTypeLike | None = np.int8, masks: bool = True, finals: bool = False
) -> Buffers:
    """Zeroed buffers for `n` rows; `dtype` of the observations: `int8`, `float32`, or None for none."""
    coder = encoder(rules)
    width, kind = (0, np.int8) if dtype is None else (coder.size, dtype)
    return Buffers(
        observations=np.zeros((n, width), kind),
        masks=np.zeros((n, coder.actions if masks else 0), np.int8),
        seats=np.zeros(n, np.int64),
        rewards=np.zeros((n, rules.players), np.float32),
        dones=np.zeros(n, np.bool_),
        finals=np.zeros((n, width if finals else 0), kind),
    )


def number_of(seed: Seed) -> int:
    """The number behind a seed: the first 8 bytes of its key (see `deal.key_of`), big end first, the lowest 62 bits."""
    return int.from_bytes(key_of(seed)[:8], "big") & MASK62


def deal_at(rules: Rules, seed: Seed, row: int, episode: int) -> Deal:
    """The deal of the `episode`-th round of a row of `Rounds` under `seed`: a pure function."""
    r = Round()
    shuffle(r, rules.tables, mix(mix(number_of(seed), row), episode))
    return Deal.from_masks(rules, r.dealt, r.widow)


def _batch(coder: Encoder, n: int, plan: Plan, out: Buffers) -> Batch:
    rows = [Lane() for _ in range(n)]
    for number, lane in enumerate(rows):
        lane.row = number
    return Batch(
        rounds=jit.rows(Round, n),
        lanes=jit.pack(rows),
        views=jit.rows(View, 1),
        tables=jit.pack([coder.rules.tables]),
        layouts=jit.pack([coder.layout]),
        plans=jit.pack([plan]),
        scales=coder.number_scales(out.observations.dtype),
        shown=jit.rows(Shown, n),
        cells=jit.rows(Cells, 1),
    )


def _slice(batch: Batch, out: Buffers, part: slice) -> tuple[Batch, Buffers]:
    """One thread's part of the batch, with a scratch view of its own; nothing is copied."""
    own = batch._replace(
        rounds=batch.rounds[part],
        lanes=batch.lanes[part],
        views=jit.rows(View, 1),
        shown=batch.shown[part],
        cells=jit.rows(Cells, 1),
    )
    return own, Buffers(*(buffer[part] for buffer in out))


def _column(records: Rows, name: str) -> Any:
    """One field of all records."""
    return [getattr(one, name) for one in records] if isinstance(records, list) else records[name]


def _check_numbers(rules: Rules, n: int, threads: int, learner: int | None) -> None:
    if n < 1:
        raise InvalidSetting(msg("{n} rounds cannot be played side by side; at least one can.", n=n))
    if not 1 <= threads <= n:
        raise InvalidSetting(msg("{n} rounds take 1 to {n} threads, not {threads}.", n=n, threads=threads))
    if learner is not None and not 0 <= learner < rules.players:
        raise InvalidSetting(
            msg("The learner is a seat from 0 to {last}, not {seat}.", last=rules.players - 1, seat=learner)
        )


def _check_buffers(coder: Encoder, n: int, out: Buffers) -> None:
    forms, kind = (np.float32, np.int8), out.observations.dtype
    check_buffer("observations", out.observations, n, (0, coder.size), forms)
    check_buffer("masks", out.masks, n, (0, coder.actions), (np.int8,))
    check_buffer("seats", out.seats.reshape(-1, 1), n, (1,), (np.int64,))
    check_buffer("rewards", out.rewards, n, (coder.rules.players,), (np.float32,))
    check_buffer("dones", out.dones.reshape(-1, 1), n, (1,), (np.bool_,))
    check_buffer("finals", out.finals, n, (0, coder.size), (kind,))
