"""`topicrawl judge`: train a judge from marked pages, and show what a judge is or asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.errors import UsageError
from topicrawl.terminal import note, say

app = typer.Typer(
    name="judge",
    help="Train a judge from marked pages, or show what one asks or has learned.",
    no_args_is_help=True,
)
TRAIN = """\
[bold]topicrawl judge train marks.csv --out rain.skops[/]  a table url,relevant; pages are fetched, or files

[bold]topicrawl judge train run/ --out rain.skops[/]  the pages that were marked in a run, as the run has them

Then: [bold]topicrawl crawl --judge sklearn:rain.skops …[/]
"""
SHOW = """\
[bold]topicrawl judge show sklearn:rain.skops[/]  what it was trained on, and the words that count most

[bold]topicrawl judge show llm --topic rainstorm --page article.html[/]  what the language model would be asked
"""
WORDS = 12


def train(
    lists: Annotated[
        list[str],
        typer.Argument(
            metavar="LIST…",
            help="Tables with the columns url,relevant, or runs with marks.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The file to write.")],
    web: Annotated[
        str, typer.Option("--web", metavar="WEB", help="Where the pages are fetched from.")
    ] = "http",
) -> None:
    """Train a judge on pages that somebody called relevant or not."""
    from topicrawl.judges.learned import save_pipeline
    from topicrawl.judges.learned import train as trained
    from topicrawl.setup.config import Config
    from topicrawl.setup.examples import example_pages
    from topicrawl.setup.resolve import full_name

    if out.is_dir():
        raise UsageError(f"--out {str(out)!r} is a folder; name a file, such as {out / 'judge.skops'}")
    pages = example_pages(lists, Config(web=full_name(web)), note)
    pipeline, figures = trained(pages.wanted, pages.unwanted)
    save_pipeline(pipeline, figures, out)
    say(
        f"{out}: trained on {figures.relevant} relevant and {figures.others} other pages; of pages left out "
        f"{figures.accuracy:.0%} judged rightly (AUC {figures.auc:.2f})"
    )
    say(f"use it: topicrawl crawl --judge sklearn:{out} …")


def show(
    judge: Annotated[str, typer.Argument(metavar="JUDGE", help="As --judge takes it.", show_default=False)],
    topic: Annotated[
        str, typer.Option("--topic", metavar="TEXT", help="The topic, for the question of llm.")
    ] = "rainstorm",
    page: Annotated[
        list[str] | None,
        typer.Option("--page", metavar="FILE", help="A page to ask about.", show_default=False),
    ] = None,
    model: Annotated[
        str, typer.Option("--llm-model", metavar="TEXT", help="The name of the model.")
    ] = "MODEL",
) -> None:
    """Show what a judge is: for llm the whole question, for sklearn what it has learned."""
    from topicrawl.judge.registry import check_judge

    kept = check_judge(judge)
    name, _, argument = kept.partition(":")
    if name == "llm":
        _show_question(topic, page or [], model)
    elif name == "sklearn":
        _show_pipeline(argument)
    else:
        say(f"{kept}: can be used as --judge {kept}; it has nothing to show")


def _show_question(topic: str, files: list[str], model: str) -> None:
    from topicrawl.judges.llm.prompt import request
    from topicrawl.model import Page
    from topicrawl.setup.examples import read_item
    from topicrawl.setup.inputs import open_topic

    pages = [read_item(file, "--page") for file in files]
    pages = pages or [Page("", "(title of the page)", text="(text of the page)")]
    body = request(model, open_topic(topic), pages)
    for message in body["messages"]:
        say(f"{message['role']}:")
        say(message["content"])
        say("")
    say("besides: " + json.dumps({key: value for key, value in body.items() if key != "messages"}))


def _show_pipeline(path: str) -> None:
    from topicrawl.judges.learned import load_pipeline, read_figures

    pipeline, figures = load_pipeline(path), read_figures(path)
    if figures is None:
        say(f"{path}: a {type(pipeline).__name__} that another program trained")
        return
    say(f"{path}: trained on {figures.relevant} relevant and {figures.others} other pages")
    say(f"of pages left out {figures.accuracy:.0%} judged rightly, AUC {figures.auc:.2f}")
    try:
        words, weights = pipeline[0].get_feature_names_out(), pipeline[-1].coef_[0]
    except (AttributeError, TypeError, IndexError):
        return  # a pipeline of another form, put into a file of ours
    order = weights.argsort()
    for what, places in (("for", order[::-1][:WORDS]), ("against", order[:WORDS])):
        say(f"{what:>8}: " + ", ".join(f"{words[place]} {weights[place]:+.2f}" for place in places))


app.command(epilog=TRAIN)(train)
app.command(epilog=SHOW)(show)
