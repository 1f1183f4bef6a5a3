"""OpenSpiel: its own suites on every rulebook, golden playthroughs, our rounds beside its, worlds, an equilibrium."""

from __future__ import annotations

import contextlib
import io
import pickle
import random
import unittest
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bigpepper as bp
from bigpepper.envs.settings import InvalidSetting
from walk import walk

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # what its imports say of other packages
    import pyspiel
    from absl import flags
    from open_spiel.integration_tests import api_test
    from open_spiel.python.algorithms import exploitability, generate_playthrough, ismcts, mcts
    from open_spiel.python.observation import make_observation
    from open_spiel.python.policy import UniformRandomPolicy
    from open_spiel.python.tests import games_sim_test

    from bigpepper.envs.bounds import longest_auction
    from bigpepper.envs.encode import encoder
    from bigpepper.envs.openspiel import BigPepperState, resampler, rules_parameter
    from tools import exploitability as measured

flags.FLAGS(["test"], known_only=True)

NAMES = bp.rulebooks()
GOLDEN = Path(__file__).parent / "golden" / "openspiel"
SHORT_GAME = rules_parameter(bp.Rules.load("pepper-2").replace(round_limit=3))
GAMES = [*(f"bigpepper(rules={name})" for name in NAMES), f"bigpepper(rules={SHORT_GAME},episode=game)"]


def short_id(game: str) -> str:
    return game if len(game) < 60 else "a-game"


def soak(game: str) -> Any:
    """A game whose like is tested in every run: this one only now and then."""
    return pytest.param(game, marks=pytest.mark.soak, id=short_id(game))


RECALL = pyspiel.IIGObservationType(perfect_recall=True)
GOLDEN_GAMES = {path.read_text("utf-8").partition("\n")[0].removeprefix("game: ") for path in GOLDEN.glob("*.txt")}
every_game = pytest.mark.parametrize("text", GAMES, ids=short_id)


def random_walk(game: Any, dice: random.Random) -> list[Any]:
    """The states of a random episode."""
    states = [game.new_initial_state()]
    while not states[-1].is_terminal():
        states.append(states[-1].child(dice.choice(states[-1].legal_actions())))
    return states


# --- suites not written here ----------------------------------------------------------------------------------------


@every_game
def test_random_sim(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@every_game
def test_games_sim(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))
    assert "terminated with" in capsys.readouterr().out


def run_suite(base: type[unittest.TestCase], game: Any, name: str = "bigpepper") -> int:
    """Run one of OpenSpiel's classes of tests on a game; returns how many tests there were."""
    case = type(base.__name__, (base,), {"game": game, "game_name": name})
    found = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    found.run(result)
    problems = [report for _, report in result.failures + result.errors]
    assert not problems, "\n".join(problems)
    assert not result.skipped
    return result.testsRun


class Dealt:
    """A game that begins after a deal: the suite takes 400 states near the root, and of a full game that is dealing."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def new_initial_state(self) -> Any:
        state, dice = self._game.new_initial_state(), random.Random(5)
        while state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        return state


@every_game
def test_the_api_on_a_part_of_the_tree(text: str) -> None:
    random.seed(1)
    assert run_suite(api_test.EnforceAPIOnPartialTreeBase, pyspiel.load_game(text)) >= 5


@pytest.mark.parametrize("text", [soak(text) if text not in GOLDEN_GAMES else text for text in GAMES], ids=short_id)
def test_the_api_on_a_part_of_the_tree_after_a_deal(text: str) -> None:
    random.seed(1)
    assert run_suite(api_test.EnforceAPIOnPartialTreeBase, Dealt(pyspiel.load_game(text))) >= 5


def test_the_api_on_the_full_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite looks up how many states there are: we count those of tiny by walking through our own rounds."""
    counted, information = count_tiny()
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "bigpepper", counted)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "bigpepper", information)
    assert run_suite(api_test.EnforceAPIOnFullTreeBase, pyspiel.load_game("bigpepper(rules=tiny)")) >= 8


