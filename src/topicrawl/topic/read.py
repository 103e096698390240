"""Reads a topic: terms with weights, and a name.

    [name:] term [weight] (, term [weight])*

A weight is a number at the end of a term, 1 where absent; a term that itself ends with a number therefore
needs a weight ("boeing 737 1"). A bar separates the spellings of one term ("flood|floods 0.5"). In a file a
line break separates terms like a comma, `#` starts a comment, and a line `name: …` gives the name. A TOML file
has `name` and a table `[terms]` of weights. Text is normalized to NFKC, so that full-width commas, colons,
bars and digits work too.
"""

from __future__ import annotations

import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterable

from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.topic.builtin import BUILTIN
from topicrawl.topic.letters import OR, normal
from topicrawl.topic.shipped import SHIPPED, ontology
from topicrawl.topic.similarity import weights
from topicrawl.topic.vector import topic

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
_NAME_LINE = re.compile(r"^[ \t]*name[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def read_topic(spec: str) -> Topic:
    """The built-in topic called `spec`, or else the topic with the terms in `spec`."""
    known = normal(spec)
    if known in SHIPPED:
        found = ontology(known)
        return topic(found, weights(found), source=f"built-in {known}")
    if known in BUILTIN:
        return parse_topic(BUILTIN[known], source=f"built-in {known}")
    return parse_topic(spec)


def parse_topic(text: str, *, name: str = "", source: str = "inline") -> Topic:
    """The topic with the terms in `text`; without a name in it, it is called `name`, or else by its first term."""
    head, colon, tail = unicodedata.normalize("NFKC", text).partition(":")
    if not colon:
        return _topic(name, _entries(head), source)
    if len(_entries(head)) > 1:
        raise TopicError(
            f"topic {source}: a colon follows {head!r}; it may only end the name, before all terms"
        )
    return _topic(head or name, _entries(tail), source)


def read_topic_bytes(content: bytes, *, name: str = "", source: str = "inline", toml: bool = False) -> Topic:
    """The topic in a file with this content, called `name` where the file gives no name."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TopicError(f"topic {source}: is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    return _from_toml(text, name, source) if toml else _from_lines(text, name, source)


def _from_lines(text: str, name: str, source: str) -> Topic:
    text = _COMMENT.sub("", "\n".join(unicodedata.normalize("NFKC", text).splitlines()))
    if line := _NAME_LINE.search(text):
        return _topic(line[1] or name, _entries(text[: line.start()] + text[line.end() :]), source)
    return parse_topic(text, name=name, source=source)


def _from_toml(text: str, name: str, source: str) -> Topic:
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise TopicError(f"topic {source}: is not valid TOML: {error}") from None
    if unknown := sorted(table.keys() - {"name", "terms"}):
        raise TopicError(f"topic {source}: unknown key {unknown[0]!r}; known are name and the table [terms]")
    terms = table.get("terms", {})
    if not isinstance(terms, dict):
        raise TopicError(f"topic {source}: terms is no table; write [terms], below it lines like rain = 0.3")
    for term, weight in terms.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TopicError(f"topic {source}: weight {weight!r} of {term!r} is no number; give 0 or more")
    return _topic(str(table.get("name", name)), terms.items(), source)


def _entries(text: str) -> list[tuple[str, float]]:
    return [_entry(entry) for entry in re.split(r"[,\n]", text) if entry.strip()]


def _entry(entry: str) -> tuple[str, float]:
    """`term [weight]`, taken apart."""
    *term, last = entry.rsplit(maxsplit=1)
    try:
        return (term[0], float(last)) if term else (last, 1.0)
    except ValueError:
        return entry, 1.0


def _topic(name: str, entries: Iterable[tuple[str, float]], source: str) -> Topic:
    terms: dict[str, float] = {}
    taken: set[str] = set()
    for written, weight in entries:
        term = normal(written)
        for spelling in term.split(OR):
            if not any(character.isalpha() for character in spelling):
                raise TopicError(f"topic {source}: term {spelling!r} has no letter; write a word")
            if spelling in taken:
                raise TopicError(f"topic {source}: term {spelling!r} occurs twice; keep one of the two")
            taken.add(spelling)
        if not 0 <= weight <= sys.float_info.max:
            raise TopicError(
                f"topic {source}: weight {weight} of {term!r} is unusable; give 0 or more, finite"
            )
        terms[term] = float(weight)
    if not terms:
        raise TopicError(f"topic {source}: has no terms; give some, as in 'rainstorm 0.8, rainfall 0.3'")
    if not any(terms.values()):
        raise TopicError(f"topic {source}: all weights are zero; give at least one term more than 0")
    return Topic(
        name=" ".join(name.split()) or next(iter(terms)),
        terms=tuple(terms),
        weights=tuple(terms.values()),
        source=source,
    )
