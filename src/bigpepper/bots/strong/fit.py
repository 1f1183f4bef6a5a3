"""Fitting a model to solved deals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bigpepper.bots.strong.model import CERTAIN, PATTERNS, PLAIN, SIDE, STEPS, TRICK, TRUMPS, Model
from bigpepper.bots.strong.practice import Lesson, practise
from bigpepper.jit import pack, rows
from bigpepper.records import JOKER_PLACE, NO_TRUMP, PICK_UP, Round
from bigpepper.rules import Rules
from bigpepper.solve import Position, Solver

DEALS: Final = (6_000, 3_000)
"""Deals that a model is fitted to when it is made at load: with trumps, without."""
SEED: Final = 20_261_130
DATA: Final = Path(__file__).parent / "data"
"""What `make train` has learned, a file a deck shape."""
LEARNED: Final = ("worth", "base", "joker", "lift", "average", "likely", "played")
NARROW: Final = 0.25
"""Width, in tricks, of the window in which hands count as alike when chances are counted; wider ones foretell worse."""
RIDGE: Final = (40.0, 1.0)
"""Weight against large figures: of single patterns, and of the cards and lengths that all patterns share."""
PLAYED_OUT: Final = (0.02, 0.06, 0.20, 0.60, 0.12, 0.0)
"""Chances that players who do not see all cards take 3, 2, 1 fewer tricks than with open cards, as many, 1, 2 more."""


class Learned(NamedTuple):
    """Hands and what came of them."""

    strains: NDArray[np.int64]
    hands: NDArray[np.int64]
    tricks: NDArray[np.int64]
    """Tricks of the makers with open cards."""


def model_of(rules: Rules) -> Model:
    """The model of a rulebook; made once."""
    found: Model | None = rules.memo.get("strong model")
    if found is None:
        path = DATA / f"{shape_of(rules)}.json"
        found = rules.memo["strong model"] = load(path, rules) if path.exists() else fit_open(rules)
    return found


def shape_of(rules: Rules) -> str:
    """What the worth of a hand depends on: seats and cards, the deck, the widow, who leads first; a name for a file."""
    t = rules.tables
    deck = f"{rules.players}x{rules.cards}-{''.join(rules.ranks)}-{''.join(rules.suits)}{'J' if rules.joker else ''}"
    return f"{deck}-{rules.widow}-{rules.lead}{'-plain' if _has(rules, 1) else ''}-{t.names}"


def save(model: Model, path: Path) -> None:
    """Write the learned tables of a deck shape."""
    learned = {name: getattr(model, name) for name in LEARNED}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(learned, separators=(",", ":")) + "\n", "utf-8")


def load(path: Path, rules: Rules) -> Model:
    """Read them; what depends on the rulebook beside the shape is added."""
    model = Model()
    for name, value in json.loads(path.read_text("utf-8")).items():
        setattr(model, name, value)
    _others(model, rules)
    return model


def fit_open(rules: Rules, deals: tuple[int, int] = DEALS, played: NDArray[np.float64] | None = None) -> Model:
    """A model from open-card values of so many deals with trumps and without. Depends on its arguments alone.

    `played`: chances of 0 … 8 tricks, a row for each kind and open-card value; a general guess where not given.
    """
    model = Model()
    _lift(model, rules)
    _play_out(model, rules.cards)
    if played is not None:
        model.played[:] = [in_parts(row) for row in played]
    for _ in range(2 if rules.tables.widow == PICK_UP else 1):
        for no_trump in (0, 1):
            if _has(rules, no_trump):
                _fit_kind(model, rules, learn(rules, model, deals[no_trump], no_trump, SEED))
    model.average = _average(model, rules)
    _others(model, rules)
    return model


def learn(rules: Rules, model: Model, deals: int, no_trump: int, seed: int, lone: int = 0) -> Learned:
    """Deal and solve."""
    rounds, positions, lessons = rows(Round, deals), rows(Position, deals), rows(Lesson, deals)
    practise(pack([rules.tables]), pack([model]), rounds, positions, lessons, seed, no_trump, lone)
    return Learned(lessons["strain"], lessons["hand"], Solver().answers(positions)["value"])


def _has(rules: Rules, no_trump: int) -> bool:
    t = rules.tables
    return any((t.name_strain[i] == NO_TRUMP) == (no_trump == 1) and not t.name_alone[i] for i in range(t.names))


def _lift(model: Model, rules: Rules) -> None:
    """How long each lane's suit is, so that its highest card comes to bit 7."""
    t = rules.tables
    for strain in range(5):
        for lane in range(4):
            places = [place for place in t.place[strain][: t.deck_size] if place >> 4 == lane and place != JOKER_PLACE]
            if strain != NO_TRUMP and lane == 3:
                places = [place for place in t.place[strain][: t.deck_size] if place >> 4 == lane]
            model.lift[strain][lane] = max(0, 8 - max((place & 15) + 1 for place in places)) if places else 0


