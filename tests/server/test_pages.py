"""The pages of a table, made without a server: nothing hidden in them, every template works, forms become commands."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from msgspec.structs import replace

from bigpepper import worlds
from bigpepper.cards import Card
from bigpepper.explain import HASENPFEFFER_CHOICE
from bigpepper.rules import Rules, rulebooks
from bigpepper.server import commands
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.decide import create, decide, decide_move
from bigpepper.server.events import AnyHappening, Entry
from bigpepper.server.facts import Table
from bigpepper.server.pages.asking import games
from bigpepper.server.pages.cards import card_art, card_back
from bigpepper.server.pages.house import house, with_house_rules
from bigpepper.server.pages.render import html, static
from bigpepper.server.pages.result import finished
from bigpepper.server.pages.tablepage import TablePage
from bigpepper.server.pages.tables import command_of
from bigpepper.server.pages.track import track
from bigpepper.server.problems import Problem
from bigpepper.server.seen import see, view_of
from bigpepper.server.table import fold

ANNA = "a" * 32
SECRET = bytes(range(32))
NOW = 1_000_000


def after(table: Table | None, decision: tuple[AnyHappening, ...] | Refusal) -> Table:
    """The table after what was decided."""
    assert not isinstance(decision, Refusal)
    for what in decision:
        table = fold(table, Entry(table.facts.seq + 1 if table else 1, 1_000, what), "t" * 24)
    assert table is not None
    return table


def started(rules: Rules) -> Table:
    """A game of Anna against bots that has just begun."""
    seats = ("me", *("novice",) * (rules.players - 1))
    command = commands.Create(toml=rules.to_toml(), seats=seats)
    table = after(None, create(command, Who(ANNA), code="CODE2345", random=SECRET))
    return after(table, decide(table, Who(ANNA), commands.Start()))


def step(table: Table, rng: random.Random) -> Table:
    """The table after somebody has done anything that is legal."""
    turn = table.facts.turn
    assert turn is not None
    action = str(rng.choice(view_of(table, turn).legal))
    if turn == 0:
        return after(table, decide(table, Who(ANNA), commands.Act(n=table.facts.n, action=action)))
    return after(table, decide_move(table, turn, action, table.facts.n))


def shown(table: Table, player: str | None, **more: Any) -> str:
    """The whole page of a viewer."""
    page = TablePage(see(table, player), {ANNA: "Anna"}, "en", "http://localhost", None, (), NOW)
    return html("table.html", "en", page.values() | {"refused": None, "sure": None} | more)


@pytest.mark.parametrize("name", rulebooks())
def test_no_page_depends_on_unseen_cards(name: str) -> None:
    rng = random.Random(7)
    table = started(Rules.load(name))
    for _ in range(80):
        if table.facts.phase == "finished":
            break
        for player, seat in ((ANNA, 0), (None, None)):
            assert table.hidden.state is not None
            world = worlds.sample(table.hidden.state.observation(seat), rng)
            other = Table(table.facts, replace(table.hidden, state=world))
            assert shown(other, player) == shown(table, player)
        table = step(table, rng)


def test_the_hand_and_what_may_be_done() -> None:
    rng = random.Random(3)
    table = started(Rules.load("pepper-4"))
    for _ in range(60):
        seen, page = see(table, ANNA), shown(table, ANNA)
        assert seen.observation is not None
        offered = set(re.findall(r'name="action" value="([^"]+)"', page))
        assert offered == {str(action) for action in seen.observation.legal}
        spectator = shown(table, None)
        assert 'name="action"' not in spectator
        assert "CODE2345" not in spectator
        table = step(table, rng)


def test_a_finished_game_shows_the_winners_and_every_round() -> None:
    rng = random.Random(5)
    table = started(Rules.load("pepper-2").replace(target=1))
    while table.facts.phase != "finished":
        table = step(table, rng)
    page = shown(table, ANNA)
    assert "winners" in page
    assert "Another game" in page
    assert "Check the deals" in page
    seen = see(table, ANNA, all_rounds=True)
    assert [str(hand.name) for hand in finished(seen, ["Anna", "Bert"])[0].hands] == ["You", "Bert"]


def test_the_waiting_room_offers_what_the_viewer_may_do() -> None:
    command = commands.Create(rules="pepper-2", seats=("me",), public=True)
    table = after(None, create(command, Who(ANNA), code="CODE2345", random=SECRET))
    host, stranger = shown(table, ANNA), shown(table, None)
    assert "CODE2345" in host
    assert 'action="/t/' + "t" * 24 + '/bot"' in host
    assert "CODE2345" not in stranger
    assert "Sit down here" in stranger
    assert SECRET.hex() not in host


@pytest.mark.parametrize("name", ["pepper-2", "pepper-3", "pepper-4"])
def test_every_claim_that_the_rules_know_can_be_chosen(name: str) -> None:
    rng = random.Random(name)
    table = started(Rules.load(name))
    while 'name="tricks"' not in shown(table, ANNA):
        table = step(table, rng)
    offered = re.findall(r'<option value="([\d/ ]+)">', shown(table, ANNA).partition('name="tricks"')[2])
    state = table.hidden.state
    assert state is not None
    for text in offered:
        command = command_of("claim", {"n": "0", "tricks": text})
        assert isinstance(command, commands.Claim)
        assert state.claim(0, command.tricks, command.split).is_over
    left = view_of(table, 0).tricks_left
    assert len(set(offered)) == (left + 1 if table.facts.rules.sides == 2 else left + 2)


def test_the_turn_clock_says_how_much_is_left() -> None:
    table = started(Rules.load("pepper-2"))
    while table.facts.turn != 0:
        table = step(table, random.Random(1))
    assert 'role="timer"' not in shown(table, ANNA)
    clock = Table(replace(table.facts, clock=90, turn_at=NOW - 15_500), table.hidden)
    assert '<b data-left="75">1:15</b>' in shown(clock, ANNA)
    late = Table(replace(clock.facts, turn_at=NOW - 95_000), table.hidden)
    assert ">0:00</b>" in shown(late, ANNA)
    assert 'role="timer"' not in shown(Table(replace(clock.facts, paused=True), table.hidden), ANNA)
    while clock.facts.turn == 0:
        clock = step(clock, random.Random(1))
    assert 'role="timer"' not in shown(clock, ANNA), "bots have no clock"


def test_names_are_escaped() -> None:
    table = started(Rules.load("pepper-2"))
    page = TablePage(see(table, None), {ANNA: "<b>Anna"}, "en", "http://localhost", '"><script>', (), NOW)
    text = html("table.html", "en", page.values() | {"refused": "<i>", "sure": None})
    assert "<b>Anna" not in text
    assert '"><script>' not in text
    assert "&lt;i&gt;" in text


def test_nothing_inline_and_nothing_from_elsewhere() -> None:
    page = shown(started(Rules.load("hasenpfeffer")), ANNA)
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! src=\"/static/)", page)
    assert not re.search(r'(?:src|href)="(?!/|#)', page)


@pytest.mark.parametrize(
    ("do", "given", "command"),
    [
        ("act", {"n": "3", "action": "JH"}, commands.Act(n=3, action="JH")),
        ("claim", {"n": "9", "tricks": "2"}, commands.Claim(n=9, tricks=2)),
        ("claim", {"n": "9", "tricks": "0/0 2 1"}, commands.Claim(n=9, tricks=0, split=(0, 2, 1))),
        ("answer_undo", {"n": "9", "yes": "false"}, commands.AnswerUndo(n=9, yes=False)),
        ("take", {"seat": "1", "code": "ABC"}, commands.Take(seat=1, code="ABC")),
        ("clock", {"seconds": ""}, commands.Clock(seconds=None)),
        ("clock", {"seconds": "30"}, commands.Clock(seconds=30)),
        ("pause", {"n": "4"}, commands.Pause()),
        ("lock", {"on": "true"}, commands.Lock(on=True)),
    ],
)
def test_forms_become_commands(do: str, given: dict[str, str], command: object) -> None:
    assert command_of(do, given) == command


@pytest.mark.parametrize(
    ("do", "given"),
    [
        ("act", {}),
        ("claim", {"n": "9", "tricks": "0/x"}),
        ("claim", {"n": "9", "tricks": "/"}),
        ("hello", {"protocol": "1"}),
        ("nothing", {}),
        ("take", {"seat": "9"}),
    ],
)
def test_bad_forms_are_refused_in_a_sentence(do: str, given: dict[str, str]) -> None:
    with pytest.raises(Problem) as caught:
        command_of(do, given)
    assert caught.value.status == 400
    assert str(caught.value).startswith("This form cannot be read")


@pytest.mark.parametrize("name", rulebooks())
def test_house_rules_offer_only_what_works(name: str) -> None:
    rules = Rules.load(name)
    for option in house(rules):
        chosen = [value for value, _, is_chosen in option.values if is_chosen]
        assert chosen == [getattr(rules, option.key)]
        for value, sentence, _ in option.values:
            assert getattr(with_house_rules(rules, {option.key: value}), option.key) == value
            assert str(sentence)
    assert with_house_rules(rules, {"target": str(rules.target)}) == rules
    assert with_house_rules(rules, {"target": "7"}).target == 7


def test_games_to_choose_begin_with_one_of_each_kind() -> None:
    names = [game.name for game in games()]
    assert names[:4] == ["pepper-4", "pepper-3", "pepper-2", "hasenpfeffer-traditional"]
    assert sorted(names) == sorted(set(rulebooks()) - {"tiny"})
    assert "recommended" in str(HASENPFEFFER_CHOICE)


def test_every_card_is_drawn_and_no_two_alike() -> None:
    deck = Rules.load("hasenpfeffer").deck
    drawn = {str(card_art(card)) for card in deck} | {str(card_back())}
    assert len(drawn) == len(deck) + 1
    assert "suit-H" in card_art(Card("JH"))


@pytest.mark.parametrize("scores", [(0, 0), (-40, 3), (31, 29), (7, 7, -2)])
def test_markers_stay_on_the_track(scores: tuple[int, ...]) -> None:
    drawn = track([str(side) for side in range(len(scores))], scores, 30, 1)
    at = {str(marker.label): marker.at for marker in drawn.markers}
    assert all(0 <= place <= 100 for place in (*at.values(), drawn.zero, *(mark.at for mark in drawn.marks)))
    by_score = sorted(range(len(scores)), key=lambda side: scores[side])
    assert [at[str(side)] for side in by_score] == sorted(at.values())
    assert drawn.markers[0].own
    assert [marker.row for marker in drawn.markers] == [0, 1, 2][: len(scores)]
    assert 0 < drawn.zero < 100


def test_static_files_fetch_nothing_from_elsewhere() -> None:
    for name in ("style.css", "table.js"):
        text = static(name).decode()
        assert "http://" not in text
        assert "https://" not in text
        assert "@import" not in text
    with pytest.raises(KeyError):
        static("../router.py")
