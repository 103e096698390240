"""Runs and judges cells within one process; webs, topics and judges are cached between cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from topicrawl.crawling.offline import OfflinePages
from topicrawl.knowledge.training import Training
from topicrawl.model import Topic, Visit
from topicrawl.setup.examples import read_training
from topicrawl.strategies import Strategy
from topicrawl.strategies.mcoa import lambdas
from topicrawl.strategies.registry import strategy_class
from topicrawl.topic.pages import topic_pages
from topicrawl_lab.cell import Cell, Crawled, crawl
from topicrawl_lab.example_similarity import ExampleSimilarity, Rarity
from topicrawl_lab.graph import Graph
from topicrawl_lab.judges import (
    OWN_THRESHOLD,
    SIMILARITY_THRESHOLD,
    by_labels,
    by_own_relevance,
    by_similarity,
)
from topicrawl_lab.labels import SUFFIX, Labels, labels_path, read_labels, targets, web_path
from topicrawl_lab.oracle import greedy_oracle
from topicrawl_lab.results import Row
from topicrawl_lab.tasks import Task
from topicrawl_lab.topics import example_pages, task_topic


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of the judges; `--rejudge` applies others to the same logs."""

    relevance: float = OWN_THRESHOLD
    similarity: float = SIMILARITY_THRESHOLD


@dataclass
class CellRunner:
    """`tasks` are all tasks of the file: term rarity (idf) is computed over the examples of all of them."""

    webs: Path
    tasks: Sequence[Task]
    thresholds: Thresholds = Thresholds()
    learned: Mapping[tuple[str, str], Sequence[float]] = field(default_factory=dict)
    """Weights of link texts by task and spec, learned on other tasks."""
    _trainings: dict[Path, Training] = field(default_factory=dict)
    _task_webs: dict[str, TaskWeb] = field(default_factory=dict)
    _topics: dict[tuple[str, str, str], Topic] = field(default_factory=dict)
    _rarities: dict[str, Rarity] = field(default_factory=dict)
    _similarities: dict[str, CachedSimilarity] = field(default_factory=dict)
    _oracles: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def crawl(self, cell: Cell) -> Crawled:
        """Run a cell."""
        learned = self.learned.get((cell.task.name, str(cell.spec)))
        strategy = cell.spec.strategy(cell.task.budget, lambdas(learned) if learned else None)
        if cell.spec.train:
            self._train(strategy, Path(cell.spec.train), cell.task.web)
        return crawl(cell, self.offline(cell.task), self.topic(cell), strategy)

    def offline(self, task: Task) -> OfflinePages:
        """The web of a task."""
        return self.task_web(task).offline

    def labels(self, task: Task) -> Labels:
        """The labels of a task's web: for judges only."""
        return self.task_web(task).labels

    def similarities(self, task: Task, visits: Sequence[Visit]) -> list[float]:
        """How similar each page fetched is to the nearest example."""
        task_web = self.task_web(task)
        if task.name not in self._similarities:
            similarity = ExampleSimilarity(_examples(task, task_web), self._rarity(task.web, task_web))
            self._similarities = {task.name: CachedSimilarity(similarity, task_web.offline)}
        return [self._similarities[task.name](visit.url) for visit in visits if visit.fetched]

    def judge(self, cell: Cell, visits: Sequence[Visit], similarities: Sequence[float]) -> Row:
        """The row of a cell by its log, without costs and stop reason."""
        wanted = targets(self.task_web(cell.task).labels, cell.task)
        truth, own = by_labels(visits, wanted), by_own_relevance(visits, self.thresholds.relevance)
        oracle = self._oracle(cell)
        by_requests = by_labels(visits[: cell.task.budget], wanted)
        fetched = [visit for visit in visits if visit.fetched]
        return Row(
            *cell.key,
            fetches=len(fetched),
            peeks=sum(visit.peek for visit in fetched),
            failures=len(visits) - len(fetched),
            relevant_truth=truth.found,
            oracle_share=truth.found / oracle if oracle else 0.0,
            harvest_rate=truth.harvest_rate,
            recall=truth.found / len(wanted) if wanted else 0.0,
            average_relevance=own.average,
            standard_deviation=own.deviation,
            average_similarity_relevant=by_similarity(
                similarities, self.thresholds.similarity
            ).average_of_relevant,
            hosts=len({visit.host for visit in fetched}),
            share_per_request=by_requests.found / oracle if oracle else 0.0,
        )

    def row(self, cell: Cell, crawled: Crawled, similarities: Sequence[float]) -> Row:
        """The whole row of a cell that was just crawled."""
        row = self.judge(cell, crawled.visits, similarities)
        return replace(
            row,
            seconds=crawled.seconds,
            pages_per_cpu_second=row.fetches / crawled.cpu_seconds if crawled.cpu_seconds else 0.0,
            generations=-1 if crawled.generations is None else crawled.generations,
            stop_reason=crawled.stop_reason,
        )

    def close(self) -> None:
        for task_web in self._task_webs.values():
            task_web.close()

    def task_web(self, task: Task) -> TaskWeb:
        """The web of a task with its labels."""
        if task.web not in self._task_webs:
            self._task_webs[task.web] = TaskWeb(
                web_path(self.webs, task.web), labels_path(self.webs, task.web)
            )
        return self._task_webs[task.web]

    def topic(self, cell: Cell) -> Topic:
        """The topic that a cell crawls with."""
        model = strategy_class(cell.spec.name).topic_model
        key = (cell.task.name, cell.spec.topic, model)
        if key not in self._topics:
            topic = task_topic(cell.task, cell.spec.topic, self.offline(cell.task))
            if model == "pages":
                texts = _examples(cell.task, self.task_web(cell.task))
                topic = replace(topic, pages=topic_pages(texts))
            self._topics[key] = topic
        return self._topics[key]

    def _train(self, strategy: Strategy, folder: Path, web: str) -> None:
        """Give the strategy its training set: the subfolder named after the web if any, else `folder` itself."""
        path = folder / web if (folder / web).is_dir() else folder
        if path not in self._trainings:
            self._trainings = {path: read_training(path)}
        strategy.training = self._trainings[path]

    def _rarity(self, web: str, task_web: TaskWeb) -> Rarity:
        if web not in self._rarities:
            texts = (text for task in self.tasks if task.web == web for text in _examples(task, task_web))
            self._rarities[web] = Rarity(texts)
        return self._rarities[web]

    def _oracle(self, cell: Cell) -> int:
        """What the oracle finds. The task has the number for crawls without a cap; with one it is computed."""
        if cell.cap is None:
            return cell.task.oracle_at_budget[cell.seed_set]
        key = (cell.task.name, cell.seed_set, cell.cap)
        if key not in self._oracles:
            task_web = self.task_web(cell.task)
            self._oracles[key] = oracle(cell.task, cell.seed_set, task_web.graph, task_web.labels, cell.cap)
        return self._oracles[key]


