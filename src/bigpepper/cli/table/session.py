"""One person's game against bots: whose turn, acting, taking back. No input, no output, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bigpepper.actions import Action
from bigpepper.bots import load
from bigpepper.cli.table.names import Names, seat_names
from bigpepper.deal import key_of
from bigpepper.errors import InvalidGame
from bigpepper.game import Game
from bigpepper.notation import GameRecord
from bigpepper.observation import Observation
from bigpepper.rules import Rules
from bigpepper.text import msg


@dataclass(frozen=True)
class Setup:
    """What a table is set up with, and all that its future depends on."""

    rules: Rules
    seed: str
    """Deals, the first dealer and the bots come from it."""
    seat: int
    """Yours, 0 to players - 1."""
    bots: tuple[str, ...]
    """The bot of each seat; "" at yours."""
    bot_seeds: tuple[int, ...]
    """The seed of each seat's bot; 0 at yours."""

    @classmethod
    def of(cls, rules: Rules, seed: str, seat: int, bots: Sequence[str]) -> Setup:
        """With the bots in the order of their seats, clockwise from your left; the last one fills what is left over.

        Raises `InvalidGame` for a seat that is not there, too many bots, or one without a name.
        """
        if not 0 <= seat < rules.players:
            raise InvalidGame(msg("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=rules.players - 1))
        others = rules.players - 1
        if not 1 <= len(bots) <= others:
            raise InvalidGame(
                msg(
                    "{given} bots do not fit: {rules} has {n} other seats.", given=len(bots), rules=rules.name, n=others
                )
            )
        if not all(bots):
            raise InvalidGame(
                msg("A bot has no name: write the names with single commas between them, “novice,random”.")
            )
        filled = [*bots, *[bots[-1]] * (others - len(bots))]
        seats = [""] * rules.players
        for i, bot in enumerate(filled):
            seats[(seat + 1 + i) % rules.players] = bot
        return cls(
            rules, seed, seat, tuple(seats), tuple(_bot_seed(seed, i) if bot else 0 for i, bot in enumerate(seats))
        )


def _bot_seed(seed: str, seat: int) -> int:
    return int.from_bytes(key_of(f"{seed} bot {seat}")[:6], "big")


@dataclass(frozen=True)
class View:
    """All that you may see of your game: it holds no State, so no face of the table can show what you may not know."""

    names: Names
    now: Observation
    """The round being played; the last one when the game is over."""
    past: tuple[Observation, ...]
    """The finished rounds."""
    scores: tuple[int, ...]
    """Points a side after the finished rounds."""
    winners: tuple[int, ...]
    """The sides that have won; empty while the game goes on."""
    practice: bool
    """Whether something was taken back."""

    @property
    def rules(self) -> Rules:
        """The rulebook in force."""
        return self.now.rules

    @property
    def you(self) -> int:
        """Your seat."""
        return self.names.you

    @property
    def your_turn(self) -> bool:
        """Whether you are to act."""
        return not self.winners and self.now.turn == self.you

    @property
    def round(self) -> int:
        """The number of the round being played, from 1."""
        return len(self.past) + (not self.winners)


class Session:
    """The game and how it came about. It changes with `act`, `bot_acts` and `undo`; a `Game` itself never does."""

    def __init__(self, setup: Setup, game: Game | None = None, practice: bool = False) -> None:
        self.setup = setup
        self.game = game or Game.new(setup.rules, seed=setup.seed)
        self.practice = practice
        self.origin: GameRecord | None = None  # the first record of it: event, date, players and tags stay
        self._before: list[Game] = []
        self._bots = [
            load(bot, seed=seed) if bot else None for bot, seed in zip(setup.bots, setup.bot_seeds, strict=True)
        ]
        self._names = seat_names(setup.seat, setup.bots)
        self._past: list[Observation] = []

    @property
    def names(self) -> Names:
        """Who sits where."""
        return self._names

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.game.is_over

    @property
    def your_turn(self) -> bool:
        """Whether you are to act."""
        return not self.is_over and self.game.state.turn == self.setup.seat

    def view(self) -> View:
        """What you may see now."""
        game, seat = self.game, self.setup.seat
        del self._past[len(game.rounds) :]
        self._past += [state.observation(seat) for state in game.rounds[len(self._past) :]]
        return View(
            names=self._names,
            now=game.state.observation(seat),
            past=tuple(self._past),
            scores=game.scores,
            winners=game.winners,
            practice=self.practice,
        )

    def act(self, action: Action | str) -> None:
        """Do it for whoever is to act. Raises `IllegalAction`; nothing changes then."""
        game = self.game.apply(action)
        if self.your_turn:
            self._before.append(self.game)
        self.game = game

    def bot_acts(self) -> None:
        """The bot whose turn it is acts."""
        turn = self.game.state.turn
        bot = self._bots[turn] if turn is not None else None
        assert bot is not None
        assert turn is not None
        self.act(bot.act(self.game.state.observation(turn)))

    @property
    def can_undo(self) -> int:
        """How many actions of yours there are to take back."""
        return len(self._before)

    def undo(self) -> None:
        """Take back your last action, and all that followed it. From then on the game is practice."""
        self.game = self._before.pop()
        del self._past[len(self.game.rounds) :]
        self.practice = True
