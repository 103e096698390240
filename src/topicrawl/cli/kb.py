"""`topicrawl kb …`: train a classifier, query the knowledge base of a run, export it, show how it changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from topicrawl.cli.runs import Folder
from topicrawl.cli.search import Json, opened
from topicrawl.terminal import messages, note, say, say_escaped, say_json

TRAIN = """\
[bold]topicrawl kb train corpus/ --out kb/[/]  then [bold]topicrawl crawl --strategy semxdm --train kb/ …[/]

A corpus is a folder of HTML and text files, a WARC, a file of records (.jsonl, .csv, .ris, .bib), or an earlier run.
"""
SPARQL = """\
[bold]topicrawl kb sparql run/ "SELECT ?item WHERE { ?item kb:isClassified term:flood }"[/]

[bold]topicrawl kb sparql run/ "SELECT ?l (COUNT(*) AS ?n) WHERE { ?i kb:isClassified ?l } GROUP BY ?l"[/]

Prefixes kb:, term:, skos:, dcterms:, rdf:, rdfs:, owl: and xsd: are known.
The vocabulary is in the documentation under "What a run found".
"""
EXPORT = "[bold]topicrawl kb export run/ --format owl --out run.owl[/]  items, links, labels, and the rules as SWRL"
DRIFT = "[bold]topicrawl kb drift run/[/]  a summary per round; --json lists everything added and removed"
TERMS_NAMED = 5

app = typer.Typer(
    name="kb",
    help="Train, query and export the knowledge base of a crawl by example.",
    no_args_is_help=True,
)


def train(
    corpus: Annotated[
        list[Path], typer.Argument(metavar="CORPUS", help="Documents to train with.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write.")] = Path("kb"),
    item_terms: Annotated[
        int, typer.Option(min=1, metavar="N", help="Terms that describe a document, at most.")
    ] = 30,
) -> None:
    """Train a classifier with documents, so that a crawl begins with the labels and rules learned from them."""
    from topicrawl.catalogue.train import train as trained
    from topicrawl.knowledge.learner import Learner
    from topicrawl.knowledge.settings import Settings
    from topicrawl.setup.examples import write_training
    from topicrawl.setup.run_config import TRAINING

    with messages().status("reading") as status:
        training = trained(
            corpus,
            item_terms,
            lambda n: status.update(f"{n:,} documents"),
            lambda remark: note(f"note: {remark}"),
        )
        model = Learner([], settings=Settings(item_terms=item_terms), training=training).model
    write_training(training, out / TRAINING)
    say(
        f"{len(training):,} documents, {len(training.terms):,} terms, {len(model.labels):,} labels, "
        f"{model.rule_count:,} rules in {out / TRAINING}"
    )


def sparql(
    run: Folder,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A SPARQL query.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Query the knowledge base of a run with SPARQL."""
    from topicrawl.catalogue.sparql import ask

    with opened(run) as catalogue:
        answer = ask(catalogue.triples, query, as_json=as_json)
    if answer:
        say_escaped(answer)


def export(
    run: Folder,
    format: Annotated[str, typer.Option("--format", metavar="ttl|owl", help="Turtle, or RDF/XML.")] = "ttl",  # noqa: A002
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to.", show_default="kb.FORMAT")
    ] = None,
) -> None:
    """Write the knowledge base as OWL: items, links, labels, hierarchy, and the rules as SWRL."""
    from topicrawl.catalogue import export as exports

    target = out or Path(f"kb.{format}")
    with opened(run) as catalogue:
        count = exports.export(catalogue.following, format, target)
    note(f"{count:,} triples in {target}")


def drift(run: Folder, as_json: Json = False) -> None:
    """Show what changed each round: items per layer, terms, labels and rules added and removed."""
    from topicrawl.knowledge.drift import drift as drift_of
    from topicrawl.knowledge.drift import warnings

    with opened(run) as catalogue:
        rounds, remarks = drift_of(catalogue.learner), warnings(catalogue.learner)
    for sentence in remarks:
        note(f"warning: {sentence}")
    if as_json:
        for each in rounds:
            say_json(each)
        return
    for each in rounds:
        say("\n".join(_round_lines(each)))


def _round_lines(each: dict[str, Any]) -> list[str]:
    """A round as lines of text."""
    layers = ", ".join(f"{items:,}" for items in each["layers"])
    lines = [
        f"round {each['round']}: {each['items']:,} items, similarity {each['similarity']:.3f}, "
        f"harvest {each['harvest']:.1%}, layers {layers}"
    ]
    for what in ("terms", "labels", "broader", "rules"):
        added, removed = each[f"{what}_added"], each[f"{what}_removed"]
        counts = [value if isinstance(value, int) else len(value) for value in (added, removed)]
        named = f"  {_named(added, '+')}{_named(removed, '−')}".rstrip() if what == "labels" else ""
        if any(counts):
            lines.append(f"  {what:8} {each[what]:8,}  +{counts[0]:,} −{counts[1]:,}{named}")
    return lines


def _named(labels: list[str], sign: str) -> str:
    more = f" and {len(labels) - TERMS_NAMED} more" if len(labels) > TERMS_NAMED else ""
    return " ".join(f"{sign}{label}" for label in labels[:TERMS_NAMED]) + more + " " if labels else ""


app.command(epilog=TRAIN)(train)
app.command(epilog=SPARQL)(sparql)
app.command(epilog=EXPORT)(export)
app.command(epilog=DRIFT)(drift)
