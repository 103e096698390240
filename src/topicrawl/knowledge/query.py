"""The query of a crawl, as items: its example pages, or without any the topic's words."""

from __future__ import annotations

from topicrawl.knowledge.items import Counts
from topicrawl.knowledge.terms import count_terms, page_terms
from topicrawl.model import Topic
from topicrawl.page.language import spoken
from topicrawl.topic.letters import OR

TIMES = 10
"""Occurrences of the heaviest word in the item made of a topic without examples."""


def example_items(topic: Topic) -> list[tuple[str, Counts]]:
    """URL and terms of each example; without any, one item of the topic's words, with counts by weight."""
    if topic.examples:
        return [(page.url, page_terms(page)) for page in topic.examples]
    heaviest, counts = max(topic.weights, default=1.0), dict[str, int]()
    for term, weight in zip(topic.terms, topic.weights, strict=True):
        text = term.split(OR)[0]
        for word in count_terms(text, spoken("", text) or "en"):
            counts[word] = counts.get(word, 0) + max(1, round(TIMES * weight / heaviest))
    return [("", counts)]
