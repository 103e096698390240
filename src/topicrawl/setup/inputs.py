"""Opens what the user names: a topic in any of its forms, seed lists, saved files with links."""

from __future__ import annotations

import logging
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from os import sep
from os.path import splitdrive
from pathlib import Path
from typing import TYPE_CHECKING

from topicrawl.errors import SeedError, TopicError
from topicrawl.model import Topic
from topicrawl.setup.example_list import is_url
from topicrawl.setup.seeds import NOWHERE, SeedList, parse_seeds, read_listing
from topicrawl.topic.letters import normal
from topicrawl.topic.read import read_topic, read_topic_bytes
from topicrawl.topic.shipped import SHIPPED
from topicrawl.urls import canonical

if TYPE_CHECKING:
    from topicrawl.topic.weigh import Weighed

REMARKS_SHOWN = 5
GIVEN = "given"
"""The source of seeds that were given as URLs."""
ONTOLOGY_FILES = (".ttl", ".owl", ".rdf", ".xml")
TOPIC_FILES = (".toml", ".txt", *ONTOLOGY_FILES)

log = logging.getLogger(__name__)


def open_topic(spec: str) -> Topic:
    """The topic in the folder or file `spec`; else the built-in of that name; else `spec` parsed as terms."""
    path = Path(spec)
    if _is_folder(path, spec):
        from topicrawl.setup.topic_folder import TopicFolder

        return TopicFolder(path).topic(spec)
    if _is_file(path) and path.suffix in ONTOLOGY_FILES:
        return open_weighed(spec).topic(spec)
    if _is_file(path):
        content = _content(path, spec)
        return read_topic_bytes(content, name=path.stem, source=spec, toml=path.suffix == ".toml")
    if spec.lower().startswith(("http://", "https://")):
        raise TopicError(f"topic {spec!r}: is a page; to find others like it, name it with --query {spec}")
    if _is_path(spec):
        raise TopicError(
            f"topic {spec!r}: there is no such file or folder; check the path, or make a topic with: "
            f"topicrawl topic build (to use it as a term, add a weight: '{spec} 1')"
        )
    return read_topic(spec)


def open_weighed(spec: str) -> Weighed:
    """The topic `spec` with its ontology; a topic without one gets a flat ontology of its terms."""
    from topicrawl.setup.topic_folder import TopicFolder
    from topicrawl.topic import owl, shipped, weigh

    path = Path(spec)
    if _is_folder(path, spec):
        return TopicFolder(path).weighed
    if _is_file(path):
        if path.suffix in ONTOLOGY_FILES:
            return weigh.by_structure(owl.read(_content(path, spec), spec, name=path.stem))
    elif normal(spec) in SHIPPED:
        return weigh.by_structure(shipped.ontology(normal(spec)))
    return weigh.as_written(open_topic(spec))


