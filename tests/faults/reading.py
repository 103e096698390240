"""Every command and question that reads a run, to be asked of one that is damaged, or being written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import topicrawl
from topicrawl.agents.crawls import Crawls
from topicrawl.agents.limits import Limits
from topicrawl.agents.tools import Tools
from topicrawl.cli import run
from topicrawl.store.exports import FORMATS

WORDS = "rain"
TABLES = ("visits", "pages", "links", "index", "hosts", "marks")


def commands(folder: Path, out: Path) -> Iterator[list[str]]:
    """The commands that read the run in `folder`; exports and sinks go to `out`."""
    name = str(folder)
    url = first_page(folder)
    yield ["status", name]
    yield ["report", name]
    for wanted in FORMATS:
        yield ["export", name, "--format", wanted, "--force", "--out", str(out / f"export-{wanted}")]
    yield ["export", name, "--relevant-only", "--force", "--out", str(out / "relevant.jsonl")]
    yield ["search", name, WORDS]
    yield ["labels", name]
    yield ["why", name, url]
    yield ["xref", name, url]
    yield ["sink", name, "--to", f"jsonl:{out / 'sink'}"]


def questions(folder: Path, tools: Tools) -> Iterator[Callable[[], object]]:
    """Questions to the run in `folder` from Python and by agents."""
    read, url = topicrawl.Run(folder), first_page(folder)
    for name in TABLES:
        yield getattr(read.tables, name).arrow
    yield read.relevance_now
    yield read.history
    yield read._repr_html_
    yield lambda: [*read.visits(), *read.links()]
    yield lambda: tools.crawl_status(folder.name)
    yield lambda: tools.search(folder.name, WORDS)
    yield lambda: tools.read_page(folder.name, url)
    yield lambda: tools.why(folder.name, url)


def first_page(folder: Path) -> str:
    """The URL of the first page that the run in `folder` has fetched."""
    with closing(topicrawl.Run(folder).pages()) as pages:
        return next(pages).url


def ask_all(folder: Path, out: Path, said: Callable[[], str]) -> None:
    """Run every command and ask every question; `said` is what was printed since it was last called."""
    for words in commands(folder, out):
        code = run(words)
        assert code == 0, f"{words}: {code}\n{said()}"
    limits = Limits(folder.parent)
    with closing(Crawls(limits)) as crawls:
        for ask in questions(folder, Tools(limits, crawls)):
            ask()
