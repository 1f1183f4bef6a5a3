"""The edge of the command line: where messages become words."""

from __future__ import annotations

import click

from bigpepper.text import SOURCE_LANGUAGE, Message, msg


def language() -> str:
    """The language to speak: English, until there are other catalogues."""
    return SOURCE_LANGUAGE


def say(message: Message) -> None:
    """Print a sentence."""
    click.echo(message.text(language()))


def say_error(message: Message) -> None:
    """Print a sentence on standard error, in the form of the argument parser's own errors."""
    click.echo(msg("Error: {message}", message=message).text(language()), err=True)


def interrupted() -> None:
    """Say that a key ended the program."""
    click.echo(msg("Stopped.").text(language()), err=True)
