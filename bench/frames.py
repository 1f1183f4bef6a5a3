"""What an action at a table of four programs takes of the processor, until the frames of all four are written.

    python -m bench.frames [TABLES] [ACTIONS]

One process, no network; always the same deals and actions, so that the digest of all frames tells whether a byte of
them has changed.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import aclosing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from bench.report import Figure
from bigpepper import Rules
from bigpepper.server.answers import Done
from bigpepper.server.cases import Who
from bigpepper.server.commands import Act, Create, Start, Take
from bigpepper.server.facts import Table
from bigpepper.server.live import Live
from bigpepper.server.seen import view_of
from bigpepper.server.service import Service
from bigpepper.server.store import Store

TABLES: Final = 200
ACTIONS: Final = 40
"""Of each table: a round and a bit."""
_EPOCH: Final = 1_700_000_000_000


class Measured(NamedTuple):
    """What was seen."""

    actions: int
    seconds: float
    """Processor time of the process, over all its threads."""
    loop: float
    """Of that, of the thread that does everything but reading and writing the database."""
    size: int
    """Bytes of all frames."""
    digest: str


class _Game:
    """A table and what its players have been sent."""

    def __init__(self, service: Service, random: Random, table: Table, players: list[Who]) -> None:
        self._service = service
        self._random = random
        self._id = table.facts.id
        self._players = players
        self.frames: list[list[str]] = [[] for _ in players]
        self._seqs = [0] * len(players)
        self._came = asyncio.Event()

    async def follow(self, seat: int, words: bool) -> None:
        """Take whatever one player is sent."""
        following = self._service.follow(self._id, self._players[seat].player, words=words)
        async with aclosing(following):
            async for frames in following:
                self.frames[seat] += frames
                self._seqs[seat] = self._table.facts.seq
                self._came.set()

    @property
    def _table(self) -> Table:
        room = self._service.rooms.at_hand(self._id)
        assert room is not None
        return room.table

    def choose(self) -> tuple[Who, Act]:
        """What is done next."""
        facts, turn = self._table.facts, self._table.facts.turn
        assert turn is not None
        legal = view_of(self._table, turn).legal
        return self._players[turn], Act(facts.n, str(self._random.choice(legal[:3])))

    async def act(self, who: Who, act: Act) -> None:
        """Do it, and wait until all have been told."""
        done = await self._service.do(self._id, who, act)
        assert isinstance(done, Done), done
        await self.told()

    async def told(self) -> None:
        """Wait until all have been told all."""
        while min(self._seqs) < self._table.facts.seq:
            self._came.clear()
            await self._came.wait()


class _Clock:
    """A clock that goes on when it is told to, so that it does not matter which table is faster."""

    now = _EPOCH

    def read(self) -> int:
        """Milliseconds of Unix time."""
        return self.now


async def _begun(service: Service, random: Random, number: int) -> _Game:
    toml = Rules.load("pepper-4").replace(target=300).to_toml()
    players = [await service.people.new(f"Robot {number}-{seat}", program=True) for seat in range(4)]
    table = await service.create(players[0], Create(toml=toml, seats=("me",)))
    assert isinstance(table, Table)
    for seat in range(1, 4):
        await service.do(table.facts.id, players[seat], Take(seat, table.facts.code))
    await service.do(table.facts.id, players[0], Start())
    return _Game(service, random, table, players)


async def _measure(folder: Path, tables: int, actions: int, words: bool) -> Measured:
    random, clock = Random(1), _Clock()
    store = await Store.open(str(folder / "tables.sqlite"))
    service = Service(store, Live(), now=clock.read, random=random.randbytes)
    games = [await _begun(service, random, number) for number in range(tables)]
    followers = [asyncio.create_task(game.follow(seat, words)) for game in games for seat in range(4)]
    await asyncio.gather(*(game.told() for game in games))
    seconds = loop = 0.0
    for _ in range(actions):
        chosen = [game.choose() for game in games]
        clock.now += 1_000
        begun, own = time.process_time(), time.thread_time()
        await asyncio.gather(*(game.act(who, act) for game, (who, act) in zip(games, chosen, strict=True)))
        seconds += time.process_time() - begun
        loop += time.thread_time() - own
    for follower in followers:
        follower.cancel()
    await asyncio.wait(followers)
    await store.close()
    sent = "\n".join(frame for game in games for frames in game.frames for frame in frames).encode()
    return Measured(tables * actions, seconds, loop, len(sent), sha256(sent).hexdigest())


def measure(tables: int = TABLES, actions: int = ACTIONS, *, words: bool = False) -> Measured:
    """Play so many actions at each of so many tables."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), tables, actions, words))


def frames() -> list[Figure]:
    """Processor time of an action, and the four frames it brings about; without sentences and with them."""
    measure(2, 5)  # whatever is made once in a process
    figures = []
    for words in (False, True):
        found = measure(words=words)
        each = 1_000 * found.seconds / found.actions
        what = "with sentences" if words else "without"
        figures.append(Figure(f"an action and its four frames, {what}, processor time", [each], "ms", each))
    return figures


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    measure(2, 5)  # whatever is made once in a process
    for words in (False, True):
        found = measure(*given, words=words)
        each, own = (1_000 * seconds / found.actions for seconds in (found.seconds, found.loop))
        print(f"{each:.3f} ms, {own:.3f} of them in the loop; {found.size} bytes, {found.digest}")