def count_tiny() -> tuple[tuple[int, int, int], int]:
    """(chance, playable, terminal) states of tiny, and its information states."""
    rules = bp.Rules.load("tiny")
    chance, playable, terminal = 1 + 4 + 4 * 3 + 4 * 3 * 2, 0, 0
    seen = set()
    for one in rules.deck:
        for other in rules.deck[rules.deck.index(one) + 1 :]:
            rest = [card for card in rules.deck if card not in (one, other)]
            waiting = [bp.State.new(rules, deal=bp.Deal(rules, [[one, other], rest]), dealer=1)]
            while waiting:
                state = waiting.pop()
                if state.is_over:
                    terminal += 4  # four orders of dealing these hands
                    continue
                playable += 4
                seen.add(state.observation(state.turn))
                waiting += [state.apply(action) for action in state.legal]
    return (chance, playable, terminal), len(seen)


# --- playthroughs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [text for text in GAMES if text not in GOLDEN_GAMES], ids=short_id)
def test_a_playthrough_is_replayed_as_it_was(text: str, tmp_path: Path) -> None:
    """Those of which none is kept; the others are below."""
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(text, [], seed=7), "utf-8")
    before, after = generate_playthrough.replay(str(path))
    assert before == after
    assert before.count("action: ") > 5


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_golden_playthroughs(path: Path) -> None:
    """Renewed by `python tests/golden/renew.py`, when the change is meant."""
    before, after = generate_playthrough.replay(str(path))
    assert after == before


def test_golden_playthroughs_show_every_kind_of_rulebook() -> None:
    shown = {game.partition("rules=")[2].rstrip(")").partition(",")[0] for game in GOLDEN_GAMES}
    kinds = {(rules.players, rules.joker) for rules in map(bp.Rules.load, shown)}
    assert kinds == {(rules.players, rules.joker) for rules in map(bp.Rules.load, NAMES)}
    assert {"pepper-4", "hasenpfeffer-traditional", "tiny"} <= shown


# --- our rounds beside OpenSpiel's ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_rounds_in_lockstep(name: str) -> None:
    """The compiled kernel plays, OpenSpiel's state follows: the same turns, choices and points at every step."""
    rules = bp.Rules.load(name)
    game = pyspiel.load_game("bigpepper", {"rules": name})
    steps = 0
    for round in walk(rules, 12, seed=5):
        ours = bp.State.new(rules, deal=round.deal, dealer=rules.players - 1)
        theirs = game.new_initial_state()
        for hand in round.deal.hands:
            for card in hand:
                assert theirs.is_chance_node()
                outcomes = dict(theirs.chance_outcomes())
                assert set(outcomes.values()) == {1 / len(outcomes)}
                theirs.apply_action(rules.card_number[card])
        dice = random.Random(steps)
        while not ours.is_over:
            assert theirs.current_player() == ours.turn
            assert theirs.legal_actions() == [rules.number_of[action] for action in ours.legal]
            action = dice.choice(ours.legal)
            assert theirs.action_to_string(rules.number_of[action]) == str(action)
            ours = ours.apply(action)
            theirs.apply_action(rules.number_of[action])
            steps += 1
        assert theirs.is_terminal()
        assert theirs.returns() == utilities(ours)
    assert steps > 50


def utilities(state: bp.State) -> list[float]:
    points, rules = state.points, state.rules
    assert points is not None
    by_side = [own - (sum(points) - own) / (rules.sides - 1) for own in points]
    return [by_side[rules.side_of(seat)] for seat in range(rules.players)]


def test_games_in_lockstep() -> None:
    rules = bp.Rules.load("pepper-3").replace(target=9, round_limit=6)
    game = pyspiel.load_game("bigpepper", {"rules": rules_parameter(rules), "episode": "game"})
    ended = set()
    for seed in range(6):
        ours, theirs, dice = bp.Game.new(rules, seed=seed), game.new_initial_state(), random.Random(seed)
        theirs.apply_action(ours.state.dealer)
        while not ours.is_over:
            if not ours.state.history:
                for hand in ours.state.deal.hands:
                    for card in hand:
                        theirs.apply_action(rules.card_number[card])
            action = dice.choice(ours.state.legal)
            ours = ours.apply(action)
            theirs.apply_action(rules.number_of[action])
        assert theirs.is_terminal()
        others = [(sum(ours.scores) - own) / 2 for own in ours.scores]
        assert theirs.returns() == [own - other for own, other in zip(ours.scores, others, strict=True)]
        ended.add(len(ours.rounds))
    assert len(ended) > 1


# --- parameters, copies, serialisation ------------------------------------------------------------------------------


