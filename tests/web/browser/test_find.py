"""A browser that is absent, too old or broken is told in one line with its remedy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from topicrawl.cli import run as topicrawl
from topicrawl.errors import BrowserError
from topicrawl.web.browser import find
from topicrawl.web.browser.find import Found, find_browser
from web.browser.rig import LONG, fake_browser, rig


def test_without_a_browser_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrowserError, match=r"there is no browser .*apt install chromium"):
        find_browser()


def test_doctor_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert topicrawl(["doctor"]) == 0
    assert "note  pages that need JavaScript cannot be rendered (--render): there is no browser" in (
        " ".join(capfd.readouterr().out.split(" "))
    )


@pytest.mark.parametrize(
    ("said", "then", "error"),
    [
        ("Chromium 89.0.4389.82", "", r"is version 89\.0\.4389\.82, and 120 is needed"),
        ("no number", "", r"--version fails \(exit code 0\)"),
    ],
)
def test_a_browser_that_is_too_old_or_says_no_version_is_refused(
    tmp_path: Path, said: str, then: str, error: str
) -> None:
    with pytest.raises(BrowserError, match=error):
        find_browser(fake_browser(tmp_path, said, then))


def test_a_file_that_cannot_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chromium").write_text("no program")
    with pytest.raises(BrowserError, match="does not run"):
        find_browser(str(tmp_path / "chromium"))


@pytest.mark.parametrize(
    ("then", "error"),
    [
        pytest.param(
            "echo something is missing >&2; exit 1", "does not start: something is missing", marks=LONG
        ),
        ("echo 'FATAL: No usable sandbox!' >&2; exit 1", "its sandbox does not start; allow user namespaces"),
    ],
)
def test_a_browser_that_dies_at_once_is_an_error_with_its_last_words(
    tmp_path: Path, then: str, error: str
) -> None:
    found = Found(fake_browser(tmp_path, "Chromium 150.0.1.2", then), "Chromium 150.0.1.2")
    with rig(found=found) as made, pytest.raises(BrowserError, match=error):
        made.show("<p>text")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the browser as another user")
def test_root_without_a_way_to_become_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fake_browser(tmp_path, "Chromium 150.0.1.2")
    monkeypatch.setenv("PATH", f"{tmp_path}:/nowhere")
    monkeypatch.setattr(find, "NAMES", (path,))
    with pytest.raises(BrowserError, match=r"does not work as root; run topicrawl as another user"):
        find_browser(path)
