"""Write the rule pages of all shipped rulebooks, or check that they are fresh.

python -m bigpepper.explain --write docs/rules    writes a page a rulebook, and README.md with the list of them
python -m bigpepper.explain --check docs/rules    changes nothing; a line for each stale page, exit status 1
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bigpepper.explain.family import HASENPFEFFER_CHOICE, summary, title
from bigpepper.explain.page import markdown
from bigpepper.explain.pages import rule_page
from bigpepper.rules import Rules, rulebooks
from bigpepper.text import msg


def pages() -> dict[str, str]:
    """File name → its text, for all pages of docs/rules that are generated."""
    texts = {f"{name}.md": markdown(rule_page(Rules.load(name))) for name in rulebooks()}
    return {**texts, "README.md": _index()}


def _index() -> str:
    lines = [f"# {msg('The rulebooks')}", "", str(HASENPFEFFER_CHOICE), ""]
    for name in rulebooks():
        rules = Rules.load(name)
        lines.append(f"- [{title(rules)}]({name}.md) (`{name}`): {summary(rules)}")
    lines += ["", str(msg("All of them in full: {page}.", page="[normative.md](normative.md)"))]
    return "\n".join([*lines, ""])


def stale(folder: Path) -> list[str]:
    """The pages in `folder` that are missing or not what would be written."""
    return [name for name, text in pages().items() if not _holds(folder / name, text)]


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text("utf-8") == text


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bigpepper.explain", description=str(msg("Write the rule pages.")))
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--write", type=Path, metavar="FOLDER")
    task.add_argument("--check", type=Path, metavar="FOLDER")
    asked = parser.parse_args(arguments)
    if asked.check:
        for name in (found := stale(asked.check)):
            sys.stderr.write(f"{msg('{page} is stale: write the rule pages anew.', page=name)}\n")
        return 1 if found else 0
    asked.write.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (asked.write / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
