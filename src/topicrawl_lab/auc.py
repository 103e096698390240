"""How well a topic tells pages about it from others: the area under the ROC curve of their relevance.

It is the chance that a page about the topic is rated above one that is not; 0.5 is guessing, 1 is perfect. Unlike a
harvest rate it needs no threshold and no crawl, only pages that were judged.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from topicrawl.model import Page, Topic
from topicrawl.page.relevance import PageRelevance
from topicrawl.topic.matcher import Matcher


def topic_auc(topic: Topic, pages: Iterable[tuple[Page, bool]]) -> float:
    """The area for `topic` over pages and whether they are about it."""
    matcher, relevance = Matcher(topic.terms), PageRelevance(topic)
    judged = [(relevance(matcher.count(page)), truth) for page, truth in pages]
    return page_auc([score for score, _ in judged], [truth for _, truth in judged])


def page_auc(scores: npt.ArrayLike, truth: npt.ArrayLike) -> float:
    """The area under the ROC curve of `scores`; ties count half. 0.5 where all pages are of one kind."""
    values, true = np.asarray(scores, dtype=np.float64), np.asarray(truth, dtype=bool)
    good, bad = np.count_nonzero(true), np.count_nonzero(~true)
    if not good or not bad:
        return 0.5
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return float((ranks[places][true].sum() - good * (good + 1) / 2) / (good * bad))
