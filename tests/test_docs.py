"""The documentation is right: every public name is in docs/api.md, examples run, files that are named exist."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bigpepper as bp
from bigpepper import arena, conformance, explain, notation, position, solve
from bigpepper.public import PublicRound

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if page.name not in ("rules.md", "normative.md")
)
API = (ROOT / "docs" / "api.md").read_text("utf-8")
MODULES = {"bots": bp.bots, "worlds": bp.worlds, "conformance": conformance, "position": position}
PACKAGES = {"arena": arena, "explain": explain, "notation": notation, "solve": solve}
"""What these offer is what they say in `__all__`."""


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# --- docs/api.md ------------------------------------------------------------------------------------------------------


def documented() -> dict[str, set[str]]:
    """Heading → the names that its list explains; headings are `Name`s, the last one in quotes counts."""
    sections: dict[str, set[str]] = {}
    for part in re.split(r"^##+ ", API, flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        names = re.findall(r"`(?:bigpepper\.)?(\w+)`", heading) or [heading]
        items = re.findall(r"^- ((?:`[^`]+`(?:, )?)+)", body, re.MULTILINE)
        rows = re.findall(r"^\|[^|]+\|((?: `\w+`)+) \|$", body, re.MULTILINE)
        sections[names[-1]] = {name for item in (*items, *rows) for name in re.findall(r"`(\w+)", item)}
    return sections


DOCUMENTED = documented()


def own_classes(cls: type) -> list[type]:
    return [base for base in cls.__mro__ if base.__module__.startswith("bigpepper")]


def attributes(cls: type) -> set[str]:
    """Public attributes of a class that are made in this package, fields included."""
    names = {name for base in own_classes(cls) for name in (*vars(base), *getattr(base, "__annotations__", {}))}
    return {name for name in names if not name.startswith("_")}


def members(module: Any) -> set[str]:
    """Public functions and classes of a module that are made in it, and its constants in capitals."""
    made = {name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__}
    constants = {name for name in vars(module) if re.fullmatch(r"LAWS_[A-Z_]+", name)}
    return {name for name in made | constants if not name.startswith("_") and len(name) > 1}


PUBLIC_CLASSES = [getattr(bp, name) for name in bp.__all__ if inspect.isclass(getattr(bp, name))]


def test_every_public_name_is_documented() -> None:
    assert set(bp.__all__) - {*DOCUMENTED, *DOCUMENTED["Errors"]} == set()


@pytest.mark.parametrize("cls", [*PUBLIC_CLASSES, PublicRound])
def test_every_public_attribute_is_documented(cls: type) -> None:
    shared = [base.__name__ for base in own_classes(cls)]
    assert attributes(cls) - {name for base in shared for name in DOCUMENTED.get(base, ())} == set()


@pytest.mark.parametrize("name", MODULES)
def test_every_public_member_of_a_module_is_documented(name: str) -> None:
    assert members(MODULES[name]) - DOCUMENTED[name] == set()


@pytest.mark.parametrize("name", PACKAGES)
def test_everything_that_a_package_offers_is_documented(name: str) -> None:
    assert set(PACKAGES[name].__all__) - DOCUMENTED[name] == set()


def test_nothing_is_documented_that_is_not_there() -> None:
    classes = {cls.__name__: attributes(cls) for cls in (*PUBLIC_CLASSES, PublicRound)}
    modules = {name: set(dir(module)) for name, module in MODULES.items()}
    modules |= {name: set(package.__all__) for name, package in PACKAGES.items()}
    functions = {name: {name} for name in ("rulebooks", "play")}
    exist = classes | modules | functions | {"Errors": set(bp.__all__)}
    gone = {(where, name) for where, names in DOCUMENTED.items() for name in names - exist.get(where, set())}
    assert gone == set()


def public_objects() -> Iterator[tuple[str, Any]]:
    for cls in (*PUBLIC_CLASSES, PublicRound):
        yield cls.__name__, cls
        for base in own_classes(cls):
            for name, value in vars(base).items():
                if not name.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                    yield f"{base.__name__}.{name}", value
    for module in (bp, *MODULES.values()):
        yield module.__name__, module
        for name in members(module):
            if callable(value := getattr(module, name)):
                yield f"{module.__name__}.{name}", value


def test_every_public_object_has_a_docstring() -> None:
    lacking = {name for name, value in public_objects() if not (value.__doc__ or "").strip()}
    generated = {name for name, value in public_objects() if (value.__doc__ or "").startswith(f"{name}(")}
    assert lacking | generated == set()


# --- examples and references ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_examples_run(page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)
    assert result.attempted == len(test.examples)


def test_there_are_examples() -> None:
    text = {page_name(page): page.read_text("utf-8") for page in PAGES}
    assert all(">>> " in text[name] for name in ("README.md", "docs/api.md", "docs/bots.md", "docs/deals.md"))


def test_the_packages_own_example_runs() -> None:
    assert doctest.testmod(bp).failed == 0
    assert doctest.testmod(bp).attempted >= 4


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`((?:src|docs|tests|tools|bench|requirements|web|examples)/[\w./*-]+)`")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    links = [page.parent / link for link in LINK.findall(text) if "://" not in link]
    paths = [path for pattern in PATH.findall(text) if not list(ROOT.glob(path := pattern.rstrip("/")))]
    assert [str(link) for link in links if not link.exists()] + paths == []


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_make_targets_that_are_named_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    declared = " ".join(re.findall(r"^\.PHONY: (.*)", makefile, flags=re.MULTILINE)).split()
    targets = [*re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, flags=re.MULTILINE), *declared]
    named = set(re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text("utf-8"), flags=re.MULTILINE))
    assert named - set(targets) == set()


def test_make_play_opens_the_table_in_the_browser() -> None:
    command = ["make", "--dry-run", "--no-print-directory", "play"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1].endswith("/bigpepper serve --open")
