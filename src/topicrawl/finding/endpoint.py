"""A server that a person named: a search engine, or the index of an archive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from topicrawl.credentials import filled_parameters
from topicrawl.errors import ConfigError, FetchError
from topicrawl.urls import canonical, host, hostname

QUERY = "{query}"
"""The place of the words in the template of a search engine's address."""
SAID = 120
"""Characters of an answer that an error repeats."""


@dataclass(frozen=True)
class Endpoint:
    """The address of a server as given; secrets in its parameters are named (`key=env:NAME`) and filled in here."""

    flag: str
    given: str
    path: str
    """The address before its parameters."""
    parameters: tuple[tuple[str, str], ...] = field(repr=False)
    secrets: dict[str, str] = field(repr=False)

    @classmethod
    def read(cls, given: str, flag: str) -> Self:
        """`ConfigError` if `given` is no address of a server, or holds a secret literally."""
        try:
            parts = urlsplit(given.strip())
            has_user = "@" in parts.netloc
        except ValueError:
            parts, has_user = urlsplit(""), False
        if parts.scheme not in ("http", "https") or not parts.netloc or canonical(given) is None:
            raise ConfigError(f"{flag} {given!r} is no http or https URL; give the address of the server")
        if has_user:
            raise ConfigError(
                f"{flag}: a user name or password in the URL would be seen by others; send it as a header: "
                f"--header 'Authorization@{parts.scheme}://{parts.netloc.rpartition('@')[2]}: Basic env:NAME'"
            )
        filled = filled_parameters(parse_qsl(parts.query, keep_blank_values=True), flag)
        path = f"{parts.scheme}://{parts.netloc}{parts.path or '/'}"
        return cls(flag, given, path, filled.parameters, filled.secrets)

    @property
    def is_template(self) -> bool:
        """Whether it has a place for the words of a query."""
        return QUERY in self.given

    @property
    def host(self) -> str:
        return host(self.address())

    @property
    def shown(self) -> str:
        """The address without its parameters."""
        return self.path

    def address(self, words: str = "", further: Iterable[tuple[str, str]] = ()) -> str:
        """The URL of a request: with the words of a query in their place, and further parameters."""
        own = [(name, value.replace(QUERY, words)) for name, value in self.parameters]
        path = self.path.replace(QUERY, quote(words, safe=""))
        query = urlencode([*own, *further])
        return canonical(f"{path}?{query}" if query else path) or path

    def complaint(self, failure: FetchError) -> str:
        """A sentence on why there is no answer, with the remedy; it never holds a secret."""
        return f"{self.flag} {self.shown}: {self._why(failure)}"

    def _why(self, failure: FetchError) -> str:
        if failure.kind == "guard":
            net = (
                "127.0.0.0/8"
                if hostname(self.path) in ("localhost", "127.0.0.1")
                else "its network, such as 10.0.0.0/8"
            )
            return f"is in a private network; allow it: --allow-net {net}"
        if failure.kind == "robots":
            return (
                "its robots.txt forbids result pages to programs; give an interface that is meant for them, such as "
                "SearXNG's"
            )
        if failure.kind == "retry-later":
            wait = f" of {failure.retry_after:,.0f} s" if failure.retry_after else ""
            return f"asks for a pause{wait}; try again later"
        if failure.kind in ("connect", "dns", "timeout"):
            return f"does not answer ({failure.kind}); check the address, or whether the server runs"
        if failure.kind == "http":
            said = " ".join(self.without_secrets(failure.detail).split())[:SAID]
            return (
                f"answers with status {failure.status}{f' ({said})' if said else ''}{_hint(failure.status)}"
            )
        return f"cannot be asked ({self.without_secrets(str(failure))[:SAID]})"

    def without_secrets(self, text: str) -> str:
        """`text` with each secret replaced by its name."""
        for name, secret in self.secrets.items():
            for written in (secret, quote(secret, safe=""), urlencode({"": secret})[1:]):
                text = text.replace(written, name)
        return text


def _hint(status: int | None) -> str:
    if status in (401, 403):
        return (
            "; it may need a key, or for SearXNG the line `- json` under `search: formats:` of settings.yml"
        )
    if status == 429:
        return "; it asks for fewer requests: try again later, or with fewer --queries"
    return "; check the address" if status == 404 else ""
