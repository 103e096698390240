"""Parses robots.txt: RFC 9309, as leniently as the largest crawlers do.

Groups of the same agent are merged; the longest matching rule wins, and Allow wins between equals. An agent's name
is its letters, `_` and `-`: of `Foo Bar` and `foo*` it is `Foo` and `foo`. Beyond the standard, a name with digits
matches if it equals our product token exactly (`crawler2`). Rules and URLs are compared in one
normal form (`normal`), and a rule is as long as its normal form. Matching takes time linear in the URL for each rule
with a star, however many stars it has, and rules without one are looked up by their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

AGENT = re.compile(rb"[A-Za-z_-]*")
LINE = re.compile(rb"[\r\n]+")
PLAIN = rb"A-Za-z0-9._~:@!$'()*,\[\]-"
"""Octets that are equal to their escapes: the unreserved ones of RFC 3986, and the reserved ones that are no
delimiters here."""
DELIMITERS = rb"/?&=+;"
"""Octets that divide a URL into its parts. Their escapes are data inside a part, so the two differ."""
NORMAL = re.compile(rb"[%s%s]*" % (DELIMITERS, PLAIN))
TO_NORMALISE = re.compile(rb"%%([0-9A-Fa-f]{2})|[^%%%s%s]" % (DELIMITERS, PLAIN))
IS_PLAIN = re.compile(rb"[%s]" % PLAIN)
LINE_LENGTH = 16_664
"""Bytes of a line that are read: eight times the longest URL."""
KEYS = {
    "agent": (b"user-agent", b"useragent", b"user agent"),
    "disallow": (b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"),
    "allow": (b"allow",),
    "delay": (b"crawl-delay", b"crawldelay"),
    "sitemap": (b"sitemap", b"site-map"),
}
"""Keys of lines, common misspellings included."""
MARKS = (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef")


def normal(octets: bytes) -> str:
    """The normal form in which rules and URLs are compared (RFC 9309, section 2.2.2).

    | octet                                           | normal form |
    |---|---|
    | letter, digit, `-._~:@!$'()*,[]`, escaped or not | as itself: `%7E` is `~`, `%24` is `$` |
    | `/?&=+;`                                        | as it stands: `/` and `%2F` are different, `?` and `%3F` too |
    | any other, escaped or not                       | as an escape in upper case: space, `{`, every byte of `é` |
    | `%` that begins no escape                       | as itself, as in a canonical URL |
    """
    if not NORMAL.fullmatch(octets):
        octets = TO_NORMALISE.sub(_normalise_octet, octets)
    return octets.decode("ascii")


def _normalise_octet(found: re.Match[bytes]) -> bytes:
    octet = bytes.fromhex(found[1].decode()) if found[1] else found[0]
    return octet if IS_PLAIN.match(octet) else b"%%%02X" % octet[0]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A rule's path: pieces that must occur in a URL's path in this order, the first at its beginning."""

    pieces: tuple[str, ...]
    """The parts between the stars, in normal form."""
    ends: bool
    """The last piece must be the end of the path."""

    @classmethod
    def read(cls, text: bytes) -> Pattern:
        """The path of a rule as written: a star is an operator and so is a `$` at the end; escaped they are not."""
        return cls(tuple(map(normal, text.removesuffix(b"$").split(b"*"))), text.endswith(b"$"))

    @property
    def length(self) -> int:
        """Octets of the normal form, with its operators."""
        return sum(map(len, self.pieces)) + len(self.pieces) - 1 + self.ends

    @property
    def is_prefix(self) -> bool:
        """Whether the rule has no operator."""
        return len(self.pieces) == 1 and not self.ends

    def matches(self, path: str) -> bool:
        """Whether the rule matches `path`."""
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
    """The rules of one origin for our agent; without any rule everything is allowed."""

    delay: float = 0.0
    """Crawl-delay in seconds; 0 if there is none."""
    sitemaps: tuple[str, ...] = ()
    prefixes: dict[str, bool] = field(default_factory=dict)
    """Rules without star or end in normal form, and whether they allow."""
    patterns: list[tuple[int, bool, Pattern]] = field(default_factory=list)
    """All others with their length and whether they allow, the longest first and of equals those that allow."""

    def __post_init__(self) -> None:
        self._lengths = sorted({len(prefix) for prefix in self.prefixes}, reverse=True)

    def allows(self, url: str) -> bool:
        """Whether we may request this URL."""
        if not self.prefixes and not self.patterns:
            return True
        path = url[slash:] if (slash := url.find("/", 8)) > 0 else "/"
        path = normal(path.partition("#")[0].encode())
        length, allowed = 0, True
        for each in self._lengths:
            if each > len(path):
                continue
            verdict = self.prefixes.get(path[:each])
            if verdict is not None:
                length, allowed = each, verdict
                break
        for each, allow, pattern in self.patterns:
            if each < length or (each == length and allowed):
                break
            if pattern.matches(path):
                return allow
        return allowed


