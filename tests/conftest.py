"""What all tests share: Hypothesis profiles and the folder for compiled code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# "ci" asks the same questions in every run; "soak" asks new ones and many more of them.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile(
    "soak", max_examples=5000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


def pytest_configure(config: pytest.Config) -> None:
    """Keep compiled code in pytest's own cache: it lasts from run to run, and the user's stays as it is."""
    if config.cache is not None:
        os.environ.setdefault("BIGPEPPER_CACHE", str(config.cache.mkdir("bigpepper")))


@pytest.fixture
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that takes the place of the user's cache: what is compiled in this test lands there."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("BIGPEPPER_CACHE", str(folder))
    return folder
