"""The cost of maintaining the classifier and of queries, with 30,000 items and a million triples.

Items are generated: 30 terms each, drawn from 20,000 with a Zipf distribution. Only the named operation is timed.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import tantivy
from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, Store

from topicrawl.catalogue.index import _schema
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.knowledge import vocabulary as kb
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.items import Items
from topicrawl.knowledge.learner import Learner
from topicrawl.knowledge.maintain import Maintenance
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.read import read_topic
from topicrawl.web.invented import invented_web

ITEMS = 30_000
TERMS = 20_000
PAGES = 1500
TRIPLES = 1_000_000


def main() -> None:
    """Run all measurements."""
    drawn = _drawn()
    for batch in (2000, 50):
        _maintenance(drawn, batch)
    _maintenance_in_a_crawl()
    _item_queries(drawn)
    _sparql()


def _drawn() -> list[dict[str, int]]:
    """Generated items; half of their terms are those of one of 300 subjects."""
    rng = np.random.default_rng(1)
    ranks = np.minimum(rng.zipf(1.3, (ITEMS, 40)), TERMS - 1)
    subject = rng.integers(0, 300, ITEMS)
    own = (subject[:, None] * 60 + rng.integers(0, 60, (ITEMS, 20))) % TERMS
    return [
        {f"t{term}": 1 + term % 4 for term in {*row[:20].tolist(), *others.tolist()}}
        for row, others in zip(own, ranks, strict=True)
    ]


def _maintenance(drawn: list[dict[str, int]], batch: int) -> None:
    items, spent = Items(), 0.0
    counts = Cooccurrence(items.rows)
    maintenance = Maintenance(counts, Thresholds())
    most = ITEMS if batch > 100 else ITEMS // 5
    for begin in range(0, most, batch):
        items.add(drawn[begin : begin + batch])
        rarities, began = items.rarities(), time.process_time()
        counts.catch_up()
        maintenance.commit(rarities)
        spent += time.process_time() - began
    model = maintenance.model
    print(
        f"maintenance in batches of {batch:,}: {most / spent:,.0f} items a CPU-second "
        f"({most:,} items, {len(model.labels)} labels, {model.rule_count:,} rules)",
        flush=True,
    )


def _maintenance_in_a_crawl() -> None:
    """CPU time of maintenance within a crawl of an invented web, by a learner that times itself."""
    spent = [0.0]

    class Timed(Learner):
        def _maintain(self):  # type: ignore[no-untyped-def]
            began = time.process_time()
            changes = super()._maintain()
            spent[0] += time.process_time() - began
            return changes

    web = invented_web("invented:scale:1")
    offline, subject = OfflinePages(web), "finance"
    strategy = make_strategy("semxdm", {"per_round": 200})
    type(strategy).learner_class = Timed  # type: ignore[attr-defined]
    topic = read_topic(web.topic_spec(subject))
    counter = offline.counter(topic)
    began = time.process_time()
    crawl = Crawl(topic, strategy, web.seeds(subject, 30))
    while crawl.tally.fetched < PAGES and (ask := crawl.ask()):
        outcome = offline.outcome(ask.url)
        if outcome.page is not None:
            counter(outcome.page)
        crawl.tell(ask, outcome)
    whole = time.process_time() - began
    print(
        f"a crawl of {PAGES:,} invented pages: {whole / PAGES * 1000:.1f} ms CPU a page, "
        f"maintenance {spent[0] / whole:.1%} of it",
        flush=True,
    )


def _item_queries(drawn: list[dict[str, int]]) -> None:
    rng = random.Random(2)
    queries = [[f"t{rng.randrange(200, TERMS)}" for _ in range(3)] for _ in range(200)]
    with tempfile.TemporaryDirectory() as folder:
        index = tantivy.Index(_schema(), path=folder)
        index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        writer = index.writer(50_000_000, 1)
        for number, counts in enumerate(drawn):
            writer.add_document(tantivy.Document(n=number, words=" ".join(counts)))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        searcher, schema = index.searcher(), index.schema

        def bm25(words: list[str]) -> None:
            any_of = [
                (tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", word)) for word in words
            ]
            searcher.search(tantivy.Query.boolean_query(any_of), 10)

        print(f"item query over {ITEMS:,} items: {_summary(_times(bm25, queries))}", flush=True)


def _sparql() -> None:
    rng = random.Random(3)
    labels = [kb.term(f"label{number}") for number in range(200)]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(str(Path(folder) / "triples"))
        store.bulk_extend(_quads(rng, labels))
        query = "SELECT ?item WHERE { ?item kb:isClassified ?label }"

        def items_of(label: NamedNode) -> None:
            text = query.replace("?label", str(label))
            found = list(store.query(text, prefixes=kb.PREFIXES, use_default_graph_as_union=True))
            assert found

        took = _times(items_of, labels)
        print(f"SPARQL, the items of a label among {len(store):,} triples: {_summary(took)}", flush=True)


def _quads(rng: random.Random, labels: list[NamedNode]):  # type: ignore[no-untyped-def]
    """Thirty thousand items: type, visit, 24 terms, five labels, three links out."""
    model = NamedNode(f"{kb.KB}model")
    for number in range(ITEMS):
        item = NamedNode(f"http://host{number % 997}.test/{number}")
        yield Quad(item, kb.TYPE, kb.ITEM, DefaultGraph())
        yield Quad(item, kb.VISIT, Literal(number), DefaultGraph())
        for _ in range(24):
            yield Quad(item, kb.HAS_TERM, kb.term(f"t{rng.randrange(TERMS)}"), DefaultGraph())
        for label in rng.sample(labels, 5):
            yield Quad(item, kb.IS_CLASSIFIED, label, model)
        for _ in range(3):
            other = rng.randrange(ITEMS)
            yield Quad(
                item, kb.HAS_OUTLINK, NamedNode(f"http://host{other % 997}.test/{other}"), DefaultGraph()
            )


def _times(query: Callable, arguments: list) -> list[float]:  # type: ignore[type-arg]
    took = []
    for argument in arguments:
        began = time.process_time()
        query(argument)
        took.append((time.process_time() - began) * 1000)
    return took


def _summary(took: list[float]) -> str:
    high = sorted(took)[int(0.95 * len(took))]
    return f"CPU time median {statistics.median(took):.2f} ms, 95th percentile {high:.2f} ms"


if __name__ == "__main__":
    main()
