from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

import topicrawl
from topicrawl.cli import EXIT_CODES, docs, run
from topicrawl.cli.flags import flag_names
from topicrawl.setup.config import SETTINGS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def help_of(*words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TERMINAL_WIDTH", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    assert run([*words, "--help"]) == 0
    return capsys.readouterr().out


def test_help_of_every_command_describes_it_and_shows_an_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, command in docs.commands():
        text = help_of(*path.split(), capsys=capsys, monkeypatch=monkeypatch)
        assert command.help.splitlines()[0] in text
        assert "topicrawl" in command.epilog


def test_help_of_crawl_has_a_flag_for_every_setting(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = help_of("crawl", capsys=capsys, monkeypatch=monkeypatch)
    for setting in SETTINGS.values():
        assert flag_names(setting).partition("/")[0] in text
    assert "Exit codes" in text


@pytest.mark.parametrize("words", [[], ["topic"], ["web"], ["kb"]])
def test_a_command_without_arguments_shows_its_help(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 0
    printed = capsys.readouterr()
    assert " ".join(["Usage: topicrawl", *words]) in printed.out
    assert printed.err == ""


def test_the_version_is_the_package_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"topicrawl {version('topicrawl')}\n"


def test_a_misspelled_command_or_flag_is_an_error_of_one_line_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, near in ((["crwal"], "crawl"), (["crawl", "--pagse", "3"], "--pages")):
        assert run(words) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("error: no such ")
        assert captured.err.count("\n") == 1
        assert near in captured.err


def test_the_generated_documentation_is_up_to_date() -> None:
    remedy = "run: make docs"
    assert (DOCS / "configuration.md").read_text("utf-8") == docs.configuration(), remedy
    assert (DOCS / "cli.md").read_text("utf-8") == docs.command_line(), remedy
    module = Path(topicrawl.__file__).parent / "api" / "settings.py"
    assert module.read_text("utf-8") == docs.python_settings(module.read_text("utf-8")), remedy


def test_the_documentation_names_every_exit_code_flag_and_command() -> None:
    text = docs.command_line()
    assert all(f"| {code} |" in text for code in EXIT_CODES)
    assert all(flag_names(setting).partition("/")[0] in text for setting in SETTINGS.values())
    assert all(f"## topicrawl {path}" in text for path, _ in docs.commands())
