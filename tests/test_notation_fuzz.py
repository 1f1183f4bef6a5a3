"""Laws of the notation, over random games of all rulebooks and of random ones, whole and partial, and over damage."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import bigpepper as bp
from bigpepper import notation
from bigpepper.notation import Act, Evaluation, GameRecord, Player, RoundRecord, Takeover
from strategies import rulebook_options

T = TypeVar("T")

SHIPPED = [bp.Rules.load(name) for name in bp.rulebooks()]


@st.composite
def rulebooks(draw: st.DrawFn) -> bp.Rules:
    """A shipped rulebook, or any other."""
    if draw(st.booleans()):
        return draw(st.sampled_from(SHIPPED))
    return bp.Rules.from_options(draw(rulebook_options()))


def play_on(game: bp.Game, rng: random.Random, actions: int) -> bp.Game:
    """Random actions, and now and then a claim."""
    for _ in range(actions):
        if game.is_over:
            break
        state = game.state
        if state.phase is bp.Phase.PLAY and rng.random() < 0.04:
            game = claim(game, rng)
        else:
            game = game.apply(rng.choice(state.legal))
    return game


def claim(game: bp.Game, rng: random.Random) -> bp.Game:
    state, rules = game.state, game.rules
    seat, left = rng.choice(state.playing), state.tricks_left
    if rules.sides == 2:
        return game.claim(seat, rng.randint(0, left))
    if rng.random() < 0.5:
        return game.claim(seat, left)
    first = rng.randint(0, left)
    others = iter([first, left - first])
    return game.claim(seat, 0, [0 if other == seat else next(others) for other in range(3)])


@st.composite
def games(draw: st.DrawFn) -> bp.Game:
    """A game in which at most 150 things were done, over or not."""
    seed = draw(st.integers(0, 2**32))
    game = bp.Game.new(draw(rulebooks()), seed=seed)
    return play_on(game, random.Random(seed), draw(st.sampled_from([0, 1, 5, 20, 40, 150])))


TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=12).filter(
    lambda text: text == text.strip()
)
COMMENTS = st.one_of(TEXTS, st.lists(TEXTS, min_size=2, max_size=3).map("\n".join))
WORDS = st.from_regex(r"[A-Za-z0-9._+-]{1,12}", fullmatch=True)
OPTIONS = st.lists(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}=[A-Za-z0-9._+/:~@%-]{1,12}", fullmatch=True), min_size=1, max_size=3
)
NAMES = st.sampled_from(["novice", "random", "x-1", "seed"]) | st.builds(
    lambda name, options: f"{name}:{','.join(options)}", WORDS, OPTIONS
)


@st.composite
def remarks(draw: st.DrawFn, record: GameRecord) -> GameRecord:
    """The record with players, comments, times, evaluations and takeovers."""
    rules, seats = record.rules, range(record.rules.players)
    best = st.sampled_from(list(map(str, rules.actions)))
    number = st.floats(-1e6, 1e6)
    evaluation = st.builds(Evaluation, points=number, tricks=st.none() | number, best=st.none() | best)

    def act(given: Act) -> Act:
        if draw(st.integers(0, 9)):
            return given
        return replace(
            given,
            ms=draw(st.none() | st.integers(0, 10**9)),
            evaluation=draw(st.none() | evaluation),
            comments=tuple(draw(st.lists(COMMENTS, max_size=2))),
        )

    def round(given: RoundRecord) -> RoundRecord:
        ats = sorted(draw(st.lists(st.integers(0, len(given.acts)), max_size=2)))
        takeover = st.builds(
            Takeover,
            at=st.just(0),
            seat=st.sampled_from(seats),
            bot=NAMES,
            version=st.sampled_from([None, "1.0", "2.0+x"]),
        ) | st.builds(Takeover, at=st.just(0), seat=st.sampled_from(seats))
        return replace(
            given,
            auction=tuple(map(act, given.auction)),
            naming=given.naming and act(given.naming),
            discard=given.discard and act(given.discard),
            defence=tuple(map(act, given.defence)),
            tricks=tuple(tuple(map(act, trick)) for trick in given.tricks),
            claim=given.claim and act(given.claim),
            comments=tuple(draw(st.lists(COMMENTS, max_size=2))),
            takeovers=tuple(replace(draw(takeover), at=at) for at in ats),
        )

    return replace(
        record,
        event=draw(st.none() | TEXTS),
        date=draw(st.sampled_from([None, "2026-03-01", "2026-03-01T19:30Z", "2024-02-29T23:59:59Z"])),
        tags=tuple(draw(st.lists(TEXTS, max_size=2, unique=True))),
        players=tuple(Player(name=draw(TEXTS), bot=draw(st.none() | NAMES)) for _ in seats)
        if draw(st.booleans())
        else (),
        comments=tuple(draw(st.lists(COMMENTS, max_size=2))),
        rounds=tuple(map(round, record.rounds)),
    )


def assert_round_trip(record: GameRecord) -> None:
    text = notation.dumps(record)
    assert notation.loads(text) == record
    assert notation.from_json(notation.to_json(record)) == record
    assert "".join(notation.blocks(record)) == text


@given(st.data(), games())
@settings(max_examples=120)
def test_what_is_written_is_read(data: st.DataObject, game: bp.Game) -> None:
    record = notation.from_game(game, abandoned=data.draw(st.booleans()))
    assert_round_trip(data.draw(remarks(record)))


@given(games(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_saved_game_goes_on_as_if_nothing_had_happened(game: bp.Game, seed: int) -> None:
    begun = bp.Game.new(game.rules, seed=seed)
    game = play_on(begun, random.Random(seed), 40)
    again = notation.to_game(notation.loads(notation.dumps(notation.from_game(game, seed=seed))))
    assert (again.rounds, again.state, again.scores, again.winners) == (
        game.rounds, game.state, game.scores, game.winners,
    )  # fmt: skip
    rng, other = random.Random(seed), random.Random(seed)
    assert play_on(again, rng, 60).record == play_on(game, other, 60).record


@given(st.data(), rulebooks(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_what_a_seat_sees_is_written_and_read(data: st.DataObject, rules: bp.Rules, seed: int) -> None:
    game = play_on(bp.Game.new(rules, seed=seed), random.Random(seed), data.draw(st.integers(0, 90)))
    seat = data.draw(st.sampled_from([None, *range(rules.players)]))
    states = [*game.rounds, *(() if game.is_over else (game.state,))]
    record = notation.from_observations([state.observation(seat) for state in states])
    assert_round_trip(record)
    hidden = any("?" in hand for hand in record.rounds[-1].hands)
    assert hidden
    assert record.view == seat


@given(st.data(), rulebooks(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_an_observation_survives_json_and_hides_what_is_hidden(data: st.DataObject, rules: bp.Rules, seed: int) -> None:
    rng = random.Random(seed)
    state = play_on(bp.Game.new(rules, seed=seed), rng, data.draw(st.integers(0, 60))).state
    for seat in (None, *range(rules.players)):
        seen = state.observation(seat)
        text = notation.observation_to_json(seen)
        assert notation.observation_from_json(text) == seen
        if seat is not None:
            other = bp.worlds.sample(seen, rng)
            assert notation.observation_to_json(other.observation(seat)) == text
        assert json.loads(text)["legal"] == list(map(str, seen.legal))


@given(st.data(), games())
@settings(max_examples=120)
def test_any_cards_may_be_unknown(data: st.DataObject, game: bp.Game) -> None:
    """A record that hides cards of a true one fits the rules too, whichever they are."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    share = data.draw(st.sampled_from([0.1, 0.5, 0.9, 1.0]))

    def hidden(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(("?" if rng.random() < share else card for card in cards), key="?".__eq__))

    def round(given: RoundRecord) -> RoundRecord:
        discard = given.discard and replace(given.discard, action="discard-??")
        return replace(
            given,
            hands=tuple(map(hidden, given.hands)),
            widow=given.widow and hidden((given.widow,))[0],
            dead=hidden(given.dead),
            discard=discard if rng.random() < share else given.discard,
        )

    record = notation.from_game(game)
    assert_round_trip(replace(record, rounds=tuple(map(round, record.rounds))))