@dataclass
class TaskWeb:
    """A recorded web, its labels and its link graph, each opened when first needed."""

    recording: Path
    labelled: Path

    @property
    def name(self) -> str:
        """The name of this web in tasks."""
        return self.recording.name.removesuffix(SUFFIX)

    @cached_property
    def offline(self) -> OfflinePages:
        return OfflinePages(self.recording)

    def close(self) -> None:
        """Close the web if it was opened; do not open it here, as that may raise."""
        if "offline" in vars(self):
            self.offline.close()

    @cached_property
    def labels(self) -> Labels:
        return read_labels(self.labelled)

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.offline)


@dataclass
class CachedSimilarity:
    """The similarities of pages to one task's examples, each measured once."""

    similarity: ExampleSimilarity
    offline: OfflinePages
    _known: dict[str, float] = field(default_factory=dict)

    def __call__(self, url: str) -> float:
        if url not in self._known:
            page = self.offline.outcome(url).page
            self._known[url] = self.similarity(page.text) if page else 0.0
        return self._known[url]


def oracle(task: Task, seed_set: int, graph: Graph, labels: Labels, cap: int | None = None) -> int:
    """Number of targets that the oracle finds from one seed set within the budget."""
    wanted = targets(labels, task)
    seeds = [graph.page(url) for url in task.seed_sets[seed_set]]
    found = greedy_oracle(
        [url for url in seeds if url is not None], graph.links, wanted.__contains__, task.budget, cap=cap
    )
    return found[-1] if found else 0


def _examples(task: Task, task_web: TaskWeb) -> list[str]:
    return [page.text for page in example_pages(task, task_web.offline)]
