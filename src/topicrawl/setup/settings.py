"""How a setting is declared, and how its value is parsed from TOML or from a flag.

A value may be typed (TOML) or text (a flag). Both are parsed by the same function, so that `pages = 500`
and `--pages 500` mean the same and fail with the same message.
"""

from __future__ import annotations

import math
import re
import tomllib
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from topicrawl.credentials import read_header, said_headers
from topicrawl.errors import ConfigError
from topicrawl.store.sinks.spec import TABLE_NAMES, read_spec

SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
BYTES = {
    **{"": 1, "b": 1},
    **{"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12},
    **{"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40},
    **{"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12},
}
SHOWN_UNITS = ("GiB", "GB", "MiB", "MB", "KiB", "KB", "B")
REMOTE = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+:)/")
"""How a URL begins, also after `Path` has made one slash of two; a Windows drive has one letter."""
MOMENT = re.compile(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d))?(?:Z|\+00:?00)?)?)?)?")
AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", re.IGNORECASE)


MOST = 2**63 - 1
"""The largest whole number that the files of a run store."""


class TooLargeError(ValueError):
    """A number above its bound, which it names."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: its name in help, what an error says was expected, and how it is parsed."""

    metavar: str
    expected: str
    read: Callable[[object], Any]
    """Raises ValueError when the value is of another kind or out of range."""
    shown: Callable[[object], str] = repr
    """The value as an error shows it, without what may be secret."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of a crawl: a key of crawl.toml and a flag of `topicrawl crawl`."""

    name: str
    section: str
    kind: Kind
    default: Any
    help: str
    fixed: str
    """Why a run cannot be resumed with another value; empty where it can."""

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def default_text(self) -> str:
        """The default as a user would write it."""
        if self.kind in (SIZE, ROOM):
            unit = next(unit for unit in SHOWN_UNITS if self.default % BYTES[unit.lower()] == 0)
            return f"{self.default // BYTES[unit.lower()]}{unit}"
        return f"{self.default:g}s" if self.kind in (DURATION, LIMIT) else str(self.default)

    def read(self, value: object, where: str) -> Any:
        """`value` parsed; `where` is what an error calls the place, for example `--pages`."""
        if self.default is None and (value is None or value == "none"):
            return None
        try:
            return self.kind.read(value)
        except ConfigError as why:
            raise ConfigError(f"{where}: {why}") from None
        except TooLargeError as why:
            raise ConfigError(f"{where}: {self.kind.shown(value)} is too large; give {why} at most") from None
        except ValueError as why:
            detail = f" ({why})" if str(why) else ""
            raise ConfigError(
                f"{where}: {self.kind.shown(value)} is not {self.kind.expected}{detail}"
            ) from None


def setting(section: str, kind: Kind, default: Any, help: str, *, fixed: str = "") -> Any:  # noqa: A002
    """A dataclass field that declares a setting; a default of None means "no limit" or "not given"."""
    metadata = {"section": section, "kind": kind, "help": help, "fixed": fixed}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def number(value: object) -> float:
    """A finite number, from a number or its text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        raise ValueError from None
    if not math.isfinite(amount):
        raise ValueError
    return amount


def seconds(value: object) -> float:
    """A duration: a number of seconds, or text such as `90s`, `1.5h`, `1h30m`."""
    if not isinstance(value, str) or re.fullmatch(r"\s*\d*\.?\d*\s*", value):
        amount = number(value)
    else:
        amount = sum(_parts(value, SECONDS))
    if amount < 0:
        raise ValueError
    return amount


def _above_zero(value: object) -> float:
    amount = seconds(value)
    if amount == 0:
        raise ValueError
    return amount


def size(value: object) -> int:
    """A number of bytes, or text such as `10MB` (10⁷) or `10MiB` (10·2²⁰)."""
    amount = room(value)
    if amount < 1:
        raise ValueError
    return amount


def room(value: object) -> int:
    """A number of bytes, or text such as `10MB`; 0 is one, too."""
    amount = sum(_parts(value, BYTES)) if isinstance(value, str) else number(value)
    if amount < 0 or amount != int(amount):
        raise ValueError
    return int(amount)


def _parts(text: str, units: dict[str, Any]) -> list[float]:
    """Each amount in `text` times its unit; no other text is allowed between them."""
    parts, position = [], 0
    while match := AMOUNT.match(text, position):
        amount, unit = match.groups()
        if unit.lower() not in units:
            raise ValueError(f"unknown unit {unit!r}; known: {', '.join(filter(None, units))}")
        parts.append(float(amount) * units[unit.lower()])
        position = match.end()
    if position < len(text) or not parts:
        raise ValueError
    return parts


def _whole(low: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        try:
            amount = int(value)
        except ValueError:
            amount = MOST + 1 if str(value).strip().isdecimal() else low - 1  # digits, more than Python reads
        if amount > MOST:
            raise TooLargeError(f"{MOST:,}")
        if amount < low:
            raise ValueError
        return amount

    return read


def _share(value: object) -> float:
    amount = number(value)
    if not 0 <= amount <= 1:
        raise ValueError
    return amount


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError
    return value


def _folder(value: object) -> str:
    """A path on this machine. A URL is refused: as a path it would create a folder called `scheme:`."""
    path = _text(value)
    if scheme := REMOTE.match(path):
        raise ValueError(f"{scheme[1]} is not written to: give a folder here, and copy or mount it there")
    return path


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _texts(value: object) -> tuple[str, ...]:
    """Blank items are left out, so that `--exclude ''` empties a list when a run is resumed."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        raise ValueError
    return tuple(text for text in map(_text, items) if text.strip())


