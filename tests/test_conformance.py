"""The conformance suites: they accept what is right, and every law of theirs refuses what is wrong."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from bigpepper import Action, NotConforming, Observation, Rules, State, bots, conformance, kernel, rulebooks, worlds
from bigpepper.actions import Name, Pass, Play
from bigpepper.cards import Strain
from bigpepper.conformance import check_bot, check_rules, random_round, replayed
from bigpepper.game import Game
from bigpepper.public import PublicRound
from bigpepper.records import AUCTION, OVER, PLAY
from strategies import rulebook_options

PEPPER = Rules.load("pepper-4")
HASEN = Rules.load("hasenpfeffer")


@pytest.mark.parametrize("name", rulebooks())
def test_shipped_rulebooks_conform(name: str) -> None:
    check_rules(Rules.load(name).replace(round_limit=10), rounds=8)


@settings(max_examples=25)
@given(options=rulebook_options())
def test_every_rulebook_conforms(options: dict[str, Any]) -> None:
    check_rules(Rules.from_options(options).replace(round_limit=5), rounds=1)


def test_rounds_of_the_suite_reach_every_phase_and_end() -> None:
    states = [position.state for number in range(40) for position in random_round(HASEN, f"{number}")]
    assert {state.phase for state in states} == {"auction", "naming", "discard", "defence", "play", "over"}
    assert {state.thrown_in for state in states if state.is_over} == {True, False}
    assert {state.lone_defender is None for state in states} == {True, False}


def test_the_same_seed_checks_the_same_rounds() -> None:
    for one, other in zip(random_round(HASEN, "same", 2), random_round(HASEN, "same", 2), strict=True):
        assert (one.state, one.seed, one.before) == (other.state, other.seed, other.before)


def test_replayed_goes_the_whole_way() -> None:
    for position in random_round(HASEN, "replay"):
        assert replayed(position.state) == position.state
    last = list(random_round(HASEN, "replay"))[-2].state
    assert replayed(last.claim(last.playing[0], 1)) == last.claim(last.playing[0], 1)


# --- laws of rulebooks: each is broken once ---------------------------------------------------------------------------


def breaks(law: str, rules: Rules = PEPPER, rounds: int = 12) -> str:
    """The sentence with which `check_rules` refuses; the named law is to blame."""
    with pytest.raises(NotConforming) as caught:
        check_rules(rules.replace(round_limit=5), rounds=rounds)
    words = str(caught.value)
    assert words.startswith(f"The law {law} is broken: ")
    return words


def patched(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, change: Callable[..., Any], *, is_property: bool = False
) -> None:
    """Replace a function or property by `change(original result, *arguments)`."""
    original = getattr(owner, name)
    if is_property:
        monkeypatch.setattr(owner, name, property(lambda self: change(original.fget(self), self)))
    else:
        monkeypatch.setattr(owner, name, lambda *given, **named: change(original(*given, **named), *given))


def test_a_rulebook_that_toml_does_not_give_back(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, Rules, "to_toml", lambda text, _: text.replace("target = 30", "target = 31"))
    words = breaks("toml_gives_it_back")
    assert words == "The law toml_gives_it_back is broken: What is written as TOML is read as the same rulebook."


def test_texts_that_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, Rules, "action", lambda action, *_: Pass() if isinstance(action, Play) else action)
    breaks("texts_name_actions")


def test_texts_with_an_error_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rules, "action", lambda *_: 1 / 0)
    with pytest.raises(NotConforming) as caught:
        check_rules(PEPPER)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_cards_that_are_dealt_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, State, "deal", lambda _, state: _Twice(), is_property=True)
    breaks("every_card_is_dealt")


class _Twice:
    hands = tuple(PEPPER.deck[:6] for _ in range(4))
    dead, widow = (), None


def test_nothing_legal_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, kernel, "legal", lambda mask, r, t: 0 if r.length == 4 else mask)
    words = breaks("something_is_legal_until_the_end")
    assert re.search(r"Seed “0-(\d)”, dealer \1, after \[\d:", words)
    assert "is broken: Until a round is over, a seat is to act and may. Seed “0-game”" in breaks(
        "something_is_legal_until_the_end", rounds=0
    )


def test_legal_actions_out_of_order(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, State, "legal", lambda legal, _: legal[::-1], is_property=True)
    breaks("legal_actions_stand_in_order")


def test_a_card_is_legal_that_nobody_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, kernel, "legal", lambda mask, r, t: mask | 1 if r.phase == PLAY else mask)
    breaks("no_card_is_lost", HASEN)


def test_a_legal_action_that_does_not_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    original = State.apply
    monkeypatch.setattr(State, "apply", lambda self, action: original(self, _never_hearts(action)))
    breaks("legal_actions_apply", HASEN)


def test_an_action_that_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(_: None, r: Any, number: int) -> None:
        r.length -= number == 0

    patched(monkeypatch, kernel, "log", forget)
    breaks("legal_actions_apply")


def test_an_action_that_changes_the_old_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(new: State, old: State, _: Action) -> State:
        old._record.scores[0] = 5
        return new

    patched(monkeypatch, State, "apply", careless)
    breaks("legal_actions_apply")


def test_an_illegal_action_that_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    original = State.apply
    monkeypatch.setattr(State, "apply", lambda self, action: original(self, action) if not _is_play(action) else self)
    breaks("other_actions_are_refused")


def _never_hearts(action: Action | str) -> Action | str:
    return Name(Strain.CLUBS) if str(action) == "H" else action


def _is_play(action: Action | str) -> bool:
    return isinstance(action, Play)


def test_a_trick_that_is_counted_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, PublicRound, "tricks_won", lambda won, _: won[::-1], is_property=True)
    breaks("tricks_add_up")


def test_a_card_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, State, "hand", lambda hand, state, seat: hand[1:] if state.phase == "play" else hand)
    breaks("no_card_is_lost")


def test_a_spectator_who_sees_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(_: None, r: Any, t: Any, seat: int, v: Any) -> None:
        v.hand = r.hands[0] if seat < 0 else v.hand

    patched(monkeypatch, kernel, "view", show)
    breaks("a_seat_sees_its_own")


def test_a_hidden_card_that_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    def show(_: None, r: Any, t: Any, seat: int, v: Any) -> None:
        v.best = r.hands[0] if r.phase == AUCTION else v.best

    patched(monkeypatch, kernel, "view", show)
    breaks("nothing_hidden_shows")


def test_a_world_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "_voids", lambda t, v: [0] * t.players)
    breaks("sampled_worlds_are_possible", rounds=30)


def _end(change: Callable[[Any], None]) -> Callable[..., None]:
    def after(_: None, r: Any, t: Any) -> None:
        assert r.phase == OVER
        change(r)

    return after


def test_makers_who_lose_what_they_made(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, kernel, "score", _end(lambda r: r.points.__setitem__(r.maker % 2, -r.points[r.maker % 2])))
    breaks("points_follow_the_contract")


def test_a_claim_that_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    patched(monkeypatch, kernel, "concede", _end(lambda r: r.points.__setitem__(0, r.points[0] + 1)))
    breaks("claims_score_like_play")


def test_scores_that_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Game.apply

    def generous(self: Game, action: Action | str) -> Game:
        game = original(self, action)
        if game.is_over:
            object.__setattr__(game, "scores", tuple(score + 1 for score in game.scores))
        return game

    monkeypatch.setattr(Game, "apply", generous)
    breaks("games_add_up")


def test_every_law_is_broken_by_a_test_above() -> None:
    """A law without such a test could be empty."""
    groups = (
        conformance.LAWS_OF_RULES,
        conformance.LAWS_OF_POSITIONS,
        conformance.LAWS_AT_THE_END,
        conformance.LAWS_OF_GAMES,
        conformance.LAWS_OF_BOTS,
    )
    source = Path(__file__).read_text("utf-8")
    names = [law.holds.__name__ for group in groups for law in group]
    assert [name for name in names if f'"{name}"' not in source] == []


# --- laws of bots -----------------------------------------------------------------------------------------------------


def refused(bot: Any, law: str, rules: Rules = PEPPER) -> NotConforming:
    with pytest.raises(NotConforming) as caught:
        check_bot(bot, rules.replace(round_limit=2), games=2)
    assert str(caught.value).startswith(f"The law {law} is broken: ")
    return caught.value


class Bad:
    """Takes the first legal action; its children do something that no bot may."""

    def act(self, observation: Observation, /) -> Any:
        """The first legal action."""
        return observation.legal[0]


def test_a_good_bot_conforms() -> None:
    check_bot(Bad(), PEPPER.replace(round_limit=2))
    check_bot(_NotCopied(), PEPPER.replace(round_limit=2))


class _NotCopied(Bad):
    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        raise TypeError("one of its kind")


class Illegal(Bad):
    def act(self, observation: Observation, /) -> Any:
        return observation.rules.actions[-1]


class Text(Bad):
    def act(self, observation: Observation, /) -> Any:
        return str(observation.legal[0])


class Helpless(Bad):
    def act(self, observation: Observation, /) -> Any:
        raise LookupError("no idea")


@pytest.mark.parametrize("bot", [Illegal(), Text(), Helpless()])
def test_answers_that_are_not_legal(bot: Bad) -> None:
    error = refused(bot, "answers_what_is_legal")
    assert isinstance(error.__cause__, LookupError) == isinstance(bot, Helpless)
    assert "Seed “0-0”, dealer" in str(error)


@dataclass
class Counting(Bad):
    """Answers by how often it was asked."""

    asked: int = 0

    def act(self, observation: Observation, /) -> Any:
        self.asked += 1
        return observation.legal[self.asked % len(observation.legal)]


def test_another_answer_when_asked_again() -> None:
    refused(Counting(), "same_answer_again")


@dataclass
class Learning(Bad):
    """Answers differently once it has seen much."""

    seen: set[bytes] = field(default_factory=set)

    def act(self, observation: Observation, /) -> Any:
        self.seen.add(bytes(observation))
        return observation.legal[-(len(self.seen) > 6)]


def test_another_answer_from_a_fresh_copy() -> None:
    refused(Learning(), "same_answer_from_a_fresh_bot")


class LearningAlone(Learning):
    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        raise TypeError("one of its kind")


def test_another_answer_in_another_order() -> None:
    refused(LearningAlone(), "same_answer_again")


class Spy(Bad):
    """Finds out a hidden card; here it is told."""

    truth: State

    def act(self, observation: Observation, /) -> Any:
        return observation.legal[-(self.truth.hand(0)[0].text < "9H")]


def test_an_answer_by_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    original = State.observation

    def leak(self: State, seat: int | None) -> Observation:
        spy.truth = self
        return original(self, seat)

    monkeypatch.setattr(State, "observation", leak)
    monkeypatch.setattr(Spy, "__deepcopy__", lambda self, memo: self, raising=False)
    refused(spy, "same_answer_in_another_world")


class Vandal(Bad):
    def act(self, observation: Observation, /) -> Any:
        answer = observation.legal[0]
        observation._record.scores[0] += 1
        return answer


def test_an_observation_that_is_changed() -> None:
    refused(Vandal(), "leaves_the_observation_as_it_is")


@dataclass
class Collector(Bad):
    kept: list[Observation] = field(default_factory=list)

    def act(self, observation: Observation, /) -> Any:
        self.kept.append(observation)
        return observation.legal[0]


def test_an_observation_that_is_kept() -> None:
    refused(Collector(), "keeps_no_observation")


def test_bots_get_observations_and_nothing_else() -> None:
    given: list[Any] = []

    class Watching(Bad):
        def act(self, *arguments: Any, **named: Any) -> Any:
            given.append((len(arguments), named, isinstance(arguments[0], Observation)))
            return arguments[0].legal[0]

    check_bot(Watching(), Rules.load("tiny").replace(round_limit=2), games=1)
    assert given
    assert all(it == (1, {}, True) for it in given)


def test_a_bot_plays_whole_games() -> None:
    asked: set[tuple[int | None, int]] = set()

    class Watching(Bad):
        def act(self, observation: Observation, /) -> Any:
            asked.add((observation.seat, observation.dealer))
            return observation.legal[-1]

    check_bot(Watching(), PEPPER.replace(round_limit=4, target=1000), games=1)
    assert {seat for seat, _ in asked} == {dealer for _, dealer in asked} == {0, 1, 2, 3}


def test_built_in_bots_stay_equal() -> None:
    bot = bots.load("random", seed=1)
    before = copy.deepcopy(bot)
    check_bot(bot, Rules.load("tiny"), games=1)
    assert bot == before
