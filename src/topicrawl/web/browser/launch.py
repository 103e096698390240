"""Starts and ends the browser: its flags, its user, its profile folder."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Browser, CDPSession, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from topicrawl.errors import BrowserError
from topicrawl.web.browser.find import Found
from topicrawl.web.browser.tab import Tab

FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-remote-fonts",
    "--disable-notifications",
    "--disable-speech-api",
    "--disable-3d-apis",
    "--disable-gpu",
    "--js-flags=--max-old-space-size=512",
)
"""No name is resolved, and a proxy that does not exist carries every request, those to loopback included."""
NOT_WANTED = ("--disable-popup-blocking", "--disable-ipc-flooding-protection", "--enable-unsafe-swiftshader")
"""Flags of Playwright for tests of one's own pages."""
START_SECONDS = 30.0
END_SECONDS = 5.0
PREFIX = "topicrawl-browser-"
INSTALL_DRIVER = "install it again: pip install --force-reinstall playwright"
NO_SANDBOX = "its sandbox does not start; allow user namespaces (sysctl user.max_user_namespaces) or install its helper"


@dataclass(eq=False)
class Started:
    """A running browser. It is gone when it was ended, or died by itself."""

    driver: Playwright
    browser: Browser
    devtools: CDPSession
    folder: Path
    died: asyncio.Future[None]
    """Done when it is gone."""
    pages: int = 0
    """Pages begun."""
    active: int = 0
    """Pages under way."""
    idle: list[Tab] = field(default_factory=list)
    """Tabs without a page, the one unused for longest first."""
    retired: bool = False
    watcher: asyncio.Task[None] | None = field(default=None, repr=False)
    """Bounds its memory."""
    ending: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def usable(self) -> bool:
        """Whether it may be given another page."""
        return not self.retired and self.browser.is_connected()

    async def answers(self) -> bool:
        """Whether it still answers; Playwright's own process may be gone, or the browser stand still."""
        if not self.browser.is_connected():
            return False
        try:
            await asyncio.wait_for(self.devtools.send("Browser.getVersion"), END_SECONDS)
        except Exception:  # what it raises depends on which process is gone
            return False
        return True

    def end(self) -> asyncio.Task[None]:
        """End it in the background, once."""
        self.retired = True
        if self.watcher is not None:
            self.watcher.cancel()
        if self.ending is None:
            self.ending = asyncio.create_task(self._end())
        return self.ending

    async def _end(self) -> None:
        for close in (self.browser.close, self.driver.stop):
            with suppress(Exception):  # it is dead already
                await asyncio.wait_for(close(), END_SECONDS)
        await asyncio.to_thread(shutil.rmtree, self.folder, ignore_errors=True)


async def start(found: Found) -> Started:
    """Start the browser; `BrowserError` if it does not."""
    starting = asyncio.ensure_future(_start(found))
    try:
        await asyncio.wait({starting})
    finally:
        starting.cancel()
    if starting.cancelled():  # Playwright cancels its own calls where its process has died
        raise BrowserError(f"{found.path} does not start: the process of Playwright died")
    return starting.result()


async def _start(found: Found) -> Started:
    folder = await asyncio.to_thread(_folder, found)
    try:
        return await _launched(found, folder, await _driver())
    except BrowserError:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        raise


async def _driver() -> Playwright:
    try:
        return await async_playwright().start()
    except Exception as error:  # what it raises depends on when its process died
        raise BrowserError(f"Playwright does not start: {_reason(str(error))}; {INSTALL_DRIVER}") from None


async def _launched(found: Found, folder: Path, driver: Playwright) -> Started:
    try:
        browser = await driver.chromium.launch(
            executable_path=str(folder / "start"),
            args=list(FLAGS),
            ignore_default_args=list(NOT_WANTED),
            chromium_sandbox=True,
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "HOME": str(folder / "profile"),
                "LANG": "C.UTF-8",
            },
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=START_SECONDS * 1000,
        )
        died: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        browser.on("disconnected", lambda _: _set(died))
        return Started(driver, browser, await browser.new_browser_cdp_session(), folder, died)
    except PlaywrightError as error:
        with suppress(Exception):  # it is dead already
            await asyncio.wait_for(driver.stop(), END_SECONDS)
        raise BrowserError(f"{found.path} does not start: {_reason(str(error))}") from None


def _set(died: asyncio.Future[None]) -> None:
    if not died.done():
        died.set_result(None)


def _folder(found: Found) -> Path:
    """A folder with an empty profile, and the script that starts the browser with it."""
    try:
        return _filled(Path(tempfile.mkdtemp(prefix=PREFIX)), found)
    except OSError as why:
        raise BrowserError(
            f"no folder for the browser can be made ({why.strerror}); set $TMPDIR to one that can be written"
        ) from None


def _filled(folder: Path, found: Found) -> Path:
    profile = folder / "profile"
    profile.mkdir(0o700)
    if found.user is not None:
        folder.chmod(0o711)
        os.chown(profile, *found.user)
    command = shlex.join([*found.prefix, found.path])
    script = folder / "start"
    script.write_text(f'#!/bin/sh\nexec {command} "$@" --user-data-dir={shlex.quote(str(profile))}\n')
    script.chmod(0o700)
    return folder


def _reason(error: str) -> str:
    """The line of an error of Playwright that says why."""
    lines = [line.partition("[err]")[2].strip() for line in error.splitlines() if "[err]" in line]
    if any("sandbox" in line.lower() for line in lines):
        return NO_SANDBOX
    first = next(iter(error.splitlines()), "").strip()
    return next(filter(None, lines), first)[:300]
