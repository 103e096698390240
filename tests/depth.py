"""How long the long proofs are: short in the gate, in full with $TOPICRAWL_DEEP set (`make test-deep`)."""

from __future__ import annotations

import os
from typing import TypeVar

Size = TypeVar("Size")


def depth(short: Size, full: Size) -> Size:
    """The size of a proof: `full` where $TOPICRAWL_DEEP is set."""
    return full if os.environ.get("TOPICRAWL_DEEP") else short
