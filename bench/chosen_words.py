"""Words chosen to share slots of the native table of words, beside words that are not: `python -m bench.chosen_words`.

The chosen ones had the same last bits by the hash that the table once had, without a key. Prints the processor time of
reading a text of each, and the ratio.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from topicrawl._native import Words
from topicrawl.topic.letters import fold, kind_block

Letters = npt.NDArray[np.uint64]
WORDS = 4_000
ROUNDS = 5


def main() -> None:
    """Read both texts and print."""
    chosen, others = (
        cheapest(text(holds)) for holds in (_collide, lambda letters: letters % np.uint64(5) == 0)
    )
    print(
        f"{WORDS} words: chosen {chosen * 1e3:.2f} ms, others {others * 1e3:.2f} ms, {chosen / others:.1f} times"
    )


def cheapest(words: str) -> float:
    """The least processor time of reading a text, in seconds."""
    seconds = []
    for _ in range(ROUNDS):
        table = Words(lambda new: list(range(len(new))), fold, kind_block, False)
        began = time.process_time()
        table.read(words)
        seconds.append(time.process_time() - began)
    return min(seconds)


def text(holds: Callable[[Letters], npt.NDArray[np.bool_]]) -> str:
    """The first words of eight letters for which this holds."""
    found: list[bytes] = []
    block = 0
    while len(found) < WORDS:
        numbers = np.arange(block << 18, (block + 1) << 18, dtype=np.uint64)
        letters = np.zeros(len(numbers), np.uint64)
        for place in range(8):
            letters |= (numbers % np.uint64(26) + np.uint64(97)) << np.uint64(8 * place)
            numbers //= np.uint64(26)
        found += [int(word).to_bytes(8, "little") for word in letters[holds(letters)]]
        block += 1
    return b" ".join(found[:WORDS]).decode()


def _collide(letters: Letters) -> npt.NDArray[np.bool_]:
    return _multiplied(_multiplied(letters)) & np.uint64(0x1FFF) == 0


def _multiplied(letters: Letters) -> Letters:
    product = letters * np.uint64(0x9E3779B97F4A7C15)
    return (product ^ product >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)


if __name__ == "__main__":
    main()
