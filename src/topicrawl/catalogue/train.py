"""A training set from documents in a folder, a WARC, a file of records, or an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from topicrawl.crawling.offline import OfflinePages
from topicrawl.errors import TopicError
from topicrawl.knowledge.terms import Read, read_terms, read_text
from topicrawl.knowledge.training import Training, trained
from topicrawl.model import Page
from topicrawl.page.documents import KINDS, MEDIA_TYPES, can_read, read_document
from topicrawl.setup.examples import QueryError
from topicrawl.setup.topic_documents import LARGEST, corpus_from_folder
from topicrawl.store.run import CONFIG, Run
from topicrawl.topic.corpus import Corpus

WARCS = (".warc", ".warc.gz")
SUFFIXES = (".pdf", ".rss", ".atom", ".xml")


def train(
    places: Sequence[Path],
    item_terms: int = 30,
    tick: Callable[[int], None] = lambda n: None,
    remark: Callable[[str], None] = lambda sentence: None,
) -> Training:
    """The training set of the documents at `places`; `remark` is called for those that cannot be used."""
    texts = chain.from_iterable(_texts(place, remark) for place in places)
    training = trained(_counted(texts, tick), item_terms)
    if not len(training):
        raise QueryError(
            f"{', '.join(map(str, places))}: no document with text; give a folder, a WARC, a .jsonl file or a run"
        )
    return training


def _counted(texts: Iterator[Read], tick: Callable[[int], None]) -> Iterator[Read]:
    for number, read in enumerate(texts, 1):
        tick(number)
        yield read


def _texts(place: Path, remark: Callable[[str], None]) -> Iterator[Read]:
    if not place.exists():
        raise QueryError(f"{place}: there is no such file or folder; give documents to train with")
    if (place / CONFIG).is_file():
        with Run.open(place, writable=False) as run:
            yield from (read_terms(page) for _, page in run.pages())
    elif place.name.endswith(WARCS):
        yield from _recorded(place)
    else:
        yield from _documents(place, remark)


def _recorded(place: Path) -> Iterator[Read]:
    web = OfflinePages(place)
    try:
        pages = (web.outcome(url).page for url in web.urls())
        yield from (read_terms(page) for page in pages if page is not None)
    finally:
        web.close()


def _documents(place: Path, remark: Callable[[str], None]) -> Iterator[Read]:
    others = dict(_feeds_and_pdf(place)) if place.is_dir() else {}
    try:
        corpus = corpus_from_folder(place)
    except TopicError as error:
        if not others:
            raise QueryError(str(error).replace("--from ", "")) from None
        corpus = Corpus((), ())
    for sentence in corpus.remarks:
        if sentence.partition(": ")[0] not in others:
            remark(sentence)
    for document in corpus.documents:
        yield read_text(f"{document.headline}\n{document.text}", document.language)
    yield from map(read_terms, others.values())


def _feeds_and_pdf(folder: Path) -> Iterator[tuple[str, Page]]:
    """Name and page of feeds and PDF files, which `corpus_from_folder` does not read."""
    kinds = [kind for kind in KINDS if can_read(kind)]
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in SUFFIXES and path.stat().st_size <= LARGEST:
            page = read_document(kinds, "", path.read_bytes())
            if page is not None and page.media_type in MEDIA_TYPES.values() and page.text.strip():
                yield str(path.relative_to(folder)), page
