"""When what happens by itself is due: from the facts and the log's times alone."""

from __future__ import annotations

from msgspec.structs import replace

from bigpepper import Rules
from bigpepper.server import commands as c
from bigpepper.server.decide import decide_absence
from bigpepper.server.pacing import (
    AFTER_A_ROUND,
    ASKED,
    COMFORTABLE,
    SHORT,
    THINKING,
    Due,
    again,
    due,
    move_time,
    wake_at,
)
from server_desk import PEOPLE, Desk

PEPPER = Rules.load("pepper-4")


def started(seats: tuple[str, ...] = ("me", "novice", "novice", "novice"), **options: object) -> Desk:
    desk = Desk(PEPPER, 4, seats, **options)
    desk.ok("anna", c.Start())
    return desk


def at_a_bots_turn(desk: Desk) -> Desk:
    while desk.table.facts.played_by(desk.turn) is None:
        desk.step()
    return desk


def test_a_bot_moves_after_a_fixed_time_that_suits_people() -> None:
    desk = at_a_bots_turn(started())
    assert due(desk.table.facts) == Due(desk.now + COMFORTABLE, "move", desk.turn)
    desk.step()
    at_a_bots_turn(desk)
    assert due(desk.table.facts) == Due(desk.now + COMFORTABLE, "move", desk.turn)


def test_after_a_round_there_is_time_to_read() -> None:
    desk = started()
    while True:
        desk.play_round()
        assert desk.table.facts.round is not None
        if desk.table.facts.played_by(desk.turn):
            break
    assert move_time(desk.table.facts) == COMFORTABLE + AFTER_A_ROUND
    desk.step()
    assert move_time(desk.table.facts) == COMFORTABLE


def test_where_only_programs_sit_bots_are_quick() -> None:
    desk = Desk(PEPPER, 4, ("open", "novice", "novice", "novice"))
    desk.ok("program-1", c.Take(0, "CODE"))
    desk.ok("anna", c.Start())
    at_a_bots_turn(desk)
    assert due(desk.table.facts) == Due(desk.now + SHORT, "move", desk.turn)
    assert SHORT > THINKING


def test_bots_wait_while_an_undo_is_asked_for() -> None:
    desk = Desk(PEPPER, 4, ("me", "novice", "open", "novice"))
    desk.ok("bert", c.Take(2, "CODE"))
    desk.ok("anna", c.Start())
    while desk.turn not in (0, 2):
        desk.step("pass")
    player = "anna" if desk.turn == 0 else "bert"
    desk.step("1")
    moved = desk.table.facts.turn_at
    desk.ok(player, c.Undo(desk.table.facts.n))
    assert due(desk.table.facts) == Due(moved + COMFORTABLE + ASKED, "move", desk.turn)


def test_a_player_whom_others_wait_for_is_asked_after_the_grace_time() -> None:
    desk = Desk(PEPPER, 4, grace=60).seat_everybody()
    facts = desk.table.facts
    assert due(facts) == Due(facts.turn_at + 60_000, "absence", desk.turn)
    assert again(facts, facts.turn_at - 1) == due(facts)
    assert again(facts, facts.turn_at + 5_000) == Due(facts.turn_at + 65_000, "absence", desk.turn)
    with_clock = replace(facts, clock=62)
    assert due(with_clock) == due(facts)
    assert again(with_clock, facts.turn_at + 5_000) == Due(facts.turn_at + 62_000, "clock", desk.turn)


def test_nobody_is_hurried_who_plays_with_bots_alone() -> None:
    desk = started()
    while desk.turn != 0:
        desk.step()
    assert due(desk.table.facts) is None


def test_the_clock_counts_from_the_turn() -> None:
    desk = Desk(PEPPER, 4, clock=30).seat_everybody()
    facts = desk.table.facts
    assert due(facts) == Due(facts.turn_at + 30_000, "clock", desk.turn)
    desk.ok("bert", c.Say("hello"))
    assert due(desk.table.facts) == due(facts)
    assert again(facts, 10**15) == due(facts)


def test_who_takes_a_trick_and_leads_again_has_the_whole_time() -> None:
    desk = Desk(PEPPER, 4, clock=30).seat_everybody()
    desk.play_until("play")
    again_and_again = 0
    while len(desk.table.facts.rounds) < 2 and desk.table.facts.phase == "playing":
        seat = desk.turn
        desk.step()
        facts = desk.table.facts
        again_and_again += facts.turn == seat
        assert due(facts) == Due(desk.now + 30_000, "clock", desk.turn)
    assert again_and_again > 0


def test_a_table_without_anybody_present_rests() -> None:
    desk = started(clock=30)
    while desk.turn != 0:
        desk.step()
    desk.take(decide_absence(desk.table, 0))
    assert due(desk.table.facts) is None
    desk.ok("anna", c.Back())
    assert due(desk.table.facts) == Due(desk.now + 30_000, "clock", 0)


def test_a_stand_in_moves_from_when_it_steps_in() -> None:
    desk = Desk(PEPPER, 4).seat_everybody()
    desk.now += 500_000
    desk.take(decide_absence(desk.table, desk.turn))
    assert due(desk.table.facts) == Due(desk.now + COMFORTABLE, "move", desk.turn)
    assert desk.table.facts.seats[desk.turn].player == PEOPLE[desk.turn]


def test_a_worker_looks_a_little_before_a_move_and_on_time_for_the_rest() -> None:
    assert wake_at(None) is None
    assert wake_at(Due(5_000, "move", 1)) == 5_000 - THINKING
    assert wake_at(Due(5_000, "absence", 1)) == wake_at(Due(5_000, "clock", 1)) == 5_000
