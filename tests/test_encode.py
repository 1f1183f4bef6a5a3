"""Observations as arrays: against a naive second encoding, single against compiled, and that nothing hidden gets in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from bigpepper import (
    Bid,
    Card,
    Observation,
    Pass,
    Phase,
    Rules,
    State,
    Strain,
    Suit,
    Trick,
    Turn,
    jit,
    rulebooks,
    worlds,
)
from bigpepper.envs.encode import Encoder, Row, action_of, choice_of, encoder, put_flags
from bigpepper.envs.layout import MOST, WORD, Cells, Shown
from bigpepper.envs.truth import TruthEncoder
from bigpepper.jit import entry
from bigpepper.records import Round

ROOT = Path(__file__).parent.parent
BOOKS = (*rulebooks(), "joker-at-no-trump")
Who: TypeAlias = Callable[[int | None], str]


def book(name: str) -> Rules:
    """A shipped rulebook, or one that has what no shipped one has."""
    if name in rulebooks():
        return Rules.load(name)
    return Rules.load("hasenpfeffer").replace(strains=("C", "D", "H", "S", "NT"), all_pass="joker-bids-3")


def random_states(rules: Rules, rounds: int, seed: int) -> Iterator[State]:
    """All states of random rounds, in which half of the calls are the lowest one; scores below and above zero."""
    dice = Random(seed)
    for i in range(rounds):
        scores = [dice.randint(-150, rules.target - 1) for _ in range(rules.sides)]
        state = State.new(rules, seed=seed * 1000 + i, dealer=i % rules.players, scores=scores)
        yield state
        while not state.is_over:
            legal = state.legal
            lowest = state.phase is Phase.AUCTION and dice.random() < 0.5
            state = state.apply(legal[0] if lowest else dice.choice(legal))
            yield state


@cache
def some_states(name: str) -> list[State]:
    """States of a rulebook that tests share."""
    return list(random_states(book(name), 6, 5))


def views(states: list[State]) -> list[Observation]:
    """Every seat's observation of every state, and a spectator's."""
    seats = [*range(states[0].rules.players), None]
    return [state.observation(seat) for state in states for seat in seats]


# --- what the slots say: the same once more, from the public API of an Observation ----------------------------------

LABELS = {2: ["own", "other"], 3: ["own", "left", "right"], 4: ["own", "left", "partner", "right"]}


def naive(o: Observation) -> dict[str, int]:
    """Slot name → value, compact form, for all slots that are not 0."""
    rules, own = o.rules, o.seat or 0

    def who(seat: int | None) -> str:
        assert seat is not None
        return LABELS[rules.players][(seat - own) % rules.players]

    said = {f"phase {o.phase}", f"dealer {who(o.dealer)}"}
    said |= {f"hand {card}" for card in o.hand} | {f"dealt {card}" for card in o.dealt}
    seats = {"turn": o.turn, "maker": o.maker, "lone": o.lone, "lone_defender": o.lone_defender}
    said |= {f"{name} {who(seat)}" for name, seat in seats.items() if seat is not None}
    cards = {"own_widow": o.widow, "own_discard": o.discarded, "bid": o.contract, "strain": o.strain}
    said |= {f"{name} {card}" for name, card in cards.items() if card is not None}
    said |= {f"{who(turn.seat)} calls {turn.action}" for turn in auction(o)}
    said |= set(tricks(o, who)) | set(forced(o, who))
    return {**dict.fromkeys(said, 1), **numbers(o)}


def auction(o: Observation) -> list[Turn]:
    """The calls: all that was said before anything else, a defender's pass left out."""
    turns = []
    for turn in o.history:
        if not isinstance(turn.action, Pass | Bid):
            break
        turns.append(turn)
    return turns


def forced(o: Observation, who: Who) -> Iterator[str]:
    """The seat that had to bid: everybody has passed once, and the auction goes on."""
    passes = [turn.action for turn in auction(o)][: o.rules.players]
    if o.rules.all_pass == "joker-bids-3" and passes == [Pass()] * o.rules.players and not o.thrown_in:
        yield f"joker_seat {who(o.turn if o.maker is None else o.maker)}"


