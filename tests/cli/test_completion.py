"""Completion, asked as a user does: by the tab key, in real shells."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from topicrawl import cli
from topicrawl.cli.completion import typed_command
from topicrawl.strategies.registry import strategy_names
from topicrawl_lab.cli import NAMES

PATIENCE = 60.0
ZSH_SETUP = "autoload -Uz compinit; compinit -u -D; "


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with runs, where `topicrawl` is on the path."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    for log in ("floods/crawl.db", "divided/shards.toml", "all/storms/crawl.db", "far/other/file"):
        (tmp_path / log).parent.mkdir(parents=True)
        (tmp_path / log).touch()
    return tmp_path


def offered(typed: str) -> list[str]:
    """What the program says to bash for the words that were typed."""
    words = typed.split(" ")
    environment = {
        "_TOPICRAWL_COMPLETE": "complete_bash",
        "COMP_WORDS": "\n".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    said = subprocess.run(
        ["topicrawl"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert not said.stderr
    return said.stdout.split()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("topicrawl crawl --strat", ["--strategy"]),
        ("topicrawl crawl --strategy ", strategy_names()),
        ("topicrawl crawl --set rest", []),
        ("topicrawl crawl --strategy ops --set anch", ["anchor_weight=0.5"]),
        ("topicrawl crawl --strategy no_such --set ", []),
        ("topicrawl crawl --topic tour", ["tourism"]),
        ("topicrawl crawl --judge sk", ["sklearn"]),
        ("topicrawl status ", ["all/", "divided", "floods"]),
        ("topicrawl status f", ["floods"]),
        ("topicrawl crawl --out all/", ["all/storms"]),
        ("topicrawl doctor no/such/fol", []),
        ("topicrawl kb tr", ["train"]),
        ("topicrawl bundle v", ["verify"]),
        ("topicrawl compare --rng", ["--rng-repeats"]),
        ("topicrawl wat", ["watch"]),
    ],
)
def test_words_are_completed(typed: str, expected: list[str], here: Path) -> None:
    assert offered(typed) == expected


def test_all_commands_are_offered_and_no_others(here: Path) -> None:
    everything = cli.app()
    known = {each.name or each.callback.__name__ for each in everything.registered_commands if each.callback}
    known |= {each.name or each.typer_instance.info.name for each in everything.registered_groups}
    assert set(offered("topicrawl ")) == known == {*cli.COMMANDS, *NAMES}


def test_a_command_is_complete_once_a_space_follows() -> None:
    def typed(words: str) -> str | None:
        return typed_command({"_TOPICRAWL_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": words})

    assert [typed(words) for words in ("topicrawl", "topicrawl ", "topicrawl cra")] == ["", "", ""]
    assert [typed(words) for words in ("topicrawl crawl ", "topicrawl crawl --ou")] == ["crawl", "crawl"]
    assert typed_command({}) is None


@contextmanager
def terminal(*command: str) -> Iterator[int]:
    """A program at a terminal of its own; where to write to it and read from it."""
    pid, end = pty.fork()
    if pid == 0:
        os.execvpe(command[0], command, os.environ | {"TERM": "dumb", "PS1": "ready> "})
    try:
        yield end
    finally:
        os.close(end)
        os.waitpid(pid, 0)


def read_until(end: int, wanted: str) -> str:
    """What is shown, up to `wanted`."""
    shown, until = "", time.monotonic() + PATIENCE
    while wanted not in shown:
        assert time.monotonic() < until, shown
        if select.select([end], [], [], 1.0)[0]:
            shown += os.read(end, 4096).decode(errors="replace")
    return shown


@pytest.mark.parametrize(
    ("shell", "setup"),
    [(("bash", "--norc", "--noprofile", "-i"), ""), (("zsh", "-f", "-i"), ZSH_SETUP)],
    ids=["bash", "zsh"],
)
def test_the_tab_key_completes_in_a_shell(shell: tuple[str, ...], setup: str, here: Path) -> None:
    if shutil.which(shell[0]) is None:
        pytest.skip(f"there is no {shell[0]}")
    script = here / "completion.sh"
    with script.open("w") as file:
        environment = os.environ | {"_TOPICRAWL_COMPLETE": f"source_{shell[0]}"}
        subprocess.run(["topicrawl"], env=environment, stdout=file, timeout=PATIENCE, check=True)
    with terminal(*shell) as end:
        os.write(end, f"{setup}source {script}; echo rea''dy\n".encode())
        read_until(end, "ready\r\n")
        for typed, completed in [
            ("topicrawl crawl --strategy olm", "olmoaco"),
            ("topicrawl status flo", "floods"),
            ("topicrawl sea", "search"),
        ]:
            os.write(end, f"{typed}\t".encode())
            read_until(end, completed)
            os.write(end, b"\x15")  # Ctrl-U: an empty line again
        os.write(end, b"exit\n")
        read_until(end, "exit")


def test_fish_completes(here: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish")
    ask = "topicrawl --show-completion fish | source; complete -C 'topicrawl crawl --strategy olm'"
    environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    said = subprocess.run(
        ["fish", "-c", ask], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert said.stdout.split() == ["olmoaco"]
