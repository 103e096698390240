"""Which answers are retried, and after how long."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import Random

from topicrawl.web.http.settings import HttpSettings


def retry_after(header: str, now: datetime | None = None) -> float | None:
    """Seconds to wait according to a Retry-After header; None if it cannot be parsed."""
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
    """The delay before a retry: it doubles, with random jitter so that hosts are not asked in step."""

    def __init__(self, settings: HttpSettings) -> None:
        self._first = settings.backoff
        self._cap = settings.backoff_cap
        self._random = Random(settings.rng_seed)

    def rest(self, attempt: int) -> float:
        """Seconds before retry number `attempt` (from 0)."""
        rest = min(self._cap, self._first * 2.0**attempt)
        return rest * (1 + self._random.random() / 2)
