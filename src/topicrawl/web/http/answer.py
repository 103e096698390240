"""One answer to one request, before redirects are followed and bodies decoded."""

from __future__ import annotations

import msgspec

from topicrawl.model import Hop
from topicrawl.web.http.decoding import decoded, encodings

REDIRECTS = frozenset({301, 302, 303, 307, 308})
Headers = tuple[tuple[str, str], ...]


class Answer(msgspec.Struct, frozen=True):
    """Status, headers and the body as sent. Header text is latin-1, so that every byte survives."""

    url: str
    status: int
    reason: str
    headers: Headers
    body: bytes
    truncated: bool
    """Part of the body is missing: it was too long, or the connection ended early."""
    cut: bool
    """The connection ended before the body did."""
    address: str
    http_version: str
    request_headers: Headers
    took: float = 0.0
    """Seconds from sending the request to the last byte."""

    def header(self, name: str) -> str:
        """The first header called `name` (in lower case), or an empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    def location(self) -> str | None:
        """Where a redirect points; None for any other answer."""
        if self.status not in REDIRECTS or not (target := self.header("location")):
            return None
        sent = target.encode("latin-1")
        try:
            return sent.decode()
        except UnicodeDecodeError:
            return target

    def content(self, limit: int, stacked: int) -> tuple[bytes, bool]:
        """The body decoded, at most `limit` bytes, and whether something is missing."""
        content, whole = decoded(self.body, encodings(self.header("content-encoding"), stacked), limit)
        return content, self.truncated or not whole

    def hop(self) -> Hop:
        """The answer as a step on the way to a page."""
        return Hop(self.url, self.status, self.reason, self.headers, self.body)
