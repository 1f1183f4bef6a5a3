"""The options of a rulebook (rules §6): their names, what values each takes, and what is said when one does not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, NoReturn, TypeGuard

from bigpepper.cards import RANKS, Strain, Suit
from bigpepper.errors import InvalidRules
from bigpepper.text import Message, listed, msg

LONGEST_LADDER: Final = 24
MOST_POINTS: Final = 1_000
MOST_FACTOR: Final = 100


def refuse(key: str, value: object, right: Message) -> NoReturn:
    """Raise `InvalidRules` that names the option, the value given and what would be right."""
    raise InvalidRules(msg("{key} = {value} cannot be: {right}", key=key, value=shown(value), right=right), key)


_LONGEST_SHOWN: Final = 60


def shown(value: object) -> str:
    """A value that somebody gave, as it would stand in a TOML file: cut where it is long, without control codes."""
    try:
        text = toml_text(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, or thousands of brackets
        return "…"
    text = "".join(letter if letter.isprintable() else "�" for letter in text[: _LONGEST_SHOWN + 1])
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def in_place(value: object) -> str:
    """What was given in place of something else: a text as it is, of anything else its kind."""
    return repr(value) if isinstance(value, str) else type(value).__name__


def toml_text(value: object) -> str:
    """A value as it stands in a TOML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml_text(item) for item in value)}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_text(item)}' for key, item in value.items())} }}"
    return str(value)


# --- the ladder -----------------------------------------------------------------------------------------------------


class Award(NamedTuple):
    """What a made bid adds, or a failed one subtracts: `factor` × one, × the makers' tricks, or × the bid's tricks."""

    unit: str
    """`""` for a plain number, `"tricks-won"` or `"bid"`."""
    factor: int

    @property
    def text(self) -> int | str:
        """As it stands in a TOML file: `6`, `"tricks-won"`, `"bid*2"`."""
        if not self.unit:
            return self.factor
        return self.unit if self.factor == 1 else f"{self.unit}*{self.factor}"

    def points(self, bid_tricks: int) -> int:
        """The part that does not depend on the tricks won, for a bid of `bid_tricks`."""
        return {"": self.factor, "bid": self.factor * bid_tricks, "tricks-won": 0}[self.unit]

    @property
    def each(self) -> int:
        """The part a trick won."""
        return self.factor if self.unit == "tricks-won" else 0


class Rung(NamedTuple):
    """One bid of the ladder."""

    name: str
    tricks: int
    """Tricks the makers must win at least."""
    made: Award
    """Added when made."""
    failed: Award
    """Subtracted when failed."""


_AWARD: Final = re.compile(r"([0-9]{1,4}|tricks-won|bid)(?:\*([0-9]{1,3}))?")


def read_award(key: str, value: object) -> Award:
    """A number from 0, `tricks-won` or `bid`, each optionally `*k`."""
    right = msg(
        "it takes a number from 0 to {most}, tricks-won or bid, each optionally times a number up to {factor}, "
        "such as tricks-won*2",
        most=MOST_POINTS,
        factor=MOST_FACTOR,
    )
    if is_whole(value):
        unit, factor = "", value
    elif isinstance(value, str) and (found := _AWARD.fullmatch(value)) and int(found[2] or 1) <= MOST_FACTOR:
        unit = "" if found[1].isdigit() else found[1]
        factor = int(found[2] or 1) * (int(found[1]) if found[1].isdigit() else 1)
    else:
        refuse(key, value, right)
    if not 0 <= factor <= MOST_POINTS:
        refuse(key, value, right)
    return Award(unit, factor)


_RUNG_KEYS: Final = ("name", "tricks", "made", "failed")
_BID_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,39}")


def read_ladder(key: str, value: object) -> tuple[Rung, ...]:
    """The bids, lowest first."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= LONGEST_LADDER:
        refuse(key, value, msg("it takes 1 to {most} bids, lowest first", most=LONGEST_LADDER))
    ladder = tuple(_read_rung(key, rung) for rung in value)
    seen: set[str] = set()
    for rung in ladder:
        if rung.name.lower() in seen:
            refuse(f"{key}.name", rung.name, msg("every bid needs a name of its own"))
        seen.add(rung.name.lower())
    return ladder


def _read_rung(key: str, value: object) -> Rung:
    if isinstance(value, Rung):
        value = rung_options(value)
    if not isinstance(value, Mapping):
        refuse(key, value, msg("every bid has the keys {keys}", keys=listed(_RUNG_KEYS)))
    check_keys(value, _RUNG_KEYS, f"{key}.")
    for part in _RUNG_KEYS:
        if part not in value:
            refuse(
                key, value, msg("the bid lacks its {part}; it has the keys {keys}", part=part, keys=listed(_RUNG_KEYS))
            )
    return Rung(
        _read_bid_name(f"{key}.name", value["name"]),
        whole(1, 8)(f"{key}.tricks", value["tricks"]),
        read_award(f"{key}.made", value["made"]),
        read_award(f"{key}.failed", value["failed"]),
    )


def _read_bid_name(key: str, value: object) -> str:
    if not isinstance(value, str) or not _BID_NAME.fullmatch(value):
        refuse(key, value, msg("a bid's name is up to 40 letters, digits and hyphens, such as 4 or small"))
    if value.lower() in _TAKEN:
        refuse(key, value, msg("this is the text of another action, strain or card"))
    return value


def _taken_texts() -> frozenset[str]:
    """Texts of all actions that are no bids, in any rulebook."""
    cards = [rank + suit for rank in (*RANKS, "10") for suit in Suit] + ["JO"]
    strains = [str(strain) for strain in Strain]
    texts = ["pass", "defend", *cards, *(f"discard-{card}" for card in cards), *strains]
    return frozenset(text.lower() for text in [*texts, *(f"{strain}-alone" for strain in strains)])


_TAKEN: Final = _taken_texts()


def rung_options(rung: Rung) -> dict[str, object]:
    """A bid as plain data, as in a TOML file."""
    return {"name": rung.name, "tricks": rung.tricks, "made": rung.made.text, "failed": rung.failed.text}


# --- values ---------------------------------------------------------------------------------------------------------

Reader = Callable[[str, object], Any]


def is_whole(value: object) -> TypeGuard[int]:
    """A whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole(low: int, high: int) -> Reader:
    """Reads a whole number from `low` to `high`."""

    def read(key: str, value: object) -> int:
        if not is_whole(value) or not low <= value <= high:
            refuse(key, value, msg("it takes a whole number from {low} to {high}", low=low, high=high))
        return value

    return read


