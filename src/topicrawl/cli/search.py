"""Commands that query what a run found: search, xref, labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import set_cell_size
from rich.text import Text
from rich.tree import Tree

from topicrawl.cli.runs import Folder
from topicrawl.safe_text import one_line
from topicrawl.setup.run_config import config_of
from topicrawl.terminal import messages, note, say, say_json, terminal
from topicrawl.urls import canonical

if TYPE_CHECKING:
    from topicrawl.catalogue.catalogue import Catalogue, Hit

SEARCH = """\
[bold]topicrawl search run/ "flood insurance claims"[/]

[bold]topicrawl search run/ "flood insurance" --label flood --json | jq .url[/]

Other forms and synonyms of a word match too. Pages that have the words often, and in their title, come first.
"""
XREF = """\
[bold]topicrawl xref run/ https://example.org/article[/]  pages of the run that are similar

[bold]topicrawl xref run/ article.html --crawl 500[/]  then crawls 500 pages for more, into run/xref-…/

The score is the mean of two similarities, of terms and of labels, or that of terms alone where it is larger.
"""
LABELS = """\
[bold]topicrawl labels run/ --tree[/]  which label is broader than which

[bold]topicrawl labels run/ --item https://example.org/article[/]  why that page has its labels

[bold]topicrawl labels run/ --rules flood[/]  the terms that give a label, P(label | term), and a page for each
"""
LABELS_SHOWN = 6
TITLE_LETTERS = 200
EXAMPLE_LETTERS = 60
KINDS = {"own": "its own term", "alpha": "α", "beta": "β"}
LABEL_WIDTH = 26
"""In columns of the terminal; a Chinese character takes two."""

Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON per result, for programs.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="Most results to show.")]


def search(
    run: Folder,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="What to look for.", show_default=False)],
    label: Annotated[
        str, typer.Option("--label", metavar="LABEL", help="Only pages that have this label.")
    ] = "",
    limit: Limit = 10,
    as_json: Json = False,
) -> None:
    """Search the pages of a run by words: ranked, each with its labels and a passage."""
    with opened(run) as catalogue:
        hits = catalogue.search(words, label=label, most=limit)
        show_hits(hits, as_json=as_json)
        if len(hits) < hits.total:
            note(f"the best {len(hits):,} of {hits.total:,} pages with any of these words; more: -n")
        if not hits and (meant := catalogue.suggestion(words)):
            note(f"did you mean: topicrawl search {run} {meant!r}")


def xref(
    run: Folder,
    item: Annotated[
        str, typer.Argument(metavar="URL|FILE", help="The page to cross-reference.", show_default=False)
    ],
    crawl: Annotated[
        int | None,
        typer.Option("--crawl", min=1, metavar="N", help="Then crawl N pages for more.", show_default=False),
    ] = None,
    limit: Limit = 10,
    as_json: Json = False,
) -> None:
    """Find pages similar to one page: in the run, and with --crawl also new ones on the web."""
    from topicrawl.catalogue.xref import crawl_for, item_page
    from topicrawl.knowledge.terms import page_terms

    with opened(run) as catalogue:
        page = item_page(item, catalogue.run, config_of(catalogue.run))
        itself = {item, page.url, canonical(item) or item}
        hits = catalogue.like(page_terms(page), limit, but=itself)
        show_hits(hits, as_json=as_json)
        known = {found.url for found in catalogue.found} | itself
    if crawl is not None:
        note(f"crawling {crawl:,} pages for more")
        place = crawl_for(item, page, run, [hit.found.url for hit in hits], crawl, note)
        note(f"crawled: {place}")
        with opened(place) as more:
            new = more.like(page_terms(page), limit, but=known)
            show_hits(new, as_json=as_json)


def labels(
    run: Folder,
    tree: Annotated[
        bool, typer.Option("--tree", help="Show the hierarchy: narrower labels below broader ones.")
    ] = False,
    item: Annotated[
        str, typer.Option("--item", metavar="URL", help="Show the labels of one page, and why it has them.")
    ] = "",
    rules: Annotated[
        str,
        typer.Option("--rules", metavar="LABEL", help="Show which terms give this label, and how surely."),
    ] = "",
    as_json: Json = False,
) -> None:
    """List the labels that a run has learned, and how many pages have each."""
    with opened(run) as catalogue:
        if item:
            _show_proofs(catalogue, item, as_json=as_json)
        elif rules:
            _show_rules(catalogue, rules, as_json=as_json)
        elif tree and not as_json:
            terminal().print(label_tree(catalogue))
        else:
            _show_labels(catalogue, as_json=as_json)


@contextmanager
def opened(path: Path) -> Iterator[Catalogue]:
    """The catalogue of the run in `path`, updated to the end of its log with a progress line."""
    from topicrawl.catalogue.catalogue import Catalogue
    from topicrawl.store.run import Run

    with Run.open(path, writable=False) as run:
        with messages().status("reading the log") as status:

            def tick(n: int) -> None:
                status.update(f"learning from visit {n:,} of {run.last_n:,}")

            catalogue = Catalogue(run, config_of(run), tick)
        with catalogue:
            yield catalogue


def show_hits(hits: Sequence[Hit], *, as_json: bool) -> None:
    """Print results, best first."""
    for rank, hit in enumerate(hits, 1):
        if as_json:
            facts = {
                "url": hit.found.url,
                "title": hit.found.title,
                "score": round(hit.score, 6),
                "n": hit.found.n,
                "relevance_now": round(hit.relevance_now, 6),
            }
            parts = {"terms": hit.by_terms, "labels": hit.by_labels}
            facts |= {f"by_{part}": round(value, 6) for part, value in parts.items() if value is not None}
            say_json({**facts, "labels": hit.labels, "snippet": hit.snippet})
            continue
        show = partial(terminal().print, soft_wrap=True)
        title = one_line(hit.found.title or hit.found.url, TITLE_LETTERS)
        show(Text(f"{rank:2}  {hit.score:.3f}  {title}", style="bold"))
        show(Text(f"           {hit.found.url}"))
        if hit.by_terms is not None:
            show(Text(f"           terms {hit.by_terms:.3f}, labels {hit.by_labels:.3f}", style="dim"))
        show(Text(f"           relevance {hit.relevance_now:.3f}", style="dim"))
        shown = ", ".join(hit.labels[:LABELS_SHOWN]) + (" …" if len(hit.labels) > LABELS_SHOWN else "")
        show(Text(f"           {shown}" if shown else "           no label", style="italic"))
        show(Text(f"           {hit.snippet}", style="dim"))
    if not hits and not as_json:
        note("nothing found")


def label_tree(catalogue: Catalogue) -> Tree:
    """The hierarchy; a label with two broader labels appears below both."""
    below: dict[str, list[str]] = {}
    sizes, parents = catalogue.label_sizes(), catalogue.broader()
    for name in sizes:
        for parent in parents.get(name, [""]):
            below.setdefault(parent, []).append(name)
    root = Tree(f"{len(sizes)} labels")

    def grow(branch: Tree, parent: str) -> None:
        for name in below.get(parent, ()):
            grow(branch.add(Text(f"{name} {sizes[name]:,}")), name)

    grow(root, "")
    return root


def _show_labels(catalogue: Catalogue, *, as_json: bool) -> None:
    parents = catalogue.broader()
    for name, size in catalogue.label_sizes().items():
        if as_json:
            say_json({"label": name, "items": size, "broader": parents.get(name, [])})
        else:
            say(f"{size:7,}  {name}" + (f"  < {', '.join(parents[name])}" if name in parents else ""))
    if not catalogue.label_sizes():
        note("this run has no labels yet: too few items to learn any")


def _show_rules(catalogue: Catalogue, text: str, *, as_json: bool) -> None:
    from topicrawl.catalogue.rules import rule_terms

    label = catalogue.label(text)
    name, terms = catalogue.names[label], rule_terms(catalogue, label)
    if not as_json:
        say(f"{name}: {catalogue.label_sizes()[name]:,} pages")
        for broader in catalogue.broader().get(name, ()):
            say(f"  < {broader}")
    for each in terms:
        if as_json:
            facts = {
                "label": name,
                "rule": each.kind,
                "term": each.term,
                "proportion": round(each.proportion, 6),
            }
            url = each.example.url if each.example else None
            say_json({**facts, "needed": each.needed, "items": each.items, "example": url})
            continue
        suffice = f"{each.needed} of these suffice" if each.kind == "beta" else "suffices"
        shown = one_line(each.example.title or each.example.url, EXAMPLE_LETTERS) if each.example else ""
        say(
            f"  {KINDS[each.kind]:12} {set_cell_size(each.term, LABEL_WIDTH)} P {each.proportion:.2f}"
            f"  {each.items:5,} pages  {suffice:18}  {shown}".rstrip()
        )
    below = [narrow for narrow, above in catalogue.broader().items() if name in above]
    if below and not as_json:
        say(f"  and every page of: {', '.join(below)}")
    if catalogue.learner.model.mentioned and not as_json:
        say(f"all but its own term: only for pages that mention {name}")


def _show_proofs(catalogue: Catalogue, url: str, *, as_json: bool) -> None:
    names = catalogue.names
    reasons = {"own": "is a term of it", "alpha": "α rule", "beta": "β rule", "narrower": "broader than"}
    proofs = catalogue.proofs(catalogue.place(canonical(url) or url))
    for proof in proofs:
        terms = [names[term] for term in proof.terms]
        if as_json:
            say_json({"label": names[proof.label], "rule": proof.kind, "terms": terms})
        else:
            say(
                f"{set_cell_size(names[proof.label], LABEL_WIDTH)}  {reasons[proof.kind]}"
                + (f": {', '.join(terms)}" if proof.kind != "own" else "")
            )
    if not proofs:
        note("this item has no label")
