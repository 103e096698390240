"""The folder of a reproduction: a log for each crawl, and `crawls.csv` with a line for each finished one.

A line is written after its log is complete, so that a stopped reproduction can resume.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import msgspec
import numpy as np

from topicrawl.errors import RunError
from topicrawl.knowledge.history import Round
from topicrawl.model import Visit
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.line_files import visit_line
from topicrawl.strategies.weights.learn import Learned
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce.experiment import INDEPENDENT, Crawled, Job, Scaled, file_name
from topicrawl_lab.reproduce.independent import Independent
from topicrawl_lab.weights_folder import KeptWeights, plain

DIGITS = 6
Key = tuple[str, str, int, bool]
"""Subject, crawler, repeat, and whether the independent judge judged."""
_read_visit = msgspec.json.Decoder(Visit).decode
_read_floats = msgspec.json.Decoder(list[float]).decode
_read_weights = msgspec.json.Decoder(KeptWeights).decode
_read_rounds = msgspec.json.Decoder(list[Round]).decode


@dataclass(frozen=True, slots=True)
class Finished:
    """A line of crawls.csv."""

    subject: str
    crawler: str
    repeat: int
    strategy: str
    budget: int
    seconds: float
    """CPU time, as crawls run in parallel."""
    generations: int = -1
    """Generations that ended; −1 for a strategy without generations, or where it was not noted."""
    own_seconds: float = 0.0
    """CPU time for valuing and choosing links; 0 where it was not noted."""
    independent: bool = False
    threshold: float = 0.0
    """The page threshold of the independent judge; 0 for a crawl that it did not judge."""

    @property
    def key(self) -> Key:
        return (self.subject, self.crawler, self.repeat, self.independent)


COLUMNS = tuple(each.name for each in fields(Finished))


@dataclass(frozen=True)
class Folder:
    """The folder of a reproduction."""

    path: Path

    def finished(self, scaled: Scaled) -> dict[Key, Finished]:
        """The finished crawls; `RunError` when their budget was another."""
        found = self._lines()
        for each in found:
            if each.budget != scaled.budget:
                raise RunError(
                    f"{self.path} holds crawls of {each.budget:,} pages, not {scaled.budget:,}; give a new --out"
                )
        return {each.key: each for each in found}

    def has(self, job: Job, finished: Mapping[Key, Finished]) -> bool:
        """Whether a crawl is finished with its current strategy, and its log exists."""
        line = finished.get(job.key)
        return line is not None and line.strategy == job.strategy and (self.path / job.log).exists()

    def write_log(self, job: Job, visits: Sequence[Visit], relevances: Sequence[float]) -> None:
        """Write the log of a crawl, and beside it the relevance of each page fetched to the subject's topic."""
        path = self.path / job.log
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(
                _relevance_file(path), msgspec.json.encode([round(value, DIGITS) for value in relevances])
            )
            write_atomically(path, b"".join(map(visit_line, visits)))

    def write_topics(self, job: Job, found: Independent) -> None:
        """Write the folder of the topic found in documents, as `--topic` opens it, and the judge's terms beside it."""
        path = self.path / INDEPENDENT / "topics" / file_name(job.subject.name) / str(job.repeat)
        judge = ("term,weight", *map("{},{:.6f}".format, found.judge.terms, found.judge.weights))
        with disk_errors(path):
            path.mkdir(parents=True, exist_ok=True)
            for name, content in found.built.files().items():
                write_atomically(path / name, content)
            write_atomically(path / "judge.csv", ("\n".join(judge) + "\n").encode())

    def write_weights(self, job: Job, learned: Learned) -> None:
        """Write the weights that a crawl began with."""
        self._write(job, ".weights.json", msgspec.json.encode(KeptWeights(**plain(learned))))

    def write_rounds(self, job: Job, rounds: Sequence[Round]) -> None:
        """Write what a crawl by example had learned after each round."""
        self._write(job, ".rounds.json", msgspec.json.encode(rounds))

    def _write(self, job: Job, suffix: str, content: bytes) -> None:
        path = (self.path / job.log).with_suffix(suffix)
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)

    def append(self, line: Finished) -> None:
        """Append a line and sync it to disk. A table of an older version gets its new columns before, and one that ends
        with an incomplete line loses that."""
        with disk_errors(self._table):
            text = self._table.read_text("utf-8") if self._table.exists() else ""
            if not text.startswith(_row(COLUMNS)) or not text.endswith("\n"):
                whole = [COLUMNS, *(asdict(each).values() for each in self._lines())]
                write_atomically(self._table, "".join(map(_row, whole)).encode())
            with self._table.open("a", encoding="utf-8", newline="") as file:
                file.write(_row(asdict(line).values()))
                file.flush()
                os.fsync(file.fileno())

    def read(self, job: Job, scaled: Scaled, line: Finished) -> Crawled:
        """A finished crawl, judged as in the paper and by the truth of its web."""
        path, web = self.path / job.log, invented_web(job.web)
        with disk_errors(path):
            visits = [_read_visit(line) for line in path.read_bytes().splitlines()]
            values = np.array(_read_floats(_relevance_file(path).read_bytes()))
        threshold = line.threshold if job.independent else job.subject.threshold
        relevant = values >= threshold if scaled.setup.inclusive else values > threshold
        true = _labels(web, [visit.url for visit in visits if visit.fetched], job.subject.invented)
        own = Verdict(values, relevant)
        weights, rounds = path.with_suffix(".weights.json"), path.with_suffix(".rounds.json")
        return Crawled(
            job.subject.name,
            job.crawler.name,
            job.repeat,
            own=own,
            true=true,
            seconds=line.seconds,
            generations=line.generations,
            own_seconds=line.own_seconds,
            independent=line.independent,
            learned=_read_weights(weights.read_bytes()).learned() if weights.exists() else None,
            rounds=self._rounds(rounds, scaled.setup.rounds),
        )

    def _rounds(self, path: Path, last: int) -> tuple[Round, ...]:
        """The rounds of a crawl up to the last of the paper's; failed fetches leave pages for a short one after it."""
        return tuple(_read_rounds(path.read_bytes())[: last + 1]) if path.exists() else ()

    @property
    def _table(self) -> Path:
        return self.path / "crawls.csv"

    def _lines(self) -> list[Finished]:
        if not self._table.exists():
            return []
        with disk_errors(self._table):
            text = self._table.read_text("utf-8")
        whole = text[: text.rfind("\n") + 1]  # an incomplete last line is ignored
        rows = csv.DictReader(whole.splitlines())
        known = ({name: value for name, value in row.items() if name in COLUMNS} for row in rows)
        return [msgspec.convert(row, Finished, strict=False) for row in known]


def _labels(web: InventedWeb, urls: Sequence[str], topic: str) -> Verdict:
    """What the web knows of its pages: the share of the text that is about the topic, and whether it is relevant."""
    shares = np.array([web.share(url, topic) for url in urls], dtype=np.float64)
    return Verdict(shares, np.array([web.relevant(url, topic) for url in urls], dtype=bool))


def _row(cells: Iterable[object]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _relevance_file(log: Path) -> Path:
    return log.with_suffix(".relevance.json")
