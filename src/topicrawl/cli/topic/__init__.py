"""`topicrawl topic …`: build a topic from documents, show it and its weights, score a page with it, check it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from topicrawl.cli.flags import with_settings
from topicrawl.cli.topic import build
from topicrawl.cli.topic.pages import WEB, page_at
from topicrawl.errors import UsageError
from topicrawl.setup.config import read_flags
from topicrawl.terminal import say

SHOW = """\
[bold]topicrawl topic show topics/rainstorm --html graph.html[/]

[bold]topicrawl topic show tourism[/]  a built-in
"""
WEIGHTS = "[bold]topicrawl topic weights rainstorm[/]"
SCORE = "[bold]topicrawl topic score rainstorm page.html[/]  or [bold]https://example.org/page[/]"
CHECK = "[bold]topicrawl topic check topics/rainstorm[/]  Exit codes: 0 it can be used; 2 it cannot"

app = typer.Typer(name="topic", help="Build, show, try and check the topic of a crawl.", no_args_is_help=True)
Spec = Annotated[
    str,
    typer.Argument(
        metavar="TOPIC", help="The folder of a topic, an OWL file, or a built-in.", show_default=False
    ),
]


def show(
    topic: Spec,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write an interactive graph, one HTML file.")
    ] = None,
    hasse: Annotated[
        Path | None, typer.Option("--hasse", metavar="FILE", help="Write the concept lattice as SVG.")
    ] = None,
) -> None:
    """Show a topic as a tree, or write it as an interactive graph or a concept lattice."""
    from topicrawl.cli.topic.view import lattice, show_tree, write
    from topicrawl.setup.inputs import open_weighed

    weighed = open_weighed(topic)
    if html is not None:
        from topicrawl.report.topic_graph import graph

        write(html, graph(weighed))
    if hasse is not None:
        write(hasse, lattice(topic, weighed.ontology.name))
    if html is None and hasse is None:
        show_tree(weighed)


def weights(topic: Spec) -> None:
    """List the concepts of a topic with their weights and the five factors of each."""
    from topicrawl.cli.topic.view import show_weights
    from topicrawl.setup.inputs import open_weighed

    show_weights(open_weighed(topic))


def score(
    topic: Spec,
    page: Annotated[
        str, typer.Argument(metavar="PAGE", help="An HTML or text file, or a URL.", show_default=False)
    ],
    **flags: Any,
) -> None:
    """Score a page: its relevance to a topic, and the terms and tags it comes from."""
    from topicrawl.cli.topic.view import show_score
    from topicrawl.setup.inputs import open_topic

    show_score(open_topic(topic), page_at(page, read_flags(flags)))


def check(topic: Spec) -> None:
    """Check a topic for cycles, orphans, unknown relations, terms absent from its corpus, conflicts with WordNet."""
    from topicrawl.cli.topic.checking import disputes, findings

    ontology, found = findings(topic)
    for finding in found:
        say(("WRONG " if finding.serious else "note  ") + finding.text)
    if any(finding.serious for finding in found):
        raise typer.Exit(UsageError.exit_code)
    for line in disputes(ontology):
        say(f"note  {line}")
    say(f"ok    {len(ontology.concepts):,} concepts on {ontology.levels} levels below {ontology.root!r}")


app.command(epilog=build.EXAMPLES)(with_settings(build.build, WEB))
app.command(epilog=SHOW)(show)
app.command(epilog=WEIGHTS)(weights)
app.command(epilog=SCORE)(with_settings(score, WEB))
app.command(epilog=CHECK)(check)