def tricks(o: Observation, who: Who) -> Iterator[str]:
    """Cards played, voids, and the trick on the table."""
    suit_of = suits(o.rules, o.strain) if o.strain else {}
    for trick in (*o.tricks, *([o.trick] if o.trick else [])):
        assert o.strain
        led = suit_of[trick.cards[0][1]]
        for seat, card in trick.cards:
            yield f"{who(seat)} played {card}"
            if led and suit_of[card] != led:
                yield f"{who(seat)} voids {led}"
        if trick.winner is None:
            yield f"leader {who(trick.leader)}"
            yield from (f"trick {who(seat)} {card}" for seat, card in trick.cards)
            yield f"winner {who(winner(trick, o.rules, o.strain))}"
            if led:
                yield f"led {led}"
    if o.trick is None and o.strain and o.phase in (Phase.PLAY, Phase.OVER):
        yield f"leader {who(o.turn if o.phase is Phase.PLAY else o.tricks[-1].winner)}"


def suits(rules: Rules, strain: Strain) -> dict[Card, Suit | None]:
    """The suit that each card belongs to."""
    return {card: suit for suit, cards in rules.suits_in_play(strain).items() for card in cards}


def winner(trick: Trick, rules: Rules, strain: Strain) -> int:
    """The seat whose card is the highest, by the order of the suits in play."""
    order = [card for in_suit in rules.suits_in_play(strain).values() for card in in_suit]
    suit_of = suits(rules, strain)

    def rank(played: tuple[int, Card]) -> tuple[bool, bool, bool, int]:
        card, suit = played[1], suit_of[played[1]]
        trump = strain.suit is not None and suit is strain.suit
        return card.is_joker, trump, suit == suit_of[trick.cards[0][1]], order.index(card)

    return max(trick.cards, key=rank)[0]


def numbers(o: Observation) -> dict[str, int]:
    """The numbers of an observation that are not 0."""
    rules, own = o.rules, o.seat or 0
    first = rules.side_of(own)
    made = sum(
        o.tricks_won[seat] for seat in range(rules.players) if rules.side_of(seat) == rules.side_of(o.maker or 0)
    )
    promised = next((rung.tricks for rung in rules.ladder if o.contract and rung.name == o.contract.name), 0)
    passes = 0
    for turn in auction(o):
        passes = passes + 1 if isinstance(turn.action, Pass) else 0
    found = {"promised": promised, "needed": max(promised - made, 0), "left": o.tricks_left, "passes": passes}
    for k, label in enumerate(LABELS[rules.sides]):
        found[f"scores {label}"] = max(min(o.scores[(first + k) % rules.sides], MOST), -MOST)
    for k, label in enumerate(LABELS[rules.players]):
        found[f"won {label}"] = o.tricks_won[(own + k) % rules.players]
    return {name: value for name, value in found.items() if value}


@pytest.mark.parametrize("name", BOOKS)
def test_every_slot_says_what_its_name_says(name: str) -> None:
    code = encoder(book(name))
    assert len(set(code.names)) == code.size
    for o in views(some_states(name)):
        cells = code.compact(o)
        assert {code.names[i]: int(cells[i]) for i in np.flatnonzero(cells)} == naive(o)


@pytest.mark.parametrize("name", BOOKS)
def test_values_keep_to_their_ranges_and_every_kind_of_slot_is_used(name: str) -> None:
    code = encoder(book(name))
    cells = np.array([code.compact(o) for o in views(some_states(name))])
    assert (cells >= code.low_compact).all()
    assert (cells <= code.high_compact).all()
    used, begin = np.flatnonzero(cells.any(axis=0)), 0
    for slot in code.slots:
        if slot.name not in ("lone_defender", "joker_seat"):  # too rare in so few rounds
            assert ((begin <= used) & (used < begin + slot.size)).any(), slot.name
        begin += slot.size
    assert begin == code.size


@pytest.mark.parametrize("name", BOOKS)
def test_mask_is_what_is_legal(name: str) -> None:
    rules = book(name)
    code = encoder(rules)
    for o in views(some_states(name)):
        mask = code.mask(o)
        assert mask.dtype == np.int8
        assert tuple(rules.actions[i] for i in np.flatnonzero(mask)) == o.legal


# --- one at a time and compiled -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_compiled_batches_are_the_same(name: str) -> None:
    code, observations = encoder(book(name)), views(some_states(name))
    records = jit.pack([o.view for o in observations])
    masks = np.full((len(observations) + 1, code.actions), 7, np.int8)
    for dtype in (np.int8, np.float32):
        rows = np.full((len(observations) + 1, code.size), 7, dtype)
        code.encode_views(records, rows, masks)
        assert (rows[-1] == 7).all()  # nothing is written beyond the last row
        assert (masks[-1] == 7).all()
        singles = np.array([code.encode(o, np.full(code.size, 7, dtype)) for o in observations])
        assert (rows[:-1] == singles).all()
        assert (masks[:-1] == np.array([code.mask(o) for o in observations])).all()
    assert (singles == np.array([code.compact(o) for o in observations]) * code.scales).all()


