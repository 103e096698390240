"""What a short text names, as a noun of WordNet."""

from __future__ import annotations

from collections.abc import Callable, Iterator

LONGEST = 4
"""Words of a name in WordNet, at most."""


def noun_named(
    words: list[str], first_noun: Callable[[str], int | None], begins_phrase: Callable[[str], bool]
) -> int | None:
    """The first sense as a noun of a name with these words, or else of its longest part, the last among equals.

    Native code has this function for names of Latin letters, with the tables instead of what looks in them.
    """
    for part in _parts(words, begins_phrase):
        if (sense := first_noun(part)) is not None:
            return sense
    return None


def _parts(found: list[str], begins_phrase: Callable[[str], bool]) -> Iterator[str]:
    """The parts of a text that may be a name, the longest first."""
    begins = [begins_phrase(word) for word in found] if len(found) > 1 else []
    for length in range(min(len(found), LONGEST), 1, -1):
        for start in range(len(found) - length, -1, -1):
            if begins[start]:
                yield " ".join(found[start : start + length])
    yield from reversed(found)
