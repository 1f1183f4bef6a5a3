"""The compiled part of `vector`: rows of rounds that are stepped, rewarded, dealt anew, encoded and masked."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Any, Final, NamedTuple

from bigpepper.deal import below, mix, shuffle
from bigpepper.envs.encode import Row, action_of, choice_of, encode, put_flags, put_mask, put_row
from bigpepper.envs.layout import Layout, Shown
from bigpepper.envs.rewards import worth
from bigpepper.envs.shown import forget, note
from bigpepper.jit import Record, Rows, count, entry, lowest, record, share
from bigpepper.kernel import apply, legal, side_of, start, view_own
from bigpepper.records import OVER, Round, Tables

OPPONENT_COUNTERS: Final = 32
"""`shuffle` uses the counters 0 … 24 of a deal's seed; a compiled opponent's draws count on from here."""


BEGIN: Final = -1
"""Instead of an action: begin the lane's episode."""

STAY: Final = -2
"""Instead of an action: only show the round."""


@record
class Lane(Record):
    """What a row remembers beside its round."""

    row: int  # its number
    seed: int  # of this row, 62 bits
    episode: int  # which round it is on, 0, 1, …
    legal: int  # mask in the phase's space
    choice: int  # what the next step does: the bit of an action, 0 for one that is not legal, BEGIN, STAY


@record
class Plan(Record):
    """What a batch was set to."""

    reward: int  # place in REWARDS
    learner: int  # the seat that is asked; -1: every seat
    opponent: int  # place in OPPONENTS: who plays the other seats


class Buffers(NamedTuple):
    """What a step writes, one row a round: C-contiguous arrays, the caller's or made by `vector.new_buffers`."""

    observations: Any
    """`int8[n, size]` or `float32[n, size]`: the view of the seat to act; width 0: not wanted."""
    masks: Any
    """`int8[n, actions]`: 1 for what it may do; width 0: not wanted. `masks.view(bool)` costs nothing."""
    seats: Any
    """`int64[n]`: the seat to act."""
    rewards: Any
    """`float32[n, players]`: rewards a seat of the round that has just ended, else 0."""
    dones: Any
    """`bool[n]`: whether this step ended a round; seat, observation and mask are then of the next one."""
    finals: Any
    """As `observations`: with a learner, its view of the end of the round that has just ended; other rows are stale."""


class Batch(NamedTuple):
    """What a step works on: records, and what never changes."""

    rounds: Rows
    lanes: Rows
    views: Rows  # one, for scratch
    tables: Rows
    layouts: Rows
    plans: Rows
    scales: Row  # of the numbers of the encoded form
    shown: Rows  # what the seats have shown, beside `rounds`
    cells: Rows  # one, for scratch


# Compiled code counts references to the arrays that are handed from function to function: half a microsecond for all of
# these. So arrays are handed on for a block of rows; inside of a block only records are, which cost nothing.

BLOCK: Final = 128
"""Rows that are stepped and then shown before the next ones; see docs/decisions/0031-the-compiled-batch.md."""


@entry
def begin_rows(lanes: Rows, seed: int) -> None:
    """The next step begins a round on every row: its first of `seed`, or for -1 its next one."""
    for i in range(len(lanes)):
        lane = lanes[i]
        lane.choice = BEGIN
        if seed >= 0:
            lane.seed, lane.episode = mix(seed, lane.row), 0
        else:
            lane.episode += 1


@entry
def set_rows(batch: Batch, deals: Row, dealers: Row) -> None:
    """Begin the rounds of these deals (a row: masks of four hands in printed order, number of the widow's card).

    The next step shows them.
    """
    rounds, lanes, shown = batch.rounds, batch.lanes, batch.shown
    t, x, plan = batch.tables[0], batch.layouts[0], batch.plans[0]
    for i in range(len(lanes)):
        r, lane = rounds[i], lanes[i]
        for seat in range(4):
            r.dealt[seat] = int(deals[i, seat])
        r.widow = int(deals[i, 4])
        start_row(r, t, int(dealers[i]), shown[i])
        others_play(r, t, lane, plan, x, shown[i])
        lane.choice = STAY
        if r.phase == OVER:
            lane.episode += 1
            lane.choice = BEGIN


@entry
def first_illegal(batch: Batch, actions: Row) -> int:
    """Translate the actions' numbers into choices, 0 for what is not legal; returns the first such row, -1 for none."""
    rounds, lanes, t, found = batch.rounds, batch.lanes, batch.tables[0], -1
    for i in range(len(lanes) - 1, -1, -1):
        lanes[i].choice = choice_of(rounds[i], t, int(actions[i])) & lanes[i].legal
        if lanes[i].choice == 0:
            found = i
    return found


@entry
def step_rows(batch: Batch, out: Buffers) -> None:
    """Do what each lane chooses; a row whose round ends is rewarded and dealt its next one; show all rows."""
    for begin in range(0, len(batch.lanes), BLOCK):
        after = min(begin + BLOCK, len(batch.lanes))
        move_rows(batch, out, begin, after)
        show_rows(batch, out, begin, after)