def _content(path: Path, spec: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TopicError(f"topic {spec!r}: cannot be read ({error.strerror}); check the file") from None


def read_seeds(sources: Iterable[str], remark: Callable[[str], None] = log.warning) -> list[str]:
    """The URLs in `sources`, in order, without duplicates. A source is a URL, a file of URLs, or `-` (standard input).

    Warnings about single lines go to `remark`; `SeedError` if no line is usable.
    """
    return list(read_named_seeds(sources, remark))


def read_named_seeds(
    sources: Iterable[str], remark: Callable[[str], None] = log.warning
) -> dict[str, tuple[str, ...]]:
    """The same, with where each URL was found: as a comment in its list says, or else the list."""
    sources = list(sources)
    lists = [_read(source) for source in sources]
    urls: dict[str, tuple[str, ...]] = {}
    for source, each in zip(sources, lists, strict=True):
        own = (GIVEN if is_url(source) else source,)
        for url in each.urls:
            urls[url] = tuple(dict.fromkeys((*urls.get(url, ()), *each.sources.get(url, own))))
    remarks = [line for each in lists for line in each.remarks]
    if not urls:
        first = f" ({remarks[0]})" if remarks else ""
        raise SeedError(
            f"no URL in the seeds {', '.join(sources)}{first}; give http or https URLs, one per line"
        )
    remark_on(remarks, remark)
    return urls


def read_results(
    sources: Iterable[str], home: str = NOWHERE, remark: Callable[[str], None] = log.warning
) -> list[str]:
    """The links in saved pages, lists, sitemaps and feeds, or `-` for standard input; in order, without duplicates.

    Nothing is fetched: the sitemaps of an index are expected in its folder. Warnings about damaged or missing files
    go to `remark`; `SeedError` if there is no link.
    """
    sources = list(sources)
    found: dict[str, None] = {}
    remarks: list[str] = []
    waiting = deque(sources)
    seen: set[str] = set()
    while waiting:
        source = waiting.popleft()
        if source in seen:
            continue
        seen.add(source)
        listing = read_listing(_saved(source), home)
        found.update(dict.fromkeys(listing.urls))
        if listing.damage:
            taken = f"; the links before that, {len(listing.urls):,}, are taken" if listing.urls else ""
            remarks.append(f"{source} {listing.damage}{taken}")
        beside, missing = _beside(source, listing.sitemaps)
        waiting.extendleft(reversed(beside))
        if missing:
            remarks.append(
                f"{source} is an index, and {len(missing):,} of its {len(listing.sitemaps):,} sitemaps, "
                f"{missing[0]!r} first, are not beside it; download them there, or use crawl --sitemaps"
            )
    if not found:
        why = f" ({remarks[0]})" if remarks else ""
        raise SeedError(
            f"no usable link in {', '.join(sources)}{why}; "
            "give saved HTML pages, lists of http URLs, sitemaps or feeds"
        )
    for line in remarks[:REMARKS_SHOWN]:
        remark(line)
    if len(remarks) > REMARKS_SHOWN:
        remark(f"and {len(remarks) - REMARKS_SHOWN} more files like these")
    return list(found)


def _saved(source: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SeedError(
            f"{source!r} cannot be read ({reason}); give a saved page, a list of URLs, a sitemap or a feed"
        ) from None


def _beside(source: str, sitemaps: Iterable[str]) -> tuple[list[str], list[str]]:
    """The sitemaps of the index `source` that are in its folder, gzipped or not, and the names of those that are not.

    A name is the last part of a URL, so that no name leads out of the folder.
    """
    beside, missing = [], []
    for url in sitemaps:
        name = url.partition("?")[0].rpartition("/")[2]
        files = [Path(source).with_name(each) for each in (name, name.removesuffix(".gz")) if each]
        here = next((file for file in files if source != "-" and _is_file(file)), None)
        if here is None:
            missing.append(name or url)
        else:
            beside.append(str(here))
    return beside, missing


def remark_on(lines: Sequence[str], remark: Callable[[str], None]) -> None:
    """Pass the first of `lines` to `remark`, and how many more there are."""
    for line in lines[:REMARKS_SHOWN]:
        remark(line)
    if len(lines) > REMARKS_SHOWN:
        remark(f"and {len(lines) - REMARKS_SHOWN} more lines like these")


def _read(source: str) -> SeedList:
    if source == "-":
        return parse_seeds(sys.stdin.buffer.read(), "standard input")
    if is_url(source):
        url = canonical(source)
        return SeedList((url,)) if url else SeedList((), (f"{source!r} is no URL that can be fetched",))
    try:
        return parse_seeds(Path(source).read_bytes(), source)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SeedError(
            f"seeds {source!r}: {reason}; give a file of URLs, a URL with http(s)://, or -"
        ) from None


def _is_folder(path: Path, spec: str) -> bool:
    """Whether `path` is the folder of a topic. A plain word is a term, even if a folder has that name."""
    try:
        if (path / "topic.toml").is_file():
            return True
        other = path.is_dir() and ("/" in spec or len(path.parts) != 1)
    except (OSError, ValueError):
        return False
    if other:
        raise TopicError(f"topic {spec!r}: is a folder without topic.toml; make one: topicrawl topic build")
    return False


def _is_path(spec: str) -> bool:
    """Whether `spec` can only be a path: it has the suffix of a topic file or a separator, and is a single term without
    name or weight. Words around a separator ("input/output device") are a term, unless the folder exists.
    """
    if "," in spec:
        return False
    if Path(spec).suffix in TOPIC_FILES:
        return True
    drive, rest = splitdrive(spec)
    if not {"/", sep} & set(spec) or ":" in rest or spec.strip() != spec:
        return False
    return (
        not re.search(r"\s", spec)
        or bool(drive)
        or spec.startswith((".", "/", "~", sep))
        or _has_folder(spec)
    )


def _has_folder(spec: str) -> bool:
    """Whether the parent folder of `spec` exists."""
    try:
        return Path(spec).parent.is_dir()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    """Whether `path` is a file, pipe or device. A topic given as terms may be too long for a path."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False
