"""What a crawl is asked for, as items: the example pages it was shown, or where there are none its topic's words."""

from __future__ import annotations

from topicrawl.knowledge.items import Counts
from topicrawl.knowledge.terms import count_terms, page_terms
from topicrawl.model import Topic
from topicrawl.topic.corpus import spoken
from topicrawl.topic.letters import OR

TIMES = 10
"""How often the heaviest word of a topic stands in the text that a topic without examples is taken for."""


def example_items(topic: Topic) -> list[tuple[str, Counts]]:
    """URL and terms of each example; of a topic without any, one item of its words, each as often as it weighs."""
    if topic.examples:
        return [(page.url, page_terms(page)) for page in topic.examples]
    heaviest, counts = max(topic.weights, default=1.0), dict[str, int]()
    for term, weight in zip(topic.terms, topic.weights, strict=True):
        text = term.split(OR)[0]
        for word in count_terms(text, "zh" if spoken("", text) == "zh" else "en"):
            counts[word] = counts.get(word, 0) + max(1, round(TIMES * weight / heaviest))
    return [("", counts)]
