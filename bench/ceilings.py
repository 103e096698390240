"""Where the missing part of scout's harvest is: `python -m bench.ceilings WEBS TASKS… [--tasks 12] [--out FILE]`.

A crawl misses relevant pages for one of three reasons: the judge is wrong about the pages read, the order of the known
links is wrong, or the pages that link to what is missing were never read. So each task is crawled several times, and
each time the truth replaces one part of scout:

| case | what is true |
|---|---|
| as it is | nothing |
| judge | the relevance of a page, by its label, when it is visited |
| ranking | known links to relevant pages come before all others |
| hubs | a link's priority rises by a quarter of the number of relevant pages, not yet known, that its page links to |
| ranking, judge · hubs, judge · ranking, hubs · all three | both, or all |

What the truth adds in a case is the most that a better part could add, the others being as they are. Everything else
is learned from the crawl itself, so the cases do not add up. Links of pages that are no page of the web cost nothing.

For the crawl as it is, the second table says where each relevant page is at the end that can be reached from the
seeds and examples and was not fetched: known (and how many waiting links are before it), one page away (an unread
page that is known links to it), two pages away, or further. And how well pages and links are told apart: the area
under the curve of the judge at the visit and at the end; then, of waiting links and as the mean over some steps, that
of priorities, the share of relevant pages among the thirty best with that of the best possible order, and how well each
of `FEATURES` tells links whose page brings two unknown relevant pages or more.

FILE gets a line for each crawl; when it is given again, these crawls are not repeated.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np

from topicrawl.crawling.core import Crawl
from topicrawl.frontier import PEEKED, Frontier, Ids
from topicrawl.judge import Judge, Seen
from topicrawl.judge.outside import as_judge
from topicrawl.judge.terms import ByTerms
from topicrawl.scout.strategy import Scout
from topicrawl.strategies import Choice, Observation
from topicrawl_lab.auc import page_auc
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.graph import Graph
from topicrawl_lab.labels import labels_path, targets, web_path
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.topics import task_topic

CASES: dict[str, frozenset[str]] = {
    "as it is": frozenset(),
    **{part: frozenset([part]) for part in ("judge", "ranking", "hubs")},
    "ranking, judge": frozenset(["ranking", "judge"]),
    "hubs, judge": frozenset(["hubs", "judge"]),
    "ranking, hubs": frozenset(["ranking", "hubs"]),
    "all three": frozenset(["ranking", "hubs", "judge"]),
}
TASKS = 12
"""Tasks of each web and file of tasks."""
FIRST_OF_ALL = 50.0
"""Added to the priority of relevant links: more than any sum of features, less than that of a seed."""
EACH_NEW = 0.25
"""Worth of each relevant page behind a page: what scout gives it, whose yield counts half a page with weight one half,
but without its upper limit."""
STEPS = (0.1, 0.25, 0.5, 0.75, 0.95)
"""Parts of the budget after which the order of waiting links is looked at."""
BEST = 30
HUB = 2
"""Unknown relevant pages that a page links to, at least, to count as a hub."""
FEATURES = ("token", "text", "company", "parents", "page", "path")
"""What words and pages say of a link, by the frontier's columns; what hosts say is the same for all links of a host."""
RANKS = (100, 1_000)
"""Waiting links before a known one: fewer than the first, fewer than the second, more."""
PLACES = ("known, of the first 100", "of the first 1,000", "later", "failed or left")
DISTANCES = ("one page away", "two pages", "more")


class Figures(msgspec.Struct):
    """What one crawl found."""

    web: str
    task: str
    case: str
    share: float
    """Of what the oracle finds."""
    missing: dict[str, int] = {}
    """The relevant pages that it did not fetch, by `PLACES` and `DISTANCES`."""
    told: dict[str, float] = {}
    """How well pages and links are told apart."""


