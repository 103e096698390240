"""Random pairs of a robots.txt and a URL, judged by topicrawl, by protego and by a plain reading of RFC 9309.

The plain reading is slow and short: a loop over octets and one regular expression a rule. It must agree with
topicrawl on every pair. It can also be told to read as protego does in named ways (`WAYS`, each with what the RFC
says instead), and the smallest set of ways that gives protego's answer is why the two differ on a pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from protego import Protego

from topicrawl.urls import canonical
from topicrawl.web.http.robots_file import read_rules

US = "topicrawl"
WAYS = {
    "agents": "2.2.1: a product token names us as a whole; protego also heeds one that our name begins with",
    "groups": "2.2.4: other records must not change how others are read; for protego they end a group's names",
    "end": "2.2.3: $ at the end of a rule is its end; protego reads the rule a second time with every $ as a letter",
    "dividers": "2.2.2: the escape of a reserved character is not decoded; for protego %3F is ?, %26 is &, %3D is =",
    "octets": "2.2.2: the match with the most octets; protego escapes what needs no escape and counts three for it",
    "space": "2.2: white space is space and tab, lines end in CR or LF; protego takes every such character of Unicode",
    "bytes": "2.2.2: octets outside ASCII are escaped as they are; protego drops or unifies those that are not UTF-8",
    "robots.txt": "2.2.2: robots.txt may be asked for; we do so unasked, but as a page it obeys the rules",
}
"""How protego reads differently, and what the RFC says of it."""
NO_WAY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pair:
    """A robots.txt and a canonical URL of its host."""

    file: bytes
    url: str

    def ours(self) -> bool:
        """Whether topicrawl may fetch it."""
        return read_rules(self.file, US).allows(self.url)

    def protegos(self) -> bool:
        """Whether protego lets topicrawl fetch it, given the text as Scrapy gives it."""
        return Protego.parse(self.file.decode("utf-8-sig", "ignore")).can_fetch(self.url, US)

    def why(self) -> tuple[str, ...] | None:
        """The fewest deviations that give protego's answer; None if there are none."""
        told = self.protegos()
        sets = (ways for size in range(len(WAYS) + 1) for ways in combinations(WAYS, size))
        return next((ways for ways in sets if reference(self.file, self.url, frozenset(ways)) == told), None)


def pairs(number: int, seed: int) -> Iterator[Pair]:
    """Random pairs; rules resemble the URL, so that many match and the longest decides."""
    rng = Random(seed)
    made = 0
    while made < number:
        atoms = [rng.choice(ATOMS) for _ in range(rng.randint(0, 7))]
        url = canonical("http://a.test/" + "".join(map(rng.choice, atoms)))
        if rng.random() < 0.003:
            url = "http://a.test/robots.txt"
        if url is not None:
            made += 1
            yield Pair(_file(rng, atoms), url)


ATOMS: tuple[tuple[str, ...], ...] = (
    *(("/",),) * 5,
    *(
        ("a", "%61"),
        ("b", "%62"),
        ("page",),
        ("page",),
        ("~joe", "%7Ejoe", "%7ejoe"),
        ("-", "%2d"),
        (".html",),
    ),
    *(("é", "%C3%A9", "%c3%a9"), ("à", "%C3%A0"), ("Å", "%c3%85"), ("%E9",), ("%2F", "%2f"), ("%",), ("%4",)),
    *(
        (" ", "%20"),
        ("{", "%7B", "%7b"),
        ("}", "%7D"),
        ("<", "%3C"),
        ('"', "%22"),
        ("|", "%7C"),
        ("^", "%5E"),
    ),
    *((":", "%3A"), ("'", "%27"), (",", "%2C"), ("(", "%28"), ("[]", "%5B%5D"), ("@", "%40"), ("!", "%21")),
    *(("?",), ("%3F",), ("=",), ("&",), ("%26",), ("+",), ("%2B",), ("%3D",), (";",)),
    *(("$", "%24"), ("*", "%2A", "%2a"), ("$", "%24"), ("*", "%2A")),
)
"""Parts of paths, each in all equivalent forms; different parts must not match each other."""
NAMES = ("*", "*", "*", US, US.upper(), "otherbot", "topic", f"{US}-news")
AROUND = ("",) * 30 + (" ",) * 30 + ("\t", "\u00a0", "\u2003")


def _file(rng: Random, atoms: list[tuple[str, ...]]) -> bytes:
    lines = []
    for _ in range(rng.randint(1, 3)):
        for _ in range(rng.choice((1, 1, 1, 2))):
            lines.append(f"User-agent: {rng.choice(NAMES)}")
            if rng.random() < 0.05:
                lines.append(rng.choice(("Crawl-delay: 2", "Noindex: /", "Sitemap: /s.xml")))
        lines += (_line(rng, atoms) for _ in range(rng.randint(0, 6)))
    text = rng.choice(("\n", "\r\n", "\r")).join(lines).encode()
    if rng.random() < 0.02:
        text = text.replace("é".encode(), b"\xe9").replace("à".encode(), b"\xe0")
    return b"\xef\xbb\xbf" * (rng.random() < 0.05) + text + b"\n"


