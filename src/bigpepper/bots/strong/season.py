"""What plain players' rounds tell about a rulebook: what their bids promise, and how scores move (see `chances`)."""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from threading import Lock
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.chances import Move, Moves, anchors, first_guess, mixed, table
from bigpepper.bots.strong.fit import model_of
from bigpepper.bots.strong.match import Match
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, Model
from bigpepper.bots.strong.policy import Mind, choose, look_at_hands
from bigpepper.bots.strong.stakes import Stakes, end_round, splits_of, weigh
from bigpepper.deal import mix, shuffle
from bigpepper.jit import Record, Row4, Rows, entry, pack, record, rows, share
from bigpepper.kernel import apply, start
from bigpepper.records import NO_TRUMP, PLAY, Round, Tables, View
from bigpepper.rules import Rules
from bigpepper.solve import Position, Solver
from bigpepper.solve.places import TRICKS, place_round

DEALS: Final = 3_000
DEALS_OF_SCORE: Final = 800
SEED: Final = 71
SWEEPS: Final = (4, 6, 60)
"""Rounds that are played in thought, at most, for a first, a second and the final table."""
MOST_SEASONS: Final = 64


@record
class Ending(Record):
    """What a plain auction came to."""

    bid: int  # -1: thrown in
    maker: int
    lone: int  # 1: alone
    tricks: int  # expected for the makers, 1/64
    no_trump: int
    surplus: Row4  # of each hand, 1/64 trick


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
    match, model, outcomes = first_guess(rules), model_of(rules).copy(), _Outcomes(rules)
    for sweeps in SWEEPS:  # what is bid depends on what others' bids promise, and on what a score is worth
        heed_others(rules, model, *_endings(rules, match, model))
        match = table(rules, match, _moves(rules, match, model, outcomes), sweeps)
    return Season(match, model)


# --- how rounds end -------------------------------------------------------------------------------------------------


@entry
def hold_auctions(
    tables: Rows, models: Rows, stakes: Rows, minds: Rows, scratch: Rows, endings: Rows, positions: Rows, seed: int
) -> int:
    """Deal and let plain players speak and name; what came of each deal.

    `positions`: room for those before the first lead, or none.
    """
    t, m, s, mind, r = tables[0], models[0], stakes[0], minds[0], scratch[0]
    for i in range(len(endings)):
        hold_auction(r, t, m, s, mind, endings[i], mix(seed, i), i % t.players)
        if r.phase == PLAY and i < len(positions):
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
        e.bid, e.maker, e.lone, e.tricks = r.bid, r.maker, 1 if r.lone >= 0 else 0, mind.best[r.maker]
        e.no_trump = 1 if r.strain == NO_TRUMP else 0
    for seat in range(4):
        e.surplus[seat] = mind.surplus[seat]


class _PlainPlayers:
    """Plain players of a rulebook, who hold auctions at any score."""

    def __init__(self, rules: Rules, match: Match, model: Model) -> None:
        self._sides = rules.sides
        self._tables, self._match, self._model = pack([rules.tables]), pack([match]), pack([model])
        self._stakes, self._mind, self._round = rows(Stakes, 1), rows(Mind, 1), rows(Round, 1)

    def hold_auctions(self, scores: tuple[int, ...], endings: Rows, positions: Rows) -> None:
        """The same deals every time; `positions` as above."""
        view = View()
        view.scores[: self._sides] = scores
        weigh(pack([view]), self._tables, self._match, self._stakes, self._round)
        stakes, mind, r = self._stakes, self._mind, self._round
        hold_auctions(self._tables, self._model, stakes, mind, r, endings, positions, SEED)


def _endings(rules: Rules, match: Match, model: Model) -> tuple[Rows, Rows]:
    """Plain auctions from 0 : 0, and the positions that they lead to."""
    endings, positions = rows(Ending, DEALS), rows(Position, DEALS)
    _PlainPlayers(rules, match, model).hold_auctions((0,) * rules.sides, endings, positions)
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


class _Outcomes:
    """The ways in which a round moves the scores. Those that move nothing are left out, as they only take time."""

    def __init__(self, rules: Rules) -> None:
        t = rules.tables
        self.lines = (rules.sides, t.bids, 2, 9, 2)
        """What decides: makers, bid, alone or not, tricks, and how the others share theirs."""
        points = {line: self._points(rules, *line) for line in np.ndindex(self.lines)}
        self.moves = sorted({Move(line[0], gains) for line, gains in points.items() if any(gains)})
        numbers = {move: number for number, move in enumerate(self.moves)}
        none = len(self.moves)
        self._number = np.array([numbers.get(Move(line[0], gains), none) for line, gains in points.items()])
        self.turned = [[numbers[move.turned(-first)] for move in self.moves] for first in range(rules.sides)]
        """For each side: which of the moves becomes the n-th when that side is called 0."""

    @staticmethod
    def _points(rules: Rules, makers: int, bid: int, lone: int, tricks: int, split: int) -> tuple[int, ...]:
        rest = rules.cards - tricks
        if rest < 0:
            return ()
        r = Round()
        end_round(r, rules.tables, makers, bid, tricks, lone, split if splits_of(rules.tables, rest) == 2 else 0)
        return tuple(r.points[: rules.sides])

    def often(self, endings: Rows, likely: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many of the endings bring each move, when the makers' tricks are spread as `likely` says."""
        played = endings[endings["bid"] >= 0]
        steps = np.clip(played["tricks"] + 4 >> 3, 0, STEPS - 1) + STEPS * played["no_trump"]
        found = np.zeros(self.lines)
        np.add.at(found, (played["maker"] % self.lines[0], played["bid"], played["lone"]), likely[steps, :, None] / 2)
        often: NDArray[np.float64] = np.bincount(self._number, found.ravel(), len(self.moves) + 1)[:-1].astype(float)
        return often


def _moves(rules: Rules, match: Match, model: Model, outcomes: _Outcomes) -> Moves:
    """What plain players' rounds bring, at each of the scores of `anchors`."""
    at, sides, players = anchors(rules), rules.sides, _PlainPlayers(rules, match, model)
    endings, none = rows(Ending, DEALS_OF_SCORE), rows(Position, 0)
    likely = np.array(model.likely) / CERTAIN
    known = np.zeros((len(outcomes.moves), *[len(at)] * sides))
    for place in np.ndindex(known.shape[1:]):
        if place == min(place[first:] + place[:first] for first in range(sides)):
            players.hold_auctions(tuple(at[i] for i in place), endings, none)
            found = outcomes.often(endings, likely)
            for first in range(sides):  # seats have no names: what holds for one side holds for the next one
                known[:, *place[first:], *place[:first]] += found[outcomes.turned[first]]
    return mixed(rules, at, outcomes.moves, known)
