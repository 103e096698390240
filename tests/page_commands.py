"""The commands of a page of the documentation, run in order as a reader would."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from topicrawl.cli import run

BLOCK = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)


def run_page(
    page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Run a page in an empty folder: a block with a title is a file; one marked `console` has commands after `$ `."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TOPICRAWL_CACHE", str(folder / "cache"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for kind, title, text in BLOCK.findall(page.read_text("utf-8")):
        if title:
            Path(title).write_text(text, "utf-8")
        for command in _PROMPT.findall(text) if kind == "console" else ():
            words = shlex.split(command.replace("\\\n", " "))
            code = (
                run(words[1:]) if words[0] == "topicrawl" else subprocess.run(words, check=False).returncode
            )
            assert code == 0, f"{page.name}: {command}\n{capfd.readouterr().err}"
