"""What a rendered page says, which links it has, and what it may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from topicrawl.model import QUIET, Page, Rendered
from web.browser.rig import Rig, script
from web.http.loopback import reply

MIXED = """<!doctype html><title>Shop</title><div id=app></div>
<link rel=stylesheet href=/style.css><link rel=preload as=image href=/preloaded.png>
<img src=/image.png><video src=/film.mp4></video><iframe src=/advert.html></iframe>
<style>@font-face { font-family: x; src: url(/font.woff) } body { font-family: x }</style>
<div id=consent style="position:fixed;inset:0;z-index:9">We value your privacy</div>
<my-card></my-card>
<table><tr onclick="location.href='/row'"><td>a row</td><td>more</td></tr></table>
<div onclick="window.location = '/attribute'">by attribute</div>
<div id=property>by property</div><div id=heard>by listener</div><button id=routed>by router</button>
<form><button id=submit>send</button></form>
<script src=/app.js></script>"""
APP = """
customElements.define("my-card", class extends HTMLElement {
  connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<p>in the shadow</p>" }
})
for (const [id, url] of [["property", "/property"]])
  document.getElementById(id).onclick = () => { location.href = url }
document.getElementById("heard").addEventListener("click", () => location.assign("/heard"))
document.getElementById("routed").addEventListener("click", () => history.pushState({}, "", "/routed"))
document.getElementById("submit").addEventListener("click", () => { location.href = "/submitted" })
history.replaceState({}, "", "/deep/place")
fetch("/api/items", {headers: {accept: "application/json"}}).then((r) => r.json()).then((items) => {
  document.getElementById("app").innerHTML = items.map((i) => `<a href="item/${i}">Item ${i}</a>`).join(" ")
})
fetch("/api/order", {method: "POST", body: "1"}).catch(() => { document.title = "no POST" })
fetch("http://10.0.0.1/inner").catch(() => document.body.append("no inner address"))
new WebSocket("ws://a.test/socket").onclose = () => document.body.append("; no socket")
navigator.serviceWorker?.register("/worker.js").catch(() => {})
window.open("/opened")
navigator.sendBeacon("/beacon", "1")
new EventSource("/events")
"""


@pytest.fixture(scope="module")
def mixed(browser: Rig) -> tuple[Rendered, Page, list[str]]:
    rendered, page = browser.show(
        MIXED,
        "http://a.test/",
        **{"app.js": script(APP), "api__items": reply("[1, 2]", content_type="application/json")},
    )
    return rendered, page, browser.asked()


def test_the_text_is_that_after_the_scripts(mixed: tuple[Rendered, Page, list[str]]) -> None:
    rendered, page, _ = mixed
    assert rendered.ended == QUIET
    for said in ("Item 1 Item 2", "in the shadow", "no inner address", "no socket"):
        assert said in page.text
    assert page.title == "no POST"
    assert not page.needs_script


def test_a_consent_banner_hides_no_text(mixed: tuple[Rendered, Page, list[str]]) -> None:
    assert "We value your privacy" in mixed[1].text
    assert "Item 1" in mixed[1].text


def test_links_that_only_scripts_make_are_found(mixed: tuple[Rendered, Page, list[str]]) -> None:
    links = dict(zip(mixed[1].links.urls, mixed[1].links.anchors, strict=True))
    found = {url.removeprefix("http://a.test/"): anchor for url, anchor in links.items()}
    assert found == {
        **{"deep/item/1": "Item 1", "deep/item/2": "Item 2"},
        "advert.html": "",
        **{"row": "a row", "attribute": "by attribute"},
        **{"property": "by property", "heard": "by listener", "routed": "by router"},
    }


def test_elements_that_a_click_takes_out_of_the_page_and_new_windows_lead_somewhere_too(browser: Rig) -> None:
    _, page = browser.show("""<script>
    const leads = {
      one: () => location.assign("/one"), two: () => window.open("/two"), three: () => location.href = "/three"
    }
    function draw() {
      const texts = Object.keys(leads).map((id) => `<p id=${id}>to ${id}</p>`)
      document.body.innerHTML = "<form><b id=send>send</b></form>" + texts.join("")
      for (const id in leads) document.getElementById(id).onclick = () => { draw(); leads[id]() }
      send.onclick = () => { location.href = "/sent" }
    }
    onload = draw</script>""")
    links = dict(zip(page.links.urls, page.links.anchors, strict=True))
    assert links == {f"http://a.test/{name}": f"to {name}" for name in ("one", "two", "three")}
    assert browser.asked() == []


def test_a_page_is_waited_for_as_long_as_it_waits_for_a_timer_but_for_what_repeats_itself(
    browser: Rig,
) -> None:
    rendered, page = browser.show("""<p id=x>begun</p><script>
    setTimeout(() => x.append(", first"), 1200); setTimeout(() => x.append(", second"), 3000)
    setTimeout(function again() { setTimeout(again, 600) }, 600)
    clearTimeout(setTimeout(() => x.append(", never"), 2900))
    </script>""")
    assert (page.text, rendered.ended) == ("begun, first, second", QUIET)


def test_the_shadow_of_any_element_is_part_of_the_page(browser: Rig) -> None:
    _, page = (
        browser.show("""<div><template shadowrootmode=open><p>declared</p></template></div><section id=x></section>
    <script>x.attachShadow({mode: "open"}).innerHTML = "<p>attached</p>"</script>""")
    )
    assert page.text == "declared\nattached"


def test_only_scripts_and_data_are_fetched_and_nothing_is_sent(
    mixed: tuple[Rendered, Page, list[str]],
) -> None:
    rendered, _, asked = mixed
    assert asked == ["/app.js", "/api/items"]
    assert [each.url for each in rendered.resources] == ["http://a.test/app.js", "http://a.test/api/items"]


def test_a_script_that_leaves_the_page_makes_a_link(browser: Rig) -> None:
    _, page = browser.show("<p>Redirecting</p><script>location.href = 'http://b.test/new?x=1&y=2'</script>")
    assert page.text == "Redirecting"
    assert page.links.urls == ["http://b.test/new?x=1&y=2"]
    assert browser.asked() == []


def test_a_script_is_fetched_once_for_all_pages_of_a_crawl(
    browser: Rig, mixed: tuple[Rendered, Page, list[str]]
) -> None:
    assert mixed[2][0] == "/app.js"
    rendered, _ = browser.show("<div id=app></div><script src=/app.js></script>")
    assert (rendered.resources, browser.asked()) == ((), [])


def test_a_page_finds_nothing_that_an_earlier_one_of_its_site_stored(browser: Rig) -> None:
    page = """<p id=x></p><script>
    x.textContent = ["found", localStorage.a, sessionStorage.a, document.cookie, window.name].join(" ").trim()
    localStorage.a = sessionStorage.a = window.name = "left"; document.cookie = "a=left; max-age=900"</script>"""
    assert browser.show(page)[1].text == "found"
    assert browser.show(page)[1].text == "found"


def test_what_robots_txt_forbids_is_not_fetched(browser: Rig) -> None:
    page = "<p>plain</p><script src=/private/x.js></script>"
    robots = reply("User-agent: *\nDisallow: /private/", content_type="text/plain")
    rendered, read_page = browser.show(
        page, "http://c.test/", **{"robots.txt": robots, "private__x.js": script("document.write('x')")}
    )
    assert read_page.text == "plain"
    assert (rendered.resources, browser.asked()) == ((), [])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the browser as another user")
def test_as_root_the_browser_runs_as_another_user_in_its_sandbox(browser: Rig) -> None:
    browser_process = Path(f"/proc/{browser.browser_pid()}")
    status = browser_process.joinpath("status").read_text()
    assert "\nUid:\t65534\t65534" in status
    command = browser_process.joinpath("cmdline").read_bytes()
    assert b"--no-sandbox" not in command
    assert str(browser.renderer._started.folder / "profile").encode() in command
