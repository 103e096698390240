"""`topicrawl weights learn`: learns the weights of the four texts of a link from links whose pages are fetched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from topicrawl.cli.flags import with_settings
from topicrawl.cli.output import Output
from topicrawl.errors import ConfigError
from topicrawl.setup.config import SETTINGS, Config, read_flags, settings_of
from topicrawl.terminal import say
from topicrawl_lab.cli import check_installed

if TYPE_CHECKING:
    from topicrawl.strategies.weights.learn import Learned
    from topicrawl.strategies.weights.membranes import Membranes
    from topicrawl.strategies.weights.samples import Samples
    from topicrawl_lab.spec import Spec
    from topicrawl_lab.weights_study import Study

EXAMPLES = """\
[bold]topicrawl weights learn --topic topics/ai --seeds seeds.txt --links 1000 --contact you@example.org[/]

[bold]topicrawl crawl --topic topics/ai --seeds seeds.txt --strategy svsm_mcoa --weights weights.toml --out run/[/]

[bold]topicrawl weights learn --tasks tasks.json --out weights/[/]  for all tasks: the paper's Table 3, Figs. 3 and 4

A short breadth-first crawl fetches the pages of links. Half of the links train the weights, the other half test them
against equal weights. Ctrl-C ends the crawl; the links so far are used. MCOA approximates what --by exact computes.
With --tasks, run it again to resume: finished tasks are kept in the folder --out.
"""
ASKED = [
    *(SETTINGS[name] for name in ("topic", "seeds", "web", "parameters", "rng_seed")),
    *settings_of("http"),
]
app = typer.Typer(name="weights", help="Learn the weights of link texts.", no_args_is_help=True)


def learn(
    links: Annotated[
        int, typer.Option("--links", metavar="N", help="Links to train and test on.", min=8)
    ] = 1000,
    strategy: Annotated[
        str,
        typer.Option("--strategy", metavar="mcoa|svsm_mcoa", help="The strategy whose weights are learned."),
    ] = "svsm_mcoa",
    by: Annotated[
        str, typer.Option("--by", metavar="mcoa|exact", help="Membrane computing, or the exact solution.")
    ] = "mcoa",
    mutation: Annotated[
        str,
        typer.Option(
            "--mutation",
            metavar="gauss|signed|literal",
            help="Mutation of MCOA; literal is the paper's and finds worse weights.",
        ),
    ] = "gauss",
    generations: Annotated[
        int, typer.Option("--generations", metavar="N", help="Generations of MCOA in each round.", min=1)
    ] = 3000,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", metavar="FILE", help="Instead of one topic: all tasks of this file."),
    ] = None,
    webs: Annotated[
        Path | None,
        typer.Option("--webs", metavar="DIR", help="Folder of the tasks' webs. Default: beside --tasks."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="N", help="Processes, with --tasks.", min=1)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="File of the weights; with --tasks a folder.",
            show_default="weights.toml; with --tasks weights/",
        ),
    ] = None,
    **flags: Any,
) -> None:
    """Learn the four weights of mcoa and svsm_mcoa, and test them."""
    from topicrawl_lab.spec import make_spec

    given = read_flags(flags)
    check(strategy, by, mutation)
    settings = membranes(mutation, generations, given.get("rng_seed", 0))
    output = Output()
    spec = make_spec(strategy, given.get("parameters", {}))
    if tasks is not None:
        check_installed()
        from topicrawl_lab.tasks import read_tasks
        from topicrawl_lab.weights_study import Study

        study = Study(read_tasks(tasks), webs or tasks.parent, spec, by, settings, links)
        learn_all(study, out or Path("weights"), jobs, output)
        return
    target = out or Path("weights.toml")
    config = Config(**given, strategy=strategy, pages=links)
    samples, topic = collect(config, links, output)
    with searching(settings, by, output) as on_generation:
        from topicrawl.strategies.weights.learn import learn_weights

        learned = learn_weights(samples, by, settings, on_generation)
    keep(target, spec, topic, learned)
    show(learned, output)
    say(f"saved: {target}\ncrawl with them: topicrawl crawl --strategy {strategy} --weights {target} …")


def check(strategy: str, by: str, mutation: str) -> None:
    """Raise `ConfigError` for an unknown strategy, method or mutation."""
    from topicrawl.strategies.weights.learn import METHODS
    from topicrawl.strategies.weights.membranes import MUTATIONS

    for flag, value, known in (
        ("--strategy", strategy, ("mcoa", "svsm_mcoa")),
        ("--by", by, METHODS),
        ("--mutation", mutation, MUTATIONS),
    ):
        if value not in known:
            raise ConfigError(f"{flag} {value!r} is unknown; give {' or '.join(known)}")


def membranes(mutation: str, generations: int, seed: int) -> Membranes:
    """The optimiser with these settings, the rest as published."""
    from topicrawl.strategies.weights.membranes import Membranes

    return Membranes(mutation=mutation, generations=generations, seed=seed)


def collect(config: Config, links: int, output: Output) -> tuple[Samples, str]:
    """Crawl breadth-first until the pages of `links` links are fetched; returns samples and the topic's name."""
    from dataclasses import replace

    from topicrawl.crawling.event_loop import run_loop
    from topicrawl.crawling.session import Session
    from topicrawl.setup.resolve import check_web, resolve
    from topicrawl.strategies.mcoa import McoaCrawler, lambdas
    from topicrawl.strategies.weights.samples import Samples

    no_weights = {name: float(weight) for name, weight in lambdas((0.0, 0.0, 0.0, 0.0)).items()}
    config = resolve(replace(config, parameters=config.parameters | no_weights, ordered=True), output.remark)
    for warning in check_web(config):
        output.remark(warning)
    session = Session(replace(config, pages=links + len(config.seeds)))
    output.topic(session.topic)
    session.on_visit = lambda visit, page: output.visit(visit, session.crawl)
    with output.counting(session.config.pages):
        summary = run_loop(session.complete)
    crawler = session.crawl.strategy
    assert isinstance(crawler, McoaCrawler)
    if len(crawler.samples) < links:
        output.remark(f"{len(crawler.samples):,} links instead of {links:,}: {summary['stop_reason']}")
    return Samples.of(crawler.samples[:links]), session.topic.name


