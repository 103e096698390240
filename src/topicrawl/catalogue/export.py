"""The whole knowledge base as a file: vocabulary, items, links, labels, hierarchy and rules."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from pyoxigraph import RdfFormat, serialize

from topicrawl.catalogue.state import Following
from topicrawl.catalogue.triples import item_triples, model_triples
from topicrawl.errors import ConfigError
from topicrawl.knowledge.swrl import swrl
from topicrawl.knowledge.vocabulary import PREFIXES
from topicrawl.store.disk import disk_errors, write_atomically

FORMATS = {"ttl": RdfFormat.TURTLE, "owl": RdfFormat.RDF_XML}


def export(following: Following, form: str, path: Path) -> int:
    """Write the knowledge base to `path`; returns how many triples it has."""
    if form not in FORMATS:
        raise ConfigError(f"--format {form!r} is unknown; choose one of {', '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise ConfigError(
            f"--out {str(path)!r}: there is no folder {str(path.parent)!r}; make it, or name another"
        )
    names = following.learner.items.terms
    triples = dict.fromkeys(
        chain(item_triples(following), model_triples(following), swrl(following.learner.model, names))
    )
    text = serialize(triples, format=FORMATS[form], prefixes=PREFIXES) or b""
    with disk_errors(path):
        write_atomically(path, text)
    return len(triples)
