"""The strong bots: laws over all rulebooks, and decisions that a good player would not get wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import bigpepper as bp
from bigpepper import bots, rulebooks, worlds
from bigpepper.bots import strong as bots_of_strong
from bigpepper.bots.strong import Budget, Strong, back, before, belief, chances, compiling, fit, hidden, season
from bigpepper.bots.strong import stakes as stakes_of
from bigpepper.bots.strong.ahead import Future, Known, look_ahead
from bigpepper.bots.strong.match import WON, hope, worth_after
from bigpepper.bots.strong.model import CERTAIN, STEPS, TRICK, tricks_expected
from bigpepper.bots.strong.policy import Mind, look_at_hands
from bigpepper.bots.strong.stakes import Stakes, line, weigh
from bigpepper.bots.strong.thought import Book, Thought
from bigpepper.conformance import check_bot, random_round, replayed
from bigpepper.deal import mix
from bigpepper.jit import pack, rows, unpack
from bigpepper.kernel import legal, strain_order
from bigpepper.public import Phase
from bigpepper.records import AUCTION, NAMING, NO_TRUMP, PLAY, Round
from bigpepper.solve import Position, Solver
from strategies import rulebook_options

SMALL = Budget(drawn=6, calls=3, plays=3, weighed=4, back=3)
BOOKS = rulebooks()


def rules_of(name: str) -> bp.Rules:
    return bp.Rules.load(name)


def passing(name: str, seed: int) -> list[bp.State]:
    """The moments of a random round at which somebody is to act."""
    return [at.state for at in random_round(rules_of(name), str(seed)) if not at.state.is_over]


# --- every rulebook -------------------------------------------------------------------------------------------------


@settings(max_examples=4, deadline=None)
@given(rulebook_options())
def test_it_keeps_the_laws_of_bots_in_any_rulebook(options: dict[str, Any]) -> None:
    rules = bp.Rules.from_options(options)
    check_bot(Strong(1, budget=SMALL), rules.replace(target=min(rules.target, 6), round_limit=2), games=1)


@pytest.mark.parametrize("name", BOOKS)
def test_worlds_look_the_same_to_the_seat(name: str) -> None:
    rules = rules_of(name)
    tables = pack([rules.tables])
    for i, state in enumerate(passing(name, 3)):
        seen = state.observation(state.turn)
        for world in hidden.draw(seen.view, rules.tables, tables, 4, Random(i)):
            drawn = bp.State.of_record(rules, unpack(Round, world))
            assert bytes(drawn.observation(state.turn)) == bytes(seen)
            assert str(bp.Deal(rules, drawn.deal.hands, drawn.deal.widow)) == str(drawn.deal)  # every card once
            assert replayed(drawn) == drawn


def test_each_world_comes_up_equally_often() -> None:
    rules = rules_of("pepper-4")
    tables = pack([rules.tables])
    checked = 0
    for state in [state for seed in range(12) for state in passing("pepper-4", seed) if state.record.left < 4]:
        seen = state.observation(state.turn)
        n = worlds.count(seen)
        if 5 < n < 60:
            drawn = hidden.draw(seen.view, rules.tables, tables, 200 * n, Random(1))
            counts = Counter(tuple(world["hands"].tolist()) for world in drawn)
            assert len(counts) == n
            # chi-square: its mean is n - 1, its variance twice that
            assert sum((one - 200) ** 2 / 200 for one in counts.values()) < n - 1 + 6 * (2 * n) ** 0.5
            checked += 1
    assert checked


# --- the model of a hand --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_chances_are_chances(name: str) -> None:
    rules = rules_of(name)
    model = season.season_of(rules).model
    for no_trump in (0, 1):
        if fit._has(rules, no_trump):
            lines = np.array(model.likely[STEPS * no_trump : STEPS * (no_trump + 1)])
            assert (lines.sum(axis=1) == CERTAIN).all()
            assert (lines >= 0).all()
            assert (lines[:, rules.cards + 1 :] == 0).all()
            assert (np.diff(lines[:, : rules.cards + 1] @ np.arange(rules.cards + 1)) > -CERTAIN * 0.35).all()
    assert all(sum(line) == CERTAIN for line in model.played)


@pytest.mark.parametrize("name", [name for name in BOOKS if name != "tiny"])
def test_tricks_expected_are_those_of_solved_deals(name: str) -> None:
    rules = rules_of(name)
    model = fit.fit_open(rules)
    for no_trump in (0, 1):
        if fit._has(rules, no_trump):
            learned = fit.learn(rules, model, 2_000, no_trump, seed=99)
            expected = fit.expected(model, learned.strains, learned.hands) / TRICK
            assert abs((expected - learned.tricks).mean()) < 0.15
            assert np.corrcoef(expected, learned.tricks)[0, 1] > 0.3
            plain = [
                tricks_expected(model, rules.tables, int(strain), int(hand))
                for strain, hand in zip(learned.strains[:50], learned.hands[:50], strict=True)
            ]
            assert plain == fit.expected(model, learned.strains[:50], learned.hands[:50]).tolist()


@pytest.mark.parametrize("name", [name for name in BOOKS if name != "tiny"])
def test_a_higher_trump_is_worth_more(name: str) -> None:
    rules = rules_of(name)
    t, model = rules.tables, fit.model_of(rules)
    strain = next(s for s in t.name_strain[: t.names] if s != NO_TRUMP)
    trumps = [place for place in sorted(t.place[strain][: t.deck_size]) if t.trump[strain] >> place & 1]
    low = strain_order(t, strain, 0) | 1 << trumps[0] | 1 << trumps[1]
    high = 1 << trumps[-1] | 1 << trumps[-2]
    assert tricks_expected(model, t, strain, high) > tricks_expected(model, t, strain, low) + TRICK


# --- the match table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOOKS)
def test_all_sides_together_win_the_game(name: str) -> None:
    rules = rules_of(name)
    match, r, dice = season.season_of(rules).match, Round(), Random(1)
    for _ in range(200):
        r.scores[: rules.sides] = [dice.randrange(-rules.target, rules.target) for _ in range(rules.sides)]
        hopes = [hope(match, rules.tables, r, 0, side) for side in range(rules.sides)]
        assert abs(sum(hopes) - WON) < 0.02 * WON
        assert min(hopes) >= 0


@pytest.mark.parametrize("name", BOOKS)
def test_points_never_hurt(name: str) -> None:
    rules = rules_of(name)
    match, r, dice = season.season_of(rules).match, Round(), Random(2)
    for _ in range(100):
        others = [dice.randrange(-6 * rules.target, rules.target) for _ in range(rules.sides - 1)]
        hopes = []
        for own in range(-6 * rules.target, rules.target):
            r.scores[: rules.sides] = [own, *others]
            hopes.append(hope(match, rules.tables, r, 0, 0))
        assert all(more >= less - WON // 2000 for less, more in pairwise(hopes))


@pytest.mark.parametrize("name", BOOKS)
def test_however_deep_a_side_has_sunk_to_sink_further_costs_something(name: str) -> None:
    """A table that ends somewhere must not say that what happens below it is all the same."""
    rules = rules_of(name)
    match, r = season.season_of(rules).match, Round()
    for depth in (1, 3, 10, 30):
        hopes = []
        for more in (0, rules.target):
            r.scores[: rules.sides] = [match.low * depth - more] + [match.low * depth] * (rules.sides - 1)
            hopes.append(hope(match, rules.tables, r, 0, 0))
        assert hopes[0] == pytest.approx(WON / rules.sides, rel=0.02)
        assert hopes[1] < hopes[0] - WON // 1_000


@pytest.mark.parametrize("name", [name for name in BOOKS if name != "tiny"])
def test_who_is_nearly_beaten_is_known_to_bid_more(name: str) -> None:
    """One point before the other side's end the makers bid higher than at 0 : 0, or are set more often."""
    rules = rules_of(name)
    found, match = season.season_of(rules), chances.blank(rules)
    moves = season._moves(rules, found.match, found.model, season._Outcomes(rules))
    at = {score: int(np.searchsorted(chances.scores_of(match), score)) for score in (0, rules.target - 1)}
    level, late = (at[0],) * rules.sides, (at[0], *[at[rules.target - 1]] * (rules.sides - 1))

    def failed(cell: tuple[int, ...]) -> float:
        bad = sum(part[cell] for move, part in moves.items() if move.makers == 0 and move.points[0] < 0)
        return float(bad / sum(part[cell] for move, part in moves.items() if move.makers == 0))

    for cell in (level, late):
        assert sum(part[cell] for part in moves.values()) == pytest.approx(1)
    assert failed(late) > failed(level)