def limit(key: str, value: object) -> int | None:
    """Reads a number of rounds; None for no limit."""
    if value is not None and (not is_whole(value) or not 1 <= value <= 10_000):
        refuse(key, value, msg("it takes a number of rounds from 1 to 10000; leave it out for no limit"))
    return value


def choice(*values: str) -> Reader:
    """Reads one of a few words."""

    def read(key: str, value: object) -> str:
        if not isinstance(value, str) or value not in values:
            refuse(key, value, msg("it takes one of {values}", values=listed(values)))
        return value

    return read


def yes_no(key: str, value: object) -> bool:
    """Reads true or false; the words yes and no too."""
    if value in ("yes", "no"):
        return value == "yes"
    if not isinstance(value, bool):
        refuse(key, value, msg("it takes true or false"))
    return value


def some_of(values: Iterable[str]) -> Reader:
    """Reads a list of some of `values`, at least one, each once; they come back in the order of `values`."""
    allowed = tuple(str(value) for value in values)

    def read(key: str, value: object) -> tuple[str, ...]:
        given = [str(item) for item in value] if isinstance(value, (list, tuple)) else []
        if not given or len(set(given)) < len(given) or not set(given) <= set(allowed):
            refuse(key, value, msg("it takes a list of some of {values}, each at most once", values=listed(allowed)))
        return tuple(item for item in allowed if item in given)

    return read


def word(key: str, value: object) -> str:
    """Reads the name of a bid; whether the ladder has it is checked later."""
    if not isinstance(value, str):
        refuse(key, value, msg("it takes the name of a bid, in quotes"))
    return value


# --- all options ----------------------------------------------------------------------------------------------------

_REQUIRED: Final = object()


@dataclass(frozen=True)
class Option:
    """How an option's value is read, and the value that stands where a rulebook does not set it."""

    read: Reader
    default: object = _REQUIRED

    @property
    def required(self) -> bool:
        """Whether every rulebook has to set it."""
        return self.default is _REQUIRED


OPTIONS: Final[dict[str, Option]] = {
    "players": Option(whole(2, 4)),
    "cards": Option(whole(1, 8)),
    "suits": Option(some_of(Suit), tuple(Suit)),
    "ranks": Option(some_of(RANKS), tuple(RANKS)),
    "dead_hand": Option(yes_no, False),
    "auction": Option(choice("re-entry", "final-pass", "one-round"), "re-entry"),
    "all_pass": Option(choice("throw-in", "same-dealer", "stick-dealer", "joker-bids-3"), "throw-in"),
    "minimum_bid": Option(word, None),
    "ladder": Option(read_ladder),
    "defenders": Option(choice("per-trick", "none")),
    "lead": Option(choice("maker", "left-of-dealer")),
    "strains": Option(some_of(Strain)),
    "joker": Option(yes_no, False),
    "widow": Option(choice("none", "pick-up", "dead"), "none"),
    "alone": Option(choice("no", "makers", "makers-and-defender"), "no"),
    "alone_stakes": Option(whole(1, 10), 2),
    "target": Option(whole(1, 10_000)),
    "finish": Option(choice("highest", "makers-first"), "highest"),
    "round_limit": Option(limit, None),
}
"""Every option of rules §6, in the order in which they are written."""


def read_options(given: Mapping[str, object]) -> dict[str, Any]:
    """All options with their values read; raises `InvalidRules` for a missing, unknown or wrong one."""
    check_keys(given, tuple(OPTIONS), "")
    values: dict[str, Any] = {}
    for key, option in OPTIONS.items():
        if given.get(key) is None and option.required:
            raise InvalidRules(msg("The option {key} is missing: every rulebook has to set it.", key=key), key)
        values[key] = option.read(key, given[key]) if given.get(key) is not None else option.default
    if values["minimum_bid"] is None:
        values["minimum_bid"] = values["ladder"][0].name
    return values


def check_keys(given: Mapping[str, object], known: tuple[str, ...], prefix: str) -> None:
    """Refuse a key that is not known, with the one that was probably meant."""
    for key, value in given.items():
        if key not in known:
            name = shown(prefix + key).strip('"')
            right = _meant(key, known)
            text = msg("There is no option {key} = {value}: {right}", key=name, value=shown(value), right=right)
            raise InvalidRules(text, prefix + key)


def _meant(key: str, known: tuple[str, ...]) -> Message:
    from difflib import get_close_matches

    near = get_close_matches(key, known, 1)
    return msg("did you mean {near}?", near=near[0]) if near else msg("there are {known}", known=listed(known))
