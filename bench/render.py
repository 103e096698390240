"""What rendering costs: milliseconds and processor time a page, pages a second with several contexts, memory.

An application that fetches a script and some data is served on loopback without delays; each page is rendered in a
context of its own. `python -m bench.render [PAGES]`
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from bench.whole_web import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from topicrawl.web.browser.find import find_browser
from topicrawl.web.browser.renderer import Renderer
from topicrawl.web.browser.tab import QUIET_SECONDS
from web.http.loopback import browse, reply, serve

SHELL = "<title>Weather</title><div id=root></div><script src=/app.js></script>"
APP = """
fetch("/items").then((answer) => answer.json()).then((items) => {
  document.getElementById("root").innerHTML = items.map((item) => `<p><a href="/${item}">Page ${item}</a></p>`).join("")
})
""" + "\n".join(f"function unused{n}() {{ return {n} }}" for n in range(5000))
ITEMS = str(list(range(200)))


async def main(pages: int) -> None:
    """Print the costs with one context and with four."""
    print(find_browser())
    answers = {
        "/app.js": reply(APP, content_type="text/javascript"),
        "/items": reply(ITEMS, content_type="application/json"),
        **{f"/{n}": reply(SHELL) for n in range(pages)},
    }
    async with serve(answers) as site, browse(site) as web:
        for contexts in (1, 4):
            renderer = Renderer(web.fetch, contexts=contexts)
            begun = time.perf_counter()
            await renderer.render(await web.fetch("http://a.test/0"))
            first = time.perf_counter() - begun
            started = renderer._started
            assert started is not None
            used = await cpu(started)
            begun = time.perf_counter()
            responses = [await web.fetch(f"http://a.test/{n}") for n in range(pages)]
            most = asyncio.ensure_future(largest(started))
            await asyncio.gather(*map(renderer.render, responses))
            took = time.perf_counter() - begun
            most.cancel()
            used = await cpu(started) - used
            print(
                f"{contexts} contexts: first page {first:.2f} s with the start of the browser; "
                f"{1000 * took * contexts / pages:.0f} ms a page, {1000 * QUIET_SECONDS:.0f} of them quiet; "
                f"{pages / took:.2f} pages/s, {1000 * used / pages:.0f} ms of the browser's processor time a page, "
                f"{MOST[0] / 2**20:.0f} MiB at most"
            )
            MOST[0] = 0
            await renderer.close()


MOST = [0]


async def processes(started: object) -> list[dict[str, float]]:
    told = await started.devtools.send("SystemInfo.getProcessInfo")  # type: ignore[attr-defined]
    return list(told["processInfo"])


async def cpu(started: object) -> float:
    """Seconds of processor time of the browser, its children that have ended included."""
    main_process = next(each for each in await processes(started) if each["type"] == "browser")
    return tree_seconds(int(main_process["id"]))


def tree_seconds(pid: int) -> float:
    """Processor time of a process, its living descendants, and those that have ended and were waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(tree_seconds(int(child)) for child in children)


async def largest(started: object) -> None:
    """Note the most memory that all processes of the browser hold: shared pages divided among them."""
    while True:
        total = 0
        for process in await processes(started):
            total += memory(int(process["id"]))
        MOST[0] = max(MOST[0], total)
        await asyncio.sleep(0.5)


def memory(pid: int) -> int:
    """Bytes that a process holds, its share of what it has in common with others; 0 if it is gone."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in rollup.splitlines() if line.startswith("Pss:"))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if sys.argv[1:] else 40))
