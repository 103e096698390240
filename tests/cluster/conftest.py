"""Fixtures of the tests of clusters: a PostgreSQL of their own, on a socket in a temporary folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cluster.postgres import Server, start_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running PostgreSQL, for all tests of this process."""
    with start_postgres() as server:
        yield server


@pytest.fixture
def dsn(postgres: Server) -> str:
    """An empty database."""
    return postgres.new_database()
