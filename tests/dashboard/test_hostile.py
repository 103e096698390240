"""Hostile titles, texts and addresses on every view of the dashboard, in a real browser: nothing of them acts."""

from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import pytest

from browser import Window, chromium, way_out
from dashboard.serving import dashboard_of
from depth import depth
from hostile_text import HOSTILE, MARKUP
from topicrawl.cli import run as command
from topicrawl.store.run import Run
from topicrawl.store.wishes import Change, Example, Marks, Seeds, add
from topicrawl.urls import canonical
from web.warcs import Recorder

TEXTS = {**HOSTILE, **MARKUP}
HOME = "http://flood.test/"
NAME = "<img src=x onerror=alert(1)>'\""
"""Of the folder of the run."""


def address(text: str) -> str:
    return f"{HOME}{quote(text[:60], safe='')}/?q={quote(text[:120], safe='<>()=;:')}#x"


def page_of(text: str, links: Iterable[str]) -> bytes:
    """A page that says `text` as text and as markup, and has links that say the same and lead there, or try to."""
    written = html.escape(text[:4000])
    listed = "".join(
        f"<li><a href='{html.escape(address(each))}' title='{html.escape(each)}'>{html.escape(each[:200])}</a>"
        f"<a href='{html.escape(each[:300])}'>flood</a>"
        for each in links
    )
    head = f"<!doctype html><html lang='{html.escape(text[:30])}'><meta charset=utf-8>"
    body = f"<title>{html.escape(text)}</title><h1>{written}</h1><p>flood {written}<ul>{listed}</ul>{text}"
    return (head + body).encode("utf-8", "replace")


SHOW_COPIES = """(addresses) => {
  for (const address of addresses) {
    const frame = document.createElement("iframe");
    frame.sandbox = "";
    frame.src = address;
    frame.onload = () => frame.classList.add("shown");
    document.querySelector("footer").append(frame);
  }
}"""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose every text is hostile: pages, addresses, topic, its own name, and what people asked of it."""
    folder = tmp_path_factory.mktemp("hostile")
    with Recorder(folder / "hostile.warc.gz") as recorder:
        recorder.answer(HOME, page_of("home", TEXTS.values()))
        for text in TEXTS.values():
            recorder.answer(canonical(address(text)) or "", page_of(text, [text]))
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join([HOME, *map(address, TEXTS.values())]), "utf-8")
    run = folder / "runs" / NAME
    words = ["--topic", f"{MARKUP['ends an attribute']}: flood 1, insurance", "--seeds", str(seeds)]
    where = ["--web", str(folder / "hostile.warc.gz"), "--out", str(run)]
    assert command(["crawl", *words, *where, "--max-requests", str(len(TEXTS) + 5), "--quiet"]) == 0
    for text in MARKUP.values():
        add(run, Change(add={"exclude": [text[:200]]}), Seeds([text[:200]]), Example(text[:200]))
    with Run.open(run, writable=False) as log:
        add(run, *(Marks({visit.url: visit.n % 2 == 0}) for visit in log.visits() if visit.n % 5 == 0))
    return run


@pytest.mark.browser
def test_no_view_acts_on_what_pages_say(run_folder: Path) -> None:
    reached: list[str] = []
    with (
        dashboard_of(run_folder.parent) as home,
        way_out(reached) as proxy,
        chromium(proxy) as browser,
    ):
        window = Window(browser.new_page(viewport={"width": 390, "height": 844}), home.partition("?")[0])
        page = window.page
        page.goto(home)
        shown = page.inner_text("main")
        assert "onerror=alert(1)" in shown, "the name of the topic is text"
        page.click(".runs a")
        run = page.url.rstrip("/")
        page.wait_for_selector("#live-next li")
        assert fits(window)
        for view in ("pages?sort=newest", "pages?status=all", "sites", "history"):
            page.goto(f"{run}/{view}")
            assert fits(window)
        page.goto(f"{run}/topic")
        page.wait_for_selector("[data-load] h3, [data-load] .none:not([role])")
        page.goto(f"{run}/marks")
        page.wait_for_selector("#queue li")
        page.keyboard.press("j")
        page.keyboard.press("n")
        page.wait_for_selector("#queue .said")
        page.wait_for_selector("#effects :is(table, .none:not([role]))")
        assert fits(window)
        page.goto(f"{run}/pages?sort=oldest")
        for text in MARKUP.values():
            page.fill("[name=words]", text[:200])
        page.fill("[name=words]", "flood alert")
        page.locator("#rows li[id]").nth(5).wait_for()
        with Run.open(run_folder, writable=False) as log:
            numbers = [visit.n for visit in log.visits() if visit.fetched]
        for n in numbers[:: depth(8, 1)]:
            page.goto(f"{run}/page/{n}")
            assert fits(window), n
            page.click("summary:text('Show it')")
            copy = page.frame_locator("iframe.copy").locator("body")
            copy.wait_for()
            assert "flood" in copy.inner_text()
        page.evaluate(SHOW_COPIES, [f"{run}/page/{n}/archived" for n in numbers])
        page.locator("iframe.shown").nth(len(numbers) - 1).wait_for(state="attached")
        page.click("[data-load-now]")
        page.wait_for_selector("#why table")
        page.click(".fates a[href*='link?url']")
        page.wait_for_url("**/link?url=*")  # until it is loaded with its styles, which decide its width
        page.wait_for_selector("main .facts-table")
        assert fits(window)
    assert window.wrong == []
    assert [line for line in reached if ".test" in line] == [], "not what the browser asks for itself"
    assert len(numbers) > 30


def fits(window: Window) -> bool:
    """Whether nothing makes the page wider than the window."""
    return bool(window.page.evaluate("document.documentElement.scrollWidth") == 390)
