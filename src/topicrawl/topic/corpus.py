"""The documents a topic is built from: pages, plain text, bibliographic records.

Unusable files and records are left out and named in a remark; a corpus without usable documents is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from topicrawl import urls
from topicrawl.errors import TopicError
from topicrawl.model import Page
from topicrawl.page.language import spoken
from topicrawl.page.normalize import TEXT_LIMIT, fold, nfkc
from topicrawl.page.read import read
from topicrawl.topic import records
from topicrawl.topic.records import Record

READERS: dict[str, Callable[[bytes], tuple[list[Record], list[str]]]] = {
    ".ris": records.read_ris,
    ".bib": records.read_bibtex,
    ".csv": records.read_csv,
    ".tsv": records.read_csv,
    ".jsonl": records.read_jsonl,
    ".ndjson": records.read_jsonl,
}
PLAIN = (".txt", ".md", ".text")


@dataclass(frozen=True, slots=True)
class Document:
    """One text about the topic. Blocks of `text` are separated by newlines; title and keywords are not part of it.

    `source` names it uniquely in its corpus; documents of one `host` may share menus and footers.
    """

    source: str
    title: str = ""
    text: str = ""
    keywords: tuple[str, ...] = ()
    host: str = ""
    language: str = ""

    @property
    def headline(self) -> str:
        """Title and keywords, in lines."""
        return "\n".join((self.title, *self.keywords))


@dataclass(frozen=True, slots=True)
class Corpus:
    """The usable documents, and remarks about the others."""

    documents: tuple[Document, ...]
    remarks: tuple[str, ...] = ()


def read_corpus(files: Iterable[tuple[str, bytes]], language: str = "") -> Corpus:
    """The documents in `files` (name, content), each text once; with `language`, only those not in another."""
    found: list[Document] = []
    remarks: list[str] = []
    for name, content in files:
        documents, odd = read_documents(name, content)
        found += documents
        remarks += odd
    return gather(found, remarks, language)


def gather(documents: Iterable[Document], remarks: Iterable[str] = (), language: str = "") -> Corpus:
    """The corpus of those `documents` that have words, repeat no other, and are in `language`, if given."""
    kept: dict[tuple[str, str], Document] = {}
    notices = list(remarks)
    for document in documents:
        first = kept.setdefault((document.title, document.text), document)
        if not any(character.isalpha() for character in document.title + document.text):
            del kept[document.title, document.text]
            notices.append(f"{document.source}: has no words; skipped")
        elif first is not document:
            notices.append(f"{document.source}: has the same text as {first.source}; skipped")
        elif language and document.language not in ("", language):
            del kept[document.title, document.text]
            notices.append(f"{document.source}: is in language {document.language}, not {language}; skipped")
    if not kept:
        first_fault = f" ({notices[0]})" if notices else ""
        raise TopicError(
            f"corpus: no usable document{first_fault}; give HTML, text, RIS, BibTeX, CSV or JSONL files"
        )
    return Corpus(tuple(kept.values()), tuple(notices))


def read_documents(name: str, content: bytes) -> tuple[list[Document], list[str]]:
    """The documents in the file called `name`, and remarks about what could not be used."""
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if not content.strip():
        return [], [f"{name}: is empty; skipped"]
    if reader := READERS.get(suffix):
        found, odd = reader(content)
        return [_of_record(f"{name}#{record.number}", record) for record in found], [
            f"{name}: {remark}" for remark in odd
        ]
    page = read("", content, "text/plain" if suffix in PLAIN else "")
    return ([of_page(page, name)], []) if page else ([], [f"{name}: is neither HTML nor text; skipped"])


def of_page(page: Page, source: str = "") -> Document:
    """`page` as a document, named by `source` or else by its URL.

    The keywords of a page count as text, unlike those of a publication: sites write anything there.
    """
    return Document(
        source=source or page.url,
        title=page.title,
        text=page.text.removeprefix(page.title).removeprefix("\n"),
        host=urls.host(page.url) if page.url else "",
        language=spoken(page.language, page.text),
    )


def _of_record(source: str, record: Record) -> Document:
    text = "\n".join(fold(line, TEXT_LIMIT) for line in nfkc(record.abstract[:TEXT_LIMIT]).splitlines())
    title = fold(record.title)
    return Document(
        source=source,
        title=title,
        text=text.strip(),
        keywords=tuple(filter(None, map(fold, record.keywords))),
        language=spoken("", f"{title}\n{text}"),
    )