@entry
def sample_rows(batch: Batch, actions: Row, seed: int) -> None:
    """Write the number of a random legal action for each row; the draw depends on `seed` and the row's number."""
    rounds, lanes, t = batch.rounds, batch.lanes, batch.tables[0]
    for i in range(len(lanes)):
        actions[i] = action_of(rounds[i], t, pick(lanes[i].legal, mix(seed, lanes[i].row)))


@share
def move_rows(batch: Batch, out: Buffers, begin: int, after: int) -> None:
    """Do what the lanes of a block of rows choose; a row whose action was not legal ends where it is."""
    rounds, lanes, shown, v, cells = batch.rounds, batch.lanes, batch.shown, batch.views[0], batch.cells[0]
    t, x, plan, scales = batch.tables[0], batch.layouts[0], batch.plans[0], batch.scales
    finals, rewards, dones = out.finals, out.rewards, out.dones
    for i in range(begin, after):
        r, choice = rounds[i], lanes[i].choice
        if choice > 0:
            act(r, t, choice, x, shown[i])
            others_play(r, t, lanes[i], plan, x, shown[i])
        for seat in range(t.players):
            rewards[i, seat] = 0
        done = choice == 0 or (choice > 0 and r.phase == OVER)
        dones[i] = done
        if done:
            if r.phase == OVER:
                for seat in range(t.players):
                    rewards[i, seat] = worth(r.points, t.sides, side_of(t, seat), plan.reward) / (t.sides - 1)
            if finals.size:
                view_own(r, t, max(plan.learner, 0), v)
                encode(r, v, t, x, shown[i], cells)
                put_row(x, cells, scales, finals, i)
            lanes[i].episode += 1
        if done or choice == BEGIN:
            deal_round(r, t, lanes[i], plan, x, shown[i])


@share
def show_rows(batch: Batch, out: Buffers, begin: int, after: int) -> None:
    """Whose turn it is in a block of rows, what he may do and what he sees."""
    rounds, lanes, shown, v, cells = batch.rounds, batch.lanes, batch.shown, batch.views[0], batch.cells[0]
    t, x, scales = batch.tables[0], batch.layouts[0], batch.scales
    seats, observations, masks = out.seats, out.observations, out.masks
    for i in range(begin, after):
        r, lane = rounds[i], lanes[i]
        seats[i] = r.turn
        if observations.size:
            view_own(r, t, r.turn, v)
            lane.legal = v.legal
            encode(r, v, t, x, shown[i], cells)
            put_row(x, cells, scales, observations, i)
        else:
            lane.legal = legal(r, t)
        if masks.size:
            put_mask(r, t, lane.legal, cells)
            put_flags(cells, t.actions, masks, i)


@share
def act(r: Round, t: Tables, choice: int, x: Layout, shown: Shown) -> None:
    """The seat to act makes a choice; what it shows is noted, where encodings are wanted."""
    note(r, t, x, choice, shown)
    apply(r, t, choice)


@share
def start_row(r: Round, t: Tables, dealer: int, shown: Shown) -> None:
    """Begin the round whose deal stands in the record."""
    start(r, t, dealer)
    forget(shown)


@share
def deal_round(r: Round, t: Tables, lane: Lane, plan: Plan, x: Layout, shown: Shown) -> None:
    """Deal the lane's round; with a learner, one in which he has something to decide, at his first decision."""
    shuffle(r, t, mix(lane.seed, lane.episode))
    start_row(r, t, (lane.row + lane.episode) % t.players, shown)
    others_play(r, t, lane, plan, x, shown)
    while r.phase == OVER:
        lane.episode += 1
        shuffle(r, t, mix(lane.seed, lane.episode))
        start_row(r, t, (lane.row + lane.episode) % t.players, shown)
        others_play(r, t, lane, plan, x, shown)


@share
def others_play(r: Round, t: Tables, lane: Lane, plan: Plan, x: Layout, shown: Shown) -> None:
    """With a learner: the other seats act until it is his turn or the round is over."""
    if plan.learner < 0:
        return
    seed = mix(lane.seed, lane.episode)
    while r.phase != OVER and r.turn != plan.learner:
        choice = legal(r, t)
        if plan.opponent == 0:
            choice = pick(choice, mix(seed, OPPONENT_COUNTERS + r.length))
        else:
            choice = choice_of(r, t, first_action(r, t, choice))
        act(r, t, choice, x, shown)


@share
def pick(mask: int, random: int) -> int:
    """One bit of `mask`, each with the same chance."""
    k = below(random, count(mask))
    while k > 0:
        mask &= mask - 1
        k -= 1
    return lowest(mask)


@share
def first_action(r: Round, t: Tables, mask: int) -> int:
    """The lowest number of the actions in a legal mask: what the bot `first` does."""
    found = t.actions
    while mask:
        found = min(found, action_of(r, t, lowest(mask)))
        mask &= mask - 1
    return found
