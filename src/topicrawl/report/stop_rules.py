"""Why a crawl stops: one table for the crawl, its summary, and the check whether a run is finished."""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """A stop rule that compares a count with a setting."""

    reason: str
    """As summary.json has it in `stop_reason`."""
    setting: str
    """The setting that holds the limit."""
    tally: str
    """The count, a field of `Tally` (crawling/core.py)."""
    summary: str
    """The same count in summary.json."""
    sentence: str


LIMITS = (
    Limit("pages", "pages", "fetched", "fetches", "all pages asked for are fetched"),
    Limit("relevant", "relevant", "relevant", "relevant_at_visit", "enough relevant pages are found"),
    Limit("requests", "max_requests", "visits", "requests", "the limit of requests is reached"),
    Limit("bytes", "max_bytes", "bytes", "bytes", "the limit of bytes is reached"),
)
OTHER_REASONS = {
    "time": "the time is up",
    "frontier empty": "no link was left to follow",
    "rounds": "the rounds asked for are done",
    "turn": "the turn of the watch is over",
    "stopped": "somebody stopped it",
}
SENTENCES = {limit.reason: limit.sentence for limit in LIMITS} | OTHER_REASONS
"""Stop reasons as sentences; any other reason is shown as it is."""
