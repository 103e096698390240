"""Verifies a run with plain SQLite, gzip and JSON: independent of the code that wrote it.

Checks the invariants of a run and reports one sentence about each:

    order      every answer answers one earlier choice, and no number is missing (verify_log.py)
    once       no page counts twice, unless it was fetched anew
    lines      visits.jsonl and timings.jsonl agree with the log
    archive    every archived answer is complete, at its place in the log and with its digest; no segment has
               uncommitted bytes; no lost answer is still missing
    index      index.cdxj lists exactly the answers that are archived according to the log
    gaps       two requests to one host were never closer than the delay
    summary    summary.json agrees with the totals of the log
"""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from topicrawl.store.verify_log import MALFORMED, LogRead, read_log

TOLERANCE = 0.05
"""Tolerated error in seconds: starts are computed from ends."""


LATER = ("term_relevance",)
"""Fields of a line that visits of topicrawl 0.1 lack."""


class Finding(NamedTuple):
    """One invariant, whether it holds (None: to be known, but no damage), and a sentence about it."""

    well: bool | None
    promise: str
    sentence: str


def examine(run: Path) -> Iterator[Finding]:
    """The findings about a run, which is opened read-only."""
    with closing(_open(run / "crawl.db")) as log:
        try:
            yield from _examine(run, log)
        except (sqlite3.DatabaseError, *MALFORMED) as error:
            yield Finding(False, "order", f"crawl.db holds malformed entries: {error}; --repair mends it")


def sound_entries(database: Path) -> LogRead:
    """What can be read of a log, and in what order it is, up to its first fault."""
    with closing(_open(database)) as log:
        return read_log(log)


def unreadable(run: Path) -> list[int]:
    """The visits whose archived records are missing or damaged."""
    with closing(_open(run / "crawl.db")) as log:
        return [n for n, faults, _ in _records(run, log) if faults]


def _examine(run: Path, log: sqlite3.Connection) -> Iterator[Finding]:
    visits = [dict(row) for row in log.execute("SELECT * FROM visits ORDER BY n")]
    read = read_log(log)
    yield from _order(read, len(visits))
    yield _once(visits, read)
    yield _lines(run, visits)
    if log.execute("SELECT warc FROM run").fetchone()[0]:
        yield from _archive(run, log)
        if (run / "summary.json").exists():
            yield _index(run, log)
    yield _gaps(run, visits)
    if (run / "summary.json").exists():
        yield _summary(run, visits)


def _open(path: Path) -> sqlite3.Connection:
    waiting = path.with_name(path.name + "-wal").exists()
    log = sqlite3.connect(f"{path.resolve().as_uri()}?{'mode=ro' if waiting else 'immutable=1'}", uri=True)
    log.row_factory = sqlite3.Row
    return log


def _order(read: LogRead, known: int) -> Iterator[Finding]:
    if read.fault:
        yield Finding(
            False, "order", f"entry {read.entries + 1:,} of the log {read.fault}; --repair cuts it off there"
        )
    elif known != read.last_n:
        yield Finding(False, "order", f"{known:,} visits are listed, the log answers {read.last_n:,}")
    else:
        anew = f"; {read.anew.total():,} pages were fetched anew" if read.anew else ""
        flight = f"{len(read.waiting):,} in flight"
        yield Finding(True, "order", f"{read.last_n:,} answers, each to one earlier choice; {flight}{anew}")
    if read.later:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in read.later.items())
        yield Finding(
            None,
            "order",
            f"events of a later version of topicrawl: {kinds}; the run is not damaged, and that version resumes it",
        )


def _once(visits: list[dict[str, Any]], read: LogRead) -> Finding:
    pages = Counter(visit["url"] for visit in visits if visit["fetched"])
    twice = [url for url, count in pages.items() if count > 1 + read.anew[url]]
    if twice and not read.later:
        return Finding(False, "once", f"{len(twice):,} pages count twice, such as {min(twice)}")
    return Finding(True, "once", f"{len(pages):,} pages, each once")


def _logged_fields(visit: dict[str, Any]) -> dict[str, Any]:
    """The fields of a line of visits.jsonl: the columns of the table `visits` before `seq`, and later fields if any."""
    later = {name: visit[name] for name in LATER if visit.get(name) is not None}
    return {**dict(takewhile(lambda field: field[0] != "seq", visit.items())), **later}


