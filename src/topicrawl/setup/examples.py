"""The input of crawls by example: example pages (called articles) and the training set of a classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
import zstandard

from topicrawl.errors import UsageError
from topicrawl.knowledge.items import Items, merged
from topicrawl.knowledge.terms import forms, page_terms
from topicrawl.knowledge.training import Training
from topicrawl.model import Page, Topic
from topicrawl.page.documents import KINDS, can_read, read_document
from topicrawl.page.language import spoken
from topicrawl.setup.example_list import ExampleList, is_url, looks_like_list, parse_examples
from topicrawl.setup.inputs import remark_on
from topicrawl.setup.run_config import TRAINING
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.run import CONFIG, Run
from topicrawl.topic.corpus import PLAIN, Document
from topicrawl.topic.letters import OR, apart
from topicrawl.topic.terms.boilerplate import without_boilerplate
from topicrawl.topic.terms.inflection import plurals
from topicrawl.urls import host

if TYPE_CHECKING:
    from topicrawl.setup.config import Config

TOPIC_TERMS = 20
"""Number of terms in a topic that is extracted from articles."""

NAMING_TERMS = 3
"""Number of terms in the name of a topic extracted from several articles."""


class QueryError(UsageError):
    """An article or a training set that cannot be used."""


def query_pages(queries: Iterable[str], config: Config) -> tuple[Page, ...]:
    """The articles in files, or at URLs, which are fetched from the web of `config`."""
    return tuple(_fetched_one(query, config) if is_url(query) else read_item(query) for query in queries)


class Listed(NamedTuple):
    """The pages in lists of examples."""

    wanted: tuple[Page, ...]
    unwanted: tuple[Page, ...]


def example_pages(files: Iterable[str], config: Config, remark: Callable[[str], None]) -> Listed:
    """The pages in lists, in order; a URL among `files` counts as a list of itself, a run as the list of its marks.

    A missing file is an error. A URL that cannot be fetched is skipped with a warning, because lists grow old;
    `QueryError` if none of the relevant ones is left, or if one list calls a page relevant and another does not.
    """
    files = list(files)
    stored: dict[str, Page] = {}
    lists = [_listed(file, stored) for file in files]
    wanted = dict.fromkeys(place for each in lists for place in each.wanted)
    unwanted = dict.fromkeys(place for each in lists for place in each.unwanted)
    if both := wanted.keys() & unwanted.keys():
        raise QueryError(
            f"--examples {', '.join(files)}: {min(both)} is relevant and is not; keep one of the two"
        )
    urls = [place for place in (*wanted, *unwanted) if is_url(place) and place not in stored]
    answers: dict[str, Page | str] = {**stored}
    answers |= dict(zip(urls, _fetched(urls, config), strict=True)) if urls else {}
    remark_on([answer for answer in answers.values() if isinstance(answer, str)], remark)

    def pages(places: Iterable[str]) -> list[Page | str]:
        return [answers[place] if place in answers else read_item(place, "--examples") for place in places]

    found = pages(wanted)
    read = Listed(
        *(tuple(page for page in each if isinstance(page, Page)) for each in (found, pages(unwanted)))
    )
    if found and not read.wanted:
        raise QueryError(
            f"--examples {', '.join(files)}: no page could be fetched ({found[0]}); give other ones"
        )
    return read


def _listed(file: str, stored: dict[str, Page]) -> ExampleList:
    """The URLs and paths in a list; paths are relative to the list's folder. Pages of a run are added to `stored`."""
    if is_url(file):
        return ExampleList((file,))
    if (Path(file) / CONFIG).is_file():
        return _marked(file, stored)
    try:
        listed = parse_examples(Path(file).read_bytes(), file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise QueryError(
            f"--examples {file!r}: {reason}; give a file that lists URLs or paths, one per line"
        ) from None

    def found(places: Iterable[str]) -> tuple[str, ...]:
        return tuple(place if is_url(place) else str(Path(file).parent / place) for place in places)

    return ExampleList(found(listed.wanted), found(listed.unwanted))


def _marked(file: str, stored: dict[str, Page]) -> ExampleList:
    """The pages that people marked in a run; those that it has are added to `stored`."""
    with Run.open(Path(file), writable=False) as run:
        marks = run.marks()
        if not marks:
            raise QueryError(
                f"--examples {file!r}: nobody has marked a page of this run; mark some, or give a list"
            )
        pages = {url: mark.page or run.page(url) for url, mark in marks.items()}
    stored |= {url: page for url, page in pages.items() if page is not None}
    said = [(url, bool(mark.relevant)) for url, mark in marks.items()]
    return ExampleList(*(tuple(url for url, relevant in said if relevant is of) for of in (True, False)))


def query_topic(pages: Iterable[Page]) -> Topic:
    """The topic of articles: their terms of largest tf-idf, with the word forms that occur in the texts.

    It is named after the title of a single article, or after the heaviest terms of several. Menus and footers that
    articles of one site share say nothing of it.
    """
    pages = tuple(pages)
    own = _without_furniture(pages)
    items = Items(TOPIC_TERMS)
    items.add([merged(map(page_terms, own))])
    weights = items.vectors().toarray()[0]
    heaviest = float(weights.max(initial=0.0))
    if not heaviest:
        raise QueryError("--query: the articles contain no word that could be a term; give other ones")
    best = sorted(np.flatnonzero(weights).tolist(), key=lambda term: -weights[term])
    written = _written(own)
    labels = apart(
        (OR.join((term, *written.get(term, ()))), float(weights[number]) / heaviest)
        for number, term in ((number, items.terms[number]) for number in best)
    )
    heads = ", ".join(
        next(iter(written.get(items.terms[number], [items.terms[number]]))) for number in best[:NAMING_TERMS]
    )
    title = pages[0].title if len(pages) == 1 else ""
    name = " ".join((title or heads).split())[:80].rstrip()
    return Topic(name, tuple(labels), tuple(labels.values()), source="query", examples=pages)


def _without_furniture(pages: Sequence[Page]) -> list[Page]:
    """The pages without the lines that they share with others of their site; a page of nothing else keeps them."""
    texts = without_boilerplate(
        [Document("", text=page.text, host=host(page.url) if page.url else "") for page in pages]
    )
    return [
        msgspec.structs.replace(page, text=text) if text.strip() else page
        for page, text in zip(pages, texts, strict=True)
    ]


def _written(pages: Iterable[Page]) -> dict[str, list[str]]:
    """How the pages write each term, then plurals of that which English pages may hold."""
    words: dict[str, list[str]] = {}
    possible: dict[str, list[str]] = {}
    for page in pages:
        language = spoken(page.language, page.text)
        for term, found in forms(page.text, language).items():
            words.setdefault(term, []).extend(found)
            if language == "en":
                possible.setdefault(term, []).extend(
                    chain.from_iterable(plurals(word) for word in (term, *found) if word.isascii())
                )
    return {term: [*found, *possible.get(term, ())] for term, found in words.items()}


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
    """Write a training set to the file at `path`."""
    packed = zstandard.ZstdCompressor(level=6, write_checksum=True).compress(msgspec.msgpack.encode(training))
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, packed)


