"""Invalid input is an error of one line that names the thing, the value and the remedy, with exit code 2, and nothing
is written."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.web.invented import invented_web

TOPIC = "rainstorm disaster: rainstorm 0.8, disaster 0.5"
SEED = invented_web("invented:7").seeds("rainstorm disaster", 1)[0]
CRAWL = {"--topic": TOPIC, "--seeds": SEED, "--web": "invented:7", "--pages": "3"}


@pytest.fixture
def refused(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command that must fail with exit code 2 and one line, leaving the folder as it was."""

    def check(*arguments: str) -> str:
        before = snapshot(here)
        code = run(arguments)
        captured = capsys.readouterr()
        assert (code, captured.err.count("\n")) == (2, 1), captured.err
        assert captured.err.startswith("error: ")
        assert captured.out == ""
        assert snapshot(here) == before
        return captured.err

    return check


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


def crawl(**changes: str | None) -> list[str]:
    """The arguments of a valid crawl, with changes."""
    flags = (
        CRAWL | {"--out": "run"} | {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
    )
    return ["crawl", *(word for flag, value in flags.items() if value is not None for word in (flag, value))]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"topic": None}, ["topic", "--topic"]),
        ({"topic": " , "}, ["topic", "rainstorm 0.8"]),
        ({"topic": "rain -0.5, flood"}, ["-0.5", "rain"]),
        ({"topic": "rain nan"}, ["nan", "rain"]),
        ({"topic": "rain 0, flood 0"}, ["zero"]),
        ({"topic": "rain 0.3, Rain 0.4"}, ["'rain'", "twice"]),
        ({"seeds": None}, ["seeds", "--seeds"]),
        ({"seeds": "absent.txt"}, ["absent.txt"]),
        ({"strategy": "opps"}, ["'opps'", "'ops'"]),
        ({"strategy": "ops", "set": "anchor_wieght=0.5"}, ["anchor_wieght", "anchor_weight"]),
        ({"strategy": "ops", "set": "anchor_weight=7"}, ["anchor_weight", "7", "0 to 1"]),
        ({"set": "anchor_weight"}, ["--set", "name=value"]),
        ({"web": "invented:seven"}, ["invented:seven"]),
        ({"web": "absent.warc.gz"}, ["absent.warc.gz"]),
        ({"web": "https://example.org/"}, ["https://example.org/", "seed"]),
        ({"web": "http", "allow_net": "127.0.0.1/8"}, ["127.0.0.1/8"]),
        ({"web": "http", "resolve": "a.test=nowhere"}, ["a.test", "nowhere"]),
        ({"web": "http", "proxy": "socks9://x"}, ["proxy", "socks9://x"]),
        ({"pages": "many"}, ["--pages", "'many'", "500"]),
        ({"pages": "-3"}, ["--pages", "'-3'"]),
        ({"threshold": "2"}, ["--threshold", "'2'", "0 to 1"]),
        ({"max_time": "soon"}, ["--max-time", "'soon'", "90s"]),
        ({"max_bytes": "3 apples"}, ["--max-bytes", "apples", "10MB"]),
        ({"include": "("}, ["--include: '(' is no regular expression: missing )"]),
        ({"min_free": "-1"}, ["--min-free", "or 0"]),
        ({"header": "X-Team"}, ["--header", "X-Team", "Name: value"]),
        ({"config": "absent.toml"}, ["absent.toml", "topicrawl new"]),
        ({"metrics": "nowhere"}, ["--metrics", "nowhere", "9190"]),
        ({"out": None}, ["--out"]),
        ({"out": "s3://bucket/run"}, ["--out", "s3://bucket/run", "folder here"]),
        ({"out": "file:///tmp/run"}, ["--out", "file:"]),
        ({"topic": "topics/nope"}, ["topics/nope", "no such file or folder"]),
        ({"topic": "https://example.org/"}, ["https://example.org/", "--query"]),
    ],
    ids=lambda value: "-".join(f"{k}={v}" for k, v in value.items())[:40] if isinstance(value, dict) else "",
)
def test_a_crawl_that_cannot_work(
    changes: dict[str, str | None], words: list[str], refused: Callable[..., str]
) -> None:
    printed = refused(*crawl(**changes))
    assert all(word in printed for word in words), printed