def test_without_compiling_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    code, observations = encoder(Rules.load("pepper-3")), views(some_states("pepper-3"))[:40]
    expected = np.array([code.compact(o) for o in observations])
    monkeypatch.setenv("BIGPEPPER_JIT", "0")
    plain = Encoder(Rules.load("pepper-3"))
    rows, masks = np.zeros((40, code.size), np.int8), np.zeros((40, code.actions), np.int8)
    plain.encode_views(jit.pack([o.view for o in observations]), rows, masks)
    assert (rows == expected).all()
    assert (masks == np.array([code.mask(o) for o in observations])).all()


@entry
def put_all(cells: jit.Rows, n: int, out: Row) -> None:
    """Row after row the first `n` flags of the same cells, from the last row to the first."""
    for i in range(len(out) - 1, -1, -1):
        put_flags(cells[0], n, out, i)


@pytest.mark.parametrize("kind", [np.int8, np.float32])
def test_flags_are_spread_to_their_last_and_not_beyond(kind: type) -> None:
    dice, cells = Random(8), jit.rows(Cells, 1)
    for n in range(200):
        cells["flags"][0] = [dice.getrandbits(WORD) for _ in range(18)]
        expected = [int(cells["flags"][0][k >> 5]) >> (k & 31) & 1 for k in range(n)]
        twins = [jit.unpack(Cells, cells[0])]
        for put, records in ((put_all, cells), (put_all.plain, twins)):
            out: NDArray[Any] = np.full((3, n + 2), 7, kind)
            put(records, n, out)
            assert out.tolist() == [[*expected, 7, 7]] * 3


def test_buffers_that_do_not_fit_are_refused() -> None:
    code = encoder(Rules.load("tiny"))
    records = jit.pack([o.view for o in views(some_states("tiny"))[:3]])
    rows, masks = np.zeros((3, code.size), np.int8), np.zeros((3, code.actions), np.int8)
    for wrong in (rows[:2], rows[:, 1:], np.zeros((code.size, 3), np.int8).T):
        with pytest.raises(ValueError, match="observations has the shape"):
            code.encode_views(records, wrong, masks)
    with pytest.raises(TypeError, match="float64"):
        code.encode_views(records, rows.astype(np.float64), masks)
    with pytest.raises(TypeError, match="not records of View"):
        code.encode_views(jit.pack([some_states("tiny")[0].record]), rows, masks)


@pytest.mark.parametrize("name", ["pepper-3", "hasenpfeffer"])
def test_actions_and_choices_are_each_others_inverse(name: str) -> None:
    rules = book(name)
    for state in some_states(name):
        r, found = state.record, []
        for number in range(-1, len(rules.actions) + 1):
            choice = choice_of(r, rules.tables, number)
            if choice:
                assert action_of(r, rules.tables, choice) == number
                found.append(number)
        assert {rules.number_of[action] for action in state.legal} <= set(found)


# --- sizes ----------------------------------------------------------------------------------------------------------


