"""PDF to `Page`: its text and the addresses it links to. Needs pypdf (the extra `pdf`); only to be called in a worker.

A PDF can take any time and memory; only the worker's deadline and memory limit bound it.
"""

from __future__ import annotations

import io
import logging
from typing import Any

import msgspec

from topicrawl.model import Links, Page, pack_ints
from topicrawl.page.normalize import TEXT_LIMIT, fold
from topicrawl.page.plain import read_plain
from topicrawl.urls import canonical

SIGNATURE = b"%PDF-"
MOST_PAGES = 200
MOST_LINKS = 1000


def is_pdf(content: bytes) -> bool:
    """Whether `content` has the signature of a PDF."""
    return content[:1024].lstrip().startswith(SIGNATURE)


def read_pdf(url: str, content: bytes) -> Page | None:
    """The PDF at `url` as a page; None where it cannot be read or is encrypted."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(io.BytesIO(content))
        text, links, length = [], dict[str, None](), 0
        for sheet in reader.pages[:MOST_PAGES]:
            text.append(sheet.extract_text())
            length += len(text[-1])
            links.update(dict.fromkeys(_links(sheet)))
            if length > TEXT_LIMIT:
                break
        title = fold(str(reader.metadata.title or "")) if reader.metadata else ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return None
    page = read_plain(url, "\n".join(text))
    urls = list(links)[:MOST_LINKS]
    return msgspec.structs.replace(page, title=title or page.title, links=_columns(urls))


def _links(sheet: Any) -> list[str]:
    """The canonical URLs of a page's link annotations."""
    found = []
    for annotation in sheet.get("/Annots") or ():
        action = annotation.get_object().get("/A") or {}
        address = action.get_object().get("/URI") if hasattr(action, "get_object") else action.get("/URI")
        link = canonical(str(address)) if address else None
        if link:
            found.append(link)
    return found


def _columns(urls: list[str]) -> Links:
    nowhere = pack_ints([0] * len(urls))
    return Links(urls, [""] * len(urls), [""] * len(urls), nowhere, nowhere, bytes(len(urls)))
