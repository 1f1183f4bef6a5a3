"""What others get: wheel and sdist, an import that costs nothing, lock files, and nothing of anybody's machine."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from itertools import combinations
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
GAMES = """
import random
import bigpepper as bp

class Dice:
    def __init__(self, seed):
        self.dice = random.Random(seed)
    def act(self, observation):
        return self.dice.choice(observation.legal)

for name in bp.rulebooks():
    rules = bp.Rules.load(name)
    game = bp.play(rules, [Dice(seat) for seat in range(rules.players)], seed=7)
    assert game.winners, name
print(bp.__file__, len(bp.rulebooks()))
"""
BLOCKED = 'import sys; sys.modules["numpy"] = sys.modules["numba"] = None\n'


def run(*command: object, cwd: Path = ROOT, **environment: str) -> str:
    """What `command` prints, in an environment with no more than `environment`; fails with its errors."""
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def project_files() -> list[Path]:
    """Every file of the repository that is tracked or about to be."""
    git = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def package_files() -> set[str]:
    return {path.relative_to(ROOT / "src").as_posix() for path in project_files() if ROOT / "src" in path.parents}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist of this tree, and the wheel built from that sdist; by suffix."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, HOME=str(folder))
    return {path.suffix: path for path in folder.iterdir()}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the wheel and what the wheel says it requires, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    quiet = ["--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "--python", python, "install", *quiet, built[".whl"], HOME=str(folder))
    site = next(folder.glob("lib/python*/site-packages"))
    for required in closure(wheel_distribution(site)):
        link(required, site)
    return python


def wheel_distribution(site: Path) -> Distribution:
    return PathDistribution(next(site.glob("bigpepper-*.dist-info")))


def closure(package: Distribution) -> Iterator[Distribution]:
    """The distributions that `package` requires here, and those that they require."""
    waiting, seen = [package], set[str]()
    while waiting:
        for requirement in map(Requirement, waiting.pop().requires or ()):
            name = canonicalize_name(requirement.name)
            if name not in seen and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
                seen.add(name)
                waiting.append(distribution(name))
                yield waiting[-1]


def link(package: Distribution, site: Path) -> None:
    """Lend `package` to another environment: links to what it has in this one."""
    for name in {file.parts[0] for file in package.files or () if file.parts[0] != ".."}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(package.locate_file(name))))


def test_the_wheel_holds_the_package_and_nothing_else(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built[".whl"]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == package_files()
    assert {"bigpepper/py.typed", "bigpepper/locale/bigpepper.pot", "bigpepper/rulebooks/pepper-4.toml"} <= names


def test_the_sdist_holds_what_the_wheel_is_built_from(built: dict[str, Path]) -> None:
    with tarfile.open(built[".gz"]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names == {f"src/{name}" for name in package_files()} | {
        ".gitignore",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
    }


def test_the_installed_wheel_plays_a_game_of_every_rulebook(installed: Path, tmp_path: Path) -> None:
    printed = run(installed, "-c", GAMES, cwd=tmp_path).split()
    assert Path(printed[0]).is_relative_to(installed.parent.parent)
    assert int(printed[1]) == len(list((ROOT / "src/bigpepper/rulebooks").glob("*.toml"))) > 0


def test_the_installed_commands_say_the_version(installed: Path, tmp_path: Path) -> None:
    import bigpepper

    for command in ([installed, "-m", "bigpepper"], [installed.parent / "bigpepper"]):
        assert run(*command, "--version", cwd=tmp_path).split()[-1] == bigpepper.__version__


def test_the_sdist_can_be_installed(built: dict[str, Path], tmp_path: Path) -> None:
    quiet = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    run(sys.executable, "-m", "pip", "install", *quiet, "--target", tmp_path / "site", built[".gz"], HOME=str(tmp_path))
    installed = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site/bigpepper").rglob("*.*")}
    assert installed >= package_files()


def test_an_import_brings_in_nothing_heavy(tmp_path: Path) -> None:
    heavy = {"asyncio", "babel", "click", "importlib.metadata", "llvmlite", "msgspec", "numba", "numpy", "rich"}
    loaded = run(sys.executable, "-c", "import sys, bigpepper; print(*sys.modules)", cwd=tmp_path).split()
    assert heavy.isdisjoint(loaded)


def test_the_core_plays_without_numpy_and_numba(tmp_path: Path) -> None:
    printed = run(sys.executable, "-c", BLOCKED + GAMES, cwd=tmp_path)
    assert printed.startswith(str(ROOT))


@pytest.mark.parametrize("name", ["random"])  # and "novice" once there is one: the bots for a browser's Python
def test_light_bots_play_without_numpy_and_numba(name: str, tmp_path: Path) -> None:
    script = f"""
