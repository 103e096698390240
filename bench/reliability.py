"""Runs every hostile behaviour against topicrawl and Scrapy: `python -m bench.reliability`.

Writes docs/reliability.md. Each row is a crawl of its own with a fresh hostile server; both crawlers get the same
seeds, time, delays and page budget. Needs the extra `bench` (Scrapy). Run it again to
resume (`reliability.jsonl` in the current folder, deleted when the page is written).
"""

from __future__ import annotations

import json
import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from bench.resuming import RESUMING, Resumed
from hostile.harness import MIB, Evidence, crawl
from hostile.rows import GROUPS, Judged, load

KEPT = Path("reliability.jsonl")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
HEAD = """\
# Reliability, measured

Every hostile behaviour that a crawler may meet, served on loopback by `topicrawl web serve hostile`, against topicrawl
{own} and Scrapy {scrapy}; written by `python -m bench.reliability` on {date}. Each row is a crawl of its own. Both
crawlers get the same seeds, delays, page budget and time; topicrawl crawls with `ops`,
Scrapy follows every link as in its tutorial, with its
defaults except for those limits, robots.txt obeyed, retries off on both sides. Rows are judged by the server's log: a
row passes when all its statements are true (`tests/hostile/rows/`); statements about a crawler's own log are made for
topicrawl only. Figures: seconds, peak memory of the largest process, requests received and bytes sent by the server.

A failing row lists the statements that were false. docs/security.md explains what is not defended against, and why.

| row | the server … | topicrawl | Scrapy |
|---|---|---|---|
"""
FAULTS = """
## Faults

A site of 3,006 pages (`invented:site`, served on loopback) crawled, disturbed, and started again with the same command.

| fault | | topicrawl | Scrapy (JOBDIR) |
|---|---|---|---|
"""


def main() -> None:
    """Crawl every row with both crawlers and write the page."""
    done = [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []
    known = {name for name, *_ in done}
    rows = load()
    with KEPT.open("a") as file:
        for name in (*rows, *RESUMING):
            if name not in known:
                done.append(row_line(rows[name]) if name in rows else fault_line(name))
                print(*done[-1], sep=" | ", flush=True)
                file.write(json.dumps(done[-1]) + "\n")
                file.flush()
    PAGE.write_text(page(done, len(rows)), encoding="utf-8")
    KEPT.unlink()


def row_line(row: Judged) -> list[str]:
    """A row of the table: its name, the behaviour, and both verdicts."""
    cells = []
    for scrapy in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            evidence = crawl(row.seeds, GROUPS[row.group], Path(folder), scrapy=scrapy)
            cells.append(cell(row, evidence, row.complaints(evidence)))
    return [row.name, row.what, *cells]


def fault_line(name: str) -> list[str]:
    """A fault: its name, its description, and both verdicts."""
    fault = RESUMING[name]
    return [name, fault.what, verdict(fault.ours()), verdict(fault.theirs())]


def page(done: list[list[str]], rows: int) -> str:
    """docs/reliability.md."""
    date = datetime.now(UTC).date().isoformat()
    head = HEAD.format(own=version("topicrawl"), scrapy=version("scrapy"), date=date)
    done = sorted(done, key=lambda line: (line[0] in RESUMING, line[0]))
    lines = [f"| {name.upper()} | {' | '.join(cells)} |" for name, *cells in done]
    passed = [sum(cells[at].startswith("passes") for _, *cells in done[:rows]) for at in (1, 2)]
    total = f"| | rows passed, of {rows} | **{passed[0]}** | **{passed[1]}** |"
    return head + "\n".join([*lines[:rows], total]) + "\n" + FAULTS + "\n".join(lines[rows:]) + "\n" + rest()


def cell(row: Judged, e: Evidence, complaints: list[str]) -> str:
    """One crawler's verdict on one row, with figures."""
    figures = f"{e.seconds:.1f} s, {e.peak // MIB} MiB, {len(e.requests(row.name))} requests, {size(e.sent(row.name))}"
    crashed = [] if e.code == 0 or complaints else [f"exit code {e.code}"]
    verdict = (
        "fails: " + "; ".join(c.replace("|", "/") for c in complaints + crashed)
        if complaints + crashed
        else "passes"
    )
    return f"{verdict} ({figures})"


def size(count: int) -> str:
    """A size in MiB or KiB."""
    return f"{count / MIB:.1f} MiB" if count > MIB // 10 else f"{count / 1024:.1f} KiB"


def verdict(result: Resumed) -> str:
    """The verdict on a fault."""
    return f"{'passes' if result.well else 'fails'}: {result.sentence}"


def rest() -> str:
    """The part of the page below the tables, which is not generated."""
    if not PAGE.exists():
        return ""
    _, mark, tail = PAGE.read_text(encoding="utf-8").partition("\n## Beyond this table")
    return mark + tail


if __name__ == "__main__":
    main()
