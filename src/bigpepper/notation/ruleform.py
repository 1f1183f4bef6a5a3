"""The complete rulebook inside of a record: as data, and as the lines of a header (name and what differs from it)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from bigpepper.options import OPTIONS, toml_text
from bigpepper.rules import Rules, rulebooks


class RungForm(Struct, frozen=True, forbid_unknown_fields=True):
    """One bid of the ladder."""

    name: str
    tricks: int
    made: int | str
    """Added when made: a number, `tricks-won` or `bid`, optionally `*k`."""
    failed: int | str
    """Subtracted when failed."""


class RulesForm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every option of a rulebook (rules §6), under the keys of its TOML form."""

    name: str
    based_on: str | None = None
    recommended: bool = False
    players: int
    cards: int
    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    dead_hand: bool
    auction: str
    all_pass: str
    minimum_bid: str
    ladder: tuple[RungForm, ...]
    defenders: str
    lead: str
    strains: tuple[str, ...]
    joker: bool
    widow: str
    alone: str
    alone_stakes: int
    target: int
    finish: str
    round_limit: int | None = None


@lru_cache(maxsize=64)
def rules_of(form: RulesForm) -> Rules:
    """The rulebook of that form. Raises `InvalidRules`."""
    return Rules.from_options(msgspec.to_builtins(form))


@lru_cache(maxsize=64)
def form_of(rules: Rules) -> RulesForm:
    """The form of a rulebook."""
    return msgspec.convert(_data(rules), RulesForm)


def _data(rules: Rules) -> dict[str, Any]:
    head = {"name": rules.name, "based_on": rules.based_on, "recommended": rules.recommended}
    return {**head, "round_limit": None, **rules.options()}


_HEADER = ("based_on", "recommended")


def differences(rules: Rules) -> dict[str, object]:
    """The options (and `based_on`, `recommended`) that differ from the rulebook that the name or `based_on` names."""
    data, base = _data(rules), _base(rules.name, rules.based_on)
    return {key: data[key] for key in (*_HEADER, *OPTIONS) if key not in base or base[key] != data[key]}


def rules_from(name: str, given: dict[str, object]) -> Rules:
    """The rulebook of that name with the given differences. Raises `InvalidRules`."""
    if not given:
        return Rules.load(name)
    based_on = given.get("based_on")
    base = _base(name, based_on if isinstance(based_on, str) else None)
    changes = {key: None if key in _CAN_LACK and value == _NOTHING else value for key, value in given.items()}
    return Rules.from_options({**base, **changes, "name": name})


def _base(name: str, based_on: str | None) -> dict[str, Any]:
    if name in rulebooks():
        return _data(Rules.load(name))
    common = {"based_on": None, "recommended": False, "round_limit": None}
    return {**_data(Rules.load(based_on)), **common} if based_on in rulebooks() and based_on else common


_NOTHING = "none"
"""What stands for a key without a value, which TOML cannot write."""
_CAN_LACK = ("based_on", "round_limit")


def option_text(key: str, value: object) -> str:
    """One difference as a line of TOML; without a value it is `"none"`."""
    return f"{key} = {toml_text(_NOTHING if value is None else value)}"