@settings(max_examples=8, deadline=None)
@given(rulebook_options())
def test_chances_of_any_rulebook_add_up_and_rise(options: dict[str, Any]) -> None:
    rules = bp.Rules.from_options(options)
    match = season.season_of(rules).match
    table = np.array(match.chance[: match.size**rules.sides]).reshape((match.size,) * rules.sides)
    going_on = (slice(0, -2),) * rules.sides
    turned = [np.transpose(table, [(axis - side) % rules.sides for axis in range(rules.sides)]) for side in range(3)]
    assert np.abs(np.sum(turned[: rules.sides], axis=0)[going_on] - WON).max() <= 3
    assert (np.diff(table[going_on], axis=0) >= -1).all()


# --- decisions ------------------------------------------------------------------------------------------------------


def test_at_the_end_a_safe_bid_wins_the_game() -> None:
    """At 29 of 30 a bid that is sure to be made is enough: neither a pass, nor a bid that needs every trick."""
    rules = rules_of("pepper-4")
    deal = bp.Deal(rules, ["JH JD AH KH AS AC", "9C TC QC KC 9D TD", "9H TH QH 9S TS QS", "QD KD AD JC JS KS"])
    state = bp.State.new(rules, deal=deal, dealer=3, scores=(29, 12))
    assert str(bots.load("expert", 1).act(state.observation(0))) in ("1", "2", "3", "4", "5")


