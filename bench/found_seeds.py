"""What found seeds are worth: `python -m bench.found_seeds WEBS [TASK…]`.

WEBS is a folder of recorded webs with labels, TASK a task of its `tasks.json`; rainstorm-disaster, railway and
course-pages where none is named.

A server answers as SearXNG does, by BM25 over the pages of the recorded web. A crawl by the topic's words begins with
what it finds there, and others with the first seed sets of the task, three or four pages each. Counted is how many of
the pages fetched are relevant by their labels.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import msgspec

import topicrawl
from topicrawl.finding.begin import with_found_seeds
from topicrawl.page.read import read
from topicrawl.setup.config import Config
from topicrawl.web.recorded import RecordedWeb
from topicrawl_lab.labels import labels_path, read_labels, relevant_pages, web_path
from topicrawl_lab.tasks import read_tasks

TASKS = ("rainstorm-disaster", "railway", "course-pages")
SEED_SETS = 2
MOST_PAGES = 200
RESULTS = 10
K, B = 1.2, 0.75
"""The parameters of BM25."""


class Engine:
    """Finds pages by their words."""

    def __init__(self, web: RecordedWeb) -> None:
        self._pages: list[tuple[str, str, str]] = []
        self._lengths: list[int] = []
        self._where: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for url, answer in web.answers.items():
            page = read(url, web.exchange(url).content) if answer.status == 200 else None
            if page is None:
                continue
            words = re.findall(r"\w+", page.text.lower())
            for word, count in Counter(words).items():
                self._where[word].append((len(self._pages), count))
            self._pages.append((url, page.title, page.text.removeprefix(page.title)[:300]))
            self._lengths.append(len(words))

    def search(self, query: str) -> list[dict[str, str]]:
        """The best pages, as SearXNG writes results."""
        mean = sum(self._lengths) / len(self._lengths)
        scores: dict[int, float] = defaultdict(float)
        for word in re.findall(r"\w+", query.lower()):
            places = self._where.get(word, [])
            rarity = math.log(1 + (len(self._pages) - len(places) + 0.5) / (len(places) + 0.5))
            for page, count in places:
                scores[page] += (
                    rarity * count * (K + 1) / (count + K * (1 - B + B * self._lengths[page] / mean))
                )
        best = sorted(scores, key=lambda page: (-scores[page], page))[:RESULTS]
        return [dict(zip(("url", "title", "content"), self._pages[page], strict=True)) for page in best]


@contextmanager
def serving(engine: Engine) -> Iterator[str]:
    """The engine on a free port of 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            words = parse_qs(urlsplit(self.path).query).get("q", [""])[0]
            body = msgspec.json.encode({"results": engine.search(words)})
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/search"
    finally:
        server.shutdown()
        server.server_close()


def harvest(web: Path, words: str, seeds: Sequence[str], pages: int, relevant: frozenset[str]) -> float:
    """The share of pages fetched that are relevant by their labels."""
    visits = topicrawl.crawl_sync(topic=words, seeds=list(seeds), web=str(web), pages=pages, concurrency=1)
    fetched = [visit.url for visit in visits if visit.fetched]
    return sum(url in relevant for url in fetched) / len(fetched)


def main(webs: Path, names: Sequence[str]) -> None:
    print("task,queries,seeds found,of them relevant,harvest found,harvest of seed sets", flush=True)
    engines: dict[str, Engine] = {}
    for task in read_tasks(webs / "tasks.json"):
        if task.name not in names:
            continue
        path = web_path(webs, task.web)
        relevant = relevant_pages(read_labels(labels_path(webs, task.web)), task)
        engine = engines.setdefault(task.web, Engine(RecordedWeb(path)))
        said: list[str] = []
        with serving(engine) as url:
            config = Config(topic=task.topic_words, search_url=(url,), allow_net=("127.0.0.0/8",), delay=0.0)
            seeds = with_found_seeds(config, said.append, said.append).config.seeds
        pages = min(task.budget, MOST_PAGES)
        found = harvest(path, task.topic_words, seeds, pages, relevant)
        given = [
            harvest(path, task.topic_words, each, pages, relevant) for each in task.seed_sets[:SEED_SETS]
        ]
        shares = " ".join(f"{share:.3f}" for share in given)
        good = sum(seed in relevant for seed in seeds)
        print(f"{task.name},{said[0].split()[2]},{len(seeds)},{good},{found:.3f},{shares}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or TASKS)
