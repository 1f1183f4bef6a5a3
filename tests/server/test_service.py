"""The service: commands meet the log, viewers follow it, bots and clocks act by themselves. On a clock of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from bigpepper import Rules, notation
from bigpepper.server import commands as c
from bigpepper.server import events, pacing
from bigpepper.server.answers import Done, Refused
from bigpepper.server.cases import Refusal, Who
from bigpepper.server.database import Unavailable
from bigpepper.server.fairness import verify
from bigpepper.server.live import Live
from bigpepper.server.seen import Seen
from bigpepper.server.service import Service
from bigpepper.server.store import Store
from bigpepper.server.table import fold_all
from bigpepper.server.waker import LEASE, Waker
from bigpepper.text import msg
from server.databases import KINDS, Time, bytes_of, url_of

every_database = pytest.mark.parametrize("kind", KINDS)


class House:
    """A store with services (one a process, were they apart), a waker for each, and players."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.time = Time()
        self.store: Store
        self.services: list[Service] = []
        self.wakers: list[Waker] = []

    async def open(self, workers: int = 1) -> House:
        self.store = await Store.open(self.url)
        for number in range(workers):
            service = Service(self.store, Live(), now=self.time.now, random=bytes_of(len(self.services) + 7))
            self.services.append(service)
            self.wakers.append(Waker(service, f"worker {number}", self.time.sleep))
        return self

    @property
    def service(self) -> Service:
        return self.services[0]

    async def table(
        self, rules: str = "tiny", seats: tuple[str, ...] = ("me", "novice"), **options: Any
    ) -> tuple[str, Who]:
        anna = await self.service.people.new("Anna")
        table = await self.service.create(anna, c.Create(rules=rules, seats=seats, **options))
        assert not isinstance(table, Refusal)
        return table.facts.id, anna

    async def look(self, table_id: str, player: str | None = None) -> Seen:
        seen = await self.service.look(table_id, player)
        assert seen is not None
        return seen

    async def ok(self, table_id: str, who: Who, command: c.TableCommand) -> Done:
        done = await self.service.do(table_id, who, command)
        assert isinstance(done, Done), done
        return done

    async def wake(self, ms: int = 0) -> int:
        """Let time go on, and everything be done that is due then; returns how many tables were looked at."""
        self.time.ms += ms
        looked = 0
        for waker in self.wakers:
            waker._polled = 0  # ask the database at once
            tasks = await waker.start_due()
            await asyncio.gather(*tasks)
            looked += len(tasks)
        return looked

    async def play(self, table_id: str, players: dict[int, Who]) -> None:
        """Play on to the end: players their first legal card or a bid, everything else by itself."""
        for _ in range(3_000):
            seen = await self.look(table_id)
            if seen.facts.phase != "playing":
                return
            who = players.get(seen.facts.turn if seen.facts.turn is not None else -1)
            if who is None:
                await self.wake(1_000)
                continue
            own = await self.look(table_id, who.player)
            assert own.observation is not None
            legal = own.observation.legal
            action = legal[1] if str(legal[0]) == "pass" and len(legal) > 1 else legal[0]
            await self.ok(table_id, who, c.Act(seen.facts.n, str(action)))
        raise AssertionError("the game does not end")


def run(kind: str, folder: Path, test: Callable[[House], Awaitable[None]], workers: int = 1) -> None:
    async def opened() -> None:
        house = await House(await url_of(kind, folder)).open(workers)
        try:
            await test(house)
        finally:
            await house.store.close()

    asyncio.run(opened())


# --- commands ---------------------------------------------------------------------------------------------------------


