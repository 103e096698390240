"""A real browser for the tests: Chromium of the system, driven by Playwright."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 30_000
"""Milliseconds after which something that does not appear fails a test."""


@dataclass
class Window:
    """A page of the browser and what it should not do: requests to elsewhere, dialogs, further windows, complaints."""

    page: Page
    home: str
    """The start of the addresses that it may ask for."""
    wrong: list[str] = field(default_factory=list)
    sure: str = ""
    """The question that is answered with yes."""

    def __post_init__(self) -> None:
        page = self.page
        page.set_default_timeout(PATIENCE)
        page.on("dialog", self._dialog)
        page.on("popup", lambda other: self.wrong.append(f"window {other.url}"))
        page.on("console", lambda message: self.wrong.append(f"console {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error {error}"))
        page.on("request", lambda request: self._asked(request.url))
        page.on("requestfailed", lambda request: self._failed(request.url, request.failure))

    def _dialog(self, dialog: Dialog) -> None:
        if self.sure and dialog.message == self.sure:
            dialog.accept()
        else:
            self.wrong.append(f"dialog {dialog.message}")
            dialog.dismiss()

    def _asked(self, url: str) -> None:
        if not url.startswith((self.home, "data:image/svg+xml")):
            self.wrong.append(f"request {url}")

    def _failed(self, url: str, why: str | None) -> None:
        if why != "net::ERR_ABORTED":  # what a page asked for that was left since
            self.wrong.append(f"failed {url}: {why}")


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """The browser; the test is skipped where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no chromium on the PATH; install Debian's package chromium to run browser tests")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*QUIET, *arguments])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def way_out(reached: list[str]) -> Iterator[str]:
    """A proxy that answers nothing, as an argument of `chromium`: `reached` gets what would leave this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def note() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    reached.append(connection.recv(200).decode("latin-1").partition("\r\n")[0])

        thread = threading.Thread(target=note, daemon=True)
        thread.start()
        yield f"--proxy-server=http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()
