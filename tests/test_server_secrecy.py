"""Nothing that is sent to anybody depends on a card that he has not seen.

The log of a table is written anew with another deal of the round being played, another hidden discard and another
secret, as one viewer cannot tell them from the true ones; everything that he is sent or told has to be the same bytes.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bigpepper import Deal, Discard, Observation, Rules, State, notation, rulebooks, worlds
from bigpepper.deal import DealStream
from bigpepper.game import Game
from bigpepper.records import Round
from bigpepper.server import commands as c
from bigpepper.server import events
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.decide import decide, decide_absence
from bigpepper.server.events import Entry
from bigpepper.server.facts import Hidden, Table
from bigpepper.server.frames import Framer
from bigpepper.server.pacing import due
from bigpepper.server.records import record
from bigpepper.server.results import results
from bigpepper.server.rooms import Moment
from bigpepper.server.seen import see
from bigpepper.server.table import fold
from server_desk import NAMES, PEOPLE, Desk
from strategies import rulebook_options
from test_observation import reachable

Viewer = str | None


# --- other worlds -----------------------------------------------------------------------------------------------------


def other_log(desk: Desk, viewer: Viewer, rng: Random) -> list[Entry] | None:
    """The log as it would be with other cards where the viewer sees none; None where there is no other world."""
    state, seat = desk.table.hidden.state, desk.table.facts.seat_of(viewer)
    assert state is not None
    world = worlds.sample(state.observation(seat), rng)
    if (world.deal, world.discarded) == (state.deal, state.discarded):
        return None
    last = max(i for i, entry in enumerate(desk.log) if isinstance(entry.what, events.Dealt))
    discards = [i for i, entry in enumerate(desk.log) if i > last and _is_discard(entry)]
    log = []
    for i, entry in enumerate(desk.log):
        what = entry.what
        if isinstance(what, events.Created):
            what = replace(what, secret="00" * 32)  # the commitment cannot be told from another
        elif i == last:
            what = replace(what, deal=str(world.deal))
        elif i in discards and what.seat != seat:  # type: ignore[union-attr]
            card = world.discarded if i == discards[-1] and world.discarded else _any_card(world)
            what = replace(what, action=str(Discard(card)))
        log.append(Entry(entry.seq, entry.at, what))
    return log


def _is_discard(entry: Entry) -> bool:
    return isinstance(entry.what, events.Acted) and entry.what.action.startswith("discard-")


def _any_card(world: State) -> Any:
    """A card that the maker could have discarded before he took that back."""
    assert world.maker is not None
    return world.deal.hands[world.maker][0]


def prefixes(log: list[Entry], batches: list[tuple[Entry, ...]]) -> Iterator[tuple[Table, tuple[Entry, ...]]]:
    table: Table | None = None
    for batch in batches:
        own = tuple(log[entry.seq - 1] for entry in batch)
        for entry in own:
            table = fold(table, entry, "table-id")
        assert table is not None
        yield table, own


# --- all that a viewer is sent ----------------------------------------------------------------------------------------


def everything(
    table: Table, batch: tuple[Entry, ...], viewer: Viewer, asked: Sequence[c.TableCommand] = ()
) -> dict[str, Any]:
    """All that a viewer can get hold of at one moment, as bytes or plain values, by the commands `asked` too."""
    seen = see(table, viewer, all_rounds=True)
    kept = record(table, viewer, NAMES)
    said: dict[str, Any] = {
        "snapshot": msgspec.json.encode(Framer(seen, NAMES).snapshot()),
        "events": msgspec.json.encode(Framer(see(table, viewer), NAMES).events(batch)),
        "shared": msgspec.json.encode(shared(table, viewer).events(batch)),
        "bulgarian": msgspec.json.encode(Framer(seen, NAMES, "bg", words=False).snapshot()),
        "seen": pickle.dumps(replace(seen, facts=None)),
        "record": notation.dumps(kept) if kept else None,
        "json": notation.to_json(kept) if kept else None,
        "due": due(table.facts),
        "facts": repr(replace(table.facts, seq=0)),
        "results": list(results(replace(table.facts, rounds=()), table)),
    }
    if viewer is not None:
        said["answers"] = [answer(table, viewer, command) for command in asked]
    if table.facts.turn is not None:
        said["absence"] = decide_absence(table, table.facts.turn)
    return said


def shared(table: Table, viewer: Viewer) -> Framer:
    """What makes the frames of one of several viewers who look at the same moment."""
    return Framer(see(table, viewer), NAMES, public=Moment(table).public)


def answer(table: Table, player: str, command: c.TableCommand) -> object:
    """What he is answered: the refusal's code and words, or that it is done and how many entries it makes."""
    decision = decide(table, Who(player), command, random=bytes(32))
    return (decision.code, decision.message.text()) if isinstance(decision, Refusal) else len(decision)


