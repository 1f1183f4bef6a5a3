"""A bot that fails ends its match with one sentence: who, where, why; from this process and from others."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import bigpepper as bp
from bigpepper import Action, BotFailed, IllegalAction, InvalidAction, InvalidGame, Observation, UnknownBot
from bigpepper.arena import Entrant, Goal, Match, duel
from bigpepper.arena.entrants import Seated, entrant
from bigpepper.arena.oracle import oracle
from bigpepper.arena.selfplay import SelfPlay

TINY = bp.Rules.load("tiny")


class TwoWords(Exception):
    """It cannot be read back: pickle calls it with one argument."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} {two}")


class Unsendable(Exception):
    """It cannot be sent."""

    def __init__(self) -> None:
        super().__init__("here it stays")
        self.secret = lambda: None


class Wordless(Exception):
    """It cannot be told."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


ERRORS: dict[str, Callable[[], BaseException]] = {
    "ValueError: no such card": lambda: ValueError("no such card"),
    "KeyError: 'JO'": lambda: KeyError("JO"),
    "AssertionError": AssertionError,
    "StopIteration": StopIteration,
    "GeneratorExit": GeneratorExit,
    "SystemExit: 3": lambda: SystemExit(3),
    "ValueError: two lines of text": lambda: ValueError("two lines\nof text"),
    "TwoWords: one two": lambda: TwoWords("one", "two"),
    "Unsendable: here it stays": Unsendable,
    "Wordless": Wordless,
}
DOES: dict[str, tuple[object, type[BaseException]]] = {
    "“AS” is not legal for seat": (bp.Rules.load("pepper-2").action("AS"), IllegalAction),
    "None is no action: give an action or its text": (None, IllegalAction),
    "5 is no action: give an action or its text": (5, IllegalAction),
    "“nonsense” is no action of tiny": ("nonsense", InvalidAction),
    "TypeError: unhashable type: 'list'": ([], TypeError),
}


class Thrower:
    """It raises its error when it acts, or when it is made."""

    def __init__(self, seed: int, *, reason: str, made: bool = False) -> None:
        self.reason = reason
        if made:
            raise ERRORS[reason]()

    def act(self, observation: Observation) -> Action:
        raise ERRORS[self.reason]()


class Does:
    """It does what it may not."""

    def __init__(self, seed: int, *, reason: str) -> None:
        self.given: Any = DOES[reason][0]

    def act(self, observation: Observation) -> Action:
        action: Action = self.given
        return action


class Late:
    """It plays well enough, but with some seeds it fails."""

    def __init__(self, seed: int) -> None:
        self.fails = seed % 13 == 0

    def act(self, observation: Observation) -> Action:
        if self.fails:
            raise ValueError("too late")
        return observation.legal[0]


class Factory:
    """A factory that can be sent to other processes."""

    def __init__(self, kind: type[Any], **options: Any) -> None:
        self.__name__ = "mine"
        self.make = kind
        self.options = options

    def __call__(self, seed: int) -> Any:
        return self.make(seed, **self.options)


def nobody(seed: int) -> Any:
    """A factory that forgets to return its bot."""


def failed(bot: Any, processes: int = 1) -> BotFailed:
    with pytest.raises(BotFailed) as caught:
        for _ in Match(TINY, ["random", bot], Goal(9, 3), seed="s").play(processes):
            pass
    return caught.value


PLACE = r"The bot mine failed \(tiny, seed s, deal 0, seat \d\): "


@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("reason", ERRORS)
def test_whatever_a_bot_raises_is_one_sentence(reason: str, made: bool) -> None:
    error = failed(Factory(Thrower, reason=reason, made=made))
    assert re.fullmatch(PLACE + re.escape(reason), str(error))
    assert type(error.__cause__) is type(error.error) is type(ERRORS[reason]())
    assert error.__cause__ is error.error
    assert "raise ERRORS[" in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("reason", DOES)
def test_whatever_a_bot_does_that_it_may_not_is_one_sentence(reason: str) -> None:
    error = failed(Factory(Does, reason=reason))
    assert re.match(PLACE + re.escape(reason), str(error))
    assert type(error.__cause__) is DOES[reason][1]


@pytest.mark.parametrize("bot", [nobody, Factory(str), Entrant("nobody", nobody)])
def test_what_cannot_act_is_no_bot(bot: Any) -> None:
    error = failed(bot)
    assert re.match(
        r"The bot \w+ failed \(tiny, seed s, deal 0, seat \d\): A bot is wanted, an object with “act”", str(error)
    )
    assert type(error.__cause__) is UnknownBot


@pytest.mark.parametrize(
    "reason", ["ValueError: no such card", "SystemExit: 3", "TwoWords: one two", "Unsendable: here it stays"]
)
def test_a_failure_in_another_process_is_told_alike(reason: str) -> None:
    bot = Factory(Thrower, reason=reason)
    here, there = failed(bot), failed(bot, 2)
    assert str(here) == str(there)
    assert there.__cause__ is there.error
    if type(there.error) is RuntimeError:
        assert reason[0] in "TU"
        assert str(there.error) == reason
    else:
        assert (type(there.error), there.error.args) == (type(here.error), here.error.args)
    assert "raise ERRORS[" in "".join(traceback.format_exception(there))


@pytest.mark.parametrize(("goal", "place"), [(Goal(400, 0), "deal"), (Goal(0, 60), "game"), (Goal(100, 60), "")])
def test_the_same_match_fails_at_the_same_place_and_keeps_what_was_before(
    goal: Goal, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "match.json"

    def told(processes: int) -> str:
        with pytest.raises(
            BotFailed, match=rf"The bot Late failed \(tiny, seed s, {place}.*\): ValueError: too late"
        ) as caught:
            duel(TINY, (Late, "random"), deals=goal.deals, games=goal.games, seed="s", processes=processes, path=path)
        return str(caught.value)

    first = told(1)
    kept = json.loads(path.read_text("utf-8"))
    number = int(re.findall(r"(?:deal|game) (\d+)", first)[0])
    if place:
        assert number - 4 < len(kept[f"{place}s"]) <= number
    assert told(1) == first
    path.unlink()
    assert told(2) == first
    assert json.loads(path.read_text("utf-8")) == kept


def test_a_bot_that_cannot_be_sent_is_refused_where_it_would_be(tmp_path: Path) -> None:
    class Inside:
        act = Late.act

        def __init__(self, seed: int) -> None:
            self.fails = False

    here = Late(1)
    makers: tuple[Any, ...] = (
        Inside,
        lambda seed: here,
        partial(lambda seed, who: who, who=here),
        Entrant("x", lambda _: Seated(here)),
    )
    for make in makers:
        with pytest.raises(InvalidGame, match=r"cannot be sent to other processes: .*; any will do where there is one"):
            duel(TINY, (make, "random"), deals=20, processes=2, path=tmp_path / "match.json")
    assert list(tmp_path.iterdir()) == []
    for deals, processes in ((20, 1), (4, 2)):
        assert duel(TINY, (Inside, "random"), deals=deals, games=0, processes=processes).finished


def test_a_key_that_interrupts_is_no_fault_of_a_bot() -> None:
    def pressed(*_: object) -> Any:
        raise KeyboardInterrupt

    class Pressed:
        act = pressed

    for make in (pressed, lambda seed: Pressed()):
        with pytest.raises(KeyboardInterrupt):
            duel(TINY, ("random", make), deals=4, processes=1)


def test_a_named_bot_that_cannot_be_made_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        """An entry point of another package."""

        name, value, dist = "theirs", "their_package:Bot", None
        load: Callable[[], Any]

    monkeypatch.setattr(bp.bots, "_entry_point", lambda kind: Point)
    for reason in ERRORS:
        for made in (True, False):

            def load(reason: str = reason, made: bool = made) -> Any:
                if not made:
                    raise ERRORS[reason]()
                return partial(Thrower, reason=reason, made=True)

            monkeypatch.setattr(Point, "load", staticmethod(load), raising=False)
            what = "cannot be made from a seed and its options" if made else "cannot be loaded"
            with pytest.raises(UnknownBot) as caught:
                entrant("theirs")
            assert str(caught.value) == f"The bot “theirs” of the package their_package:Bot {what}: {reason}"
            assert f"{type(caught.value.__cause__).__name__}" in reason
    monkeypatch.setattr(Point, "load", staticmethod(lambda: nobody), raising=False)
    with pytest.raises(UnknownBot, match="has no method “act”"):
        entrant("theirs")
    with pytest.raises(UnknownBot, match="has no option"):
        entrant("theirs:key=1")


def test_the_oracle_and_self_play_blame_their_bot() -> None:
    bot = Factory(Thrower, reason="AssertionError")
    assert str(failed(oracle(bot))).startswith("The bot oracle(mine) failed (tiny, seed s, deal 0, seat ")
    with pytest.raises(BotFailed, match=r"The bot mine failed \(tiny, seed s, game 2, seat \d\): AssertionError"):
        SelfPlay(TINY, entrant(bot), "s")(range(2, 3))
