"""Where the sections keep what they measure: finished results in docs/strength, matches under way in .strength."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from bigpepper._version import __version__

ROOT: Final = Path(__file__).resolve().parents[2]
RESULTS: Final = ROOT / "docs" / "strength"
PAGE: Final = ROOT / "docs" / "strength.md"
_PACKAGE: Final = ROOT / "src" / "bigpepper"
_NO_MATTER: Final = ("arena", "cli", "envs", "explain", "locale", "notation", "server")
"""What changes no move of any bot."""


def code_digest() -> str:
    """Of everything that a bot's moves depend on: matches under way do not outlive a change of it. 12 hex digits."""
    digest = sha256()
    for path in _sources():
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _sources() -> Iterator[Path]:
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE).parts
        if path.is_file() and "__pycache__" not in inside and inside[0] not in _NO_MATTER:
            yield path


def under_way(section: str, name: str) -> Path:
    """The file of a match under way."""
    folder = ROOT / ".strength" / code_digest()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{section} {re.sub('[^a-z0-9=,-]+', ' ', name)}.json"


def write(section: str, body: dict[str, Any]) -> Path:
    """Keep the newest result of a section."""
    head = {
        "section": section,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "version": __version__,
        "code": code_digest(),
    }
    return put(RESULTS / f"{section}.json", {**head, **body})


def put(path: Path, data: object) -> Path:
    """Write JSON; the file is the old one or the new one, whatever happens meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    beside.replace(path)
    return path


def read(section: str) -> dict[str, Any] | None:
    """The newest result of a section; None where there is none."""
    path = RESULTS / f"{section}.json"
    if not path.exists():
        return None
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data
