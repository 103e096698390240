"""Without the packages of the extra `lab`, its commands fail with one line that says how to install them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lab.labelled import write_web

WITHOUT_RESVG = """
import sys
from importlib.machinery import PathFinder

class Hiding(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == "resvg_py" else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
"""
"""Replaces the finder of installed packages by one that does not find resvg_py."""
RUN = f"{WITHOUT_RESVG}\nfrom topicrawl.cli import run\nsys.exit(run(sys.argv[1:]))"
IMPORT_ALL = f"""{WITHOUT_RESVG}
import pkgutil, topicrawl_lab
from importlib import import_module
for module in pkgutil.walk_packages(topicrawl_lab.__path__, "topicrawl_lab."):
    import_module(module.name)
import resvg_py
"""


def python(code: str, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


def test_every_module_of_the_laboratory_can_be_imported_without_them() -> None:
    ended = python(IMPORT_ALL)
    assert ended.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'resvg_py'"
    assert "topicrawl_lab/" not in ended.stderr, "only the last line of the program fails"


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "tasks.json", "--strategies", "bfs", "--out", "out"],
        ["reproduce", "ielp", "--scale", "0.004", "--repeats", "1", "--out", "out"],
        ["weights", "learn", "--tasks", "tasks.json", "--out", "out"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_that_needs_them_says_in_one_line_what_to_install(
    command: list[str], tmp_path: Path
) -> None:
    write_web(tmp_path)
    ended = python(RUN, *command, cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stdout == ""
    (line,) = ended.stderr.splitlines()
    assert line == "error: this command needs resvg-py; install with: pip install 'topicrawl[lab]'"
    assert not (tmp_path / "out").exists(), "nothing is crawled before"


def test_a_command_that_does_not_need_them_works(tmp_path: Path) -> None:
    write_web(tmp_path)
    ended = python(RUN, "tasks", "check", "tasks.json", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "tasks.json: 1 tasks, all sound\n"), ended.stderr
