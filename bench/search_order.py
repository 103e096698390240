"""How well `topicrawl search` orders pages of recorded webs: `python -m bench.search_order` (docs/evidence/search.md).

Two kinds of queries. Labels: the pages with a label are what its name looks for. Links: the text of a link that leads
to one page only looks for that page.
"""

from __future__ import annotations

import csv
import math
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from bench.process import topicrawl
from bench.whole_web import WEBS
from topicrawl.catalogue import index
from topicrawl.knowledge.terms import count_terms
from topicrawl.store.run import Run
from topicrawl.topic.corpus import spoken

LABELS = {
    "archwiki": "cat:",
    "wikispeedia": "subject:",
    "debdocs": "up:|subject:",
    "blogs_a": "tag:",
    "zhdocs": "tag:|index:",
}
"""Labels whose names are queries. Shares of the title are chosen on the first two webs, and judged on the others."""
PAGES, QUERIES, LINKS, DEPTH = 3_000, 150, 300, 100
SHARES = (0.0, 0.25, 0.5, 1.0, 2.0)

Query = tuple[str, set[str]]


def main() -> None:
    """Crawl some pages of each web, and ask."""
    print("| web | queries | title counts | NDCG at 10 | reciprocal rank |\n|---|---|--:|--:|--:|")
    for web, prefixes in LABELS.items():
        path = WEBS / f"{web}.warc.gz"
        with path.with_name(f"{web}.labels.csv").open() as file, tempfile.TemporaryDirectory() as folder:
            rows = list(csv.DictReader(file))
            urls = list(dict.fromkeys(row["url"] for row in rows))
            random.Random(1).shuffle(urls)
            seeds = Path(folder) / "seeds.txt"
            seeds.write_text("\n".join(urls[:PAGES]))
            where = ("--web", str(path), "--seeds", str(seeds), "--out", f"{folder}/run", "--quiet")
            topicrawl("crawl", *where, "--strategy", "bfs", "--topic", "all: all", "--pages", str(PAGES))
            with Run.open(Path(folder) / "run", writable=False) as run:
                pages = {visit.n: visit.url for visit, _ in run.pages()}
                found = index.Index(Path(folder), run.id)
                found.catch_up(run)
                labels = _labels(rows, prefixes, {*pages.values()})
                for kind, queries in (("labels", labels), ("links", _links(run, {*pages.values()}))):
                    _measure(f"{web} | {len(queries)} {kind}", found, queries, pages)


def _labels(rows: list[dict[str, str]], prefixes: str, pages: set[str]) -> list[Query]:
    wanted: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if re.match(prefixes, row["label"]) and row["url"] in pages:
            wanted[re.split(r"[:.]", row["label"])[-1].replace("_", " ").replace("-", " ")].add(row["url"])
    queries = [(name, urls) for name, urls in wanted.items() if 5 <= len(urls) <= QUERIES]
    random.Random(3).shuffle(queries)
    return queries[:QUERIES]


def _links(run: Run, pages: set[str]) -> list[Query]:
    leads: defaultdict[str, set[str]] = defaultdict(set)
    for visit, page in run.pages():
        for url, anchor in zip(page.links.urls, page.links.anchors, strict=True):
            if url in pages and url != visit.url and (" " in anchor.strip() or len(anchor) > 9):
                leads[anchor.strip()[:80]].add(url)
    queries = sorted((text, urls) for text, urls in leads.items() if len(urls) == 1)
    random.Random(4).shuffle(queries)
    return queries[:LINKS]


def _measure(what: str, found: index.Index, queries: list[Query], pages: dict[int, str]) -> None:
    for share in SHARES:
        index.TITLE = share
        gain, rank = (mean(each) for each in zip(*_scores(found, queries, pages), strict=True))
        print(f"| {what} | {share} | {gain:.3f} | {rank:.3f} |", flush=True)


def _scores(found: index.Index, queries: list[Query], pages: dict[int, str]) -> Iterator[tuple[float, float]]:
    """NDCG at 10 and reciprocal rank of each query."""
    for words, wanted in queries:
        terms = count_terms(words, "zh" if spoken("", words) == "zh" else "en")
        right = [pages[n] in wanted for n, _ in found.search(terms, DEPTH)[0]] if terms else []
        gain = sum(1 / math.log2(place + 2) for place, is_right in enumerate(right[:10]) if is_right)
        best = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
        yield gain / best, next((1 / rank for rank, is_right in enumerate(right, 1) if is_right), 0.0)


if __name__ == "__main__":
    main()