@pytest.mark.parametrize(
    "command",
    [
        ["demo", "--out", "s3://b/x"],
        ["demo", "--out=gs://b/x"],
        ["kb", "train", "x", "--out", "s3://b"],
        ["tasks", "make", "x", "--out", "hdfs://h/t.json"],
        ["web", "record", "http://a.test/", "--out", "s3://b/x.warc.gz"],
    ],
)
def test_no_command_writes_to_an_address(command: list[str], refused: Callable[..., str]) -> None:
    assert "on this machine" in refused(*command)


def test_a_configuration_that_writes_to_an_address(refused: Callable[..., str], here: Path) -> None:
    (here / "crawl.toml").write_text("[crawl]\nout = 's3://b/run'")
    assert "s3:" in refused(*crawl(config="crawl.toml", out=None))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[crawl]\npagse = 3", ["crawl.toml", "pagse", "'pages' in [crawl]"]),
        ("[http]\npages = 3", ["crawl.toml", "'pages' in [crawl]"]),
        ("[crawl]\npages = 'x'", ["crawl.toml", "pages", "'x'"]),
        ("[crawl\npages = 3", ["crawl.toml", "TOML", "line 1"]),
        ("[topic]\nname = 'x'\n[topic.terms]\nrain = -2", ["crawl.toml", "rain", "-2"]),
    ],
)
def test_a_configuration_that_cannot_work(
    content: str, words: list[str], refused: Callable[..., str], here: Path
) -> None:
    (here / "crawl.toml").write_text(content)
    printed = refused(*crawl(config="crawl.toml", topic=None))
    assert all(word in printed for word in words), printed


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["seeds.txt"]),
        (b"# only a comment\r\n\r\n", ["seeds.txt"]),
        (b"ftp://example.org/\nmailto:x@example.org\n", ["seeds.txt"]),
    ],
)
def test_a_seed_list_without_a_usable_line(
    content: bytes, words: list[str], refused: Callable[..., str], here: Path
) -> None:
    (here / "seeds.txt").write_bytes(content)
    printed = refused(*crawl(seeds="seeds.txt"))
    assert all(word in printed for word in words), printed


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"just text\n", "WARC"),
        (b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain 76\n1 0 X\n", "ARC"),
        (gzip.compress(b"WARC/1.1\r\nWARC-Type: response\r\n" * 9)[:40], "WARC"),
    ],
    ids=["empty", "text", "arc", "truncated"],
)
def test_a_file_that_is_no_usable_warc(
    content: bytes, word: str, refused: Callable[..., str], here: Path
) -> None:
    (here / "web.warc.gz").write_bytes(content)
    printed = refused(*crawl(web="web.warc.gz"))
    assert "web.warc.gz" in printed
    assert word in printed, printed


def test_an_output_folder_that_is_not_empty_or_not_ours(refused: Callable[..., str], here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine" / "thesis.txt").write_text("years of work")
    assert "thesis.txt" in refused(*crawl(out="mine"))
    (here / "file").write_text("x")
    assert "file" in refused(*crawl(out="file"))
    (here / "configured").mkdir()
    (here / "configured" / "crawl.toml").write_text("[crawl]\npages = 3\n")
    assert "crawl.toml" in refused(*crawl(out="configured"))


@pytest.mark.parametrize("command", ["status", "report", "export", "doctor"])
def test_commands_for_runs_refuse_other_folders(
    command: str, refused: Callable[..., str], here: Path
) -> None:
    (here / "mine").mkdir()
    assert "mine" in refused(command, "mine")
    assert "absent" in refused(command, "absent")


def test_why_refuses_what_is_no_url(refused: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*crawl(), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert "nonsense" in refused("why", "run", "nonsense")


def test_new_refuses_to_overwrite(refused: Callable[..., str], here: Path) -> None:
    (here / "crawl.toml").write_text("mine")
    assert "crawl.toml" in refused("new", "crawl.toml")
    assert "absent" in refused("new", "absent/crawl.toml")


@pytest.mark.parametrize(
    "arguments", [["crawl", "--pages"], ["crawl", "--pagse", "3"], ["crwal"], ["why", "run"]]
)
def test_a_command_line_that_cannot_be_read(arguments: list[str], refused: Callable[..., str]) -> None:
    assert "--help" in refused(*arguments)
