"""What a crawl by example begins with: the articles to find others like, and a classifier trained beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import zstandard

from topicrawl.errors import UsageError
from topicrawl.knowledge.items import Items, merged
from topicrawl.knowledge.terms import forms, page_terms
from topicrawl.knowledge.training import Training
from topicrawl.model import Page, Topic
from topicrawl.page.documents import KINDS, can_read, read_document
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.topic.corpus import PLAIN, spoken
from topicrawl.topic.letters import OR
from topicrawl.topic.terms.inflection import plurals

if TYPE_CHECKING:
    from topicrawl.config import Config

TRAINING = "training.kb"
"""The file of a training set, in the folder that `kb train` writes and in a run that was begun with it."""
TOPIC_TERMS = 20
"""Terms of the topic that an article without a topic stands for."""


class QueryError(UsageError):
    """An article or a training set that cannot be used."""


def query_pages(queries: Iterable[str], config: Config) -> tuple[Page, ...]:
    """The articles that `queries` name: files, or URLs to be fetched from the web of `config`."""
    return tuple(_fetched(query, config) if is_url(query) else read_item(query) for query in queries)


def is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def query_topic(pages: Iterable[Page]) -> Topic:
    """The topic that articles stand for: their terms of largest tf-idf, in the forms that texts use."""
    pages = tuple(pages)
    items = Items(TOPIC_TERMS)
    items.add([merged(map(page_terms, pages))])
    weights = items.vectors().toarray()[0]
    heaviest = float(weights.max(initial=0.0))
    if not heaviest:
        raise QueryError("--query: the articles hold no word that could be a term; give other ones")
    best = sorted(np.flatnonzero(weights).tolist(), key=lambda term: -weights[term])
    written = forms("\n".join(page.text for page in pages), spoken(pages[0].language, pages[0].text))
    labels = {_spelt(items.terms[term], written): float(weights[term]) / heaviest for term in best}
    name = " ".join((pages[0].title or "query").split())[:80]
    return Topic(name, tuple(labels), tuple(labels.values()), source="query", examples=pages)


def read_training(place: Path) -> Training:
    """The training set in the folder or file at `place`."""
    path = place / TRAINING if place.is_dir() else place
    try:
        packed = zstandard.ZstdDecompressor().decompress(path.read_bytes())
        return msgspec.msgpack.decode(packed, type=Training)
    except OSError as error:
        raise QueryError(
            f"--train {str(place)!r}: {error.strerror}; make one with: topicrawl kb train corpus/ --out kb/"
        ) from None
    except (zstandard.ZstdError, msgspec.DecodeError):
        raise QueryError(
            f"--train {str(place)!r}: is no training set; make one with: topicrawl kb train"
        ) from None


def write_training(training: Training, path: Path) -> None:
    """Keep a training set in the file at `path`."""
    packed = zstandard.ZstdCompressor(level=6, write_checksum=True).compress(msgspec.msgpack.encode(training))
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, packed)


def read_item(query: str) -> Page:
    """The article in a file."""
    path = Path(query)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise QueryError(
            f"--query {query!r}: {error.strerror}; give a file or a URL with http(s)://"
        ) from None
    plain = "text/plain" if path.suffix.lower() in PLAIN else ""
    page = read_document([kind for kind in KINDS if can_read(kind)], "", content, plain)
    if page is None or not page.text.strip():
        raise QueryError(
            f"--query {query!r}: holds no text; give an article as HTML, plain text, feed or PDF"
        )
    return msgspec.structs.replace(page, title=page.title or path.stem)


def _fetched(url: str, config: Config) -> Page:
    from topicrawl.topic_documents import fetch_page
    from topicrawl.web.open import open_web

    async def fetch() -> Page | str:
        web = open_web(config.web, http=config.http)
        try:
            return await fetch_page(url, web)
        finally:
            await web.close()

    with ThreadPoolExecutor(1) as elsewhere:  # this thread may have an event loop of its own
        page = elsewhere.submit(lambda: asyncio.run(fetch())).result()
    if isinstance(page, str):
        raise QueryError(f"--query {page.removesuffix('; skipped')}; give another URL or a file")
    return page


def _spelt(term: str, written: Mapping[str, list[str]]) -> str:
    """A term with the forms that it has in the articles, and their plurals."""
    words = dict.fromkeys((term, *written.get(term, ())))
    return OR.join(
        dict.fromkeys((*words, *(form for word in words if word.isascii() for form in plurals(word))))
    )


def with_query(topic: Topic | None, pages: tuple[Page, ...]) -> Topic:
    """The topic with these articles as its examples; where there is none, the one they stand for."""
    return replace(topic, examples=pages) if topic else query_topic(pages)