# --- damage ---------------------------------------------------------------------------------------------------------


def a_text(seed: int) -> str:
    rng = random.Random(seed)
    rules = rng.choice(SHIPPED)
    game = play_on(bp.Game.new(rules, seed=seed), rng, rng.choice([10, 40, 80]))
    record = notation.from_game(game, players=[Player(name="Anna", bot="x", version="1")] * rules.players, tags=["t"])
    if rng.random() < 0.4:
        record = notation.from_observations([game.state.observation(rng.choice([None, 0, 1]))])
    acts = record.rounds[0].auction
    noted = tuple(replace(act, ms=1250, comments=("a {b}",), evaluation=Evaluation(points=1.5)) for act in acts)
    return notation.dumps(replace(record, rounds=(replace(record.rounds[0], auction=noted), *record.rounds[1:])))


PARTS = [*"?{}[]@:=-,\\\n\r\t\0\ufeff\u2028٣", "JO", "9C", "0:pass", "claim-1-0-0-0", "discard-??", "Round 1:", "End: ",
         "Hand 0:", "BigPepper 1\n", "Option: target = 1", "Option: a = [[[[[[", "Widow: JO", "Result: thrown in",
         "99999999999999999999", "[3 bot x]", "Lead 3:", "dealer 9", "View: 3", "Seed: 1", "Secret: 00"]  # fmt: skip


