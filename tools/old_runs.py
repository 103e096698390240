"""Make the small runs of earlier versions that the tests open, resume and export: tests/old_runs/*.tar.xz.

    git worktree add ../old f55a816        git worktree add ../later b88a3dd
    python tools/old_runs.py ../old tests/old_runs
    python tools/old_runs.py ../later tests/old_runs postponed
    rm -r ../old/src/topicrawl/topic/wordnet/wordnet-3.0; python tools/old_runs.py ../old tests/old_runs elsewhere


Each archive has the folder `run` and `exported`: what that version exported of it. The crawls are killed with fetches
in flight, but for those that end at their --pages and have a summary, an index and a report.

    postponed   a log with a `Postponed` event: a site of twelve pages on this machine, one of which never answers
    elsewhere   `scout` without WordNet: its choices differ where WordNet is installed, so it does not replay there

Native code is not built: Python has equal results. Runs made again differ in their times.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

SEEDS = """\
http://slow-train-55.invented.test/storms/urban-waterlogging-water-level-1.html
http://cloudburst-log-4.invented.test/storms/levee-emergency-plan-1.html
http://cloudburst-log-21.invented.test/storms/flood-control-torrential-rain-1.html
"""
HOST = "rain.test"
TOPIC = "storms: rainstorm 1, flood 0.95, rainfall, disaster 0.5"
EXAMPLE = "Rainstorms and floods\n\nHeavy rainfall raises rivers until they flood fields and roads.\n"
COMMON = ["--topic", TOPIC, "--seeds", "seeds.txt", "--web", "invented:7"]
KILLED, ENDS = ["--pages", "400"], ["--pages", "40"]
STRATEGIES = {
    "ops": [*KILLED, "--strategy", "ops"],
    "scout": [*KILLED, "--strategy", "scout", "--query", "example.txt"],
    "fcwseo": [*ENDS, "--strategy", "fcwseo"],
    "semxdm": [*KILLED, "--strategy", "semxdm", "--query", "example.txt"],
}
"""More arguments of the crawls."""
VISITS = 30
"""A crawl is killed once it has stored this many visits."""
EXPORTS = ("jsonl", "csv")
STALL = {"TOPICRAWL_FAULT": "written:stall"}
"""Every commit takes two seconds, so that the crawl is killed soon after one."""
LOCK = "lock"
"""Names the process and the machine."""


def main(source: Path, target: Path, which: str = "") -> None:
    target.mkdir(parents=True, exist_ok=True)
    if which == "postponed":
        with served() as port:
            crawl = [
                "--topic",
                TOPIC,
                "--seeds",
                f"http://{HOST}/0",
                "--pages",
                "12",
                "--delay",
                "0s",
                "--no-avoid-traps",
            ]
            crawl += [
                "--allow-net",
                "127.0.0.0/8",
                "--resolve",
                f"{HOST}=127.0.0.1:{port}",
                "--first-byte",
                "1s",
            ]
            make(source, target / "0.1-postponed.tar.xz", crawl)
        return
    wanted = {which: STRATEGIES["scout"]} if which else STRATEGIES
    for name, more in wanted.items():
        make(source, target / f"0.1-{name}.tar.xz", [*COMMON, *more])


def make(source: Path, target: Path, crawl: list[str]) -> None:
    """Crawl with these arguments, export, and pack both."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "seeds.txt").write_text(SEEDS)
        (here / "example.txt").write_text(EXAMPLE)
        begin_and_end(source, here, crawl)
        export(source, here)
        with tarfile.open(target, "w:xz") as packed:
            for name in ("run", "exported"):
                packed.add(here / name, name, filter=without_owner)


@contextmanager
def served() -> Iterator[int]:
    """A small site on this machine; gives its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


class Site(BaseHTTPRequestHandler):
    """Pages /0 to /11 about rain, each with links to the next two; /hang never answers."""

    def do_GET(self) -> None:
        if self.path == "/hang":
            time.sleep(60)
            return
        number = int(self.path[1:]) if self.path[1:].isdigit() else 99
        self.send_response(200 if number < 12 else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        links = "".join(f"<a href=/{each}>flood {each}</a> " for each in (number + 1, number + 2))
        self.wfile.write(
            f"<title>Rain {number}</title><p>A flood after rainfall. {links}<a href=/hang>rainstorm</a>".encode()
        )


def begin_and_end(source: Path, here: Path, more: list[str]) -> None:
    """Crawl in `here`; the crawl is killed once it has enough visits, unless it ends before."""
    words = ["crawl", *more, "--concurrency", "4", "--out", "run", "--quiet"]
    crawl = subprocess.Popen(command(words), cwd=here, env={**environment(source, here), **STALL})
    lines = here / "run" / "timings.jsonl"  # written last
    while crawl.poll() is None:
        time.sleep(0.01)
        if "400" in more and lines.exists() and lines.read_bytes().count(b"\n") >= VISITS:
            crawl.kill()
    if crawl.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"the crawl failed with exit code {crawl.returncode}")
    for name in (LOCK, "crawl.db-shm"):
        (here / "run" / name).unlink(missing_ok=True)


def export(source: Path, here: Path) -> None:
    """Export a copy of the run, which reading must not change."""
    (here / "exported").mkdir()
    shutil.copytree(here / "run", here / "copy")
    for form in EXPORTS:
        words = ["export", "copy", "--format", form, "--out", f"exported/pages.{form}"]
        subprocess.run(command(words), cwd=here, env=environment(source, here), check=True)


def command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "topicrawl.cli", *words]


def environment(source: Path, here: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(source.resolve() / "src"), "TOPICRAWL_CACHE": str(here / "cache")}


def without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """No name of a user or a machine."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
