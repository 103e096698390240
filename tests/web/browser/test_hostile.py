"""Hostile scripts cost their page its time, and nothing else."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from topicrawl.errors import FetchError
from topicrawl.model import DEADLINE, QUIET
from topicrawl.web.browser import renderer
from web.browser.rig import LONG, SECONDS, SHORT, Rig, rig, script


@pytest.mark.parametrize(
    ("hostile", "ended"),
    [
        ("for (;;) {}", DEADLINE),
        pytest.param(
            "setInterval(() => { const t = Date.now(); while (Date.now() - t < 400) {} }, 1)",
            QUIET,
            marks=LONG,
        ),
        ("setInterval(() => { document.getElementById('x').textContent = Math.random() }, 50)", DEADLINE),
        pytest.param("for (let i = 0; i < 30; i++) alert(i)", QUIET, marks=LONG),
        pytest.param("for (;;) alert(1)", None, marks=LONG),
        pytest.param("window.held = new Uint8Array(1 << 30).fill(1)", None, marks=LONG),
        pytest.param("for (let i = 0; i < 500; i++) window.open('/popup' + i)", QUIET, marks=LONG),
        pytest.param(
            "for (let i = 0; i < 500; i++) setTimeout(() => { location = '/go' + i }, 0)", None, marks=LONG
        ),
        pytest.param(
            "(function f() { document.body.append('x'.repeat(1e6)); setTimeout(f) })()", None, marks=LONG
        ),
        pytest.param("window.onbeforeunload = () => 'stay'; print()", QUIET, marks=LONG),
        pytest.param(
            "navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission()",
            QUIET,
            marks=LONG,
        ),
        pytest.param("location = 'about:blank'", None, marks=LONG),
        pytest.param("window.close()", QUIET, marks=LONG),
        pytest.param("location = 'http://169.254.169.254/latest'", QUIET, marks=LONG),
        pytest.param("const s = 'x'.repeat(1e5); for (;;) console.log(s)", DEADLINE, marks=LONG),
        pytest.param("for (let i = 0; i < 5000; i++) new Image().src = '/i' + i", None, marks=LONG),
        pytest.param(
            "for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])))",
            QUIET,
            marks=LONG,
        ),
        pytest.param("document.documentElement.remove()", None, marks=LONG),
        pytest.param("location = 'file:///etc/passwd'", QUIET, marks=LONG),
        pytest.param("location = 'data:text/html,x'", QUIET, marks=LONG),
        pytest.param("Array.prototype.slice = String.prototype.slice = () => 'forged'", QUIET, marks=LONG),
    ],
)
def test_a_hostile_page_ends_in_time_with_the_text_it_has(
    browser: Rig, hostile: str, ended: str | None
) -> None:
    """Where no end is given, the page may also fail, and cost the browser."""
    pid = browser.browser_pid()
    try:
        rendered, page = browser.show(
            f"<p id=x>first</p><p>honest text</p><script>{hostile}</script>",
            seconds=SECONDS if ended == QUIET else SHORT,
        )
    except FetchError:
        assert ended is None
    else:
        assert ended in (None, rendered.ended)
        assert ended is None or "honest text" in page.text
    assert ended is None or browser.browser_pid() == pid, "the browser lives on"
    assert browser.asked() == []


@LONG
def test_scripts_and_data_that_lead_to_inner_addresses_are_not_fetched(browser: Rig) -> None:
    """Redirects are followed by our fetcher, whose guard refuses them."""

    def to(url: str) -> bytes:
        return f"HTTP/1.1 302 Found\r\nLocation: {url}\r\nContent-Length: 0\r\n\r\n".encode()

    said = "then(() => x.append('; reached')).catch(() => x.append('; refused'))"
    _, page = browser.show(
        f"<p id=x>text</p><script>fetch('/data').{said}</script><script src=/app.js></script>"
        "<script src=/public.js></script>",
        **{"data": to("http://127.0.0.1:9/"), "app.js": to("http://10.0.0.1/x.js")},
        **{"public.js": to("http://b.test/y.js"), "y.js": script("x.append('; followed')")},
    )
    assert sorted(page.text.split("; ")) == ["followed", "refused", "text"]


@LONG
def test_a_page_whose_script_nests_100_000_elements_dies_alone(browser: Rig) -> None:
    pid = browser.browser_pid()
    nesting = "let at = document.body; for (let i = 0; i < 1e5; i++) at = at.appendChild(document.createElement('p'))"
    with pytest.raises(FetchError, match="died"):
        browser.show(f"<p>first</p><script>{nesting}; at.append('deep')</script>")
    assert browser.show("<p>on")[1].text == "on"
    assert browser.browser_pid() == pid


def test_a_page_whose_browser_is_killed_is_tried_again(browser: Rig) -> None:
    pid = browser.browser_pid()
    waiting = browser.begin("<p id=x></p><script>setTimeout(() => { x.textContent = 'late' }, 400)</script>")
    time.sleep(0.3)
    os.kill(pid, signal.SIGKILL)
    assert b"late" in waiting.result(30).html
    assert browser.browser_pid() != pid


@LONG
def test_a_page_whose_browser_is_killed_twice_is_given_up(browser: Rig) -> None:
    browser.browser_pid()
    waiting = browser.begin(
        "<p id=x></p><script>setInterval(() => { x.textContent = Math.random() }, 50)</script>"
    )
    killed = 0
    while not waiting.done() and killed < 2:
        time.sleep(0.5)
        try:
            os.kill(browser.browser_pid(), signal.SIGKILL)
        except Exception:  # it is just being started
            continue
        killed += 1
        time.sleep(0.5)
    with pytest.raises(FetchError, match="the browser died 2 times"):
        waiting.result(30)
    assert browser.show("<p>on")[1].text == "on"


@LONG
def test_the_browser_is_killed_at_any_moment_and_all_pages_come(browser: Rig) -> None:
    """Ten kills, spread over the life of pages."""
    for moment in range(10):
        browser.show("<p>on")  # in a browser that lives: no page meets two kills
        waiting = browser.begin("<p id=x></p><script>x.textContent = 'drawn'</script>")
        time.sleep(moment * 0.08)
        with suppress(Exception):
            os.kill(browser.browser_pid(), signal.SIGKILL)
        assert b"drawn" in waiting.result(30).html


@LONG
def test_a_page_whose_driver_is_killed_is_tried_again(browser: Rig) -> None:
    """Playwright's own process, through which the browser is driven; the browser dies with it."""
    pid = browser.browser_pid()
    waiting = browser.begin("<p id=x></p><script>setTimeout(() => { x.textContent = 'late' }, 400)</script>")
    time.sleep(0.3)
    os.kill(browser.driver_pid(), signal.SIGKILL)
    assert b"late" in waiting.result(60).html
    assert browser.show("<p>on")[1].text == "on"
    assert browser.browser_pid() != pid


