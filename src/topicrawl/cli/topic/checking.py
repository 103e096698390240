"""The checks of `topicrawl topic check`: the ontology, also an invalid one, its corpus, and WordNet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from topicrawl.setup.inputs import ONTOLOGY_FILES, open_weighed
from topicrawl.setup.topic_folder import TopicFolder, is_topic_folder
from topicrawl.topic import overrides, owl
from topicrawl.topic.check import Finding, check
from topicrawl.topic.faults import faults
from topicrawl.topic.ontology import Ontology
from topicrawl.topic.recipe import FLAT
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.enrich import advise


def findings(topic: str) -> tuple[Ontology, list[Finding]]:
    """The ontology of the topic called `topic`, and what the checks found."""
    path = Path(topic)
    if is_topic_folder(path):
        folder = TopicFolder(path)
        ontology = _as_used(folder)
        return ontology, check(ontology, _seen(folder) if folder.has_terms else None)
    if path.suffix in ONTOLOGY_FILES and path.is_file():
        ontology = owl.read(path.read_bytes(), topic, name=path.stem, checked=False)
    else:
        ontology = open_weighed(topic).ontology
    return ontology, check(ontology)


def disputes(ontology: Ontology) -> Iterator[str]:
    """Pairs of concepts that WordNet has in the opposite order."""
    wordnet = WordNet.load()
    for edge in advise(wordnet, ontology).disputed if wordnet else ():
        yield f"WordNet calls {edge.child!r} a kind of {edge.parent!r}; this ontology has it the other way round"


def _as_used(folder: TopicFolder) -> Ontology:
    """The ontology with the overrides, as a crawl uses it; an invalid one as it is in its file."""
    if folder.recipe.model in FLAT:
        return folder.weighed.ontology
    ontology = folder.ontology(checked=False)
    return ontology if any(faults(ontology)) else overrides.apply(ontology, folder.overrides)


def _seen(folder: TopicFolder) -> dict[str, int]:
    """The number of documents that contain each term."""
    return {label: len(term.documents) for term in folder.terms.terms for label in term.labels}
