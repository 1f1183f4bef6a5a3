"""What an OpenSpiel player sees, as strings and tensors, in OpenSpiel's PyObserver form. From Observations alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from bigpepper.actions import Discard
from bigpepper.envs.bounds import longest_round
from bigpepper.envs.encode import encoder
from bigpepper.envs.position import Position
from bigpepper.envs.settings import InvalidSetting
from bigpepper.observation import Observation
from bigpepper.rules import Rules
from bigpepper.text import listed, msg


class SpielObserver:
    """Observations of one kind: public and private parts, with or without perfect recall.

    The tensor has the pieces `player` (one hot), `flags` and `numbers` (an encoded observation, see
    docs/observations.md; a public one is the spectator's) and, with perfect recall, `actions`: for each action of the
    round a row of len(rules.actions) + 1, its number one hot, or the last place for a discard that one may not see. A
    purely private one has `hand`. While cards are being dealt, strings and `hand` tell those one has got so far, and
    all other pieces are zero.
    """

    def __init__(
        self, rules: Rules, of_games: bool, kind: pyspiel.IIGObservationType, params: dict[str, Any] | None
    ) -> None:
        if params:
            raise InvalidSetting(msg("Observers of this game take no parameters, not {given}.", given=listed(params)))
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise InvalidSetting(msg("An observer of this game sees what one player sees, not all cards."))
        self.rules = rules
        self.of_games = of_games
        self.is_public: bool = kind.public_info
        self.is_private: bool = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.recalls: bool = kind.perfect_recall
        self._row = len(rules.actions) + 1  # how long a row of the piece `actions` is
        pieces = dict(self._pieces())
        self.tensor: NDArray[np.float32] = np.zeros(sum(int(np.prod(shape)) for shape in pieces.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        """The pieces, as views into `tensor`."""
        at = 0
        for name, shape in pieces.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def _pieces(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield "player", (self.rules.players,)
        if self.is_public:
            coder = encoder(self.rules)
            yield "flags", (coder.layout.flags,)
            yield "numbers", (coder.size - coder.layout.flags,)
        elif self.is_private:
            yield "hand", (len(self.rules.deck),)
        if self.is_public and self.recalls and not self.of_games:
            yield "actions", (longest_round(self.rules) * self._row,)

    # --- tensors ----------------------------------------------------------------------------------------------------

    def set_from(self, state: Any, player: int) -> None:
        """Fill `tensor` with what `player` sees."""
        self.tensor.fill(0)
        observation = self._seen(state.position, player)
        if "hand" in self.dict:
            hand = observation.hand if observation else state.position.dealt_to(player)
            self.dict["hand"][[self.rules.card_number[card] for card in hand]] = 1
        if observation is None:
            return
        self.dict["player"][player] = 1
        if self.is_public:
            coder, begin = encoder(self.rules), self.rules.players
            coder.encode(observation, self.tensor[begin : begin + coder.size])
        if "actions" in self.dict:
            for row, number in enumerate(self._numbers(observation)):
                self.dict["actions"][row * self._row + number] = 1

    def _numbers(self, observation: Observation) -> Iterator[int]:
        for turn in observation.history:
            hidden = isinstance(turn.action, Discard) and turn.action.card is None
            yield len(self.rules.actions) if hidden else self.rules.number_of[turn.action]  # type: ignore[index]

    def _seen(self, position: Position, player: int) -> Observation | None:
        return position.round.observation(player if self.is_private else None) if position.round else None

    # --- strings ----------------------------------------------------------------------------------------------------

    def string_from(self, state: Any, player: int) -> str:
        """What `player` sees. With perfect recall: of every round the own cards as dealt and all that was done."""
        position: Position = state.position
        seat, observation = player if self.is_private else None, self._seen(position, player)
        if not self.is_public:
            own = private_text(observation) if observation else dealt_text(position, seat)
            return own if self.is_private else ""
        if self.recalls:
            return "\n".join(self._recalled(position, seat))
        return present_text(observation) if observation else dealing_text(position, seat)

    def _recalled(self, position: Position, seat: int | None) -> Iterator[str]:
        for finished in position.rounds:
            yield recalled_text(finished.observation(seat))
        if position.round is None:
            yield dealing_text(position, seat)
        elif not position.is_over:
            yield recalled_text(position.round.observation(seat))


def dealing_text(position: Position, seat: int | None) -> str:
    """Cards are being dealt: what everybody sees, and the cards that a seat has got so far."""
    table = f"dealer {position.dealer}, {len(position.dealt)} cards dealt, scores {_numbers_text(position.scores)}"
    return f"{table}, {dealt_text(position, seat)}".removesuffix(", ")


def dealt_text(position: Position, seat: int | None) -> str:
    """The cards that a seat has got so far; empty for a spectator."""
    cards = position.dealt_to(seat) if seat is not None else ()
    return f"hand {_cards(cards)}" if cards else ""


def recalled_text(observation: Observation) -> str:
    """All that an observer knows of a round, in a line: cards as dealt, and what was done."""
    own = [f"seat {observation.seat}, dealt {_cards(observation.dealt)}"] if observation.seat is not None else []
    widow = [f"widow {observation.widow}"] if observation.widow else []
    table = [f"dealer {observation.dealer}", f"scores {_numbers_text(observation.scores)}"]
    return f"{', '.join([*own, *table, *widow])}: {observation}".rstrip()


def private_text(observation: Observation) -> str:
    """What an observer alone knows: the hand, the widow taken, the card laid away."""
    parts = {"hand": _cards(observation.hand), "widow": observation.widow, "discarded": observation.discarded}
    return ", ".join(f"{name} {value}" for name, value in parts.items() if value)


def present_text(observation: Observation) -> str:
    """The table as it is now, without what was said and played before."""
    trick = observation.trick
    parts = {
        "seat": observation.seat,
        "dealer": observation.dealer,
        "scores": _numbers_text(observation.scores),
        "turn": observation.turn,
        "maker": observation.maker,
        "contract": observation.contract,
        "strain": observation.strain,
        "lone": observation.lone,
        "lone defender": observation.lone_defender,
        "won": _numbers_text(observation.tricks_won),
        "trick": " ".join(f"{seat}:{card}" for seat, card in trick.cards) if trick else None,
    }
    table = ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
    return f"{observation.phase}, {table}, {private_text(observation)}".removesuffix(", ")


def _cards(cards: Any) -> str:
    return " ".join(str(card) for card in cards)


def _numbers_text(numbers: tuple[int, ...]) -> str:
    return " ".join(str(number) for number in numbers)
