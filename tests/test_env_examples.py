"""The examples run, shortened, and do what they promise; the base package imports none of what they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(example: str, *arguments: str) -> str:
    """What an example prints, shortened."""
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / example, "--short", *arguments],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_learner_beats_random_and_draws_its_curve(tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    last = run("learner.py", "--plot", str(path)).splitlines()[-1]
    mean, half = last.partition("rounds: ")[2].split(" points")[0].split(" ± ")
    assert float(mean) - float(half) > 0
    assert path.stat().st_size > 10_000


def test_the_tournament_is_won_against_random() -> None:
    from examples import tournament

    means = tournament.main(["--short"])
    assert means["random"] > 3
    assert set(means) == {"random", "first", "novice"}


def test_the_algorithm_comes_nearer_to_an_equilibrium(capsys: pytest.CaptureFixture[str]) -> None:
    from examples import equilibrium

    assert 0 < equilibrium.main(["--short"]) < 1.0
    assert capsys.readouterr().out.count("pass") == 6


@pytest.mark.parametrize("statement", ["import bigpepper", "import bigpepper.envs", "import bigpepper.envs.vector"])
def test_the_base_package_imports_none_of_the_libraries(statement: str, tmp_path: Path) -> None:
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    libraries = {"gymnasium", "pettingzoo", "pyspiel", "open_spiel", "PIL", "sklearn", "matplotlib"}
    assert libraries.isdisjoint(done.stdout.split())
