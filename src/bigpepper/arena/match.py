"""A match between bots: what is played, how far it is, and what it comes to."""

from __future__ import annotations

import pickle
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from bigpepper._version import __version__
from bigpepper.arena import kept
from bigpepper.arena.duplicate import Duplicate, Task, pairings
from bigpepper.arena.entrants import Entry, entrants, listed_entries
from bigpepper.arena.estimate import Values, estimate
from bigpepper.arena.ratings import ratings
from bigpepper.arena.result import Pairing, Rating, Result
from bigpepper.arena.sequential import Measure, Sprt, Verdict, measure_of
from bigpepper.arena.tally import Tally
from bigpepper.deal import Seed, key_of
from bigpepper.errors import BotFailed, InvalidGame, reason_of
from bigpepper.options import is_whole, shown
from bigpepper.rules import Rules, require_rules
from bigpepper.text import msg
from bigpepper.workers import cores, results

STEP: Final = 4
"""Deals a task: enough that little is sent between processes, few enough that none waits long for another."""
DEALS_A_GAME: Final = 10
"""Unless told otherwise a game is played for each ten deals; it takes about as long as they do."""
_SECONDS_BETWEEN_SAVES: Final = 2.0


class Goal(NamedTuple):
    """How much is to be played."""

    deals: int
    games: int


