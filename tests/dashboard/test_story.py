"""The whole story in a real browser: watch a crawl, mark ten pages, see it change its mind, kill it, resume it."""

from __future__ import annotations

import csv
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser import Window, chromium
from dashboard import two_meanings
from dashboard.serving import TOPICRAWL, dashboards_ended
from dashboard.two_meanings import is_weather
from topicrawl.cli import run as command
from topicrawl.crawling.wishes import history
from topicrawl.store.run import Run

MARKS, FOUND = 10, 4
"""Pages that are marked, and those of them that a search finds."""


@contextmanager
def crawling(run: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A crawl as a process, killed at the end."""
    with subprocess.Popen(
        [*TOPICRAWL, "crawl", "--out", str(run), *words], stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def weather(address: str) -> bool:
    return is_weather(int(address.rsplit("/", 1)[1]))


def fetched(page: Page) -> int:
    """Pages fetched, as the view Live tells."""
    return int(page.inner_text("#live-cards .card:nth-child(2) em").split()[1].replace(",", ""))


def wait_for_pages(page: Page, count: int) -> None:
    while fetched(page) < count:
        page.wait_for_timeout(100)


def next_links(page: Page) -> list[str]:
    return page.locator("#live-next li a").all_inner_texts()


def answer(page: Page) -> None:
    """Answer the question that is shown as the current one, by key; the next one is shown when the answer is taken."""
    current = page.locator("#queue li.current:not(.said)")
    number, title = current.get_attribute("data-n"), current.locator(".title").inner_text()
    page.keyboard.press("y" if weather(title.replace(" ", "/")) else "n")
    page.wait_for_selector(f"#queue li.current:not(.said):not([data-n='{number}'])")


@pytest.mark.browser
def test_ten_marks_turn_a_crawl_and_outlive_its_death(tmp_path: Path) -> None:
    run, exported = tmp_path / "run", tmp_path / "marks.csv"
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("\n".join(two_meanings.seeds()))
    with two_meanings.served() as reached, dashboards_ended(run), chromium() as browser:
        begin = [
            "--topic",
            "storms: storm",
            "--seeds",
            str(seeds),
            "--delay",
            "1",
            "--pages",
            "2000",
            *reached,
        ]
        with crawling(run, *begin, "--ui", "--no-browser") as crawl:
            assert crawl.stderr is not None
            said = next(line for line in crawl.stderr if line.startswith("dashboard: "))
            address = said.split()[1]
            window = Window(browser.new_page(), address.partition("?")[0])
            page = window.page
            page.goto(address)
            page.wait_for_selector("#live-state .running")
            wait_for_pages(page, 50)
            page.locator("#live-next li").nth(19).wait_for()
            before = next_links(page)
            # By chance a crawl may have turned to the weather before anybody said so: then it stays there.
            enough = min(sum(map(weather, before)) + 5, 10)

            page.click("nav >> text=Pages")
            page.select_option("[name=sort]", "oldest")
            page.fill("[name=words]", "rain")
            page.wait_for_url("**words=rain*")
            found = page.locator("#rows li[id]", has=page.locator(".title:has-text('rain')"))
            found.nth(FOUND - 1).wait_for()
            for row in [found.nth(place).get_attribute("id") for place in range(FOUND)]:
                page.click(f"#{row} button[data-mark=yes]")
                page.wait_for_selector(f"#{row} button[data-mark=yes][aria-pressed=true]")
            page.click("nav >> text=Marks")
            page.wait_for_selector("#queue li.current")
            for _ in range(MARKS - FOUND):
                answer(page)
            page.locator("#effects tr.moved").first.wait_for(state="attached")
            assert "waiting links weighed anew" in page.inner_text("#effects summary >> nth=0")

            page.click("nav >> text=Live")
            page.locator("#live-next li").nth(19).wait_for()
            until = time.monotonic() + 20
            after = next_links(page)  # at first those of before the last marks
            while sum(map(weather, after)) <= enough and time.monotonic() < until:
                page.wait_for_timeout(200)
                after = next_links(page)
            wait_for_pages(page, fetched(page) + 40)
            page.click("button:text-is('Pause')")
            page.wait_for_selector("#live-state .paused")
            crawl.send_signal(signal.SIGKILL)
            assert crawl.wait(30) == -signal.SIGKILL
        page.wait_for_selector("#live-state .stopped")
        page.click("nav >> text=Marks")
        assert page.locator("section:has(h2:text('Marked pages')) li").count() == MARKS
        stood = visits_of(run)

        with crawling(run, *reached) as crawl:
            page.click("nav >> text=Live")
            page.wait_for_selector("#live-state .running")
            wait_for_pages(page, len(stood) + 10)
            window.sure = "Stop the crawl? It can be resumed."
            page.click("button:text-is('Stop')")
            assert crawl.wait(30) == 0
        page.goto(page.url.replace("live", "pages?mark=any"))
        assert page.locator("#rows li[id]").count() == MARKS
        page.goto(page.url.replace("mark=any", "mark=none"))
        button = page.locator("#rows button[data-mark=yes]").first
        for pressed in ("true", "false"):  # a second press takes the mark back
            button.click()
            page.wait_for_selector(f"#rows li:first-child button[data-mark=yes][aria-pressed={pressed}]")
        assert window.wrong == []
    assert after != before
    assert sum(map(weather, after)) > enough, "the order of waiting links"
    assert command(["export", str(run), "--format", "marks", "--out", str(exported)]) == 0
    with exported.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == MARKS
    assert all((row["relevant"] == "1") == weather(row["url"]) for row in rows)
    assert visits_of(run)[: len(stood)] == stood
    marked = first_mark(run)
    rise = min(share(stood[:marked]) + 0.2, 0.7)
    assert share(stood[marked + 30 :]) > rise, "the harvest, by what the person wants"


def visits_of(run: Path) -> list[str]:
    with Run.open(run, writable=False) as log:
        return [visit.url for visit in log.visits()]


def first_mark(run: Path) -> int:
    """Visits made when the first mark was logged."""
    with Run.open(run, writable=False) as log:
        return min(entry.visits for entry in history(log) if entry.undo)


def share(urls: list[str]) -> float:
    return sum(map(weather, urls)) / len(urls)
