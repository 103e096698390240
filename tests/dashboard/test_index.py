"""The index of a run: complete, continued where it ended, made anew when it is damaged; the run stays untouched."""

from __future__ import annotations

import hashlib
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from topicrawl.cli import run as command
from topicrawl.crawling.judged import relevance_now
from topicrawl.dashboard import query
from topicrawl.dashboard.index import Index
from topicrawl.dashboard.links import visit_number
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.query import Row, Wanted
from topicrawl.dashboard.runs import card
from topicrawl.dashboard.sections import folders, section_of
from topicrawl.dashboard.views.live import gathered
from topicrawl.model import Ask, Outcome, Timing, Told, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.store.run import Run

THRESHOLD = 0.5
ODD: dict[str, Any] = {"web": "invented:7", "topic": "storm", "seeds": ("http://a.test/",), "strategy": "bfs"}


@pytest.fixture(scope="module")
def opened(run_folder: Path) -> Opened:
    found = Opened(run_folder, "storms")
    found.refresh(texts=True)
    found.complete()
    assert found.far().indexed == found.far().read == found.far().visits > 40
    return found


def all_rows(opened: Opened, **wanted: str) -> list[Row]:
    """All pages of the table, one after the other."""
    rows, after = [], ""
    while True:
        with opened.index() as connection:
            found = query.find(connection, Wanted.read({**wanted, "after": after}), THRESHOLD)
        rows += found.rows
        after = found.next
        if not after:
            return rows


@pytest.fixture(scope="module")
def pages(opened: Opened) -> dict[int, float]:
    """The relevance of every page by all that was learned."""
    with opened.run() as run:
        now = relevance_now(run)
        return {visit.n: float(now[visit.n]) for visit in run.visits() if visit.fetched}


@pytest.mark.parametrize(
    ("sort", "key"),
    [
        ("doubt", lambda row: abs(row.relevance - THRESHOLD)),
        ("best", lambda row: -row.relevance),
        ("worst", lambda row: row.relevance),
        ("newest", lambda row: -row.n),
        ("oldest", lambda row: row.n),
    ],
)
def test_every_order_shows_every_page_once(
    opened: Opened, pages: dict[int, float], sort: str, key: object
) -> None:
    rows = all_rows(opened, sort=sort)
    assert len(rows) > query.ROWS, "more than one page of the table"
    assert {row.n: row.relevance for row in rows} == pages
    assert len(rows) == len(pages)
    assert rows == sorted(rows, key=key)  # type: ignore[arg-type]


def test_filters_select_what_they_say(opened: Opened, pages: dict[int, float]) -> None:
    relevant = all_rows(opened, relevance="yes")
    assert {row.n for row in relevant} == {n for n, now in pages.items() if now > THRESHOLD}
    assert len(relevant) + len(all_rows(opened, relevance="no", sort="best")) == len(pages)
    host = relevant[0].host
    assert {row.host for row in all_rows(opened, host=host)} == {host}
    section = section_of(relevant[0].url)
    inside = all_rows(opened, host=host, section=section)
    assert inside
    assert {section_of(row.url) for row in inside} == {section}
    language = relevant[0].language
    assert {row.language for row in all_rows(opened, language=language)} == {language}
    failed = all_rows(opened, status="failed")
    assert failed
    assert all(row.kind not in ("page", "peek") for row in failed)
    kind = failed[0].kind
    assert {row.kind for row in all_rows(opened, status=kind)} == {kind}
    assert len(all_rows(opened, status="all")) == opened.far().visits
    assert all_rows(opened, host="nowhere.test") == []
    assert all_rows(opened, mark="any") == []


def test_a_large_folder_is_shown_with_those_inside_it() -> None:
    rows = [
        ("/", 1, 0, 0),
        ("/Info/", 2, 0, 0),
        ("/Info/Courses/Fall/", 40, 30, 1),
        ("/Info/People/", 30, 0, 0),
    ]
    rows += [("/Info/Courses/Spring/", 10, 5, 0), ("/news/2020/", 5, 1, 0), ("/gone/", 0, 0, 9)]
    shown = [(each.section, each.pages, each.relevant, each.depth) for each in folders(rows, "pages")]
    assert shown == [
        ("/Info/", 82, 35, 0),
        ("/Info/Courses/", 50, 35, 1),
        ("/Info/Courses/Fall/", 40, 30, 2),
        ("/Info/Courses/Spring/", 10, 5, 2),
        ("/Info/People/", 30, 0, 1),
        ("/news/", 5, 1, 0),
        ("/", 1, 0, 0),
    ]
    assert next(folders(rows, "failed")).section == "/gone/"


def test_a_filter_by_a_folder_has_the_folders_inside_it_and_no_others(tmp_path: Path) -> None:
    urls = ["/a/x.html", "/a/b/x.html", "/a/b/c/d/x.html", "/ab/x.html", "/x.html"]
    path = tmp_path / "run"
    with Run.create(path, resolve(Config(**ODD)).to_toml(), warc=False) as run:
        for n, url in enumerate(urls, 1):
            ask = Ask(n, f"http://a.test{url}", 1.0, 0)
            visit = Visit(n, ask.url, ask.url, 200, True, False, 0.9, 1.0, "a.test", 0, None, "t", 9, None)
            run.write([ask, Told(ask, Outcome(ask.url, 200, 9, None, None), visit, Timing(1.7e9))])
    found = Opened(path, "run")
    found.refresh(wait=10)
    found.complete()
    for section, inside in (("/a/", 3), ("/a/b/", 2), ("/", 1), ("/a/b/c/", 1)):
        assert len(all_rows(found, host="a.test", section=section)) == inside
    found.close()


