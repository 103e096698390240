"""Where cells are run and judged, within one process: what cells of the same task share is made once and kept."""

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
    """Parameters of judges; another value judges the same logs anew."""

    relevance: float = OWN_THRESHOLD
    similarity: float = SIMILARITY_THRESHOLD


@dataclass
class CellRunner:
    """`tasks` are all tasks of the file: their examples together say which words are common."""

    webs: Path
    tasks: Sequence[Task]
    thresholds: Thresholds = Thresholds()
    learned: Mapping[tuple[str, str], Sequence[float]] = field(default_factory=dict)
    """Weights of links' texts for a task and a spec, learned on other tasks."""
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
        return crawl(cell, self.shelf(cell.task), self.topic(cell), strategy)

    def shelf(self, task: Task) -> OfflinePages:
        """The web of a task."""
        return self._task_web(task).shelf

    def labels(self, task: Task) -> Labels:
        """The labels of a task's web: for judges only."""
        return self._task_web(task).labels

    def similarities(self, task: Task, visits: Sequence[Visit]) -> list[float]:
        """How similar each page fetched is to the nearest example."""
        desk = self._task_web(task)
        if task.name not in self._similarities:
            yardstick = ExampleSimilarity(_examples(task, desk), self._rarity(task.web, desk))
            self._similarities = {task.name: CachedSimilarity(yardstick, desk.shelf)}
        return [self._similarities[task.name](visit.url) for visit in visits if visit.fetched]

    def judge(self, cell: Cell, visits: Sequence[Visit], similarities: Sequence[float]) -> Row:
        """The row of a cell by its log; costs and reasons are left open."""
        wanted = targets(self._task_web(cell.task).labels, cell.task)
        truth, own = by_labels(visits, wanted), by_own_relevance(visits, self.thresholds.relevance)
        oracle = self._oracle(cell)
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
        )

    def row(self, cell: Cell, crawled: Crawled, similarities: Sequence[float]) -> Row:
        """The whole row of a cell that was just crawled."""
        row = self.judge(cell, crawled.visits, similarities)
        return replace(
            row,
            seconds=crawled.seconds,
            pages_per_cpu_second=row.fetches / crawled.cpu_seconds if crawled.cpu_seconds else 0.0,
            stop_reason=crawled.stop_reason,
        )

    def close(self) -> None:
        for desk in self._task_webs.values():
            desk.close()

    def _task_web(self, task: Task) -> TaskWeb:
        if task.web not in self._task_webs:
            self._task_webs[task.web] = TaskWeb(
                web_path(self.webs, task.web), labels_path(self.webs, task.web)
            )
        return self._task_webs[task.web]

    def topic(self, cell: Cell) -> Topic:
        """The topic that a cell crawls with."""
        model = strategy_class(cell.spec.name).topic_model
        made_of = (cell.task.name, cell.spec.topic, model)
        if made_of not in self._topics:
            topic = task_topic(cell.task, cell.spec.topic, self.shelf(cell.task))
            if model == "pages":
                texts = _examples(cell.task, self._task_web(cell.task))
                topic = replace(topic, pages=topic_pages(texts))
            self._topics[made_of] = topic
        return self._topics[made_of]

    def _train(self, strategy: Strategy, folder: Path, web: str) -> None:
        """Give the strategy the training set for this web, where `folder` has one for each, else its only one."""
        place = folder / web if (folder / web).is_dir() else folder
        if place not in self._trainings:
            self._trainings = {place: read_training(place)}
        strategy.training = self._trainings[place]

    def _rarity(self, web: str, desk: TaskWeb) -> Rarity:
        if web not in self._rarities:
            texts = (text for task in self.tasks if task.web == web for text in _examples(task, desk))
            self._rarities[web] = Rarity(texts)
        return self._rarities[web]

    def _oracle(self, cell: Cell) -> int:
        """What the omniscient crawler finds: the task says it, but for a per-host cap it has to crawl itself."""
        if cell.cap is None:
            return cell.task.oracle_at_budget[cell.seed_set]
        asked = (cell.task.name, cell.seed_set, cell.cap)
        if asked not in self._oracles:
            desk = self._task_web(cell.task)
            self._oracles[asked] = oracle(cell.task, cell.seed_set, desk.graph, desk.labels, cell.cap)
        return self._oracles[asked]


@dataclass
class TaskWeb:
    """The recorded web at one path with the labels at another and its graph, each opened when first needed."""

    recording: Path
    labelled: Path

    @property
    def web(self) -> str:
        """What tasks call this web."""
        return self.recording.name.removesuffix(SUFFIX)

    @cached_property
    def shelf(self) -> OfflinePages:
        return OfflinePages(self.recording)

    def close(self) -> None:
        """Close the web, if it was opened: one that cannot be opened must not raise here again."""
        if "shelf" in vars(self):
            self.shelf.close()

    @cached_property
    def labels(self) -> Labels:
        return read_labels(self.labelled)

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.shelf)


@dataclass
class CachedSimilarity:
    """The similarities of pages to one task's examples, each measured once."""

    yardstick: ExampleSimilarity
    shelf: OfflinePages
    _known: dict[str, float] = field(default_factory=dict)

    def __call__(self, url: str) -> float:
        if url not in self._known:
            page = self.shelf.outcome(url).page
            self._known[url] = self.yardstick(page.text) if page else 0.0
        return self._known[url]


def oracle(task: Task, seed_set: int, graph: Graph, labels: Labels, cap: int | None = None) -> int:
    """Targets that the omniscient crawler finds from one seed set within the budget."""
    wanted = targets(labels, task)
    seeds = [graph.page(url) for url in task.seed_sets[seed_set]]
    found = greedy_oracle(
        [url for url in seeds if url is not None], graph.links, wanted.__contains__, task.budget, cap=cap
    )
    return found[-1] if found else 0


def _examples(task: Task, desk: TaskWeb) -> list[str]:
    return [page.text for page in example_pages(task, desk.shelf)]