def test_far_behind_it_takes_the_chance_that_is_left() -> None:
    """At 12 : 29 the other side wins next time with almost anything: what would be too much at 0 : 0 is right."""
    rules = rules_of("pepper-4")
    deal = bp.Deal(rules, ["JH JD AH KH QH AS", "9C TC QC KC 9D TD", "9H TH AC 9S TS QS", "QD KD AD JC JS KS"])
    state = bp.State.new(rules, deal=deal, dealer=3, scores=(12, 29))
    assert str(bots.load("expert", 1).act(state.observation(0))) in ("small", "big")


def locked(rules: bp.Rules, suit: bp.Suit, seat: int, seed: int) -> bp.Deal:
    """A deal in which the seat has the highest trumps of a suit, which take every trick; the rest lies at random."""
    trumps = rules.suits_in_play(bp.Strain(str(suit)))[suit]
    held = list(trumps[-rules.cards :])
    held += [bp.Card(f"A{other}") for other in rules.suits if other != str(suit)][: rules.cards - len(held)]
    rest = [card for card in rules.deck if card not in held]
    Random(seed).shuffle(rest)
    hands = [held if one == seat else [rest.pop() for _ in range(rules.cards)] for one in range(rules.players)]
    return bp.Deal(rules, hands, rest.pop() if rules.joker else None)


@pytest.mark.parametrize("budget", [Budget(drawn=100, calls=40, plays=3), Budget(drawn=400, calls=120, plays=3)])
@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "pepper-2", "iowa", "bid-euchre"])
def test_who_holds_every_trick_bids_for_all_of_them(name: str, budget: Budget) -> None:
    """First or last, behind or level, however it stands: Big is sure, and nothing else is worth as much."""
    rules = rules_of(name)
    for seed, suit in enumerate(map(bp.Suit, rules.suits)):
        for first in (True, False):
            for scores in (None, (rules.target - 12, *[rules.target - 12] * (rules.sides - 1))):
                seat = seed % rules.players
                dealer = (seat - 1 if first else seat) % rules.players
                state = bp.State.new(rules, deal=locked(rules, suit, seat, seed), dealer=dealer, scores=scores)
                while state.turn != seat:
                    state = state.apply("pass")
                assert str(Strong(seed, budget=budget).act(state.observation(seat))) == "big"


