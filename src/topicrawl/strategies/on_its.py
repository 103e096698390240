"""Improved tabu search over FCWSEO's link values: the predecessor of FCOITS that FCWSEO is compared with.

Paper: FCWSEO §7.2 (the rows On-ITS of Table 3). Its own paper was not available.
Differs: assumed to be FCOITS's search (its.py) with the link value, weights and threshold of FCWSEO Eq. (10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from topicrawl.strategies.fcwseo_links import FcwseoLinks
from topicrawl.strategies.its import ImprovedTabuSearch


@dataclass
class OnIts(ImprovedTabuSearch, FcwseoLinks):
    """Ontology and improved tabu search with FCWSEO's links."""

    topic_model: ClassVar[str] = "ontology"
