"""Players: opaque ids, names beside them, tokens, and what is counted about them. Names can be erased; ids stay."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, Integer, cast, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from bigpepper.errors import BigPepperError
from bigpepper.server.cases import Who
from bigpepper.server.database import Database
from bigpepper.server.schema import PLAYERS, RESULTS, SETTINGS, SITTINGS, TOKENS
from bigpepper.text import msg

LONGEST_NAME: Final = 24
TRANSFER_TIME: Final = 600_000
"""Milliseconds for which a code for another device is good."""
CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that are not mistaken for each other."""
_DAY: Final = 86_400_000
_MOST_NAMES: Final = 20_000


class InvalidName(BigPepperError):
    """A name that nobody can have."""


class Statistics(Struct, frozen=True, kw_only=True):
    """What a player has done under one rulebook, in rounds that he finished himself."""

    rules: str
    rounds: int
    points: int
    """Of his side, all rounds together."""
    tricks: int
    """His own."""
    bids: int
    """Rounds of which he was the maker."""
    made: int
    """Those of them that he made."""
    games_won: int


class People:
    """Who the players are. `now` gives milliseconds of Unix time, `random` so many random bytes."""

    def __init__(self, database: Database, now: Callable[[], int], random: Callable[[int], bytes]) -> None:
        self._database = database
        self._now = now
        self._random = random
        self._names: dict[str, str | None] = {}

    # --- players ----------------------------------------------------------------------------------------------------

    async def new(self, name: str | None = None, *, program: bool = False) -> Who:
        """A new player. Raises `InvalidName`."""
        name = None if name is None else checked_name(name)
        who, now = Who(self._random(16).hex(), program), self._now()
        row = {"id": who.player, "name": name, "program": program, "created_at": now, "day": now // _DAY}
        await self._database.write(lambda connection: connection.execute(insert(PLAYERS), row))
        return who

    async def find(self, player: str) -> Who | None:
        """The player of an id; None where he is not known, or not any more. Notes down the day."""
        day = self._now() // _DAY
        wanted = select(PLAYERS.c.program, PLAYERS.c.day).where(PLAYERS.c.id == player)
        row = await self._database.read(lambda connection: connection.execute(wanted).first())
        if row is not None and row.day != day:
            await self._change(player, day=day)
        return None if row is None else Who(player, row.program)

    async def rename(self, player: str, name: str) -> str:
        """Call a player something else; returns the name as it stands. Raises `InvalidName`."""
        name = checked_name(name)
        await self._change(player, name=name)
        self._names.pop(player, None)
        return name

    async def _change(self, player: str, **values: object) -> None:
        change = update(PLAYERS).where(PLAYERS.c.id == player).values(**values)
        await self._database.write(lambda connection: connection.execute(change))

    async def names(self, players: Iterable[str]) -> dict[str, str]:
        """The names of players, of those that have one."""
        if len(self._names) > _MOST_NAMES:
            self._names.clear()
        asked = set(players)
        missing = asked - self._names.keys()
        known = {player: self._names[player] for player in asked - missing}
        if missing:
            wanted = select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.id.in_(missing))
            rows = await self._database.read(lambda connection: connection.execute(wanted).all())
            found = {row.id: row.name for row in rows}
            known |= {player: found.get(player) for player in missing}
            self._names |= known
        return {player: name for player, name in known.items() if name}

    def forget_names(self) -> None:
        """Ask the database for names again, where another process may have changed one."""
        self._names.clear()

    # --- tokens -----------------------------------------------------------------------------------------------------

    async def new_token(self, player: str) -> str:
        """A token by which a program is this player; it is kept hashed, so this is the only time it is seen."""
        token = self._random(24).hex()
        await self._keep(token, player, "program", None)
        return token

    async def of_token(self, token: str) -> Who | None:
        """The player of a program's token."""
        wanted = (
            select(PLAYERS.c.id, PLAYERS.c.program)
            .join(TOKENS, TOKENS.c.player_id == PLAYERS.c.id)
            .where(TOKENS.c.hash == _hash(token), TOKENS.c.kind == "program")
        )
        row = await self._database.read(lambda connection: connection.execute(wanted).first())
        return None if row is None else Who(row.id, row.program)

    async def transfer_code(self, player: str) -> str:
        """A code that makes another device this player: once, within ten minutes."""
        code = code_of(self._random(10))
        await self._keep(code, player, "transfer", self._now() + TRANSFER_TIME)
        return code

    async def redeem(self, code: str) -> Who | None:
        """The player of a code from another device; the code is used up by it."""
        tidy = code.strip().upper().replace("-", "").replace(" ", "")
        mine = (TOKENS.c.hash == _hash(tidy), TOKENS.c.kind == "transfer")

        def work(connection: Connection) -> str | None:
            row = connection.execute(select(TOKENS.c.player_id, TOKENS.c.until).where(*mine)).first()
            used = connection.execute(delete(TOKENS).where(*mine)).rowcount
            return None if row is None or used != 1 or row.until < self._now() else str(row.player_id)

        player = await self._database.write(work)
        return await self.find(player) if player else None

    async def _keep(self, token: str, player: str, kind: str, until: int | None) -> None:
        row = {"hash": _hash(token), "player_id": player, "kind": kind, "until": until}
        await self._database.write(lambda connection: connection.execute(insert(TOKENS), row))

    # --- what is known about them -----------------------------------------------------------------------------------

    async def statistics(self, player: str) -> list[Statistics]:
        """What a player has done, by rulebook."""

        def total(column: str) -> object:
            return func.sum(cast(RESULTS.c[column], Integer)).label("games_won" if column == "won" else column)

        sums = [total(column) for column in ("points", "tricks", "made", "won")]
        bids = func.sum(cast(RESULTS.c.maker, Integer)).label("bids")
        wanted = (
            select(RESULTS.c.rules, func.count().label("rounds"), *sums, bids)  # type: ignore[call-overload]
            .where(RESULTS.c.player_id == player)
            .group_by(RESULTS.c.rules)
            .order_by(RESULTS.c.rules)
        )
        rows = await self._database.read(lambda connection: connection.execute(wanted).mappings().all())
        return [Statistics(**row) for row in rows]

    async def erase(self, player: str) -> None:
        """Forget a player: name, tokens, results and where he sat. The logs of tables keep an id that says nothing."""

        def work(connection: Connection) -> None:
            connection.execute(delete(PLAYERS).where(PLAYERS.c.id == player))
            for table in (TOKENS, RESULTS, SITTINGS):
                connection.execute(delete(table).where(table.c.player_id == player))

        await self._database.write(work)
        self._names.pop(player, None)

    async def prune(self, before: int) -> int:
        """Forget the players who have not been seen since `before`, and codes that are no longer good."""
        old = select(PLAYERS.c.id).where(PLAYERS.c.day < before // _DAY)

        def work(connection: Connection) -> int:
            connection.execute(delete(TOKENS).where(TOKENS.c.until < self._now()))
            for table in (TOKENS, RESULTS, SITTINGS):
                connection.execute(delete(table).where(table.c.player_id.in_(old)))
            return connection.execute(delete(PLAYERS).where(PLAYERS.c.id.in_(old))).rowcount

        gone = await self._database.write(work)
        self._names.clear()
        return gone

    # --- the server's own -------------------------------------------------------------------------------------------

    async def secret_key(self, name: str) -> bytes:
        """A key of 32 bytes that the server keeps, such as the one that signs cookies; made when first asked for."""
        wanted = select(SETTINGS.c.value).where(SETTINGS.c.key == name)
        found = await self._database.read(lambda connection: connection.scalar(wanted))
        if found is None:
            row = {"key": name, "value": self._random(32).hex()}
            with suppress(IntegrityError):  # another process may be faster: then its key counts
                await self._database.write(lambda connection: connection.execute(insert(SETTINGS), row))
            found = await self._database.read(lambda connection: connection.scalar(wanted))
        return bytes.fromhex(str(found))


def _hash(token: str) -> str:
    """Tokens are long and random, so a plain digest hides them well enough."""
    return sha256(token.encode()).hexdigest()


def code_of(random: Sequence[int]) -> str:
    """A code to be read out and typed, a letter a random byte."""
    return "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in random)


_CATEGORIES: Final = ("L", "M", "N")
_SIGNS: Final = " .'’-_"
_PILE: Final = re.compile(r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3}")
"""Marks piled up on one letter."""


def checked_name(name: str) -> str:
    """The name in its usual form: letters, digits, marks and a few signs, at most `LONGEST_NAME` characters.

    Raises `InvalidName`.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name[:1_000]).split())
    if not 1 <= len(tidy) <= LONGEST_NAME:
        raise InvalidName(msg("A name has 1 to {n} characters.", n=LONGEST_NAME))
    letters = [unicodedata.category(letter)[0] in _CATEGORIES for letter in tidy]
    if not all(known or letter in _SIGNS for known, letter in zip(letters, tidy, strict=True)) or _PILE.search(tidy):
        raise InvalidName(msg("A name takes letters, digits, spaces and the signs {signs}.", signs=_SIGNS.strip()))
    if not any(letters):
        raise InvalidName(msg("A name needs a letter or a digit."))
    return tidy