def test_a_maker_falls_short_where_he_has_to_guess() -> None:
    """His worlds agree: he takes what open cards say. They are far apart, or another plays it: as makers do."""
    futures = np.zeros((60, 2), [("own", int), ("position", int), ("lone", int)])
    futures["own"][:, 0] = 1
    alike, apart = np.full((60, 2), 6), np.where(np.arange(120).reshape(60, 2) % 4 < 2, 6, 4)
    for phase, shared in ((AUCTION, True), (NAMING, False)):
        assert (before._unsure(phase, futures, alike)[:, 0] < 0.05).all()
        assert (before._unsure(phase, futures, alike)[:, 1] == 1).all()
        assert (before._unsure(phase, futures, apart) == 1).all()
        mixed = futures.copy()
        mixed["own"] = 1
        found = before._unsure(phase, mixed, np.stack([alike[:, 0], apart[:, 0]], axis=1))
        assert (found[:, 0] < 0.05).all() != shared  # all bids of a hand are the same cards; each name is another game
        mixed["position"][3] = -1
        assert (before._unsure(phase, mixed, alike)[3] == 1).all()


@pytest.mark.parametrize("name", BOOKS)
def test_others_call_in_thought_as_their_calls_are_weighed(name: str) -> None:
    rules = rules_of(name)
    t, model = rules.tables, season.season_of(rules).model
    checked = 0
    for state in passing(name, 5) + passing(name, 6):
        if state.phase is not Phase.AUCTION or len(state.legal) < 2:
            continue
        stakes, mind, r = unpack(Stakes, Thought.of(state.observation(state.turn), 1).stakes[0]), Mind(), state.record
        look_at_hands(r, t, model, mind)
        drawn = Counter(belief.draw_call(r, t, model, stakes, mind, mix(7, i)) for i in range(1_500))
        for action, bit in zip(state.legal, before.bits_of(legal(r, t)), strict=True):
            weight = belief.Weight()
            weight.fraction = 1 << 30
            belief.put_call(r, t, model, stakes, mind, weight, bit)
            floored = weight.fraction / 2**30 * 2.0**weight.exponent
            likely = (floored * CERTAIN - belief.FLOOR) / (CERTAIN - belief.FLOOR)
            assert abs(drawn[bit] / 1_500 - likely) < 5 * (max(likely, 1e-3) / 1_500) ** 0.5, action
        checked += 1
    assert checked


@pytest.mark.parametrize("name", [name for name in BOOKS if name != "tiny"])
def test_others_may_call_otherwise_in_a_world_that_is_the_same(name: str) -> None:
    """As the seed has it: one seed gives the same futures again. Who chooses is known to be the maker, or not to be."""
    kinds = 0
    for state in (passing(name, seed)[0] for seed in (8, 9, 10)):
        assert state.turn is not None
        for choice in before.bits_of(legal(state.record, state.rules.tables))[:3]:
            found = futures(state, choice, seed=5)
            assert found.tobytes() == futures(state, choice, seed=5).tobytes()
            ends = {(int(one["makers"]), int(one["bid"]), int(one["own"])) for one in found if one["position"] >= 0}
            kinds = max(kinds, len(ends))
            for makers, _, own in ends:
                ours = makers == state.rules.side_of(state.turn)
                assert own == ours if state.rules.sides == state.rules.players else own <= ours
    assert kinds > 1


def futures(state: bp.State, choice: int, seed: int) -> Any:
    """What a choice leads to in sixty worlds that are all as this one."""
    book, n = Book.of(state.rules), 60
    thought = Thought.of(state.observation(state.turn), 1)
    found, positions, same = rows(Future, n), rows(Position, n), pack([state.record] * n)
    minds, scratch, known = rows(Mind, 1), rows(Round, 1), rows(Known, 1)
    look_ahead(same, book.tables, book.model, thought.stakes, minds, scratch, known, positions, found, choice, seed)
    return found


