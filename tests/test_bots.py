"""Bots by name, from this package and from others; every one of them keeps the laws of bots."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bigpepper import IllegalAction, Rules, State, UnknownBot, bots, play, rulebooks
from bigpepper.bots import BUILT_IN
from bigpepper.bots.first import First
from bigpepper.conformance import check_bot, random_round

SMALL = {
    "club": "club:drawn=8,calls=3,plays=3",
    "expert": "expert:drawn=12,calls=4,plays=4,weighed=6,back=3",
}
"""The strong bots with little to look at: what they do is the same, and quick."""
NAMES = [SMALL.get(name, name) for name in BUILT_IN]


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", rulebooks())
@pytest.mark.parametrize("name", SMALL)
def test_strong_bots_keep_the_laws(name: str, rulebook: str) -> None:
    check_bot(bots.load(name, seed=7), Rules.load(rulebook), games=2)


@pytest.mark.soak
@pytest.mark.parametrize("rulebook", rulebooks())
@pytest.mark.parametrize(
    ("name", "games", "rounds"),
    [
        ("random", 560, None),
        ("novice", 560, None),
        ("club", 112, None),
        ("expert", 12, None),
        ("club:drawn=1,calls=1,plays=1", 1112, 12),
        ("expert:drawn=1,calls=1,plays=1,weighed=1,back=1", 1112, 12),
    ],
)
def test_whole_games_without_an_exception(name: str, games: int, rounds: int | None, rulebook: str) -> None:
    """In all: 10,000 games of random and novice, 1,000 of club, 100 of expert, 10,000 of each with the least worlds.

    Who sees one world only bids beyond all measure, and a game would take 100 rounds: it ends after 12.
    """
    rules = Rules.load(rulebook)
    rules = rules.replace(round_limit=rounds) if rounds else rules
    for number in range(games):
        seats = [bots.load(name, seed=1000 * number + seat) for seat in range(rules.players)]
        game = play(rules, seats, seed=f"whole {number}")
        assert game.is_over
        assert all(state.is_over for state in game.rounds)


@pytest.mark.parametrize("rulebook", rulebooks())
@pytest.mark.parametrize("name", NAMES)
def test_every_bot_keeps_the_laws(name: str, rulebook: str) -> None:
    rules = Rules.load(rulebook)
    check_bot(bots.load(name, seed=7), rules.replace(target=min(rules.target, 6), round_limit=4), games=1)


@pytest.mark.parametrize("name", BUILT_IN)
def test_bots_are_values(name: str) -> None:
    one = bots.load(name, seed=3)
    assert one == bots.load(name, seed=3) == pickle.loads(pickle.dumps(one))
    assert bots.load(name) == bots.load(name, seed=0)
    with pytest.raises(AttributeError):
        one.seed = 4  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_that_is_asked_out_of_turn_says_so(name: str) -> None:
    bot = bots.load(name)
    for position in random_round(Rules.load("pepper-3"), "turns"):
        for seat in (0, 1, 2, None):
            if seat is None or seat != position.state.turn:
                said = "A spectator" if seat is None else f"Seat {seat} is not to act now"
                with pytest.raises(IllegalAction, match=said):
                    bot.act(position.state.observation(seat))


def test_first_takes_the_first_legal_action() -> None:
    for position in random_round(Rules.load("hasenpfeffer"), "first"):
        if not position.state.is_over:
            assert bots.load("first").act(position.state.observation(position.state.turn)) == position.state.legal[0]


def test_random_takes_every_legal_action_equally_often() -> None:
    state = State.new(Rules.load("pepper-4"), seed=1)
    seen = state.observation(state.turn)
    counts = Counter(bots.load("random", seed=seed).act(seen) for seed in range(4000))
    assert set(counts) == set(state.legal)
    assert all(abs(n - 500) < 100 for n in counts.values())


def test_random_plays_differently_with_another_seed_or_in_another_place() -> None:
    bot, state = bots.load("random", seed=1), State.new(Rules.load("pepper-4"), seed=1)
    assert len({bots.load("random", seed=seed).act(state.observation(1)) for seed in range(50)}) > 4
    deals = [State.new(Rules.load("pepper-4"), seed=seed).observation(1) for seed in range(50)]
    assert len({bot.act(seen) for seen in deals}) > 4


def test_an_unknown_bot_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownBot) as caught:
        bots.load("no-such-bot")
    assert str(caught.value).startswith("There is no bot “no-such-bot”; there are random, first")


MODULE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Last:
    seed: int
    worlds: int = 20
    share: float = 0.5
    fast: bool = False
    mood: str = "calm"

    def act(self, observation):
        return observation.legal[-1]
"""


