"""Which requests are ours, and what browsers are told to keep to: hosts, origins and headers. Pure.

A page of somebody else must not act in a visitor's name: what changes something needs an `Origin` of our own, or none,
as programs send none. A foreign name that leads to this machine (DNS rebinding) must not make our pages its own: `Host`
has to be an address or a name of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from bigpepper.text import Message, msg

_CONTENT: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)
HEADERS: Final[dict[str, str]] = {
    "content-security-policy": "; ".join(_CONTENT),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # not stricter: a form would be sent with the origin “null”
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}
"""On every response that does not set them itself."""
_HTTPS_ONLY: Final = {"strict-transport-security": "max-age=31536000"}
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Hosts(Struct, frozen=True):
    """The names under which the server is reached, besides `localhost` and addresses; lower case, without ports."""

    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    """Origins that count as ours besides that of the request itself, such as that of the public URL."""

    def refusal(self, host: str) -> Message | None:
        """Why a request with that `Host` is none for us; None where it is."""
        name = (urlsplit(f"//{host}").hostname or "") if _is_plain(host) else ""
        if name in self.names or name == "localhost" or name.endswith(".localhost") or _is_address(name):
            return None
        return msg("This server does not answer to the name “{host}”: start it with --public-url.", host=host[:80])

    def is_ours(self, origin: str, scheme: str, host: str) -> bool:
        """Whether an `Origin` is the one that the request itself goes to."""
        return origin.lower() == f"{scheme}://{host}".lower() or origin in self.origins


def _is_plain(host: str) -> bool:
    return host.isascii() and not any(sign in host for sign in "/\\?#@ ") and host.count("[") == host.count("]") <= 1


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def origin_of(url: str) -> str:
    """The origin of a URL, as browsers write it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


def foreign(hosts: Hosts, method: str, scheme: str, headers: Mapping[str, str]) -> Message | None:
    """Why a request may not do what it asks for; None where it may. `method` is `WEBSOCKET` for a handshake.

    `scheme` is `http` or `https`; names of headers are lower case.
    """
    if method in _SAFE:
        return None
    origin = headers.get("origin")
    if origin is not None:
        if hosts.is_ours(origin, scheme, headers.get("host", "")):
            return None
        return msg("This was asked for by a page of “{origin}”, which is not ours.", origin=origin[:80])
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return msg("This was asked for by a page that is not ours.")
    return None


def response_headers(present: frozenset[str], *, secure: bool) -> dict[str, str]:
    """The headers that a response lacks, `present` being the names of those that it has."""
    wanted = HEADERS | _HTTPS_ONLY if secure else HEADERS
    return {name: value for name, value in wanted.items() if name not in present}
