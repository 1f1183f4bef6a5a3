"""A reader who has gone, as after `| head -1`: nothing is said; the exit status is what shells give for that, 141."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RECORD = str(Path(__file__).parent.parent / "docs" / "examples" / "hasenpfeffer-traditional.pep")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize(
    "arguments",
    [
        ["rules"],
        ["rules", "pepper-4"],
        ["replay", RECORD],
        ["simulate", "--rules", "tiny", "--games", "2", "--bots", "first", "--processes", "1"],
        ["simulate", "--rules", "tiny", "--games", "2", "--bots", "first", "--processes", "1", "--json"],
        ["arena", "first", "random", "--rules", "tiny", "--deals", "2", "--processes", "1"],
        ["play", "--rules", "tiny", "--bots", "first"],
        ["--help"],
    ],
    ids=lambda arguments: " ".join(arguments[:3]),
)
def test_a_reader_who_has_gone_is_no_failure(arguments: list[str], tmp_path: Path) -> None:
    gone, output = os.pipe()
    os.close(gone)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bigpepper", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=os.environ | {"BIGPEPPER_DATA": str(tmp_path)},
            timeout=120,
            check=False,
        )
    finally:
        os.close(output)
    assert (done.returncode, done.stderr.decode()) == (141, "")
