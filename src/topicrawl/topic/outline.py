"""An ontology as an indented outline, which is quick to write and to compare.

    name: rainstorm
    version: 1.0

    rainstorm disaster | 暴雨灾害
      induce: flood, floods | 洪水
        flash flood | 山洪
      part-of: warning | 预警
        = flash flood

A line is a concept below the nearest line above that is indented less: `relation: labels | labels`, English before the
bar, Chinese after it; the relation is is-a where none is named. `=` refers to a concept of another line and adds
only an edge. Settings come before the first concept. `#` starts a comment line.
"""

from __future__ import annotations

from topicrawl.errors import TopicError
from topicrawl.topic.faults import validate
from topicrawl.topic.letters import normal
from topicrawl.topic.ontology import RELATIONS, Concept, Edge, Ontology

SETTINGS = ("name", "version", "licence")
LANGUAGES = ("en", "zh")
AGAIN = "="


def read(content: bytes, source: str) -> Ontology:
    """The ontology in an outline; `TopicError` naming `source` and the line when it has a mistake."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise TopicError(f"ontology {source}: is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    outline = _Outline(source)
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            outline.take(line, f"ontology {source}, line {number}")
    return validate(outline.ontology(), source)


class _Outline:
    """The state of reading; `_open` are the concepts that may be parent of the next line, with their indents."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._settings: dict[str, str] = {}
        self._concepts: list[Concept] = []
        self._edges: list[Edge] = []
        self._open: list[tuple[int, str]] = []

    def ontology(self) -> Ontology:
        return Ontology(
            name=self._settings.get("name", self._source),
            root=self._concepts[0].name if self._concepts else "",
            concepts=tuple(self._concepts),
            edges=tuple(self._edges),
            version=self._settings.get("version", ""),
            licence=self._settings.get("licence", ""),
        )

    def take(self, line: str, place: str) -> None:
        head, colon, tail = line.partition(":")
        if not self._concepts and colon and head.strip() in SETTINGS:
            self._settings[head.strip()] = tail.strip()
            return
        relation, labels = (head.strip(), tail.strip()) if colon else ("is-a", line.strip())
        if relation not in RELATIONS:
            raise TopicError(f"{place}: unknown relation {relation!r}; known are {', '.join(RELATIONS)}")
        indent = len(line) - len(line.lstrip())
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        name = self._name(labels, place)
        if self._open:
            self._edges.append(Edge(name, self._open[-1][1], relation))
        elif len(self._concepts) > 1 or labels.startswith(AGAIN):
            raise TopicError(f"{place}: {name!r} is a second root; indent it below its parent")
        self._open.append((indent, name))

    def _name(self, text: str, place: str) -> str:
        """The name of the concept on a line; adds the concept unless the line refers to another."""
        if text.startswith(AGAIN):
            return normal(text.removeprefix(AGAIN))
        parts = [[label.strip() for label in part.split(",") if label.strip()] for part in text.split("|")]
        if len(parts) > len(LANGUAGES) or not parts[0]:
            raise TopicError(f"{place}: {text!r} is no concept; write English labels | Chinese labels")
        labels = {language: tuple(part) for language, part in zip(LANGUAGES, parts, strict=False)}
        self._concepts.append(Concept(normal(parts[0][0]), labels))
        return self._concepts[-1].name
