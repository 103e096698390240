"""How well topics separate pages, and how fast they are built and used: writes docs/evidence/topics.md.

Needs the recorded webs ($TOPICRAWL_WEBS, or the folder given as argument).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles

from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Page, Topic
from topicrawl.page.relevance import PageRelevance
from topicrawl.setup.inputs import open_topic
from topicrawl.topic.build import build
from topicrawl.topic.corpus import gather, of_page
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.merge import joined
from topicrawl.topic.ontology import Concept, Ontology
from topicrawl.topic.recipe import Build, Recipe
from topicrawl.topic.similarity import Mix
from topicrawl.topic.terms.find import find_terms
from topicrawl.topic.weigh import by_corpus, by_structure
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.enrich import advise
from topicrawl_lab.auc import topic_auc
from topicrawl_lab.labels import labels_path, read_labels, targets, web_path
from topicrawl_lab.tasks import Task, read_tasks

EVIDENCE = Path(__file__).resolve().parents[1] / "docs" / "evidence" / "topics.md"
WEBS = Path(os.environ.get("TOPICRAWL_WEBS", EVIDENCE.parents[3] / "shared" / "webs"))
MANY_DOCUMENTS, MANY_TERMS, PAGES_SCORED = 1000, 5000, 500
LEAST_DIFFERENCE = 0.002

TEXT = """\
# What topics are worth

`python -m bench.topics` writes this page from the recorded webs and their labels.

## Telling pages apart

The area under the ROC curve of page relevance against the labels: the chance that a page about the topic is rated
above one that is not (0.5 is guessing). Every labelled page of the web counts except the 20 examples that the topics
are built from.

{table}

* **words**: the task's own handful of words, all of weight 1.
* **examples, words**: `topic build --model words` from the 20 examples; a term weighs as much as it stands out.
* **ontology**: `topic build --no-wordnet`: the same terms, ordered by formal concept analysis, weighed by similarity
  to the root.
* **mean density**: the same with `density_form = "mean"`.
* **with WordNet**: the default: WordNet's synonyms and kinds among these terms become edges.
* **with its words**: besides, WordNet's further words for a concept become labels. This was the first design; we left
  it out after seeing this table, so the default was chosen on the tasks it is reported on.

{verdict}

Where the ontology loses to its own terms, it is the weights that lose: the terms are the same. Similarity to the root
gives neighbours of the root nearly equal weights, whatever the corpus says of them; whether that is the cause we have
not tested. An ontology has other uses: it can be curated, explained, and labelled in two languages. To rank pages from
a few examples, begin with `--model words`.

## How fast

| | measured | wanted |
|---|--:|--:|
| ontology from {documents:,} documents ({words:,} words), WordNet included: time on the clock | {built:.1f} s | 60 s |
| … CPU time | {built_cpu:.1f} s | |
| page scored with a topic of {terms:,} terms: median of {pages:,} pages, {size:.0f} KB text | {scored:.2f} ms | 1 ms |
| … the slowest twentieth of these pages, {large:.0f} KB and more, at least | {slow:.2f} ms | |

