"""A topic as an interactive graph: one HTML file that loads nothing.

    Weighed ─► layout (positions) ─► JSON in the page ─► graph.js draws, zooms, searches

Labels may come from untrusted documents. They are passed as JSON and inserted as text, and the page's
Content-Security-Policy allows no script but ours (by its hash) and no network.
"""

from __future__ import annotations

import base64
import hashlib
import json
from string import Template
from typing import Any

from topicrawl.report.templates import template
from topicrawl.report.topic_graph.layout import LARGEST, lay_out, shown
from topicrawl.safe_text import xml_escaped
from topicrawl.topic.ontology import RELATIONS, Concept, Ontology
from topicrawl.topic.similarity import Factors
from topicrawl.topic.weigh import Weighed

SMALLEST = 3.0
"""Radius of the lightest concept, in pixels."""
LANGUAGE_NAMES = {"en": "English", "zh": "中文", "": "other"}


def graph(weighed: Weighed) -> str:
    """The graph of a topic as HTML text."""
    ontology = weighed.ontology
    style, script = template("tokens.css") + template("graph.css", __name__), template("graph.js", __name__)
    return Template(template("graph.html", __name__)).substitute(
        policy=_policy(style, script),
        title=xml_escaped(ontology.name),
        shape=f"{len(ontology.concepts):,} concepts on {ontology.levels} levels",
        legend=_legend(ontology),
        style=style,
        script=script,
        data=_json(_data(weighed)),
    )


def _data(weighed: Weighed) -> dict[str, Any]:
    ontology = weighed.ontology
    languages = sorted({tag for concept in ontology.concepts for tag in concept.labels})
    layout = lay_out(
        ontology,
        lambda name: tuple(_labels(ontology.by_name[name], languages).values()),
        lambda name: weighed.weights.get(name, 0.0),
    )
    radii = _radii(weighed)
    numbers = {name: number for number, name in enumerate(layout.places)}
    nodes = [
        {
            "x": round(place.x, 1),
            "y": round(place.y, 1),
            "side": place.side,
            "r": round(radii[name], 2),
            "weight": round(weighed.weights.get(name, 0.0), 4),
            "factors": [round(value, 4) for value in weighed.factors[name][:5]]
            if name in weighed.factors
            else [],
            "shown": {tag: shown(label) for tag, label in _labels(ontology.by_name[name], languages).items()},
            "labels": {tag: list(labels) for tag, labels in ontology.by_name[name].labels.items()},
            "name": name,
        }
        for name, place in layout.places.items()
    ]
    edges = [
        {
            "child": numbers[edge.child],
            "parent": numbers[edge.parent],
            "relation": edge.relation,
            "provenance": edge.provenance,
            "main": layout.places[edge.child].parent == edge.parent,
        }
        for edge in ontology.edges
        if edge.child in numbers and edge.parent in numbers
    ]
    return {
        "nodes": nodes,
        "edges": edges,
        "width": round(layout.width),
        "height": round(layout.height),
        "languages": [[tag, LANGUAGE_NAMES.get(tag, tag)] for tag in languages],
        "factors": list(Factors._fields[:5]),
    }


def _labels(concept: Concept, languages: list[str]) -> dict[str, str]:
    """The label in each language; that of another language if there is none."""
    return {
        tag: concept.labels[tag][0] if tag in concept.labels else concept.name for tag in languages or [""]
    }


def _radii(weighed: Weighed) -> dict[str, float]:
    """The size of each concept: from the lightest to the heaviest besides the root, which is as large as can be."""
    weights, root = weighed.weights, weighed.ontology.root
    others = [weights.get(name, 0.0) for name in weighed.ontology.by_name if name != root] or [0.0]
    low, span = min(others), max(others) - min(others)
    share = {
        name: (weights.get(name, 0.0) - low) / span if span else 0.5 for name in weighed.ontology.by_name
    }
    return {
        name: LARGEST if name == root else SMALLEST + (LARGEST - SMALLEST) * share[name]
        for name in weighed.ontology.by_name
    }


def _legend(ontology: Ontology) -> str:
    used = {edge.relation for edge in ontology.edges}
    return "".join(f'<li class="{name}"><i></i>{name}</li>' for name in RELATIONS if name in used)


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: nothing from the network, inline code only by hash."""
    allowed = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "img-src": "data:",
    }
    allowed |= {"base-uri": "'none'", "form-action": "'none'"}
    return "; ".join(f"{what} {source}" for what, source in allowed.items())


def _hash(code: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() + "'"


def _json(value: Any) -> str:
    """JSON escaped for a script element, so that nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
