"""One browser for all tests of this folder; they run in one process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from web.browser.rig import Rig, rig


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "web/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.xdist_group("rendering"))
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Rig]:
    """A renderer whose pages have little time."""
    with rig() as made:
        yield made
