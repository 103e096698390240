"""`--examples` takes a list of example pages; `--query` takes one page and refuses lists."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import topicrawl
from topicrawl.cli import run
from topicrawl.errors import UsageError
from topicrawl.judge import Seen
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Topic
from topicrawl.setup.config import Config
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

from .conftest import WEB

PAGES = invented_web(WEB).seeds("rainstorm disaster", 12)[5:]
GONE = "http://no-such-host.invented.test/"
ARTICLE = "<title>Floods</title><p>The flood after the rainstorm: rainfall on rainfall, flood and rainstorm for days."


@pytest.fixture
def crawl(seeds: list[str]) -> Callable[..., int]:
    """Crawl 5 pages of the invented web into run/ with scout; more arguments are appended."""
    return lambda *more: run(
        [
            "crawl",
            "--seeds",
            "seeds.txt",
            "--web",
            WEB,
            "--pages",
            "5",
            "--concurrency",
            "1",
            "--out",
            "run",
            *more,
        ]
    )


def kept(folder: Path) -> Topic:
    topic = Config.load(folder / "run" / "crawl.toml").topic
    assert isinstance(topic, Topic)
    return topic


def test_a_list_of_urls_and_paths_is_kept_in_the_run(
    crawl: Callable[..., int], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "lists").mkdir()
    (here / "lists" / "mine.html").write_text(ARTICLE)
    lines = ["# what I like", "", PAGES[0], f"{PAGES[1]}  # good", "mine.html", PAGES[0], GONE]
    (here / "lists" / "examples.txt").write_text("\n".join(lines))
    assert crawl("--examples", "lists/examples.txt") == 0
    printed = capsys.readouterr().err
    assert f"note: {GONE}: answered with status 404; skipped" in printed
    topic = kept(here)
    assert [page.url for page in topic.examples] == [PAGES[0], PAGES[1], ""]
    (here / "lists" / "examples.txt").unlink()
    (here / "lists" / "mine.html").unlink()
    assert run(["crawl", "--out", "run", "--pages", "8", "--quiet"]) == 0
    assert json.loads((here / "run" / "summary.json").read_text())["fetches"] == 8
    assert kept(here) == topic


def test_examples_given_again_on_resume_are_known_and_others_are_added(
    crawl: Callable[..., int], here: Path
) -> None:
    (here / "examples.txt").write_text("\n".join(PAGES[:2]))
    assert crawl("--examples", "examples.txt", "-q") == 0
    begun = kept(here)
    assert crawl("--examples", "examples.txt", "-q", "--pages", "8") == 0
    assert kept(here) == begun
    (here / "examples.txt").write_text(PAGES[2])
    assert crawl("--examples", "examples.txt", "-q", "--pages", "9") == 0
    assert [page.url for page in kept(here).examples] == list(PAGES[:3])
    assert kept(here).terms == begun.terms
    assert run(["doctor", "run", "--replay"]) == 0


def test_pages_that_a_table_marks_not_relevant_are_learned_as_such(
    crawl: Callable[..., int], here: Path
) -> None:
    verdicts = ["1", "0", "Yes", "no", "TRUE", "false"]
    rows = [f'"{page}",{verdict}' for page, verdict in zip(PAGES, verdicts, strict=False)]
    (here / "examples.csv").write_text("\ufeffURL,Relevant\n# mine\n" + "\n".join(rows))
    assert crawl("--examples", "examples.csv", "-q") == 0
    topic = kept(here)
    assert [page.url for page in topic.examples] == list(PAGES[:6:2])
    assert [page.url for page in topic.unwanted] == list(PAGES[1:6:2])
    judge, without = ByExamples(topic), ByExamples(replace(topic, unwanted=()))
    bad = [Seen(page) for page in topic.unwanted]
    assert judge.judge(bad) == [0.0, 0.0, 0.0]
    like = [Seen(msgspec.structs.replace(page, url="http://other.test/")) for page in topic.unwanted]
    assert sum(judge.judge(like)) < sum(without.judge(like))


def test_pages_called_not_relevant_on_resume_are_added_once_and_replayed(
    crawl: Callable[..., int], here: Path
) -> None:
    (here / "examples.txt").write_text("\n".join(PAGES[:2]))
    assert crawl("--examples", "examples.txt", "-q") == 0
    (here / "examples.csv").write_text(f"url,relevant\n{PAGES[0]},1\n{PAGES[2]},0\n")
    for pages in ("8", "9"):
        assert crawl("--examples", "examples.csv", "-q", "--pages", pages) == 0
    topic = kept(here)
    assert [page.url for page in topic.examples] == list(PAGES[:2])
    assert [page.url for page in topic.unwanted] == [PAGES[2]]
    with Run.open(here / "run", writable=False) as stored:
        told = [[page.url for page in each.unwanted] for each in stored.instructions()]
    assert [urls for urls in told if urls] == [[PAGES[2]]]
    assert run(["doctor", "run", "--replay"]) == 0


def test_a_page_that_one_list_calls_relevant_and_another_does_not_is_an_error(
    crawl: Callable[..., int], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.txt").write_text("\n".join(PAGES[:2]))
    (here / "b.csv").write_text(f"url,relevant\n{PAGES[0]},0\n{PAGES[2]},1\n")
    assert crawl("--examples", "a.txt", "--examples", "b.csv") == 2
    assert f"{PAGES[0]} is relevant and is not" in capsys.readouterr().err


def test_lists_and_single_pages_are_combined_with_a_topic_of_terms(
    crawl: Callable[..., int], here: Path
) -> None:
    (here / "mine.html").write_text(ARTICLE)
    for name, page in (("a.txt", PAGES[0]), ("b.txt", PAGES[1])):
        (here / name).write_text(page)
    flags = [
        "--topic",
        "storms: rainstorm",
        "--query",
        "mine.html",
        "--examples",
        "a.txt",
        "--examples",
        "b.txt",
    ]
    assert crawl(*flags, "-q") == 0
    assert kept(here).name == "storms"
    assert [page.url for page in kept(here).examples] == ["", PAGES[0], PAGES[1]]


def test_a_topic_of_several_examples_is_named_after_their_common_terms(
    crawl: Callable[..., int], here: Path
) -> None:
    (here / "one.html").write_text(
        "<title>The first page</title><p>Jam and bread. The flood, the flood, rainstorm."
    )
    (here / "two.html").write_text(ARTICLE)
    (here / "examples.txt").write_text("one.html\ntwo.html\n")
    assert crawl("--examples", "examples.txt", "-q") == 0
    assert kept(here).name == "flood, rainstorm, rainfall"
    assert crawl("--query", "one.html", "-q", "--out", "one") == 0
    assert Config.load(here / "one" / "crawl.toml").topic.name == "The first page"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("flag", "content", "words"),
    [
        ("--examples", "", ["names no page", "one URL or path per line"]),
        ("--examples", "# nothing\n", ["names no page"]),
        ("--examples", "absent.html", ["absent.html", "No such file"]),
        ("--examples", GONE, ["no page could be fetched", "404"]),
        ("--examples", "url,relevant\nhttp://a.test/,maybe", ["line 2", "maybe", "1 or 0"]),
        ("--examples", "url,relevant\nhttp://a.test/", ["line 2", "1 or 0"]),
        ("--examples", "url,relevant\nhttp://a.test/,1\n\nhttp://a.test/,0", ["line 4", "keep one"]),
        ("--examples", "url,relevant\nhttp://a.test/,0", ["names no page"]),
        ("--examples", "page,relevant\nhttp://a.test/,0", ["url,relevant"]),
        ("--examples", "http://a.test/,1\nhttp://b.test/,0", ["url,relevant"]),
        ("--examples", ARTICLE, ["--query list.txt"]),
        ("--query", f"{GONE}\n", ["--examples list.txt"]),
        ("--query", f"# mine\n{GONE}\nhttps://a.test/\npage.html", ["--examples list.txt"]),
        ("--query", f"url,relevant\n{GONE},1", ["--examples list.txt"]),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_with_the_remedy(
    crawl: Callable[..., int],
    here: Path,
    capsys: pytest.CaptureFixture[str],
    flag: str,
    content: str,
    words: list[str],
) -> None:
    (here / "list.txt").write_text(content)
    assert crawl(flag, "list.txt", "-q") == 2
    printed = capsys.readouterr().err
    assert all(word in printed for word in [flag, *words]), printed
    assert printed.count("\n") == 1
    assert not (here / "run").exists()


def test_a_list_that_is_absent_is_refused(
    crawl: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--examples", "absent.txt") == 2
    assert "--examples 'absent.txt': No such file" in capsys.readouterr().err


def test_text_with_urls_in_it_is_still_a_page(crawl: Callable[..., int], here: Path) -> None:
    (here / "page.txt").write_text(f"{GONE}\nThe flood of 1953 and the rainstorm before it.\n{GONE}\n")
    assert crawl("--query", "page.txt", "-q") == 0


def test_the_api_takes_a_list_or_urls(here: Path, seeds: list[str]) -> None:
    given = {"topic": "", "seeds": seeds, "web": WEB, "pages": 3, "concurrency": 1}
    (here / "examples.txt").write_text(PAGES[0])
    assert list(topicrawl.crawl_sync(**given, examples="examples.txt", out=here / "run"))
    assert [page.url for page in kept(here).examples] == [PAGES[0]]
    assert list(topicrawl.crawl_sync(**given, examples=PAGES[:2]))
    with pytest.raises(UsageError, match="--examples"):
        list(topicrawl.crawl_sync(**given, query="examples.txt"))
