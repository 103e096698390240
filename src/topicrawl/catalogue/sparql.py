"""SPARQL over the knowledge base of a run. No query reaches the network.

SERVICE is the only keyword of a query that makes the store send a request, past the address guard (FROM and GRAPH only
name local graphs, LOAD belongs to updates). The store has no option to disable it, and only its parser can tell
keywords from strings and addresses: `?a<?b)SERVICE?u#>` can be read either way. So the first letter of each "service"
is replaced by its escape. In strings and addresses the escape is the same letter; as a keyword it is invalid, and the
parser refuses the query.
"""

from __future__ import annotations

import re
from functools import cache

from pyoxigraph import QueryBoolean, QueryResultsFormat, QueryTriples, Store

from topicrawl.errors import ConfigError
from topicrawl.knowledge.vocabulary import PREFIXES
from topicrawl.safe_text import json_escaped, one_line

_VARIABLE = r"[?$][a-z0-9_]+"
_NAME = rf"\b(?:{'|'.join(PREFIXES)}):[a-z0-9_][a-z0-9_%-]*"
_SERVICE = r"s(?=ervice)"
_PLACE = re.compile(r"error at (\d+):(\d+)")
_BEGIN = re.compile(r"\s*(?:select|ask|construct|describe|prefix|base)\b|\s*#", re.IGNORECASE)
_UPDATE = re.compile(r"\s*(?:insert|delete|load|clear|create|drop|copy|move|add)\b", re.IGNORECASE)
_SAID = {
    "Prefix not found": f"a prefix in it is not known; declare it with PREFIX, or use one of {', '.join(PREFIXES)}",
    "a variable that is unbound": "SELECT names a variable that is neither in GROUP BY nor in a function such as COUNT",
}
"""Sentences of the parser, and what they mean to the user."""
SHOWN = 40
"""Letters of a query that an error shows."""
_GUARDED = re.compile(f"{_VARIABLE}|{_SERVICE}", re.IGNORECASE | re.ASCII)
_GUARDED_BUT_NAMES = re.compile(f"{_VARIABLE}|{_NAME}|{_SERVICE}", re.IGNORECASE | re.ASCII)


def ask(store: Store, query: str, *, as_json: bool = False) -> str:
    """The answer as SPARQL TSV or JSON; CONSTRUCT and DESCRIBE give one triple per line."""
    guarded = without_service(query)
    try:
        found = store.query(guarded, prefixes=PREFIXES, use_default_graph_as_union=True)
        if isinstance(found, QueryTriples):
            return "\n".join(f"{triple} ." for triple in found)
        if as_json or isinstance(found, QueryBoolean):
            return json_escaped((found.serialize(format=QueryResultsFormat.JSON) or b"").decode())
        return (found.serialize(format=QueryResultsFormat.TSV) or b"").decode().removesuffix("\n")
    except SyntaxError as error:
        if guarded != query:
            raise ConfigError(
                "the query cannot be answered: SERVICE would send it to another server, and no query leaves this "
                "machine; take SERVICE out, or where it is part of a name write the name as a full <address>"
            ) from None
        raise ConfigError(
            f"the query cannot be read{_reason(query, str(error))}; topicrawl kb sparql --help has examples"
        ) from None
    except RuntimeError as error:
        raise ConfigError(
            f"the query cannot be answered: {error}; topicrawl kb sparql --help has examples"
        ) from None


def without_service(query: str) -> str:
    """`query` with every possible keyword SERVICE escaped.

    Variables are not changed. Neither are names such as term:service, unless the query declares prefixes itself: if
    a prefix and the letters after it form no address (`<http://a:8>`), the parser takes the letters for a keyword.
    """
    pattern = _GUARDED if "prefix" in query.lower() else _GUARDED_BUT_NAMES
    guarded = pattern.sub(lambda found: f"\\u{ord(found[0]):04X}" if len(found[0]) == 1 else found[0], query)
    if guarded != query and not _escapes_end_words():
        raise ConfigError(
            "the query holds the word SERVICE, which this version of pyoxigraph cannot be kept from following; "
            "leave it out, or use pyoxigraph 0.5"
        )
    return guarded


def _reason(query: str, error: str) -> str:
    """What is wrong with a query, in words: the parser lists all letters that its grammar would allow."""
    if not query.strip():
        return ": it is empty"
    if _UPDATE.match(query):
        return ": it would change the knowledge base, which follows from the log"
    if not _BEGIN.match(query):
        first = one_line(query.split(maxsplit=1)[0], SHOWN)
        return f": it begins with {first!r}, and a query with SELECT, ASK, CONSTRUCT, DESCRIBE or PREFIX"
    for said, meant in _SAID.items():
        if said in error:
            return f": {meant}"
    place = _PLACE.search(error)
    if place is None:
        return ""
    line, column = int(place[1]), int(place[2])
    rest = one_line((query.splitlines() or [""])[line - 1 : line][0][column - 1 :], SHOWN)
    return (
        f" from line {line}, column {column} on: {rest!r}" if rest else ": something is missing near its end"
    )


@cache
def _escapes_end_words() -> bool:
    """Whether the parser refuses a keyword that begins with an escape; SPARQL 1.1 allows to undo escapes first."""
    try:
        Store().query("ASK { \\u0053ERVICE ?unknown {} }")
    except SyntaxError:
        return True
    except RuntimeError:  # read as SERVICE; nothing was sent, for the variable has no value
        return False
    return False
