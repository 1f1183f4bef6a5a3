"""A table of the arena: players at their seats until the round or game is over, and who is to blame if one fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

from bigpepper.arena.entrants import Entrant, Player
from bigpepper.errors import BotFailed, reason_of
from bigpepper.game import Game, require_bot
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, msg


class Table:
    """A player a seat; his seed depends on the seat and not on the seating, so that equal bots play equally.

    `label` begins all seeds. `place` and `seed` are said where a bot fails: by them the match can be played again.
    Raises `BotFailed`, also from `play_round` and `play_game`.
    """

    def __init__(self, rules: Rules, bots: Sequence[Entrant], label: str, place: Message, seed: str) -> None:
        self._rules = rules
        self._bots = bots
        self._place = place
        self._seed = seed
        self._seat = 0  # that was asked last
        with self._blamed():
            self._players = [self._made(seat, f"{label}/{seat}") for seat in range(len(bots))]

    def _made(self, seat: int, label: str) -> Player:
        self._seat = seat
        player = self._bots[seat].make(seed_of(label))
        require_bot(player)
        return player

    def play_round(self, state: State) -> State:
        """The round at its end."""
        with self._blamed():
            while state.turn is not None:
                self._seat = state.turn
                state = state.apply(self._players[self._seat].act(state, self._seat))
        return state

    def play_game(self, game: Game) -> Game:
        """The game at its end."""
        with self._blamed():
            while not game.is_over:
                assert game.state.turn is not None
                self._seat = game.state.turn
                game = game.apply(self._players[self._seat].act(game.state, self._seat))
        return game

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Blame the bot at the seat that was asked last, but not for a key that interrupts."""
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise self._failed(error) from error

    def _failed(self, error: BaseException) -> BotFailed:
        return BotFailed(
            msg(
                "The bot {bot} failed ({rules}, seed {seed}, {place}, seat {seat}): {reason}",
                bot=self._bots[self._seat].name,
                rules=self._rules.name,
                seed=self._seed,
                place=self._place,
                seat=self._seat,
                reason=reason_of(error),
            ),
            error,
        )


def seed_of(text: str) -> int:
    """A seed for a bot, 0 to 2⁶² - 1."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 2
