"""The command `bigpepper`. Each subcommand has a module of its own, imported only when it is called.

What users did wrong ends as one sentence on standard error and exit status 1 (2 for a wrong call), never a traceback.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Final

import click

from bigpepper._version import __version__
from bigpepper.cli.edge import drop_output, interrupted, prepare_streams, say_error
from bigpepper.errors import BigPepperError
from bigpepper.text import Message, msg

COMMANDS: Final[dict[str, str]] = {
    "play": "play",
    "score": "score",
    "rules": "rules",
    "replay": "replay",
    "simulate": "simulate",
    "arena": "arena",
    "solve": "solve",
    "serve": "serve",
    "verify": "verify",
    "prune": "prune",
}
"""Subcommand → its module in this package, which holds it as `command`; in the order of the help."""

SHORT_HELP: Final[dict[str, str]] = {
    "score": "Keep the score for people with real cards.",
    "replay": "Play a record again by the rules; print the scores.",
    "arena": "Duplicate matches between bots: who is stronger?",
    "solve": "Solve a position or a deal, all cards open.",
    "serve": "Serve tables for browsers.",
    "verify": "Check the deals of a finished game.",
    "prune": "Delete tables that nobody uses any more.",
}
"""For the list of subcommands, where the first sentence of a help is too long for a line."""


class LazyGroup(click.Group):
    """A group whose subcommands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The subcommands, the most used first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bigpepper.cli.{COMMANDS[cmd_name]}").command
        command.short_help = command.short_help or SHORT_HELP.get(cmd_name)
        return command


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bigpepper")
@click.pass_context
def bigpepper(ctx: click.Context) -> None:
    """Pepper and Hasenpfeffer: play, score, simulate. Without a command: sit down and play."""
    if ctx.invoked_subcommand is None:
        command = bigpepper.get_command(ctx, "play")
        assert command is not None
        ctx.invoke(command)


def main() -> None:
    """Run the command line; ends the process with its exit status."""
    prepare_streams()
    try:
        sys.exit(_run())
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BigPepperError as error:
        say_error(error.message)
        sys.exit(1)
    except (KeyboardInterrupt, click.Abort):
        interrupted()
        sys.exit(130)
    except BrokenPipeError:  # the reader, such as `head`, has gone: nothing to say
        drop_output()
        sys.exit(141)
    except OSError as error:
        drop_output()
        say_error(_refused(error))
        sys.exit(1)
    except UnicodeError:
        say_error(msg("A text that was given or is to be printed is no valid UTF-8."))
        sys.exit(1)


def _run() -> int:
    """The exit status of the command; all that it printed is out, or an error."""
    out = sys.stdout
    try:
        return int(bigpepper.main(prog_name="bigpepper", standalone_mode=False) or 0)
    except SystemExit:
        if sys.stdout is not out:  # so Click ends, with a status of its own, when the reader has gone
            raise BrokenPipeError from None
        raise
    finally:
        sys.stdout.flush()


def _refused(error: OSError) -> Message:
    """What the system did not do."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return msg("This cannot be done: {reason}.", reason=reason)
    return msg("{path}: {reason}.", path=error.filename, reason=reason)
