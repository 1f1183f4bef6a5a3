"""A PostgreSQL of a test's own, which can be stopped and started; the shared one (databases.py) always runs."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import text

from bigpepper.server.database import database_url


class Postgres:
    """A cluster in a temporary folder, on loopback. `url` names an empty database in it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="bigpepper-postgres-"))
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"postgresql://bigpepper@127.0.0.1:{self._port}/postgres"

    def __enter__(self) -> Postgres:
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "bigpepper", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if (self._folder / "db" / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses=127.0.0.1 -c port={self._port} -c unix_socket_directories={self._folder}"
        self._run("pg_ctl", "-w", "-s", "-l", f"{self._folder}/log", "-o", options, "start")

    def stop(self) -> None:
        """Stop it at once, whoever is connected."""
        self._run("pg_ctl", "-w", "-s", "-m", "immediate", "stop")

    def _run(self, name: str, *options: str) -> None:
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*user, str(self._bin / name), "-D", str(self._folder / "db"), *options]
        subprocess.run(command, cwd="/", stdout=subprocess.DEVNULL, timeout=60, check=True)


async def events_of(url: str, table: str) -> list[dict[str, Any]]:
    """The log of a table, straight from the database."""
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(database_url(url))
    async with engine.connect() as connection:
        query = text("SELECT seq, data FROM events WHERE table_id = :table ORDER BY seq")
        rows = (await connection.execute(query, {"table": table})).all()
    await engine.dispose()
    assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1))
    return [json.loads(data) if isinstance(data, (str, bytes)) else data for _, data in rows]