def _lines(run: Path, visits: list[dict[str, Any]]) -> Finding:
    path = run / "visits.jsonl"
    if not path.exists():
        return Finding(False, "lines", "visits.jsonl is absent; resuming or --repair writes it again")
    content = path.read_bytes()
    for visit, line in zip(visits, content.splitlines(), strict=False):
        try:
            parsed = json.loads(line)
        except ValueError:
            parsed = {}
        if parsed != _logged_fields(visit):
            return Finding(
                False,
                "lines",
                f"visits.jsonl differs from the log at visit {visit['n']:,}; --repair mends it",
            )
    if _timings(run) != [
        (visit["n"], visit["started"], visit["waited"], visit["fetching"], visit["parsing"])
        for visit in visits
    ]:
        return Finding(False, "lines", "timings.jsonl differs from the log; resuming or --repair mends it")
    count = content.count(b"\n")
    if count != len(visits) or (not content.endswith(b"\n") and content):
        where = "behind" if count < len(visits) else "ahead of"
        return Finding(False, "lines", f"visits.jsonl is {where} the log; resuming or --repair mends it")
    return Finding(True, "lines", "visits.jsonl agrees with the log")


def _timings(run: Path) -> list[tuple[float, ...]] | None:
    try:
        parsed = [json.loads(line) for line in (run / "timings.jsonl").read_bytes().splitlines()]
        return [
            tuple(each[name] for name in ("n", "started", "waited", "fetched", "parsed")) for each in parsed
        ]
    except (OSError, *MALFORMED):
        return None


def _archive(run: Path, log: sqlite3.Connection) -> Iterator[Finding]:
    faults: dict[int, str] = {}
    checked = 0
    for n, wrong, answers in _records(run, log):
        checked += answers
        if wrong:
            faults[n] = wrong[0]
    if faults:
        first, wrong_there = next(iter(faults.items()))
        yield Finding(
            False,
            "archive",
            f"the archived answers of {len(faults):,} visits are damaged or gone: "
            f"that of visit {first:,} {wrong_there}; --repair takes note of them, then they can be fetched again",
        )
    yield from _beyond(run, log)
    missing, again = _lost(log)
    if missing:
        yield Finding(
            False,
            "archive",
            f"the archive has lost the records of {missing:,} visits; "
            f"`topicrawl crawl --out {run} --refetch-missing` gets them back",
        )
    if not (faults or missing):
        more = f", {again:,} visits of them fetched again after a loss" if again else ""
        yield Finding(
            True, "archive", f"{checked:,} archived answers are complete and at their places in the log{more}"
        )


def _beyond(run: Path, log: sqlite3.Connection) -> Iterator[Finding]:
    ends = dict(
        log.execute('SELECT segment, max("offset" + length) FROM visits WHERE segment >= 0 GROUP BY 1')
    )
    for path in sorted((run / "archive").glob("[0-9][0-9][0-9][0-9][0-9].warc.gz")):
        beyond = path.stat().st_size - ends.get(int(path.name.split(".")[0]), 0)
        if beyond > 0:
            yield Finding(
                False, "archive", f"{path.name} has {beyond:,} uncommitted bytes; --repair cuts them off"
            )


def _lost(log: sqlite3.Connection) -> tuple[int, int]:
    """How many visits have lost their records, and how many of the lost were fetched again."""
    if not log.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'lost'").fetchone()[0]:
        return 0, 0
    missing, again = log.execute("SELECT count(*) - count(refetched), count(refetched) FROM lost").fetchone()
    return missing, again


def _records(run: Path, log: sqlite3.Connection) -> Iterator[tuple[int, list[str], int]]:
    """For each visit with records: its number, what is wrong with them, and how many of them are answers."""
    answers: dict[int, list[tuple[str, str, int, int]]] = {}
    for n, *answer in log.execute('SELECT n, url, digest, "offset", length FROM captures ORDER BY n, row'):
        answers.setdefault(n, []).append((answer[0], answer[1], answer[2], answer[3]))
    rows = log.execute('SELECT n, segment, "offset", length FROM visits WHERE segment >= 0 ORDER BY n')
    for n, segment, offset, length in rows:
        path = run / "archive" / f"{segment:05}.warc.gz"
        try:
            with path.open("rb") as file:
                file.seek(offset)
                members = _members(file.read(length), offset)
        except (OSError, zlib.error, *MALFORMED) as error:
            yield n, [f"cannot be read from {path.name}: {error}"], 0
            continue
        known = answers.get(n, [])
        found = [
            _record_fault(members.get(at, (b"", 0)), size, url, digest) for url, digest, at, size in known
        ]
        faults = [fault for fault in found if fault]
        yield n, faults if known else ["has no answer in the log"], len(known)