class Truth:
    """Which pages of a web are relevant to a task, and the relevant pages that each of them links to."""

    def __init__(self, graph: Graph, pages: Iterable[str], wanted: frozenset[str]) -> None:
        self.graph, self.wanted = graph, wanted
        self._sources: dict[str, list[str]] = defaultdict(list)
        self.unknown: dict[str, int] = {}
        """For each page the relevant pages that it links to and that are not known yet."""
        for page in pages:
            for target in graph.links(page):
                if target in wanted and target != page:
                    self._sources[target].append(page)
                    self.unknown[page] = self.unknown.get(page, 0) + 1
        self._known: set[str] = set()

    def know(self, page: str) -> Iterator[str]:
        """A link to this page is known now; the pages that bring less because of it."""
        if page in self.wanted and page not in self._known:
            self._known.add(page)
            for source in self._sources[page]:
                self.unknown[source] -= 1
                yield source


@dataclass
class Knowing(Scout):
    """Scout with some parts replaced by the truth."""

    truth: Truth | None = None
    known: frozenset[str] = frozenset()
    """Which parts."""
    look_at: tuple[int, ...] = ()
    """Pages after which the order of waiting links is looked at."""
    orders: list[dict[str, float]] = field(default_factory=list)
    at_visit: list[tuple[float, bool]] = field(default_factory=list)
    """The judge's word on each page when it was visited, and the truth."""
    page_behind: list[str | None] = field(default_factory=list)
    """The page behind each link of the frontier."""

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        self._take_in(frontier)
        if self.look_at and self.features.pages >= self.look_at[0]:
            self.look_at = self.look_at[1:]
            self._look(frontier)
        if not self.known & {"ranking", "hubs"}:
            return super().choose(frontier, rng)
        keys = frontier.columns["key"]
        if not len(keys) or keys.max() == -np.inf:
            return None
        worth = keys.copy()
        if "ranking" in self.known:
            worth += FIRST_OF_ALL * self._relevant[: len(keys)]
        if "hubs" in self.known:
            worth += EACH_NEW * self._behind[: len(keys)]
        return Choice(int(worth.argmax()))

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        super().observe(seen, frontier, rng)
        if seen.outcome.page is not None and self.truth is not None:
            judged = float(frontier.columns["judged"][seen.link])
            self.at_visit.append((judged, seen.visit.url in self.truth.wanted))

    def _take_in(self, frontier: Frontier) -> None:
        """Look up the pages behind new links."""
        truth, first = self.truth, len(self.page_behind)
        assert truth is not None
        if not first:
            self._relevant, self._behind = np.zeros(0), np.zeros(0)
            self._links: dict[str, list[int]] = defaultdict(list)
        if first == len(frontier):
            return
        self.page_behind += [truth.graph.page(url) for url in frontier.urls[first : len(frontier)]]
        if len(self._relevant) < len(frontier):
            more = np.zeros(2 * len(frontier) - len(self._relevant))
            self._relevant, self._behind = np.append(self._relevant, more), np.append(self._behind, more)
        changed = dict[str, None]()
        for link, page in enumerate(self.page_behind[first:], first):
            if page is not None:
                self._links[page].append(link)
                self._relevant[link] = page in truth.wanted
                changed[page] = None
                changed.update(dict.fromkeys(truth.know(page)))
        for page in changed:
            self._behind[self._links.get(page, [])] = truth.unknown.get(page, 0)

    def waiting(self, frontier: Frontier) -> Ids:
        """The links that wait and lead to a page, the best first, each page once."""
        columns = frontier.columns
        waits = np.flatnonzero(columns["state"] <= PEEKED)
        ranked = waits[np.argsort(-columns["priority"][waits], kind="stable")]
        visited = {
            page for page, state in zip(self.page_behind, columns["state"], strict=True) if state > PEEKED
        }
        found = dict[str, int]()
        for link in ranked.tolist():
            page = self.page_behind[link]
            if page is not None and page not in visited:
                found.setdefault(page, link)
        return np.array(list(found.values()), np.int64)

    def _look(self, frontier: Frontier) -> None:
        links, columns = self.waiting(frontier), frontier.columns
        relevant, hubs = self._relevant[links] > 0, self._behind[links] >= HUB
        found = dict[str, float]()
        if relevant.any() and not relevant.all():
            found["area of priorities"] = page_auc(columns["priority"][links], relevant)
            found["relevant of the thirty best"] = float(relevant[:BEST].mean())
            found["most possible"] = min(int(relevant.sum()), BEST) / min(len(links), BEST)
        if hubs.any() and not hubs.all():
            for name in FEATURES:
                found[f"area of {name}, by what links bring"] = page_auc(columns[name][links], hubs)
        self.orders.append(found)


