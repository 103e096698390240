"""feed.atom: what a watch noticed, for feed readers (RFC 4287): one entry a page, the latest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from topicrawl.model import Noticed, Turned
from topicrawl.safe_text import for_xml
from topicrawl.store.disk import disk_errors, write_atomically

FEED = "feed.atom"
ATOM = "http://www.w3.org/2005/Atom"
MOST_ENTRIES = 100
WORDS: Mapping[str, str] = {
    "new": "New",
    "changed": "Changed",
    "gone": "Gone",
    "moved": "Moved",
    "unlinked": "No longer linked",
}
"""What was noticed, before the title of an entry."""


def latest(
    turned: Iterable[Turned], threshold: float, most: int = MOST_ENTRIES
) -> list[tuple[float, Noticed]]:
    """What was noticed last of each relevant page, the latest first, with its time; `turned` has the latest first."""
    found: dict[str, tuple[float, Noticed]] = {}
    for turn in turned:
        for each in turn.noticed:
            if each.relevance > threshold and each.url not in found:
                found[each.url] = (turn.time, each)
        if len(found) >= most:
            break
    return list(found.values())[:most]


def write_feed(path: Path, run_id: str, topic: str, entries: list[tuple[float, Noticed]], now: float) -> None:
    """Write the feed of a run to `path`; `now` is its time where it has no entry."""
    with disk_errors(path):
        write_atomically(path, feed(run_id, topic, entries, now))


def feed(run_id: str, topic: str, entries: list[tuple[float, Noticed]], now: float) -> bytes:
    """The feed as XML."""
    root = Element("feed", xmlns=ATOM)
    _add(root, "id", f"urn:uuid:{run_id}")
    _add(root, "title", f"topicrawl: {topic}")
    _add(root, "updated", _moment(max([when for when, _ in entries], default=now)))
    _add(root, "generator", "topicrawl")
    SubElement(SubElement(root, "author"), "name").text = "topicrawl"
    for when, each in entries:
        _entry(SubElement(root, "entry"), when, each)
    indent(root)
    text: bytes = tostring(root, encoding="utf-8")
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + text + b"\n"


def _entry(entry: Element, when: float, noticed: Noticed) -> None:
    _add(entry, "id", noticed.url)
    _add(entry, "title", f"{WORDS[noticed.change]}: {noticed.title or noticed.url}")
    SubElement(entry, "link", rel="alternate", href=for_xml(noticed.to or noticed.url))
    _add(entry, "updated", _moment(when))
    SubElement(entry, "category", term=noticed.change)
    _add(entry, "summary", summary(noticed))


def summary(noticed: Noticed) -> str:
    """What an entry says of a page: its difference, or its beginning."""
    if noticed.diff:
        return "\n".join(noticed.diff)
    if noticed.to:
        return f"It is now at {noticed.to}"
    return noticed.text or WORDS[noticed.change]


def _add(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = for_xml(text)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
