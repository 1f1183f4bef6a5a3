"""`bigpepper serve`: a table server on this machine, for this browser, this house, or the world behind a proxy."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from bigpepper.cli.edge import say
from bigpepper.cli.table.store import data_folder
from bigpepper.cli.values import Number, Whole
from bigpepper.errors import BigPepperError
from bigpepper.text import msg

if TYPE_CHECKING:
    from bigpepper.server.app import Settings

LEVELS = ("debug", "info", "warning", "error")


class NotInstalled(BigPepperError):
    """The server's libraries are not there."""


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="Where to listen.  [default: 127.0.0.1, this machine only]")
@click.option("--port", type=Whole(0, 65_535), help="The port; 0 for any.  [default: 8420, or any free one]")
@click.option("--lan", is_flag=True, help="Let others in this network play too; prints the address and its QR code.")
@click.option("--open", "open_browser", is_flag=True, help="Open the first page in the browser, if there is one.")
@click.option("--db", metavar="FILE|URL", help="A SQLite file, or postgresql://….  [default: in your data folder]")
@click.option("--public-url", metavar="URL", help="Under which URL a proxy makes the server known.")
@click.option("--host-name", "names", multiple=True, metavar="NAME", help="Another name to answer to. Repeatable.")
@click.option("--proxy", default="127.0.0.1", show_default=True, help="Proxies that are believed, with commas.")
@click.option("--keep", type=Whole(1), metavar="DAYS", help="Delete what is older, once a day.")
@click.option(
    "--limit-factor",
    type=Number(0.01),
    default=1.0,
    show_default=True,
    help="How much one address may do: so many times.",
)
@click.option("--log", "level", type=click.Choice(LEVELS), default="warning", show_default=True, help="What to log.")
def command(
    host: str | None,
    port: int | None,
    lan: bool,
    open_browser: bool,
    db: str | None,
    public_url: str | None,
    names: tuple[str, ...],
    proxy: str,
    keep: int | None,
    limit_factor: float,
    level: str,
) -> None:
    """Serve tables: for a browser on this machine, with --lan for the whole house. Ctrl-C stops it.

    Everything is kept in the database; a game goes on where it was when the server is started again. The log goes to
    standard error, a JSON object a line. docs/operate.md tells how to run it for the world.
    """
    try:
        from bigpepper.server import logs
        from bigpepper.server.app import Settings
        from bigpepper.server.limits import Limits
        from bigpepper.server.run import bind
    except ModuleNotFoundError as error:
        raise NotInstalled(
            msg("The server needs more libraries ({name}): pip install “bigpepper[server]”.", name=error.name or "?")
        ) from error
    if public_url is not None:
        _check_url(public_url)
    logs.set_up(level)
    settings = Settings(
        database=db or str(data_folder() / "server.sqlite"),
        public_url=public_url,
        hosts=frozenset(name.lower() for name in (*names, *(_own_names() if lan else ()))),
        limits=Limits(factor=limit_factor),
        keep=keep,
    )
    listening = bind(host or ("0.0.0.0" if lan else "127.0.0.1"), port)
    asyncio.run(_serve(settings, listening, proxy, lan, open_browser))
    say(msg("Stopped."))


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
        raise click.BadParameter(
            msg("“{url}” should look like https://cards.example.org, without a path.", url=url).text(),
            param_hint="--public-url",
        )


async def _serve(settings: Settings, listening: socket.socket, proxy: str, lan: bool, open_browser: bool) -> None:
    from bigpepper.server.app import open_server
    from bigpepper.server.run import calm_collector, prepared

    with listening:
        async with open_server(settings) as server:
            calm_collector()
            here = local_url(listening)

            def ready() -> None:
                _announce(here, settings.public_url, lan)
                if open_browser:
                    _open(settings.public_url or here)

            await prepared(server, ready=ready, proxies=proxy).serve([listening])


# --- where it is ----------------------------------------------------------------------------------------------------


def local_url(listening: socket.socket) -> str:
    """The URL of a server on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def lan_address() -> str | None:
    """This machine's address in its network; None where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: the system only chooses the way
        address = str(probe.getsockname()[0])
        return None if address.startswith("127.") or address == "0.0.0.0" else address
    return None


def _own_names() -> set[str]:
    name = socket.gethostname().lower()
    return {name, f"{name.partition('.')[0]}.local"}


def _announce(here: str, public_url: str | None, lan: bool) -> None:
    """Say where the server is."""
    say(msg("Big Pepper is served at {url}", url=here))
    if public_url:
        say(msg("Known to others as {url}", url=public_url))
    if lan:
        _announce_lan(urlsplit(here).port)
    say(msg("Ctrl-C stops it; no game is lost."))
    sys.stdout.flush()


def _announce_lan(port: int | None) -> None:
    address = lan_address()
    if address is None:
        say(msg("This machine is in no network: nobody else can reach it now."))
        return
    url = f"http://{address}:{port}/"
    say(msg("Others in your network open {url} or point a camera here:", url=url))
    click.echo(qr_code(url))
    say(
        msg(
            "Plain http: whoever is in this network could read what goes by, cards and cookies too, and browsers allow "
            "less (no installing as an app, no notifications). For more than people you trust, put https in front: "
            "docs/operate.md."
        )
    )


def qr_code(text: str) -> str:
    """A QR code of a text, for a terminal."""
    from io import StringIO

    import segno

    out = StringIO()
    segno.make(text, error="m").terminal(out, compact=True)
    return out.getvalue()


def _open(url: str) -> None:
    """Open the browser where there is one with windows; one inside of the terminal would take it over."""
    windows = sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if windows:
        asyncio.get_running_loop().run_in_executor(None, _open_now, url)
    else:
        say(msg("There is no browser here: open the address yourself."))


def _open_now(url: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(url)