def test_parameters_change_the_rules() -> None:
    assert pyspiel.load_game("bigpepper").rules == bp.Rules.load("pepper-4")
    assert pyspiel.load_game("bigpepper(rules=tiny,episode=game,target=9)").rules.target == 9
    house = bp.Rules.load("pepper-4").replace(auction="one-round", minimum_bid="3")
    text = f"bigpepper(rules={rules_parameter(house)})"
    assert pyspiel.load_game(text).rules == house
    assert pyspiel.load_game(str(pyspiel.load_game(text))).rules == house
    assert rules_parameter(bp.Rules.load("iowa")) == "iowa"


@every_game
def test_states_come_back_from_their_serial_form(text: str) -> None:
    game = pyspiel.load_game(text)
    for state in random_walk(game, random.Random(3))[::7]:
        for other in (
            pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
            pickle.loads(pickle.dumps(state)),
            state.clone(),
        ):
            assert other.position == state.position
            assert other.history() == state.history()


def test_utilities_lie_within_what_is_declared_and_reach_it() -> None:
    """A lone Big made is worth the most in Hasenpfeffer: 24."""
    assert pyspiel.load_game("bigpepper(rules=hasenpfeffer-traditional)").max_utility() == 24
    assert pyspiel.load_game("bigpepper(rules=pepper-4)").max_utility() == 12 + 6
    assert pyspiel.load_game("bigpepper(rules=pepper-4)").min_utility() == -18


# --- what a player knows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in NAMES if name != "tiny"])  # there one's own cards tell the other's
def test_worlds_that_look_the_same_have_the_same_information_state(name: str) -> None:
    game = pyspiel.load_game("bigpepper", {"rules": name})
    dice, changed = random.Random(8), 0
    for state in random_walk(game, dice):
        for player in range(game.num_players()) if not state.is_chance_node() else ():
            other = state.resample_from_infostate(player, dice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            if not state.is_terminal():
                assert other.current_player() == state.current_player()
            changed += str(other) != str(state)
    assert changed > 20


def test_worlds_of_a_game_look_the_same_too() -> None:
    game = pyspiel.load_game(GAMES[-1])
    dice, changed = random.Random(4), 0
    for state in random_walk(game, dice)[5::9]:
        other = state.resample_from_infostate(0, dice.random)
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.observation_tensor(0) == state.observation_tensor(0)
        changed += str(other) != str(state)
    assert changed > 3


@pytest.mark.parametrize("name", ["pepper-3", "hasenpfeffer-traditional"])
def test_the_information_state_tells_apart_what_a_player_can_tell_apart(name: str) -> None:
    game = pyspiel.load_game("bigpepper", {"rules": name})
    by_text: dict[str, Any] = {}
    by_tensor: dict[tuple[float, ...], str] = {}
    for seed in range(4):
        for state in random_walk(game, random.Random(seed)):
            if state.is_chance_node() or state.is_terminal():
                continue
            player = state.current_player()
            text, tensor = state.information_state_string(), tuple(state.information_state_tensor())
            seen = state.position.round.observation(player)
            assert by_text.setdefault(text, seen) == seen
            assert by_tensor.setdefault(tensor, text) == text
    assert len(by_text) == len(by_tensor) > 60


def test_the_rows_of_the_information_state_are_the_actions_in_turn() -> None:
    game = pyspiel.load_game("bigpepper(rules=hasenpfeffer-traditional)")
    seen, hidden = make_observation(game, RECALL), 0
    for state in random_walk(game, random.Random(2)):
        for player in range(4) if not state.is_chance_node() else ():
            seen.set_from(state, player)
            rows = seen.dict["actions"].reshape(-1, len(game.rules.actions) + 1)
            sight = state.position.round.observation(player)
            unseen = bp.Discard(None)
            numbers = [
                len(game.rules.actions) if turn.action == unseen else game.rules.number_of[turn.action]
                for turn in sight.history
            ]
            assert list(rows[: len(numbers)].argmax(axis=1)) == numbers
            assert rows.sum() == len(numbers)
            hidden += len(game.rules.actions) in numbers
    assert hidden > 20


@pytest.mark.parametrize("name", NAMES)
def test_the_longest_auction_fits_and_there_is_no_longer_one(name: str) -> None:
    """Everybody passes as long as that does not end the auction, then says the lowest bid."""
    rules = bp.Rules.load(name)
    state = bp.State.new(rules, seed=1)
    calls = 0
    while state.phase == "auction":
        calls += 1
        options = [state.apply(action) for action in state.legal[:2]]
        state = options[0] if options[0].phase == "auction" else options[-1]
    assert calls <= longest_auction(rules)
    assert calls == longest_auction(rules) or rules.auction != "re-entry" or rules.all_pass == "joker-bids-3"


def test_what_is_public_and_what_is_private_are_kept_apart() -> None:
    game = pyspiel.load_game("bigpepper(rules=hasenpfeffer-traditional)")
    public = make_observation(
        game, pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.NONE)
    )
    private = make_observation(game, pyspiel.IIGObservationType(public_info=False, perfect_recall=False))
    dice = random.Random(6)
    for state in random_walk(game, dice):
        if state.is_chance_node():
            continue
        for player in range(4):
            other = state.resample_from_infostate((player + 1) % 4, dice.random)
            public.set_from(state, player)
            seen = public.tensor.copy()
            public.set_from(other, player)
            assert np.array_equal(seen, public.tensor)
            assert public.string_from(state, player) == public.string_from(other, 0)
            hand = state.position.round.hand(player)
            assert all(str(card) in private.string_from(state, player) for card in hand)
            private.set_from(state, player)
            assert private.dict["hand"].sum() == len(hand)


