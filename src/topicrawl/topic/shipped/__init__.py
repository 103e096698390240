"""The ontologies that come with the package, written by hand.

Their sizes are those that the papers report: FCWSEO's rainstorm ontology has 71 concepts on 7 levels, the two
of FCITS_OH 50 on 6 (rainstorm) and 61 on 7 (tourism). The papers do not publish the concepts; these are written by us.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from topicrawl.topic import outline
from topicrawl.topic.ontology import Ontology

SHIPPED = ("rainstorm", "rainstorm-50", "tourism")


@cache
def ontology(name: str) -> Ontology:
    """The shipped ontology called `name`, one of `SHIPPED`."""
    return outline.read(files(__name__).joinpath(f"{name}.txt").read_bytes(), source=f"built-in {name}")