def outcome(reading: Callable[[], T]) -> T | notation.NotationError:
    """What is read, or the package's own error; any other error is a fault."""
    try:
        return reading()
    except notation.NotationError as error:
        return error


def damaged(text: str, rng: random.Random) -> str:
    """Letters or whole lines lost, doubled, changed places, or something put in."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        kind = rng.randrange(7)
        lines = text.split("\n")
        i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
        at = rng.randrange(len(text) + 1)
        if kind == 0:
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        elif kind == 1:
            text = "\n".join([*lines[:i], *lines[i + rng.choice([0, 1, 2]) - 1 :]])
        elif kind == 2:
            text = text[:at]
        elif kind == 3:
            text = text[:at] + rng.choice(PARTS) + text[at + rng.choice([0, 0, 1, 3]) :]
        elif kind == 4:
            words = lines[i].split(" ")
            rng.shuffle(words)
            text = "\n".join([*lines[:i], " ".join(words), *lines[i + 1 :]])
        elif kind == 5:
            text = text[:at] + text[at + rng.choice([1, 2, 5, 50]) :]
        else:
            words = re.split(r"(\s+)", text)
            n, m = rng.randrange(0, len(words), 2), rng.randrange(0, len(words), 2)
            words[n], words[m] = words[m], words[n]
            text = "".join(words)
        text = text or "x"
    return text


@given(st.integers(0, 2**32))
@settings(max_examples=500)
def test_a_damaged_text_gives_a_record_or_the_packages_own_error(seed: int) -> None:
    rng = random.Random(seed)
    text = damaged(a_text(seed % 23), rng)
    read = outcome(lambda: notation.loads(text))
    if isinstance(read, GameRecord):
        assert_round_trip(read)
    else:
        rows = text.split("\n")
        assert read.line is not None
        assert read.column is not None
        assert 1 <= read.line <= len(rows)
        assert 1 <= read.column <= len(rows[read.line - 1]) + 1
        assert str(read).startswith(f"Line {read.line}, column {read.column}: ")


@given(st.integers(0, 2**32), st.binary(max_size=4))
@settings(max_examples=150)
def test_damaged_bytes_give_records_or_the_packages_own_error(seed: int, more: bytes) -> None:
    rng = random.Random(seed)
    data = damaged(a_text(seed % 11), rng).encode() + a_text(seed % 7).encode()
    at = rng.randrange(len(data))
    read = outcome(lambda: list(notation.read(io.BytesIO(data[:at] + more + data[at:]))))
    if isinstance(read, list):
        for record in read:
            assert_round_trip(record)
    else:
        assert read.line is not None


def damaged_data(value: Any, rng: random.Random) -> Any:
    """A part of the data lost, doubled or replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: damaged_data(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        i = rng.randrange(len(value))
        kind = rng.random()
        if kind < 0.2:
            return value[:i] + value[i + 1 :]
        return [*value[:i], damaged_data(value[i], rng), *value[i + (kind > 0.3) :]]
    return rng.choice([None, -1, 0, 3, 10**30, 1.5, "", "?", "JO", "9C", "pass", "1", [], {}, True, "claim-1-1"])


@given(st.integers(0, 2**32))
@settings(max_examples=300)
def test_damaged_json_gives_a_record_or_the_packages_own_error(seed: int) -> None:
    rng = random.Random(seed)
    data = json.loads(notation.to_json(notation.loads(a_text(seed % 23))))
    text = json.dumps(damaged_data(data, rng))
    if rng.random() < 0.2:
        text = damaged(text, rng)
    read = outcome(lambda: notation.from_json(text))
    if isinstance(read, GameRecord):
        assert_round_trip(read)
    else:
        assert read.path or read.line


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_a_damaged_observation_gives_one_or_the_packages_own_error(seed: int) -> None:
    rng = random.Random(seed)
    rules = rng.choice(SHIPPED)
    state = play_on(bp.Game.new(rules, seed=seed), rng, rng.choice([3, 10, 30])).state
    seen = state.observation(rng.choice([None, 0, 1]))
    text = json.dumps(damaged_data(json.loads(notation.observation_to_json(seen)), rng))
    read = outcome(lambda: notation.observation_from_json(text))
    if isinstance(read, bp.Observation):
        assert notation.observation_from_json(notation.observation_to_json(read)) == read
    else:
        assert read.path or read.line
