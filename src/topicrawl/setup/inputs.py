"""Opens what the user names: a topic in one of its many forms, seed lists, saved files that list links."""

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
from topicrawl.setup.seeds import NOWHERE, SeedList, parse_seeds, read_listing
from topicrawl.topic.letters import normal
from topicrawl.topic.read import read_topic, read_topic_bytes
from topicrawl.topic.shipped import SHIPPED
from topicrawl.urls import canonical

if TYPE_CHECKING:
    from topicrawl.topic.weigh import Weighed

REMARKS_SHOWN = 5
ONTOLOGY_FILES = (".ttl", ".owl", ".rdf", ".xml")
TOPIC_FILES = (".toml", ".txt", *ONTOLOGY_FILES)

log = logging.getLogger(__name__)


def open_topic(spec: str) -> Topic:
    """The topic in the folder or file called `spec`, or else the built-in of that name, or else the one it spells."""
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
            f"topicrawl topic build (a word that is written so is one with its weight: '{spec} 1')"
        )
    return read_topic(spec)


def open_weighed(spec: str) -> Weighed:
    """The topic that `spec` names with the ontology behind it; where there is none, its terms side by side."""
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
    """The URLs that `sources` name, each once, in order: URLs themselves, files of URLs, `-` for standard input.

    What is odd about single lines goes to `remark`; `SeedError` when there is no usable line at all.
    """
    sources = list(sources)
    lists = [_read(source) for source in sources]
    urls = list(dict.fromkeys(url for each in lists for url in each.urls))
    remarks = [line for each in lists for line in each.remarks]
    if not urls:
        first = f" ({remarks[0]})" if remarks else ""
        raise SeedError(
            f"no URL in the seeds {', '.join(sources)}{first}; give http or https URLs, one a line"
        )
    remark_on(remarks, remark)
    return urls


def read_results(
    sources: Iterable[str], home: str = NOWHERE, remark: Callable[[str], None] = log.warning
) -> list[str]:
    """The links that saved files list, each once, in order: pages, lists, sitemaps, feeds, `-` for standard input.

    The sitemaps that an index names are looked for beside it, since nothing is fetched. What is damaged or missing
    goes to `remark`; `SeedError` when there is no link at all.
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
    """The files in the folder of the index `source` that hold its sitemaps, packed or not, and the names of others.

    A name is the last part of a URL, so that none leads out of the folder.
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
    """Say the first of `lines`, and how many more there are."""
    for line in lines[:REMARKS_SHOWN]:
        remark(line)
    if len(lines) > REMARKS_SHOWN:
        remark(f"and {len(lines) - REMARKS_SHOWN} more lines like these")


def _read(source: str) -> SeedList:
    if source == "-":
        return parse_seeds(sys.stdin.buffer.read(), "standard input")
    if source.lower().startswith(("http://", "https://")):
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
    """Whether `path` is the folder of a topic. A word that some other folder is called by is still a word."""
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
    """Whether `spec` can only be meant as a path: it ends like a file of ours or has a separator, and is one term
    without name or weight. Words around the separator ("input/output device") are words, unless a folder is there.
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
    """Whether the folder is there that `spec` would lie in."""
    try:
        return Path(spec).parent.is_dir()
    except (OSError, ValueError):
        return False


def _is_file(path: Path) -> bool:
    """Whether there is something to read at `path`; a topic spelled out may be too long for a path at all."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False
