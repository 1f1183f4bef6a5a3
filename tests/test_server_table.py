"""Tables: any commands of anybody keep what a table promises, and the log tells all of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigpepper import Rules, State, notation, rulebooks
from bigpepper.server import commands as c
from bigpepper.server import events
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.codes import Code
from bigpepper.server.decide import create, decide, decide_absence, decide_move, decide_return
from bigpepper.server.events import Entry
from bigpepper.server.facts import Facts, Table
from bigpepper.server.frames import Framer
from bigpepper.server.pacing import due
from bigpepper.server.records import record
from bigpepper.server.rooms import Room
from bigpepper.server.seating import may_watch
from bigpepper.server.seen import labels, see, view_of
from bigpepper.server.shown import shows_cards
from bigpepper.server.table import fold, fold_all
from server_desk import NAMES, PEOPLE, Desk, random_step
from strategies import rulebook_options

PEPPER = Rules.load("pepper-4")


# --- any commands -----------------------------------------------------------------------------------------------------


def check(before: Facts, after: Table) -> None:
    """What holds at every moment."""
    facts, state = after.facts, after.hidden.state
    players = [seat.player for seat in facts.seats if seat.player is not None]
    assert len(players) == len(set(players))
    assert all((seat.kind == "bot") == (seat.bot is not None) for seat in facts.seats)
    assert all((seat.kind in ("person", "program")) == (seat.player is not None) for seat in facts.seats)
    assert facts.n >= before.n
    assert facts.seq >= before.seq
    assert facts.turn_at <= facts.at
    assert not facts.removed & set(players)
    assert (facts.secret is not None) == (facts.phase == "finished") == (facts.how is not None)
    assert bool(facts.winners) == (facts.how == "finished")
    if facts.phase == "playing":
        assert state is not None
        assert not state.is_over
        assert facts.turn == state.turn
        assert facts.scores == state.scores
    else:
        assert facts.turn is None
        assert due(facts) is None
    points = [round.result.points for round in facts.rounds if round.result]
    assert len(points) == len(facts.rounds) == len(after.hidden.states)
    assert facts.scores == tuple(map(sum, zip(*points, strict=True))) or not points


def check_frames(desk: Desk, batch: tuple[Entry, ...]) -> None:
    """Every viewer can be told, in order, up to now."""
    facts = desk.table.facts
    for player in ("anna", "cleo", None):
        framer = Framer(see(desk.table, player), NAMES)
        frames = framer.events(batch)
        if frames is None:
            assert isinstance(batch[-1].what, events.Rematched) or batch[0].seq == 1
            continue
        assert [frame.seq for frame in frames] == [entry.seq for entry in batch]
        assert frames[-1].n == facts.n
        assert msgspec.json.encode(frames)


@pytest.mark.parametrize("name", [name for name in rulebooks() if name != "tiny"])
def test_any_commands_keep_the_table_whole_in_shipped_rulebooks(name: str) -> None:
    for number in range(2):
        run(Desk(Rules.load(name).replace(target=6), f"any-{number}", public=bool(number)), 350)


@settings(max_examples=25)
@given(options=rulebook_options(), seed=st.integers(0, 2**32))
def test_any_commands_keep_the_table_whole_in_any_rulebook(options: dict[str, Any], seed: int) -> None:
    run(Desk(Rules.from_options(options), seed), 120)


def run(desk: Desk, steps: int) -> None:
    for _ in range(steps):
        before, batches = desk.table, len(desk.batches)
        decision = random_step(desk)
        check(before.facts, desk.table)
        if isinstance(decision, Refusal):
            assert desk.table is before
            assert decision.message.text()
        for batch in desk.batches[batches:]:
            check_frames(desk, batch)
    assert fold_all(desk.log, "table-id") == desk.table
    assert [events.read(events.write(entry.what)) for entry in desk.log] == [entry.what for entry in desk.log]
    for player in ("anna", None):
        kept = record(desk.table, player, NAMES)
        if kept is not None:
            notation.verify(kept)
            assert notation.loads(notation.dumps(kept)) == kept


def test_random_commands_get_everywhere() -> None:
    """The tables above would prove little if their games stood still."""
    kinds: set[type] = set()
    codes: set[str] = set()
    for number in range(20):
        desk = Desk(Rules.load("hasenpfeffer-traditional").replace(target=3), f"everywhere-{number}")
        for _ in range(250):
            decision = random_step(desk)
            codes |= {decision.code} if isinstance(decision, Refusal) else set()
        kinds |= {type(entry.what) for entry in desk.log}
    assert kinds >= set(events.AnyHappening.__args__) - {events.Hosted, events.Claimed}
    edge = {
        Code.BAD_MESSAGE,
        Code.NO_SUCH_TABLE,
        Code.OTHER_PROTOCOL,
        Code.TOO_FAST,
        Code.TOO_LARGE,
        Code.UNAVAILABLE,
        Code.BAD_TOKEN,
    }
    rare = {Code.WRONG_RULES, Code.DUPLICATE, Code.NOT_PROVEN, Code.SEEN_OTHER_HAND, Code.REMOVED, Code.SETTLED}
    assert codes >= set(Code) - edge - rare - {Code.NO_SUCH_SEAT}


# --- actions ----------------------------------------------------------------------------------------------------------


def desk_of_people(name: str = "pepper-4", seed: object = 1, **options: Any) -> Desk:
    return Desk(Rules.load(name), seed, **options).seat_everybody()


def test_a_stale_command_is_called_so_only_when_its_step_was_taken() -> None:
    desk = desk_of_people()
    first, n = PEOPLE[desk.turn], desk.table.facts.n
    action = desk.choose()
    assert desk.code(first, c.Act(n + 1, action)) == "ahead"
    assert desk.code(first, c.Act(n, action)) is None
    assert desk.code(first, c.Act(n, action)) == "duplicate"
    assert desk.code(first, c.Act(n, "big")) == "stale"
    assert desk.code(PEOPLE[desk.turn], c.Act(n, "pass")) == "stale"
    assert desk.code(first, c.Act(n + 1, action)) == "not_your_turn"


def test_the_seat_is_checked_before_legality() -> None:
    desk = desk_of_people()
    others = [player for number, player in enumerate(PEOPLE[:4]) if number != desk.turn]
    for text in ("pass", "JH", "nonsense"):
        assert desk.code("emil", c.Act(0, text)) == "not_your_seat"
        assert {desk.code(player, c.Act(0, text)) for player in others} == {"not_your_turn"}
    assert desk.code(PEOPLE[desk.turn], c.Act(0, "JH")) == "illegal"
    assert desk.code(PEOPLE[desk.turn], c.Act(0, "nonsense")) == "illegal"


def test_a_refusal_says_why_in_words_that_fit_the_seat() -> None:
    desk = desk_of_people()
    player = PEOPLE[desk.turn]
    refusal = desk.do(player, c.Act(0, "JH"))
    assert isinstance(refusal, Refusal)
    assert refusal.message.text() == "First the bidding: bid or pass."


def test_a_pause_stops_everybody() -> None:
    desk = Desk(PEPPER)
    desk.ok("anna", c.Start())
    desk.ok("anna", c.Pause())
    assert due(desk.table.facts) is None
    assert desk.code("anna", c.Act(0, "pass")) == "paused"
    assert isinstance(decide_move(desk.table, desk.turn, "pass", 0), Refusal)
    assert isinstance(decide_absence(desk.table, desk.turn), Refusal)
    desk.ok("anna", c.Resume())
    assert desk.table.facts.turn_at == desk.now
    desk.step()


def test_a_bots_move_counts_for_one_step_only() -> None:
    desk = Desk(PEPPER, 3)
    desk.ok("anna", c.Start())
    while desk.turn == 0:
        desk.step()
    seat, n = desk.turn, desk.table.facts.n
    move = decide_move(desk.table, seat, "pass", n)
    desk.take(move)
    assert isinstance(decide_move(desk.table, seat, "pass", n), Refusal)
    entry = desk.log[-1].what
    assert isinstance(entry, events.Acted)
    assert entry.by == "bot"


def test_a_game_ends_with_its_secret_and_a_rematch_has_a_new_one() -> None:
    desk = Desk(Rules.load("tiny"), 5)
    first = desk.table.facts.commitment
    desk.ok("anna", c.Seed("pepper"))
    desk.ok("anna", c.Start())
    while desk.table.facts.phase == "playing":
        desk.step()
    facts, n = desk.table.facts, desk.table.facts.n
    assert facts.winners
    assert facts.secret
    desk.ok("anna", c.Rematch())
    facts = desk.table.facts
    assert (facts.phase, facts.game, facts.secret, facts.rounds, facts.seeds) == ("open", 2, None, (), (None, None))
    assert facts.commitment != first
    assert facts.n == n  # steps go on: a late command of the first game stays stale
    desk.ok("anna", c.Start())
    desk.play_round()
    assert len(desk.table.facts.rounds) == 1


def test_the_deal_stands_in_the_log_before_the_first_bid() -> None:
    desk = Desk(Rules.load("hasenpfeffer").replace(round_limit=3), 2)
    desk.ok("anna", c.Start())
    while desk.table.facts.phase == "playing":
        desk.step()
    dealt = 0
    for batch in desk.batches:
        for entry in batch:
            if isinstance(entry.what, events.Dealt):
                dealt += 1
                assert entry is batch[-1]
                assert isinstance(batch[0].what, (events.Started, events.Acted))
    states = desk.table.hidden.states
    deals = [entry.what.deal for entry in desk.log if isinstance(entry.what, events.Dealt)]
    assert deals == [str(state.deal) for state in states]
    assert dealt == len(states) > 0


def test_abandoning_tells_the_secret_and_ends_the_game() -> None:
    desk = desk_of_people()
    assert desk.code("bert", c.Abandon()) == "not_host"
    desk.ok("anna", c.Abandon())
    assert (desk.table.facts.how, desk.table.facts.winners) == ("abandoned", ())
    kept = record(desk.table, None, NAMES)
    assert kept is not None
    assert kept.end is not None
    assert kept.end.how == "abandoned"
    notation.verify(kept)


# --- undo -------------------------------------------------------------------------------------------------------------


def test_an_undo_needs_the_others_and_gives_the_turn_back() -> None:
    desk = desk_of_people()
    before, seat = desk.table.hidden.state, desk.turn
    desk.step("1")
    n = desk.table.facts.n
    assert desk.code(PEOPLE[(seat + 1) % 4], c.Undo(n)) == "no_undo"
    desk.ok(PEOPLE[seat], c.Undo(n))
    assert desk.table.facts.waiting() == tuple(sorted({0, 1, 2, 3} - {seat}))
    assert desk.code(PEOPLE[seat], c.AnswerUndo(n, True)) == "no_undo"
    for other in desk.table.facts.waiting():
        desk.ok(PEOPLE[other], c.AnswerUndo(n, True))
    facts = desk.table.facts
    assert desk.table.hidden.state == before
    assert (facts.turn, facts.n, facts.undo, facts.undoable, facts.practice) == (seat, n + 1, None, None, True)
    assert desk.code(PEOPLE[seat], c.Act(n - 1, "1")) == "stale"
    desk.ok(PEOPLE[seat], c.Act(n + 1, "2"))


def test_one_no_is_enough_and_acting_settles_it() -> None:
    desk = desk_of_people()
    seat = desk.turn
    desk.step("1")
    n = desk.table.facts.n
    desk.ok(PEOPLE[seat], c.Undo(n))
    desk.ok(PEOPLE[(seat + 1) % 4], c.AnswerUndo(n, False))
    assert desk.table.facts.undo is None
    desk.ok(PEOPLE[seat], c.Undo(n))
    desk.step("pass")
    assert desk.table.facts.undo is None
    assert desk.code(PEOPLE[seat], c.Undo(n + 1)) == "no_undo"


def test_bots_and_programs_always_agree() -> None:
    desk = Desk(PEPPER, seats=("me", "novice", "open", "random"))
    desk.ok("program-1", c.Take(2, "CODE"))
    desk.ok("anna", c.Start())
    while desk.turn != 0:
        desk.step("pass")
    desk.step("1")
    desk.ok("anna", c.Undo(desk.table.facts.n))
    assert desk.turn == 0
    assert [type(entry.what) for entry in desk.batches[-1]] == [events.UndoAsked, events.Undone]


def test_the_last_who_was_asked_may_leave_instead() -> None:
    desk = desk_of_people("pepper-2")
    seat = desk.turn
    desk.step("1")
    desk.ok(PEOPLE[seat], c.Undo(1))
    desk.ok(PEOPLE[1 - seat], c.Leave())
    assert desk.turn == seat


@pytest.mark.parametrize("name", rulebooks())
def test_nothing_is_taken_back_that_showed_a_card(name: str) -> None:
    """By hand: cards played, the round's end, the auction's end where the maker takes the widow, a forced bid."""
    rules = Rules.load(name)
    offered = 0
    for number in range(3):
        desk = Desk(rules.replace(target=30), f"undo-{number}").seat_everybody()
        while len(desk.table.facts.rounds) < 3:
            before, action = view_of(desk.table, desk.turn), desk.choose()
            desk.step(action)
            after = desk.table.hidden.state
            assert after is not None
            ended = not after.history
            widow = rules.widow == "pick-up" and before.phase == "auction" and after.phase == "naming"
            forced = after.contract is None and len(after.history) == rules.players
            showed = before.phase == "play" or ended or widow or forced
            assert (desk.table.facts.undoable is None) == showed
            offered += not showed
    assert offered > 3


def test_the_end_of_a_round_shows_its_cards() -> None:
    state = State.new(PEPPER, seed=1)
    for _ in range(3):
        after = state.apply("pass")
        assert not shows_cards(state, after)
        state = after
    assert shows_cards(state, state.apply("pass"))


# --- seats ------------------------------------------------------------------------------------------------------------


def seats(desk: Desk) -> list[str]:
    return [seat.player or seat.bot or "open" for seat in desk.table.facts.seats]


def test_taking_leaving_and_swapping_before_the_start() -> None:
    desk = Desk(PEPPER, seats=("me", "open", "novice", "open"))
    assert desk.code("bert", c.Take(1)) == "not_invited"
    assert desk.code("bert", c.Take(1, "WRONG")) == "not_invited"
    assert desk.code("bert", c.Take(0, "CODE")) == "seat_taken"
    assert desk.code("bert", c.Take(9, "CODE")) == "no_such_seat"
    desk.ok("bert", c.Take(1, "CODE"))
    desk.ok("bert", c.Take(3))
    assert seats(desk) == ["anna", "open", "novice", "bert"]
    desk.ok("bert", c.Swap(3, 2))
    assert desk.code("bert", c.Swap(2, 0)) == "not_host"
    assert desk.code("bert", c.Swap(0, 1)) == "not_host"
    desk.ok("anna", c.Swap(0, 2))
    assert seats(desk) == ["bert", "open", "anna", "novice"]
    assert desk.code("anna", c.Start()) == "open_seats"
    desk.ok("anna", c.Bot(1, "random"))
    assert desk.code("cleo", c.Take(1, "CODE")) == "table_full"
    assert desk.code("anna", c.Bot(0, "random")) == "seat_taken"
    assert desk.code("anna", c.Bot(1, "first")) == "no_such_bot"
    desk.ok("bert", c.Leave())
    assert desk.code("bert", c.Leave()) == "not_your_seat"
    desk.ok("anna", c.Bot(0, "random"))
    desk.ok("anna", c.Start())
    assert desk.code("anna", c.Swap(0, 1)) == "started"
    assert desk.code("anna", c.Seed("late")) == "started"
    assert desk.code("anna", c.Clock(30)) == "started"


def test_bots_alone_do_not_begin_and_a_table_without_anybody_waits() -> None:
    desk = Desk(PEPPER, seats=("novice",) * 4)
    assert desk.code("anna", c.Start()) == "open_seats"
    desk = Desk(PEPPER, 4)
    desk.ok("anna", c.Start())
    desk.ok("anna", c.Leave())
    assert due(desk.table.facts) is None
    desk.ok("bert", c.Take(0, "CODE"))
    while desk.turn == 0:
        assert due(desk.table.facts) is None  # nobody else waits for him
        desk.step()
    assert due(desk.table.facts) is not None


def test_the_host_locks_and_removes() -> None:
    desk = Desk(PEPPER, seats=("me", "open", "open", "open"), public=True)
    desk.ok("bert", c.Take(1))
    assert desk.code("bert", c.Lock(True)) == "not_host"
    desk.ok("anna", c.Lock(True))
    assert desk.code("cleo", c.Take(2)) == "locked"
    desk.ok("bert", c.Take(2))
    desk.ok("anna", c.Lock(False))
    assert desk.code("anna", c.Remove(0)) == "seat_taken"
    desk.ok("anna", c.Remove(2))
    assert desk.code("bert", c.Take(2)) == "removed"
    desk.ok("cleo", c.Take(2))


def test_the_host_who_leaves_is_followed_by_another() -> None:
    desk = Desk(PEPPER, seats=("me", "open", "open", "open"))
    desk.ok("bert", c.Take(1, "CODE"))
    desk.ok("anna", c.Leave())
    assert desk.table.facts.host == "bert"
    desk.ok("bert", c.Leave())
    assert desk.code("bert", c.Lock(True)) == "not_host"
    desk.ok("cleo", c.Take(1, "CODE"))
    assert desk.table.facts.host == "cleo"


def test_who_may_watch() -> None:
    desk = Desk(PEPPER, seats=("open", "open", "open", "open"))
    desk.ok("bert", c.Take(1, "CODE"))
    facts = desk.table.facts
    assert [may_watch(facts, *who) for who in (("anna", None), ("bert", None), ("cleo", "CODE"), (None, "CODE"))] == [
        True
    ] * 4
    assert not any(may_watch(facts, *who) for who in (("cleo", None), (None, None), ("cleo", "CÖDE"), ("", None)))
    desk.ok("anna", c.Visibility(True))
    assert may_watch(desk.table.facts, None, None)


def test_an_absent_players_seat_is_played_and_is_his_again() -> None:
    desk = desk_of_people()
    seat = desk.turn
    desk.take(decide_absence(desk.table, seat))
    assert desk.table.facts.seats[seat].stand_in == "novice"
    assert isinstance(decide_absence(desk.table, seat), Refusal)
    desk.step("1")
    assert [entry.what for entry in desk.batches[-1]] == [events.Acted(n=0, seat=seat, action="1", by="stand-in")]
    assert decide_return(desk.table, "emil") == ()
    desk.take(decide_return(desk.table, PEOPLE[seat]))
    assert desk.table.facts.seats[seat].present
    assert decide_return(desk.table, PEOPLE[seat]) == ()
    while desk.turn != seat:
        desk.step("pass")
    desk.take(decide_absence(desk.table, seat))
    desk.ok(PEOPLE[seat], c.Act(desk.table.facts.n, desk.choose()))
    assert [type(entry.what) for entry in desk.batches[-1]][:2] == [events.Returned, events.Acted]
    kept = record(desk.table, None, NAMES)
    assert kept is not None
    assert [takeover.bot for takeover in kept.rounds[0].takeovers] == ["novice", None, "novice", None]


def test_an_open_seat_is_played_by_a_bot_until_somebody_takes_it() -> None:
    desk = desk_of_people()
    desk.ok("dora", c.Leave())
    assert desk.table.facts.played_by(3) == "novice"
    while desk.turn != 3:
        desk.step("pass" if desk.table.facts.n < 4 else None)
    desk.step()
    desk.ok("emil", c.Take(3, "CODE"))
    assert desk.table.facts.played_by(3) is None
    desk.ok("emil", c.Leave())
    desk.ok("bert", c.Leave())
    assert desk.code("bert", c.Take(3, "CODE")) == "seen_other_hand"
    assert desk.code("anna", c.Take(3, "CODE")) == "settled"
    desk.ok("bert", c.Take(1, "CODE"))


# --- talk and words ---------------------------------------------------------------------------------------------------


def test_only_preset_phrases_are_said_and_only_at_the_table() -> None:
    desk = desk_of_people()
    assert desk.code("emil", c.Say("hello")) == "not_your_seat"
    assert desk.code("anna", c.Say("rubbish")) == "no_such_phrase"
    desk.ok("anna", c.Say("hello"))
    frames = Framer(see(desk.table, "bert"), NAMES).events(desk.batches[-1])
    assert frames is not None
    assert frames[0].words is not None
    assert frames[0].words.happened == "Anna: Hello!"
    assert frames[0].observation is None


def test_seats_are_called_by_names_peppers_and_numbers() -> None:
    desk = Desk(PEPPER, seats=("me", "novice", "open", "novice"))
    assert labels(desk.table.facts, NAMES) == ("Anna", "Paprika 1", "Open seat", "Paprika 2")
    assert labels(desk.table.facts, {}) == ("Guest 1", "Paprika 1", "Open seat", "Paprika 2")


def test_a_word_stands_in_the_log_as_a_digest_alone() -> None:
    desk = Desk(PEPPER)
    desk.ok("anna", c.Seed("my secret word"))
    assert "secret word" not in "".join(events.write(entry.what) for entry in desk.log)
    desk.ok("anna", c.Start())
    assert desk.table.facts.seeds[0] is not None
    assert desk.table.facts.seeds[1:] == (None, None, None)


def test_a_table_that_cannot_be_is_refused() -> None:
    def code(**options: Any) -> str | None:
        decision = create(c.Create(**options), Who("anna"), code="CODE", random=bytes(32))
        return decision.code if isinstance(decision, Refusal) else None

    assert code() is None
    assert code(rules="whist") == "wrong_rules"
    assert code(toml="players = 9") == "wrong_rules"
    assert code(seats=("me", "me")) == "no_such_seat"
    assert code(rules="pepper-3", seats=("me", "novice", "novice", "novice")) == "no_such_seat"
    assert code(seats=("me", "gandalf")) == "no_such_bot"


def test_a_log_out_of_order_is_no_table() -> None:
    desk = Desk(PEPPER)
    first, second, *_ = desk.log
    with pytest.raises(ValueError, match="does not follow"):
        fold_all([first, first])
    with pytest.raises(ValueError, match="begins with"):
        fold_all([second])
    with pytest.raises(ValueError, match="empty"):
        fold_all([])
    with pytest.raises(ValueError, match="created once"):
        fold(desk.table, Entry(desk.table.facts.seq + 1, 0, first.what))


def test_a_rematch_needs_fresh_randomness() -> None:
    desk = desk_of_people()
    desk.ok("anna", c.Abandon())
    with pytest.raises(ValueError, match="random bytes"):
        decide(desk.table, Who("anna"), c.Rematch())


def test_a_room_goes_on_to_a_table_that_is_folded_already_or_folds_it_itself() -> None:
    desk = Desk(Rules.load("tiny"), "room").seat_everybody()
    for _ in range(3):
        desk.step()
    (before, _), (after, batch) = list(desk.prefixes())[-2:]
    room = Room(before, desk.log[: before.facts.seq])
    room.advance(before, batch, after)
    assert room.table is after
    room.advance(before, batch, after)  # somebody has read the log meanwhile
    assert (room.table, list(room.tail)) == (after, desk.log)
    late = Room(before, ())
    late.advance(fold_all(desk.log[: before.facts.seq], "table-id"), batch, after)
    assert late.table == after
    assert room.since(before.facts.seq) == late.since(before.facts.seq) == batch