def _patterns(value: object) -> tuple[str, ...]:
    patterns = _texts(value)
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as fault:
            raise ConfigError(f"{pattern!r} is no regular expression: {fault}") from None
    return patterns


def _pairs(sign: str) -> Callable[[object], tuple[str, ...]]:
    def read(value: object) -> tuple[str, ...]:
        texts = _texts(value)
        for text in texts:
            name, found, rest = text.partition(sign)
            if not (found and name.strip() and rest.strip()):
                raise ValueError(repr(text))
        return texts

    return read


def _headers(value: object) -> tuple[str, ...]:
    texts = _texts(value)
    for text in texts:
        read_header(text)
    return texts


def _moment(value: object) -> str:
    """The last second of a day, month or year, or a second itself, as archives write it: YYYYMMDDhhmmss."""
    text = value.isoformat() if isinstance(value, date) else str(value).strip()
    found = MOMENT.fullmatch(text)
    if found is None:
        raise ValueError
    year, month, day, *clock = (int(part) if part else None for part in found.groups())
    last = monthrange(year or 1, month or 12)[1]  # raises ValueError for a month above 12
    hour, minute, second = (
        given if given is not None else most for given, most in zip(clock, (23, 59, 59), strict=True)
    )
    moment = datetime(year or 1, month or 12, day or last, hour, minute, second)  # noqa: DTZ001 - archives write UTC
    return f"{moment:%Y%m%d%H%M%S}".rjust(14, "0")


def _sinks(value: object) -> tuple[str, ...]:
    texts = _texts(value)
    for text in texts:
        read_spec(text)
    return texts


def _tables(value: object) -> tuple[str, ...]:
    named = tuple(name.strip() for text in _texts(value) for name in text.split(",") if name.strip())
    for name in named:
        if name not in TABLE_NAMES:
            raise ValueError(f"{name!r} is unknown; choose of {', '.join(TABLE_NAMES)}")
    if not named:
        raise ValueError("name at least one table")
    return tuple(dict.fromkeys(named))


def _one_of(*words: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return read


TEXT = Kind("TEXT", "a line of text", _text)
TEXTS = Kind("TEXT", "a list of texts", _texts)
FILES = Kind("FILE", "a list of files", _texts)
FOLDER = Kind("DIR", "a path on this machine", _folder)
PATTERNS = Kind("REGEX", "a list of regular expressions", _patterns)
HEADERS = Kind("'NAME: VALUE'", "a list of headers such as 'Name: value'", _headers, said_headers)
PROXY = Kind(
    "URL",
    "a line of text such as http://host:port, socks5://host:port, env:NAME or file:PATH",
    _text,
    lambda _: "this",
)
SECRET = Kind("NAME", "the place of a secret: env:NAME or file:PATH", _text, lambda _: "this")
COOKIE_FILE = Kind("FILE", "a file of cookies, or env:NAME", _text)
MAPPINGS = Kind("NAME=ADDRESS", "a list of names such as '*.invented.test=127.0.0.1:8000'", _pairs("="))
SINKS = Kind(
    "FORMAT:PLACE",
    "a list of sinks such as parquet:FOLDER or jsonl:s3://bucket/name",
    _sinks,
    lambda value: re.sub(r"//[^/@]*@", "//…@", repr(value)),
)
TABLES = Kind("NAMES", "a list of tables such as visits,pages", _tables)
COUNT = Kind("N", "a whole number of at least 1, such as 500", _whole(1))
WHOLE = Kind("N", "a whole number of at least 0", _whole(0))
SHARE = Kind("X", "a number from 0 to 1, such as 0.62", _share)
DURATION = Kind("TIME", "a time such as 90s, 15m or 2h (a bare number is seconds)", seconds)
LIMIT = Kind("TIME", "a time above 0, such as 90s, 15m or 2h (a bare number is seconds)", _above_zero)
SIZE = Kind("SIZE", "a size such as 500KB, 10MB or 2GiB (a bare number is bytes)", size)
ROOM = Kind("SIZE", "a size such as 500KB, 10MB or 2GiB, or 0", room)
RENDER = Kind("WHEN", "never, auto or always", _one_of("never", "auto", "always"))
DATE = Kind("DATE", "a date such as 2020-05-01, 2020-05, 2020 or 20200501120000", _moment)
FLAG = Kind("", "true or false", _flag)


def read_parameters(pairs: Any) -> dict[str, Any]:
    """The `name=value` texts of `--set`; a value that is not valid TOML is taken as text."""
    parameters = {}
    for pair in pairs:
        name, equals, text = str(pair).partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"--set {pair!r} is not name=value, such as --set priority=simple")
        try:
            read = tomllib.loads(f"value = {text}")
        except ValueError:  # TOMLDecodeError, and numbers of more digits than Python reads
            read = {}
        parameters[name.strip()] = read["value"] if len(read) == 1 else text
    return parameters