def _line(rng: Random, atoms: list[tuple[str, ...]]) -> str:
    kept = atoms[: rng.randint(0, len(atoms))] if rng.random() < 0.9 else rng.choices(ATOMS, k=3)
    parts = ["/", *("*" if rng.random() < 0.15 else rng.choice(atom) for atom in kept)]
    parts += [rng.choice(rng.choice(ATOMS))] * (rng.random() < 0.2) + ["$"] * (rng.random() < 0.15)
    key = rng.choice(("Allow", "Disallow", "disallow", "ALLOW "))
    return f"{key}:{rng.choice(AROUND)}{''.join(parts)}{rng.choice(AROUND)}"


UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
UNDIVIDING = b":@!$'()*,[]"
DIVIDING = b"?&=+;"


def reference(file: bytes, url: str, ways: frozenset[str] = NO_WAY) -> bool:
    """What RFC 9309 says of a URL, read as plainly as can be; `ways` are read as protego reads them."""
    path = url[len("http://a.test") :]
    if "robots.txt" in ways and path == "/robots.txt":
        return True
    spelled = "".join(_octets(path.encode(), ways))
    best = (0, True)
    for allow, rule in _rules(file, ways):
        ends = rule.endswith(b"$")
        readings = [(rule.removesuffix(b"$"), ends)]
        if b"$" in rule and "end" in ways:
            readings.append((rule.replace(b"$", b"%24"), False))
        for text, anchored in readings:
            pieces = [_octets(piece, ways) for piece in text.split(b"*")]
            pattern = ".*".join(re.escape("".join(piece)) for piece in pieces) + r"\Z" * anchored
            if re.match(pattern, spelled, re.DOTALL):
                best = max(best, (_length(pieces, ways) + anchored, allow))
    return best[1]


def _length(pieces: list[list[str]], ways: frozenset[str]) -> int:
    """Octets of a rule: of each piece, and one for each star."""
    long = DIVIDING.replace(b"=", b"").decode() if "octets" in ways else ""
    octets = [octet for piece in pieces for octet in piece]
    return len(pieces) - 1 + sum(3 if octet in long else len(octet) for octet in octets)


def _octets(text: bytes, ways: frozenset[str]) -> list[str]:
    """A path, octet by octet, each as itself or as an escape."""
    text = _unified(text) if "bytes" in ways else text
    same = UNRESERVED + UNDIVIDING + (DIVIDING if "dividers" in ways else b"")
    escaped_all_the_same = same.replace(b"=", b"")[len(UNRESERVED) :] if "octets" in ways else b""
    spelled, at = [], 0
    while at < len(text):
        code = text[at + 1 : at + 3]
        if text[at : at + 1] == b"%" and re.fullmatch(rb"[0-9a-fA-F]{2}", code):
            octet, at, as_itself = int(code, 16), at + 3, b""
        else:
            octet, at, as_itself = text[at], at + 1, DIVIDING + b"/%"
        plain = octet in same + as_itself and octet not in escaped_all_the_same
        spelled.append(chr(octet) if plain else f"%{octet:02X}")
    return spelled


def _unified(text: bytes) -> bytes:
    """Protego's form of bytes that are not UTF-8: the replacement character."""
    bare = re.sub(rb"%([89a-fA-F][0-9a-fA-F])", lambda found: bytes.fromhex(found[1].decode()), text)
    return bare.decode("utf-8", "replace").encode()


def _rules(file: bytes, ways: frozenset[str]) -> list[tuple[bool, bytes]]:
    """The rules for us."""
    groups: dict[bytes, list[tuple[bool, bytes]]] = {}
    current: list[bytes] = []
    naming = False
    for key, value in _lines(file.removeprefix(b"\xef\xbb\xbf"), ways):
        if key == b"user-agent":
            current = [*current, value.lower()] if naming else [value.lower()]
            groups.setdefault(value.lower(), [])
            naming = True
        elif key in (b"allow", b"disallow"):
            naming = False
            for name in set(current) if value else ():
                groups[name].append((key == b"allow", value))
        elif "groups" in ways and key != b"sitemap":
            naming = False
    names = [US.encode(), b"topic"] if "agents" in ways else [US.encode()]
    return next((groups[name] for name in (*names, b"*") if name in groups), [])


def _lines(file: bytes, ways: frozenset[str]) -> Iterator[tuple[bytes, bytes]]:
    kept = "ignore" if "bytes" in ways else "surrogateescape"
    text = file.decode("utf-8", kept)
    for line in text.splitlines() if "space" in ways else re.split(r"[\r\n]", text):
        key, _, value = line.partition(":")
        space = None if "space" in ways else " \t"
        yield (
            key.strip(space).lower().encode("utf-8", "surrogateescape"),
            value.strip(space).encode("utf-8", "surrogateescape"),
        )
