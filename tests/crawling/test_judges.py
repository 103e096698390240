"""The judge of a crawl: who says what a page's relevance is, when it is asked, and what a resume repeats."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import topicrawl
from contracts.small_web import TOPIC, SmallWeb
from topicrawl.cli import run as command
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.judging import LARGEST, MADE
from topicrawl.errors import ConfigError, JudgeError, RunError
from topicrawl.judge import Seen
from topicrawl.judge.registry import own_judge
from topicrawl.model import Instruction, Mark, Page, Told
from topicrawl.page.relevance import PageRelevance
from topicrawl.strategies.registry import make_strategy
from topicrawl.web.invented import invented_web

WEB, ABOUT = "invented:5", "rainstorm disaster"


def arguments(**more: object) -> dict[str, object]:
    web = invented_web(WEB)
    return {"topic": web.topic_spec(ABOUT), "seeds": web.seeds(ABOUT, 3), "web": WEB, "pages": 20, **more}


def crawled(**more: object) -> list[topicrawl.Visit]:
    return list(topicrawl.crawl_sync(**arguments(**more)))  # type: ignore[arg-type]


def logged(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "visits.jsonl").read_text().splitlines()]


class Recording:
    """A judge that records what it is asked and what it learns."""

    def __init__(self) -> None:
        self.asked: list[list[Seen]] = []
        self.learned: list[tuple[str, bool | None]] = []
        self.threads: set[int] = set()

    def judge(self, seen: Sequence[Seen]) -> list[float]:
        self.asked.append(list(seen))
        self.threads.add(threading.get_ident())
        return [word(each.page) for each in seen]

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        self.learned.append((seen.page.url, verdict))


def word(page: Page) -> float:
    return len(page.text) % 100 / 100


@pytest.mark.parametrize("judge", ["terms", "examples"])
def test_relevance_is_the_judges_word_and_the_papers_measure_stands_beside_it(judge: str) -> None:
    web, relevance = SmallWeb(), PageRelevance(TOPIC)
    crawl = Crawl(TOPIC, make_strategy("ops"), web.seeds(), judge=own_judge(judge, TOPIC))
    differ = 0
    for _ in range(40):
        ask = crawl.ask()
        assert ask is not None
        outcome = web.answer(ask)
        expected = crawl.judge.judge([seen])[0] if (seen := crawl.seen(ask.link, outcome)) else 0.0
        visit = crawl.tell(ask, outcome)
        if visit.fetched:
            assert outcome.counts is not None
            assert visit.term_relevance == pytest.approx(relevance(outcome.counts), abs=1e-9)
            assert visit.relevance == pytest.approx(expected, abs=1e-9)
            differ += visit.relevance != visit.term_relevance
    assert (differ > 0) == (judge == "examples")


def test_a_replay_of_the_same_version_agrees_on_what_examples_said() -> None:
    web, events = SmallWeb(), []
    crawl = Crawl(TOPIC, make_strategy("scout"), web.seeds(), judge=own_judge("examples", TOPIC))
    for _ in range(40):
        ask = crawl.ask()
        assert ask is not None
        outcome = web.answer(ask)
        events += [ask, Told(ask, outcome, crawl.tell(ask, outcome))]
    again = Crawl(TOPIC, make_strategy("scout"), web.seeds(), judge=own_judge("examples", TOPIC))
    for event in events:
        again.replay(event)
    assert again.agreement.exact, again.agreement.first


def test_marks_and_further_examples_are_learned_as_verdicts() -> None:
    judge = Recording()
    crawl = Crawl(TOPIC, make_strategy("ops"), SmallWeb().seeds(), judge=judge)
    marks = [Mark(Page("http://x.test/1"), True), Mark(Page("http://x.test/2"), False)]
    crawl.instruct(Instruction(marks=marks, examples=[Page("http://x.test/3", text="rain")]))
    crawl.instruct(Instruction(marks=[Mark(Page("http://x.test/1"), None)]))
    said = [(f"http://x.test/{number}", verdict) for number, verdict in ((1, True), (2, False), (1, None))]
    assert [each for each in judge.learned if each[0] != "http://x.test/3"] == said
    assert ("http://x.test/3", True) in judge.learned


def test_a_judge_from_outside_is_asked_before_the_crawl_is_told_and_its_word_is_logged(
    tmp_path: Path,
) -> None:
    judge = Recording()
    visits = crawled(judge=judge, out=tmp_path / "run", concurrency=16)
    asked = [seen for batch in judge.asked for seen in batch]
    fetched = [visit for visit in visits if visit.fetched]
    assert threading.get_ident() not in judge.threads
    assert {visit.url for visit in fetched} <= {seen.page.url for seen in asked}
    assert all(visit.relevance == word(visit.page) for visit in fetched if visit.page)
    assert max(map(len, judge.asked)) <= LARGEST
    assert [line["relevance"] for line in logged(tmp_path / "run")] == [visit.relevance for visit in visits]
    assert judge.learned == [(visit.url, None) for visit in fetched]


def test_a_judge_from_outside_sees_the_anchors_that_led_to_a_page_and_the_words_around_them() -> None:
    judge = Recording()
    crawled(judge=judge, concurrency=1)
    seen = [each for batch in judge.asked for each in batch]
    assert seen[0].anchors == ()
    led = [lead for each in seen for lead in zip(each.anchors, each.words, strict=True) if lead[0]]
    around = [lead for lead in led if lead[0] in lead[1]]  # the anchor of an image is not in the text
    assert 2 * len(around) > len(led) > 0, led
    assert any(len(words) > len(anchor) for anchor, words in around)
    assert max(len(each.anchors) for each in seen) > 1


def test_a_resume_takes_the_logged_words_and_only_learns(tmp_path: Path) -> None:
    first, second = Recording(), Recording()
    crawled(judge=first, out=tmp_path / "run", concurrency=1)
    before = logged(tmp_path / "run")
    visits = list(topicrawl.crawl_sync(out=tmp_path / "run", pages=25, judge=second))
    assert logged(tmp_path / "run")[: len(before)] == before
    asked = {seen.page.url for batch in second.asked for seen in batch}
    known = {str(line["url"]) for line in before if line["fetched"]}
    fetched = {visit.url for visit in visits if visit.fetched}
    duplicates = {visit.url for visit in visits if visit.error == "duplicate"}
    assert asked == fetched | duplicates  # a duplicate is known as one only after it was judged
    assert not (asked - duplicates) & known
    assert second.learned[: len(first.learned)] == first.learned


def test_a_run_judged_by_python_code_is_resumed_with_it_only(tmp_path: Path) -> None:
    crawled(judge=lambda seen: [0.9 for _ in seen], out=tmp_path / "run", concurrency=1)
    with pytest.raises(ConfigError, match="this judge is Python code"):
        list(topicrawl.crawl_sync(out=tmp_path / "run", pages=25))
    with pytest.raises(RunError, match="earlier pages were judged by it"):
        list(topicrawl.crawl_sync(out=tmp_path / "run", pages=25, judge="terms"))
    assert command(["why", str(tmp_path / "run"), str(arguments()["seeds"][0])]) == 0  # type: ignore[index]


def at_pages(said: Callable[[Sequence[Seen]], object]) -> Callable[[Sequence[Seen]], object]:
    """A judge that answers well where it is tried, and otherwise as `said`."""
    return lambda seen: [0.5] if seen[0].page.url == MADE else said(seen)


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (lambda seen: [1 / 0], "the judge failed at http://.*ZeroDivisionError"),
        (lambda seen: [1.5] * len(seen), "one number from 0 to 1 for each"),
        (lambda seen: [], "one number from 0 to 1 for each"),
    ],
)
def test_a_judge_that_fails_ends_the_crawl_with_its_fault_and_the_run_can_be_resumed(
    tmp_path: Path, judge: Callable[[Sequence[Seen]], object], message: str
) -> None:
    with pytest.raises(JudgeError, match=message):
        crawled(judge=at_pages(judge), out=tmp_path / "run")
    visits = list(topicrawl.crawl_sync(out=tmp_path / "run", judge=lambda seen: [0.9 for _ in seen]))
    assert sum(visit.fetched for visit in visits) == 20


async def waits(seen: Sequence[Seen]) -> list[float]:
    return [0.5] * len(seen)


class Forgetful(Recording):
    def save(self) -> bytes:
        return b""


class Deaf(Recording):
    def learn(self, seen: Seen) -> None:  # type: ignore[override]
        """Take no verdict."""


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (lambda seen: 0.5, "the judge said 0.5 of 1 pages"),
        (lambda seen: "yes", "the judge said 'yes' of 1 pages"),
        (lambda seen: [float("nan")], "the judge said .nan. of 1 pages"),
        (lambda seen: [each.text for each in seen], "AttributeError"),
        (lambda: [0.5], r"is called with \(seen\)"),
        (waits, "is asynchronous"),
        (5, "5 cannot be called"),
        (Recording, "is a class; pass an object"),
        (Forgetful(), r"has save\(\) and no load\(\)"),
        (Deaf(), r"Deaf.learn: is called with \(seen, verdict\)"),
    ],
)
def test_a_judge_that_cannot_work_is_refused_before_anything_is_fetched(
    tmp_path: Path, judge: object, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        crawled(judge=judge, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_scout_is_steered_by_what_a_judge_from_outside_says() -> None:
    web, judge = SmallWeb(), Recording()
    crawl = Crawl(TOPIC, make_strategy("scout"), web.seeds(), judge=judge)
    said = {}
    for number in range(60):
        ask = crawl.ask()
        assert ask is not None
        visit = crawl.tell(ask, web.answer(ask), said=number % 10 / 10)
        if visit.fetched:
            said[visit.url] = visit.relevance
    steering = {url: crawl.frontier.columns["judged"][crawl.frontier.number(url) or 0] for url in said}
    assert steering == said
    assert not judge.asked


def test_a_judge_of_another_package_is_named_with_an_argument(tmp_path: Path) -> None:
    package = tmp_path / "site"
    info = package / "even_judge-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: even-judge\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[topicrawl.judges]\neven = even_judge:Even\n")
    (package / "even_judge.py").write_text(
        "class Even:\n"
        "    def __init__(self, topic, argument):\n        self.said = float(argument)\n"
        "    def judge(self, seen):\n        return [self.said for _ in seen]\n"
        "    def learn(self, seen, verdict):\n        pass\n"
    )
    seeds = [part for url in invented_web(WEB).seeds(ABOUT, 2) for part in ("--seeds", str(url))]
    words = [
        "crawl",
        "--topic",
        "rainstorm",
        *seeds,
        "--web",
        WEB,
        "--pages",
        "5",
        "--out",
        str(tmp_path / "run"),
    ]
    env = {**os.environ, "PYTHONPATH": str(package)}

    def done(judge: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "topicrawl.cli", *words, "--judge", judge]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)

    refused = done("even:much")
    assert (refused.returncode, (tmp_path / "run").exists()) == (2, False), refused.stderr
    assert "error: --judge even:much: cannot be made (ValueError(" in refused.stderr
    taken = done("even:0.375")
    assert taken.returncode == 0, taken.stderr
    assert {line["relevance"] for line in logged(tmp_path / "run") if line["fetched"]} == {0.375}
    assert 'judge = "even:0.375"' in (tmp_path / "run" / "crawl.toml").read_text()


@pytest.mark.parametrize(
    ("strategy", "judge", "threshold"), [("scout", "examples", 0.5), ("ops", "terms", 0.62)]
)
def test_the_default_judge_depends_on_the_strategy_and_the_threshold_on_the_judge(
    tmp_path: Path, strategy: str, judge: str, threshold: float
) -> None:
    crawled(strategy=strategy, out=tmp_path / "run", pages=3)
    with topicrawl.Run(tmp_path / "run") as run:
        assert (run.config.judge, run.config.threshold) == (judge, threshold)
