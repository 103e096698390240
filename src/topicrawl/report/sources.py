"""What each source of seeds has brought: its seeds, and the pages that were reached from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from topicrawl.model import Visit
from topicrawl.report.tables import amount, meter, safe, scrolling
from topicrawl.store.seed_sources import SeedSource

MOST_SHOWN = 50


@dataclass(slots=True)
class Yield:
    """What a source brought; a seed that two sources named counts for both."""

    seeds: int = 0
    fetched: int = 0
    relevant: int = 0
    """Seeds that were fetched, and are relevant."""
    pages: int = 0
    relevant_pages: int = 0
    """Pages reached from its seeds, these included, and how many of them are relevant."""


def source_yields(
    visits: Iterable[Visit], seeds: Iterable[SeedSource], threshold: float
) -> list[dict[str, Any]]:
    """The `sources` of summary.json, those with most relevant pages first, from one pass over `visits`.

    A page counts for the seed from which its chain of links began. Eight bytes tell pages apart, so that memory stays
    small.
    """
    known = list(seeds)
    numbers = {seed.url: number for number, seed in enumerate(known)}
    yields: dict[str, Yield] = {}
    for seed in known:
        for source in seed.sources:
            yields.setdefault(source, Yield()).seeds += 1
    began: dict[bytes, int] = {}
    for visit in visits:
        is_seed = visit.parent is None
        start = numbers.get(visit.asked) if is_seed else began.get(_key(str(visit.parent)))
        if start is None or not visit.fetched:
            continue
        began.setdefault(_key(visit.url), start)
        relevant = visit.relevance > threshold
        for source in known[start].sources:
            counts = yields[source]
            counts.pages += 1
            counts.relevant_pages += relevant
            counts.fetched += is_seed
            counts.relevant += is_seed and relevant
    ranked = sorted(yields.items(), key=lambda item: (-item[1].relevant_pages, -item[1].pages, item[0]))
    return [
        {
            "source": name,
            "seeds": found.seeds,
            "fetched": found.fetched,
            "relevant": found.relevant,
            "pages": found.pages,
            "relevant_pages": found.relevant_pages,
        }
        for name, found in ranked
    ]


def sources_panel(sources: list[dict[str, Any]]) -> str:
    """The panel of the report; nothing where sources are not known."""
    if not sources:
        return ""
    heads = ("Seeds", "Fetched", "Relevant", "Pages from there", "Relevant", "Harvest rate")
    top = "".join(f'<th scope="col" class="n">{head}</th>' for head in heads)
    rows = "".join(_row(each) for each in sources[:MOST_SHOWN])
    left = len(sources) - MOST_SHOWN
    more = f" The {amount(left, 'source')} that brought least are left out." if left > 0 else ""
    table = f'<table><thead><tr><th scope="col">Source</th>{top}</tr></thead><tbody>{rows}</tbody></table>'
    return (
        '<section class="panel"><h2>Where the seeds came from</h2><p class="about">What each source brought: its '
        "seeds, and the pages reached from them, these included. A seed that two sources named counts for both."
        f"{more}</p>{scrolling('Sources', table)}</section>"
    )


def _row(source: dict[str, Any]) -> str:
    rate = source["relevant_pages"] / source["pages"] if source["pages"] else 0.0
    counts = (source[name] for name in ("seeds", "fetched", "relevant", "pages", "relevant_pages"))
    numbers = "".join(f'<td class="n">{amount(count)}</td>' for count in counts)
    shown = f'{meter(rate)}<span class="rate">{rate:.0%}</span>' if source["pages"] else "–"
    return f'<tr><td class="host"><bdi>{safe(source["source"])}</bdi></td>{numbers}<td class="n">{shown}</td></tr>'


def _key(url: str) -> bytes:
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
