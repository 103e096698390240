"""Who sits where in a hash table with open addressing: the lookups of `Texts`, one text after the other.

A slot holds the tag of a text (31 bits of its hash, whose lowest say where the search for it begins) and below it the
text's number plus one; a free slot holds 0. Native code (seats.c) does the same, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence

TAG = 0x7FFFFFFF
SHIFT = 32
NUMBER = (1 << SHIFT) - 1


def find(
    urls: Sequence[str], slots: memoryview[int], ends: memoryview[int], texts: memoryview[int]
) -> list[int | None]:
    """The number of each text, None where it is unknown. Text n stands in `texts` from `ends`[n] to `ends`[n + 1]."""
    mask, found = len(slots) - 1, list[int | None]()
    for url in urls:
        tag = hash(url) & TAG
        slot = tag & mask
        while entry := slots[slot]:
            number = (entry & NUMBER) - 1
            if entry >> SHIFT == tag and spelled(number, ends, texts) == url:
                break
            slot = (slot + 1) & mask
        found.append(number if entry else None)
    return found


def spelled(number: int, ends: memoryview[int], texts: memoryview[int]) -> str:
    """The text of this number."""
    return str(texts[ends[number] : ends[number + 1]], "utf-8", "surrogatepass")


def seat(urls: Sequence[str], slots: memoryview[int], number: int) -> None:
    """Enter texts that are unknown, numbered from `number` on; more slots are free than there are texts."""
    mask = len(slots) - 1
    for place, url in enumerate(urls, number + 1):
        tag = hash(url) & TAG
        slot = tag & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = tag << SHIFT | place
