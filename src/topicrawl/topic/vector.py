"""The topic of an ontology: every concept is one term, its labels are spellings, its weight is Sem(root, concept).

The papers' topic vector has one entry per concept. Labels share the entry of their concept: were they separate terms, a
page in one language could never match a topic labelled in two.
"""

from __future__ import annotations

from collections.abc import Mapping

from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.topic.letters import OR, apart
from topicrawl.topic.ontology import Ontology


def topic(
    ontology: Ontology,
    weights: Mapping[str, float],
    languages: tuple[str, ...] | None = None,
    *,
    source: str = "ontology",
) -> Topic:
    """The topic of an ontology, largest weight first, with labels in these languages (None: in all).

    A label that two concepts share counts for the heavier; concepts left without label, and those not in `weights`
    or weighing 0, are left out.
    """
    heaviest_first = sorted(weights.items(), key=lambda item: (-item[1], item[0] != ontology.root, item[0]))
    concepts = ((ontology.by_name.get(name), weight) for name, weight in heaviest_first if weight > 0)
    terms = apart((OR.join(concept.spellings(languages)), weight) for concept, weight in concepts if concept)
    if not terms:
        asked = f" in {', '.join(languages)}" if languages else ""
        raise TopicError(f"topic {source}: no concept of {ontology.name!r} has a label{asked}; add some")
    return Topic(ontology.name, tuple(terms), tuple(terms.values()), source)
