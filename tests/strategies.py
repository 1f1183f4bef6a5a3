"""Hypothesis strategies over the whole space of rulebooks (rules §6), right ones and wrong ones, and deals for them.

Written from the rules alone, without the package. A rulebook is a dict in its TOML form, with every key present;
`round_limit` is absent where there is no limit.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from referee import Options, deck

SUITS = ["C", "D", "H", "S"]
RANKS = ["9", "T", "J", "Q", "K", "A"]

CHOICES = {
    "auction": ["re-entry", "final-pass", "one-round"],
    "all_pass": ["throw-in", "same-dealer", "stick-dealer", "joker-bids-3"],
    "defenders": ["per-trick", "none"],
    "lead": ["maker", "left-of-dealer"],
    "widow": ["none", "pick-up", "dead"],
    "alone": ["no", "makers", "makers-and-defender"],
    "finish": ["highest", "makers-first"],
}
"""The options that are one word out of a few."""

# --- the shipped rulebooks (rules §1), copied by hand ---------------------------------------------


def _bids(names: list[str], failed: int | str, big: tuple[int, int | str] | None, cards: int) -> list[dict[str, Any]]:
    """A ladder that pays a point a trick; `small` and `big` ask for all tricks, Big has awards of its own."""
    ladder: list[dict[str, Any]] = []
    for name in names:
        tricks = int(name) if name.isdigit() else cards
        ladder.append({"name": name, "tricks": tricks, "made": "tricks-won", "failed": failed})
    if big is not None:
        ladder.append({"name": "big", "tricks": cards, "made": big[0], "failed": big[1]})
    return ladder


_PEPPER_4: Options = {
    "players": 4,
    "cards": 6,
    "suits": SUITS,
    "ranks": RANKS,
    "dead_hand": False,
    "auction": "re-entry",
    "all_pass": "throw-in",
    "minimum_bid": "1",
    "ladder": _bids(["1", "2", "3", "4", "5", "small"], 6, (12, 12), 6),
    "defenders": "per-trick",
    "lead": "maker",
    "strains": [*SUITS, "NT"],
    "joker": False,
    "widow": "none",
    "alone": "no",
    "alone_stakes": 2,
    "target": 30,
    "finish": "highest",
}
_PEPPER_3: Options = _PEPPER_4 | {
    "players": 3,
    "cards": 8,
    "ladder": _bids(["1", "2", "3", "4", "5", "6", "7", "small"], 8, (16, 16), 8),
}
_HASENPFEFFER: Options = _PEPPER_4 | {
    "ladder": _bids(["1", "2", "3", "4", "5", "6"], "tricks-won", None, 6),
    "defenders": "none",
    "lead": "left-of-dealer",
    "strains": SUITS,
    "joker": True,
    "widow": "pick-up",
    "alone": "makers-and-defender",
    "target": 10,
}
_IOWA: Options = _PEPPER_4 | {"auction": "one-round"}
_PEPPERS = ["1", "2", "3", "4", "5", "small"]

SHIPPED: dict[str, Options] = {
    "pepper-4": _PEPPER_4,
    "pepper-3": _PEPPER_3,
    "pepper-2": _PEPPER_3 | {"players": 2, "dead_hand": True},
    "hasenpfeffer": _HASENPFEFFER,
    "hasenpfeffer-peppers": _HASENPFEFFER | {"ladder": _bids(_PEPPERS, "tricks-won", (12, "tricks-won*2"), 6)},
    "hasenpfeffer-traditional": _HASENPFEFFER
    | {"ladder": _bids(_PEPPERS, "bid", (12, "bid*2"), 6), "defenders": "per-trick", "all_pass": "joker-bids-3"},
    "iowa": _IOWA,
    "bid-euchre": _IOWA | {"minimum_bid": "3", "ladder": _bids(_PEPPERS, "bid", (12, "bid*2"), 6), "target": 32},
}

# --- rulebooks that are right ---------------------------------------------------------------------

# Few and large choices: Hypothesis repeats values among many small choices of one kind, and most would be the first.

Shape = tuple[int, bool, int, int, int]
"""Players, dead hand, cards in a hand, number of suits, number of ranks."""


def shapes() -> list[Shape]:
    """Every way to deal a deck out exactly (the Joker is the odd card and does not count)."""
    return [
        (players, dead, cards, suits, ranks)
        for players, dead, cards in itertools.product((2, 3, 4), (False, True), range(1, 9))
        for suits, ranks in itertools.product(range(1, 5), range(1, 7))
        if (players + dead) * cards == suits * ranks
    ]


def even_shapes() -> list[Shape]:
    """The shapes, repeated until no player count, dead hand or hand size crowds out another; 4 players twice."""
    groups: dict[tuple[int, bool, int], list[Shape]] = {}
    for shape in shapes():
        groups.setdefault(shape[:3], []).append(shape)
    by_players = Counter(players for players, _, _ in groups)
    return [
        group[copy_number % len(group)]
        for (players, _, _), group in sorted(groups.items())
        for copy_number in range((240 if players == 4 else 120) // by_players[players])
    ]


def parts(items: list[str], *sizes: int) -> list[list[str]]:
    """All subsets of the items with one of the given sizes, in their usual order."""
    return [list(part) for size in sizes for part in itertools.combinations(items, size)]


@functools.cache
def words(partners: bool, three_tricks: bool) -> list[Options]:
    """All consistent choices of the options that are words, with or without partners and bids of at least 3 tricks."""
    combinations = [dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())]
    return [
        combination
        for combination in combinations
        if (partners or combination["alone"] == "no")
        and (combination["all_pass"] != "joker-bids-3" or (three_tricks and combination["widow"] != "none"))
    ]


NAMES = [
    *(str(number) for number in range(13)),
    *("small", "big", "little-pepper", "moon", "five-or-six", "007", "a", "j", "z9", "cc", "h2", "9-c", "a-b-c"),
    *("alone", "x-alone-x", "discard", "defender", "passe", "no-trump", "nt1", "joker", "spade", "bid", "tricks-won"),
    *("none", "the-longest-name-of-a-bid"),
]
"""Names that a bid may bear, some of them close to those that it may not."""

AWARDS: list[int | str] = [
    *(0, 1, 2, 3, 6, 8, 12, 16, 24, 100),
    *(word + factor for word in ("tricks-won", "bid") for factor in ("", "", "*1", "*2", "*3", "*12")),
]
"""What a bid pays or costs: a number ≥ 0, `tricks-won` or `bid`, with or without a factor."""

PAIRS = list(itertools.product(AWARDS, AWARDS))


@st.composite
def ladders(draw: st.DrawFn, cards: int, at_least: int) -> list[dict[str, Any]]:
    """A ladder of 1 to 24 bids with tricks from 1 to `cards` that never fall, the highest bid at least `at_least`."""
    size = draw(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 24]))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=size, max_size=size, unique=True))
    tricks = sorted(draw(st.lists(st.integers(1, cards), min_size=size, max_size=size)))
    tricks[-1] = max(tricks[-1], at_least)
    pairs = draw(st.lists(st.sampled_from(PAIRS), min_size=size, max_size=size))
    return [
        {"name": name, "tricks": wanted, "made": made, "failed": failed}
        for name, wanted, (made, failed) in zip(names, tricks, pairs, strict=True)
    ]


@st.composite
def options_of_shape(draw: st.DrawFn, shape: Shape) -> Options:
    """A rulebook of the given shape, consistent with itself as long as the shape is."""
    players, dead, cards, suit_count, rank_count = shape
    word = draw(st.sampled_from(words(players == 4, cards >= 3)))
    ladder = draw(ladders(cards, 3 if word["all_pass"] == "joker-bids-3" else 1))
    suits = draw(st.sampled_from(parts(SUITS, suit_count)))
    strains = [*parts(suits, 1, 2, 3, 4), *(part for _ in range(6) for part in [suits])]
    options: Options = {
        "players": players,
        "cards": cards,
        "suits": suits,
        "ranks": draw(st.sampled_from(parts(RANKS, rank_count))),
        "dead_hand": dead,
        "minimum_bid": ladder[draw(st.sampled_from([0] * len(ladder) + list(range(len(ladder)))))]["name"],
        "ladder": ladder,
        "strains": draw(st.sampled_from(strains + [[*some, "NT"] for some in strains])),
        "joker": word["widow"] != "none",
        "alone_stakes": draw(st.integers(1, 4)),
        "target": draw(st.integers(1, 60)),
    }
    round_limit = draw(st.one_of(st.none(), st.integers(1, 200)))
    return options | word | ({} if round_limit is None else {"round_limit": round_limit})


def rulebook_options() -> st.SearchStrategy[Options]:
    """Every kind of rulebook that the rules allow."""
    return st.sampled_from(even_shapes()).flatmap(options_of_shape)


@st.composite
def deals(draw: st.DrawFn, options: Options) -> tuple[list[list[str]], str | None, int]:
    """Hands (one list of card texts a seat), widow or None, and dealer for a rulebook; a dead hand is what is left."""
    cards = draw(st.permutations(deck(options)))
    widow = cards.pop() if options["joker"] else None
    size = options["cards"]
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(options["players"])]
    return hands, widow, draw(st.integers(0, options["players"] - 1))


# --- rulebooks with exactly one fault -------------------------------------------------------------

Broken = tuple[Options, str]
"""A wrong rulebook and the key to blame."""


@st.composite
def broken_options(draw: st.DrawFn) -> Broken:
    """A rulebook with exactly one thing wrong, and the key to blame for it (for a fault in a bid: `ladder`)."""
    breaker = draw(st.sampled_from(BREAKERS))
    return draw(breaker())


def _valid(draw: st.DrawFn, wanted: Callable[[Options], bool] = lambda _: True) -> Options:
    """A copy of a rulebook with the property `wanted`, to be broken."""
    return copy.deepcopy(draw(rulebook_options().filter(wanted)))


@st.composite
def misspelt_key(draw: st.DrawFn) -> Broken:
    """A key that does not exist, instead of the right one or beside it."""
    options = _valid(draw)
    key = draw(st.sampled_from(sorted(options)))
    wrong = draw(st.sampled_from([key + "s", key[:-1], key.upper(), key.replace("_", "-") + "-", "x" + key]))
    value = options[key] if draw(st.booleans()) else options.pop(key)
    return options | {wrong: value}, wrong


@st.composite
def unknown_word(draw: st.DrawFn, key: str) -> Broken:
    """A word that the option does not know; `minimum_bid` has to name a bid of the ladder."""
    options = _valid(draw)
    words = [options[key] + "-x", options[key][:-1], "", "yes"]
    known = CHOICES.get(key) or [bid["name"] for bid in options["ladder"]]
    options[key] = draw(st.sampled_from([word for word in words if word not in known]))
    return options, key


WRONG_TYPES: dict[type, list[Any]] = {
    int: ["4", 2.5, True, [4], {}],
    bool: [1, 0, "true", "on", [True], 1.0],
    str: [3, 1.5, True, ["throw-in"], {}],
    list: ["CDHS", 4, True, {}, [4], [["C"]]],
}
"""By the right type: values of another type, all of which TOML can write."""


@st.composite
def wrong_type(draw: st.DrawFn, key: str) -> Broken:
    """A value of another type, also inside a list."""
    options = {"round_limit": 200} | _valid(draw)
    options[key] = copy.deepcopy(draw(st.sampled_from(WRONG_TYPES[type(options[key])])))
    return options, key


@st.composite
def number_out_of_range(draw: st.DrawFn) -> Broken:
    """A number that no table can have, the deck being dealt out all the same."""
    fault: tuple[str, Shape] = draw(
        st.sampled_from(
            [
                ("players", (5, False, 4, 4, 5)),
                ("players", (5, False, 2, 2, 5)),
                ("players", (1, True, 6, 3, 4)),
                ("players", (1, False, 8, 2, 4)),
                ("cards", (2, False, 9, 3, 6)),
                ("cards", (2, False, 12, 4, 6)),
                ("cards", (2, False, 10, 4, 5)),
            ]
        )
    )
    return draw(options_of_shape(fault[1])), fault[0]


@st.composite
def senseless_number(draw: st.DrawFn) -> Broken:
    """A negative number, and a limit of no rounds at all."""
    options = _valid(draw)
    key = draw(st.sampled_from(["alone_stakes", "target", "round_limit"]))
    options[key] = draw(st.integers(-30, -1)) if key != "round_limit" else draw(st.sampled_from([0, -1, -200]))
    return options, key


@st.composite
def undealt_cards(draw: st.DrawFn) -> Broken:
    """Hands that do not use up the deck, or need more of it; with the Joker even when all its cards would be dealt."""
    players, suits, ranks = draw(st.sampled_from([2, 3, 4])), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    dead, cards = draw(st.booleans()), draw(st.integers(1, 8))
    assume((players + dead) * cards != suits * ranks)
    return draw(options_of_shape((players, dead, cards, suits, ranks))), "cards"


@st.composite
def bad_set(draw: st.DrawFn) -> Broken:
    """Suits, ranks or strains that hold something twice or something unknown, or no suit."""
    options = _valid(draw)
    key = draw(st.sampled_from(["suits", "ranks", "strains"]))
    options[key] = list(options[key])
    absent = [suit for suit in SUITS if suit not in options["suits"]]
    unknown = ["X", "", "1", "JO", "CD"] + (absent if key == "strains" else ["NT"])
    if key == "strains" and draw(st.booleans()):
        options[key] = draw(st.sampled_from([["NT"], []]))
    else:
        options[key].append(draw(st.sampled_from([options[key][0], *unknown])))
    return options, key


@st.composite
def contradiction(draw: st.DrawFn) -> Broken:
    """Two options that do not go together (rules §3, §4, §6)."""
    options = _valid(draw)
    joker = {"joker": True, "widow": draw(st.sampled_from(["pick-up", "dead"]))}
    no_joker = {"joker": False, "widow": "none"}
    if options["all_pass"] == "joker-bids-3":
        options["all_pass"] = "throw-in"
    kind = draw(st.sampled_from(["nobody gets it", "nothing to get", "alone", "no bid for it", "no joker"]))
    if kind == "nobody gets it":
        return options | joker | {"widow": "none"}, "widow"
    if kind == "nothing to get":
        return options | joker | {"joker": False}, "widow"
    if kind == "alone":
        assume(options["players"] < 4)
        return options | {"alone": draw(st.sampled_from(["makers", "makers-and-defender"]))}, "alone"
    if kind == "no bid for it":
        for bid in options["ladder"]:
            bid["tricks"] = min(bid["tricks"], 2)
        return options | joker | {"all_pass": "joker-bids-3"}, "all_pass"
    assume(options["ladder"][-1]["tricks"] >= 3)
    return options | no_joker | {"all_pass": "joker-bids-3"}, "all_pass"


@st.composite
def bad_name(draw: st.DrawFn) -> Broken:
    """A bid named like another bid, action, strain or card of this very rulebook, or not in the form of a name."""
    options = _valid(draw, lambda options: len(options["ladder"]) < 24)
    ladder = options["ladder"]
    taken = ["pass", *(s.lower() for s in options["strains"]), *(card.lower() for card in deck(options))]
    wrong = ["", "two words", "4!", "größer"]
    if draw(st.booleans()):
        bid = ladder[-1]
        ladder.append(bid | {"name": draw(st.sampled_from(ladder))["name"]})
        return options, "ladder"
    bid = draw(st.sampled_from(ladder))
    name = draw(st.sampled_from([draw(st.sampled_from(taken)), draw(st.sampled_from(wrong))]))
    if options["minimum_bid"] == bid["name"]:
        options["minimum_bid"] = name
    bid["name"] = name
    return options, "ladder"


@st.composite
def bad_bid(draw: st.DrawFn) -> Broken:
    """A bid with an impossible award, number of tricks or key."""
    options = _valid(draw)
    bid = draw(st.sampled_from(options["ladder"]))
    key = draw(st.sampled_from(["made", "failed", "tricks", "key missing", "key too many"]))
    if key in {"made", "failed"}:
        bid[key] = draw(st.sampled_from([-1, 1.5, True, "", "tricks", "bid*", "bid*x", "bid*-1", "tricks-won*1.5", []]))
    elif key == "tricks":
        bid[key] = draw(st.sampled_from(["1", 1.5, True, []]))
    elif key == "key missing":
        del bid[draw(st.sampled_from(["name", "tricks", "made", "failed"]))]
    else:
        bid[draw(st.sampled_from(["points", "trick", "Name"]))] = 1
    return options, "ladder"


@st.composite
def bad_ladder(draw: st.DrawFn) -> Broken:
    """A ladder that is empty, too long, asks for no trick or more tricks than there are, or falls."""
    options = _valid(draw, lambda options: options["ladder"][0]["tricks"] < options["ladder"][-1]["tricks"])
    ladder = options["ladder"]
    kind = draw(st.sampled_from(["empty", "long", "none", "more", "falls"]))
    if kind == "empty":
        options["ladder"] = []
    elif kind == "long":
        more = [{"name": f"long-{i}", "tricks": ladder[-1]["tricks"], "made": 1, "failed": "bid"} for i in range(25)]
        options["ladder"] = (ladder + more)[: draw(st.integers(25, 26))]
    elif kind == "none":
        ladder[0]["tricks"] = draw(st.sampled_from([0, -1]))
    elif kind == "more":
        ladder[-1]["tricks"] = options["cards"] + draw(st.integers(1, 3))
    else:
        ladder.reverse()
    return options, "ladder"


BREAKERS: list[Callable[[], st.SearchStrategy[Broken]]] = [
    *(functools.partial(unknown_word, key) for key in [*CHOICES, "minimum_bid"]),
    *(functools.partial(wrong_type, key) for key in [*SHIPPED["pepper-4"], "round_limit"]),
    *3 * [misspelt_key, number_out_of_range, senseless_number, undealt_cards, bad_set, bad_name, bad_bid],
    *5 * [bad_ladder, contradiction],
]
"""Faults of one kind are listed more than once where the kind has many forms."""
