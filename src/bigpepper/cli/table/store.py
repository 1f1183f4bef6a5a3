"""Where games and score pads are kept: a file each in the user's data folder, written anew and then renamed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from bigpepper.errors import BigPepperError
from bigpepper.text import msg


class NotKept(BigPepperError):
    """A file that could not be written or read."""


def data_folder() -> Path:
    """The folder for what must be kept: `$BIGPEPPER_DATA`, else the user's data folder of this system."""
    if chosen := os.environ.get("BIGPEPPER_DATA"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "bigpepper"


def new_path(folder: Path, stem: str, suffix: str) -> Path:
    """A name that was free and is now ours: by the time of day, numbered where that is taken. Raises `NotKept`.

    An empty file holds the name until something is written, so that two games begun at once do not share one.
    """
    return _first_free(folder / f"{datetime.now():%Y-%m-%d-%H%M%S}-{stem}{suffix}")


def path_beside(path: Path) -> Path:
    """A free name in the same folder, held in the same way. Raises `NotKept`."""
    return _first_free(path, 2)


def _first_free(path: Path, number: int = 1) -> Path:
    with _kept(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            numbered = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
            with suppress(FileExistsError), numbered.open("x"):
                return numbered
            number += 1


def release(path: Path) -> None:
    """Give a name back that was taken and never written to."""
    with suppress(OSError, ValueError):
        if path.stat().st_size == 0:
            path.unlink()


def path_of(typed: str) -> Path:
    """The path that somebody typed, `~` read as his home folder. Raises `NotKept`."""
    try:
        return Path(typed).expanduser()
    except RuntimeError:
        raise NotKept(msg("{path} cannot be found: there is no such home folder.", path=typed)) from None


def newest(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder, the one that was written last first; what cannot be looked at is left out."""
    found: list[tuple[int, Path]] = []
    with suppress(OSError, ValueError):
        for path in folder.glob(f"*{suffix}"):
            with suppress(OSError):  # a link to nowhere, or gone in between
                if not path.name.startswith("."):
                    found.append((path.stat().st_mtime_ns, path))
    return [path for _, path in sorted(found, key=lambda item: item[0], reverse=True)]


def content(path: Path) -> bytes | None:
    """What a file holds now; None where there is none that can be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def write(path: Path, text: str) -> None:
    """Write a whole file or nothing: the old one stays until the new one is complete. Raises `NotKept`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with _kept(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with beside.open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                beside.unlink(missing_ok=True)
            raise


def write_new(path: Path, text: str) -> None:
    """The same, where no file is yet. Raises `NotKept`."""
    with _kept(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.open("x").close()
        except FileExistsError:
            raise NotKept(msg("{path} is there already: choose another name.", path=path)) from None
    try:
        write(path, text)
    except NotKept:
        release(path)
        raise


@contextmanager
def _kept(path: Path) -> Iterator[None]:
    """What the system says against writing a file, as `NotKept`."""
    try:
        yield
    except (OSError, ValueError) as error:  # a null character in a name is a ValueError
        raise NotKept(msg("{path} cannot be written: {reason}.", path=_shown(path), reason=_reason(error))) from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _shown(path: Path) -> str:
    """A path as it can be printed."""
    return str(path).replace("\0", "?").encode("utf-8", "replace").decode()


def read(path: Path) -> str:
    """A whole file. Raises `NotKept`."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise NotKept(msg("{path} cannot be read: it is no UTF-8 text.", path=_shown(path))) from None
    except (OSError, ValueError) as error:
        raise NotKept(msg("{path} cannot be read: {reason}.", path=_shown(path), reason=_reason(error))) from None