@contextmanager
def searching(settings: Membranes, by: str, output: Output) -> Iterator[Callable[[int], None]]:
    """Show the progress of MCOA; yields the callback that gets the number of generations done."""
    if by == "exact":
        yield lambda done: None
        return
    total = settings.generations * settings.rounds * 8
    with output.console.status("membranes: 0 %") as status:
        yield lambda done: status.update(f"membranes: {done / total:.0%}")


def keep(path: Path, spec: Spec, topic: str, learned: Learned) -> None:
    """Write weights.toml."""
    from topicrawl.store.disk import disk_errors, write_atomically
    from topicrawl.strategies.weights.file import write_weights

    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = write_weights(spec.name, topic, learned.weights, learned.facts(), dict(spec.settings))
        write_atomically(path, text.encode())


def show(learned: Learned, output: Output) -> None:
    """Print the weights and their test errors."""
    from topicrawl.strategies.weights.samples import TEXTS

    weights = "  ".join(f"{name} {weight:.4f}" for name, weight in zip(TEXTS, learned.weights, strict=True))
    say(f"weights: {weights}")
    say(
        f"test error over {learned.test:,} links: {learned.error:.4f}; equal quarters {learned.equal_error:.4f}, "
        f"the exact optimum {learned.exact_errors.mean():.4f}"
    )
    say(f"better than equal quarters in {learned.better_groups} of {len(learned.errors)} groups")
    say(f"fitness on {learned.train:,} training links: {learned.of_optimum:.1%} of the optimum")


def learn_all(study: Study, out: Path, jobs: int | None, output: Output) -> None:
    """Learn on every task; write the weights and the report."""
    try:
        with output.console.status("learning …") as status:
            processes = jobs or os.cpu_count() or 1
            learned = study.learn(
                out, processes, lambda left: status.update(f"{left} tasks left"), output.remark
            )
    except KeyboardInterrupt:
        output.remark("interrupted; run the same command again to resume")
        return
    for name, each in learned.items():
        keep(out / f"{name}.toml", study.spec, name, each)
    if fewer := study.fewer(learned):
        output.remark(f"{fewer} of {len(learned)} tasks had fewer links than {study.links:,}")
    report = study.write(out, learned)
    better = sum(each.error < each.equal_error for each in learned.values())
    say(f"{len(learned)} tasks; weights beat equal quarters on the test links of {better}")
    say(f"weights: {out}/TASK.toml\nreport: {report}")
    if len(learned) < len(study.tasks):
        raise typer.Exit(1)


app.command(epilog=EXAMPLES)(with_settings(learn, ASKED))
