"""What is read of an ASGI connection, for those parts that do not go through the framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, MutableMapping
from typing import Any, Final, TypeAlias

from bigpepper.server.limits import one_client

Scope: TypeAlias = MutableMapping[str, Any]
Event: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Event]]
Send: TypeAlias = Callable[[Event], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_SECURE: Final = frozenset({"https", "wss"})


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers, by lower-case name; of one that comes several times, the last."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def cookies_of(scope: Mapping[str, Any], name: str) -> Iterator[str]:
    """The values of all cookies of that name: there can be several, of other paths or domains."""
    for header, value in scope["headers"]:
        if header.lower() == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                key, _, text = pair.strip().partition("=")
                if key == name:
                    yield text


def is_secure(scope: Mapping[str, Any]) -> bool:
    """Whether it comes over https or wss, as far as the server or a proxy that it trusts can tell."""
    return scope.get("scheme") in _SECURE


def scheme_of(scope: Mapping[str, Any]) -> str:
    """The scheme of its origin: `http` or `https`."""
    return "https" if is_secure(scope) else "http"


def address_of(scope: Mapping[str, Any]) -> str:
    """Under which address its client is counted."""
    client = scope.get("client")
    return one_client(client[0]) if client else "?"
