"""Secrets in the settings of a crawl: settings name them; they are read when used, and stored nowhere.

A secret is named as `env:NAME` (an environment variable) or `file:PATH` (a file of one line). In a header the name
ends the value, alone or after a space, so that `Bearer env:TOKEN` sends `Bearer` and then the secret; for a proxy it is
the whole value. A value that is named so is secret, and so is any header with the name of a credential.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from topicrawl.errors import ConfigError
from topicrawl.urls import canonical, origin

_CREDENTIAL_NAME = re.compile(
    r"auth(?!or)|authoriz|token|secret|passw|pwd|credential|cookie|session|jwt|signature|keys?(?![a-z])",
    re.IGNORECASE,
)
"""Matches the name of a header that carries a credential: Authorization, Cookie, X-Api-Key, but not X-Author."""
_CREDENTIAL_VALUE = re.compile(r"(basic|bearer)\s", re.IGNORECASE)
"""Matches the value of a header that carries a credential under another name."""
_NAMED = re.compile(r"(?:^|(?<=\s))(env|file):(\S.*)$")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PROXY = re.compile(r"(?:https?|socks5h?)://[^/\s]+/?", re.IGNORECASE)


class Header(NamedTuple):
    """A request header of a setting: `Name: value`, or for one site only `Name@https://host: value`."""

    name: str
    value: str
    site: str = ""
    """The only origin it is sent to; empty: every host."""

    @property
    def named(self) -> bool:
        """Whether the value names a secret."""
        return bool(_NAMED.search(self.value))

    @property
    def secret(self) -> bool:
        """Whether the value may be sent to one site only and never stored."""
        return self.named or is_credential(self.name) or bool(_CREDENTIAL_VALUE.match(self.value))

    def __str__(self) -> str:
        return f"{self.name}@{self.site}: {self.value}" if self.site else f"{self.name}: {self.value}"


def read_header(text: str) -> Header:
    """The header in `text`; the `ValueError` of a bad one does not hold the value, which may be secret."""
    name, colon, rest = text.partition(":")
    if "@" not in name:
        value, site = rest, ""
    else:
        name, _, rest = text.partition("@")
        host, colon, value = rest.partition(": ")
        url = canonical(host if "://" in host else f"https://{host}")
        if colon and url is None:
            raise ValueError(f"{_quoted_name(name)}: {host!r} is no site such as https://example.org")
        site = origin(url) if url else ""
    if not (colon and name.strip() and value.strip()):
        raise ValueError(_quoted_name(name))
    return Header(name.strip(), value.strip(), site)


def said_headers(value: object) -> str:
    """The headers of a setting for an error: their names, because a value may be secret."""
    texts = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
    return ", ".join(_quoted_name(str(text)) for text in texts)


def _quoted_name(text: str) -> str:
    return repr(re.split(r"[:@\s]", text.strip(), maxsplit=1)[0])


@lru_cache(maxsize=1024)
def is_credential(header: str) -> bool:
    """Whether a header of this name carries a credential: it is sent to one origin only, and never archived."""
    return bool(_CREDENTIAL_NAME.search(header))


def kept_header(text: str, sites: Iterable[str]) -> str:
    """A header as a run stores it: a secret is named, by its full path, and has its site.

    Without a site it gets the only one of `sites`, the origins of the seeds; `ConfigError` when there are several.
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
    """A proxy as a run stores it; `ConfigError` when it holds a user or password."""
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
    """A header as it is sent: with the secret in place of its name."""
    header = read_header(text)
    if header.secret:
        _refuse(header)
    where = f"--header {header.name}"
    return header._replace(value=_NAMED.sub(lambda found: _read(found, where), header.value))


def used_proxy(proxy: str | None) -> str | None:
    """The URL of the proxy to connect to, read from where it is named."""
    proxy = kept_proxy(proxy)
    named = _NAMED.match(proxy) if proxy else None
    if not named:
        return proxy
    url = _read(named, "--proxy")
    if not _PROXY.fullmatch(url):
        raise ConfigError(
            f"--proxy {proxy}: holds no proxy; it must be a URL such as http://user:password@host:port or "
            "socks5://user:password@host:port"
        )
    return url


