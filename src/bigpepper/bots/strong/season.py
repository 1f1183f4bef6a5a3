"""Making the match table: rounds of plain players give how scores move, and from that follows who wins from where."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from collections import Counter
from threading import Lock
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.fit import model_of
from bigpepper.bots.strong.match import CELLS, WON, Match
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, Model
from bigpepper.bots.strong.policy import Mind, choose, look_at_hands
from bigpepper.bots.strong.stakes import Stakes, end_round, splits_of, weigh
from bigpepper.deal import mix, shuffle
from bigpepper.jit import Record, Row4, Rows, entry, pack, record, rows, share
from bigpepper.kernel import apply, start, winners
from bigpepper.records import NO_TRUMP, PLAY, Round, Tables, View
from bigpepper.rules import Rules
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_round

Table: TypeAlias = NDArray[np.float64]

DEALS: Final = 3_000
SEED: Final = 71
SWEEPS: Final = (4, 6, 60)
"""Rounds that are played in thought, at most, for a first, a second and the final table."""
MOST_SEASONS: Final = 64
ENOUGH: Final = 1e-3
"""A sweep that changes no chance by more than this is the last one."""


@record
class Ending(Record):
    """What a plain auction came to."""

    bid: int  # -1: thrown in
    maker: int
    tricks: int  # expected for the makers, 1/64
    no_trump: int
    surplus: Row4  # of each hand, 1/64 trick


class Move(NamedTuple):
    """How a round moves the scores: points of the makers, and of each other side clockwise from them."""

    points: tuple[int, ...]
    chance: float


class Season(NamedTuple):
    """What plain players' rounds tell about a rulebook."""

    match: Match
    model: Model
    """That of the deck shape, with what bids promise that are played."""


_seasons: dict[str, Season] = {}
"""Made before, by the rulebooks' digests: each table of a server has a rulebook of its own."""
_making: Final = Lock()


def season_of(rules: Rules) -> Season:
    """What is known of a rulebook; made once in a process, in about a second."""
    found: Season | None = rules.memo.get("season")
    if found is None:
        with _making:
            found = _seasons.get(rules.digest)
            if found is None:
                if len(_seasons) >= MOST_SEASONS:
                    _seasons.clear()
                found = _seasons[rules.digest] = _play_season(rules)
        rules.memo["season"] = found
    return found


def _play_season(rules: Rules) -> Season:
    match, model = _first_guess(rules), model_of(rules).copy()
    for sweeps in SWEEPS:  # what is bid depends on what others' bids promise, and a little on what a score is worth
        endings, positions = _endings(rules, match, model)
        heed_others(rules, model, endings, positions)
        match = _table(rules, match, _moves(rules, model, endings), sweeps)
    return Season(match, model)


# --- how rounds end -------------------------------------------------------------------------------------------------


@entry
def hold_auctions(
    tables: Rows, models: Rows, stakes: Rows, minds: Rows, scratch: Rows, endings: Rows, positions: Rows, seed: int
) -> int:
    """Deal and let plain players speak and name; what came of each deal, and the position before the first lead."""
    t, m, s, mind, r = tables[0], models[0], stakes[0], minds[0], scratch[0]
    for i in range(len(endings)):
        hold_auction(r, t, m, s, mind, endings[i], mix(seed, i), i % t.players)
        if r.phase == PLAY:
            place_round(r, t, positions[i], TRICKS)
    return len(endings)


@share
def hold_auction(r: Round, t: Tables, m: Model, s: Stakes, mind: Mind, e: Ending, seed: int, dealer: int) -> None:
    """One deal."""
    shuffle(r, t, seed)
    start(r, t, dealer)
    look_at_hands(r, t, m, mind)
    while r.phase < PLAY:
        apply(r, t, choose(r, t, m, s, mind))
    e.bid = -1
    if r.phase == PLAY:
        e.bid, e.maker, e.tricks = r.bid, r.maker, mind.best[r.maker]
        e.no_trump = 1 if r.strain == NO_TRUMP else 0
    for seat in range(4):
        e.surplus[seat] = mind.surplus[seat]