def read_item(query: str, flag: str = "--query") -> Page:
    """The article in a file; `flag` is the option that errors name."""
    if not query.strip():
        raise QueryError(f"{flag} is empty; give a file or a URL with http(s)://")
    path = Path(query)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise QueryError(
            f"{flag} {query!r}: {error.strerror}; give a file or a URL with http(s)://"
        ) from None
    if looks_like_list(content):
        raise QueryError(f"{flag} {query!r}: is a list of pages, not a page; give it with --examples {query}")
    plain = "text/plain" if path.suffix.lower() in PLAIN else ""
    page = read_document([kind for kind in KINDS if can_read(kind)], "", content, plain)
    if page is None or not page.text.strip():
        raise QueryError(f"{flag} {query!r}: has no text; give an article as HTML, plain text, feed or PDF")
    return msgspec.structs.replace(page, title=page.title or path.stem)


def _fetched_one(url: str, config: Config) -> Page:
    page = _fetched([url], config)[0]
    if isinstance(page, str):
        raise QueryError(f"--query {page.removesuffix('; skipped')}; give another URL or a file")
    return page


def _fetched(urls: Sequence[str], config: Config) -> list[Page | str]:
    """The page at each of `urls`, from the web of `config`, or a sentence that says why there is none."""
    from asyncio import run  # slow to import, and most commands do without it

    from topicrawl.setup.topic_documents import fetch_pages
    from topicrawl.web.open import open_web

    async def fetch() -> list[Page | str]:
        web = open_web(config.web, http=config.http)
        try:
            return await fetch_pages(urls, web)
        finally:
            await web.close()

    with ThreadPoolExecutor(1) as thread:  # the current thread may already run an event loop
        return thread.submit(lambda: run(fetch())).result()


def with_query(topic: Topic | None, pages: tuple[Page, ...], unwanted: tuple[Page, ...] = ()) -> Topic:
    """The topic with these articles as its examples; without a topic, the one extracted from them."""
    if topic is None and not pages:
        raise QueryError(
            "--examples: names no page to find others like; give some, or say what to look for: --topic"
        )
    return replace(topic or query_topic(pages), examples=pages, unwanted=unwanted)
