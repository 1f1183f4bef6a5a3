"""A table for tests: commands in, its log and all batches kept, without a server around it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bigpepper import Discard, Play, Rules
from bigpepper.server import commands as c
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.decide import Decision, create, decide, decide_absence, decide_move
from bigpepper.server.events import Entry
from bigpepper.server.facts import Table
from bigpepper.server.seen import view_of
from bigpepper.server.table import fold

PEOPLE = ("anna", "bert", "cleo", "dora", "emil")
NAMES = {player: player.capitalize() for player in PEOPLE}


class Desk:
    """One table. The first seat is Anna's, who is the host; the clock goes on by a second a batch."""

    def __init__(self, rules: Rules, seed: object = 0, seats: tuple[str, ...] | None = None, **options: object) -> None:
        self.rng = Random(str(seed))
        self.log: list[Entry] = []
        self.batches: list[tuple[Entry, ...]] = []
        self._table: Table | None = None
        self.now = 1_000_000
        seats = ("me", *["novice"] * (rules.players - 1)) if seats is None else seats
        command = c.Create(toml=rules.to_toml(), seats=seats, **options)  # type: ignore[arg-type]
        created = self.take(create(command, Who("anna"), code="CODE", random=self.rng.randbytes(32)))
        assert not isinstance(created, Refusal), created

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def turn(self) -> int:
        turn = self.table.facts.turn
        assert turn is not None
        return turn

    def take(self, decision: Decision) -> Decision:
        """Append what was decided."""
        if isinstance(decision, tuple) and decision:
            self.now += 1_000
            after = self._table.facts.seq if self._table else 0
            batch = tuple(Entry(after + n, self.now, what) for n, what in enumerate(decision, 1))
            for entry in batch:
                self._table = fold(self._table, entry, "table-id")
            self.log += batch
            self.batches.append(batch)
        return decision

    def do(self, player: str, command: c.TableCommand) -> Decision:
        """Carry out a command."""
        who = Who(player, program=player.startswith("program"))
        return self.take(decide(self.table, who, command, random=self.rng.randbytes(32)))

    def code(self, player: str, command: c.TableCommand) -> str | None:
        """Carry out a command; the code of its refusal, None where it was not refused."""
        decision = self.do(player, command)
        return decision.code if isinstance(decision, Refusal) else None

    def ok(self, player: str, command: c.TableCommand) -> None:
        """Carry out a command that is not refused."""
        decision = self.do(player, command)
        assert not isinstance(decision, Refusal), decision

    def seat_everybody(self) -> Desk:
        """People on all seats, Anna on the first, then the start."""
        for number, player in enumerate(PEOPLE[: len(self.table.facts.seats)]):
            if self.table.facts.seats[number].player is None:
                if self.table.facts.seats[number].kind == "bot":
                    self.ok("anna", c.Open(number))
                self.ok(player, c.Take(number, "CODE"))
        self.ok("anna", c.Start())
        return self

    def choose(self) -> str:
        """A legal action of the seat to act, low bids and passes preferred."""
        legal = view_of(self.table, self.turn).legal
        if isinstance(legal[0], (Play, Discard)):
            return str(self.rng.choice(legal))
        return str(legal[min(int(self.rng.expovariate(0.7)), len(legal) - 1)])

    def step(self, action: str | None = None) -> None:
        """Whoever is to act does so: `action`, or anything."""
        action = self.choose() if action is None else action
        facts, seat = self.table.facts, self.turn
        player = facts.seats[seat].player
        if facts.played_by(seat) is None and player is not None:
            self.ok(player, c.Act(facts.n, action))
        else:
            assert not isinstance(self.take(decide_move(self.table, seat, action, facts.n)), Refusal)

    def play_round(self) -> None:
        """Play on until the present round is over."""
        rounds = len(self.table.facts.rounds)
        while self.table.facts.phase == "playing" and len(self.table.facts.rounds) == rounds:
            self.step()

    def play_until(self, phase: str) -> None:
        """Play on until the round is in that phase."""
        while view_of(self.table, self.turn).phase != phase:
            self.step()

    def prefixes(self) -> Iterator[tuple[Table, tuple[Entry, ...]]]:
        """The table after each batch, and the batch."""
        table: Table | None = None
        for batch in self.batches:
            for entry in batch:
                table = fold(table, entry, "table-id")
            assert table is not None
            yield table, batch


