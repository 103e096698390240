"""`topicrawl topic build`: input is checked before pages are fetched; files are written only if all could be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from topicrawl.cli.output import Output
from topicrawl.cli.topic.pages import with_web
from topicrawl.errors import TopicError
from topicrawl.setup.config import read_flags
from topicrawl.terminal import say

if TYPE_CHECKING:
    from topicrawl.setup.topic_folder import TopicFolder
    from topicrawl.topic.build import Built
    from topicrawl.topic.corpus import Corpus
    from topicrawl.topic.ontology import Ontology
    from topicrawl.topic.recipe import Build, Model, Recipe

EXAMPLES = """\
[bold]topicrawl topic build rainstorm --from corpus/ --root "rainstorm disaster" --lang en --out topics/rainstorm[/]

[bold]topicrawl topic build rainstorm --seeds urls.txt --contact you@example.org --out topics/rainstorm[/]

[bold]topicrawl topic build --model pages --urls top20.txt --contact you@example.org --out topics/ai[/]

A topic that is built again into the same folder keeps your edits in ontology.ttl and overrides.toml. Exit codes:
0 done; 2 invalid input, and nothing was written.
"""
REMARKS_SHOWN = 10
COMMON_SHOWN = 10
TERMS = 80
MOST_DOCUMENTS = 0.7


def build(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The name of the topic; by default that of the folder in --out."),
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="Documents: HTML, text, RIS, BibTeX, CSV, JSONL."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(
            "--seeds",
            "--urls",
            metavar="URLS",
            help="Instead of --from, pages to fetch: a file of URLs, or a URL.",
        ),
    ] = None,
    root: Annotated[
        str, typer.Option("--root", metavar="TEXT", help="The root concept.", show_default="NAME")
    ] = "",
    lang: Annotated[
        str,
        typer.Option(
            "--lang",
            metavar="CODE",
            help="Only documents in this language: de, en, zh, …",
            show_default="any",
        ),
    ] = "",
    terms: Annotated[int, typer.Option("--terms", metavar="N", help="Most terms to keep.", min=1)] = TERMS,
    most_documents: Annotated[
        float,
        typer.Option(
            "--most-documents",
            metavar="SHARE",
            help="Of ten documents or more, leave out terms that are in a larger share of them; 1 keeps all.",
            min=0.01,
            max=1.0,
        ),
    ] = MOST_DOCUMENTS,
    stop: Annotated[
        Path | None,
        typer.Option("--stop", metavar="FILE", help="Words and phrases that are no terms, one per line."),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="fca: an ontology by formal concept analysis; learned: an ontology by LDA, FCA and Apriori; "
            "words: weighted terms; pages: weighted terms and the pages themselves, for vsm, ssrm, mcoa and svsm_mcoa.",
        ),
    ] = "fca",
    wordnet: Annotated[
        bool, typer.Option("--wordnet/--no-wordnet", help="Add synonyms and hypernyms from WordNet.")
    ] = True,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The topic's folder.", show_default="topics/NAME"),
    ] = None,
    **flags: Any,
) -> None:
    """Build a topic from documents about it, or rebuild one. Your edits are kept."""
    from topicrawl.setup.topic_folder import check_target, write_topic_folder
    from topicrawl.topic.build import build as built_from
    from topicrawl.topic.recipe import Build
    from topicrawl.topic.wordnet import WordNet

    check_choices(model, lang)
    name = name or (out.resolve().name if out else "")
    if not name:
        raise TopicError("the topic has no name; give it one, or say where to keep it: --out topics/storms")
    target = out or Path("topics") / name
    earlier = check_target(target, model)
    inputs = Build(terms=terms, most_documents=most_documents, stop=stop_words(stop))
    wanted = recipe(name, root, lang, model, inputs, earlier)
    old = earlier_ontology(earlier)
    output = Output()
    corpus = documents(folder, seeds, lang, read_flags(flags), output)
    show_remarks(corpus, output)
    with output.console.status(f"reading {len(corpus.documents):,} documents"):
        built = built_from(corpus.documents, wanted, wordnet=WordNet.load() if wordnet else None, old=old)
        files = built.files()
    write_topic_folder(target, files)
    show_built(built, target)


def check_choices(model: str, lang: str) -> None:
    """Raise `TopicError` for an unknown model or language."""
    from topicrawl.topic.recipe import MODELS
    from topicrawl.topic.terms.stop import LISTS

    if model not in MODELS:
        raise TopicError(f"--model {model!r} is unknown; give {' or '.join(MODELS)}")
    if lang and lang not in LISTS:
        raise TopicError(f"--lang {lang!r} is unknown; give one of {', '.join(LISTS)}, or leave it out")


def recipe(
    name: str,
    root: str,
    lang: str,
    model: str,
    inputs: Build,
    earlier: TopicFolder | None,
) -> Recipe:
    """The recipe of the topic; a rebuild keeps the root and the weights of the factors."""
    from topicrawl.topic.letters import normal
    from topicrawl.topic.recipe import Recipe

    before = earlier.recipe if earlier else None
    top = normal(root or (before.root if before else name.replace("-", " ")))
    if not any(map(str.isalpha, top)):
        raise TopicError(f"--root {root or name!r} has no letter; say in words what the topic is about")
    return Recipe(
        name=" ".join(name.split()),
        root=top,
        language=lang,
        model=cast("Model", model),
        build=inputs,
        weights=before.weights if before else {},
    )


def earlier_ontology(earlier: TopicFolder | None) -> Ontology | None:
    """The ontology that a rebuild starts from, checked before any page is fetched, since users may have edited it."""
    from topicrawl.topic.recipe import FLAT

    if earlier is None or earlier.recipe.model in FLAT:
        return None
    earlier.weighed  # noqa: B018 - overrides and weights are checked too
    return earlier.ontology()


def stop_words(file: Path | None) -> tuple[str, ...]:
    """The lines of the user's stop list; `#` starts a comment."""
    if file is None:
        return ()
    try:
        lines = file.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise TopicError(f"--stop {str(file)!r}: cannot be read ({error.strerror}); check the path") from None
    except UnicodeDecodeError as error:
        raise TopicError(f"--stop {str(file)!r}: is not UTF-8 text ({error.reason}); save it so") from None
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def documents(
    folder: Path | None, seeds: list[str] | None, lang: str, given: dict[str, Any], output: Output
) -> Corpus:
    """The documents: files of a folder, or pages to fetch."""
    from topicrawl.setup.inputs import read_seeds
    from topicrawl.setup.topic_documents import corpus_from_folder, corpus_from_web

    if (folder is None) == (not seeds):
        raise TopicError("no documents; give a folder of them, --from corpus/, or pages, --seeds urls.txt")
    if folder is not None:
        return corpus_from_folder(folder, lang)
    urls = read_seeds(seeds or (), output.remark)
    with counting(len(urls), output) as done:
        return with_web(given, lambda web: corpus_from_web(urls, web, lang, done))


