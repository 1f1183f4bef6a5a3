"""Kernel, rules and options are covered by tests with fixed examples, line by line and branch by branch, uncompiled."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
COVERED = ["kernel.py", "options.py", "rules.py"]
BY = ["test_kernel.py", "test_options.py", "test_rules.py", "test_vectors.py"]


def test_every_line_and_branch_is_covered(tmp_path: Path) -> None:
    data, report = tmp_path / "coverage", tmp_path / "report.json"
    files = ",".join(f"*/bigpepper/{name}" for name in COVERED)
    tests = [str(TESTS / name) for name in BY]
    pytest_run = ["-m", "pytest", "-q", "-n", "0", "-m", "not hypothesis", "-o", f"cache_dir={tmp_path}", *tests]
    run("run", f"--data-file={data}", "--branch", *pytest_run)
    run("json", f"--data-file={data}", f"--include={files}", "-o", str(report))
    measured = json.loads(report.read_text())["files"]
    assert sorted(Path(name).name for name in measured) == COVERED
    missing = {name: (file["missing_lines"], file["missing_branches"]) for name, file in measured.items()}
    assert list(missing.values()) == [([], [])] * len(COVERED), missing


def run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "coverage", *arguments],
        cwd=TESTS.parent,
        env={"BIGPEPPER_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
