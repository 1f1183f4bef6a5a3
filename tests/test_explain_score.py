"""Scores in words: the vectors of rules §7 as they are told to each seat, endings, and agreement with the referee."""

from __future__ import annotations

import re
from random import Random

import pytest

import bigpepper as bp
import referee
from bigpepper import explain
from bigpepper.errors import InvalidGame

NAMES = ("Anna", "Bell", "Paprika", "Habanero")


def told(rules: str, bid: str, tricks: list[int], seat: int | None, alone: bool = False) -> str:
    """What `seat` hears after seat 0 has bid, and each seat has won so many tricks."""
    book = bp.Rules.load(rules)
    state = explain.scored_round(book, maker=0, bid=bp.Bid(bid), tricks=tricks, alone=alone)
    return " ".join(str(line) for line in explain.score_lines(state.observation(seat), NAMES))


@pytest.mark.parametrize(
    ("rules", "bid", "tricks", "seat", "text"),
    [
        ("pepper-4", "4", [3, 1, 2, 0], 0, "You bid 4 and took 5: +5. They took 1: +1."),
        ("pepper-4", "4", [3, 1, 2, 0], 2, "Your partner Anna bid 4 and you took 5 together: +5. They took 1: +1."),
        ("pepper-4", "4", [3, 1, 2, 0], 3, "Anna bid 4 and they took 5: +5. You took 1: +1."),
        ("pepper-4", "4", [3, 1, 2, 0], None, "Anna bid 4 and took 5 with Paprika: +5. Bell and Habanero took 1: +1."),
        ("pepper-4", "4", [3, 0, 3, 0], 0, "You bid 4 and took all 6: +6. They took no trick."),
        ("pepper-4", "4", [2, 2, 1, 1], 0, "You bid 4 and took 3: −6. A failed 4 costs 6. They took 3: +3."),
        ("pepper-4", "1", [0, 4, 0, 2], 0, "You bid 1 and took no trick: −6. A failed 1 costs 6. They took 6: +6."),
        (
            "pepper-4",
            "big",
            [6, 0, 0, 0],
            1,
            "Anna bid Big Pepper and they took all 6: +12. A made Big Pepper is worth 12. You took no trick.",
        ),
        (
            "pepper-4",
            "big",
            [5, 0, 0, 1],
            0,
            "You bid Big Pepper and took 5: −12. A failed Big Pepper costs 12. They took 1: +1.",
        ),
        ("pepper-3", "5", [5, 2, 1], 0, "You bid 5 and took 5: +5. Bell took 2: +2. Paprika took 1: +1."),
        (
            "pepper-3",
            "5",
            [4, 4, 0],
            1,
            "Anna bid 5 and took 4: −8. A failed 5 costs 8. You took 4: +4. Paprika took no trick.",
        ),
        ("pepper-2", "5", [6, 2], 1, "Anna bid 5 and took 6: +6. You took 2: +2."),
        ("hasenpfeffer", "4", [5, 1, 0, 0], 0, "You bid 4 and took 5: +5. They took 1; defenders score nothing."),
        (
            "hasenpfeffer",
            "4",
            [3, 3, 0, 0],
            0,
            "You bid 4 and took 3: −3. A failed 4 costs one point for each trick taken. "
            "They took 3; defenders score nothing.",
        ),
        (
            "hasenpfeffer-peppers",
            "small",
            [0, 6, 0, 0],
            0,
            "You bid Small Pepper and took no trick: 0. A failed Small Pepper costs one point for each trick taken. "
            "They took 6; defenders score nothing.",
        ),
        (
            "hasenpfeffer-peppers",
            "big",
            [5, 1, 0, 0],
            0,
            "You bid Big Pepper and took 5: −10. A failed Big Pepper costs 2 points for each trick taken. "
            "They took 1; defenders score nothing.",
        ),
        (
            "hasenpfeffer-traditional",
            "4",
            [3, 3, 0, 0],
            1,
            "Anna bid 4 and they took 3: −4. A failed 4 costs what was bid: 4. You took 3: +3.",
        ),
        (
            "hasenpfeffer-traditional",
            "big",
            [5, 1, 0, 0],
            0,
            "You bid Big Pepper and took 5: −12. A failed Big Pepper costs twice what was bid: 12. They took 1: +1.",
        ),
    ],
)
def test_the_vectors_in_words(rules: str, bid: str, tricks: list[int], seat: int | None, text: str) -> None:
    assert told(rules, bid, tricks, seat) == text


@pytest.mark.parametrize(
    ("bid", "tricks", "seat", "text"),
    [
        (
            "4",
            [6, 0, 0, 0],
            0,
            "You bid 4, went alone and took all 6: +12. Alone with all tricks counts double. They took no trick.",
        ),
        ("4", [5, 1, 0, 0], 2, "Your partner Anna bid 4, went alone and took 5: +5. They took 1: +1."),
        (
            "4",
            [3, 3, 0, 0],
            1,
            "Anna bid 4, went alone and took 3: −4. A failed 4 costs what was bid: 4. You took 3: +3.",
        ),
        (
            "big",
            [6, 0, 0, 0],
            None,
            "Anna bid Big Pepper, went alone and took all 6: +24. A made Big Pepper is worth 12. "
            "Alone with all tricks counts double. Bell and Habanero took no trick.",
        ),
        (
            "4",
            [0, 6, 0, 0],
            2,
            "Your partner Anna bid 4, went alone and took no trick: −4. A failed 4 costs what was bid: 4. "
            "They took 6: +6.",
        ),
    ],
)
def test_going_alone_in_words(bid: str, tricks: list[int], seat: int | None, text: str) -> None:
    assert told("hasenpfeffer-traditional", bid, tricks, seat, alone=True) == text


