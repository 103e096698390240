"""Every view of the dashboard, light and dark, as axe-core judges it: names, roles, labels, contrast."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from browser import Window, chromium
from dashboard.serving import dashboard_of
from topicrawl.store.wishes import Change, Marks, add

AXE = "axe-core@4.14.0"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, from the registry of npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm on the PATH, which fetches axe-core; install it to check accessibility")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "pack", AXE, "--silent", "--prefer-offline", "--pack-destination", str(folder)]
    packed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if packed.returncode:
        pytest.skip(f"npm could not fetch {AXE}: {packed.stderr.strip()[-300:]}")
    with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


@pytest.mark.browser
def test_no_view_has_a_serious_fault(axe: str, run_folder: Path) -> None:
    add(run_folder, Marks({"http://nowhere.invented.test/": True}), Change(settings={"pages": 50}))
    faults: list[str] = []
    with dashboard_of(run_folder.parent) as home, chromium() as browser:
        window = Window(browser.new_page(viewport={"width": 1200, "height": 900}), home.partition("?")[0])
        page = window.page
        page.goto(home)
        faults += found(window, axe, "runs")
        page.click(".runs a")
        run = page.url.rstrip("/")
        ready = {
            "live": "#live-next li",
            "pages": "#rows li[id]",
            "page/1": "main h2",
            "marks": "#queue li",
            "topic": ".learned li",
            "sites": ".sites td",
            "history": ".history li",
        }
        for view, part in ready.items():
            page.goto(f"{run}/{view}")
            page.wait_for_selector(part)
            for more in page.query_selector_all("main details"):
                more.evaluate("(each) => { each.open = true }")
            if view == "page/1":
                page.click("[data-load-now]")
                page.wait_for_selector("#why table")
            if view == "marks":
                page.keyboard.press("y")
                page.wait_for_selector("#queue .said")
            faults += found(window, axe, view)
    assert faults == []
    assert window.wrong == []


def found(window: Window, axe: str, view: str) -> list[str]:
    """The faults of what the browser shows: all in light colours, those of contrast also in dark ones."""
    page = window.page
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(axe)
    faults = []
    for scheme, rules in (
        ("light", {"type": "tag", "values": LEVELS}),
        ("dark", {"type": "rule", "values": ["color-contrast"]}),
    ):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        told: dict[str, Any] = page.evaluate(
            "(rules) => axe.run({ runOnly: rules, resultTypes: ['violations'] })", rules
        )
        assert told["passes"]
        faults += [
            f"{view} {scheme}: {fault['id']} {node['target']} {node['failureSummary']}"
            for fault in told["violations"]
            for node in fault["nodes"]
            if fault["impact"] in SERIOUS
        ]
    page.emulate_media(color_scheme="light")
    return faults
