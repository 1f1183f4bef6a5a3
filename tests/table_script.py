"""A person at the line interface, for tests: reads what was said, and types one of the choices it names."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random

import pytest

from bigpepper.cli import bigpepper

CHOICES = re.compile(r"(?:Choose|You may play): (.*)\.$")
CHOICE = re.compile(r"(\d+|pass) (.+?)(?=, (?:\d+|pass) |$)")
Answer = Callable[["Person"], str]


class Person(io.StringIO):
    """Standard input: each line is asked of `answer`, which may look at all that was printed so far."""

    def __init__(self, out: io.StringIO, answer: Answer) -> None:
        super().__init__()
        self.out = out
        self.answer = answer
        self.typed: list[str] = []

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = self.answer(self)
        self.typed.append(line)
        return line

    @property
    def said(self) -> list[str]:
        """The lines printed so far."""
        return self.out.getvalue().splitlines()

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Number and name of what can be chosen now."""
        line = next(line for line in reversed(self.said) if CHOICES.match(line))
        found = CHOICES.match(line)
        assert found
        return CHOICE.findall(found[1])


def anything(seed: int) -> Answer:
    """Any of the choices, by number or by name."""
    random = Random(seed)

    def answer(person: Person) -> str:
        if person.said[-1].startswith("Enter leaves"):
            return "\n"
        return random.choice(random.choice(person.choices)) + "\n"

    return answer


def lines(*typed: str, then: Answer | None = None) -> Answer:
    """These lines, then what `then` says, or the end of the input."""
    rest: Iterator[str] = iter(typed)

    def answer(person: Person) -> str:
        line = next(rest, None)
        if line is not None:
            return f"{line}\n"
        return then(person) if then else ""

    return answer


@contextmanager
def _replaced(out: io.StringIO, person: Person) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", person)
        patch.setattr(sys, "stdout", out)
        yield


def run(arguments: Sequence[str], answer: Answer) -> tuple[list[str], int]:
    """The lines that the command prints, and its exit status."""
    out = io.StringIO()
    person = Person(out, answer)
    status = 0
    with _replaced(out, person):
        try:
            bigpepper.main(list(arguments), prog_name="bigpepper", standalone_mode=False)
        except SystemExit as end:
            status = int(end.code or 0)
    return person.said, status
