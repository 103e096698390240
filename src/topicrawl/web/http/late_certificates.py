"""Imports aiohttp without loading the certificates of all authorities: that takes .1 s, and not every crawl asks https.

aiohttp makes two TLS contexts when it is imported. They load the certificates at their first handshake instead, so they
work as before for everyone in the process. Where aiohttp was imported before, nothing changes.
"""

from __future__ import annotations

import ssl
import sys
from typing import Any


class LateContext(ssl.SSLContext):
    """Loads what it was asked to load when it is used; an ordinary context from then on."""

    _later: list[tuple[str, tuple[Any, ...]]]

    def load_default_certs(self, *purpose: Any) -> None:
        """Remember to load them."""
        self.__dict__.setdefault("_later", []).append(("load_default_certs", purpose))

    def set_default_verify_paths(self) -> None:
        """Remember to load them."""
        self.__dict__.setdefault("_later", []).append(("set_default_verify_paths", ()))

    def wrap_bio(self, *arguments: Any, **named: Any) -> ssl.SSLObject:
        """For a connection of an event loop."""
        self._load()
        return self.wrap_bio(*arguments, **named)

    def wrap_socket(self, *arguments: Any, **named: Any) -> ssl.SSLSocket:
        """For a blocking connection."""
        self._load()
        return self.wrap_socket(*arguments, **named)

    def cert_store_stats(self) -> dict[str, int]:
        """How many certificates there are."""
        self._load()
        return self.cert_store_stats()

    def get_ca_certs(self, *arguments: Any, **named: Any) -> Any:
        """The certificates of authorities."""
        self._load()
        return self.get_ca_certs(*arguments, **named)

    def _load(self) -> None:
        self.__class__ = ssl.SSLContext  # type: ignore[assignment]
        for method, arguments in self.__dict__.pop("_later", ()):
            getattr(self, method)(*arguments)


def import_aiohttp() -> None:
    """Import aiohttp; contexts made meanwhile are late."""
    if "aiohttp" in sys.modules:
        return
    make = ssl.SSLContext.__new__

    def make_late(kind: type[ssl.SSLContext], *arguments: Any, **named: Any) -> ssl.SSLContext:
        return make(LateContext if kind is ssl.SSLContext else kind, *arguments, **named)

    ssl.SSLContext.__new__ = make_late  # type: ignore[method-assign, assignment]
    try:
        import aiohttp  # noqa: F401
    finally:
        ssl.SSLContext.__new__ = make  # type: ignore[method-assign]


import_aiohttp()
