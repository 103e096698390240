"""The cookie jar, used with `cookies = true`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aiohttp import CookieJar
from publicsuffixlist import PublicSuffixList
from yarl import URL

DOMAIN = re.compile(r";\s*domain\s*=\s*\.?([^;\s]*)", re.IGNORECASE)


class PrivateCookies(CookieJar):
    """A jar that refuses cookies for a public suffix: they would be sent to every site below it."""

    _suffixes: PublicSuffixList | None = None

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        """Store the cookies of `headers` (Set-Cookie) except those for a public suffix."""
        kept = [header for header in headers if not self._too_wide(header)]
        if kept:
            super().update_cookies_from_headers(kept, response_url)

    def _too_wide(self, header: str) -> bool:
        domains = DOMAIN.findall(header)
        if not domains:
            return False
        if self._suffixes is None:
            self._suffixes = PublicSuffixList()
        return any(self._suffixes.is_public(domain.lower()) for domain in domains if domain)
