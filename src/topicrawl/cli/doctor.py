"""`topicrawl doctor`: check the installation, or check and repair a run."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import tempfile
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.cli import completion
from topicrawl.cli.repair import SPELLINGS, mend_file, repair_run
from topicrawl.cli.run_checks import Finding, Findings, agreement, checks
from topicrawl.errors import BrowserError, ReplayError
from topicrawl.terminal import say

EXAMPLES = """\
[bold]topicrawl doctor[/]  checks the installation

[bold]topicrawl doctor run/[/]  reads everything a run keeps, and changes nothing

[bold]topicrawl doctor run/ --repair[/]  cuts off what is damaged; resuming fetches the rest

[bold]topicrawl doctor run/ --replay[/]  also says whether this version would choose as the log says

Exit codes: 0 no problem found; 4 the run is damaged, its archive has lost records, or this version logged it and
would choose otherwise now
"""
MARKS = {True: "ok    ", None: "note  ", False: "WRONG "}


def doctor(
    run: Annotated[
        Path | None,
        typer.Argument(metavar="RUN", help="The folder of a run.", autocompletion=completion.runs),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Cut off what is damaged, and rebuild what follows from the log.")
    ] = False,
    replay: Annotated[
        bool,
        typer.Option("--replay", help="Replay the log, and say where this version would choose otherwise."),
    ] = False,
) -> None:
    """Check the installation, or a run."""
    findings = installation() if run is None else examine(run, repair=repair, replay=replay)
    sound = True
    for ok, sentence in findings:
        say(MARKS[ok] + sentence)
        sound = sound and ok is not False
    if not sound:
        raise typer.Exit(1 if run is None else ReplayError.exit_code)


def installation() -> Findings:
    """Checks of the installation: versions, native code, WordNet, the browser, the cache folder."""
    from topicrawl.web.cache_folder import cache_folder

    yield True, f"topicrawl {version('topicrawl')} on Python {platform.python_version()}, {platform.system()}"
    for requirement in requires("topicrawl") or []:
        name, _, condition = requirement.partition(";")
        if "extra ==" not in condition:
            yield _installed(re.split(r"[^\w.-]", name, maxsplit=1)[0], optional="sys_platform" in condition)
    yield _native()
    yield _wordnet()
    yield _browser()
    yield _writable(cache_folder())


def _installed(package: str, *, optional: bool) -> Finding:
    try:
        return True, f"{package} {version(package)}"
    except PackageNotFoundError:
        if optional:
            return None, f"{package} is not installed: crawls are slower, with the same results"
        return False, f"{package} is not installed; install topicrawl again"


def _native() -> Finding:
    try:
        import topicrawl._native  # noqa: F401
    except ImportError as why:
        return None, (
            f"native code is not in use ({why}): pages are read by Python, slower and with the same results; "
            "install again where there is a C compiler to have it"
        )
    return True, "native code reads pages, finds terms and looks up links"


def _wordnet() -> Finding:
    from topicrawl.topic.wordnet import WordNet

    if WordNet.load() is None:
        return None, (
            "WordNet is not installed: topics are built without its synonyms, and ssrm and svsm_mcoa match equal words "
            "only; install again to have it"
        )
    return True, "WordNet 3.0 is installed, for building topics and comparing texts"


def _browser() -> Finding:
    from topicrawl.web.browser.find import find_browser

    what = "pages that need JavaScript cannot be rendered (--render)"
    if importlib.util.find_spec("playwright") is None:
        return None, f"{what}: Playwright is not installed; pip install 'topicrawl[browser]'"
    try:
        return True, f"{find_browser()}, renders pages that need JavaScript (--render)"
    except BrowserError as why:
        return None, f"{what}: {why}"


def _writable(folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as why:
        return False, f"cache {folder} cannot be written ({why.strerror}); point $TOPICRAWL_CACHE elsewhere"
    held = sum(os.path.getsize(Path(at) / name) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH202
    return True, f"cache {folder} holds {held / 1e6:,.1f} MB; see and clear it with: topicrawl cache"


def examine(path: Path, *, repair: bool, replay: bool = False) -> Findings:
    """Check a run, after repairing it; with `replay` also say how far this version decides as the log says.

    Of a crawl in shards every shard is checked, and the letters between them.
    """
    from topicrawl.shards.check_letters import check_letters
    from topicrawl.store.merged_run import MergedRun
    from topicrawl.store.run import CONFIG
    from topicrawl.store.shard_files import read_route, shard_folders

    if (route := read_route(path)) is not None:
        if repair and mend_file(path / CONFIG):
            yield True, SPELLINGS
        for name, folder in shard_folders(path, route).items():
            for well, sentence in examine(folder, repair=repair, replay=replay):
                yield well, f"shard {name}: {sentence}"
        with MergedRun(path, route) as merged:
            yield from check_letters(merged)
        return
    if repair:
        yield from repair_run(path)
    yield from checks(path)
    if replay:
        yield agreement(path)