class Match:
    """A match: `play` goes on with it, `result` tells what it has come to.

    With `path` it is kept in that file, from which the same match goes on; a larger goal makes it longer. The same
    rulebook, bots, seed, goal and test give the same result, whatever the number of processes and however often it was
    stopped. A seed is a number, a text or bytes; `work.seed` is its text, and seeds of one text are the same: 5 and
    "5", b"\\x05" and "bytes 05". Raises `UnknownBot`, `InvalidGame`, `BigPepperError`.
    """

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[Entry],
        goal: Goal,
        *,
        seed: Seed = "0",
        sprt: Sprt | None = None,
        path: Path | str | None = None,
    ) -> None:
        require_rules(rules)
        self.work = Duplicate(rules, entrants(bots), _seed_text(seed))
        self.goal = goal
        self.sprt = sprt
        self.path = None if path is None else kept.path_of(path)
        self._check()
        self.tally = kept.load(self.path, self._fresh()) if self.path else Tally()

    def _check(self) -> None:
        if not all(map(is_whole, self.goal)) or min(self.goal) < 0 or max(self.goal) < 2:
            raise InvalidGame(
                msg(
                    "A match takes at least two deals or two games; given: {deals} and {games}.",
                    deals=shown(self.goal[0]),
                    games=shown(self.goal[1]),
                )
            )
        if self.sprt and len(self.work.entrants) != 2:
            raise InvalidGame(msg("A sequential test compares two bots; {n} are given.", n=len(self.work.entrants)))
        if self.sprt and (self.goal.games if self.sprt.measure is Measure.GAMES else self.goal.deals) < 2:
            raise InvalidGame(msg("The test is on {measure}, and none are played.", measure=self.sprt.measure))

    def _fresh(self) -> kept.Kept:
        names = [one.name for one in self.work.entrants]
        rules = self.work.rules
        return kept.Kept(kept.FORMAT, __version__, rules.name, rules.digest, names, self.work.seed, [], [])

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self, processes: int | None = None) -> Generator[None]:
        """Play on to the goal or to the end of the test; yields each time that something was added to `tally`.

        Kept at once, every few seconds, and when it ends, also by an error or a key that interrupts. `processes`: all
        cores unless given. Raises `InvalidGame`, `BotFailed`, `BigPepperError`.
        """
        if processes is not None and not (is_whole(processes) and processes > 0):
            raise InvalidGame(msg("A match is played by one process or more; given: {given}.", given=shown(processes)))
        return self._play(processes or cores())

    def _check_sendable(self) -> None:
        """Raise `InvalidGame` where other processes cannot be sent the bots."""
        try:
            pickle.dumps(self.work)
        except Exception as error:
            raise InvalidGame(
                msg(
                    "A bot of this match cannot be sent to other processes: {reason}. Its factory has to be a class, a "
                    "function of a module or a partial of one; any will do where there is one process.",
                    reason=reason_of(error),
                )
            ) from error

    def _play(self, processes: int) -> Generator[None]:
        if processes > 1 and len(list(islice(self._tasks(), 2))) > 1:
            self._check_sendable()
        self.save()
        saved = time.monotonic()
        try:
            if self.is_finished():
                return
            with closing(results(self.work, self._tasks(), processes)) as outcomes:
                for outcome in outcomes:
                    self.tally.add(outcome)
                    if self.path and time.monotonic() > saved + _SECONDS_BETWEEN_SAVES:
                        self.save()
                        saved = time.monotonic()
                    yield
                    if self.is_finished():
                        break
        except BotFailed as failed:
            if failed.__cause__ is not failed.error:  # it comes from another process, with a traceback as text
                failed.error.__cause__ = failed.__cause__
            raise failed from failed.error
        finally:
            self.save()

    def save(self) -> None:
        """Write the match to its file, if it has one."""
        if self.path:
            kept.save(self.path, self._fresh(), self.tally)

    def is_finished(self) -> bool:
        """Whether all is played, or the test has come to an end."""
        done = len(self.tally.deals) >= self.goal.deals and len(self.tally.games) >= self.goal.games
        return done or bool((verdict := self.verdict) and verdict.accepted)

    def _tasks(self) -> Iterator[Task]:
        """What is left, deals and games side by side, so that both stand when the match is stopped.

        A match that was stopped goes on in the same order, with the games that are due first: a test looks at the same
        moments.
        """
        deals, games = len(self.tally.deals), len(self.tally.games)
        while True:
            due = self.goal.games * deals // self.goal.deals if deals < self.goal.deals else self.goal.games
            yield from (Task(range(0), range(game, game + 1)) for game in range(games, due))
            games = max(games, due)
            if deals >= self.goal.deals:
                return
            step = range(deals, min(deals - deals % STEP + STEP, self.goal.deals))
            yield Task(step, range(0))
            deals = step.stop

    # --- what it has come to ----------------------------------------------------------------------------------------

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test says, if there is one."""
        if self.sprt is None:
            return None
        return self.sprt.verdict(self.values(self.sprt.measure))

    def values(self, measure: Measure | str, pairing: int = 0) -> Values:
        """One value a deal, or a game, of a pairing. Raises `InvalidGame`."""
        return self.tally.won(pairing) if measure_of(measure) is Measure.GAMES else self.tally.differences(pairing)

    def result(self) -> Result:
        """The match so far."""
        names = tuple(one.name for one in self.work.entrants)
        return Result(
            self.work.rules,
            names,
            self.work.seed,
            len(self.tally.deals),
            len(self.tally.games),
            self.is_finished(),
            tuple(
                self._pairing(i, (names[first], names[second]))
                for i, (first, second) in enumerate(pairings(len(names)))
            ),
            self._ratings(names),
            self.verdict,
        )

    def _pairing(self, number: int, names: tuple[str, str]) -> Pairing:
        return Pairing(
            names,
            estimate(self.values(Measure.POINTS, number)),
            self.tally.points(number),
            estimate(self.values(Measure.GAMES, number), of_games=True),
        )

    def _ratings(self, names: Sequence[str]) -> tuple[Rating, ...]:
        if len(names) < 3 or len(self.tally.games) < 2:
            return ()
        rated = [
            Rating(name, rating) for name, rating in zip(names, ratings(self.tally.all_won(), len(names)), strict=True)
        ]
        return tuple(sorted(rated, key=lambda one: (-round(one.rating.mean, 6), one.bot)))


def _seed_text(seed: Seed) -> str:
    """The seed as the one text that the match is played and kept by. Raises `InvalidGame`."""
    key_of(seed)
    return f"bytes {seed.hex()}" if isinstance(seed, bytes) else f"{seed}"


def play_match(
    rules: Rules,
    bots: Sequence[Entry],
    *,
    deals: int = 1000,
    games: int | None = None,
    seed: Seed = "0",
    processes: int | None = None,
    sprt: Sprt | None = None,
    path: Path | str | None = None,
) -> Result:
    """A whole match between two bots or more, each pair on the same duplicate deals.

    `bots`: names for `bots.load`, factories that take a seed, or entrants (`oracle("novice")`). `deals`: single rounds
    from scores of 0; `games`: whole games, a tenth of that unless given. Both are played once from every seating.
    `seed`: a number, a text or bytes, see `Match`. `processes`: all cores unless given. `path`: a file to keep the
    match in. Raises `UnknownBot`, `InvalidGame`, `BotFailed`, `BigPepperError`.
    """
    if games is None:
        games = deals // DEALS_A_GAME if is_whole(deals) else 0
    goal = Goal(deals, games)
    match = Match(rules, bots, goal, seed=seed, sprt=sprt, path=path)
    for _ in match.play(processes):
        pass
    return match.result()


def duel(
    rules: Rules,
    bots: tuple[Entry, Entry],
    *,
    deals: int = 1000,
    games: int | None = None,
    seed: Seed = "0",
    processes: int | None = None,
    sprt: Sprt | None = None,
    path: Path | str | None = None,
) -> Result:
    """A match between two bots; `.points` and `.games_won` are the first bot's. See `play_match`."""
    given = listed_entries(bots)
    if len(given) != 2:
        raise InvalidGame(msg("A duel is between two bots; {n} are given. play_match takes more.", n=len(given)))
    return play_match(rules, bots, deals=deals, games=games, seed=seed, processes=processes, sprt=sprt, path=path)