def random_command(desk: Desk) -> tuple[str, c.TableCommand]:
    """Anything that anybody might send, often what makes sense at this moment."""
    rng, facts = desk.rng, desk.table.facts
    seated = [seat.player for seat in facts.seats if seat.player]
    player, seat, n = rng.choice((*PEOPLE, "program-1", *seated, *seated, *seated)), rng.randrange(4), facts.n
    if facts.phase == "open" and rng.random() < 0.4:
        sensible = (c.Start(), c.Start(), c.Take(seat, "CODE"), c.Bot(seat, "random"), c.Seed("word"), c.Clock(30))
        return rng.choice((facts.host, player)), rng.choice(sensible)
    if facts.undoable is not None and facts.undo is None and rng.random() < 0.2:
        return facts.seats[facts.undoable].player or player, c.Undo(n)
    if facts.waiting() and rng.random() < 0.8:
        return facts.seats[facts.waiting()[0]].player or player, c.AnswerUndo(n, rng.random() < 0.8)
    if facts.turn is not None and rng.random() < 0.7:
        return facts.seats[facts.turn].player or player, c.Act(n, desk.choose() if rng.random() < 0.95 else "nonsense")
    if facts.phase == "finished" and rng.random() < 0.5:
        return player, c.Rematch()
    if facts.paused and rng.random() < 0.5:
        return player, c.Resume()
    if rng.random() < 0.03:
        return facts.host, c.Remove(seat)
    return rng.choice((facts.host, player, player)), rng.choice(_any_commands(rng, seat, n))


def _any_commands(rng: Random, seat: int, n: int) -> list[c.TableCommand]:
    other, near = rng.randrange(4), max(0, n + rng.randint(-1, 1))
    return [
        c.Act(near, rng.choice(("pass", "1", "big", "H", "JH", "nonsense"))),
        c.Claim(near, rng.randrange(9), rng.choice((None, (1, 1, 0)))),
        c.Undo(near),
        c.Undo(n),
        c.Undo(n),
        c.AnswerUndo(n, rng.random() < 0.7),
        c.AnswerUndo(near, True),
        c.Say(rng.choice(("hello", "curse"))),
        c.Seed("pepper"),
        c.Back(),
        c.Take(seat, rng.choice((None, "CODE", "WRONG"))),
        c.Take(seat, "CODE"),
        *([c.Leave()] if rng.random() < 0.3 else []),
        c.Swap(seat, other),
        c.Bot(seat, rng.choice(("novice", "random", "first", "nobody"))),
        c.Open(seat),
        c.Lock(rng.random() < 0.3),
        c.Remove(seat),
        c.Visibility(rng.random() < 0.5),
        c.Clock(rng.choice((None, 30))),
        c.Start(),
        c.Pause(),
        c.Resume(),
        c.Resume(),
        c.Rematch(),
        *([c.Abandon()] if rng.random() < 0.1 else []),
    ]


def random_step(desk: Desk) -> Decision:
    """A command, a bot's move, or a bot that steps in."""
    facts = desk.table.facts
    if facts.turn is not None and not facts.paused:
        if facts.played_by(facts.turn) is not None and desk.rng.random() < 0.7:
            return desk.take(decide_move(desk.table, facts.turn, desk.choose(), facts.n))
        if desk.rng.random() < 0.02:
            return desk.take(decide_absence(desk.table, facts.turn))
    player, command = random_command(desk)
    return desk.do(player, command)
