"""Fixtures of the tests of finding: those of commands, and tests that are `async def`."""

from __future__ import annotations

from cli.conftest import cache, here
from web.http.conftest import pytest_pyfunc_call

__all__ = ["cache", "here", "pytest_pyfunc_call"]