def probes(table: Table, *, claims: bool) -> list[c.TableCommand]:
    """Commands that might tell something."""
    facts = table.facts
    commands: list[c.TableCommand] = [c.Act(facts.n, str(action)) for action in facts.rules.actions]
    if claims and table.hidden.state:
        commands += [c.Claim(facts.n, tricks) for tricks in (0, 1, table.hidden.state.tricks_left)]
    return [*commands, c.Undo(facts.n), c.AnswerUndo(facts.n, True), c.Start()]


def compare(desk: Desk, rng: Random, viewers: tuple[Viewer, ...]) -> int:
    """Compare all that each viewer has been sent since the deal; returns in how many worlds."""
    compared = 0
    dealt = max(i for i, batch in enumerate(desk.batches) if isinstance(batch[-1].what, events.Dealt))
    true = list(prefixes(desk.log, desk.batches))
    for viewer in viewers:
        log = other_log(desk, viewer, rng)
        if log is None:
            continue
        pairs = list(zip(true, prefixes(log, desk.batches), strict=True))
        for (table, batch), (other, others) in pairs[dealt:]:
            asked = (
                probes(table, claims=table is pairs[-1][0][0])
                if table.facts.n % 3 == 0 or table is pairs[-1][0][0]
                else []
            )
            assert everything(other, others, viewer, asked) == everything(table, batch, viewer, asked)
            missed = [entry for entry in desk.log[dealt:] if entry.seq <= table.facts.seq]
            again = [entry for entry in log[dealt:] if entry.seq <= table.facts.seq]
            assert Framer(see(other, viewer), NAMES).events(again) == Framer(see(table, viewer), NAMES).events(missed)
        assert pairs[-1][0][0].hidden != pairs[-1][1][0].hidden
        compared += 1
    return compared


def played(rules: Rules, seed: object, steps: int) -> Desk:
    """A table with a person on each seat, some steps into a round, with undos and proven claims on the way."""
    desk = Desk(rules, seed).seat_everybody()
    for _ in range(steps):
        if desk.table.facts.phase != "playing":
            break
        desk.step()
        back = desk.table.facts.undoable
        if back is not None and desk.rng.random() < 0.3:
            desk.ok(PEOPLE[back], c.Undo(desk.table.facts.n))
            for seat in desk.table.facts.waiting():
                desk.ok(PEOPLE[seat], c.AnswerUndo(desk.table.facts.n, True))
        if desk.rng.random() < 0.1 and desk.table.facts.phase == "playing":
            desk.do(PEOPLE[desk.turn], c.Claim(desk.table.facts.n, 1))
    return desk


@pytest.mark.parametrize("name", rulebooks())
def test_no_byte_depends_on_an_unseen_card_in_shipped_rulebooks(name: str) -> None:
    rules, compared = Rules.load(name).replace(target=100), 0
    for number in range(3):
        desk = played(rules, f"secret-{number}", 7 + 6 * number)
        viewers = (*PEOPLE[: rules.players], "emil", None)
        compared += compare(desk, Random(number), tuple(desk.rng.sample(viewers, 2)))
    assert compared >= (2 if name != "tiny" else 0)