def test_a_search_finds_words_of_title_address_and_text_while_they_are_typed(opened: Opened) -> None:
    with opened.run() as run:
        said = {visit.n: f"{visit.title} {page.text}".lower() for visit, page in run.pages()}
    found = {row.n for row in all_rows(opened, words="rainst", sort="newest")}
    assert found >= {n for n, text in said.items() if " rainstorm" in text}
    assert 0 < len(found) < len(said)
    both = {row.n for row in all_rows(opened, words="flood rainst")}
    assert both <= found
    assert all_rows(opened, words="qqxxzz") == []
    for odd in ('"', "*", "AND OR NOT", "a:b", "(", "NEAR(", "'; DROP TABLE pages; --", "-", "^x"):
        all_rows(opened, words=odd)


def test_chinese_is_found_by_its_letters() -> None:
    assert query.words_of("暴雨") == ["暴", "雨"]
    assert query.words_of("flood r") == ["flood"], "the first letter of a word"


def test_the_curve_and_the_sites_count_what_is_relevant(opened: Opened, pages: dict[int, float]) -> None:
    relevant = sum(now > THRESHOLD for now in pages.values())
    with opened.index() as connection:
        assert connection.execute("SELECT pages, relevant FROM curve ORDER BY pages DESC").fetchone() == (
            len(pages),
            relevant,
        )
        for condition in ("section = ''", "section <> ''"):
            counted = connection.execute(
                f"SELECT sum(pages), sum(relevant) FROM sites WHERE {condition}"
            ).fetchone()
            assert counted == (len(pages), relevant)


def test_a_visit_is_found_by_its_address(opened: Opened) -> None:
    with opened.run() as run, opened.index() as connection:
        first: dict[str, int] = {}
        for visit in run.visits():
            for url in (visit.asked, visit.url):
                first.setdefault(url, visit.n)
        for url, n in first.items():
            assert visit_number(connection, url) == n
        assert visit_number(connection, "http://nowhere.test/") is None


def test_an_index_that_follows_is_the_same_as_one_made_at_once(crawled: Path, tmp_path: Path) -> None:
    tables = ("pages", "sites", "addresses", "kinds")
    found = []
    with Run.open(crawled, writable=False) as run:
        for name, threshold in (("whole", 0.5), ("other", 0.9)):
            index = Index(tmp_path / name, run.id)
            index.follow(run, threshold, threading.Event())
            index.follow(run, 0.5, threading.Event())
            rows = {table: sorted(index._connection.execute(f"SELECT * FROM {table}")) for table in tables}
            found.append(
                {**rows, "curve": index._connection.execute("SELECT * FROM curve ORDER BY pages").fetchall()}
            )
            index.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100])
def test_a_damaged_index_is_made_again(crawled: Path, tmp_path: Path, damage: bytes) -> None:
    run = Path(shutil.copytree(crawled, tmp_path / "run"))
    (run / "ui").mkdir()
    (run / "ui" / "index.db").write_bytes(damage)
    opened = Opened(run, "run")
    opened.refresh()
    opened.complete()
    assert opened.trouble == ""
    assert opened.far().indexed == opened.far().visits > 0


def test_looking_changes_no_file_of_the_run(crawled: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(crawled, tmp_path / "run"))
    before = contents(run)
    opened = Opened(run, "run")
    opened.refresh(texts=True)
    opened.complete()
    with opened.present.crawl():
        pass
    opened.close()
    shutil.rmtree(run / "ui")
    assert contents(run) == before


def contents(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_folder_of_the_dashboard_may_be_deleted_at_any_time(crawled: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(crawled, tmp_path / "run"))
    opened = Opened(run, "run")
    for _ in range(2):
        opened.refresh(wait=0)
        assert opened.far().visits > 0, "there is an index at once"
        opened.complete()
        assert opened.far().indexed == opened.far().visits
        shutil.rmtree(run / "ui")
    opened.close()


def test_a_run_without_a_page_is_shown(tmp_path: Path) -> None:
    words = [
        "--topic",
        "flood",
        "--seeds",
        "http://no-such-host.invented.test/",
        "--web",
        "invented:7",
        "--quiet",
    ]
    assert (
        command(["crawl", *words, "--pages", "3", "--strategy", "bfs", "--out", str(tmp_path / "run")]) == 5
    )
    opened = Opened(tmp_path / "run", "run")
    opened.refresh()
    opened.complete()
    values = gathered(opened)
    assert (values["pages"], values["relevant"], values["failures"]) == (0, 0, [("http-404", 1)])
    assert "no pages" in values["curve"]
    assert card("run", tmp_path / "run").pages == 0
    opened.close()
