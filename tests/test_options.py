"""Every option of rules §6: each of its values changes what happens, and every wrong one is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings

from bigpepper import Deal, Game, InvalidRules, Rules, State
from bigpepper.options import LONGEST_LADDER, OPTIONS, Award, read_award, shown
from strategies import CHOICES, Broken, broken_options
from test_vectors import CLUBS_FOR_3, CLUBS_FOR_4, close_auction, play_out, say, start

PEPPER, HASENPFEFFER = Rules.load("pepper-4"), Rules.load("hasenpfeffer-traditional")
OF_TWO, OF_THREE, TINY = Rules.load("pepper-2"), Rules.load("pepper-3"), Rules.load("tiny")


def legal(state: State) -> str:
    return " ".join(map(str, state.legal))


def scored(rules: Rules, won: int, *texts: str) -> tuple[int, ...] | None:
    """Points of a round that seat 0 makes with clubs after these texts, by the habit of `play_out`."""
    state = close_auction(say(start(rules, CLUBS_FOR_4[won]), texts[0]))
    return play_out(say(state, *texts[1:]), CLUBS_FOR_4[won]).points


def in_play(rules: Rules, *texts: str, dealer: int = 3, seed: int = 7) -> State:
    """The first lead, after a bid of seat 2 (dealer 3), whatever it names, and its first legal discard."""
    state = close_auction(say(State.new(rules, seed=seed, dealer=dealer), "pass", "pass", "3")).apply(texts[0])
    return say(state, *[str(state.legal[0])] * (state.phase == "discard"), *texts[1:])


# --- what each value changes --------------------------------------------------------------------------------------


def players(n: int) -> object:
    """Who is asked after seat 1 has passed, and how many sides score."""
    changes: dict[int, dict[str, Any]] = {2: {"dead_hand": True}, 3: {}, 4: {"cards": 6, "ladder": PEPPER.ladder}}
    state = State.new(OF_THREE.replace(players=n, **changes[n]), seed=1, dealer=0).apply("pass")
    return state.turn, len(state.scores)


def cards(n: int) -> object:
    """How many tricks there are, with as many ranks as that takes."""
    rules = TINY.replace(cards=n, ranks=["9", "T", "J", "Q", "K", "A"][-n:])
    state = say(State.new(rules, seed=3, dealer=1), "1", "pass", "S")
    return len(state.hand(0)), state.tricks_left


def suits(some: list[str]) -> object:
    """The deck; and the jack of hearts is the left bower of diamonds only where there are diamonds."""
    rules = TINY.replace(suits=some, ranks=["J", "A"], strains=some)
    one, other = some
    deal = Deal(rules, [f"J{one} A{other}", f"A{one} J{other}"])
    state = say(State.new(rules, deal=deal, dealer=1), "1", "pass", one, "J" + one)
    return " ".join(map(str, rules.deck)), legal(state)


def ranks(some: list[str]) -> object:
    """Without jacks there are no bowers: an ace of spades is not beaten by what would be one."""
    rules = TINY.replace(suits=["C", "S"], ranks=some, strains=["C"])
    deal = Deal(rules, [f"{some[1]}C {some[0]}S", f"{some[0]}C {some[1]}S"])
    state = say(State.new(rules, deal=deal, dealer=1), "1", "pass", "C", f"{some[1]}C")
    return legal(state)


def dead_hand(there: bool) -> object:
    """Cards of the deck that nobody holds."""
    rules = OF_TWO.replace(dead_hand=there, ranks=["9", "T", "J", "Q", "K", "A"] if there else ["J", "Q", "K", "A"])
    return len(Deal.random(rules, 1).dead), len(rules.deck)


def auction(mode: str) -> object:
    """After pass, pass, pass, 2 the dealer is the maker, or others are asked; after 1, pass, 2 too."""
    rules, three = PEPPER.replace(auction=mode), OF_THREE.replace(auction=mode)
    four = say(State.new(rules, seed=7, dealer=3), "pass", "pass", "pass", "2")
    return (four.phase, four.turn), say(State.new(three, seed=7, dealer=2), "1", "pass", "2").turn


def all_pass(rule: str) -> object:
    """Everybody passes, as far as he may: who is asked for what, or who deals next."""
    rules = HASENPFEFFER.replace(all_pass=rule)
    deal = Deal(rules, CLUBS_FOR_4[6].replace("JC", "JO").split("/"), widow="JC")
    state = say(State.new(rules, deal=deal, dealer=3), "pass", "pass", "pass")
    state = state.apply("pass") if "pass" in legal(state) else state
    return (state.turn, legal(state)) if not state.is_over else f"dealer {state.next_dealer()}"


def minimum_bid(name: str) -> object:
    return legal(State.new(PEPPER.replace(minimum_bid=name), seed=7))


def ladder(change: dict[str, Any]) -> object:
    """Its names; points of a made and of a failed one, both with 5 tricks; what is above it."""
    rung = {"name": "4", "tricks": 4, "made": "tricks-won", "failed": 6} | change
    rules = PEPPER.replace(minimum_bid=rung["name"], ladder=[rung, {**rung, "name": "top", "tricks": 6}])
    name = str(rules.bids[0])
    return name, scored(rules, 5, name, "C"), scored(rules, 5, "top", "C")


def defenders(rule: str) -> object:
    return scored(PEPPER.replace(defenders=rule), 4, "4", "C")


def lead(who: str) -> object:
    """Dealer 3, maker 2."""
    return in_play(PEPPER.replace(lead=who), "H").turn


def strains(some: list[str]) -> object:
    state = say(State.new(PEPPER.replace(strains=some), seed=7), "big")
    return legal(state)


def joker(there: bool) -> object:
    rules = PEPPER.replace(joker=there, widow="dead" if there else "none")
    return len(rules.deck), Deal.random(rules, 7).widow is not None, str(rules.deck[-1])


def widow(rule: str) -> object:
    """The deck, what follows the naming, and the cards of the maker."""
    rules = PEPPER.replace(joker=rule != "none", widow=rule)
    state = say(State.new(rules, seed=7, dealer=3), "big", "H")
    return len(rules.deck), state.phase, len(state.hand(0))


def alone(rule: str) -> object:
    """Names that the maker has, and what follows when he goes alone."""
    rules = PEPPER.replace(alone=rule, strains=["H"])
    state = say(State.new(rules, seed=7, dealer=3), "big")
    return legal(state), state.apply(state.legal[-1]).phase


def alone_stakes(factor: int) -> object:
    """Points of a lone maker with all tricks, and with five."""
    rules = HASENPFEFFER.replace(alone_stakes=factor)
    texts = ("4", "C-alone", "discard-JO", "pass", "pass")
    return scored(rules, 6, *texts), scored(rules, 5, *texts)


def last_round(rules: Rules, scores: list[int]) -> Game:
    """Bid 4, won 4: +4/+2."""
    deal = Deal(rules, CLUBS_FOR_4[4].split("/"))
    game = Game.new(rules, deals=lambda _: deal, dealer=3, scores=scores)
    played = play_out(say(game.state, "4", "pass", "pass", "pass", "C"), CLUBS_FOR_4[4])
    for turn in played.history:
        game = game.apply(str(turn.action))
    return game


def target(points: int) -> object:
    return last_round(PEPPER.replace(target=points), [26, 20]).winners


def finish(rule: str) -> object:
    """30 to 31; the makers have the 30."""
    return last_round(PEPPER.replace(finish=rule), [26, 29]).winners


def round_limit(rounds: int | None) -> object:
    """Who has won after a round that was thrown in: all with 0 points, jointly, or nobody yet."""
    rules = OF_THREE.replace(round_limit=rounds)
    deal = Deal(rules, CLUBS_FOR_3[5, 2, 1].split("/"))
    game = Game.new(rules, deals=lambda _: deal, dealer=2)
    for _ in range(3):
        game = game.apply("pass")
    return game.winners


class Effect(NamedTuple):
    """What a value of an option leads to."""

    of: Callable[[Any], object]
    outcomes: list[tuple[Any, object]]
    """(value, outcome); no two outcomes are the same."""


UP = "1 2 3 4 5 small big"
EFFECTS = {
    "players": Effect(players, [(2, (0, 2)), (3, (2, 3)), (4, (2, 2))]),
    "cards": Effect(cards, [(2, (2, 2)), (3, (3, 3)), (6, (6, 6))]),
    "suits": Effect(
        suits,
        [
            (["D", "H"], ("JD AD JH AH", "AD JH")),
            (["H", "S"], ("JH AH JS AS", "AH")),
            (["C", "H"], ("JC AC JH AH", "AC")),
        ],
    ),
    "ranks": Effect(ranks, [(["J", "A"], "JC"), (["9", "J"], "9C JS"), (["Q", "A"], "QC")]),
    "dead_hand": Effect(dead_hand, [(True, (8, 24)), (False, (0, 16))]),
    "auction": Effect(
        auction,
        [("re-entry", (("auction", 0), 0)), ("final-pass", (("naming", 3), 0)), ("one-round", (("naming", 3), 2))],
    ),
    "all_pass": Effect(
        all_pass,
        [
            ("throw-in", "dealer 0"),
            ("same-dealer", "dealer 3"),
            ("stick-dealer", (3, UP)),
            ("joker-bids-3", (0, "3")),
        ],
    ),
    "minimum_bid": Effect(
        minimum_bid,
        [("1", f"pass {UP}"), ("3", "pass 3 4 5 small big"), ("small", "pass small big"), ("big", "pass big")],
    ),
    "ladder": Effect(
        ladder,
        [
            ({}, ("4", (5, 1), (-6, 1))),
            ({"name": "four"}, ("four", (5, 1), (-6, 1))),
            ({"tricks": 6}, ("4", (-6, 1), (-6, 1))),
            ({"made": 0}, ("4", (0, 1), (-6, 1))),
            ({"made": 7}, ("4", (7, 1), (-6, 1))),
            ({"made": "tricks-won*3"}, ("4", (15, 1), (-6, 1))),
            ({"made": "bid"}, ("4", (4, 1), (-6, 1))),
            ({"made": "bid*2"}, ("4", (8, 1), (-6, 1))),
            ({"failed": 0}, ("4", (5, 1), (0, 1))),
            ({"failed": "3*3"}, ("4", (5, 1), (-9, 1))),
            ({"failed": "tricks-won"}, ("4", (5, 1), (-5, 1))),
            ({"failed": "tricks-won*2"}, ("4", (5, 1), (-10, 1))),
            ({"failed": "bid*2"}, ("4", (5, 1), (-12, 1))),
        ],
    ),
    "defenders": Effect(defenders, [("per-trick", (4, 2)), ("none", (4, 0))]),
    "lead": Effect(lead, [("maker", 2), ("left-of-dealer", 0)]),
    "strains": Effect(strains, [(["H"], "H"), (["C", "S"], "C S"), (["H", "NT"], "H NT")]),
    "joker": Effect(joker, [(True, (25, True, "JO")), (False, (24, False, "AS"))]),
    "widow": Effect(widow, [("none", (24, "play", 6)), ("dead", (25, "play", 6)), ("pick-up", (25, "discard", 7))]),
    "alone": Effect(
        alone,
        [("no", ("H", "play")), ("makers", ("H H-alone", "play")), ("makers-and-defender", ("H H-alone", "defence"))],
    ),
    "alone_stakes": Effect(alone_stakes, [(1, ((6, 0), (5, 1))), (2, ((12, 0), (5, 1))), (3, ((18, 0), (5, 1)))]),
    "target": Effect(target, [(30, (0,)), (31, ())]),
    "finish": Effect(finish, [("highest", (1,)), ("makers-first", (0,))]),
    "round_limit": Effect(round_limit, [(None, ()), (1, (0, 1, 2))]),
}


@pytest.mark.parametrize(
    ("option", "value", "outcome"),
    [(option, value, outcome) for option, effect in EFFECTS.items() for value, outcome in effect.outcomes],
)
def test_a_value_changes_what_happens(option: str, value: Any, outcome: object) -> None:
    assert EFFECTS[option].of(value) == outcome


def test_every_option_has_its_effect() -> None:
    assert list(EFFECTS) == list(OPTIONS)
    for option, effect in EFFECTS.items():
        outcomes = [outcome for _, outcome in effect.outcomes]
        assert len(outcomes) > 1, option
        assert all(a != b for i, a in enumerate(outcomes) for b in outcomes[:i]), option


def test_every_value_has_its_effect() -> None:
    """Of options that take a few words, or true and false."""
    for option, effect in EFFECTS.items():
        values = [value for value, _ in effect.outcomes]
        if option in CHOICES:
            assert sorted(values) == sorted(CHOICES[option]), option
        elif isinstance(OPTIONS[option].default, bool):
            assert sorted(values) == [False, True], option


# --- what is refused ----------------------------------------------------------------------------------------------

BASE = PEPPER.options()
RUNG = {"name": "x", "tricks": 1, "made": 1, "failed": 1}


@pytest.mark.parametrize(
    ("changes", "key", "sentence"),
    [
        ({"players": 5}, "players", "players = 5 cannot be: it takes a whole number from 2 to 4"),
        ({"players": True}, "players", "players = true cannot be: it takes a whole number from 2 to 4"),
        ({"cards": 0}, "cards", "cards = 0 cannot be: it takes a whole number from 1 to 8"),
        (
            {"cards": 5},
            "cards",
            "cards = 5 cannot be: 4 hands of 5 are 20 cards, and the deck without the Joker has 24; "
            "every card is dealt",
        ),
        ({"suits": []}, "suits", "suits = [] cannot be: it takes a list of some of C, D, H, S, each at most once"),
        (
            {"ranks": ["A", "A"]},
            "ranks",
            'ranks = ["A", "A"] cannot be: it takes a list of some of 9, T, J, Q, K, A, each at most once',
        ),
        ({"dead_hand": 1}, "dead_hand", "dead_hand = 1 cannot be: it takes true or false"),
        (
            {"auction": "reentry"},
            "auction",
            'auction = "reentry" cannot be: it takes one of re-entry, final-pass, one-round',
        ),
        ({"minimum_bid": 3}, "minimum_bid", "minimum_bid = 3 cannot be: it takes the name of a bid, in quotes"),
        (
            {"minimum_bid": "7"},
            "minimum_bid",
            'minimum_bid = "7" cannot be: it takes a bid of the ladder: 1, 2, 3, 4, 5, small, big',
        ),
        (
            {"strains": ["NT"]},
            "strains",
            'strains = ["NT"] cannot be: it takes at least one suit of the deck (C, D, H, S), with or without NT',
        ),
        (
            {"all_pass": "joker-bids-3"},
            "all_pass",
            'all_pass = "joker-bids-3" cannot be: it needs the Joker (joker = true)',
        ),
        (
            {"joker": True},
            "widow",
            'widow = "none" cannot be: with the Joker one card is left over, so it is pick-up or dead',
        ),
        (
            {"widow": "dead"},
            "widow",
            'widow = "dead" cannot be: without the Joker no card is left over, so it is none',
        ),
        (
            {"players": 3, "cards": 8, "alone": "makers"},
            "alone",
            'alone = "makers" cannot be: only partners can go alone, so with 3 players it is no',
        ),
        ({"alone_stakes": 0}, "alone_stakes", "alone_stakes = 0 cannot be: it takes a whole number from 1 to 10"),
        (
            {"round_limit": 0},
            "round_limit",
            "round_limit = 0 cannot be: it takes a number of rounds from 1 to 10000; leave it out for no limit",
        ),
        ({"ladder": []}, "ladder", "ladder = [] cannot be: it takes 1 to 24 bids, lowest first"),
        ({"ladder": [4]}, "ladder", "ladder = 4 cannot be: every bid has the keys name, tricks, made, failed"),
        (
            {"ladder": [{"name": "x", "made": 1, "failed": 1}]},
            "ladder",
            'ladder = { name = "x", made = 1, failed = 1 } cannot be: '
            "the bid lacks its tricks; it has the keys name, tricks, made, failed",
        ),
        (
            {"ladder": [RUNG, RUNG | {"name": "X"}]},
            "ladder.name",
            'ladder.name = "X" cannot be: every bid needs a name of its own',
        ),
        (
            {"ladder": [RUNG | {"name": "H-alone"}]},
            "ladder.name",
            'ladder.name = "H-alone" cannot be: this is the text of another action, strain or card',
        ),
        (
            {"ladder": [RUNG | {"tricks": 7}], "minimum_bid": "x"},
            "ladder.tricks",
            "ladder.tricks = 7 cannot be: a hand has only 6 tricks",
        ),
        (
            {"ladder": [RUNG | {"tricks": 4}, RUNG | {"name": "y", "tricks": 3}], "minimum_bid": "x"},
            "ladder.tricks",
            "ladder.tricks = 3 cannot be: a higher bid never promises fewer tricks, so at least 4",
        ),
        (
            {"ladder": [RUNG | {"made": -1}]},
            "ladder.made",
            "ladder.made = -1 cannot be: it takes a number from 0 to 1000, tricks-won or bid, "
            "each optionally times a number up to 100, such as tricks-won*2",
        ),
        (
            {"ladder": [RUNG | {"trick": 1}]},
            "ladder.trick",
            "There is no option ladder.trick = 1: did you mean tricks?",
        ),
        ({"aution": "re-entry"}, "aution", 'There is no option aution = "re-entry": did you mean auction?'),
    ],
)
def test_a_refusal_says_key_value_and_what_would_be_right(changes: dict[str, Any], key: str, sentence: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.from_options(BASE | changes)
    assert (refused.value.key, str(refused.value)) == (key, sentence)


def test_joker_bids_3_needs_a_bid_of_three_that_is_permitted() -> None:
    two = [RUNG, RUNG | {"name": "y", "tricks": 2}]
    with pytest.raises(InvalidRules, match="it needs a permitted bid of at least 3 tricks") as refused:
        HASENPFEFFER.replace(ladder=two, minimum_bid="x")
    assert refused.value.key == "all_pass"
    assert HASENPFEFFER.replace(ladder=[*two, RUNG | {"name": "z", "tricks": 3}], minimum_bid="z").tables.joker_bid == 2


@pytest.mark.parametrize(("minimum", "bid"), [("1", "3"), ("3", "3"), ("5", "5"), ("big", "big")])
def test_the_joker_bids_the_lowest_permitted_three(minimum: str, bid: str) -> None:
    rules = HASENPFEFFER.replace(minimum_bid=minimum)
    deal = Deal(rules, CLUBS_FOR_4[6].replace("JC", "JO").split("/"), widow="JC")
    state = say(State.new(rules, deal=deal, dealer=3), *["pass"] * 4)
    assert (state.turn, legal(state)) == (0, bid)


@pytest.mark.parametrize(
    "taken", ["pass", "defend", "H", "nt", "NT-alone", "9C", "10h", "jo", "discard-9C", "discard-JO"]
)
def test_texts_of_other_actions_name_no_bid(taken: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        PEPPER.replace(ladder=[RUNG | {"name": taken}], minimum_bid=taken)
    assert refused.value.key == "ladder.name"


@pytest.mark.parametrize("name", ["", "two words", "-x", "größer", "x" * 41, 4])
def test_names_that_are_none(name: object) -> None:
    with pytest.raises(InvalidRules, match="up to 40 letters, digits and hyphens, such as 4 or small") as refused:
        PEPPER.replace(ladder=[RUNG | {"name": name}])
    assert refused.value.key == "ladder.name"


@given(broken=broken_options())
@settings(max_examples=300)
def test_a_broken_rulebook_is_refused(broken: Broken) -> None:
    """With the key to blame and the value given, in a sentence that says what would be right."""
    options, key = broken
    with pytest.raises(InvalidRules) as refused:
        Rules.from_options(options)
    blamed, sentence = refused.value.key, str(refused.value)
    assert blamed == key or (key == "ladder" and blamed.startswith("ladder."))
    assert f"{blamed} = " in sentence
    if blamed in options:
        value = options[blamed]
        parts = value if blamed in ("suits", "ranks", "strains") and isinstance(value, list) else [value]
        assert blamed == "ladder" or all(shown(part) in sentence for part in parts), sentence
    assert sentence.partition(": ")[2], "what would be right"


def test_an_option_left_out_has_its_default_or_is_asked_for() -> None:
    needed = {key: value for key, value in BASE.items() if OPTIONS[key].required}
    assert Rules.from_options(needed).options() == BASE
    for key in needed:
        with pytest.raises(InvalidRules, match=f"The option {key} is missing") as refused:
            Rules.from_options({other: value for other, value in needed.items() if other != key})
        assert refused.value.key == key


def test_the_longest_ladder() -> None:
    ladder = [RUNG | {"name": f"b{i}"} for i in range(LONGEST_LADDER)]
    rules = PEPPER.replace(ladder=ladder, minimum_bid="b23")
    assert legal(State.new(rules, seed=1)) == "pass b23"
    with pytest.raises(InvalidRules, match="1 to 24 bids"):
        PEPPER.replace(ladder=[*ladder, RUNG])


@pytest.mark.parametrize(
    ("value", "award", "text"),
    [
        (0, Award("", 0), 0),
        (1000, Award("", 1000), 1000),
        ("6", Award("", 6), 6),
        ("6*2", Award("", 12), 12),
        ("bid", Award("bid", 1), "bid"),
        ("bid*1", Award("bid", 1), "bid"),
        ("tricks-won*100", Award("tricks-won", 100), "tricks-won*100"),
    ],
)
def test_awards(value: object, award: Award, text: object) -> None:
    assert read_award("made", value) == award
    assert award.text == text
    assert read_award("made", award.text) == award


@pytest.mark.parametrize(
    "value", [-1, 1001, True, 1.5, None, "", "bid*101", "bid*-1", "1000*2", "bids", "2*bid", "bid *2"]
)
def test_no_awards(value: object) -> None:
    with pytest.raises(InvalidRules, match="tricks-won or bid"):
        read_award("made", value)


def test_words_for_true_and_false() -> None:
    assert HASENPFEFFER.replace(joker="yes") == HASENPFEFFER
    assert PEPPER.replace(dead_hand="no") == PEPPER


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), ("a", '"a"'), ((1, "b"), '[1, "b"]'), ({"a": False}, "{ a = false }"), (None, "None"), (7, "7")],
)
def test_values_are_shown_as_in_toml(value: object, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    "text", ["ladder = " + "[" * 3000, "target = " + "9" * 5000, "players = 0x" + "f" * 5000, "no = toml = at all"]
)
def test_what_toml_cannot_read_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvalidRules):
        Rules.from_toml(text)


@pytest.mark.parametrize("value", ["a\nb", "\x1b]0;title\x07", "x" * 10_000, ["y" * 5_000]])
def test_what_was_given_is_shown_short_and_without_control_codes(value: object) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.load("pepper-4").replace(auction=value)
    text = str(refused.value)
    assert text.isprintable()
    assert len(text) < 200
