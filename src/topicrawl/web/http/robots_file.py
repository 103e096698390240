"""What a robots.txt says to us: RFC 9309, read as forgivingly as the largest crawlers read it.

Groups of the same agent are one; the longest rule that matches wins, and Allow wins between equals. An agent's name
is its letters, `_` and `-`: of `Foo Bar` and `foo*` it is `Foo` and `foo`. Beyond the standard, a name with digits
is heeded too when it is ours to the letter: whoever writes `crawler2` means it. Rules are compared with the canonical
URL as it is spelled, %-escapes in upper case. Matching takes time linear in the URL for each rule with a star,
however many stars it has, and rules without one are looked up by their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

AGENT = re.compile(r"[A-Za-z_-]*")
LINE = re.compile(r"[\r\n]+")
LOWER_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
LINE_LENGTH = 16_664
"""Characters of a line that are read: eight times the longest URL."""
KEYS = {
    "agent": ("user-agent", "useragent", "user agent"),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"),
    "allow": ("allow",),
    "delay": ("crawl-delay", "crawldelay"),
    "sitemap": ("sitemap", "site-map"),
}
"""What a line may begin with, common slips of the pen included."""
MARKS = (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule with a star or an end: pieces that must stand in a path in this order, the first at its beginning."""

    length: int
    allow: bool
    pieces: tuple[str, ...]
    ends: bool

    @classmethod
    def read(cls, text: str, allow: bool) -> Pattern:
        """The rule that `text` spells."""
        ends = text.endswith("$")
        return cls(len(text), allow, tuple((text[:-1] if ends else text).split("*")), ends)

    def matches(self, path: str) -> bool:
        """Whether the rule is about `path`."""
        first, *others = self.pieces
        if not path.startswith(first):
            return False
        last = others.pop() if self.ends and others else None
        position = len(first)
        for piece in others:
            position = path.find(piece, position)
            if position < 0:
                return False
            position += len(piece)
        if last is not None:
            return path.endswith(last) and len(path) - len(last) >= position
        return not self.ends or position == len(path)


@dataclass
class Rules:
    """What holds for us at one origin; without any rule everything is allowed."""

    delay: float = 0.0
    """Seconds between requests, as written; 0 when it says nothing."""
    sitemaps: tuple[str, ...] = ()
    prefixes: dict[str, bool] = field(default_factory=dict)
    """Rules without star or end, and whether they allow."""
    patterns: list[Pattern] = field(default_factory=list)
    """All others, the longest first and of equals those that allow."""

    def __post_init__(self) -> None:
        self._lengths = sorted({len(prefix) for prefix in self.prefixes}, reverse=True)

    def allows(self, url: str) -> bool:
        """Whether we may request this URL."""
        if not self.prefixes and not self.patterns:
            return True
        path = url[slash:] if (slash := url.find("/", 8)) > 0 else "/"
        path = path.partition("#")[0]
        length, allowed = 0, True
        for each in self._lengths:
            verdict = self.prefixes.get(path[:each])
            if verdict is not None:
                length, allowed = each, verdict
                break
        for pattern in self.patterns:
            if pattern.length < length or (pattern.length == length and allowed):
                break
            if pattern.matches(path):
                return pattern.allow
        return allowed


def read_rules(content: bytes, product: str) -> Rules:
    """The rules for `product` in a robots.txt: those of its own groups, or else those for everybody."""
    own, everybody, sitemaps = _Group(), _Group(), []
    current: list[_Group] = []
    naming = named = False
    for key, value in _lines(content):
        if key == "agent":
            current = current if naming else []
            naming = True
            if value[:1] == "*" and not value[1:2].strip():
                current.append(everybody)
            elif product.lower() in _names(value):
                named = True
                current.append(own)
        elif key == "sitemap":
            sitemaps.append(value.encode("latin-1").decode("utf-8", "replace"))
        else:
            naming = naming and key == "delay"
            for group in current:
                group.add(key, value)
    return (own if named else everybody).rules(tuple(sitemaps))


class _Group:
    """The rules of one agent as they are collected."""

    def __init__(self) -> None:
        self._rules: dict[str, bool] = {}
        self._delay = 0.0

    def add(self, key: str, value: str) -> None:
        if key == "delay":
            self._delay = max(self._delay, _seconds(value))
        elif value:
            rule = _escaped(value)
            self._rules[rule] = self._rules.get(rule, False) or key == "allow"
            folder, slash, file = rule.rpartition("/")
            if key == "allow" and slash and file.startswith("index.htm"):
                self._rules[f"{folder}/$"] = True

    def rules(self, sitemaps: tuple[str, ...]) -> Rules:
        plain = {rule: allow for rule, allow in self._rules.items() if "*" not in rule and "$" not in rule}
        patterns = [Pattern.read(rule, allow) for rule, allow in self._rules.items() if rule not in plain]
        patterns.sort(key=lambda pattern: (-pattern.length, not pattern.allow))
        return Rules(self._delay, sitemaps, plain, patterns)


def _lines(content: bytes) -> Iterator[tuple[str, str]]:
    """Key and value of each line that says something, as latin-1 so that every byte survives."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    for mark in MARKS:
        content = content.removeprefix(mark)
    for line in LINE.split(content.decode("latin-1")):
        text = line[:LINE_LENGTH].partition("#")[0].strip()
        name, colon, value = text.partition(":")
        if not colon:
            words = text.split()
            name, value = (words[0], words[1]) if len(words) == 2 else ("", "")
        if key := _key(name.strip().lower()):
            yield key, value.strip()


def _key(name: str) -> str | None:
    return next((key for key, spellings in KEYS.items() if name.startswith(spellings)), None)


def _names(value: str) -> set[str]:
    """Whom a line names: the letters it begins with, as the standard says, or its first word to the letter."""
    found = AGENT.match(value)
    return {
        name.lower()
        for name in (found[0] if found else "", value.split(maxsplit=1)[0] if value else "")
        if name
    }


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if 0 < seconds < float("inf") else 0.0


def _escaped(rule: str) -> str:
    """A rule as a canonical URL would spell it: other bytes than ASCII escaped, escapes in upper case."""
    if not rule.isascii():
        rule = "".join(letter if letter < "\x80" else f"%{ord(letter):02X}" for letter in rule)
    return LOWER_ESCAPE.sub(lambda escape: escape[0].upper(), rule) if "%" in rule else rule
