"""The HTML pages of recorded webs and of the public collection of articles, decoded as a crawl decodes them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecordType

from topicrawl import urls
from topicrawl.page.decode import decode
from topicrawl.page.sniff import PLAIN, XHTML, sniff


class Source(NamedTuple):
    url: str
    text: str
    xml: bool


def recorded(archive: Path, every: int = 1) -> Iterator[Source]:
    """The pages of a WARC file: of all responses the first, and each that is `every` further."""
    with archive.open("rb") as stream:
        records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True)
        for record in islice(records, 0, None, every):
            url, content_type = (
                record.headers["WARC-Target-URI"],
                record.http_headers.get("content-type") or "",
            )
            content = record.reader.read()
            media_type = sniff(content, content_type)
            if media_type not in (None, PLAIN):
                text = decode(content, content_type)[0]
                yield Source(urls.canonical(url) or url, text, media_type == XHTML)


def articles(testsuites: Path, every: int = 1) -> Iterator[Source]:
    """The news pages of the folder `article-extraction`."""
    with gzip.open(testsuites / "article-extraction" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, every):
            page = json.loads(line)
            yield Source(urls.canonical(page["url"]) or page["url"], page["html"], xml=False)
