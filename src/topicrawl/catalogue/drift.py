"""What changed with each round, as plain data: the figures the paper draws, and which labels came and went."""

from __future__ import annotations

from typing import Any

from topicrawl.knowledge.learner import Learner


def drift(learner: Learner) -> list[dict[str, Any]]:
    """One entry a round; 0 is before the first item."""
    names = learner.items.terms
    return [
        {
            "round": each.number,
            "items": each.items,
            "layers": list(each.layers),
            "classified": each.classified,
            "labels": each.labels,
            "broader": each.broader,
            "terms": each.terms,
            "rules": each.rules,
            "similarity": round(each.similarity, 6),
            "harvest": round(each.harvest, 6),
            "terms_added": len(each.changes.terms_added),
            "terms_removed": len(each.changes.terms_removed),
            "labels_added": [names[label] for label in each.changes.labels_added],
            "labels_removed": [names[label] for label in each.changes.labels_removed],
            "broader_added": len(each.changes.broader_added),
            "broader_removed": len(each.changes.broader_removed),
            "rules_added": each.changes.rules_added,
            "rules_removed": each.changes.rules_removed,
        }
        for each in learner.rounds
    ]
