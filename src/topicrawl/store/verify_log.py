"""Verifies the events of a log, in order, with plain SQLite and msgpack: independent of the code that wrote it.

an answer answers one earlier choice (or a page that is asked anew, or that another shard handed over)
no number of an answer is missing
a link is chosen once at a time; only a chosen one is postponed, only a peeked one is accepted
kinds of events that a later version wrote are named, and are not a fault: from there on only numbers are checked
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import msgspec
import zstandard

MALFORMED = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""Exceptions that unexpected values raise."""
DAMAGED = (msgspec.DecodeError, zstandard.ZstdError, *MALFORMED)
UNNAMED = ""
"""The kind of a row that topicrawl 0.1 wrote: a choice, a visit, or the number of a postponed link."""
KNOWN = {
    UNNAMED: 1,
    "ask": 1,
    "told": 2,
    "postponed": 1,
    "accepted": 1,
    "version": 1,
    "instruction": 1,
    "received": 2,
    "learned": 1,
    "revisit": 1,
    "turn": 1,
    "turned": 1,
}
"""The kinds of events, each with its latest version."""
KIND = re.compile("[a-z_]*")
VISITS = (UNNAMED, "told")
"""The kinds of visits."""
COMPRESSED = ("told", "instruction", "received", "learned", "turn", "turned")
PEEK = 5
"""The place of `peek` in an `Ask`."""
WHOLE = 5
"""The place of a page that was handed over in a `Letter`."""


@dataclass
class LogRead:
    """What was read of a log up to its first fault."""

    entries: int = 0
    """Entries before the fault; all of them if there is none."""
    fault: str = ""
    """What is wrong with the next entry."""
    last_n: int = 0
    waiting: dict[str, Any] = field(default_factory=dict)
    """URLs chosen and not answered, each with its `Ask`; None where the page is asked anew."""
    peeked: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    """URLs of pages that other shards handed over, and that are not answered."""
    anew: Counter[str] = field(default_factory=Counter)
    """Pages fetched anew, by final URL, and how often."""
    later: Counter[str] = field(default_factory=Counter)
    """Kinds of events that a later version wrote, and how many of each."""


def read_log(log: sqlite3.Connection) -> LogRead:
    """Read the log up to its end, or to the first entry that is damaged, missing or contradicts those before it."""
    read = LogRead()
    try:
        for seq, n, packed, kind, version, has_row in log.execute(_query(log)):
            read.fault = (
                "follows a missing entry"
                if seq != read.entries + 1
                else "is a visit whose row is missing"
                if n is not None and not has_row
                else _fault(read, n, packed, kind, version)
            )
            if read.fault:
                break
            read.entries += 1
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        read.fault = f"cannot be read ({error})"
    return read


def _query(log: sqlite3.Connection) -> str:
    """Format 2, of topicrawl 0.1, has no kinds and versions."""
    named = any(name == "kind" for _, name, *_ in log.execute("PRAGMA table_info(log)"))
    kind = "kind, version" if named else "'', 1"
    return (
        f"SELECT log.seq, log.n, packed, {kind}, visits.n IS NOT NULL"  # noqa: S608 - our own words
        " FROM log LEFT JOIN visits ON visits.n = log.n ORDER BY log.seq"
    )


def _fault(read: LogRead, n: int | None, packed: bytes, kind: str, version: int) -> str:
    """What is wrong with the next entry; takes note of what it says."""
    if n is not None:
        if n != read.last_n + 1:
            return f"answers as visit {n:,} after visit {read.last_n:,}"
        read.last_n = n
    if not KIND.fullmatch(str(kind)) or (n is not None and kind not in VISITS):
        return f"has no kind that an event has ({kind!r})"
    try:
        if version > KNOWN.get(kind, 0):
            read.later[f"{kind!r} (version {version})"] += 1
            return ""
        unpacked = zstandard.decompress(packed) if kind in COMPRESSED or n is not None else packed
        fault = _contradiction(read, *_named(kind, n, msgspec.msgpack.decode(unpacked)))
    except DAMAGED as error:
        return f"is damaged ({error})"
    return "" if read.later else fault


def _named(kind: str, n: int | None, entry: Any) -> tuple[str, Any]:
    """An entry with its kind, where topicrawl 0.1 named none."""
    if kind != UNNAMED:
        return kind, entry
    if n is not None:
        return "told", entry
    return ("postponed", [entry, ""]) if isinstance(entry, int) else ("ask", entry)


def _contradiction(read: LogRead, kind: str, entry: Any) -> str:
    """In what an entry contradicts those before it."""
    match kind, entry:
        case "ask" | "revisit", [_, *_]:
            url = entry[1] if kind == "ask" else entry[0]
            again = url in read.waiting
            read.waiting[url] = entry if kind == "ask" else None
            return "chooses a link that is in flight" if again else ""
        case "received", dict():
            for sender in (entry, *entry.get("others", ())):
                letters = sender.get("letters", ())
                read.handed |= {letter[WHOLE][0] for letter in letters if letter[WHOLE] is not None}
        case "told", [ask, outcome, *_]:
            return _wrong_answer(read, ask, outcome)
        case "postponed", [number, url, *_]:
            links = {ask[0] for ask in read.waiting.values() if ask}
            return "" if url in read.waiting or number in links else "postpones a link that was not chosen"
        case "accepted", [url, *_]:
            return "" if url in read.peeked else "accepts a page that was not peeked at"
    return ""


def _wrong_answer(read: LogRead, ask: Any, outcome: Any) -> str:
    """Link numbers may differ from those of the choice: another version may number links otherwise."""
    url = ask[1]
    if ask[PEEK]:
        read.peeked |= {url, outcome[0]}
    if url not in read.waiting and url in read.handed:
        read.handed.discard(url)
        return ""
    if url not in read.waiting:
        return "answers a link that was not chosen"
    chosen = read.waiting.pop(url)
    if chosen is None:
        read.anew[outcome[0]] += 1
        return ""
    return "" if chosen[1:] == ask[1:] else "answers another choice than was made"
