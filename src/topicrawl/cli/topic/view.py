"""A topic on the terminal: its tree, its weights, and how it scores a page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from topicrawl.cli.output import Output
from topicrawl.cli.tables import show_columns
from topicrawl.errors import TopicError
from topicrawl.model import GROUPS, Page, Topic, ints
from topicrawl.page.relevance import TAG_WEIGHTS, PageRelevance
from topicrawl.safe_text import one_line
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.terminal import say, terminal
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.ontology import Concept, Edge
from topicrawl.topic.similarity import Factors
from topicrawl.topic.weigh import Weighed

GROUP_NAMES = ("title, h1, meta", "h2, h3", "h4–h6, strong", "p, td, li", "elsewhere")
"""Names of the five tag groups."""


def show_tree(weighed: Weighed, console: Console | None = None) -> None:
    """Print concepts below their parents, with the relation where it is not is-a.

    The subtree of a concept with several parents is printed once, below the first of smallest depth.
    """
    ontology = weighed.ontology
    console = console or terminal()
    shape = f"{len(ontology.concepts):,} concepts on {ontology.levels} levels"
    console.print(Text.assemble((ontology.name, "bold"), f"  {shape}"))
    below: dict[str, list[Edge]] = {name: [] for name in ontology.by_name}
    for edge in ontology.edges:
        below[edge.parent].append(edge)
    shown: set[str] = set()

    def add(branch: Tree, name: str) -> None:
        shown.add(name)
        edges = sorted(below[name], key=lambda edge: (-weighed.weights[edge.child], edge.child))
        for edge in edges:
            first = edge.child not in shown and ontology.depths[edge.child] == ontology.depths[name] + 1
            leaf = branch.add(_line(weighed, edge.child, edge.relation, again=not first))
            if first:
                add(leaf, edge.child)

    tree = Tree(_line(weighed, ontology.root, "is-a", again=False), guide_style="dim")
    add(tree, ontology.root)
    console.print(tree)


def _line(weighed: Weighed, name: str, relation: str, *, again: bool) -> Text:
    line = Text(overflow="ellipsis", no_wrap=True)
    if relation != "is-a":
        line.append(f"{relation}: ", "cyan")
    if again:
        return line.append(f"= {name}", "dim")
    concept = weighed.ontology.by_name[name]
    line.append(name, "bold" if name == weighed.ontology.root else "")
    if weighed.weights[name]:
        line.append(f"  {weighed.weights[name]:.3f}", "green")
    return line.append(f"  {_other_labels(concept)}", "dim")


def _other_labels(concept: Concept) -> str:
    return " · ".join(label for label in concept.spellings() if label != concept.name)


def show_weights(weighed: Weighed, console: Console | None = None) -> None:
    """Print a row per concept, by descending weight; with factors if the weights are computed from them."""
    factors = Factors._fields[:5] if weighed.factors else ()
    rows = [["concept", "weight", *factors]]
    for name, weight in sorted(weighed.weights.items(), key=lambda item: (-item[1], item[0])):
        found = weighed.factors.get(name, ())[: len(factors)]
        rows.append([name, f"{weight:.4f}", *(f"{value:.3f}" for value in found)])
    show_columns(rows, console, right=range(1, len(rows[0])))


def show_score(topic: Topic, page: Page, console: Console | None = None) -> None:
    """Print the relevance of a page, and a row for each term in it: counts per tag group and share of the score."""
    console = console or terminal()
    counts = Matcher(topic.terms).count(page)
    measure = PageRelevance(topic)
    relevance = measure(counts)
    console.print(
        Text.assemble((f"relevance {relevance:.4f}", "bold"), f"  {one_line(page.title or page.url, 200)}")
    )
    present = ints(counts.terms)
    if not len(present):
        console.print(
            f"this page contains none of the {len(topic.terms):,} terms of {topic.name}", soft_wrap=True
        )
        return
    rows = [["term", "weight", *GROUP_NAMES, "in page", "share"]]
    weights = measure.explain(counts)
    gains = {int(term): weights[topic.terms[term]] * topic.weights[term] for term in present}
    total = sum(gains.values()) or 1.0
    groups = dict(zip(gains, ints(counts.groups).reshape(-1, GROUPS).tolist(), strict=True))
    for term, gain in sorted(gains.items(), key=lambda item: -item[1]):
        name = topic.terms[term]
        where = (str(count) if count else "·" for count in groups[term])
        cells = (name.partition(OR)[0], f"{topic.weights[term]:.3f}", *where)
        rows.append([*cells, f"{weights[name]:.2f}", f"{gain / total:.0%}"])
    show_columns(rows, console, right=range(1, len(rows[0])))
    counted = ", ".join(f"{weight:g}" for weight in TAG_WEIGHTS)
    console.print(
        f"{len(present):,} of {len(topic.terms):,} terms in {counts.length:,} words; "
        f"weights of the five tag groups: {counted}",
        style="dim",
        soft_wrap=True,
    )


def lattice(topic: str, name: str) -> str:
    """The concept lattice of a topic built from documents, as SVG."""
    from topicrawl.setup.topic_folder import TopicFolder
    from topicrawl.topic.build import CONTEXT
    from topicrawl.topic.fca.covers import build_lattice
    from topicrawl.topic.fca.draw import hasse

    if not (Path(topic) / CONTEXT).exists():
        raise TopicError(
            f"topic {topic!r} has no lattice: there is no {CONTEXT}; build a topic from documents first"
        )
    found = build_lattice(TopicFolder(Path(topic)).context)
    if found.cut:
        Output().remark(found.notice)
    return hasse(found, f"Concept lattice of {name}")


def write(path: Path, text: str) -> None:
    """Write a file atomically, and print its path."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode("utf-8", errors="replace"))
    say(path)
