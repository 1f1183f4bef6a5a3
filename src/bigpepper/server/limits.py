"""How much one client, and one address, may ask for. Every limit has a sentence that says what it is.

Credits come back with time, which is passed in: seconds of any clock that does not go back.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network
from typing import Final

from msgspec import Struct

from bigpepper.text import Message, msg

LONGEST_BODY: Final = 65_536
"""Bytes of a request's body, and of a socket's message before it is even looked at."""
LONGEST_RECORD: Final = 1_048_576
"""Bytes of a record that is sent to be checked."""
_MOST_ADDRESSES: Final = 50_000


class Rate(Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: float
    per_second: float

    def times(self, factor: float) -> Rate:
        """The rate of `factor` clients together."""
        return Rate(self.burst * factor, self.per_second * factor)


class Limits(Struct, frozen=True, kw_only=True):
    """All limits; those of an address are multiplied by `factor` (many people behind one address, load tests)."""

    factor: float = 1
    sockets: int = 10_000
    """Open sockets of the whole server."""
    sockets_per_address: int = 100
    messages: Rate = Rate(40, 10)
    """Commands on one socket."""
    patience: int = 20
    """Commands that one socket may send too fast before it is closed."""
    commands: Rate = Rate(400, 100)
    """Commands of all sockets of an address."""
    requests: Rate = Rate(200, 50)
    """HTTP requests of an address."""
    players: Rate = Rate(30, 1 / 20)
    """New players of an address."""
    tables: Rate = Rate(30, 1 / 20)
    """New tables of an address."""
    guesses: Rate = Rate(20, 1 / 10)
    """Wrong codes of an address; tokens are too long to be guessed."""
    hello: float = 10
    """Seconds within which a socket has to say hello."""


class Credits:
    """The credits of one client."""

    __slots__ = ("_at", "_left", "rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate = rate
        self._left = rate.burst
        self._at = now

    def spend(self, now: float) -> bool:
        """Spend one credit; false where there is none."""
        self._fill(now)
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def wait(self, now: float) -> float:
        """Seconds until there is one again."""
        self._fill(now)
        return max(0.0, 1 - self._left) / self.rate.per_second

    def _fill(self, now: float) -> None:
        self._left = min(self.rate.burst, self._left + (now - self._at) * self.rate.per_second)
        self._at = now


class Meter:
    """The credits of all addresses, those that have been away longest forgotten."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._credits: OrderedDict[str, Credits] = OrderedDict()

    def spend(self, address: str, now: float) -> bool:
        """Spend a credit of an address; false where it has none."""
        return self._of(address, now).spend(now)

    def wait(self, address: str, now: float) -> float:
        """Seconds until the address has one again."""
        return self._of(address, now).wait(now)

    def _of(self, address: str, now: float) -> Credits:
        credits = self._credits.get(address)
        if credits is None:
            credits = self._credits[address] = Credits(self.rate, now)
            if len(self._credits) > _MOST_ADDRESSES:
                self._credits.popitem(last=False)
        self._credits.move_to_end(address)
        return credits


class Sockets:
    """How many sockets are open, in all and of each address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of: Counter[str] = Counter()
        self.open = 0
        """How many there are."""

    def refusal(self, address: str) -> Message | None:
        """Why one more cannot be opened from an address; None where it can."""
        if self.open >= self._limits.sockets:
            return msg("The server has as many connections as it can take; try again later.")
        if self._of[address] >= self._limits.sockets_per_address * self._limits.factor:
            return msg("There are too many connections from your address.")
        return None

    @contextmanager
    def one_more(self, address: str) -> Iterator[None]:
        """A socket, as long as the block lasts."""
        self._of[address] += 1
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1
            self._of[address] -= 1
            if not self._of[address]:
                del self._of[address]


class Gauges:
    """What is counted for a whole server."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.sockets = Sockets(limits)
        self.commands = Meter(limits.commands.times(limits.factor))
        self.requests = Meter(limits.requests.times(limits.factor))
        self.players = Meter(limits.players.times(limits.factor))
        self.tables = Meter(limits.tables.times(limits.factor))
        self.guesses = Meter(limits.guesses.times(limits.factor))


def one_client(address: str) -> str:
    """The address under which a client is counted: with IPv6 its network of 64 bits, which one client has whole."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ip_network((known, 64), strict=False))