# --- tricks expected ------------------------------------------------------------------------------------------------


def patterns(model: Model, strains: NDArray[np.int64], hands: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The pattern of each lane of each hand."""
    lifts = np.array(model.lift)[strains]
    hands = np.where(strains == NO_TRUMP, hands & ~(1 << JOKER_PLACE), hands)
    return [((hands >> 16 * lane & 0xFF) << lifts[:, lane]) & 0xFF for lane in range(4)]


def _fit_kind(model: Model, rules: Rules, learned: Learned) -> None:
    """Tables of one kind of strain: a ridge regression, patterns leaning on what all of them share."""
    no_trump = bool(learned.strains[0] == NO_TRUMP)
    lanes = patterns(model, learned.strains, learned.hands)
    groups = {PLAIN: lanes} if no_trump else {TRUMPS: lanes[3:], SIDE: lanes[:3]}
    joker = (learned.hands >> JOKER_PLACE & 1 if no_trump else 0 * learned.hands).astype(np.float64)
    design = np.hstack([_design(columns) for columns in groups.values()] + [joker[:, None]])
    mean = learned.tricks.mean()
    penalty = np.concatenate([_penalty()] * len(groups) + [[RIDGE[1]]])
    centre = design.mean(axis=0)
    x = design - centre
    found = np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ (learned.tricks - mean))
    for i, suit in enumerate(groups):
        table = _shared() @ found[i * WIDTH : (i + 1) * WIDTH]
        model.worth[suit][:] = [round(float(figure)) for figure in TRICK * table]
    model.joker = round(TRICK * float(found[-1])) if no_trump else model.joker
    base = round(TRICK * float(mean - centre @ found))
    for strain in range(5):
        if (strain == NO_TRUMP) == no_trump:
            model.base[strain] = base
    _spread(model, learned, expected(model, learned.strains, learned.hands) / TRICK)


SHARED: Final = 8 + 9
WIDTH: Final = PATTERNS + SHARED


def _shared() -> NDArray[np.float64]:
    """For each pattern what it adds to: itself, each of its cards, its length."""
    numbers = np.arange(PATTERNS)
    cards = (numbers[:, None] >> np.arange(8) & 1).astype(np.float64)
    lengths = (cards.sum(axis=1)[:, None] == np.arange(9)).astype(np.float64)
    return np.hstack([np.eye(PATTERNS), cards, lengths])


def _design(lanes: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    table = _shared()
    found: NDArray[np.float64] = np.sum([table[lane] for lane in lanes], axis=0)
    return found


def _penalty() -> NDArray[np.float64]:
    return np.concatenate([np.full(PATTERNS, RIDGE[0]), np.full(SHARED, RIDGE[1])])


def expected(model: Model, strains: NDArray[np.int64], hands: NDArray[np.int64]) -> NDArray[np.float64]:
    """Tricks expected of each hand, in 1/64: as `model.tricks_expected`."""
    worth = np.array(model.worth)
    total = np.array(model.base)[strains]
    plain = strains == NO_TRUMP
    for lane, pattern in enumerate(patterns(model, strains, hands)):
        suit = np.where(plain, PLAIN, TRUMPS if lane == 3 else SIDE)
        total = total + worth[suit, pattern]
    found: NDArray[np.float64] = total + np.where(plain & (hands >> JOKER_PLACE & 1 == 1), model.joker, 0)
    return found


# --- how tricks are spread ------------------------------------------------------------------------------------------


def _spread(model: Model, learned: Learned, tricks: NDArray[np.float64]) -> None:
    """Chances by tricks expected: hands that promise about as much, then what players take who see their own alone."""
    first = STEPS * int(learned.strains[0] == NO_TRUMP)
    out = np.array(model.played[9 * int(first > 0) : 9 * int(first > 0) + 9]) / CERTAIN
    most = int(learned.tricks.max())
    for step in range(STEPS):
        seen = _moved_to(step / 8, tricks, learned.tricks, most)
        model.likely[first + step][:] = in_parts((seen / seen.sum()) @ out)


def _moved_to(wanted: float, tricks: NDArray[np.float64], taken: NDArray[np.int64], most: int) -> NDArray[np.float64]:
    """How often 0 … 8 tricks were taken by hands that promise about as many as wanted, each moved by what it lacks.

    Without the move, the many average hands in the window would speak for the few good ones, and rate them too low.
    """
    lacks = wanted - tricks
    alike = np.exp(-0.5 * (lacks / NARROW) ** 2) + 1e-6 * np.exp(-np.abs(lacks))
    moved = np.clip(taken + lacks, 0, most)
    below = moved.astype(int)
    here = np.bincount(below, alike * (below + 1 - moved), 10)
    above = np.bincount(below + 1, alike * (moved - below), 10)
    seen: NDArray[np.float64] = np.add(here, above, dtype=np.float64)[:9]
    return seen


def in_parts(chances: NDArray[np.float64]) -> list[int]:
    """Chances in 1/65536 that add up to exactly 1."""
    parts = np.floor(chances * CERTAIN).astype(int)
    parts[int(np.argmax(chances))] += CERTAIN - int(parts.sum())
    return [int(part) for part in parts]


def _play_out(model: Model, most: int) -> None:
    """Before anything is known of a shape: what players take of the tricks that open cards would bring."""
    for kind in range(6):
        for tricks in range(9):
            chances = np.zeros(9)
            for shift, part in zip(range(-3, 3), PLAYED_OUT, strict=True):
                chances[min(most, max(0, tricks + shift))] += part
            model.played[9 * kind + tricks][:] = in_parts(chances)


# --- others' contracts ----------------------------------------------------------------------------------------------


def _average(model: Model, rules: Rules) -> int:
    """What the average hand is worth in the average strain."""
    t = rules.tables
    names = [t.name_strain[i] for i in range(t.names) if not t.name_alone[i]]
    plain = names.count(NO_TRUMP) / len(names)
    means = []
    for no_trump, part in ((0, 1 - plain), (1, plain)):
        if part:
            learned = learn(rules, model, 500, no_trump, SEED + 1)
            means.append(part * float(expected(model, learned.strains, learned.hands).mean()))
    return round(sum(means))


def _others(model: Model, rules: Rules) -> None:
    """What another's bid promises: the figures of novices (see docs/decisions/0020), until `season` knows better."""
    basis = (0.42 if rules.partners else 0.32) + 0.55 * (1 - rules.players * rules.cards / len(rules.deck))
    by_bid = 0.42 if rules.partners else 0.55
    for partner in (0, 1):
        sign = 1 if partner else -1
        model.others[partner][:] = [round(TRICK * (basis * rules.cards + 0.25)), round(TRICK * by_bid), sign * 38]
