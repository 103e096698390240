"""Every row of the catalogue against topicrawl and Scrapy, in one run by one harness: `python -m bench.reliability`.

Writes docs/reliability.md. Each row is a crawl of its own with a fresh hostile server; both crawlers get the same
seeds, time, delays and page budget. Needs the extra `bench` (Scrapy). Rows may be named: `… h11 h27`.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from bench.resuming import RESUMING, Resumed
from hostile.harness import MIB, Evidence, crawl
from hostile.rows import GROUPS, Judged, load

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
HEAD = """\
# Reliability, measured

Every hostile behaviour that a crawler may meet, served on loopback by `topicrawl web serve hostile`, against topicrawl
{own} and Scrapy {scrapy}; written by `python -m bench.reliability` on {date}. Each row is a crawl of its own. Both
crawlers get the same seeds, delays, page budget and time; Scrapy follows every link as its tutorial does, with its
defaults but for those limits, robots.txt obeyed, retries off on both sides. The server's log is the witness: a row
passes when all of its statements are true (`tests/hostile/rows/`); statements about a crawler's own log are made of
topicrawl alone. Figures: seconds, peak memory of the largest process, requests the server saw, bytes it could send.

What a failing row says is what was not so. docs/security.md explains what is not defended, and why.

| row | the server … | topicrawl | Scrapy |
|---|---|---|---|
"""
FAULTS = """
## Faults

A site of 3,006 pages (`invented:site`, served on loopback) crawled, disturbed, and started again with the same command.

| fault | topicrawl | Scrapy (JOBDIR) |
|---|---|---|
"""


def main(names: list[str]) -> None:
    """Crawl every row twice, print as we go, and write the page."""
    rows = [row for row in load().values() if not names or row.name in names]
    lines = []
    passed = [0, 0]
    for row in rows:
        cells = []
        for number, scrapy in enumerate((False, True)):
            with tempfile.TemporaryDirectory() as folder:
                evidence = crawl(row.seeds, GROUPS[row.group], Path(folder), scrapy=scrapy)
                complaints = row.complaints(evidence)
                passed[number] += not complaints
                cells.append(cell(row, evidence, complaints))
        lines.append(f"| {row.name.upper()} | {row.what} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    lines.append(f"| | rows passed, of {len(rows)} | **{passed[0]}** | **{passed[1]}** |")
    print(lines[-1])
    if names:
        return
    faults = [f"| {fault.what} | {told(fault.ours())} | {told(fault.theirs())} |" for fault in RESUMING]
    print("\n".join(faults))
    date = datetime.now(UTC).date().isoformat()
    head = HEAD.format(own=version("topicrawl"), scrapy=version("scrapy"), date=date)
    PAGE.write_text(
        head + "\n".join(lines) + "\n" + FAULTS + "\n".join(faults) + "\n" + rest(), encoding="utf-8"
    )


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
    """Bytes for people."""
    return f"{count / MIB:.1f} MiB" if count > MIB // 10 else f"{count / 1024:.1f} KiB"


def told(result: Resumed) -> str:
    """What came of a fault."""
    return f"{'passes' if result.well else 'fails'}: {result.sentence}"


def rest() -> str:
    """What stands below the tables and is not measured by this program."""
    if not PAGE.exists():
        return ""
    _, mark, tail = PAGE.read_text(encoding="utf-8").partition("\n## Beyond this table")
    return mark + tail


if __name__ == "__main__":
    main(sys.argv[1:])
