"""A visit as the Python interface yields it: the logged visit, and the page with its text and links."""

from __future__ import annotations

from typing import Any

import msgspec

from topicrawl import model
from topicrawl.model import Page

_FIELDS = model.Visit.__struct_fields__


class Visit(model.Visit, frozen=True):
    """A fetch and what came of it. `page` is None where nothing was read: a failure, or a page read before."""

    page: Page | None = None

    def asdict(self) -> dict[str, Any]:
        """The logged fields, as a line of visits.jsonl has them."""
        return {name: getattr(self, name) for name in _FIELDS}


def with_page(visit: model.Visit, page: Page | None) -> Visit:
    """`visit` with its page."""
    return Visit(**msgspec.structs.asdict(visit), page=page if visit.fetched else None)
