"""summary.json: the totals of a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from topicrawl.model import Visit
from topicrawl.report.digest import digest
from topicrawl.report.metrics import average_relevance, expected_precision, harvest_rate, standard_deviation
from topicrawl.report.stop_rules import SENTENCES

NEEDS_SCRIPT = "say next to nothing without JavaScript"
RENDERED = "; --render auto renders such pages"
NOT_RENDERED = ", and could not be rendered; topicrawl doctor says whether a browser was found"


UNKNOWN_PRECISION = "too few pages are called relevant, or too few are not; mark some"
"""Why there is no expected precision, and the remedy."""


def need_of_browser(summary: Mapping[str, Any]) -> str:
    """What the pages that need a browser do, and the remedy; a crawl that has tried knows --render already."""
    tried = summary.get("rendered", {}).get("failed", 0)
    return NEEDS_SCRIPT + (NOT_RENDERED if tried else RENDERED)


def why_stopped(summary: Mapping[str, Any]) -> str:
    """The stop reason as a sentence."""
    reason = str(summary["stop_reason"])
    return SENTENCES.get(reason, reason)


def summarise(
    visits: Iterable[Visit],
    *,
    threshold: float,
    stop_reason: str,
    seconds: float,
    cpu_seconds: float | None = None,
    are_probabilities: bool = False,
) -> dict[str, Any]:
    """The fields of summary.json, in their order, from one pass over `visits`.

    `cpu_seconds` is user plus system time of the crawler and its workers; without it the pages per CPU-second
    are unknown (None). Where relevances `are_probabilities`, the summary says how good the selection of relevant pages
    is expected to be. Rates and means of a crawl without pages are 0, so that readers need no special case.
    """
    gathered = digest(visits, threshold=threshold)
    relevances, pages = gathered.relevances, gathered.pages
    sure = (
        {"expected_precision": expected_precision(relevances, threshold)}
        if are_probabilities and pages
        else {}
    )
    return {
        "fetches": pages,
        "requests": gathered.requests,
        "relevant": gathered.relevant,
        "harvest_rate": harvest_rate(relevances, threshold),
        "average_relevance": average_relevance(relevances),
        "standard_deviation": standard_deviation(relevances),
        "hosts": gathered.hosts_with_pages,
        "failures": dict(sorted(gathered.failures.items(), key=lambda item: (-item[1], item[0]))),
        "stop_reason": stop_reason,
        "seconds": seconds,
        "pages_per_cpu_second": pages / cpu_seconds if cpu_seconds else None,
        "bytes": gathered.bytes,
        "threshold": threshold,
        **sure,
    }