@pytest.fixture
def other_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that brings a bot, and one that wants to take the place of `first`."""
    (tmp_path / "pepper_bots_of_others.py").write_text(MODULE, "utf-8")
    info = tmp_path / "pepper_bots_of_others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pepper-bots-of-others\nVersion: 1.0\n", "utf-8")
    points = "[bigpepper.bots]\nlast = pepper_bots_of_others:Last\nfirst = pepper_bots_of_others:Last\n"
    (info / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield
    sys.modules.pop("pepper_bots_of_others", None)


def test_other_packages_bring_bots(other_package: None) -> None:
    bot: Any = bots.load("last", seed=5)
    state = State.new(Rules.load("tiny"), seed=1)
    assert (bot.seed, str(bot.act(state.observation(state.turn)))) == (5, "2")
    check_bot(bot, Rules.load("tiny"), games=1)


def test_options_follow_the_name(other_package: None) -> None:
    bot: Any = bots.load("last:worlds=3, share=0.25,fast=true,mood=wild", seed=5)
    assert (bot.seed, bot.worlds, bot.share, bot.fast, bot.mood) == (5, 3, 0.25, True, "wild")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("first:worlds=3", "The bot “first” has no option “worlds”; it takes none."),
        ("last:cards=3", "The bot “last” has no option “cards”; it takes worlds, share, fast, mood."),
        ("last:seed=3", "The bot “last” has no option “seed”; it takes worlds, share, fast, mood."),
        ("last:fast", "“fast” is no option of the bot “last”: options are written as last:key=value,key=value."),
        ("last:=3", "“=3” is no option of the bot “last”: options are written as last:key=value,key=value."),
        ("last:", "An option of the bot “last” is missing: options are written as last:key=value,key=value."),
        ("last: ", "An option of the bot “last” is missing: "),
        ("first:", "An option of the bot “first” is missing: "),
        ("last:fast=true,", "An option of the bot “last” is missing: "),
        ("last:worlds=3,share=1,worlds=3", "The bot “last” is given its option “worlds” twice; leave one out."),
        ("last:cards=3,cards=4", "The bot “last” is given its option “cards” twice; leave one out."),
        ("nobody:worlds=3", "There is no bot “nobody”; there are random, "),
    ],
)
def test_options_that_a_bot_does_not_take_are_named(other_package: None, name: str, sentence: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        bots.load(name)
    assert str(caught.value).startswith(sentence)


def test_names_are_split_at_commas_and_options_stay_with_theirs() -> None:
    assert bots.split("random, last:worlds=3,share=1,first") == ["random", "last:worlds=3,share=1", "first"]
    assert bots.split("last : worlds = 3 , share= 1 ,first") == ["last:worlds=3,share=1", "first"]
    assert bots.split("random,a=b") == ["random", "a=b"]
    assert bots.split("last:worlds=1,,") == ["last:worlds=1", "", ""]


BROKEN = """
class Seedless:
    def act(self, observation):
        return observation.legal[0]

class Failing:
    def __init__(self, seed):
        raise RuntimeError("no\\nnetwork")

class Choosy:
    def __init__(self, seed, worlds=1):
        self.worlds = int(worlds) + 0 * len(worlds)

def nothing(seed):
    return None

class Idle:
    def __init__(self, seed):
        pass

number = 5
"""
FAULTS = {
    "gone": ("no_such_module_anywhere:Bot", "cannot be loaded: ModuleNotFoundError: No module named"),
    "classless": ("pepper_broken_bots:Missing", "cannot be loaded: AttributeError: module 'pepper_broken_bots'"),
    "unfinished": ("pepper_unfinished_bots:Bot", "cannot be loaded: SyntaxError: "),
    "exploding": ("pepper_exploding_bots:Bot", "cannot be loaded: ZeroDivisionError: "),
    "seedless": ("pepper_broken_bots:Seedless", "cannot be made from a seed and its options: TypeError: "),
    "failing": ("pepper_broken_bots:Failing", "cannot be made from a seed and its options: RuntimeError: no network"),
    "choosy:worlds=3": ("pepper_broken_bots:Choosy", "cannot be made from a seed and its options: TypeError: "),
    "number": ("pepper_broken_bots:number", "cannot be made from a seed and its options: TypeError: 'int' object"),
    "module": ("pepper_broken_bots", "cannot be made from a seed and its options: TypeError: 'module' object"),
    "dict:a=1": ("builtins:dict", "cannot be made from a seed and its options: "),
}
"""Name, with options → its entry point, and what is said of it."""
NO_BOTS = {"nothing": ("pepper_broken_bots:nothing", "NoneType"), "idle": ("pepper_broken_bots:Idle", "Idle")}


@pytest.fixture
def broken_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed package whose bots all fail."""
    for module, text in (("broken", BROKEN), ("unfinished", "class Bot(:"), ("exploding", "1 / 0")):
        (tmp_path / f"pepper_{module}_bots.py").write_text(text, "utf-8")
    info = tmp_path / "pepper_broken_bots-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pepper-broken-bots\nVersion: 1.0\n", "utf-8")
    points = [f"{name.partition(':')[0]} = {value}\n" for name, (value, _) in (FAULTS | NO_BOTS).items()]
    (info / "entry_points.txt").write_text("[bigpepper.bots]\n" + "".join(points), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("pepper_")]:
        del sys.modules[name]


@pytest.mark.parametrize("name", FAULTS)
def test_a_bot_of_another_package_that_fails_is_named_with_its_package(name: str, broken_package: Path) -> None:
    with pytest.raises(UnknownBot) as caught:
        bots.load(name)
    kind = name.partition(":")[0]
    assert str(caught.value).startswith(f"The bot “{kind}” of the package pepper-broken-bots {FAULTS[name][1]}")
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value.__cause__, Exception)


@pytest.mark.parametrize("name", NO_BOTS)
def test_what_another_package_gives_has_to_be_a_bot(name: str, broken_package: Path) -> None:
    with pytest.raises(
        UnknownBot, match=f"The bot “{name}” of the package pepper-broken-bots is no bot: {NO_BOTS[name][1]} "
    ):
        bots.load(name)


@pytest.mark.parametrize("call", ["arena first {}", "simulate --bots {}", "play --rules tiny --bots {}"])
@pytest.mark.parametrize("name", ["gone", "seedless", "idle"])
def test_the_command_line_says_so_in_a_sentence(name: str, call: str, broken_package: Path) -> None:
    paths = os.pathsep.join([str(broken_package), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "bigpepper", *call.format(name).split()],
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONUTF8": "1", "BIGPEPPER_DATA": str(broken_package)},
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"Error: The bot “{name}” of the package pepper-broken-bots ")


def test_nobody_takes_the_place_of_a_built_in_bot(other_package: None) -> None:
    assert bots.load("first") == First(0)
