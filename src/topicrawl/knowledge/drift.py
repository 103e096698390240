"""Changes by round, as plain data: the figures of the paper's plots, and labels added and removed."""

from __future__ import annotations

from typing import Any

import numpy as np

from topicrawl.knowledge.learner import Learner

FEW = 5
"""Items of a round below which it does not show what the last pages of a crawl are about."""
COLLAPSED = 0.25
"""Share of the best round's similarity below which the last pages are about something else."""


def drift(learner: Learner) -> list[dict[str, Any]]:
    """One entry a round; 0 is before the first item."""
    names = learner.items.names()
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


def warnings(learner: Learner) -> list[str]:
    """Sentences for a user whose crawl found nothing like the query, or later only other things."""
    rounds = [each for each in learner.rounds[1:] if each.items >= FEW]
    found: list[str] = []
    grows = learner.settings.relevance < 1
    if grows and len(rounds) > 1 and all(each.layers[0] == learner.queries for each in rounds):
        found.append(
            f"no page was similar enough to join layer 0 (relevance above {learner.settings.relevance:g}); lower it "
            "with --set relevance=…, or give other seeds or a longer query"
        )
    best = max(learner.rounds, key=lambda each: each.similarity)
    if rounds and rounds[-1].similarity < COLLAPSED * best.similarity:
        found.append(
            f"similarity to the query fell from {best.similarity:.3f} in round {best.number} to "
            f"{rounds[-1].similarity:.3f} in round {rounds[-1].number}: the last pages are about something else; "
            "stop earlier, or give more examples"
        )
    return found


def label_sizes(learner: Learner) -> dict[str, int]:
    """How many items of the crawl have each label, the most common first."""
    labels, names = learner.labels()[learner.queries :], learner.items.names()
    counted = np.asarray(labels.sum(axis=0)).ravel().astype(int).tolist()
    sizes = {names[label]: size for label, size in zip(learner.model.labels, counted, strict=True)}
    return dict(sorted(sizes.items(), key=lambda each: (-each[1], each[0])))


def broader_names(learner: Learner) -> dict[str, list[str]]:
    """The broader labels of each label that has any, by name."""
    names, found = learner.items.names(), dict[str, list[str]]()
    for broad, narrow in sorted(learner.model.broader):
        found.setdefault(names[narrow], []).append(names[broad])
    return found
