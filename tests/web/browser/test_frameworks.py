"""Applications of real frameworks are empty without a browser, and say their text and links with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from topicrawl.model import QUIET
from topicrawl.page.read import read
from web.browser import frameworks
from web.browser.rig import LONG, Rig, script
from web.http.loopback import reply


@pytest.mark.parametrize(
    "name", ["vue", pytest.param("react", marks=LONG), pytest.param("svelte", marks=LONG)]
)
def test_an_application_is_rendered_with_its_router_links(browser: Rig, tmp_path: Path, name: str) -> None:
    shell = frameworks.SHELLS[name]
    plain = read("http://a.test/", shell.encode(), "text/html")
    assert plain is not None
    assert plain.needs_script
    assert plain.links.urls == []
    files = frameworks.framework_files(name, tmp_path)
    answers = {path.replace("/", "__"): script(body) for path, body in files.items()}
    items = reply(frameworks.ITEMS, content_type="application/json")
    rendered, page = browser.show(shell, api__items=items, **answers)
    assert rendered.ended == QUIET
    assert page.text == "Harbour\nTide tables\nSpring tides\nNeap tides"
    assert page.links.urls == [f"http://a.test/{name}/1", f"http://a.test/{name}/2"]


@LONG
def test_a_page_that_its_server_rendered_needs_no_browser(tmp_path: Path) -> None:
    frameworks.framework_files("react", tmp_path)
    served = read("http://a.test/", frameworks.served_by_react(tmp_path).encode(), "text/html")
    assert served is not None
    assert served.text == "Harbour\nTide tables\nSpring tides\nNeap tides"
    assert served.links.urls == ["http://a.test/react/1", "http://a.test/react/2"]
    assert not served.needs_script
