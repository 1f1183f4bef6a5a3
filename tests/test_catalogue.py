"""The check of the English catalogue: what it refuses, and that what it writes holds every sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import catalogue

CLEAN = """
class Odd(BigPepperError): ...
class Odder(Odd): ...
def f(n, console):
    raise Odder(msg("{n} is “odd”.", n=n), "key")
    raise ValueError("not for users")
    # Translators: tricks of a round
    msgn("one trick for {who}", "{n} tricks for {who}", n, who="West")
    console.print(msg("The deal").text("bg"), "[bold]", f"{n}/8", end="  and so on")
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "locale").mkdir()
    return tmp_path


def faults(package: Path, source: str) -> list[str]:
    (package / "odd.py").write_text(source)
    return list(catalogue.faults(package))


def test_sound_sentences_pass(package: Path) -> None:
    assert faults(package, CLEAN) == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('msg(f"{n} is odd")', "string literal"),
        ("msg(text)", "string literal"),
        ('msg("a" + text)', "string literal"),
        ('msgn("one", n)', "string literal"),
        ('text.msg(f"{n} is odd")', "string literal"),
        ('msg("{n} of {m}", n=1)', "lacks a value for {m}"),
        ('msg("{cards[0]}")', "lacks a value for {cards}"),
        ('msg("{n}", n=1, m=2)', "is given {m}"),
        ('msgn("one {m}", "{n} {m}", 3)', "lacks a value for {m}"),
        ('msg("half a {brace", n=1)', "no format"),
        ('Message("plain", {})', "msg() or msgn()"),
        ('raise Odder("plain")', "Odder takes a message"),
        ('raise errors.Odder(f"{n} is odd")', "Odder takes a message"),
        ('raise Odd("%s is odd" % n)', "Odd takes a message"),
        ('raise Odd("{} is odd".format(n))', "Odd takes a message"),
        ('console.print(f"[b]{n} tricks are left[/]")', "shows a plain string"),
        ('click.echo("no such bot")', "shows a plain string"),
    ],
)
def test_what_cannot_be_translated_is_refused(package: Path, line: str, what: str) -> None:
    found = faults(package, CLEAN + f"    {line}\n")
    assert len(found) == 1
    assert what in found[0]
    assert f"odd.py:{CLEAN.count(chr(10)) + 1}: " in found[0]


def test_the_catalogue_holds_sentences_plurals_and_notes(package: Path) -> None:
    faults(package, CLEAN)
    text = catalogue.catalogue(package)
    assert 'msgid "{n} is “odd”."' in text
    assert '#. tricks of a round\n#: bigpepper/odd.py\n#, python-brace-format\nmsgid "one trick for {who}"' in text
    assert 'msgid_plural "{n} tricks for {who}"\nmsgstr[0] ""' in text
    assert "not for users" not in text


def test_the_catalogue_changes_only_with_a_sentence(package: Path) -> None:
    faults(package, CLEAN)
    pot = package / "locale" / "bigpepper.pot"
    assert "make catalogue" in catalogue.stale(package, pot)[0]
    pot.write_text(catalogue.catalogue(package), encoding="utf-8")
    faults(package, "\n\n" + CLEAN)
    assert catalogue.stale(package, pot) == []
    faults(package, CLEAN.replace("odd”", "even”"))
    assert "make catalogue" in catalogue.stale(package, pot)[0]
