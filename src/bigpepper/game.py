"""A game: rounds until somebody wins. Immutable; every action a new Game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bigpepper.actions import Action
from bigpepper.deal import Deals, DealStream, Seed
from bigpepper.errors import IllegalAction, InvalidGame, UnknownBot
from bigpepper.observation import Observation
from bigpepper.options import in_place
from bigpepper.rules import Rules, require_rules
from bigpepper.state import State
from bigpepper.text import msg


class Bot(Protocol):
    """Whoever plays a seat: a value whose `act` depends on its seed and the observation alone."""

    def act(self, observation: Observation, /) -> Action:
        """One of `observation.legal`; the package's own bots raise `IllegalAction` where there is none."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """The rounds that are finished and the one being played. `Game.new` begins one, `apply` goes on.

    When a round ends and nobody has won, the next one is dealt at once: the finished one is `rounds[-1]`.
    """

    rules: Rules
    rounds: tuple[State, ...]
    """The finished rounds, thrown-in ones included."""
    state: State
    """The round being played; the last one when the game is over."""
    scores: tuple[int, ...]
    """Points of each side after the finished rounds."""
    winners: tuple[int, ...]
    """The sides that have won, one to three; empty while the game goes on."""
    deals: Deals = field(compare=False)
    """The deal of each round; it knows the rounds to come, so it is not for players."""

    @classmethod
    def new(
        cls,
        rules: Rules,
        *,
        seed: Seed | None = None,
        deals: Deals | None = None,
        dealer: int | None = None,
        scores: Sequence[int] | None = None,
    ) -> Game:
        """Begin a game. Its deals come from `seed`, or from `deals`, called with the round's number 0, 1, 2, …

        The first dealer is drawn from the seed unless given (seat 0 with `deals`). Raises `InvalidGame`, and
        `InvalidRules` for a name in place of rules.
        """
        require_rules(rules)
        if (deals is None) == (seed is None):
            raise InvalidGame(msg("A game is begun with either a seed or deals."))
        if seed is not None:
            stream = DealStream(rules, seed)
            deals, dealer = stream, stream.first_dealer() if dealer is None else dealer
        assert deals is not None
        state = State.new(rules, deal=deals(0), dealer=dealer or 0, scores=scores)
        return cls(rules, (), state, state.scores, (), deals)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return bool(self.winners)

    def apply(self, action: Action | str) -> Game:
        """The game after the seat to act has done `action`. Raises `IllegalAction`, `InvalidAction`."""
        if self.is_over:
            raise IllegalAction(msg("“{action}” comes too late: the game is over.", action=action))
        return self._with(self.state.apply(action))

    def claim(self, seat: int, n: int, split: Sequence[int] | None = None) -> Game:
        """The game after a claim, see `State.claim`. Raises `InvalidClaim`."""
        return self._with(self.state.claim(seat, n, split))

    def _with(self, state: State) -> Game:
        if not state.is_over:
            return Game(self.rules, self.rounds, state, self.scores, (), self.deals)
        rounds = (*self.rounds, state)
        assert state.points is not None
        scores = tuple(score + points for score, points in zip(self.scores, state.points, strict=True))
        winners = state.winners(len(rounds))
        if not winners:
            deal = self.deals(len(rounds))
            state = State.new(self.rules, deal=deal, dealer=state.next_dealer(), scores=scores)
        return Game(self.rules, rounds, state, scores, winners, self.deals)

    @property
    def record(self) -> dict[str, object]:
        """The game as plain data: the complete rules, and every round with deal, history and points.

        A round's `points` are None while it is being played; its history are texts `seat:action`.
        """
        states = self.rounds if self.is_over else (*self.rounds, self.state)
        return {
            "rules": {"name": self.rules.name, **self.rules.options()},
            "rounds": [_round_record(state) for state in states],
            "scores": list(self.scores),
            "winners": list(self.winners),
        }

    def __repr__(self) -> str:
        return f"<Game {self.rules.name}, round {len(self.rounds) + (not self.is_over)}, scores {list(self.scores)}>"


def _round_record(state: State) -> dict[str, object]:
    return {
        "dealer": state.dealer,
        "scores": list(state.scores),
        "deal": str(state.deal),
        "history": [str(turn) for turn in state.history],
        "thrown_in": state.thrown_in,
        "points": None if state.points is None else list(state.points),
    }


def require_bot(given: object) -> None:
    """Raise `UnknownBot` unless this can act; a bot's name alone cannot."""
    if not callable(getattr(given, "act", None)):
        raise UnknownBot(
            msg(
                "A bot is wanted, an object with “act”, not {given}; bots.load makes one from a name.",
                given=in_place(given),
            )
        )


def play(rules: Rules, bots: Sequence[Bot], *, seed: Seed) -> Game:
    """A whole game between bots, one object a seat; it ends after 200 rounds at the latest (rules §5).

    Raises `InvalidGame` unless there is a bot for every seat, `UnknownBot` for what is no bot, `InvalidRules` for what
    are no rules, and `IllegalAction` when a bot does what it may not.
    """
    require_rules(rules)
    if len(bots) != rules.players:
        raise InvalidGame(
            msg("There are {given} bots; {rules} has {n} seats.", given=len(bots), rules=rules.name, n=rules.players)
        )
    for bot in bots:
        require_bot(bot)
    game = Game.new(rules.for_programs(), seed=seed)
    while not game.is_over:
        turn = game.state.turn
        assert turn is not None
        game = game.apply(bots[turn].act(game.state.observation(turn)))
    return game