import bigpepper as bp
rules = bp.Rules.load("pepper-4")
print(bp.play(rules, [bp.bots.load("{name}", seed=seat) for seat in range(4)], seed=7).winners)
"""
    assert run(sys.executable, "-c", BLOCKED + script, cwd=tmp_path).strip() in {"(0,)", "(1,)"}


def declared() -> Iterator[tuple[str, Requirement]]:
    """Each requirement of pyproject.toml with the lock files it has to be found in."""
    extras = PYPROJECT["project"]["optional-dependencies"]
    groups = PYPROJECT["dependency-groups"]
    layers = {
        "run bench dev server test-server": PYPROJECT["project"]["dependencies"] + groups["build"],
        "dev": extras["test"] + extras["lint"] + extras["plot"],
        "bench": extras["bench"],
        "server test-server": extras["server"],
        "test-server": extras["test"] + extras["test-server"],
        "lock": groups["lock"],
    }
    for names, requirements in layers.items():
        for name in names.split():
            yield from ((name, Requirement(text)) for text in requirements)


def locked(lock: Path) -> dict[str, str]:
    """name → version of what `lock` installs on this machine."""
    lines = re.findall(r"^([\w.-]+)==([^\s;\\]+)(?: *; *([^\\\n]+?))? *\\?$", lock.read_text(), flags=re.MULTILINE)
    return {name: version for name, version, marker in lines if not marker or Marker(marker).evaluate()}


def test_lock_files_hold_what_pyproject_requires() -> None:
    versions = {lock.stem: locked(lock) for lock in LOCKS}
    for name, requirement in declared():
        version = versions[name].get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not in requirements/{name}.txt: `make lock`"
        assert requirement.specifier.contains(version), f"requirements/{name}.txt has {version} for {requirement}"


def test_lock_files_agree_with_each_other() -> None:
    layers = ("dev", "bench", "server", "test-server")
    run_layer, *others = (locked(ROOT / "requirements" / f"{name}.txt") for name in ("run", *layers))
    for name, layer in zip(layers, others, strict=True):
        assert run_layer.items() <= layer.items(), name
    for one, other in combinations(others, 2):
        assert all(one[name] == other[name] for name in one.keys() & other.keys())


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_lock_files_are_names_versions_and_hashes(lock: Path) -> None:
    pattern = re.compile(r"[\w.-]+==\S+( ; [^\\]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    lines = lock.read_text().splitlines()
    assert lines
    assert [line for line in lines if not pattern.fullmatch(line)] == []


# Written so that they do not find themselves.
REGISTRIES = re.compile(r"py[p]i\.(org|io)|python[h]osted\.|npm[j]s\.(org|com)|registry\.\w|--(extra-)?index-[u]rl")
MACHINES = re.compile(r"(?<![\w.~*)\]-])/(home|root|Users|work|opt|tmp)/\w|file:[/]{2}|\b[A-Z]:\\Users")


@pytest.mark.parametrize("pattern", [REGISTRIES, MACHINES], ids=["registries", "machines"])
def test_no_file_names_a_registry_or_a_place_on_a_machine(pattern: re.Pattern[str]) -> None:
    found = []
    for path in project_files():
        lines = path.read_bytes().decode("utf-8", errors="ignore").splitlines()
        found += [f"{path.relative_to(ROOT)}:{i}" for i, line in enumerate(lines, 1) if pattern.search(line)]
    assert found == []


def test_ci_runs_every_test_target() -> None:
    targets = re.findall(r"^(lint|test(?:-[\w-]+)?):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert {"lint", "test"} <= set(targets)
    assert [target for target in targets if f"make {target}" not in lines] == []
