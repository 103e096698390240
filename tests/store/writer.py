"""Events that are functions of their numbers; run as a program, it writes them until it is killed or fails.

    python writer.py FOLDER [--until N] [--batch N] [--limit BYTES] [--pad BYTES] [--no-warc]
                            [--die archive|commit]

`--limit` lets no file grow beyond BYTES, as a full disk would; `--pad` makes answers longer; `--die`
kills the process right after that step.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

from topicrawl.errors import StorageError
from topicrawl.model import (
    Ask,
    Event,
    Hop,
    Links,
    Outcome,
    Page,
    Response,
    TermCounts,
    Timing,
    Told,
    Visit,
    pack_ints,
)
from topicrawl.store.run import Run

WORDS = ("rain", "storm", "flood", "暴雨", "météo", "wind", "a\u2028b", "<tag>", 'quote"s', "cloud")


def url(n: int) -> str:
    return f"http://host{n % 7}.example/page/{n}?q={n % 3}"


def ask(n: int) -> Ask:
    return Ask(link=n, url=url(n), priority=1 / (n + 2), depth=n % 5, walker=n % 2, peek=n % 11 == 0)


def page(n: int) -> Page:
    text = " ".join(random.Random(n).choices(WORDS, k=50 + n % 100))
    links = Links(
        urls=[url(n + k) for k in range(1, 6)],
        anchors=[WORDS[(n + k) % len(WORDS)] for k in range(5)],
        titles=[""] * 5,
        starts=pack_ints(range(5)),
        ends=pack_ints(range(3, 8)),
        flags=bytes(5),
    )
    return Page(url(n), f"Page {n} 暴雨", "en", text, pack_ints([0, 9]), b"\0\1", links, "utf-8", "text/html")


def response(n: int) -> Response:
    body = f"<html><title>Page {n}</title>{page(n).text}</html>".encode()
    hops = (
        (Hop(f"http://old.example/{n}", 301, "Moved", (("Location", url(n)),), b"moved"),)
        if n % 4 == 0
        else ()
    )
    return Response(
        asked=hops[0].url if hops else url(n),
        url=url(n),
        status=200,
        reason="OK",
        headers=(("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))),
        body=body,
        content=body,
        size=len(body),
        hops=hops,
        request_headers=(("User-Agent", "topicrawl"),),
        address="192.0.2.1",
    )


def told(n: int) -> Told:
    """Visit n; every fifth failed without an answer."""
    failed = n % 5 == 0
    outcome = (
        Outcome(url(n), error="timeout")
        if failed
        else Outcome(
            url(n), 200, 1000 + n, None, page(n), TermCounts(pack_ints([1]), pack_ints(range(5)), length=n)
        )
    )
    visit = Visit(
        n=n,
        url=url(n),
        asked=url(n),
        status=outcome.status,
        fetched=not failed,
        peek=n % 11 == 0,
        relevance=0.0 if failed else 1 / (n + 1),
        priority=round(1 / (n + 2), 9),
        host=f"host{n % 7}.example",
        depth=n % 5,
        parent=url(n - 1) if n > 1 else None,
        title="" if failed else page(n).title,
        bytes=outcome.size,
        error=outcome.error,
    )
    timing = Timing(1_700_000_000 + n / 8, 0.25, 0.125, 0.0625)
    return Told(ask(n), outcome, visit, timing, None if failed else response(n))


def events(first: int, last: int) -> list[Event]:
    """The choice and the visit of each number from `first` to `last`."""
    return [event for n in range(first, last + 1) for event in (ask(n), told(n))]


def padded(event: Event, size: int) -> Event:
    """`event` with an answer longer by `size` bytes that do not compress."""
    if not isinstance(event, Told) or event.response is None:
        return event
    longer = event.response.body + random.Random(size).randbytes(size)
    return replace(event, response=replace(event.response, body=longer))


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--until", type=int, default=1_000_000)
    arguments.add_argument("--batch", type=int, default=7)
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--pad", type=int, default=0)
    arguments.add_argument("--no-warc", action="store_true")
    arguments.add_argument("--die", choices=["archive", "commit"])
    given = arguments.parse_args()
    if given.limit:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (given.limit, given.limit))
    try:
        keep(given)
    except StorageError as error:
        sys.exit(f"StorageError: {error}")


def keep(given: argparse.Namespace) -> None:
    if (given.folder / "crawl.toml").exists():
        run = Run.open(given.folder)
    else:
        run = Run.create(given.folder, "pages = 3\n", warc=not given.no_warc, segment_bytes=20_000)
    first = run.last_n + 1
    for n in count(first, given.batch):
        if n > given.until:
            break
        batch = [padded(event, given.pad) for event in events(n, n + given.batch - 1)]
        if given.die:
            die_after(given.die, run, batch)
        run.write(batch)
        sys.stdout.write("" if n > first else "ready\n")
        sys.stdout.flush()
    run.close()


def die_after(step: str, run: Run, batch: list[Event]) -> None:
    extents = run._archived(batch)
    if step == "commit":
        run._log.append(batch, extents)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