@pytest.mark.parametrize("name", BOOKS)
def test_a_game_that_is_as_good_as_won_is_played_to_its_end(name: str) -> None:
    """Where every choice wins, or none, a sure bid is better than a pass: else nobody would ever bid again."""
    rules, played = rules_of(name), 0
    bot = Strong(1, budget=Budget(drawn=40, calls=20, plays=3))
    for seed in range(8):
        scores = (rules.target - 6, *[-60 * rules.target] * (rules.sides - 1))
        state = bp.State.new(rules, seed=seed, dealer=seed % rules.players, scores=scores)
        while state.phase is Phase.AUCTION and not state.is_over:
            state = state.apply(bot.act(state.observation(state.turn)))
        played += not state.thrown_in
    assert played > 3


def test_another_process_or_copy_decides_the_same() -> None:
    for state in passing("pepper-3", 2):
        seen = state.observation(state.turn)
        assert Strong(3, budget=SMALL).act(seen) == Strong(3, budget=SMALL).act(seen)


def test_a_card_that_throws_a_trick_away_makes_a_world_less_likely() -> None:
    """Every world keeps a chance; of cards that were one of as many, those that cost tricks are less likely."""
    rules = rules_of("pepper-4")
    tables, compared = pack([rules.tables]), 0
    for state in passing("pepper-4", 8):
        v = state.observation(state.turn).view
        if v.phase == PLAY and v.left < 5:
            drawn = hidden.draw(v, rules.tables, tables, 30, Random(1))
            chances = back.likelihoods(pack([v]), tables, drawn, Solver(), 8)
            assert (chances > 0).all()
            assert (chances <= 1).all()
            positions, pasts = rows(Position, 8 * len(drawn)), rows(back.Past, 8 * len(drawn))
            n = back.look_back(pack([v]), tables, rows(Round, 1), drawn, positions, pasts, v.length - 8)
            likely = back._chances(Solver(), positions[:n], pasts[:n])
            for choices in (2, 3):
                alike = likely[pasts["choices"][:n] == choices]
                compared += len(alike) > 1 and alike.max() > 1.5 * alike.min()
    assert compared


