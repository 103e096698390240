"""Reads a topic: terms with weights, and a name.

    [name:] term [weight] (, term [weight])*

A weight is a number at the end of a term, 1 where absent; a term that itself ends with a number therefore needs its
weight said ("boeing 737 1"). In a file a line break parts terms like a comma does, `#` starts a comment, and a line
`name: …` gives the name. A TOML file has `name` and a table `[terms]` of weights. Everything is read in Unicode's
compatibility form, so full-width commas, colons and digits do what they look like.
"""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from collections.abc import Iterable

from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.topic.builtin import BUILTIN
from topicrawl.topic.letters import fold

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
_NAME_LINE = re.compile(r"^\s*name\s*:(.*)$", re.IGNORECASE | re.MULTILINE)


def read_topic(spec: str) -> Topic:
    """The built-in topic called `spec`, or else the topic that `spec` spells out."""
    known = normal(spec)
    if known in BUILTIN:
        return parse_topic(BUILTIN[known], source=f"built-in {known}")
    return parse_topic(spec)


def parse_topic(text: str, *, name: str = "", source: str = "inline") -> Topic:
    """The topic that `text` spells out in one line; `name` serves where it gives none, else its first term does."""
    head, colon, tail = unicodedata.normalize("NFKC", text).partition(":")
    given, entries = (head, tail) if colon else ("", head)
    terms = [_entry(entry) for entry in entries.split(",") if entry.strip()]
    return _topic(given or name, terms, source)


def read_topic_bytes(content: bytes, *, name: str = "", source: str = "inline", toml: bool = False) -> Topic:
    """The topic that a file with this content holds; `name` serves where the file gives none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TopicError(f"topic {source}: is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    return _from_toml(text, name, source) if toml else _from_lines(text, name, source)


def normal(term: str) -> str:
    """The one spelling of a term: compatibility form, lower case, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", fold(unicodedata.normalize("NFKC", term))).split())


def _from_lines(text: str, name: str, source: str) -> Topic:
    text = _COMMENT.sub("", unicodedata.normalize("NFKC", text))
    if line := _NAME_LINE.search(text):
        name = line[1]
        text = _NAME_LINE.sub("", text, count=1)
    return parse_topic(",".join(text.splitlines()), name=name, source=source)


def _from_toml(text: str, name: str, source: str) -> Topic:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TopicError(f"topic {source}: is not valid TOML: {error}") from None
    if unknown := sorted(table.keys() - {"name", "terms"}):
        raise TopicError(
            f"topic {source}: unknown key {unknown[0]!r}; a topic has a name and a table [terms]"
        )
    terms = table.get("terms", {})
    if not isinstance(terms, dict):
        raise TopicError(
            f"topic {source}: terms is no table; write [terms] and below it lines like rain = 0.3"
        )
    for term, weight in terms.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TopicError(
                f"topic {source}: weight {weight!r} of {term!r} is no number; write one of 0 or more"
            )
    return _topic(
        str(table.get("name", name)), [(term, float(weight)) for term, weight in terms.items()], source
    )


def _entry(entry: str) -> tuple[str, float]:
    """`term [weight]`, taken apart."""
    term, _, last = entry.strip().rpartition(" ")
    try:
        return (term, float(last)) if term else (last, 1.0)
    except ValueError:
        return entry, 1.0


def _topic(name: str, entries: Iterable[tuple[str, float]], source: str) -> Topic:
    weights: dict[str, float] = {}
    for spelled, weight in entries:
        term = normal(spelled)
        if not any(character.isalpha() for character in term):
            raise TopicError(f"topic {source}: term {term!r} has no letter; name what you look for in words")
        if not math.isfinite(weight) or weight < 0:
            raise TopicError(
                f"topic {source}: weight {weight:g} of {term!r} cannot be used; give a number of 0 or more"
            )
        if term in weights:
            raise TopicError(f"topic {source}: term {term!r} stands twice; keep one of the two")
        weights[term] = weight
    if not weights:
        raise TopicError(
            f"topic {source}: is empty; give at least one term, as in 'rainstorm 0.8, rainfall 0.3'"
        )
    if not any(weights.values()):
        raise TopicError(f"topic {source}: all weights are zero; give at least one term a weight above 0")
    return Topic(
        " ".join(name.split()) or next(iter(weights)), tuple(weights), tuple(weights.values()), source
    )
