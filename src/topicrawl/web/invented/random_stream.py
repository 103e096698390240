"""Random numbers seeded by a name: the same for the same name on every machine and Python version.

Only integers and integer arithmetic are used, so the numbers do not depend on floating-point libraries or on the
version of a generator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b, shake_128
from struct import Struct
from typing import TypeVar

Item = TypeVar("Item")

_BLOCK = Struct("<96I")
_EIGHT = Struct("<8H")


def stream_name(*parts: int | str) -> bytes:
    """The bytes of a name made of `parts`, different from those of any other parts."""
    return "/".join(map(str, parts)).encode()


def hash_numbers(name: bytes) -> tuple[int, ...]:
    """Eight 16-bit numbers for `name`: cheaper than a `RandomStream` if a few are enough."""
    return _EIGHT.unpack(blake2b(name, digest_size=_EIGHT.size).digest())


class RandomStream:
    """An endless stream of 32-bit random numbers seeded by a name."""

    __slots__ = ("_block", "_name", "_pop")

    def __init__(self, name: bytes) -> None:
        self._name = name
        self._block = 0
        self._pop: Callable[[], int] = [0][:0].pop

    def roll(self) -> int:
        """The next number, 0 … 2³² − 1."""
        try:
            return self._pop()
        except IndexError:
            stream = shake_128(b"%b#%d" % (self._name, self._block))
            self._block += 1
            numbers: list[int] = list(_BLOCK.unpack(stream.digest(_BLOCK.size)))
            self._pop = numbers.pop
            return numbers.pop()

    def below(self, bound: int) -> int:
        """A number 0 … bound − 1, all equally likely."""
        return self.roll() * bound >> 32

    def between(self, bounds: tuple[int, int]) -> int:
        """A number from the first to the second bound, both included."""
        low, high = bounds
        return low + self.below(high - low + 1)

    def skewed(self, bound: int, power: int) -> int:
        """A number 0 … bound − 1, small ones more likely: the i-th has a share of about i^(1/power − 1)."""
        raised: int = self.roll() ** power
        return raised * bound >> 32 * power

    def per_mille(self, share: int) -> bool:
        """True in `share` of 1,000 cases."""
        return self.below(1000) < share

    def pick(self, items: Sequence[Item]) -> Item:
        """One of `items`, all equally likely."""
        return items[self.below(len(items))]