def used_address(text: str, where: str) -> str:
    """The http or https address that a setting holds, or that it names as a secret."""
    named = _NAMED.match(text)
    address = canonical(_read(named, where) if named else text)
    if address is None:
        raise ConfigError(
            f"{where}: {text} is no http or https address; give one such as https://example.org/new"
        )
    return address


class Filled(NamedTuple):
    """The parameters of a URL with secrets in place of their names, and these secrets by their names."""

    parameters: tuple[tuple[str, str], ...]
    secrets: dict[str, str]


def filled_parameters(parameters: Iterable[tuple[str, str]], where: str) -> Filled:
    """The query parameters of a URL as they are sent; `where` is the flag that errors name.

    `ConfigError` for a parameter that has the name of a credential and holds one literally.
    """
    filled: list[tuple[str, str]] = []
    secrets: dict[str, str] = {}
    for name, value in parameters:
        named = _NAMED.fullmatch(value)
        if named:
            secrets[value] = _read(named, where)
        elif value and is_credential(name):
            raise ConfigError(
                f"{where}: the parameter {name!r} holds a secret, which would be seen in the list of processes and in "
                f"files; put it into an environment variable or a file and name that: {name}=env:NAME, or file:PATH"
            )
        filled.append((name, secrets.get(value, value)))
    return Filled(tuple(filled), secrets)


def kept_secret(text: str | None, flag: str) -> str | None:
    """A secret as a run stores it: its name; `ConfigError` when it is given literally."""
    if text is None:
        return None
    if not _NAMED.match(text):
        raise ConfigError(
            f"{flag}: a secret would be stored with the run; put it into an environment variable or a file and name "
            f"that: {flag} env:NAME, or {flag} file:PATH"
        )
    return _NAMED.sub(_full, text)


def used_secret(text: str | None, flag: str) -> str:
    """The secret that a setting names; empty where there is none."""
    named = _NAMED.match(kept_secret(text, flag) or "")
    return _read(named, flag) if named else ""


def kept_text(text: str) -> str:
    """A setting that may name a secret, with the full path where it does."""
    return _NAMED.sub(_full, text) if _NAMED.match(text) else text


def used_text(text: str, where: str) -> str:
    """A setting, or the secret that it names."""
    named = _NAMED.match(text)
    return _read(named, where) if named else text


def kept_file(text: str | None) -> str | None:
    """A file of secrets as a run stores it: `env:NAME`, or `file:` with its full path, which may be given alone."""
    return None if text is None else _NAMED.sub(_full, text if _NAMED.match(text) else f"file:{text}")


def used_file(text: str, where: str) -> str:
    """What the file that a setting names holds, of any number of lines; errors hold its name only."""
    named = _NAMED.match(kept_file(text) or "")
    if named is None:
        raise ConfigError(f"{where}: no file is named")
    return _content(named, where, "put the cookies there")


def _refuse(header: Header) -> None:
    """Raise `ConfigError` for a secret that is given literally, or that would be sent to every host."""
    if not header.named:
        site = header.site or "https://example.org"
        raise ConfigError(
            f"--header {header.name}: a secret would be stored with the run; put it into an environment variable or "
            f"a file and name that: '{header.name}@{site}: env:NAME', or file:PATH"
        )
    if not header.site:
        raise ConfigError(
            f"--header {header.name}: the secret would be sent to every host; name its site: "
            f"'{header.name}@https://example.org: {header.value}'"
        )


def _full(found: re.Match[str]) -> str:
    """The name with an absolute path, valid in every working folder."""
    return found[0] if found[1] == "env" else f"file:{Path(found[2]).expanduser().resolve()}"


def _read(found: re.Match[str], where: str) -> str:
    """The secret that `found` names, one line; errors hold the name, never the secret."""
    secret = _content(found, where, "put the secret there, in one line").strip()
    if not secret or not secret.isprintable():
        raise ConfigError(
            f"{where}: {found[0]} does not hold one line of printable text; put the secret there alone"
        )
    return secret


def _content(found: re.Match[str], where: str, remedy: str) -> str:
    """What the variable or file that `found` names holds."""
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
            raise ConfigError(f"{where}: {name} cannot be read ({reason}); {remedy}") from None
    return content
