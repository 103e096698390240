"""Pages of the crawl that stand in for examples, and what each of these counts.

Where there are few examples, seeds with the topic's terms complete them, and then other pages. And a topic may be
spelled in several scripts, while seeds and examples are in one of them: a page in another script shares no word with
these, however much it is about the topic, so it is compared with pages of its own script, a group of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topicrawl.frontier import Floats

ALONE = 0.3
"""Assumed similarity of two relevant pages, relative to self-similarity, where there is only one example."""


def in_order(terms: Sequence[float], is_chosen: Sequence[bool]) -> list[int]:
    """The pages with terms of the topic: those that somebody chose first, then by relevance by terms."""
    relevance = np.array(terms)
    about = np.flatnonzero(relevance > 0)
    chosen = np.array(is_chosen, np.bool_)[about]
    found: list[int] = about[np.lexsort((-relevance[about], ~chosen))].tolist()
    return found


def of_other_scripts(
    number: int, known: int, scripts: Sequence[int], terms: Sequence[float]
) -> list[list[int]]:
    """For scripts that are not `known` (bits): at most `number` pages in these alone, by relevance by terms.

    None of them has less than the pages in known scripts have on average.
    """
    script, relevance = np.array(scripts, np.int64), np.array(terms)
    alike = relevance[(script & known > 0) & (relevance > 0)]
    least = float(alike.mean()) if len(alike) else 0.0
    found = []
    for other in sorted({each for each in scripts if each and not each & known}):
        pages = np.flatnonzero((script == other) & (relevance >= least))
        found.append(pages[np.argsort(-relevance[pages], kind="stable")][:number].tolist())
    return [pages for pages in found if pages]


class ExampleGroups:
    """Examples in groups, each of which counts as much as the first; one of fewer than `enough` in proportion."""

    def __init__(self, sizes: Sequence[int], enough: int) -> None:
        parts = [1.0, *(min(1.0, size / enough) for size in sizes[1:])]
        first = max(sizes[0], 1)
        self.weights: Floats = np.repeat(
            [part * first / max(size, 1) for part, size in zip(parts, sizes, strict=True)], sizes
        )
        """Of each example."""
        self._total = first * sum(parts)
        self._sizes = np.repeat(sizes, sizes)

    def mean(self, sums: Floats) -> Floats:
        """What weighted sums over all examples are on average."""
        return sums / self._total

    def mean_of(self, figures: Floats) -> float:
        """The weighted mean of a figure of each example."""
        return float((figures * self.weights).sum() / self._total)

    def to_others(self, to_centre: Floats, own: Floats) -> Floats:
        """The projection of each example on the mean without it; `to_centre` are those on the mean, `own` squares.

        Groups have no words in common.
        """
        own = own * (self._sizes * self.weights / self._total)
        several = np.maximum(self._sizes - 1, 1)
        others: Floats = np.where(self._sizes > 1, (self._sizes * to_centre - own) / several, ALONE * own)
        return others
