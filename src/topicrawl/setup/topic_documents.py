"""Reads the documents of a topic: files in a folder, or pages fetched from a web."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from topicrawl.errors import FetchError, TopicError
from topicrawl.model import Page, Response
from topicrawl.page.read import read
from topicrawl.topic.corpus import Corpus, gather, of_page, read_corpus
from topicrawl.urls import canonical
from topicrawl.web import Web

LARGEST = 100 << 20
"""Bytes; a larger file is skipped with a warning."""
IN_FLIGHT = 16
"""Pages fetched at once; the web limits the requests to each host itself."""


def corpus_from_folder(place: Path, language: str = "") -> Corpus:
    """The documents in the file or folder at `place`, subfolders included, ordered by name."""
    if not place.exists():
        raise TopicError(
            f"--from {str(place)!r}: there is no such folder; give a folder of documents about the topic"
        )
    remarks: list[str] = []
    files = list(_files(place, remarks))
    corpus = read_corpus(files, language)
    return Corpus(corpus.documents, (*remarks, *corpus.remarks))


def _files(place: Path, remarks: list[str]) -> Iterator[tuple[str, bytes]]:
    found = [place] if place.is_file() else sorted(place.rglob("*"))
    for path in found:
        name = path.name if path == place else str(path.relative_to(place))
        if not path.is_file() or any(part.startswith(".") for part in Path(name).parts):
            continue
        try:
            if path.stat().st_size > LARGEST:
                remarks.append(f"{name}: is larger than {LARGEST >> 20} MiB; skipped")
            else:
                yield name, path.read_bytes()
        except OSError as error:
            remarks.append(f"{name}: cannot be read ({error.strerror}); skipped")


async def corpus_from_web(
    urls: Sequence[str], web: Web, language: str = "", done: Callable[[str], None] = lambda url: None
) -> Corpus:
    """The pages at `urls` as documents, in that order; pages that cannot be fetched are skipped with a warning."""
    answers = await fetch_pages(urls, web, done)
    pages = [page for page in answers if isinstance(page, Page)]
    return gather(map(of_page, pages), [remark for remark in answers if isinstance(remark, str)], language)


async def fetch_pages(
    urls: Sequence[str], web: Web, done: Callable[[str], None] = lambda url: None
) -> list[Page | str]:
    """The page at each of `urls`, or a sentence that says why there is none."""
    slots = asyncio.Semaphore(IN_FLIGHT)

    async def one(url: str) -> Page | str:
        async with slots:
            found = await fetch_page(url, web)
        done(url)
        return found

    return list(await asyncio.gather(*map(one, urls)))


async def fetch_page(url: str, web: Web) -> Page | str:
    """The page at `url`, or a sentence that says why there is none."""
    try:
        answer = await web.fetch(url)
    except FetchError as error:
        return f"{url}: could not be fetched ({error}); skipped"
    if not 200 <= answer.status < 300:
        return f"{url}: answered with status {answer.status}; skipped"
    return _page(answer) or f"{url}: is neither HTML nor text; skipped"


def _page(answer: Response) -> Page | None:
    if answer.parsed is not None:
        return msgspec.msgpack.decode(answer.parsed, type=Page)
    return read(
        canonical(answer.url) or answer.url,
        answer.content,
        answer.header("content-type"),
        answer.header("x-robots-tag"),
        answer.truncated,
    )
