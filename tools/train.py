"""`make train`: learn what hands are worth from deals that strong bots play out, for every deck shape that is shipped.

    python tools/train.py                       all shapes, 8,000 rounds each
    python tools/train.py --rounds 500 pepper-3 a shorter training of one rulebook's shape

The rounds are played by `club` in every seat, with fixed seeds; how far each shape has come is kept in build/train, so
that a training which was stopped goes on. What the makers take is set against what they would take with open cards; the
tables that come of it go to src/bigpepper/bots/strong/data, and docs/model.md says how well they foretell.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from bigpepper import Rules, State, bots, workers
from bigpepper.bots.strong import fit
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, Model
from bigpepper.jit import pack
from bigpepper.kernel import side_of, strain_order, tricks_of
from bigpepper.records import NO_TRUMP, PLAY
from bigpepper.solve import Goal, Solver, position_of

ROOT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = ROOT / "build" / "train"
PAGE: Final = ROOT / "docs" / "model.md"
PICTURE: Final = ROOT / "docs" / "model.svg"
BATCH: Final = 100
PLAYER: Final = "club"
SOLVED: Final = (60_000, 30_000)
"""Deals that the tables of hands are fitted to: with trumps, without."""


class Played(NamedTuple):
    """One round: what the maker was dealt, and what came of it."""

    kind: int
    strain: int
    hand: int
    """As dealt, strain order."""
    open_tricks: int
    tricks: int


# --- playing --------------------------------------------------------------------------------------------------------


def play_batch(name: str, numbers: range) -> list[Played]:
    """The rounds with these numbers; those that are thrown in tell nothing."""
    rules = Rules.load(name)
    return [found for number in numbers if (found := play_round(rules, number)) is not None]


def play_round(rules: Rules, number: int) -> Played | None:
    """One round from 0 : 0 with `club` in every seat."""
    seats = [bots.load(PLAYER, 1_000 * number + seat) for seat in range(rules.players)]
    state = State.new(rules, seed=f"train/{number}", dealer=number % rules.players)
    first = None
    while not state.is_over:
        if state.record.phase == PLAY and first is None:
            first = state
        state = state.apply(seats[state.record.turn].act(state.observation(state.record.turn)))
    if first is None:
        return None
    t, r = rules.tables, first.record
    value = int(_SOLVER.answers(pack([position_of(rules, r, Goal.TRICKS)]))["value"][0])
    kind = (1 if r.strain == NO_TRUMP else 0) + 2 * (r.lone >= 0) + 2 * (r.lone_defender >= 0)
    hand = strain_order(t, r.strain, r.dealt[r.maker])
    return Played(kind, r.strain, hand, value, tricks_of(state.record, t, side_of(t, r.maker)))


_SOLVER: Final = Solver()


def played(name: str, rounds: int, processes: int) -> list[Played]:
    """All rounds of a rulebook: those that are kept, and the rest, played now."""
    path = KEPT / f"{fit.shape_of(Rules.load(name))}.json"
    kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {"done": 0, "rounds": []}
    columns = TextColumn(f"{name:<26}"), BarColumn(), TextColumn("{task.completed:>6.0f} rounds"), TimeRemainingColumn()
    with Progress(*columns) as progress:
        task = progress.add_task("", total=rounds, completed=kept["done"])
        for batch, end in _batches(name, kept["done"], rounds, processes):
            kept["rounds"] += batch
            kept["done"] = end
            _write(path, json.dumps(kept))
            progress.update(task, completed=end)
    return [Played(*one) for one in kept["rounds"]]


def _batches(name: str, start: int, rounds: int, processes: int) -> Iterator[tuple[list[Played], int]]:
    tasks = [range(at, min(at + BATCH, rounds)) for at in range(start, rounds, BATCH)]
    for task, batch in zip(tasks, workers.results(partial(play_batch, name), tasks, processes), strict=True):
        yield batch, task.stop


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text, "utf-8")
    new.replace(path)


# --- learning -------------------------------------------------------------------------------------------------------


def learn(rules: Rules, rounds: list[Played]) -> Model:
    """The tables of a deck shape."""
    return fit.fit_open(rules, SOLVED, play_out(rules, rounds))


def play_out(rules: Rules, rounds: list[Played]) -> NDArray[np.float64]:
    """Chances of 0 … 8 tricks by kind and open-card tricks; where little was seen, what all kinds have in common."""
    size = rules.cards
    seen = np.zeros((6, 9, 9))
    for one in rounds:
        seen[one.kind, one.open_tricks, one.tricks] += 1
    shifts = np.zeros(17)
    for made in range(9):
        for taken in range(9):
            shifts[taken - made + 8] += seen[:, made, taken].sum()
    shifts = (shifts + 1e-3) / (shifts + 1e-3).sum()
    found = np.zeros((6, 9, 9))
    for made in range(size + 1):
        common = np.zeros(9)
        for shift in range(-8, 9):
            common[min(size, max(0, made + shift))] += shifts[shift + 8]
        near = 30 * common + 0.25 * seen[:, made].sum(axis=0)
        for kind in range(6):
            counts = seen[kind, made] + 60 * near / near.sum()
            found[kind, made] = counts / counts.sum()
    for made in range(size + 1, 9):
        found[:, made, size] = 1
    return found.reshape(54, 9)


# --- the page -------------------------------------------------------------------------------------------------------


class Report(NamedTuple):
    """How well a shape's tables foretell rounds that they were not made from."""

    name: str
    shape: str
    rounds: int
    expected: NDArray[np.float64]
    taken: NDArray[np.float64]
    brier: float
    plain: float


