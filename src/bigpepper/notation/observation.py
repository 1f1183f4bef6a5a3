"""The JSON form of an Observation: all that one seat may know, legal actions included, for clients and bots elsewhere.

Loss-free: `observation_from_json` gives an equal Observation. `docs/schema/observation.json` is its schema.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bigpepper.errors import BigPepperError, InvalidRules
from bigpepper.notation.build import round_seen
from bigpepper.notation.complete import complete
from bigpepper.notation.dealt import check_deal
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.json import parsed, schema_of
from bigpepper.notation.model import VERSION, RoundRecord
from bigpepper.notation.ruleform import RulesForm, form_of, rules_of
from bigpepper.notation.steps import check_steps
from bigpepper.observation import Observation
from bigpepper.public import Trick, tricks_of
from bigpepper.rules import Rules
from bigpepper.text import Message, msg


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A card on the table."""

    seat: int
    card: str


class TrickForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A trick: who played what, the leader first."""

    plays: tuple[Play, ...]
    winner: int | None
    """The seat that took it; null while it is being played."""


class ObservationForm(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="format",
    tag=f"bigpepper-observation-{VERSION}",
):
    """What one seat, or a spectator, may know of a round. Seats go clockwise from 0; cards and actions are texts."""

    rules: RulesForm
    """The complete rulebook."""
    seat: int | None
    """Whose view it is; null for a spectator."""
    phase: str
    """auction, naming, discard, defence, play or over."""
    turn: int | None
    """The seat to act; null when the round is over."""
    legal: tuple[str, ...]
    """What this seat may do now: send one of these back. Empty when it is not its turn."""
    legal_numbers: tuple[int, ...]
    """The numbers of these actions in the rulebook's list of all actions, in the same order."""
    hand: tuple[str, ...]
    """The cards in one's hand."""
    widow: str | None
    """The widow's card, for the maker who took it."""
    discarded: str | None
    """The card the maker laid away, for himself."""
    contract: str | None
    """The highest bid so far."""
    maker: int | None
    strain: str | None
    lone: int | None
    """The maker's seat when he plays alone."""
    lone_defender: int | None
    playing: tuple[int, ...]
    """The seats that take part in the play."""
    trick: TrickForm | None
    """The trick being played; null before its first card."""
    tricks: tuple[TrickForm, ...]
    """The completed tricks."""
    tricks_won: tuple[int, ...]
    """One value a seat; those of a claim included."""
    tricks_left: int
    round: RoundRecord
    """The round in the form of a game record: dealer, scores before, own hand as dealt, all that was done, result."""


def observation_form(observation: Observation, public: ObservationForm | None = None) -> ObservationForm:
    """An Observation as data.

    `public` is the form of what a spectator sees at the same moment, for whoever has it at hand: all that everybody
    knows is taken from it, and only what the seat alone knows from the observation.
    """
    if public is None:
        return _whole(observation)
    if observation.seat is None:
        return public
    return replace(public, round=round_seen(observation, public=public.round), **_own(observation))


def _own(seen: Observation) -> dict[str, Any]:
    """What one seat alone knows, the round apart."""
    legal, number_of = seen.legal, seen.rules.number_of
    return {
        "seat": seen.seat,
        "legal": tuple(map(str, legal)),
        "legal_numbers": tuple(number_of[action] for action in legal),
        "hand": tuple(map(str, seen.hand)),
        "widow": _text(seen.widow),
        "discarded": _text(seen.discarded),
    }


def _whole(seen: Observation) -> ObservationForm:
    history = seen.history
    tricks, trick = tricks_of(seen, history)
    return ObservationForm(
        rules=form_of(seen.rules),
        phase=seen.phase.value,
        turn=seen.turn,
        contract=_text(seen.contract),
        maker=seen.maker,
        strain=_text(seen.strain),
        lone=seen.lone,
        lone_defender=seen.lone_defender,
        playing=seen.playing,
        trick=_trick(trick) if trick else None,
        tricks=tuple(map(_trick, tricks)),
        tricks_won=seen.tricks_won,
        tricks_left=seen.tricks_left,
        round=round_seen(seen, history=history),
        **_own(seen),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _trick(trick: Trick) -> TrickForm:
    return TrickForm(tuple(Play(seat, str(card)) for seat, card in trick.cards), trick.winner)


def observation_to_json(observation: Observation) -> bytes:
    """An Observation as JSON, in one line without a line end. It tells nothing that the seat cannot know."""
    return msgspec.json.encode(observation_form(observation))


_DECODER: Final = msgspec.json.Decoder(ObservationForm)


def observation_from_json(text: bytes | str) -> Observation:
    """The Observation of its JSON form. Raises `NotationError`, also where a part contradicts another."""
    form = parsed(_DECODER, text, 1)
    try:
        rules = rules_of(form.rules)
        observation = _observed(rules, form)
    except InvalidRules as error:
        raise NotationError(error.message, Place(path="rules")) from None
    except NotationError:
        raise
    except BigPepperError as error:
        raise NotationError(error.message, Place(path="round")) from None
    _compare(observation, form)
    return observation


def _observed(rules: Rules, form: ObservationForm) -> Observation:
    """The view of a round that fits all that the seat knows; every one that fits looks the same to it."""

    def refuse(part: str, problem: Message) -> NoReturn:
        raise NotationError(problem, Place(path=f"round.{part}"))

    check_deal(rules, form.round, refuse)
    check_steps(rules, form.round, refuse)
    return complete(rules, form.round, form.turn).last.observation(form.seat)


def _compare(observation: Observation, form: ObservationForm) -> None:
    """Refuse a form of which a part contradicts the round."""
    right = observation_form(observation)
    for name in form.__struct_fields__:
        if getattr(right, name) != getattr(form, name):
            shown = msgspec.json.encode(getattr(right, name)).decode()
            raise NotationError(msg("It does not fit the round; right is {right}.", right=shown), Place(path=name))


def observation_schema() -> dict[str, Any]:
    """The JSON schema of an Observation."""
    return schema_of(ObservationForm, "What one seat may know of a round")
