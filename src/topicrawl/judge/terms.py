"""The judge `terms`: the papers' relevance, a cosine with the topic's terms (page/relevance.py)."""

from __future__ import annotations

from collections.abc import Sequence

from topicrawl.judge import OwnJudge, Seen


class ByTerms(OwnJudge):
    """Repeats the relevance by terms; learns nothing."""

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        return [each.term_relevance for each in seen]
