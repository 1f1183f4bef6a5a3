"""A name where rules or a bot are wanted is refused with a sentence that says how to get one, wherever it is given."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import bigpepper as bp
from bigpepper import Deal, DealStream, Game, InvalidRules, Name, Rules, State, UnknownBot
from bigpepper.arena import duel, play_match
from bigpepper.conformance import check_bot, check_rules
from bigpepper.envs.encode import encoder
from bigpepper.envs.vector import Rounds
from bigpepper.position import Ending

RULES = Rules.load("tiny")
BOTS = [bp.bots.load("random")] * RULES.players

WITH_RULES: dict[str, Callable[[Any], object]] = {
    "State.new": lambda given: State.new(given, seed=1),
    "Game.new": lambda given: Game.new(given, seed=1),
    "Game.new from deals": lambda given: Game.new(given, deals=DealStream(RULES, 1)),
    "play": lambda given: bp.play(given, BOTS, seed=1),
    "Deal": lambda given: Deal(given, ["9H 9C", "TH TC"]),
    "Deal.random": lambda given: Deal.random(given, 1),
    "Deal.parse": lambda given: Deal.parse(given, "9H 9C / TH TC"),
    "DealStream": lambda given: DealStream(given, 1),
    "Ending": lambda given: Ending(given, Name(bp.Strain.HEARTS), maker=0, bid=RULES.bids[0], leader=0, hands=[]),
    "check_rules": check_rules,
    "check_bot": partial(check_bot, BOTS[0]),
    "duel": lambda given: duel(given, ("random", "first"), deals=2, processes=1),
    "play_match": lambda given: play_match(given, ["random", "first"], deals=2, processes=1),
    "Rounds": lambda given: Rounds(given, 4),
    "encoder": encoder,
}
WITH_BOTS: dict[str, Callable[[Any], object]] = {
    "play": lambda given: bp.play(RULES, [BOTS[0], given], seed=1),
    "check_bot": lambda given: check_bot(given, RULES, games=1),
}


@pytest.mark.parametrize("call", WITH_RULES.values(), ids=WITH_RULES)
def test_rules_are_wanted(call: Callable[[Any], object]) -> None:
    for given, said in (("pepper-4", "not 'pepper-4'"), (None, "not NoneType"), ({"name": "x"}, "not dict")):
        with pytest.raises(InvalidRules, match=rf"Rules are wanted, {said}; Rules\.load takes .* pepper-4, pepper-3"):
            call(given)


@pytest.mark.parametrize("call", WITH_BOTS.values(), ids=WITH_BOTS)
def test_bots_are_wanted(call: Callable[[Any], object]) -> None:
    for given, said in (("novice", "not 'novice'"), (None, "not NoneType"), (bp.bots.load, "not function")):
        with pytest.raises(UnknownBot, match=rf"A bot is wanted, .* {said}; bots\.load makes one"):
            call(given)


def test_the_arena_wants_names_or_factories() -> None:
    for given, said in ((BOTS[0], "not Random"), (None, "not NoneType"), (["random"], "not list")):
        with pytest.raises(UnknownBot, match=f"the name of a bot or a factory .* {said}"):
            play_match(RULES, ["random", given], deals=2, processes=1)  # type: ignore[list-item]
