"""Ontologies for tests: the small tree of the similarity oracle, and random valid ones."""

from __future__ import annotations

from hypothesis import strategies as st

from topicrawl.topic.ontology import PROVENANCES, RELATIONS, Concept, Edge, Ontology

TREE = Ontology(
    name="tree",
    root="a",
    concepts=tuple(map(Concept, "abcdef")),
    edges=(
        Edge("b", "a"),
        Edge("c", "a", "part-of"),
        Edge("d", "b"),
        Edge("e", "b", "synonym"),
        Edge("f", "b", "induce"),
    ),
)

_LETTERS = st.characters(exclude_categories=("C", "Z"))
words = st.lists(st.text(_LETTERS, min_size=1, max_size=6), min_size=1, max_size=3).map(" ".join)
_labels = st.dictionaries(
    st.sampled_from(["", "en", "zh", "zh-hant", "de"]), st.lists(words, max_size=3).map(tuple), max_size=3
)


@st.composite
def ontologies(draw: st.DrawFn, labels: st.SearchStrategy[dict[str, tuple[str, ...]]] = _labels) -> Ontology:
    """Valid ontologies of up to ten concepts: every concept but the root is a child of earlier ones."""
    names = draw(st.lists(words, min_size=1, max_size=10, unique=True))
    edges = [
        Edge(
            child,
            parent,
            draw(st.sampled_from(sorted(RELATIONS))),
            draw(st.sampled_from(PROVENANCES)),
        )
        for at, child in enumerate(names)
        if at
        for parent in draw(st.lists(st.sampled_from(names[:at]), min_size=1, max_size=3))
    ]
    concepts = [Concept(name, draw(labels)) for name in names]
    return Ontology(draw(words), names[0], tuple(concepts), tuple(edges), draw(words), draw(words))