def crawled(task: Task, seed_set: int, web: TaskWeb, case: str, examples: int | None = None) -> Figures:
    """Crawl a task with these parts of scout replaced, with so many of its examples (None: all)."""
    wanted, graph, parts = targets(web.labels, task), web.graph, CASES[case]
    topic = task_topic(task, "words", web.offline)
    topic = replace(topic, examples=topic.examples[:examples])
    steps = tuple(int(part * task.budget) for part in STEPS) if case == "as it is" else ()
    pages = dict.fromkeys(page for url in web.offline.urls() if (page := graph.page(url)) is not None)
    strategy = Knowing(truth=Truth(graph, pages, wanted), known=parts, look_at=steps)

    def label(seen: Sequence[Seen]) -> list[float]:
        return [float(each.page.url in wanted or each.page.url in task.examples) for each in seen]

    judge: Judge = as_judge(label) if "judge" in parts else ByTerms()
    seeds = task.seed_sets[seed_set]
    crawl, fetched = Crawl(topic, strategy, seeds, judge=judge), set[str]()
    count = web.offline.counter(topic)
    while crawl.tally.fetched < task.budget and (ask := crawl.ask()):
        outcome = web.offline.outcome(ask.url)
        if outcome.page is not None:
            outcome = msgspec.structs.replace(outcome, counts=count(outcome.page))
        visit = crawl.tell(ask, outcome)
        if visit.fetched:
            fetched.add(visit.url)
    share = len(fetched & wanted) / task.oracle_at_budget[seed_set]
    found = Figures(task.web, task.name, case, share)
    if case == "as it is":
        strategy._take_in(crawl.frontier)
        found.missing = missing(
            strategy, crawl.frontier, fetched, [*seeds, *(each.url for each in topic.examples)]
        )
        found.told = told(strategy, crawl.frontier)
    return found


def missing(
    strategy: Knowing, frontier: Frontier, fetched: set[str], starts: Iterable[str]
) -> dict[str, int]:
    """Where the relevant pages are that can be reached and were not fetched."""
    truth = strategy.truth
    assert truth is not None
    begun = [page for url in starts if (page := truth.graph.page(url)) is not None]
    left = (truth.wanted & set(distances(truth.graph, begun))) - fetched
    found = dict.fromkeys((*PLACES, *DISTANCES), 0)
    rank = {
        strategy.page_behind[link]: place for place, link in enumerate(strategy.waiting(frontier).tolist())
    }
    known = {page for page in strategy.page_behind if page is not None}
    far = distances(truth.graph, known)
    for page in left:
        if page in rank:
            place = PLACES[sum(rank[page] >= border for border in RANKS)]
        elif page in known:
            place = PLACES[-1]
        else:
            place = DISTANCES[min(far[page], len(DISTANCES)) - 1] if page in far else DISTANCES[-1]
        found[place] += 1
    return {**found, "found": len(fetched & truth.wanted)}


def distances(graph: Graph, starts: Iterable[str]) -> dict[str, int]:
    """Clicks to each page that can be reached."""
    found = dict.fromkeys(starts, 0)
    for page in (queue := list(found)):
        for link in graph.links(page):
            if link not in found:
                found[link] = found[page] + 1
                queue.append(link)
    return found