@settings(max_examples=12)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_no_byte_depends_on_an_unseen_card_in_any_rulebook(options: dict[str, Any], seed: int) -> None:
    desk = played(Rules.from_options(options), seed, 12)
    if desk.table.facts.phase == "playing":
        compare(desk, Random(seed), (PEOPLE[seed % desk.table.facts.rules.players], None))


@pytest.mark.parametrize("name", rulebooks())
def test_frames_that_share_their_public_part_are_the_same_bytes(name: str) -> None:
    rules = Rules.load(name).replace(target=100)
    desk, hidden = played(rules, "shared", 60), 0
    for table, batch in desk.prefixes():
        moment = Moment(table)
        for viewer in (*PEOPLE[: rules.players], "emil", None):
            alone = Framer(see(table, viewer, all_rounds=True), NAMES)
            sharing = Framer(see(table, viewer, all_rounds=True), NAMES, public=moment.public)
            assert msgspec.json.encode(sharing.snapshot()) == msgspec.json.encode(alone.snapshot())
            assert msgspec.json.encode(sharing.events(batch)) == msgspec.json.encode(alone.events(batch))
            hidden += bool(alone.seen.observation and alone.seen.observation.discarded)
    assert len(desk.table.facts.rounds) >= 1
    assert (hidden > 0) == rules.joker, "a discard, which only its own seat sees"


def test_the_seats_of_a_round_do_differ() -> None:
    """What is compared above is not the same for everybody anyway."""
    desk = played(Rules.load("hasenpfeffer"), "differ", 3)
    batch = desk.batches[-1]
    sent = [everything(desk.table, batch, viewer)["snapshot"] for viewer in (*PEOPLE[:4], None)]
    assert len(set(sent)) == 5
    assert everything(desk.table, batch, "emil")["snapshot"] == sent[-1]


# --- hidden things by type --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pepper-4", "hasenpfeffer"])
def test_nothing_hidden_can_be_reached_from_what_a_viewer_may_know(name: str) -> None:
    desk = played(Rules.load(name).replace(target=100), "reach", 40)
    assert desk.table.facts.rounds
    for viewer in (*PEOPLE[:4], None):
        held = list(reachable(see(desk.table, viewer, all_rounds=True)))
        assert not [item for item in held if isinstance(item, (State, Deal, Round, Game, DealStream, Hidden, Table))]
        assert desk.table.hidden.secret not in held
        assert [item for item in held if isinstance(item, Observation)]


def test_the_secret_and_player_ids_are_in_no_frame() -> None:
    desk = Desk(Rules.load("tiny"), "frames").seat_everybody()
    while desk.table.facts.phase == "playing":
        desk.step()
    for table, batch in desk.prefixes():
        for viewer in ("anna", "emil", None):
            framer = Framer(see(table, viewer, all_rounds=True), NAMES)
            sent = msgspec.json.encode([framer.snapshot(), framer.events(batch)])
            assert (table.hidden.secret.encode() in sent) == (table.facts.phase == "finished")
            assert b'"anna"' not in sent
            assert b'"bert"' not in sent
            assert (b'"CODE"' in sent) == (viewer == "anna")


def test_only_its_own_seat_is_told_a_discard() -> None:
    desk = Desk(Rules.load("hasenpfeffer"), 3).seat_everybody()
    while not _is_discard(desk.log[-1]):
        desk.step()
    maker = desk.log[-1].what.seat  # type: ignore[union-attr]
    for seat, player in enumerate((*PEOPLE[:4], None)):
        frames = Framer(see(desk.table, player), NAMES).events(desk.batches[-1])
        assert frames is not None
        assert (frames[0].action == "discard-??") == (seat != maker)


def test_finished_rounds_are_shown_to_everybody() -> None:
    desk = Desk(Rules.load("hasenpfeffer"), 3).seat_everybody()
    desk.play_round()
    snapshot = Framer(see(desk.table, None, all_rounds=True), NAMES).snapshot()
    assert snapshot.rounds[0].record.is_complete
    assert snapshot.rounds[0].lines
    events_sent = Framer(see(desk.table, None), NAMES).events(desk.batches[-1])
    assert events_sent is not None
    assert events_sent[-1].ended == snapshot.rounds[0]