Scoring is CPU time. On two cores of a busy server.
"""


@dataclass
class Web:
    """A recorded web with its pages and labels."""

    offline: OfflinePages
    pages: list[Page]
    labels: Mapping[str, tuple[str, ...]]


def main(webs: Path = WEBS) -> None:
    """Measure, print and write."""
    opened: dict[str, Web] = {}
    rows = []
    for task in read_tasks(webs / "tasks.json"):
        if task.web not in opened:
            opened[task.web] = _open(webs, task.web)
        web = opened[task.web]
        judged = list(_judged(task, web))
        areas = {name: topic_auc(topic, judged) for name, topic in _topics(task, web).items()}
        rows.append((task.name, areas))
        print(
            f"{task.name:<20}" + "  ".join(f"{name} {area:.3f}" for name, area in areas.items()), flush=True
        )
    pages = max(
        (web.pages for web in opened.values()), key=lambda pages: sum(len(page.text) for page in pages)
    )
    text = TEXT.format(table=_table(rows), verdict=_verdict(rows), **_speed(pages))
    EVIDENCE.parent.mkdir(parents=True, exist_ok=True)
    EVIDENCE.write_text(text, "utf-8")
    print(text[text.index("## How fast") :])


def _open(webs: Path, name: str) -> Web:
    offline = OfflinePages(web_path(webs, name))
    found = ((url, offline.outcome(url)) for url in offline.urls())
    pages = [outcome.page for url, outcome in found if outcome.page is not None and outcome.url == url]
    return Web(offline, pages, read_labels(labels_path(webs, name)))


def _judged(task: Task, web: Web) -> Iterable[tuple[Page, bool]]:
    about, examples = targets(web.labels, task), set(task.examples)
    return (
        (page, page.url in about) for page in web.pages if page.url in web.labels and page.url not in examples
    )


def _topics(task: Task, web: Web) -> dict[str, Topic]:
    found = (web.offline.outcome(url).page for url in task.examples)
    documents = gather(of_page(page) for page in found if page is not None).documents
    wordnet = WordNet.load()
    assert wordnet is not None, "built without WordNet: make setup"
    words = open_topic(task.topic_words)
    recipe = Recipe(name=task.name, root=words.terms[0].partition(OR)[0], language="en")
    plain, enriched = build(documents, recipe), build(documents, recipe, wordnet=wordnet)
    assert plain.ontology is not None
    assert enriched.ontology is not None
    return {
        "words": words,
        "examples, words": by_corpus(plain.terms, task.name, recipe.root).topic("examples"),
        "ontology": by_structure(plain.ontology).topic("ontology"),
        "mean density": by_structure(plain.ontology, Mix(density_form="mean")).topic("ontology"),
        "with WordNet": by_structure(enriched.ontology).topic("WordNet"),
        "with its words": by_structure(_with_labels(enriched.ontology, wordnet)).topic("WordNet's words"),
    }


def _with_labels(ontology: Ontology, wordnet: WordNet) -> Ontology:
    labels = advise(wordnet, ontology).labels
    concepts = (
        joined(concept, Concept(concept.name, {"en": labels.get(concept.name, ())}))
        for concept in ontology.concepts
    )
    return replace(ontology, concepts=tuple(concepts))


def _table(rows: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    names = list(rows[0][1])
    lines = [f"| task | {' | '.join(names)} |", "|---|" + "--:|" * len(names)]
    for task, areas in rows:
        best = max(round(area, 3) for area in areas.values())
        cells = (f"**{area:.3f}**" if round(area, 3) == best else f"{area:.3f}" for area in areas.values())
        lines.append(f"| {task} | {' | '.join(cells)} |")
    means = (sum(areas[name] for _, areas in rows) / len(rows) for name in names)
    return "\n".join([*lines, f"| *mean* | {' | '.join(f'{mean:.3f}' for mean in means)} |"])


def _verdict(rows: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """The comparisons as sentences."""

    def beats(one: str, other: str) -> str:
        found = [task for task, areas in rows if areas[one] > areas[other] + LEAST_DIFFERENCE]
        return f"{len(found)} of {len(rows)} tasks" + (f" ({', '.join(found)})" if found else "")

    def compared(what: str, one: str, other: str) -> str:
        return f"* {what}: better on {beats(one, other)}, worse on {beats(other, one)}."

    return "\n".join(
        (
            f"Differences of more than {LEAST_DIFFERENCE} count; one split of each task, no confidence intervals:",
            "",
            compared("Terms from examples instead of a handful of words", "examples, words", "words"),
            compared("The ontology instead of a handful of words", "ontology", "words"),
            compared(
                "The ontology instead of the weights its own terms have in the corpus",
                "ontology",
                "examples, words",
            ),
            compared("WordNet's edges in the ontology", "with WordNet", "ontology"),
            compared("WordNet's further words as labels", "with its words", "with WordNet"),
        )
    )


def _speed(pages: Sequence[Page]) -> dict[str, float]:
    documents = gather(map(of_page, pages[:MANY_DOCUMENTS])).documents
    start, cpu = time.perf_counter(), time.process_time()
    build(documents, Recipe(name="many", root="topic", build=Build(terms=80)), wordnet=WordNet.load()).files()
    built, built_cpu = time.perf_counter() - start, time.process_time() - cpu
    topic = by_corpus(find_terms(documents, limit=MANY_TERMS), "many", "topic").topic("many")
    return {
        "documents": len(documents),
        "words": sum(len(document.text.split()) for document in documents),
        "built": built,
        "built_cpu": built_cpu,
        "terms": len(topic.terms),
        **_scoring(topic, pages[:PAGES_SCORED]),
    }


def _scoring(topic: Topic, pages: Sequence[Page]) -> dict[str, float]:
    matcher, relevance = Matcher(topic.terms), PageRelevance(topic)
    relevance(matcher.count(pages[0]))
    times = []
    for page in pages:
        start = time.process_time()
        relevance(matcher.count(page))
        times.append(1000 * (time.process_time() - start))
    sizes = [len(page.text.encode()) / 1000 for page in pages]
    return {
        "pages": len(pages),
        "scored": median(times),
        "slow": quantiles(times, n=20)[-1],
        "size": median(sizes),
        "large": quantiles(sizes, n=20)[-1],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else WEBS)
