"""Words that name nothing by themselves, so that they are no labels: *rate*, *united*, *mol*."""

from __future__ import annotations

from functools import cache

from topicrawl.knowledge.words import terms_of
from topicrawl.topic.terms.languages import language
from topicrawl.topic.terms.stop import stop_list

ABBREVIATIONS = (
    *(
        "amu",
        "bhp",
        "btu",
        "ghz",
        "gpa",
        "gwh",
        "kbps",
        "kcal",
        "khz",
        "kmol",
        "kpa",
        "kph",
        "kwh",
        "lbs",
        "mbar",
    ),
    *(
        "mbps",
        "mhz",
        "mmol",
        "mol",
        "mpa",
        "mph",
        "mwh",
        "mya",
        "ppb",
        "ppm",
        "psi",
        "rpm",
        "syn",
        "thz",
        "twh",
    ),
)
"""Units and the like that tables abbreviate, of three letters or more; shorter words are no terms."""


def names_nothing(term: str) -> bool:
    """Whether an English word needs another one: *member* of what? Adverbs and participles do, too."""
    return term in stop_list("en").heads or not language("en").may_end(term)


@cache
def abbreviations() -> dict[str, list[str]]:
    """The abbreviations that are counted under each term: *mol* under *mole*."""
    found: dict[str, list[str]] = {}
    for word in ABBREVIATIONS:
        found.setdefault(terms_of("en").term(word), []).append(word)
    return found
