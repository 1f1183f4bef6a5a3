"""`bigpepper rules`: the rulebooks, and a page that explains any of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import click
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.pager import SystemPager
from rich.table import Table as RichTable
from rich.text import Text

from bigpepper import explain
from bigpepper.cli.edge import language, only_letters, say, shown
from bigpepper.cli.printer import Printer
from bigpepper.errors import InvalidRules
from bigpepper.explain.page import Block, Items, Page, Paragraph, Picture, Section, Table, picture_lines, running, words
from bigpepper.rules import Rules, rulebooks
from bigpepper.text import Message, msg

_WIDTH = 80


@click.command("rules")
@click.argument("name", required=False)
@click.option("--toml", is_flag=True, help="Print the complete rulebook as TOML, to start house rules from.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Letters in place of signs.")
def command(name: str | None, toml: bool, ascii_only: bool) -> None:
    """Explain a rulebook: NAME, or a .toml file with house rules. Without NAME, list the rulebooks."""
    if ascii_only and not toml:
        only_letters(sys.stdout)
    if name is None:
        _show(_list())
        say(msg("“bigpepper rules NAME” explains one; NAME may be a .toml file with house rules."))
        return
    rules = find_rules(name)
    if toml:
        click.echo(rules.to_toml(), nl=False)
    else:
        _page(renderable(explain.rule_page(rules)))


def find_rules(name: str) -> Rules:
    """The shipped rulebook of that name, or the one in that .toml file. Raises `InvalidRules`."""
    if not name.endswith(".toml"):
        return _shipped(name)
    try:
        text = Path(name).read_text("utf-8")
    except OSError as error:
        raise InvalidRules(msg("{file} cannot be read: {reason}.", file=name, reason=error.strerror)) from None
    except UnicodeDecodeError:
        raise InvalidRules(msg("{file} cannot be read: it is no UTF-8 text.", file=name)) from None
    return Rules.from_toml(text)


def _shipped(name: str) -> Rules:
    near = get_close_matches(name.lower(), rulebooks(), n=1)
    if name in rulebooks() or not near:
        return Rules.load(name)
    raise InvalidRules(
        msg(
            "There is no rulebook “{name}”. Did you mean “{near}”? “bigpepper rules” lists all.",
            name=name,
            near=near[0],
        ),
        "name",
    )


# --- printing -------------------------------------------------------------------------------------------------------


def console() -> Console:
    """Standard output, at most 80 columns wide, so that lines stay easy to read."""
    out = Printer(highlight=False)
    out.width = min(out.width, _WIDTH)
    return out


def _show(content: RenderableType) -> None:
    console().print(content)


def _page(content: RenderableType) -> None:
    out = console()
    if not out.is_terminal:
        out.print(content)
        return
    os.environ.setdefault("LESS", "FRX")  # styles shown as such; a page that fits the screen is just printed
    with out.pager(_Pager(), styles=out.color_system is not None):
        out.print(content)


class _Pager(SystemPager):
    """The pager of this system, given only what the terminal can show."""

    def show(self, content: str) -> None:
        """Show a page."""
        super().show(shown(content))


def _list() -> RenderableType:
    table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for head in (msg("Name"), msg("Game"), msg("In a sentence")):
        table.add_column(_text(head), no_wrap=head == msg("Name"))
    for name in rulebooks():
        rules = Rules.load(name)
        table.add_row(Text(name), _text(explain.title(rules)), _text(_sentence(rules)))
    return table


def _sentence(rules: Rules) -> Message:
    if rules.recommended:
        return msg("{summary} Recommended.", summary=explain.summary(rules))
    return explain.summary(rules)


# --- a page ---------------------------------------------------------------------------------------------------------


def renderable(page: Page) -> RenderableType:
    """A rule page for rich."""
    return Group(*_parts(page))


def _parts(page: Page) -> Iterator[RenderableType]:
    yield _text(page.title, "bold")
    yield _text(page.summary, "italic")
    for section in page.sections:
        yield Text()
        yield from _section(section)


def _section(section: Section) -> Iterator[RenderableType]:
    yield _text(section.heading, "bold")
    for number, block in enumerate(section.blocks):
        if number:
            yield Text()
        yield _block(block)


def _block(block: Block) -> RenderableType:
    match block:
        case Paragraph(sentences):
            return Text(running(sentences, language()))
        case Items(items):
            return Group(*(_item(running(item, language())) for item in items))
        case Table():
            return Padding(_table(block), (0, 0, 0, 2), expand=False)
        case Picture():
            return Padding(Text("\n".join(picture_lines(block, language())), no_wrap=True), (0, 0, 0, 2))


def _item(text: str) -> RenderableType:
    row = RichTable.grid(padding=(0, 1))
    row.add_row("•", Text(text))
    return row


def _table(table: Table) -> RenderableType:
    grid = RichTable(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="italic")
    for head in table.heads:
        grid.add_column(_text(head))
    for row in table.rows:
        grid.add_row(*(Text(words(cell, language())) for cell in row))
    return grid


def _text(message: Message, style: str = "") -> Text:
    return Text(message.text(language()), style)
