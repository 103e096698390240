"""Lets tests of this folder be `async def`: each runs in its own event loop and must end in time."""

from __future__ import annotations

import asyncio
import inspect

import pytest

BOUND = 30
"""Seconds after which any test here has failed."""


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), BOUND))
    return True
