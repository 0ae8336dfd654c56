"""Fixtures and settings of the whole suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "suite",
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of public data sets; tests that need it are skipped where it is missing."""
    given = os.environ.get("LABELRANK_DATA")
    folder = Path(given) if given else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no data sets: set LABELRANK_DATA to the folder that holds them")
    return folder
