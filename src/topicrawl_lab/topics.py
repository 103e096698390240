"""The topic of a task: its words, the characteristic terms of its example pages, or an ontology of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topicrawl.crawling.offline import OfflinePages
from topicrawl.errors import TopicError
from topicrawl.model import Page, Topic
from topicrawl.setup.inputs import open_topic
from topicrawl.topic.build import build
from topicrawl.topic.corpus import gather, of_page
from topicrawl.topic.letters import OR
from topicrawl.topic.recipe import Model, Recipe
from topicrawl.topic.terms.find import Term, find_terms
from topicrawl.topic.weigh import by_structure
from topicrawl.topic.wordnet import WordNet
from topicrawl_lab.spec import EXAMPLES, LEARNED, ONTOLOGY
from topicrawl_lab.tasks import Task, TaskError

_MODELS: dict[str, Model] = {ONTOLOGY: "fca", LEARNED: "learned"}
"""The model of each kind of ontology."""


def task_topic(task: Task, source: str, offline: OfflinePages) -> Topic:
    """The topic of `task` from `source` (one of `spec.TOPICS`), with the example pages."""
    pages = example_pages(task, offline)
    try:
        return replace(_topic(task, source, pages), examples=tuple(pages))
    except TopicError as error:
        raise TaskError(f"task {task.name!r}: {error}") from None


def _topic(task: Task, source: str, pages: Sequence[Page]) -> Topic:
    if source == EXAMPLES:
        return topic_from_examples(pages, name=task.name)
    words = open_topic(task.topic_words)
    if source in _MODELS:
        wanted = Recipe(task.name, root=words.terms[0].split(OR)[0], model=_MODELS[source])
        return ontology_from_examples(pages, wanted)
    return words


def example_pages(task: Task, offline: OfflinePages) -> list[Page]:
    """The example pages of a task that are in its web."""
    found = (offline.outcome(url).page for url in task.examples)
    return [page for page in found if page is not None]


def topic_from_examples(pages: Sequence[Page], name: str) -> Topic:
    """The terms that are frequent in the pages compared with general text; the forms of a term count as one."""
    terms = find_terms([of_page(page) for page in pages], most=1.0)
    weights, by_label = terms.weights(), dict[str, Term]()
    for term in terms.terms:
        for label in term.labels:
            by_label.setdefault(label, term)
    labels = {term.name: [label for label in term.labels if by_label[label] is term] for term in terms.terms}
    kept = {OR.join(forms): weights[name] for name, forms in labels.items() if forms}
    return Topic(name, tuple(kept), tuple(kept.values()), source="examples")


def ontology_from_examples(pages: Sequence[Page], wanted: Recipe) -> Topic:
    """The topic that `topicrawl topic build` makes of the pages: terms below the root, weighted by similarity to it."""
    documents = gather(map(of_page, pages)).documents
    built = build(documents, wanted, wordnet=WordNet.load() if wanted.model == "fca" else None)
    assert built.ontology is not None
    return by_structure(built.ontology).topic("ontology")
