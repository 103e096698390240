"""The rows of an archive's index (CDX server API), in each of the forms that servers use. Pure.

| server | a row |
|---|---|
| pywb, Common Crawl (`output=json`) | `{"urlkey": …, "timestamp": …, "url": …, "mime": …, "status": …}` |
| pywb without it | `org,example)/ 20200501120000 {"url": …, "mime": …, "status": …}` |
| Internet Archive (`output=json`) | `["urlkey","timestamp","original","mimetype","statuscode",…]`; names first |
| Internet Archive without it | `org,example)/ 20200501120000 http://example.org/ text/html 200 …` |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

NAMES = ("urlkey", "timestamp", "original", "mimetype", "statuscode")
"""The first columns of rows without names."""


class Row(NamedTuple):
    """A capture: the URL as recorded, its time (YYYYMMDDhhmmss), media type and status, empty where unknown."""

    url: str
    timestamp: str
    media_type: str = ""
    status: str = ""

    @property
    def is_page(self) -> bool:
        """Whether it may be a page that was answered; a capture that repeats an earlier one has no status."""
        return self.status in ("200", "", "-") and (
            "html" in self.media_type or self.media_type in ("", "-", "unk", "warc/revisit")
        )


class Rows:
    """Reads lines; counts those that are no rows."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = NAMES
        self.damaged = 0
        self.first_damaged = ""
        self.dialect = ""
        """`url` or `original`: what the server calls the address, which tells how it names other fields."""

    def read(self, line: bytes) -> Row | None:
        """The row of a line; None where it has none: it is blank, names columns, or is damaged."""
        text = line.strip()
        if not text or text in (b"[", b"]", b"[]"):
            return None
        try:
            row = self._row(text)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError, TypeError, RecursionError):
            row = None
            self._count(text)
        return row

    def _row(self, text: bytes) -> Row | None:
        if text.startswith(b"{"):
            return self._named(msgspec.json.decode(text, type=dict[str, Any]))
        if text.startswith(b"["):
            return self._listed(text)
        parts = text.decode().split(" ", 2)
        if len(parts) == 3 and parts[2].startswith("{"):
            return self._named({"timestamp": parts[1], **msgspec.json.decode(parts[2], type=dict[str, Any])})
        return self._made(dict(zip(NAMES, text.decode().split(" "), strict=False)), "original")

    def _listed(self, text: bytes) -> Row | None:
        """A row of a JSON array of arrays, one a line."""
        text = text.removesuffix(b",")
        if text.startswith(b"[["):
            text = text[1:]
        if text.endswith(b"]]"):
            text = text[:-1]
        values = msgspec.json.decode(text, type=list[str])
        if "timestamp" in values and ("original" in values or "url" in values):
            self._names = tuple(values)
            return None
        fields = dict(zip(self._names, values, strict=False))
        return self._named(fields)

    def _named(self, fields: dict[str, Any]) -> Row:
        return self._made(fields, "url" if "url" in fields else "original")

    def _made(self, fields: dict[str, Any], address: str) -> Row:
        url, timestamp = fields.get(address), str(fields.get("timestamp", ""))
        if not isinstance(url, str) or "://" not in url or not timestamp[:4].isdecimal():
            raise ValueError(address)
        self.dialect = self.dialect or address
        kind = fields.get("mime", fields.get("mimetype", ""))
        return Row(url, timestamp, str(kind), str(fields.get("status", fields.get("statuscode", ""))))

    def _count(self, text: bytes) -> None:
        self.damaged += 1
        self.first_damaged = self.first_damaged or text[:80].decode("utf-8", "replace")
