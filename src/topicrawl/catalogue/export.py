"""The whole knowledge base as a file: vocabulary, items, links, labels, hierarchy and rules."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from pyoxigraph import RdfFormat, Triple, serialize

from topicrawl.catalogue.state import LearnedRun
from topicrawl.catalogue.triples import item_triples, model_triples
from topicrawl.errors import ConfigError
from topicrawl.knowledge.swrl import swrl
from topicrawl.knowledge.vocabulary import PREFIXES
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.topic.owl.xml import rdf_xml

FORMATS = ("ttl", "owl")


def export(learned: LearnedRun, form: str, path: Path) -> int:
    """Write the knowledge base to `path`; returns how many triples it has."""
    if form not in FORMATS:
        raise ConfigError(f"--format {form!r} is unknown; choose one of {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise ConfigError(
            f"--out {str(path)!r}: there is no folder {str(path.parent)!r}; make it, or name another"
        )
    names = learned.learner.items.names()
    triples = dict.fromkeys(
        chain(item_triples(learned), model_triples(learned), swrl(learned.learner.model, names))
    )
    text = rdf_xml(triples, PREFIXES) if form == "owl" else _turtle(triples)
    with disk_errors(path):
        write_atomically(path, text)
    return len(triples)


def _turtle(triples: Iterable[Triple]) -> bytes:
    return serialize(triples, format=RdfFormat.TURTLE, prefixes=PREFIXES) or b""