def _endings(rules: Rules, match: Match, model: Model) -> tuple[Rows, Rows]:
    """Plain auctions from 0 : 0, and the positions that they lead to."""
    tables, stakes, endings, positions = (
        pack([rules.tables]),
        rows(Stakes, 1),
        rows(Ending, DEALS),
        rows(Position, DEALS),
    )
    weigh(rows(View, 1), tables, pack([match]), stakes, rows(Round, 1))
    hold_auctions(tables, pack([model]), stakes, rows(Mind, 1), rows(Round, 1), endings, positions, SEED)
    return endings, positions


def heed_others(rules: Rules, model: Model, endings: Rows, positions: Rows) -> None:
    """Learn what a bid promises that is played: another's by a straight line, for friend and foe; one's own on average.

    The line goes by the bid and one's own surplus.
    """
    played = endings["bid"] >= 0
    if not played.any():
        return
    tricks = Solver().answers(positions[played])["value"]
    bids = np.array(rules.tables.bid_tricks)[endings["bid"][played]]
    makers, ours = endings["maker"][played], endings["surplus"][played] / TRICK
    # who is left with the bid holds more than his hand shows: the others might have bid, and did not
    better = round(float(TRICK * tricks.mean() - endings["tricks"][played].mean()))
    model.base[:] = [base + better for base in model.base]
    model.average += better
    for partner in (0, 1) if rules.partners else (0,):
        x, y = [], []
        for away in range(1, rules.players):
            if rules.partners and (away == 2) != (partner == 1):
                continue
            seats = (makers + away) % rules.players
            x.append(np.stack([np.ones(len(seats)), bids, ours[np.arange(len(seats)), seats]], axis=1))
            y.append(tricks)
        columns, values = np.concatenate(x), np.concatenate(y)
        lean = np.diag([0.0, 0.02 * len(values), 0.0])
        line = np.linalg.lstsq(columns.T @ columns + lean, columns.T @ values, rcond=None)[0]
        model.others[partner][:] = [round(float(TRICK * figure)) for figure in line]


def _moves(rules: Rules, model: Model, endings: Rows) -> list[Move]:
    """What the endings bring, by points; rounds that move nothing are left out, as they only take time."""
    t, likely = rules.tables, model.likely
    seen: Counter[tuple[int, ...]] = Counter(
        (int(e["bid"]), min(STEPS - 1, max(0, int(e["tricks"]) + 4 >> 3)), int(e["no_trump"]))
        for e in endings
        if e["bid"] >= 0
    )
    moves: dict[tuple[int, ...], float] = {}
    for (bid, step, no_trump), times in seen.items():
        for tricks, part in enumerate(likely[step + STEPS * no_trump][: rules.cards + 1]):
            splits = splits_of(t, rules.cards - tricks)
            for split in range(splits):
                points = _points(t, bid, tricks, split)
                moves[points] = moves.get(points, 0.0) + times * part / CERTAIN / splits
    moves = {points: part for points, part in moves.items() if any(points)}
    moves = {points: part for points, part in moves.items() if part > 1e-3 * sum(moves.values())}
    total = sum(moves.values())
    return [Move(points, part / total) for points, part in sorted(moves.items())]


def _points(t: Tables, bid: int, tricks: int, split: int) -> tuple[int, ...]:
    r = Round()
    end_round(r, t, 0, bid, tricks, 0, split)
    return tuple(r.points[: t.sides])


# --- who wins from where --------------------------------------------------------------------------------------------