@LONG
def test_a_browser_that_stands_still_is_replaced(browser: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderer, "LONGEST", -25.0)  # it is waited for five seconds
    pid = browser.browser_pid()
    waiting = browser.begin("<p id=x></p><script>setTimeout(() => { x.textContent = 'late' }, 400)</script>")
    time.sleep(0.3)
    os.kill(pid, signal.SIGSTOP)
    assert b"late" in waiting.result(60).html
    assert browser.browser_pid() != pid


@LONG
def test_a_page_that_takes_a_gigabyte_dies_alone() -> None:
    hog = "const all = []; setInterval(() => { x.textContent = all.push(new Uint8Array(64 << 20).fill(1)) }, 10)"
    with rig() as made:
        pid = made.browser_pid()
        with pytest.raises(FetchError, match="died"):
            made.show(f"<p id=x>x</p><script>{hog}</script>", seconds=40.0)
        assert made.show("<p>on")[1].text == "on"
        assert made.browser_pid() == pid, "the browser itself lives on"


@LONG
def test_a_browser_is_replaced_after_some_pages_while_others_are_under_way() -> None:
    with rig(recycle=3, contexts=2) as made:
        pids = set()
        for _ in range(7):
            assert made.show("<p id=x></p><script>x.textContent = 'drawn'</script>")[1].text == "drawn"
            pids.add(made.browser_pid())
        assert len(pids) == 3
    assert threading.active_count() < 20
