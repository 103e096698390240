"""WARCs for the tests, written with warcio, which topicrawl does not use to read them."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from topicrawl.model import Response
from topicrawl.web.recorded import RecordedWeb

HTML = ("Content-Type", "text/html; charset=utf-8")


class Recorder:
    """Writes records one after the other; keeps where each began."""

    def __init__(self, path: Path, *, gzip: bool = True, version: str = "1.1") -> None:
        self.path = path
        self.starts: list[int] = []
        self._file = path.open("wb")
        self._writer = WARCWriter(self._file, gzip=gzip, warc_version=version)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def answer(
        self, url: str, body: bytes = b"", status: str = "200 OK", *headers: tuple[str, str], date: str = ""
    ) -> None:
        http = StatusAndHeaders(status, list(headers) or [HTML], protocol="HTTP/1.1")
        dated = {"WARC-Date": date} if date else None
        create = self._writer.create_warc_record
        self._write(
            create(url, "response", payload=BytesIO(body), http_headers=http, warc_headers_dict=dated)
        )

    def request(self, url: str) -> None:
        http = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.test")], is_http_request=True)
        self._write(self._writer.create_warc_record(url, "request", http_headers=http))

    def resource(self, url: str, body: bytes, media_type: str) -> None:
        self._write(
            self._writer.create_warc_record(
                url, "resource", payload=BytesIO(body), warc_content_type=media_type
            )
        )

    def revisit(
        self, url: str, status: str = "200 OK", *headers: tuple[str, str], digest: str = "", **refers: str
    ) -> None:
        """`refers` may have `to` (a URL) and `date`."""
        http = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        named = {
            "WARC-Payload-Digest": digest or "sha1:NOTHINGLIKETHIS",
            "WARC-Refers-To-Target-URI": refers.get("to", ""),
            "WARC-Refers-To-Date": refers.get("date", ""),
        }
        named = {key: value for key, value in named.items() if value}
        self._write(
            self._writer.create_warc_record(url, "revisit", http_headers=http, warc_headers_dict=named)
        )

    def _write(self, record: ArcWarcRecord) -> None:
        self._file.flush()
        self.starts.append(self._file.tell())
        self._writer.write_record(record)
        if record.raw_stream:
            record.raw_stream.close()


def site(path: Path, pages: int = 5, **options: bool | str) -> Recorder:
    """A closed recording of `pages` pages `http://a.test/0` …, each with its number and 500 bytes more."""
    with Recorder(path, **options) as recorder:  # type: ignore[arg-type]
        for number in range(pages):
            recorder.answer(f"http://a.test/{number}", f"<p>page {number}</p>".encode() + b"x" * 500)
    return recorder


def fetch(web: RecordedWeb, url: str) -> Response:
    """What `web` answers, in an event loop of its own."""

    async def once() -> Response:
        try:
            return await web.fetch(url)
        finally:
            await web.close()

    return asyncio.run(once())
