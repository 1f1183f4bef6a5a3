"""Where games and score pads are kept: a file each in the user's data folder, written anew and then renamed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
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
    """A name that no file has yet: by the time of day, numbered where that is taken."""
    stamp = f"{datetime.now():%Y-%m-%d-%H%M%S}-{stem}"
    number, path = 1, folder / f"{stamp}{suffix}"
    while path.exists():
        number += 1
        path = folder / f"{stamp}-{number}{suffix}"
    return path


def newest(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder, the one that was written last first."""
    files = [path for path in folder.glob(f"*{suffix}") if not path.name.startswith(".")]
    return sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def write(path: Path, text: str) -> None:
    """Write a whole file or nothing: the old one stays until the new one is complete. Raises `NotKept`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise NotKept(msg("{path} cannot be written: {reason}.", path=path, reason=reason)) from None


def write_new(path: Path, text: str) -> None:
    """The same, where no file is yet. Raises `NotKept`."""
    if path.exists():
        raise NotKept(msg("{path} is there already: choose another name.", path=path))
    write(path, text)


def read(path: Path) -> str:
    """A whole file. Raises `NotKept`."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise NotKept(msg("{path} cannot be read: it is no UTF-8 text.", path=path)) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotKept(msg("{path} cannot be read: {reason}.", path=path, reason=reason)) from None
