"""Programs of others that read our files in tests. `make doors-test` installs them; without, these tests skip."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest


def needs(module: str) -> None:
    """Skip the test where a package is absent; under `make doors-test` it fails then."""
    if find_spec(module) is None:
        assert not os.environ.get("TOPICRAWL_DOORS_TESTS"), f"{module} is absent"
        pytest.skip(f"{module} is absent; make doors-test installs it")
