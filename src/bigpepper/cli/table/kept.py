"""The file that a game is kept in: written when something changed, and never over what somebody else wrote there."""

from __future__ import annotations

from pathlib import Path

from bigpepper.cli.table import saved, store
from bigpepper.cli.table.session import Session
from bigpepper.text import Message, msg


class Kept:
    """A file, what it held when this process read or wrote it last, and the record that is in it."""

    def __init__(self, path: Path, held: bytes | None = None, record: str = "") -> None:
        """`held`: the bytes of the file; `record`: what they say, as we would write it."""
        self.path = path
        self._held = held
        self._record = record

    @classmethod
    def opened(cls, path: Path) -> tuple[Kept, Session]:
        """A saved game that goes on. Raises `NotKept`, and as `saved.load`."""
        held = store.content(path)
        session = saved.load(store.read(path))
        return cls(path, held, saved.dump(session)), session

    @classmethod
    def begun(cls, folder: Path, stem: str) -> Kept:
        """A new file under a name of its own, empty so far. Raises `NotKept`."""
        return cls(store.new_path(folder, stem, ".pep"), b"")

    def save(self, session: Session) -> Message | None:
        """Write the game if it has changed. Raises `NotKept`.

        Where another program has written to the file, the game is kept beside it: the sentence says where.
        """
        record = saved.dump(session)
        if record == self._record:
            return None
        said = self._step_aside() if store.content(self.path) not in (self._held, None) else None
        store.write(self.path, record)
        self._held, self._record = record.encode(), record
        return said

    def _step_aside(self) -> Message:
        old, self.path = self.path, store.path_beside(self.path)
        self._held = b""
        return msg("{old} was changed by another program; this game is now kept in {path}", old=old, path=self.path)
