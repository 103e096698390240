"""Any child of a crawl may die at any time, as by the OOM killer: the crawl ends as asked, with all its pages."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from depth import depth
from faults.machine import PAGES, command, complaints, count
from faults.machine import run as ended
from topicrawl.store.run import Run
from web.browser.rig import usable_browser

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")

KILLS = depth(1, 10)
ALONE = ("--web", "invented:5")
DIVIDED = ("--web", "invented:5", "--local", "2", "--split", "invented.test", "--strategy", "ops")
RENDERED = (*ALONE, "--render", "always")


def children(pid: int) -> Iterator[tuple[int, str]]:
    """Number and command line of all processes below one."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            below = [int(each) for each in task.read_text().split()]
        except OSError:
            continue
        for child in below:
            try:
                yield child, Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
            yield from children(child)


def shards_of(folder: Path, pid: int) -> list[int]:
    """The processes of the shards, by their locks; one that begins has none yet."""
    locks = [each.read_text() for each in folder.glob("shards/*/lock")]
    return [
        int(found[1])
        for lock in locks
        if (found := re.match(r"process (\d+)", lock)) and int(found[1]) != pid
    ]


def named(name: str) -> Callable[[Path, int], list[int]]:
    """The children of a crawl whose command line has this name."""
    return lambda folder, pid: [child for child, line in children(pid) if name in line]


KINDS: dict[str, tuple[tuple[str, ...], Callable[[Path, int], list[int]]]] = {
    "parse worker": (ALONE, named("parsing.worker")),
    "shard": (DIVIDED, shards_of),
    "browser": (RENDERED, named("--remote-debugging")),
    "driver of the browser": (RENDERED, named("playwright")),
}


PAGES_OF = {"shard": 500, "browser": 12, "driver of the browser": 12}


@pytest.mark.parametrize("nth", range(KILLS))
@pytest.mark.parametrize("kind", depth(("parse worker", "shard", "browser"), tuple(KINDS)))
def test_a_crawl_outlives_its_children(kind: str, nth: int, tmp_path: Path) -> None:
    if "browser" in kind:
        usable_browser()
    flags, of = KINDS[kind]
    folder, pages = tmp_path / "run", PAGES_OF.get(kind, PAGES)
    moment = random.Random(f"{kind} {nth}")
    after = 0 if nth % 2 else moment.randint(1, pages // 2)
    environment = {**os.environ, "TOPICRAWL_CACHE": str(tmp_path / "cache")}
    crawl = subprocess.Popen(
        command(folder, *flags, pages=pages),
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    killed = False
    while crawl.poll() is None and not killed:
        done = sum(map(count, [folder, *folder.glob("shards/*")]))
        victims = of(folder, crawl.pid) if done >= after else []
        if victims:
            time.sleep(0.2 * moment.random())
            os.kill(moment.choice(victims), signal.SIGKILL)
            killed = True
        time.sleep(0.002)
    said = crawl.communicate(timeout=120)[1]
    assert killed, said
    assert crawl.returncode == 0, said
    with Run.open(folder, writable=False) as ended:
        assert sum(visit.fetched for visit in ended.visits()) == pages, said
    for one in [*folder.glob("shards/*")] or [folder]:
        assert [each for each in complaints(one) if not each.startswith("summary")] == []


def test_a_watch_outlives_the_commands_that_it_tells(tmp_path: Path) -> None:
    folder, told = tmp_path / "run", tmp_path / "told"
    made = ended(command(folder, "--web", "invented:5@day=0", pages=20))
    assert made.returncode == 0, made.stderr
    watch = [sys.executable, "-m", "topicrawl.cli", "watch", str(folder), "--every", "1d", "--fetches", "20"]
    killed = ended([*watch, "--turns", "2", "--on-new", "sh -c 'kill -9 $$'"])
    assert killed.returncode == 0, killed.stderr
    assert killed.stderr.count("--on-new failed (exit code -9: without a word)") == 2
    assert complaints(folder) == []
    assert ended([*watch, "--turns", "1", "--on-new", f"tee -a {told}"]).returncode == 0
    with Run.open(folder, writable=False) as watched:
        turns = [turned for _, turned in watched.turned()]
    assert len(turns) == 3
    assert told.read_text().count("\n") == sum(
        page.relevance > 0.5 for turn in turns for page in turn.noticed
    )
