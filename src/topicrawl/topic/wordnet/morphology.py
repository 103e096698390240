"""From an inflected word to the words it may come from: WordNet's own method, exceptions first, then endings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
_ANY = ("s", "men", "ed", "ing", "er", "est")
"""What a word ends in that has one of the endings."""

Exceptions = Mapping[tuple[str, str], tuple[str, ...]]
"""Part of speech and inflected form -> base forms."""


def read_exceptions(text: str) -> Exceptions:
    """The exceptions in lines of `pos inflected base…`."""
    rows = (line.split("\t") for line in text.splitlines())
    return {(pos, inflected): tuple(bases) for pos, inflected, *bases in rows}


def looks_inflected(word: str) -> bool:
    """Whether `word` has an ending that some part of speech may have put there."""
    return word.endswith(_ANY)


def base_forms(word: str, pos: str, exceptions: Exceptions, *, known: bool) -> Iterator[str]:
    """What `word` may be a form of, other than itself; the caller knows which of them exist.

    `known` says that `word` exists itself, as any part of speech: a number is then not what is more numb.
    """
    if bases := exceptions.get((pos, word)):
        yield from bases
    elif not _is_bare(word, pos) and not (pos == "a" and known):
        for ending, base in ENDINGS[pos]:
            if word.endswith(ending):
                yield word.removesuffix(ending) + base


def _is_bare(word: str, pos: str) -> bool:
    """Whether a noun only looks like a plural: as, bus, boss."""
    return pos == "n" and (len(word) <= 2 or word.endswith("ss"))