@pytest.mark.parametrize("name", BOOKS)
def test_the_stakes_of_a_contract_are_what_its_rounds_lead_to(name: str) -> None:
    """Rounds that were played to their ends: the line of their contract has what the kernel's score is worth."""
    rules = rules_of(name)
    t, match, dice, compared = rules.tables, season.season_of(rules).match, Random(3), 0
    for seed in range(40):
        scores = tuple(dice.randrange(-rules.target // 2, rules.target) for _ in range(rules.sides))
        state = bp.State.new(rules, seed=seed, dealer=0, scores=scores)
        while not state.is_over:
            state = state.apply(dice.choice(state.legal))
        r = state.record
        stakes = rows(Stakes, 1)
        weigh(pack([r]), pack([t]), pack([match]), stakes, rows(Round, 1))
        if r.thrown:
            continue
        makers = r.maker % t.sides
        won = [sum(r.won[side : t.players : t.sides]) for side in range(t.sides)]
        if max(others := [won[side] for side in range(t.sides) if side != makers]) == min(others):
            for side in range(t.sides):
                found = stakes[0]["worth"][line(side, makers, r.bid, int(r.lone >= 0))][won[makers]]
                assert found == worth_after(match, t, r, side) + stakes_of.bonus(r, t, side)
            compared += 1
    assert compared > 2


@pytest.mark.parametrize(("name", "target"), [("pepper-3", 30), ("pepper-4", 150)])
def test_between_two_cells_of_the_match_table_chances_lie_between(name: str, target: int) -> None:
    rules = rules_of(name).replace(target=target)
    match, r = season.season_of(rules).match, Round()
    assert match.step > 1
    for side in range(rules.sides):
        for cell in range(5, match.size - 4):
            values = []
            for points in range(match.step + 1):
                r.scores[:3] = [target // 5, target // 3, target // 10]
                r.scores[side] = match.low + cell * match.step + points
                values.append(hope(match, rules.tables, r, 0, 0))
            assert values == sorted(values, reverse=side > 0)
            assert abs(values[0] - values[-1]) < 300 or len(set(values)) == len(values)


def test_worlds_are_weighed_by_the_calls() -> None:
    """Who has bid high holds more trumps than who has passed."""
    rules = rules_of("pepper-4")
    state = bp.State.new(rules, seed=4, dealer=3)
    for call in ("4", "pass", "pass"):
        state = state.apply(call)
    thought = Thought.of(state.observation(3), 1)
    found = thought.worlds(4_000, 1_500)
    model, t = season.season_of(rules).model, rules.tables

    def best(hand: int) -> int:
        return max(tricks_expected(model, t, s, strain_order(t, s, hand)) for s in t.name_strain[: t.names])

    bidder, passer = (np.mean([best(int(w["dealt"][seat])) for w in found]) for seat in (0, 1))
    assert bidder > passer + TRICK / 8


def test_what_is_known_of_a_rulebook_is_found_once_whoever_asks_first() -> None:
    """Tables of a server have rulebooks of their own, and think in several threads: the bots decide the same."""
    rulebooks_ = [rules_of("pepper-2").replace(target=27) for _ in range(6)]
    before = fit.model_of(rulebooks_[0]).copy()
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(season.season_of, rulebooks_))
    assert all(one is found[0] for one in found)
    assert all(getattr(before, field) == getattr(fit.model_of(rulebooks_[0]), field) for field in before.fields)


def test_preparing_is_for_those_that_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(bots_of_strong, "prepare", lambda: asked.append("strong"))
    bots.prepare(["", "novice", "random:a=1", "of-another-package"])
    assert asked == []
    bots.prepare(["club:plays=2", "novice", "expert"])
    assert asked == ["strong"]


def test_the_first_compile_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_ENTRIES", (SimpleNamespace(is_ready=False),))
    for name in ("compile_search", "compile_rest"):
        monkeypatch.setattr(compiling, name, lambda: None)
    monkeypatch.setattr(compiling, "_ELSEWHERE", "raise SystemExit(1)")  # nothing depends on the other process
    compiling.prepare.cache_clear()
    compiling.prepare()
    compiling.prepare()
    assert capsys.readouterr().err == "Compiling the strong bots: once, about a quarter of a minute.\n"


COLD = """
from bigpepper import Rules, State, bots, jit
from bigpepper.bots.strong import compiling
from bigpepper.workers import cores

done, first = [], jit.Entry._first_call
jit.Entry._first_call = lambda entry, *given: done.append((entry.__name__, entry.is_ready)) or first(entry, *given)
compiling.prepare()
assert sorted(name for name, kept in done) == sorted(entry.__name__ for entry in compiling._ENTRIES)
assert [name for name, kept in done if kept] == ["answer_all", "weigh", "fill"] * (cores() > 1)
done.clear()
state, bot = State.new(Rules.load("pepper-2"), seed=1), bots.load("expert:plays=2,calls=2")
while not state.is_over:
    state = state.apply(bot.act(state.observation(state.turn)))
assert not done, done
assert all(len(entry._compiled.signatures) == 1 for entry in compiling._ENTRIES)
"""
"""Everything is compiled by `prepare`, for the very types that playing asks for; the other process did its part."""


def test_preparing_compiles_all_that_playing_needs(tmp_path: Path) -> None:
    env = {**os.environ, "BIGPEPPER_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", COLD], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("given", ["expert:worlds=3", "expert:drawn=-1", "club:plays=1.5", "club:calls=many"])
def test_a_budget_that_is_none_gets_a_sentence(given: str) -> None:
    with pytest.raises(bp.UnknownBot):
        bots.load(given)
