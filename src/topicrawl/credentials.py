"""What is secret among the settings of a crawl: it is named there, read when it is used, and stored nowhere.

A secret is named as `env:NAME` (an environment variable) or `file:PATH` (a file of one line). In a header the name
ends the value and stands alone or after a space, so that `Bearer env:TOKEN` sends the word and then the secret; the
name of a proxy is the whole value. Whatever is named so counts as secret, and so do headers called like a credential.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from topicrawl.errors import ConfigError
from topicrawl.urls import canonical, origin

_CALLED = re.compile(
    r"auth(?!or)|authoriz|token|secret|passw|pwd|credential|cookie|session|jwt|signature|keys?(?![a-z])",
    re.IGNORECASE,
)
"""Found in the name of a header that carries a credential: Authorization, Cookie, X-Api-Key, but not X-Author."""
_WORTH = re.compile(r"(basic|bearer)\s", re.IGNORECASE)
"""How the value of a header begins that carries a credential under another name."""
_NAMED = re.compile(r"(?:^|(?<=\s))(env|file):(\S.*)$")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PROXY = re.compile(r"https?://[^/\s]+/?", re.IGNORECASE)


class Header(NamedTuple):
    """A request header as a setting spells it: `Name: value`, or for one site only `Name@https://host: value`."""

    name: str
    value: str
    site: str = ""
    """The origin that alone gets it; empty: every host does."""

    @property
    def named(self) -> bool:
        """Whether the value names a secret."""
        return bool(_NAMED.search(self.value))

    @property
    def secret(self) -> bool:
        """Whether only one site may know the value and no file may hold it."""
        return self.named or is_credential(self.name) or bool(_WORTH.match(self.value))

    def __str__(self) -> str:
        return f"{self.name}@{self.site}: {self.value}" if self.site else f"{self.name}: {self.value}"


def read_header(text: str) -> Header:
    """The header that `text` spells; `ValueError` says what is wrong without the value, which may be secret."""
    name, colon, rest = text.partition(":")
    if "@" not in name:
        value, site = rest, ""
    else:
        name, _, rest = text.partition("@")
        host, colon, value = rest.partition(": ")
        url = canonical(host if "://" in host else f"https://{host}")
        if colon and url is None:
            raise ValueError(f"{_said(name)}: {host!r} is no site such as https://example.org")
        site = origin(url) if url else ""
    if not (colon and name.strip() and value.strip()):
        raise ValueError(_said(name))
    return Header(name.strip(), value.strip(), site)


def said_headers(value: object) -> str:
    """The headers of a setting for an error: their names, because a value may be secret."""
    texts = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return ", ".join(_said(str(text)) for text in texts)


def _said(text: str) -> str:
    return repr(re.split(r"[:@\s]", text.strip(), maxsplit=1)[0])


def is_credential(header: str) -> bool:
    """Whether a header of this name carries a credential: it leaves for one origin only, and no archive keeps it."""
    return bool(_CALLED.search(header))


def kept_header(text: str, sites: Iterable[str]) -> str:
    """A header as a run keeps it: a secret is named, by its full path, and has its site.

    Where none is said that is the one site of `sites`, origins of the seeds; `ConfigError` when there are several.
    """
    header = read_header(text)
    if not header.secret:
        return text
    only = set(sites)
    if not header.site and len(only) == 1:
        header = header._replace(site=only.pop())
    _refuse(header)
    return str(header._replace(value=_NAMED.sub(_full, header.value)))


def kept_proxy(proxy: str | None) -> str | None:
    """A proxy as a run keeps it; `ConfigError` when it says a user or password."""
    if proxy is None:
        return None
    if _NAMED.match(proxy):
        return _NAMED.sub(_full, proxy)
    try:
        at = "@" in urlsplit(proxy if "//" in proxy else f"//{proxy}").netloc
    except ValueError:
        at = "@" in proxy
    if at:
        raise ConfigError(
            "--proxy: a user name or password would be stored with the run; put the whole URL into an environment "
            "variable or a file and name that: --proxy env:PROXY_URL, or --proxy file:PATH"
        )
    return proxy


def sent_header(text: str) -> Header:
    """A header as it is sent: with the secret that it names."""
    header = read_header(text)
    if header.secret:
        _refuse(header)
    where = f"--header {header.name}"
    return header._replace(value=_NAMED.sub(lambda found: _read(found, where), header.value))


def used_proxy(proxy: str | None) -> str | None:
    """The proxy to connect to: the URL itself, or what it names."""
    proxy = kept_proxy(proxy)
    named = _NAMED.match(proxy) if proxy else None
    if not named:
        return proxy
    url = _read(named, "--proxy")
    if not _PROXY.fullmatch(url):
        raise ConfigError(
            f"--proxy {proxy}: holds no proxy; it must be a URL such as http://user:password@host:port"
        )
    return url


def _refuse(header: Header) -> None:
    """Refuse a secret that is spelled out, or that every host would be told."""
    if not header.named:
        site = header.site or "https://example.org"
        raise ConfigError(
            f"--header {header.name}: a secret would be stored with the run; put it into an environment variable or "
            f"a file and name that: '{header.name}@{site}: env:NAME', or file:PATH"
        )
    if not header.site:
        raise ConfigError(
            f"--header {header.name}: every host would be told; say who may know: "
            f"'{header.name}@https://example.org: {header.value}'"
        )


def _full(found: re.Match[str]) -> str:
    """A name that holds in every working folder."""
    return found[0] if found[1] == "env" else f"file:{Path(found[2]).expanduser().resolve()}"


def _read(found: re.Match[str], where: str) -> str:
    """The secret that `found` names; errors say the name and never the secret."""
    name = found[0]
    if found[1] == "env":
        if not _VARIABLE.fullmatch(found[2]):
            raise ConfigError(f"{where}: {name!r} names no environment variable; write env:NAME, at the end")
        content = os.environ.get(found[2], "")
        if not content.strip():
            raise ConfigError(
                f"{where}: {name} is not set; set the environment variable {found[2]} and start again"
            )
    else:
        try:
            content = Path(found[2]).expanduser().read_text("utf-8")
        except (OSError, UnicodeDecodeError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not text"
            raise ConfigError(
                f"{where}: {name} cannot be read ({reason}); put the secret there, in one line"
            ) from None
    secret = content.strip()
    if not secret or not secret.isprintable():
        raise ConfigError(
            f"{where}: {name} does not hold one line of printable text; put the secret there alone"
        )
    return secret