def test_scores_of_a_far_target_are_counted_in_units() -> None:
    rules = Rules.load("pepper-2").replace(target=500)
    code = encoder(rules)
    state = State.new(rules, seed=1, scores=(499, -7))
    cells = dict(zip(code.names, code.compact(state.observation(0)), strict=True))
    assert (cells["scores own"], cells["scores other"]) == (499 // 4, -7 // 4)
    assert code.encode(state.observation(0)).max() <= 1.01


def test_the_largest_rulebook_finds_room() -> None:
    ladder = [{"name": f"b{i}", "tricks": 1 + i // 4, "made": 1, "failed": 1} for i in range(24)]
    rules = Rules.load("hasenpfeffer").replace(
        ladder=ladder,
        minimum_bid="b0",
        strains=("C", "D", "H", "S", "NT"),
        alone="makers-and-defender",
        all_pass="joker-bids-3",
    )
    layout = encoder(rules).layout
    assert layout.flags <= WORD * (len(Cells().flags) - 2)  # `put` and `put_flags` reach into the word after
    assert layout.numbers <= len(Cells().numbers)
    assert 2 * rules.players * layout.shown <= WORD * (len(Shown().flags) - 2)


# --- nothing hidden gets in -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_worlds_that_look_the_same_are_encoded_the_same(name: str) -> None:
    rules, dice = book(name), Random(3)
    code, truth, phases, different = encoder(rules), TruthEncoder(rules), set[Phase](), 0
    for i, state in enumerate(some_states(name)):
        for seat in {i % rules.players, (i + 1) % rules.players}:
            o = state.observation(seat)
            world = worlds.sample(o, dice)
            seen = world.observation(seat)
            assert code.compact(seen).tobytes() == code.compact(o).tobytes()
            assert code.encode(seen).tobytes() == code.encode(o).tobytes()
            assert code.mask(seen).tobytes() == code.mask(o).tobytes()
            phases.add(o.phase)
            different += truth.encode(world, seat).tobytes() != truth.encode(state, seat).tobytes()
    assert different > 10 or name == "tiny"  # where the other hand is what one does not hold
    assert phases >= {Phase.AUCTION, Phase.NAMING, Phase.PLAY, Phase.OVER}
    assert (Phase.DISCARD in phases) == (rules.widow == "pick-up")
    assert (Phase.DEFENCE in phases) == (rules.alone == "makers-and-defender")


def test_an_encoder_takes_no_state_and_no_other_rules() -> None:
    state = some_states("pepper-4")[0]
    code, truth = encoder(state.rules), TruthEncoder(state.rules)
    with pytest.raises(TypeError, match="takes an Observation, not a State"):
        code.encode(state)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes an Observation, not a State"):
        code.mask(state)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes a State, not a Observation"):
        truth.encode(state.observation(0), 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="other rules"):
        code.encode(some_states("pepper-3")[0].observation(0))
    with pytest.raises(TypeError, match="other rules"):
        truth.encode(some_states("pepper-3")[0], 0)


WRONG = """
from bigpepper import Observation, State
from bigpepper.envs.encode import Encoder, encode
from bigpepper.envs.layout import Cells, Layout, Shown
from bigpepper.envs.truth import TruthEncoder
from bigpepper.records import Round, Tables

def wrong(e: Encoder, t: TruthEncoder, s: State, o: Observation, r: Round, x: Layout, h: Shown, c: Cells) -> None:
    e.encode(s)
    e.mask(s)
    e.compact(s)
    t.encode(o, 0)
    encode(r, r, Tables(), x, h, c)
"""


def test_the_types_say_so_too(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "wrong.py"]
    command += ["--cache-dir", str(ROOT / ".mypy_cache")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.count("[arg-type]") == 5, done.stdout + done.stderr
    assert "Found 5 errors" in done.stdout


# --- the truth, for critics -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pepper-4", "pepper-2", "hasenpfeffer"])
def test_the_truth_tells_where_every_card_is(name: str) -> None:
    rules = book(name)
    truth, labels = TruthEncoder(rules), LABELS[rules.players]
    states = some_states(name)
    for i, state in enumerate(states):
        own = i % rules.players
        flags = truth.encode(state, own)
        said = {truth.names[k] for k in np.flatnonzero(flags)}
        hands = ((labels[(seat - own) % rules.players], state.hand(seat)) for seat in range(rules.players))
        expected = {f"hands {label} {card}" for label, hand in hands for card in hand}
        expected |= {f"hidden nobody {card}" for card in state.deal.dead}
        expected |= {f"hidden widow {state.deal.widow}"} if state.deal.widow else set()
        expected |= {f"hidden discard {state.discarded}"} if state.discarded else set()
        assert said == expected
    rows = np.full((len(states), truth.size), 7, np.int8)
    seats = np.arange(len(states)) % rules.players
    truth.encode_rounds(jit.pack([state.record for state in states]), seats, rows)
    singles = [truth.encode(state, int(seat)) for state, seat in zip(states, seats, strict=True)]
    assert (rows == np.array(singles)).all()
    with pytest.raises(TypeError, match="not records of Round"):
        truth.encode_rounds(jit.pack([states[0].observation(0).view]), seats, rows)
    assert jit.dtype(Round) != jit.dtype(type(states[0].observation(0).view))


# --- the page that documents it -------------------------------------------------------------------------------------


def test_the_page_about_observations_is_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "tools/observations.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
