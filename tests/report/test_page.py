"""The report: complete, self-contained, safe for any content of pages, and usable in a browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from browser import chromium
from topicrawl.model import Timing, Topic, Visit
from topicrawl.report.page import render, write_report
from topicrawl.report.summary import summarise
from topicrawl.report.tables import bytes_of, duration, safe

TOPIC = Topic("rainstorm", ("rainstorm", "暴雨", "a<b"), (0.8, 0.5, 0.1))
CONFIG = """
[crawl]
strategy = "ops"
pages = 500
seeds = ["https://a.test/", "https://b.test/"]
[http]
delay = 1.0
header = ["Authorization: Bearer s3cret"]
proxy = "http://me:hunter2@proxy.test:3128"
[topic]
name = "rainstorm"
"""
HOSTILE = '</title></style></script><script>document.title="owned"</script><img src=x onerror=alert(1)>'


def visit(n: int, relevance: float, *, host: str = "a.test", title: str = "A page", url: str = "") -> Visit:
    url = url or f"https://{host}/{n}"
    return Visit(n, url, url, 200, True, False, relevance, 0.5, host, n % 4, None, title, 1000 * n, None)


def failed(n: int, error: str) -> Visit:
    return Visit(n, f"https://c.test/{n}", "", None, False, False, 0.0, 0.5, "c.test", 1, None, "", 0, error)


def report_of(visits: list[Visit], title: str = "rainstorm") -> str:
    summary = summarise(visits, threshold=0.62, stop_reason="500 pages fetched", seconds=90, cpu_seconds=2)
    timings = [(each.n, Timing(0, 0.9, 0.2, 0.001)) for each in visits]
    return render(title=title, topic=TOPIC, config=CONFIG, visits=visits, timings=timings, summary=summary)


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def some_visits() -> list[Visit]:
    pages = [visit(n, (n % 10) / 10, host=f"h{n % 7}.test") for n in range(1, 101)]
    return [*pages, failed(101, "timeout: connect"), failed(102, "robots: disallowed")]


def test_it_shows_the_headline_numbers() -> None:
    page = report_of(some_visits())
    for words in (
        "30.0%",
        "harvest rate",
        "30 relevant pages",
        "1 min 30 s",
        "timeout",
        "h3.test",
        "500 pages fetched",
    ):
        assert words in page


def test_a_hostile_title_url_or_host_stays_text() -> None:
    visits = [
        visit(1, 0.99, title=HOSTILE),
        visit(2, 0.98, host='"><script>x()</script>', url='https://a.test/"onmouseover="x()'),
        visit(3, 0.97, url="javascript:alert(1)", title="click me"),
        failed(4, "<script>x()</script>: y"),
    ]
    elements = Elements(report_of(visits, title=HOSTILE)).found
    assert [tag for tag, _ in elements].count("script") == 1
    assert "img" not in [tag for tag, _ in elements]
    attributes = {name for _, attrs in elements for name in attrs}
    assert not {name for name in attributes if name.startswith("on")}
    hrefs = [attrs["href"] or "" for tag, attrs in elements if tag == "a"]
    assert len(hrefs) == 2
    assert all(href.startswith("https://") for href in hrefs)


def test_marks_that_turn_the_reading_direction_and_control_characters_are_removed() -> None:
    assert safe("evil\u202egpj.exe\x00\x1b[31m\ud800") == "evil gpj.exe [31m"


def test_nothing_is_loaded_from_the_network() -> None:
    elements = Elements(report_of(some_visits())).found
    assert not [attrs for tag, attrs in elements if "src" in attrs]
    links = [attrs["href"] or "" for tag, attrs in elements if tag == "link"]
    assert all(href.startswith("data:") for href in links)
    policy = next(attrs["content"] for tag, attrs in elements if attrs.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_secrets_of_the_configuration_are_not_shown() -> None:
    page = report_of(some_visits())
    assert "s3cret" not in page
    assert "hunter2" not in page
    assert "strategy" in page


def test_the_best_page_comes_first() -> None:
    page = report_of(
        [visit(1, 0.3, title="Poor"), visit(2, 0.9, title="Rich"), visit(3, 0.6, title="Middling")]
    )
    assert page.index("Rich") < page.index("Middling") < page.index("Poor")


@pytest.mark.parametrize(
    "visits", [[], [visit(1, 0.9)], [failed(1, "dns")]], ids=["empty", "one page", "one failure"]
)
def test_a_tiny_crawl_has_a_report_too(visits: list[Visit]) -> None:
    page = report_of(visits)
    assert "nan" not in re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.S).lower()
    assert page.rstrip().endswith("</html>")


def test_a_report_of_fifteen_thousand_pages_stays_small(tmp_path: Path) -> None:
    visits = [
        visit(n, (n * 7919 % 1000) / 1000, host=f"h{n % 900}.test", title="x" * 5000)
        for n in range(1, 15_001)
    ]
    path = tmp_path / "report.html"
    summary = summarise(visits, threshold=0.62, stop_reason="pages", seconds=90, cpu_seconds=None)
    for _ in range(2):
        write_report(
            path, title="big", topic=TOPIC, config=CONFIG, visits=visits, timings=[], summary=summary
        )
    assert path.stat().st_size < 300_000
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0013, "1.3 ms"),
        (0.25, "250 ms"),
        (0.9999, "1.0 s"),
        (5, "5.0 s"),
        (59.99, "1 min 0 s"),
        (90, "1 min 30 s"),
        (7260, "2 h 1 min"),
    ],
)
def test_times_are_readable(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (999.6, "1.0 kB"), (1_500_000, "1.5 MB"), (2e15, "2,000.0 TB")],
)
def test_sizes_are_readable(size: float, words: str) -> None:
    assert bytes_of(size) == words


@pytest.mark.browser
def test_in_a_browser_it_fits_a_phone_sorts_its_hosts_and_sends_no_request(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    long_title = visit(103, 0.95, title="W" * 400 + HOSTILE, url="https://a.test/" + "x" * 900)
    path.write_text(report_of([*some_visits(), long_title]), encoding="utf-8")
    asked: list[str] = []
    complaints: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        width = page.evaluate("document.documentElement.scrollWidth")
        column = "[...document.querySelectorAll('#hosts tbody tr')].map((row) => row.cells[%d].textContent)"
        harvest = page.evaluate(
            "document.querySelector('#hosts th:nth-child(4)').getBoundingClientRect().right"
        )
        page.click("#hosts th:nth-child(1) button")
        names = page.evaluate(column % 0)
        page.click("#hosts th:nth-child(5) button")
        failures = page.evaluate(column % 4)
        title = page.title()
    assert width == 390
    assert harvest <= 390, "the column is seen without scrolling"
    assert names == sorted(names)
    assert len(names) == 9
    assert failures[0] == "2"
    assert title == "rainstorm"
    assert asked == [path.as_uri()]
    assert complaints == []
