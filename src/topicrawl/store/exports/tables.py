"""The tables of a run: visits, pages, links, and the index of the archive, in columns.

A table is read from the log piece by piece, and of each piece only the columns that are asked for.

The index has the names of Common Crawl's columnar index, so that queries written for that work here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec

from topicrawl.model import IMAGE, NOFOLLOW, REFUSED, Links, Visit
from topicrawl.store.archive import segment_name
from topicrawl.store.arrow import TIME, Columns
from topicrawl.store.cdxj import surt
from topicrawl.store.exports import rows
from topicrawl.store.exports.contents import Content, contents
from topicrawl.store.exports.selection import Selection
from topicrawl.store.log import Place
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import ARCHIVE, Run
from topicrawl.urls import hostname, registrable

Pieces = Iterator[Columns]


@dataclass(frozen=True)
class Kind:
    """A kind of table: the types of its columns by name, and how the wanted ones are read."""

    columns: Mapping[str, Any]
    read: Callable[[Selection, Sequence[str]], Pieces]


VISIT_COLUMNS = {each.name: each.type for each in msgspec.structs.fields(Visit)} | {
    "started": TIME,
    **dict.fromkeys(("waited", "fetching", "parsing"), float),
}
"""The fields of a visit, when its request was sent, and how many seconds it waited, was fetched and was parsed."""
PAGE_COLUMNS = {each.name: each.type for each in msgspec.structs.fields(rows.Row)} | {"fetched_at": TIME}
FLAGS = {"nofollow": NOFOLLOW, "image": IMAGE, "refused": REFUSED}
LINK_COLUMNS = {"n": int, "page": str, "url": str, "anchor": str, **dict.fromkeys(FLAGS, bool)}
"""`n` and `page` are number and URL of the visit that found the link; `filter_link` refused it, or did not."""
INDEX_COLUMNS = {
    **dict.fromkeys(("url_surtkey", "url", "url_host_name", "url_host_tld"), str),
    **{
        "url_host_registered_domain": str | None,
        "url_protocol": str,
        "url_path": str,
        "url_query": str | None,
    },
    **{"fetch_time": TIME, "fetch_status": int, "fetch_redirect": str | None},
    **{"content_digest": str, "content_mime_type": str, "content_languages": str | None},
    **{"warc_filename": str, "warc_record_offset": int, "warc_record_length": int, "n": int},
}
"""As Common Crawl names them; `n` is the number of the visit."""


def read_visits(selection: Selection, wanted: Sequence[str]) -> Pieces:
    """The visits, failures included."""
    run, after = selection.run, selection.after
    for visit, (_, timing) in zip(selection.visits(), run.timings(after), strict=False):
        row = msgspec.structs.asdict(visit) | {"started": timing.started, "waited": timing.waited}
        row |= {"fetching": timing.fetched, "parsing": timing.parsed}
        yield {name: (row[name],) for name in wanted}


def read_pages(selection: Selection, wanted: Sequence[str]) -> Pieces:
    """The pages as the exports have them."""
    find: dict[str, Callable[[Content], Any]] = {
        **rows.COLUMNS,
        "fetched_at": lambda content: content.started,
    }
    for content in contents(selection):
        yield {name: (find[name](content),) for name in wanted}


def read_links(selection: Selection, wanted: Sequence[str]) -> Pieces:
    """Every link of every page, in order."""
    for visit, page in selection.pages():
        yield {name: _of_links(visit, page.links, name) for name in wanted}


def _of_links(visit: Visit, links: Links, name: str) -> Sequence[Any]:
    count = len(links.urls)
    if name in FLAGS:
        return [bool(flag & FLAGS[name]) for flag in links.flags or bytes(count)]
    if name in ("n", "page"):
        return [visit.n if name == "n" else visit.url] * count
    return links.urls if name == "url" else links.anchors


def read_index(selection: Selection, wanted: Sequence[str]) -> Pieces:
    """Every archived answer of the chosen visits, redirects included, in the order of visits."""
    for visit, _, outcome in selection.run.told(selection.after):
        if selection.holds(visit):
            language = outcome.page.language if outcome.page else None
            for row in _captures(selection.run, visit, language):
                yield {name: (row[name],) for name in wanted}


def _captures(run: Run, visit: Visit, language: str | None) -> Iterator[dict[str, Any]]:
    """The rows of the index for a visit; each answer but the last is a redirect to the next."""
    home, own = run.place(visit.n) if isinstance(run, MergedRun) else (run, visit.n)
    folder = (home.path / ARCHIVE).relative_to(run.path).as_posix()
    places = list(home.captures(own))
    for i, place in enumerate(places):
        target = places[i + 1].url if i + 1 < len(places) else None
        row = _of_place(place) | {"n": visit.n, "warc_filename": f"{folder}/{segment_name(place.segment)}"}
        yield row | {"fetch_redirect": target, "content_languages": None if target else language or None}


def _of_place(place: Place) -> dict[str, Any]:
    parts, name = urlsplit(place.url), hostname(place.url)
    is_address = name.startswith("[") or name.rpartition(".")[2].isdigit()
    return {
        "url_surtkey": surt(place.url),
        "url": place.url,
        "url_host_name": name,
        "url_host_tld": "" if is_address else name.rpartition(".")[2],
        "url_host_registered_domain": None if is_address else registrable(name),
        "url_protocol": parts.scheme,
        "url_path": parts.path,
        "url_query": parts.query or None,
        "fetch_time": place.started,
        "fetch_status": place.status,
        "content_digest": place.digest.removeprefix("sha1:"),
        "content_mime_type": place.mime,
        "warc_record_offset": place.offset,
        "warc_record_length": place.length,
    }


TABLES = {
    "visits": Kind(VISIT_COLUMNS, read_visits),
    "pages": Kind(PAGE_COLUMNS, read_pages),
    "links": Kind(LINK_COLUMNS, read_links),
    "index": Kind(INDEX_COLUMNS, read_index),
}