@contextmanager
def counting(pages: int, output: Output) -> Iterator[Callable[[str], None]]:
    """A progress bar of the pages fetched; yields the function to call for each."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("fetching"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=output.console, transient=True) as progress:
        task = progress.add_task("fetching", total=pages)
        yield lambda url: progress.advance(task)


def show_remarks(corpus: Corpus, output: Output) -> None:
    """Print which documents were left out, and why."""
    for remark in corpus.remarks[:REMARKS_SHOWN]:
        output.remark(remark)
    if len(corpus.remarks) > REMARKS_SHOWN:
        output.remark(f"and {len(corpus.remarks) - REMARKS_SHOWN:,} more like these")


def show_built(built: Built, target: Path) -> None:
    """Print what was built, and the commands to show it and to crawl with it."""
    ontology = built.ontology
    shape = f", {len(ontology.concepts):,} concepts on {ontology.levels} levels" if ontology else ""
    shape += f", {len(built.pages):,} pages" if built.pages else ""
    say(f"{target}: {built.recipe.build.documents:,} documents, {len(built.terms.terms):,} terms{shape}")
    show_common(built)
    say(f"show it:       topicrawl topic show {target}")
    say(f"crawl with it: topicrawl crawl --topic {target} …")


def show_common(built: Built) -> None:
    """Print the best of the terms that were left out because too many documents have them."""
    common = built.terms.common
    if common:
        more = f" and {len(common) - COMMON_SHOWN:,} more" if len(common) > COMMON_SHOWN else ""
        share = f"{built.recipe.build.most_documents:.0%}"
        say(f"left out, in more than {share} of the documents: {', '.join(common[:COMMON_SHOWN])}{more}")
        say("               --most-documents 1 keeps them")
