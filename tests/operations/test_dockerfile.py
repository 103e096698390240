"""The Dockerfile, read as text; `make ops-test` lints it with hadolint."""

from __future__ import annotations

import fnmatch
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "Dockerfile"
TOOLS = os.environ.get("TOPICRAWL_OPS")
"""The folder of the programs that `make ops-test` installs."""


def instructions() -> list[tuple[str, str]]:
    """The instructions with their arguments, lines joined, comments left out."""
    lines = [line for line in DOCKERFILE.read_text().splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    return [(name, text.strip()) for name, text in re.findall(r"^([A-Z]+) (.+)$", joined, re.MULTILINE)]


def stages() -> list[list[tuple[str, str]]]:
    """The instructions of each stage, that which begins it included."""
    found: list[list[tuple[str, str]]] = []
    for name, text in instructions():
        if name == "FROM":
            found.append([])
        if found:
            found[-1].append((name, text))
    return found


def copied() -> list[str]:
    """The files and folders of the repository that are copied."""
    texts = [text for name, text in instructions() if name == "COPY" and "--from" not in text]
    return [source for text in texts for source in text.split()[:-1]]


def admitted(path: str) -> bool:
    """Whether .dockerignore lets a path of the repository in: the last line that matches it decides."""
    inside = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        if not line.startswith("#") and any(fnmatch.fnmatch(each, pattern) for each in _ancestry(path)):
            inside = line.startswith("!")
    return inside


def _ancestry(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: end + 1]) for end in range(len(parts))] + [parts[-1]]


def test_the_compiler_stays_in_the_stage_that_builds() -> None:
    build, final = stages()
    assert any("gcc" in text for _, text in build)
    assert not any("apt-get" in text or "pip" in text for _, text in final)
    assert ("COPY", "--from=build /opt/topicrawl /opt/topicrawl") in final


def test_the_base_is_named_with_its_version() -> None:
    bases = [text for name, text in instructions() if name == "ARG" and text.startswith("BASE=")]
    assert bases == ["BASE=python:3.13-slim-trixie"]
    assert [stage[0][1].split()[0] for stage in stages()] == ["${BASE}", "${BASE}"]


def test_it_runs_as_a_user_with_a_number_who_owns_only_the_volume() -> None:
    final = dict(stages()[-1])
    assert final["USER"] == "10001:10001"
    assert "--uid 10001" in final["RUN"]
    assert final["VOLUME"] == final["WORKDIR"] == "/data"
    assert "HOME=/data" in final["ENV"]
    assert "TOPICRAWL_CACHE=/data/" in final["ENV"]
    order = [name for name, _ in stages()[-1]]
    assert order.index("USER") > order.index("RUN")


def test_signals_reach_the_crawl_and_not_a_shell() -> None:
    assert dict(stages()[-1])["ENTRYPOINT"] == '["topicrawl"]'


def test_nothing_secret_is_in_it() -> None:
    for name, text in instructions():
        assert name != "ADD"
        assert not (name in {"ENV", "ARG"} and re.search(r"(?i)secret|token|password|key", text)), text


def test_all_that_is_copied_exists_and_is_sent_to_the_builder() -> None:
    assert copied()
    for source in copied():
        assert (ROOT / source).exists(), source
        assert admitted(source), source
    for outside in (
        ".git",
        ".venv",
        "tests",
        "docs",
        "run",
        "src/topicrawl/__pycache__",
        "src/topicrawl/_native.so",
    ):
        assert not admitted(outside), outside


def test_the_wheel_can_be_built_of_what_is_copied() -> None:
    """What pyproject.toml and hatch_build.py name is among it."""
    wanted = {
        "pyproject.toml",
        "hatch_build.py",
        "README.md",
        "LICENSE",
        "LICENSES",
        "src",
        "tools/convert_wordnet.py",
    }
    assert wanted <= set(copied())


def test_the_cluster_of_the_examples_is_built_from_it() -> None:
    compose = (ROOT / "examples" / "cluster" / "compose.yaml").read_text()
    assert "context: ../.." in compose
    assert "EXTRAS: cluster" in compose
    assert not (ROOT / "examples" / "cluster" / "Dockerfile").exists()


@pytest.mark.skipif(TOOLS is None, reason="hadolint is installed by `make ops-test`")
def test_hadolint_finds_nothing() -> None:
    assert TOOLS
    done = subprocess.run(
        [f"{TOOLS}/hadolint", DOCKERFILE], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")