def told(strategy: Knowing, frontier: Frontier) -> dict[str, float]:
    """How well pages and links are told apart."""
    assert strategy.truth is not None
    visited = strategy.features.visited
    truth = [strategy.page_behind[link] in strategy.truth.wanted for link in visited["link"].tolist()]
    by_name: dict[str, list[float]] = defaultdict(list)
    for order in strategy.orders:
        for name, value in order.items():
            by_name[name].append(value)
    return {
        "area of the judge at the visit": page_auc(*map(list, zip(*strategy.at_visit, strict=True))),
        "at the end": page_auc(visited["judged"], truth),
        **{name: fmean(values) for name, values in by_name.items()},
    }


def sample(files: Sequence[Path], number: int) -> list[Task]:
    """`number` tasks of each web of each file, evenly spread."""
    found = list[Task]()
    for file in files:
        by_web: dict[str, list[Task]] = defaultdict(list)
        for task in read_tasks(file):
            by_web[task.web].append(task)
        for some in by_web.values():
            places = np.unique(np.linspace(0, len(some) - 1, min(number, len(some))).astype(int))
            found += [some[place] for place in places.tolist()]
    return found


def table(found: Sequence[Figures]) -> str:
    """Both tables; each web is a column."""
    webs = list(dict.fromkeys(each.web for each in found))
    lines = [_row("share of the oracle", [*webs, "mean of webs"]), "|---|" + "--:|" * (len(webs) + 1)]
    for case in dict.fromkeys(each.case for each in found):
        means = [fmean(each.share for each in found if (each.web, each.case) == (web, case)) for web in webs]
        lines.append(_row(case, [f"{mean:.3f}" for mean in (*means, fmean(means))]))
    as_it_is = [[each for each in found if each.web == web and each.told] for web in webs]
    lines += ["", _row("missing pages", webs), "|---|" + "--:|" * len(webs)]
    for place in (*PLACES, *DISTANCES, "found"):
        sums = [sum(each.missing.get(place, 0) for each in some) for some in as_it_is]
        lines.append(_row(place, list(map(str, sums))))
    names = dict.fromkeys(name for some in as_it_is for each in some for name in each.told)
    for name in names:
        known = [[each.told[name] for each in some if name in each.told] for some in as_it_is]
        lines.append(_row(name, [f"{fmean(some):.3f}" if some else "" for some in known]))
    return "\n".join(lines)


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Crawl, and print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ceilings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("webs", type=Path, help="the folder of recorded webs")
    parser.add_argument("files", type=Path, nargs="+", metavar="tasks", help="files of tasks")
    parser.add_argument("--tasks", type=int, default=TASKS, help="tasks of each web of each file")
    parser.add_argument("--seed-set", type=int, default=0, help="which seed set of each task")
    parser.add_argument("--examples", type=int, help="examples of each task that are used; all if not given")
    parser.add_argument("--out", type=Path, help="keeps a line for each crawl")
    chosen = parser.parse_args()
    lines = chosen.out.read_bytes().splitlines() if chosen.out and chosen.out.exists() else []
    known = {(each.task, each.case): each for each in (msgspec.json.decode(x, type=Figures) for x in lines)}
    webs: dict[str, TaskWeb] = {}
    found = list[Figures]()
    for task in sample(chosen.files, chosen.tasks):
        web = webs.setdefault(
            task.web, TaskWeb(web_path(chosen.webs, task.web), labels_path(chosen.webs, task.web))
        )
        for case in CASES:
            if (task.name, case) not in known:
                known[task.name, case] = one = crawled(task, chosen.seed_set, web, case, chosen.examples)
                print(f"{one.task}: {case} {one.share:.3f}", file=sys.stderr, flush=True)
                if chosen.out:
                    with chosen.out.open("ab") as file:
                        file.write(msgspec.json.encode(one) + b"\n")
            found.append(known[task.name, case])
    print(table(found))


if __name__ == "__main__":
    main()