def _members(data: bytes, offset: int) -> dict[int, tuple[bytes, int]]:
    """The gzip members of `data`, which begins at `offset`: content and length by offset."""
    found: dict[int, tuple[bytes, int]] = {}
    while data:
        unpacker = zlib.decompressobj(wbits=31)
        content = unpacker.decompress(data)
        if not unpacker.eof:
            raise zlib.error("it is truncated")
        length = len(data) - len(unpacker.unused_data)
        found[offset] = content, length
        offset, data = offset + length, unpacker.unused_data
    return found


def _record_fault(member: tuple[bytes, int], length: int, url: str, digest: str) -> str | None:
    """What is wrong with one gzip member of a WARC."""
    record, long = member
    if long != length:
        return "is not at its place in the log"
    head, _, block = record.partition(b"\r\n\r\n")
    fields = dict(
        line.split(": ", 1) for line in head.decode("utf-8", "replace").split("\r\n")[1:] if ": " in line
    )
    if fields.get("WARC-Target-URI") != url:
        return f"is of {fields.get('WARC-Target-URI')}, not of {url}"
    if int(fields["Content-Length"]) != len(block) - 4:
        return "has another length than its Content-Length"
    recorded = fields.get("WARC-Payload-Digest", "")
    body = block[:-4].partition(b"\r\n\r\n")[2]
    found = base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()
    if recorded and found not in recorded:
        return "has content that does not match its digest"
    return (
        None
        if digest.removeprefix("sha1:") in (found, "") or not recorded
        else "has another digest than in the log"
    )


def _index(run: Path, log: sqlite3.Connection) -> Finding:
    remedy = "--repair writes it again"
    path = run / "index.cdxj"
    if not path.exists():
        return Finding(False, "index", f"index.cdxj is absent; {remedy}")
    try:
        fields = [json.loads(line.split(b" ", 2)[2]) for line in path.read_bytes().splitlines()]
        listed = {
            (each["url"], each["filename"], int(each["offset"]), int(each["length"])) for each in fields
        }
    except MALFORMED as error:
        return Finding(False, "index", f"index.cdxj is damaged ({error}); {remedy}")
    rows = log.execute(
        'SELECT c.url, v.segment, c."offset", c.length FROM captures c JOIN visits v ON v.n = c.n WHERE segment >= 0'
    )
    held = {(url, f"{segment:05}.warc.gz", offset, length) for url, segment, offset, length in rows}
    if gone := len(listed - held):
        return Finding(False, "index", f"index.cdxj lists {gone:,} records that are not there; {remedy}")
    if unlisted := len(held - listed):
        return Finding(False, "index", f"index.cdxj lacks {unlisted:,} records; {remedy}")
    return Finding(True, "index", "index.cdxj lists what is archived according to the log")


def _gaps(run: Path, visits: list[dict[str, Any]]) -> Finding:
    try:
        settings = tomllib.loads((run / "crawl.toml").read_text(encoding="utf-8"))
    except ValueError as error:
        return Finding(False, "gaps", f"crawl.toml cannot be read ({error}); put the original back")
    http = settings.get("http", {})
    polite = settings.get("crawl", {}).get("web") == "http" and http.get("per_host") == 1
    delay = float(http.get("delay", 0)) if polite else 0.0
    last: dict[str, float] = {}
    closest = float("inf")
    for visit in sorted(visits, key=lambda each: float(each["started"])):
        if visit["status"] is None or visit["asked"].split("/")[2] != visit["host"]:
            continue
        closest = min(closest, visit["started"] - last.get(visit["host"], -1e18))
        last[visit["host"]] = visit["started"]
    if closest < delay - TOLERANCE:
        return Finding(False, "gaps", f"two requests to one host were {closest:.3f} s apart, not {delay:g}")
    return Finding(True, "gaps", f"requests to one host kept {delay:g} s apart")


def _summary(run: Path, visits: list[dict[str, Any]]) -> Finding:
    try:
        summary = dict(json.loads((run / "summary.json").read_text(encoding="utf-8")))
    except (TypeError, ValueError):
        return Finding(
            False, "summary", "summary.json cannot be read; delete it, and resuming writes it again"
        )
    fetched = sum(bool(visit["fetched"]) for visit in visits)
    if summary.get("fetches") != fetched:
        return Finding(
            False, "summary", f"summary.json has {summary.get('fetches')} pages, the log has {fetched}"
        )
    return Finding(True, "summary", f"summary.json agrees with the log ({summary.get('stop_reason')})")
