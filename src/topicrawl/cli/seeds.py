"""`topicrawl seeds`: a seed list from saved result pages or from other lists."""

from __future__ import annotations

EXAMPLES = ""


def seeds() -> None:
    """Make a seed list."""
