"""Which players are at which table: an open socket, or a page asked for a moment ago. Kept in memory, no truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Presence:
    """Where players have been seen, since `start` (milliseconds of Unix time)."""

    def __init__(self, start: int) -> None:
        self._start = start
        self._here: Counter[tuple[str, str]] = Counter()
        self._seen: dict[tuple[str, str], int] = {}

    def seen(self, table_id: str, player: str, at: int) -> None:
        """The player has asked for something at `at`."""
        self._seen[table_id, player] = at

    @contextmanager
    def here(self, table_id: str, player: str) -> Iterator[None]:
        """The player is there, on one more socket, until the block ends; then whoever calls this says `seen`."""
        key = table_id, player
        self._here[key] += 1
        try:
            yield
        finally:
            self._here[key] -= 1
            if not self._here[key]:
                del self._here[key]

    def last(self, table_id: str, player: str, now: int) -> int:
        """When the player was there last: `now` where he is; after a restart, its time at the earliest."""
        key = table_id, player
        return now if key in self._here else self._seen.get(key, self._start)

    def knows(self, table_id: str, player: str) -> bool:
        """Whether the player has been seen there lately."""
        return (table_id, player) in self._seen

    def __len__(self) -> int:
        """How many players at how many tables are kept in mind."""
        return len(self._here.keys() | self._seen.keys())

    def forget(self, before: int) -> None:
        """Drop what is older than `before`."""
        self._start = max(self._start, before)
        self._seen = {key: at for key, at in self._seen.items() if at >= before}