def _blank(rules: Rules) -> Match:
    """The cells: from as far below 0 as the target is above it, in steps that fit into the table; further if they fit.

    Where most bids fail, scores sink; a table that is not deep enough would say that to sink costs nothing.
    """
    found = Match()
    most = 116 if rules.sides == 2 else 20
    found.step = max(1, -(-2 * rules.target // most))
    cells = min(most, 4 * -(-rules.target // found.step))
    found.low = rules.target - cells * found.step
    found.size = cells + 2
    assert found.size**rules.sides <= CELLS
    return found


def _scores(match: Match) -> NDArray[np.int64]:
    return match.low + match.step * np.arange(match.size)


def _first_guess(rules: Rules) -> Match:
    """By how much each side lacks of the target."""
    match = _blank(rules)
    lacks = np.maximum(1, rules.target - _scores(match)) / (0.25 * rules.target + 1)
    weights = np.exp(-lacks)
    shape = (match.size,) * rules.sides
    total = sum(
        np.broadcast_to(weights.reshape([-1 if a == i else 1 for a in range(rules.sides)]), shape)
        for i in range(rules.sides)
    )
    own = np.broadcast_to(weights.reshape([-1] + [1] * (rules.sides - 1)), shape)
    return _filled(match, own / total)


def _filled(match: Match, chances: Table) -> Match:
    flat = np.round(chances.ravel() * WON).astype(int)
    match.chance[: len(flat)] = [int(x) for x in flat]
    return match


def _table(rules: Rules, guess: Match, moves: list[Move], sweeps: int) -> Match:
    """Chances that stay as they are when a round is played: found by playing one after another."""
    match, sides = _blank(rules), rules.sides
    size = match.size
    ended = [_ended(rules, match, makers, reach(moves, match)) for makers in range(sides)]
    chances = np.array(guess.chance[: size**sides], dtype=np.float64).reshape((size,) * sides) / WON
    inner = (
        slice(0, size - 2),
    ) * sides  # the last two cells of an axis are at the target: the makers may decide there
    if not moves:
        return _filled(match, chances)
    for _ in range(sweeps):
        after = np.zeros_like(chances)
        for makers in range(sides):
            whole = ended[makers].copy()
            whole[inner] = chances[inner]
            for move in moves:
                points = [move.points[(side - makers) % sides] for side in range(sides)]
                after += move.chance / sides * _moved(whole, points, match)
        after = np.where(_is_over(match, sides), ended[0][(slice(0, size),) * sides], after)
        change = float(np.abs(after - chances).max())
        chances = after
        if change < ENOUGH:
            break
    return _filled(match, chances)


def reach(moves: list[Move], match: Match) -> int:
    """Cells above the target that a round can lead to."""
    most = max((max(move.points) for move in moves), default=0)
    return -(-most // match.step) + 1


def _is_over(match: Match, sides: int) -> NDArray[np.bool_]:
    at = np.arange(match.size) >= match.size - 2
    axes = [at.reshape([-1 if a == i else 1 for a in range(sides)]) for i in range(sides)]
    found: NDArray[np.bool_] = np.logical_or.reduce(np.broadcast_arrays(*axes))
    return found


def _ended(rules: Rules, match: Match, makers: int, more: int) -> Table:
    """The first side's part of the game where somebody has reached the target; 0 elsewhere. The kernel says who won."""
    size, sides = match.size + more, rules.sides
    scores = match.low + match.step * np.arange(size)
    below = int((scores < rules.target).sum())  # of those who have not reached it, it makes no difference by how much
    ends = [match.low, *(int(score) for score in scores[below:])]
    r, parts = Round(), np.zeros((len(ends),) * sides)
    r.maker = makers
    for cell in np.ndindex(parts.shape):
        if any(cell):
            r.scores[:sides] = [ends[i] for i in cell]
            won = winners(r, rules.tables, 0)
            parts[cell] = (won & 1) / won.bit_count()
    at = np.maximum(np.arange(size) - below + 1, 0)
    found: Table = parts[np.ix_(*[at] * sides)]
    return found


def _moved(whole: Table, points: list[int], match: Match) -> Table:
    """The chances after so many points of each side, for every cell of the table."""
    for axis, gained in enumerate(points):
        cells, rest = divmod(gained, match.step)
        near = _shifted(whole, axis, cells, match.size)
        whole = near if rest == 0 else near + rest / match.step * (_shifted(whole, axis, cells + 1, match.size) - near)
    return whole


def _shifted(whole: Table, axis: int, cells: int, size: int) -> Table:
    at = np.clip(np.arange(size) + cells, 0, whole.shape[axis] - 1)
    return whole.take(at, axis=axis)
