"""Opening topics and seeds: how an argument is interpreted, and the errors when nothing can be read."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.errors import SeedError, TopicError
from topicrawl.setup.inputs import open_topic, read_seeds
from topicrawl.topic import owl
from topicrawl.topic.ontology import Ontology
from topicrawl.topic.shipped import ontology


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_comes_before_a_built_in_and_a_built_in_before_a_term(folder: Path) -> None:
    assert open_topic("rainstorm").source == "built-in rainstorm"
    (folder / "rainstorm").write_text("drizzle 0.2\n")
    topic = open_topic("rainstorm")
    assert (topic.name, topic.terms, topic.source) == ("rainstorm", ("drizzle",), "rainstorm")
    assert open_topic("drizzle").source == "inline"


def test_a_topic_file_is_read_by_its_suffix(folder: Path) -> None:
    (folder / "wet.toml").write_text("[terms]\nrain = 0.5\n")
    (folder / "dry.txt").write_text("name: No rain\nsun 0.5\n")
    assert open_topic("wet.toml").name == "wet"
    assert open_topic(str(folder / "dry.txt")).name == "No rain"


def test_a_folder_is_no_topic(folder: Path) -> None:
    (folder / "rain").mkdir()
    assert open_topic("rain").source == "inline"


def test_a_long_list_of_terms_is_no_path() -> None:
    spec = ", ".join(f"term{letter}{n}x" for letter in "abcdefgh" for n in range(1000))
    assert len(open_topic(spec).terms) == 8000


def test_a_topic_file_that_is_missing_is_not_taken_for_a_term() -> None:
    with pytest.raises(TopicError, match=r"topic 'wet\.toml': there is no such file"):
        open_topic("wet.toml")


@pytest.mark.parametrize(
    "spec",
    [
        "topics/nope",
        "topics/no such",
        "./nope",
        "/no/where",
        "../nope",
        "a/b/",
        "nope.ttl",
        "my topic.toml",
        "TCP/IP",
    ],
)
def test_a_missing_path_is_not_taken_for_terms(folder: Path, spec: str) -> None:
    (folder / "topics").mkdir()
    with pytest.raises(TopicError, match="there is no such file or folder"):
        open_topic(spec)


@pytest.mark.parametrize(
    ("spec", "terms"),
    [
        ("TCP/IP 1", ("tcp/ip",)),
        ("TCP/IP, network", ("tcp/ip", "network")),
        ("nets: TCP/IP", ("tcp/ip",)),
        ("nets:TCP/IP", ("tcp/ip",)),
        ("input/output device", ("input/output device",)),
        ("flood. rain", ("flood. rain",)),
    ],
)
def test_terms_with_a_slash_are_not_taken_for_paths(spec: str, terms: tuple[str, ...]) -> None:
    assert open_topic(spec).terms == terms


def test_a_url_as_topic_is_refused_with_the_flag_for_pages() -> None:
    with pytest.raises(TopicError, match=r"is a page.*--query https://a\.test/rain"):
        open_topic("https://a.test/rain")


def test_seeds_are_urls_files_and_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "list.txt").write_bytes(b"http://b.test/\nhttp://a.test/\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://c.test/\n")))
    assert read_seeds(["HTTP://a.test", "list.txt", "-"]) == [
        "http://a.test/",
        "http://b.test/",
        "http://c.test/",
    ]


def test_invalid_lines_are_warned_about_and_the_rest_is_used(folder: Path) -> None:
    (folder / "list.txt").write_text("http://a.test/\nftp://b.test/\n")
    warnings: list[str] = []
    assert read_seeds(["list.txt"], warnings.append) == ["http://a.test/"]
    assert warnings == ["list.txt, line 2: 'ftp://b.test/' is no http or https URL; skipped"]


def test_invalid_lines_are_logged_by_default(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "list.txt").write_text("a.test\n")
    with caplog.at_level(logging.WARNING):
        read_seeds(["list.txt"])
    assert "taken as https" in caplog.text


def test_many_invalid_lines_are_summarised(folder: Path) -> None:
    (folder / "list.txt").write_text("http://a.test/\n" + "nothing\n" * 100)
    warnings: list[str] = []
    read_seeds(["list.txt"], warnings.append)
    assert warnings[-1] == "and 95 more lines like these"
    assert len(warnings) == 6


@pytest.mark.parametrize("content", ["", "# only\n\n", "ftp://a.test/\n", "<html>\n"])
def test_seeds_without_a_usable_line_are_refused(folder: Path, content: str) -> None:
    (folder / "list.txt").write_text(content)
    with pytest.raises(SeedError, match=r"no URL in the seeds list\.txt"):
        read_seeds(["list.txt"])


@pytest.mark.parametrize("source", ["missing.txt", "example.org", "http://", "x" * 5000, "a\0b", "."])
def test_a_source_that_cannot_be_read_is_refused_in_one_line(source: str) -> None:
    with pytest.raises(SeedError) as raised:
        read_seeds([source])
    assert source[:10] in str(raised.value).replace("\\x00", "\0")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("suffix", "write"), [(".ttl", owl.turtle), (".owl", owl.rdfxml), (".rdf", owl.rdfxml)]
)
def test_an_owl_file_is_a_topic_with_the_weights_of_its_structure(
    folder: Path, suffix: str, write: Callable[[Ontology], bytes]
) -> None:
    (folder / f"mine{suffix}").write_bytes(write(ontology("rainstorm")))
    mine, built_in = open_topic(f"mine{suffix}"), open_topic("rainstorm")
    assert (mine.terms, mine.weights) == (built_in.terms, built_in.weights)
    assert mine.source == f"mine{suffix}"


def test_a_folder_counts_as_a_topic_only_when_it_is_one(folder: Path) -> None:
    (folder / "rainstorm").mkdir()
    assert open_topic("rainstorm").source == "built-in rainstorm"
    with pytest.raises(TopicError, match=r"'rainstorm/': is a folder without topic\.toml"):
        open_topic("rainstorm/")
    (folder / "rainstorm/topic.toml").write_text('name = "mine"\nroot = "rain"\nmodel = "words"\n')
    (folder / "rainstorm/terms.csv").write_text("term,score,documents,frequency\nflood,2,3,4\n")
    topic = open_topic("rainstorm")
    assert (topic.name, topic.terms, topic.source) == ("mine", ("rain", "flood"), "rainstorm")


def test_the_error_for_a_folder_with_a_missing_file_names_the_file(folder: Path) -> None:
    (folder / "topic.toml").write_text('name = "mine"\nroot = "rain"\n')
    with pytest.raises(TopicError, match=r"ontology.ttl cannot be read"):
        open_topic(".")
