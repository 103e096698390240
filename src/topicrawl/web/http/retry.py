"""What may be tried again, and when."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

from topicrawl.web.http.settings import HttpSettings

TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524})
"""Answers that may be different in a moment."""


def retry_after(header: str, now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks us to wait; None when it says nothing we understand."""
    text = header.strip()
    if text.isdecimal() and text.isascii():
        return float(text[:12])
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())


class Backoff:
    """How long to rest before a retry: doubling, with some chance so that hosts are not asked in step."""

    def __init__(self, settings: HttpSettings) -> None:
        self._first = settings.backoff
        self._cap = settings.backoff_cap
        self._random = Random(settings.rng_seed)

    def rest(self, attempt: int) -> float:
        """Seconds before retry number `attempt` (from 0)."""
        rest = min(self._cap, self._first * 2.0**attempt)
        return rest * (1 + self._random.random() / 2)
