"""What all tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from server.app_serving import OPEN


@pytest.fixture(autouse=True)
def no_socket_left() -> Iterator[None]:
    """Close the sockets that a test has left open."""
    yield
    OPEN.close()
