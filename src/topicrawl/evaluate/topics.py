"""The topic of a task: its words, or terms weighed from its example pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log, sqrt

from topicrawl.evaluate.shelf import Shelf
from topicrawl.evaluate.spec import EXAMPLES
from topicrawl.evaluate.tasks import Task, TaskError
from topicrawl.inputs import open_topic
from topicrawl.model import Page, Topic

TERMS = 100
"""Terms of a topic made from examples."""
LEAST = 3
"""Examples a term stands in, at least; fewer where there are few examples."""
_WORD = re.compile(r"[^\W\d_]{3,}")


def task_topic(task: Task, source: str, shelf: Shelf) -> Topic:
    """The topic of `task`, made of its words or of its examples (see `spec.TOPICS`)."""
    if source == EXAMPLES:
        return topic_from_examples(example_pages(task, shelf), name=task.name)
    return open_topic(task.topic_words)


def example_pages(task: Task, shelf: Shelf) -> list[Page]:
    """The example pages that the web holds."""
    found = (shelf.outcome(url).page for url in task.examples)
    return [page for page in found if page is not None]


def topic_from_examples(pages: Sequence[Page], name: str) -> Topic:
    """The centroid of the pages' TF-IDF vectors, its heaviest terms. The pages themselves are all there is to go by."""
    bags = [Counter(_WORD.findall(page.text.lower())) for page in pages]
    frequency = Counter(term for bag in bags for term in bag)
    centroid: dict[str, float] = defaultdict(float)
    for bag in bags:
        weights = {term: count * log(len(bags) / frequency[term]) for term, count in bag.items()}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        for term, weight in weights.items():
            centroid[term] += weight / length
    least = min(LEAST, len(bags))
    shared = [term for term, weight in centroid.items() if frequency[term] >= least and weight > 0]
    heaviest = sorted(shared, key=lambda term: (-centroid[term], term))[:TERMS]
    if not heaviest:
        raise TaskError(f"task {name!r}: its examples share no words; give more of them, or topic=words")
    return Topic(name, tuple(heaviest), tuple(centroid[term] for term in heaviest), source="examples")