@every_database
def test_a_game_against_a_bot_is_played_to_its_end(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table()
        await house.ok(table_id, anna, c.Seed("pepper"))
        await house.ok(table_id, anna, c.Start())
        await house.play(table_id, {0: anna})
        seen = await house.look(table_id, anna.player)
        assert seen.facts.how == "finished"
        assert seen.facts == fold_all(await house.store.read(table_id), table_id).facts
        record = await house.service.record(table_id, None)
        assert record is not None
        assert verify(record) == len(record.rounds)
        assert record.players[0].name == "Anna"
        (counts,) = await house.service.people.statistics(anna.player)
        points = [round.result.points[0] for round in record.rounds if round.result]
        assert (counts.rounds, counts.points) == (len(points), sum(points))
        assert counts.games_won == (0 in seen.facts.winners)
        naming = [round for round in record.rounds if round.naming and round.naming.seat == 0]
        assert counts.bids == len(naming) > 0
        assert counts.made == sum(map(made, naming))

    run(kind, tmp_path, test)


def made(round: notation.RoundRecord) -> bool:
    """Whether seat 0, the maker of two players, won the tricks that it bid."""
    bid = [act.action for act in round.auction if act.action != "pass"][-1]
    needed = {rung.name: rung.tricks for rung in Rules.load("tiny").ladder}[bid]
    return round.result is not None and round.result.tricks[0] >= needed


@every_database
def test_of_racing_commands_each_step_takes_one(kind: str, tmp_path: Path) -> None:
    """Many coroutines, on three services that know nothing of each other, send the same and other actions."""

    async def test(house: House) -> None:
        table_id, anna = await house.table(seats=("me", "open"))
        code = (await house.look(table_id)).facts.code
        bert = await house.service.people.new("Bert")
        await house.ok(table_id, bert, c.Take(1, code))
        await house.ok(table_id, anna, c.Start())
        players, done = (anna, bert), 0
        while (seen := await house.look(table_id)).facts.n < 16:
            turn, n = seen.facts.turn, seen.facts.n
            assert turn is not None
            own = await house.look(table_id, players[turn].player)
            assert own.observation is not None
            action = str(own.observation.legal[-1])
            answers = await asyncio.gather(
                *(
                    service.do(table_id, who, command)
                    for service in house.services
                    for who, command in (
                        (players[turn], c.Act(n, action)),
                        (players[turn], c.Act(n, action)),
                        (players[1 - turn], c.Act(n, action)),
                        (players[1 - turn], c.Say("hello")),
                    )
                )
            )
            acts = [answer for i, answer in enumerate(answers) if i % 4 != 3]
            assert sum(isinstance(answer, Done) for answer in acts) == 1, acts
            assert all(isinstance(answer, Done) for answer in answers[3::4])
            codes = {answer.code for answer in acts if isinstance(answer, Refused)}
            assert codes <= {"duplicate", "stale", "not_your_turn"}
            done += 1
        kept = await house.store.read(table_id)
        acted = [entry.what for entry in kept if isinstance(entry.what, events.Acted)]
        assert [what.n for what in acted] == list(range(done))
        assert sum(isinstance(entry.what, events.Said) for entry in kept) == 3 * done
        assert [entry.seq for entry in kept] == list(range(1, len(kept) + 1))

    run(kind, tmp_path, test, workers=3)


@every_database
def test_what_a_worker_does_not_know_yet_is_read_before_a_refusal(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        one, other = house.services
        table_id, anna = await house.table(rules="pepper-2", seats=("me", "open"))
        await other.look(table_id, None)
        bert = await one.people.new("Bert")
        code = (await house.look(table_id)).facts.code
        await house.ok(table_id, bert, c.Take(1, code))
        await house.ok(table_id, anna, c.Start())
        seen = await house.look(table_id)
        players = (anna, bert)
        turn = seen.facts.turn
        assert turn is not None
        if house.store.is_shared:
            assert isinstance(await other.do(table_id, players[turn], c.Act(0, "pass")), Done)
        else:  # with one process a room is never behind
            assert (await other.rooms.get(table_id, fresh=True)) is not None
            assert isinstance(await other.do(table_id, players[turn], c.Act(0, "pass")), Done)

    run(kind, tmp_path, test, workers=2)


def test_an_unknown_table_and_bad_commands_are_refused_in_the_clients_language(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        anna = await house.service.people.new("Anna")
        answer = await house.service.do("nowhere", anna, c.Start(id="7"))
        assert isinstance(answer, Refused)
        assert (answer.id, answer.code) == ("7", "no_such_table")
        assert await house.service.look("nowhere", None) is None
        assert await house.service.snapshot("nowhere", None) is None
        assert await house.service.record("nowhere", None) is None
        refusal = await house.service.admit("nowhere", None)
        assert refusal is not None
        refused = await house.service.create(anna, c.Create(rules="whist"))
        assert isinstance(refused, Refusal)
        assert not house.service.presence._seen

    run("sqlite", tmp_path, test)


def test_a_private_table_is_seen_by_whom_it_concerns(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table()
        code = (await house.look(table_id)).facts.code
        admit = house.service.admit
        assert await admit(table_id, anna.player) is None
        assert await admit(table_id, "somebody", code) is None
        refusal = await admit(table_id, "somebody")
        assert refusal is not None
        assert refusal.code == "not_invited"

    run("sqlite", tmp_path, test)


# --- following --------------------------------------------------------------------------------------------------------


async def frames(follow: AsyncGenerator[tuple[str, ...], None]) -> list[dict[str, Any]]:
    """The next frames of a viewer."""
    return [json.loads(text) for text in await asyncio.wait_for(anext(follow), 20)]


@every_database
def test_a_viewer_gets_a_snapshot_and_then_every_event(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table()
        async with (
            aclosing(house.service.follow(table_id, anna.player)) as own,
            aclosing(house.service.follow(table_id, None)) as spectator,
        ):
            (snapshot,), (seen,) = await frames(own), await frames(spectator)
            assert (snapshot["type"], snapshot["you"]) == ("snapshot", {"seat": 0, "host": True})
            assert seen["you"] == {}
            assert "code" not in seen["table"]
            done = await house.ok(table_id, anna, c.Start())
            got = await frames(own)
            assert [frame["kind"] for frame in got] == ["started", "dealt"]
            assert got[-1]["seq"] == done.seq
            assert len(got[-1]["observation"]["hand"]) == 2
            assert (await frames(spectator))[-1]["observation"]["hand"] == []
            assert house.service.live.watchers == 2
        assert house.service.live.watchers == 0

    run(kind, tmp_path, test)


def test_each_viewer_gets_frames_of_his_own(tmp_path: Path) -> None:
    """Frames are made once for all who may know the same; nobody gets those of another seat."""

    async def test(house: House) -> None:
        anna = await house.service.people.new("Anna")
        table = await house.service.create(anna, c.Create(rules="pepper-4"))
        assert not isinstance(table, Refusal)
        table_id, code = table.facts.id, table.facts.code
        players = [await house.service.people.new() for _ in range(4)]
        for seat, who in enumerate(players):
            await house.ok(table_id, who, c.Take(seat, code))
        viewers = [*(who.player for who in players), anna.player, None, None, players[2].player]
        follows = [house.service.follow(table_id, player) for player in viewers]
        for follow in follows:
            await frames(follow)
        await house.ok(table_id, anna, c.Start())
        hands = []
        for player, follow in zip(viewers, follows, strict=True):
            (*_, last) = await frames(follow)
            seen = await house.look(table_id, player)
            assert seen.observation is not None
            assert last["observation"] == json.loads(notation.observation_to_json(seen.observation))
            assert last["you"].get("seat") == seen.seat
            assert last["you"].get("host", False) == seen.host
            hands.append(tuple(last["observation"]["hand"]))
            await follow.aclose()
        assert len(set(hands)) == 5
        assert hands[4:7] == [(), (), ()]
        assert hands[7] == hands[2]

    run("sqlite", tmp_path, test)


def test_who_comes_back_gets_what_he_missed_or_a_snapshot(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table()
        await house.ok(table_id, anna, c.Start())
        start = (await house.look(table_id)).facts.seq
        for _ in range(70):
            await house.ok(table_id, anna, c.Say("hello"))

        async def first(since: int | None, player: str | None = anna.player) -> list[dict[str, Any]]:
            async with aclosing(house.service.follow(table_id, player, since=since)) as follow:
                return await frames(follow)

        assert [frame["seq"] for frame in await first(start + 60)] == list(range(start + 61, start + 71))
        assert [frame["seq"] for frame in await first(start)] == list(range(start + 1, start + 71))  # from the log
        for since in (None, start + 70, start + 999):
            (frame,) = await first(since)
            assert frame["type"] == "snapshot"
        for _ in range(40):
            await house.ok(table_id, anna, c.Say("hello"))
        assert (await first(start))[0]["type"] == "snapshot"
        assert (await first(start + 105))[0]["type"] == "event"

    run("sqlite", tmp_path, test)


def test_a_slow_viewer_misses_nothing_and_makes_nobody_wait(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table()
        async with aclosing(house.service.follow(table_id, None)) as slow:
            await frames(slow)
            await house.ok(table_id, anna, c.Start())
            for _ in range(20):
                await house.ok(table_id, anna, c.Say("hello"))
            got = await frames(slow)
            assert len(got) == 22
            assert got[-1]["seq"] == (await house.look(table_id)).facts.seq
            for _ in range(150):
                await house.ok(table_id, anna, c.Say("hello"))
            (snapshot,) = await frames(slow)
            assert snapshot["type"] == "snapshot"

    run("sqlite", tmp_path, test)


def test_a_table_that_is_pruned_ends_the_following(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, _ = await house.table()
        async with aclosing(house.service.follow(table_id, None)) as follow:
            await frames(follow)
            await house.store.prune(house.time.ms + 10**9)
            house.service.rooms.drop(table_id)
            house.service.live.notify(table_id, 99)
            assert (await frames(follow))[0]["code"] == "no_such_table"
            with pytest.raises(StopAsyncIteration):
                await anext(follow)

    run("sqlite", tmp_path, test)


def test_more_tables_than_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who follows a table that was dropped from memory, and read again, misses nothing."""

    async def test(house: House) -> None:
        monkeypatch.setattr("bigpepper.server.rooms.MOST_ROOMS", 1)
        (one, anna), (other, _) = await house.table(), await house.table()
        rooms = house.service.rooms
        assert rooms.at_hand(one) is None
        async with aclosing(house.service.follow(one, None)) as follow:
            await frames(follow)
            for phrase in ("hello", "thanks"):
                assert rooms.at_hand(other) is None
                await house.ok(one, anna, c.Say(phrase))
                await rooms.get(other)
                assert [frame["phrase"] for frame in await frames(follow)] == [phrase]

    run("sqlite", tmp_path, test)


def test_a_table_that_goes_on_while_it_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        monkeypatch.setattr("bigpepper.server.rooms.MOST_ROOMS", 1)
        (one, anna), (other, _) = await house.table(), await house.table()
        read, reads = house.store.read, [0]

        async def slow(table_id: str, after: int = 0) -> Any:
            reads[0] += 1
            first, entries = reads[0] == 1, await read(table_id, after)
            if first:
                await house.ok(one, anna, c.Say("hello"))
                await house.service.rooms.get(other)
            return entries

        monkeypatch.setattr(house.store, "read", slow)
        async with aclosing(house.service.follow(one, None)) as follow:
            (snapshot,) = await frames(follow)
            (event,) = await asyncio.wait_for(frames(follow), 10)
        assert event["phrase"] == "hello"
        assert event["seq"] == snapshot["seq"] + 1

    run("sqlite", tmp_path, test)


def test_alarms_that_are_put_off_do_not_pile_up(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        waker = house.wakers[0]
        for number in range(5_000):
            house.service.writer.alarm(f"table {number % 50}", house.time.ms + 86_400_000 + number)
        assert 50 <= len(waker._heap) <= 500

    run("sqlite", tmp_path, test)


def test_following_goes_through_an_outage_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        table_id, _ = await house.table()
        monkeypatch.setattr("bigpepper.server.service.RETRY", 0)
        reads, read = [0], house.store.read

        async def broken(table: str, after: int = 0) -> Any:
            reads[0] += 1
            if reads[0] < 3:
                raise Unavailable(msg("The database is gone."))
            return await read(table, after)

        house.service.rooms.drop(table_id)
        monkeypatch.setattr(house.store, "read", broken)
        async with aclosing(house.service.follow(table_id, None)) as follow:
            assert (await frames(follow))[0]["type"] == "snapshot"
        assert reads[0] >= 3

    run("sqlite", tmp_path, test)


# --- what happens by itself -------------------------------------------------------------------------------------------


def test_junk_is_not_kept_in_mind(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table, anna = await house.table()
        service = house.service
        known = len(service.presence)
        stranger = await service.people.new("Stranger")
        for n in range(50):
            await service.seen(f"junk {n}", anna.player)
            await service.seen(table, f"nobody {n}")
            assert isinstance(await service.do(f"junk {n}", anna, c.Back()), Refused)
            async with aclosing(service.follow(f"junk {n}", anna.player)) as following:
                await anext(following)
        async with aclosing(service.follow(table, stranger.player)) as following:
            await anext(following)
        assert len(service.presence) <= known + 1
        await service.seen(table, anna.player)
        assert len(service.presence) == 1

    run("sqlite", tmp_path, test)


@every_database
def test_a_bot_moves_at_its_time_whatever_it_needed(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-4", seats=("me", "novice", "random", "novice"))
        await house.ok(table_id, anna, c.Start())
        while (seen := await house.look(table_id)).facts.turn == 0:
            await house.ok(table_id, anna, c.Act(seen.facts.n, "pass"))
        due = pacing.due(seen.facts)
        assert due is not None
        assert await house.wake(due.at - pacing.THINKING - 1 - house.time.ms) == 0
        assert await house.wake(1) == 1
        seen = await house.look(table_id)
        assert seen.facts.at == due.at
        assert await house.wake() == 0

    run(kind, tmp_path, test)


@every_database
def test_of_many_workers_one_moves_for_a_bot(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-4", seats=("me", "novice", "novice", "novice"))
        await house.ok(table_id, anna, c.Start())
        while (seen := await house.look(table_id)).facts.turn == 0:
            await house.ok(table_id, anna, c.Act(seen.facts.n, "pass"))
        house.time.ms += 1_000
        tasks = await asyncio.gather(*(waker.start_due() for waker in house.wakers))
        assert sorted(map(len, tasks)) == [0, 0, 1]
        await asyncio.gather(*(task for started in tasks for task in started))
        fresh = await house.service.rooms.get(table_id, fresh=True)
        assert fresh is not None
        assert fresh.table.facts.n == seen.facts.n + 1

    run(kind, tmp_path, test, workers=3)


@every_database
def test_another_worker_takes_over_when_one_dies(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-4", seats=("me", "novice", "novice", "novice"))
        await house.ok(table_id, anna, c.Start())
        while (seen := await house.look(table_id)).facts.turn == 0:
            await house.ok(table_id, anna, c.Act(seen.facts.n, "pass"))
        house.time.ms += 1_000
        assert len(await house.store.claim_due(house.time.ms, "one that dies", LEASE)) == 1
        assert await house.wake() == 0
        assert await house.wake(LEASE + 1) == 1
        assert (await house.look(table_id)).facts.n == seen.facts.n + 1

    run(kind, tmp_path, test)


@every_database
def test_after_a_restart_all_goes_on_where_it_was(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="tiny")
        await house.ok(table_id, anna, c.Start())
        for restart in range(40):
            facts = (await house.look(table_id)).facts
            state = fold_all(await house.store.read(table_id), table_id).hidden.state
            await house.store.close()
            house.services.clear()
            house.wakers.clear()
            await house.open()
            after = fold_all(await house.store.read(table_id), table_id)
            assert (after.facts, after.hidden.state) == (facts, state)
            if facts.phase != "playing":
                assert restart > 3
                return
            if facts.turn == 0:
                own = await house.look(table_id, anna.player)
                assert own.observation is not None
                await house.ok(table_id, anna, c.Act(facts.n, str(own.observation.legal[-1])))
            else:
                assert await house.wake(10_000) == 1

    run(kind, tmp_path, test)


def test_a_bot_steps_in_for_a_player_who_is_away_and_gives_the_seat_back(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-2", seats=("me", "open"), grace=60)
        code = (await house.look(table_id)).facts.code
        bert = await house.service.people.new("Bert")
        await house.ok(table_id, bert, c.Take(1, code))
        await house.ok(table_id, anna, c.Start())
        turn = (await house.look(table_id)).facts.turn
        assert turn is not None
        away = (anna, bert)[turn]
        async with aclosing(house.service.follow(table_id, away.player)) as socket:
            await frames(socket)
            await house.wake(61_000)
            assert (await house.look(table_id)).facts.seats[turn].present  # he is there, and thinks
        await house.wake(59_000)
        assert (await house.look(table_id)).facts.seats[turn].present
        await house.wake(60_000)
        seen = await house.look(table_id)
        assert seen.facts.seats[turn].stand_in == "novice"
        await house.wake(1_000)
        assert (await house.look(table_id)).facts.n == seen.facts.n + 1
        await house.service.seen(table_id, away.player)
        assert (await house.look(table_id)).facts.seats[turn].present

    run("sqlite", tmp_path, test)


def test_the_clock_runs_out_for_one_who_is_there_too(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-2", seats=("me", "open"), clock=30)
        code = (await house.look(table_id)).facts.code
        bert = await house.service.people.new("Bert")
        await house.ok(table_id, bert, c.Take(1, code))
        await house.ok(table_id, anna, c.Start())
        turn = (await house.look(table_id)).facts.turn
        assert turn is not None
        async with aclosing(house.service.follow(table_id, (anna, bert)[turn].player)) as socket:
            await frames(socket)
            await house.wake(29_999)
            assert (await house.look(table_id)).facts.seats[turn].present
            await house.wake(1)
            assert (await house.look(table_id)).facts.seats[turn].stand_in == "novice"

    run("sqlite", tmp_path, test)


def test_the_waker_runs_by_itself(tmp_path: Path) -> None:
    """With the real clock, for less than two seconds: bots at a table of programs play several moves."""

    async def opened() -> None:
        import time

        store = await Store.open(str(tmp_path / "tables.db"))
        service = Service(store, Live(), now=lambda: round(time.time() * 1_000), random=bytes_of(3))
        robot = await service.people.new("robot", program=True)
        waker = asyncio.create_task(Waker(service, "worker").run())
        table = await service.create(robot, c.Create(rules="pepper-4", seats=("me", "novice", "novice", "novice")))
        assert not isinstance(table, Refusal)
        await service.do(table.facts.id, robot, c.Start())
        moved = 0
        async with aclosing(service.follow(table.facts.id, robot.player, words=False)) as follow:
            while moved < 4:
                for frame in await frames(follow):
                    moved += frame.get("by") == "bot"
                    legal = frame.get("observation", {}).get("legal")
                    if legal:
                        await service.do(table.facts.id, robot, c.Act(frame["n"], legal[0]))
        waker.cancel()
        await asyncio.gather(waker, return_exceptions=True)
        await store.close()

    asyncio.run(opened())


def test_a_bot_that_fails_plays_something_legal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        table_id, anna = await house.table(rules="pepper-4", seats=("me", "novice", "novice", "novice"))
        await house.ok(table_id, anna, c.Start())

        def broken(name: str, seed: int) -> Any:
            raise RuntimeError("a bug in a bot")

        monkeypatch.setattr("bigpepper.bots.load", broken)
        for _ in range(4):
            seen = await house.look(table_id)
            if seen.facts.turn == 0:
                await house.ok(table_id, anna, c.Act(seen.facts.n, "pass"))
            else:
                assert await house.wake(1_000) == 1
                assert (await house.look(table_id)).facts.n == seen.facts.n + 1

    run("sqlite", tmp_path, test)


# --- a player's own data ----------------------------------------------------------------------------------------------


@every_database
def test_a_player_gets_his_data_and_is_forgotten(kind: str, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        service = house.service
        table_id, anna = await house.table(rules="tiny")
        await house.ok(table_id, anna, c.Start())
        await house.play(table_id, {0: anna})
        second = await service.create(anna, c.Create(rules="pepper-4", seats=("me", "novice", "novice", "novice")))
        assert not isinstance(second, Refusal)
        await house.ok(second.facts.id, anna, c.Start())
        data = json.loads(json.dumps(await service.export(anna.player)))
        assert data["name"] == "Anna"
        assert {one["table"] for one in data["tables"]} == {table_id, second.facts.id}
        for one in data["tables"]:
            record = notation.loads(one["record"])
            assert record.is_complete == (one["table"] == table_id)
        assert data["statistics"][0]["rules"] == "tiny"
        await service.forget(anna.player)
        assert (await house.look(second.facts.id)).facts.seats[0].kind == "open"
        gone = await service.export(anna.player)
        assert (gone["name"], gone["statistics"], gone["tables"]) == (None, [], [])
        for log in (table_id, second.facts.id):
            assert fold_all(await house.store.read(log), log).facts.id == log
        record_after = await service.record(table_id, None)
        assert record_after is not None
        assert record_after.players[0].name is None

    run(kind, tmp_path, test)