def read_rules(content: bytes, product: str) -> Rules:
    """The rules for `product` in a robots.txt: those of its own groups, or else those for `*`."""
    own, everybody, sitemaps = _Group(), _Group(), []
    current: list[_Group] = []
    naming = named = False
    for key, value in _lines(content):
        if key == "agent":
            current = current if naming else []
            naming = True
            if value[:1] == b"*" and not value[1:2].strip():
                current.append(everybody)
            elif product.lower().encode() in _names(value):
                named = True
                current.append(own)
        elif key == "sitemap":
            sitemaps.append(value.decode("utf-8", "replace"))
        else:
            naming = naming and key == "delay"
            for group in current:
                group.add(key, value)
    return (own if named else everybody).rules(tuple(sitemaps))


def whole_rules(content: bytes, *, is_too_long: bool) -> bytes:
    """A robots.txt that was cut, without the line where it was cut: a part of a rule is another rule.

    Where it is not too long, but its connection broke or its end is damaged, that line stays if it forbids.
    """
    begin = max(content.rfind(b"\n"), content.rfind(b"\r")) + 1
    keys = [key for key, _ in _lines(content[begin:])]
    return content if keys == ["disallow"] and not is_too_long else content[:begin]


class _Group:
    """The rules of one agent as they are collected."""

    def __init__(self) -> None:
        self._rules: dict[Pattern, bool] = {}
        self._delay = 0.0

    def add(self, key: str, value: bytes) -> None:
        if key == "delay":
            self._delay = max(self._delay, _seconds(value))
        elif value:
            self._add(value, key == "allow")
            folder, slash, file = value.rpartition(b"/")
            if key == "allow" and slash and file.startswith(b"index.htm"):
                self._add(folder + b"/$", True)

    def _add(self, text: bytes, allow: bool) -> None:
        pattern = Pattern.read(text)
        self._rules[pattern] = self._rules.get(pattern, False) or allow

    def rules(self, sitemaps: tuple[str, ...]) -> Rules:
        plain = {rule.pieces[0]: allow for rule, allow in self._rules.items() if rule.is_prefix}
        others = [(rule.length, allow, rule) for rule, allow in self._rules.items() if not rule.is_prefix]
        others.sort(key=lambda other: other[:2], reverse=True)
        return Rules(self._delay, sitemaps, plain, others)


def _lines(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Key and value of each line with a known key.

    They stay bytes: only ASCII white space is stripped, and no byte of a longer character is taken for one.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        content = content.decode("utf-16", "replace").encode("utf-8", "replace")
    for mark in MARKS:
        content = content.removeprefix(mark)
    for line in LINE.split(content):
        text = line[:LINE_LENGTH].partition(b"#")[0].strip()
        name, colon, value = text.partition(b":")
        if not colon:
            words = text.split()
            name, value = (words[0], words[1]) if len(words) == 2 else (b"", b"")
        if key := _key(name.strip().lower()):
            yield key, value.strip()


def _key(name: bytes) -> str | None:
    return next((key for key, spellings in KEYS.items() if name.startswith(spellings)), None)


def _names(value: bytes) -> set[bytes]:
    """The agents that a line may name: its leading letters (RFC 9309), or its first word as written."""
    found = AGENT.match(value)
    return {
        name.lower()
        for name in (found[0] if found else b"", value.split(maxsplit=1)[0] if value else b"")
        if name
    }


def _seconds(value: bytes) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if 0 < seconds < float("inf") else 0.0
