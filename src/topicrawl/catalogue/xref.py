"""Cross-references: the item asked about, and a crawl for more like it that begins at what was found already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from topicrawl.crawling.event_loop import run_loop
from topicrawl.crawling.lifecycle import begin, is_run, resume
from topicrawl.crawling.session import Session
from topicrawl.model import Page, Topic
from topicrawl.setup.config import Config
from topicrawl.setup.example_list import is_url
from topicrawl.setup.examples import query_pages, query_topic, read_item
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.urls import canonical


def item_page(item: str, run: Run, config: Config) -> Page:
    """The item itself: as the run has it, from a file, or fetched from the run's web."""
    kept = run.page(canonical(item) or item) if is_url(item) else None
    if kept is not None:
        return kept
    return query_pages([item], config)[0] if is_url(item) else read_item(item, "URL|FILE")


def crawl_for(
    item: str, page: Page, run: Path, found: Sequence[str], pages: int, remark: Callable[[str], None]
) -> Path:
    """Crawl for items like `page` from those `found` and the run's own seeds; returns the new run's folder.

    The crawl is kept inside the run; asked for again, it goes on, and with more pages further.
    """
    out = run / f"xref-{sha256(item.encode()).hexdigest()[:8]}"
    with Run.open(run, writable=False) as old:
        topic = query_topic([Page(page.url, page.title, language=page.language, text=page.text)])
        config = _asking(config_of(old), topic, found, pages)
    session = resume(out, {"pages": pages}, remark) if is_run(out) else begin(config, out, remark)
    if isinstance(session, Session) and session.run is not None:
        with session.run:
            run_loop(session.complete)
    return out


def _asking(config: Config, topic: Topic, found: Sequence[str], pages: int) -> Config:
    strategy = config.strategy if config.strategy in ("semxdm", "context_graph", "best_n_first") else "semxdm"
    return replace(
        config,
        topic=topic,
        seeds=tuple(dict.fromkeys([*found, *config.seeds])),
        strategy=strategy,
        parameters={key: value for key, value in config.parameters.items() if key != "per_round"}
        if strategy == config.strategy
        else {},
        pages=pages,
        rounds=None,
        recrawl=None,
        sitemaps=False,
    )
