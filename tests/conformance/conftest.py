"""Lets tests of this folder be `async def`, as those of the HTTP client are."""

from web.http.conftest import pytest_pyfunc_call

__all__ = ["pytest_pyfunc_call"]
