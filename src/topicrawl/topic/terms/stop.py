"""Stop words: a list for each of 24 languages, and those the user adds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from topicrawl.topic.letters import fold

LISTS = (
    *("ar", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "hu", "it"),
    *("ja", "ko", "nl", "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh"),
)
TOGETHER = {"nb": "no", "nn": "no", "sk": "cs"}
"""Languages whose words are in the list of another."""
HEADS = "[heads]"

_DOUBLED = re.compile(r"[^aeiou][aeiou][bdglmnprt]")


@dataclass(frozen=True, slots=True)
class StopList:
    """`words` are no terms and neither begin nor end a phrase; `heads` may end one, as in "atomic number"."""

    words: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()


@cache
def stop_list(language: str) -> StopList:
    """The list for `language`; an empty one where there is none."""
    language = TOGETHER.get(language, language)
    if language not in LISTS:
        return StopList()
    return parse(files(__package__).joinpath(f"data/stop.{language}.txt").read_text("utf-8"))


def parse(text: str) -> StopList:
    """The list in `text`: words in sections; the section `[heads]` gives `heads`."""
    words: set[str] = set()
    heads: set[str] = set()
    section = words
    for line in text.splitlines():
        if line.startswith("["):
            section = heads if line == HEADS else words
        elif not line.startswith("#"):
            section.update(_expanded(fold(line).split()))
    return StopList(frozenset(words - heads), frozenset(heads))


def _expanded(entries: Iterable[str]) -> Iterator[str]:
    for entry in entries:
        if entry.startswith("+"):
            yield from _forms_of_verb(entry[1:])
        else:
            yield entry
            if "'" in entry:
                yield entry.replace("'", "’")


def _forms_of_verb(verb: str) -> Iterator[str]:
    """The regular forms of an English verb; where its last letter may be doubled, both spellings."""
    yield verb
    if verb.endswith("e"):
        yield from (verb + "s", verb + "d", verb[:-1] + "ing")
    elif verb.endswith("y") and verb[-2] not in "aeou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
    else:
        yield verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
        for stem in {verb, verb + verb[-1] if _DOUBLED.fullmatch(verb[-3:]) else verb}:
            yield from (stem + "ed", stem + "ing")