@pytest.mark.parametrize("name", bp.rulebooks())
def test_the_pieces_of_an_observation_are_what_their_names_say(name: str) -> None:
    game, code = pyspiel.load_game("bigpepper", {"rules": name}), encoder(bp.Rules.load(name))
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False))
    is_flag = (code.low_compact == 0) & (code.high_compact == 1) & (code.scales == 1)
    for state in random_walk(game, random.Random(7)):
        if state.is_chance_node() or state.is_terminal():
            continue
        observer.set_from(state, 0)
        whole = code.encode(state.position.round.observation(0))
        assert is_flag[: len(observer.dict["flags"])].all()
        assert np.array_equal(observer.dict["flags"], whole[: len(observer.dict["flags"])])
        assert np.array_equal(observer.dict["numbers"], whole[-len(observer.dict["numbers"]) :])
        assert not is_flag[-len(observer.dict["numbers"]) :].any()


def test_no_observer_sees_all_cards() -> None:
    game = pyspiel.load_game("bigpepper")
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(InvalidSetting):
        game.make_py_observer(everything)
    with pytest.raises(InvalidSetting):
        game.make_py_observer(None, {"colour": "red"})


# --- algorithms -----------------------------------------------------------------------------------------------------


def test_a_search_bot_plays_with_worlds_as_its_resampler() -> None:
    game = pyspiel.load_game("bigpepper(rules=pepper-2)")
    dice = random.Random(2)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=20.0,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        max_simulations=12,
        max_world_samples=-1,
        random_state=np.random.RandomState(1),
    )
    bot.set_resampler(lambda state, player: resampler(state, player, dice))
    state: BigPepperState = random_walk(game, dice)[22]
    assert not state.is_chance_node()
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.fixture(scope="module")
def tree() -> measured.Tree:
    return measured.tiny_tree()


def test_cfr_finds_an_equilibrium_of_tiny(tree: measured.Tree) -> None:
    exploited = [sum(measured.best_replies(tree, measured.solve(tree, n))) / 2 for n in (1, 30, 300)]
    assert exploited[0] > 1
    assert exploited[1] < 0.05
    assert -1e-9 < exploited[2] < 0.0005


def test_cfr_goes_the_same_way_on_our_game_and_on_its_exported_tree(tree: measured.Tree) -> None:
    game = pyspiel.load_game("bigpepper(rules=tiny)")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    on_the_tree = sum(measured.best_replies(tree, measured.solve(tree, 2)))
    assert pyspiel.nash_conv(game, solver.average_policy()) == pytest.approx(on_the_tree)


def test_exploitability_is_the_same_when_openspiel_measures_it_on_our_game(tree: measured.Tree) -> None:
    uniform = measured.policy_by_state(tree, measured.policy_of("random", tree))
    direct = exploitability.nash_conv(pyspiel.load_game("bigpepper(rules=tiny)"), UniformRandomPolicy(tree.game))
    assert sum(measured.best_replies(tree, uniform)) == pytest.approx(direct)


def test_the_published_page_is_up_to_date() -> None:
    with contextlib.redirect_stderr(io.StringIO()) as said:
        assert measured.main(["--check"]) == 0, said.getvalue()