@pytest.mark.parametrize("name", bp.rulebooks())
def test_what_is_said_is_what_the_referee_scores(name: str) -> None:
    """Every contract and a lot of outcomes: the signed numbers in the sentences are the points of makers and others."""
    rules, dice = bp.Rules.load(name), Random(5)
    options = rules.options()
    for bid in bids_of(rules):
        for _ in range(6):
            alone = rules.alone != "no" and dice.random() < 0.5
            takers = [0, 0, 1, 3] if alone else [0, *range(rules.players)]
            tricks = [0] * rules.players
            for _ in range(rules.cards):
                tricks[dice.choice(takers)] += 1
            points = referee.score(options, bid, 0, tricks, alone)
            lines = told(name, bid, tricks, 0, alone)
            numbers = [int(number.replace("−", "-")) for number in re.findall(r": ([+−]\d+|0)\.", lines)]
            assert numbers == [points[0], *(other for other in points[1:] if other)], lines


def bids_of(rules: bp.Rules) -> list[str]:
    names = [bid.name for bid in rules.bids]
    return names[names.index(rules.minimum_bid) :]


def test_nobody_scores_when_all_pass() -> None:
    rules = bp.Rules.load("pepper-4")
    thrown = explain.thrown_in_round(rules, dealer=0)
    assert thrown.points == (0, 0)
    heard = [str(*explain.score_lines(thrown.observation(seat), NAMES)) for seat in (0, 1)]
    assert heard == [
        "Everybody passed: no score, and Bell deals next.",
        "Everybody passed: no score, and you deal next.",
    ]
    again = explain.thrown_in_round(rules.replace(all_pass="same-dealer"), dealer=0)
    heard = [str(*explain.score_lines(again.observation(seat), NAMES)) for seat in (0, 1)]
    assert heard == [
        "Everybody passed: no score, and you deal again.",
        "Everybody passed: no score, and Anna deals again.",
    ]


def test_nothing_is_scored_before_the_end() -> None:
    state = bp.State.new(bp.Rules.load("pepper-4"), seed=1)
    assert explain.score_lines(state.observation(0), NAMES) == ()


@pytest.mark.parametrize(
    ("rules", "scores", "seat", "text"),
    [
        ("pepper-4", [12, -7], 0, "You 12, they −7. 30 wins."),
        ("pepper-4", [12, -7], 3, "You −7, they 12. 30 wins."),
        ("pepper-4", [12, -7], None, "Anna and Paprika 12, Bell and Habanero −7. 30 wins."),
        ("pepper-3", [1, 2, 3], 1, "You 2, Paprika 3, Anna 1. 30 wins."),
        ("pepper-3", [1, 2, 3], None, "Anna 1, Bell 2, Paprika 3. 30 wins."),
        ("pepper-2", [0, 4], 0, "You 0, Bell 4. 30 wins."),
    ],
)
def test_where_the_game_stands(rules: str, scores: list[int], seat: int | None, text: str) -> None:
    assert str(explain.standing_line(bp.Rules.load(rules), scores, NAMES, seat)) == text


@pytest.mark.parametrize(
    ("rules", "winners", "scores", "seat", "text"),
    [
        ("pepper-4", [0], [32, 31], 2, "You win with 32."),
        ("pepper-4", [0], [32, 31], 1, "They win with 32."),
        ("pepper-4", [0], [32, 31], None, "Anna and Paprika win with 32."),
        ("pepper-4", [0, 1], [30, 30], 0, "Both sides have 30 and win jointly."),
        ("pepper-3", [2], [3, 4, 30], 0, "Paprika wins with 30."),
        ("pepper-3", [0, 2], [30, 4, 30], 0, "You and Paprika have 30 and win jointly."),
        ("pepper-3", [0, 2], [30, 4, 30], 1, "Anna and Paprika have 30 and win jointly."),
        ("pepper-3", [0, 1, 2], [30, 30, 30], 1, "All three have 30 and win jointly."),
        ("pepper-2", [0, 1], [30, 30], 1, "You and Anna have 30 and win jointly."),
        ("pepper-2", [0, 1], [30, 30], None, "Anna and Bell have 30 and win jointly."),
    ],
)
def test_who_has_won(rules: str, winners: list[int], scores: list[int], seat: int | None, text: str) -> None:
    assert str(explain.winners_line(bp.Rules.load(rules), winners, scores, NAMES, seat)) == text


@pytest.mark.parametrize(
    ("given", "blamed"),
    [
        ({"maker": 4}, "seat 4"),
        ({"bid": bp.Bid("7")}, "“7”"),
        ({"strain": bp.Strain.NO_TRUMP}, "“NT”"),
        ({"tricks": [1, 1, 1, 1]}, "1, 1, 1, 1"),
        ({"tricks": [7, -1, 0, 0]}, "7, -1"),
        ({"tricks": [6]}, "tricks 6"),
    ],
)
def test_a_round_that_cannot_be_is_refused(given: dict[str, object], blamed: str) -> None:
    sound: dict[str, object] = {"maker": 0, "bid": bp.Bid("4"), "tricks": [6, 0, 0, 0], "strain": bp.Strain.HEARTS}
    rules = bp.Rules.load("hasenpfeffer")
    assert explain.scored_round(rules, **sound).is_over  # type: ignore[arg-type]
    with pytest.raises(InvalidGame, match=re.escape(blamed)):
        explain.scored_round(rules, **{**sound, **given})  # type: ignore[arg-type]


def test_alone_is_refused_where_nobody_goes_alone() -> None:
    with pytest.raises(InvalidGame, match="alone"):
        explain.scored_round(bp.Rules.load("pepper-4"), maker=0, bid=bp.Bid("4"), tricks=[6, 0, 0, 0], alone=True)
