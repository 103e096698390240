"""Base forms of inflected words, by WordNet's method (morphy): exceptions first, then endings."""

from __future__ import annotations

from collections.abc import Mapping

# fmt: off
ENDINGS = {
    "n": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
          ("men", "man"), ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
# fmt: on
"""Ending of a form, ending of its base."""
_BY_LAST_LETTERS = {
    letters: tuple(
        (pos, ending, base)
        for pos, rules in ENDINGS.items()
        for ending, base in rules
        if ending[-2:] == letters or letters.endswith(ending)
    )
    for letters in {ending[-2:] for rules in ENDINGS.values() for ending, _ in rules}
}
"""The last two letters of a form, or else the last one -> part of speech, ending of a form, ending of its base."""

Exceptions = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Inflected form -> part of speech -> base forms."""
_REGULAR: Mapping[str, tuple[str, ...]] = {}


def read_exceptions(text: str) -> Exceptions:
    """The exceptions in lines of `pos inflected base…`."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for pos, inflected, *bases in (line.split("\t") for line in text.splitlines()):
        found.setdefault(inflected, {})[pos] = tuple(bases)
    return found


def base_forms(word: str, exceptions: Exceptions, *, known: bool) -> list[tuple[str, str]]:
    """What `word` may be a form of, other than itself, and as which part of speech; the caller checks which exist.

    `known`: `word` itself exists, as any part of speech; "number" is then not the comparative of "numb".
    """
    irregular = exceptions.get(word, _REGULAR)
    found = [(pos, base) for pos, bases in irregular.items() for base in bases] if irregular else []
    for pos, ending, base in _BY_LAST_LETTERS.get(word[-2:]) or _BY_LAST_LETTERS.get(word[-1:], ()):
        if word.endswith(ending) and not (pos in irregular or _is_bare(word, pos) or (pos == "a" and known)):
            found.append((pos, word.removesuffix(ending) + base))
    return found


def _is_bare(word: str, pos: str) -> bool:
    """Whether a noun only looks like a plural: as, bus, boss."""
    return pos == "n" and (len(word) <= 2 or word.endswith("ss"))
