"""The hash table of `Texts`: open addressing with linear probing.

A slot holds the tag of a text (31 bits of its hash; the lowest of them are the first slot to probe) and in its lower
half the text's number plus one; a free slot holds 0. native/hash_table.c does the same, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence

TAG = 0x7FFFFFFF
SHIFT = 32
NUMBER = (1 << SHIFT) - 1


def lookup(
    urls: Sequence[str], slots: memoryview[int], ends: memoryview[int], texts: memoryview[int]
) -> list[int | None]:
    """The number of each text, None where it is unknown. Text n is `texts` from `ends`[n] to `ends`[n + 1]."""
    mask, found = len(slots) - 1, list[int | None]()
    for url in urls:
        tag = hash(url) & TAG
        slot = tag & mask
        while entry := slots[slot]:
            number = (entry & NUMBER) - 1
            if entry >> SHIFT == tag and text_of(number, ends, texts) == url:
                break
            slot = (slot + 1) & mask
        found.append(number if entry else None)
    return found


def text_of(number: int, ends: memoryview[int], texts: memoryview[int]) -> str:
    """The text of this number."""
    return str(texts[ends[number] : ends[number + 1]], "utf-8", "surrogatepass")


def texts_of(first: int, end: int, ends: memoryview[int], texts: memoryview[int]) -> list[str]:
    """The texts from number `first` to before `end`."""
    return [text_of(number, ends, texts) for number in range(first, end)]


def insert(urls: Sequence[str], slots: memoryview[int], number: int) -> None:
    """Insert new texts, numbered from `number` on; more slots must be free than there are texts."""
    mask = len(slots) - 1
    for entry, url in enumerate(urls, number + 1):
        tag = hash(url) & TAG
        slot = tag & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = tag << SHIFT | entry


def insert_all(slots: memoryview[int], ends: memoryview[int], texts: memoryview[int]) -> None:
    """Insert all texts, which are different, into an empty table."""
    insert([text_of(number, ends, texts) for number in range(len(ends) - 1)], slots, 0)
