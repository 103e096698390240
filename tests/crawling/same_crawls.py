"""Short crawls of the strategies that compute most: `python same_crawls.py OUT cli|api`, from a process of its own.

Each leaves its run in OUT. Then further strategies crawl without a run, and the priorities of all links, and what the
judge of scout says, are printed as digests: the log rounds figures, so that a difference in the last bit seldom shows
there.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import msgspec

import topicrawl
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.pages import topic_pages
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:5", "rainstorm disaster"
PAGES, CHOSEN = 40, 50
RUNS = ("scout", "svsm_mcoa", "fcwseo", "semxdm")
BY_EXAMPLE = ("scout", "semxdm")
STATES: dict[str, dict[str, str]] = {
    "scout": {},
    "context_graph": {},
    "semxdm": {"layer_discount": "0.7"},
    "fcsa": {},
    "elp": {},
    "moaco": {"promise_weight": "1.7"},
    "mcoa": {"weights": "exact", "training_pages": "20"},
    "svsm_mcoa": {"weights": "mcoa", "training_pages": "20"},
}
"""Strategies and parameters that between them use every function of floats.py."""


def by_command(out: Path, strategy: str, seeds: list[str]) -> None:
    from topicrawl.cli import run

    flags = [flag for seed in seeds for flag in ("--seeds", seed)]
    flags += ["--query", seeds[0]] if strategy in BY_EXAMPLE else []
    settings = ["--topic", invented_web(WEB).topic_spec(TOPIC), "--web", WEB, "--pages", str(PAGES), *flags]
    code = run(["crawl", *settings, "--strategy", strategy, "--ordered", "--out", str(out), "--quiet"])
    if code:
        sys.exit(code)


def by_api(out: Path, strategy: str, seeds: list[str]) -> None:
    for _ in topicrawl.crawl_sync(
        topic=invented_web(WEB).topic_spec(TOPIC),
        seeds=seeds,
        web=WEB,
        pages=PAGES,
        strategy=strategy,
        query=seeds[:1] if strategy in BY_EXAMPLE else [],
        ordered=True,
        out=str(out),
    ):
        pass


def states(seeds: list[str]) -> dict[str, str]:
    """A digest of the priorities of all links, after a crawl by each of `STATES`."""
    offline = OfflinePages(WEB)
    examples = tuple(page for seed in seeds if (page := offline.outcome(seed).page))
    topic = open_topic(invented_web(WEB).topic_spec(TOPIC))
    topic = replace(topic, examples=examples, pages=topic_pages(page.text for page in examples))
    count = offline.counter(topic)
    found = {}
    for name, parameters in STATES.items():
        crawl = Crawl(topic, make_strategy(name, parameters), invented_web(WEB).seeds(TOPIC, 8), rng_seed=7)
        while crawl.tally.fetched < CHOSEN and (ask := crawl.ask()):
            outcome = offline.outcome(ask.url)
            if outcome.page is not None:
                outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
            crawl.tell(ask, outcome)
        kept = ("priority", "judged") if name == "scout" else ("priority",)
        floats = b"".join(crawl.frontier.columns[column].tobytes() for column in kept)
        found[name] = f"{hashlib.sha256(floats).hexdigest()[:16]} after {crawl.tally.fetched}"
    return found


if __name__ == "__main__":
    folder, how = Path(sys.argv[1]), sys.argv[2]
    first = invented_web(WEB).seeds(TOPIC, 3)
    for each in RUNS:
        (by_api if how == "api" else by_command)(folder / each, each, first)
    sys.stdout.write(json.dumps(states(first)))