def report(name: str, rounds: list[Played]) -> Report:
    """Learn from four fifths, and foretell the rest: tricks, and whether the makers take at least half of them."""
    rules = Rules.load(name)
    rest = rounds[::5]
    model = learn(rules, [one for i, one in enumerate(rounds) if i % 5])
    likely = np.array(model.likely) / CERTAIN
    hands = np.array([one.hand for one in rest])
    strains = np.array([one.strain for one in rest])
    steps = np.clip((fit.expected(model, strains, hands).astype(int) + TRICK // 16) // (TRICK // 8), 0, STEPS - 1)
    rows = likely[steps + STEPS * (strains == NO_TRUMP)]
    taken = np.array([one.tricks for one in rest], dtype=float)
    limit = rules.cards // 2 + 1
    chance, came = rows[:, limit:].sum(axis=1), taken >= limit
    brier = float(((chance - came) ** 2).mean())
    plain = float(came.mean() * (1 - came.mean()))
    return Report(name, fit.shape_of(rules), len(rounds), rows @ np.arange(9), taken, brier, plain)


HEAD: Final = """# What hands are worth: the model's card

<!-- Generated by `make train`. -->

The strong bots expect tricks of a hand by tables: the cards held in a suit are looked up as a pattern, what the suits
say is added up, and a table of chances says how the makers' tricks spread around that. The tables of a deck shape were
fitted to {trump:,} deals with trumps and {plain:,} without, solved with open cards; what players take who see their own
cards alone was counted in the rounds below, which `club` played in every seat with the seeds `train/0`, `train/1`, …
Other shapes are fitted to fewer solved deals when they are first loaded, and share the shape-free part.

The rounds of the picture are a fifth that was left out when its tables were learned. The Brier score is the mean square
error of the chance that the makers take more than half of the tricks; beside it, that of always saying the average.
The hands are those that were bid on, so they are better than average, and a partner's bid is not in these tables:
the bots learn about the other hands by weighing worlds.

![Tricks expected and tricks taken](model.svg)

| rulebook | shape | rounds | expected | taken | Brier score | of the average |
|---|---|---:|---:|---:|---:|---:|
"""


def write_page(reports: list[Report]) -> None:
    """The table and its picture."""
    lines = [
        f"| {one.name} | {one.shape} | {one.rounds:,} | {one.expected.mean():.2f} | {one.taken.mean():.2f} "
        f"| {one.brier:.3f} | {one.plain:.3f} |"
        for one in reports
    ]
    PAGE.write_text(HEAD.format(trump=SOLVED[0], plain=SOLVED[1]) + "\n".join(lines) + "\n", "utf-8")
    draw(reports)


def draw(reports: list[Report]) -> None:
    """Tricks taken against tricks expected, in tenths of the hands."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "bigpepper"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
    axes.plot([0, 8], [0, 8], color="#999999", linewidth=1)
    for one, colour in zip(reports, ("#4c6a8a", "#a03c32", "#5f7f4c", "#b08a3e", "#7a5a86"), strict=False):
        order = np.array_split(np.argsort(one.expected), 10)
        axes.plot(
            [one.expected[part].mean() for part in order],
            [one.taken[part].mean() for part in order],
            "o-",
            color=colour,
            label=one.name,
        )
    axes.set_xlabel("tricks expected, by tenths of the hands")
    axes.set_ylabel("tricks taken")
    axes.grid(visible=True, alpha=0.25)
    axes.legend(frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None})


def shapes(names: list[str]) -> list[str]:
    """One rulebook for each deck shape among these."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(fit.shape_of(Rules.load(name)), name)
    return list(found.values())


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "rulebooks", nargs="*", default=["pepper-4", "pepper-3", "pepper-2", "hasenpfeffer-traditional"]
    )
    parser.add_argument("--rounds", type=int, default=8_000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    reports = []
    for name in shapes(given.rulebooks):
        rounds = played(name, given.rounds, given.processes)
        rules = Rules.load(name)
        fit.save(learn(rules, rounds), fit.DATA / f"{fit.shape_of(rules)}.json")
        reports.append(report(name, rounds))
    write_page(reports)


if __name__ == "__main__":
    main()
