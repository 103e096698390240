"""The commands of `topicrawl topic`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.setup.inputs import open_topic
from topicrawl.store import disk
from topicrawl.topic.fca.formats import read_cxt
from topicrawl.web.invented import invented_web

BUILT = ["context.cxt", "ontology.ttl", "terms.csv", "topic.toml"]
WEB = "invented:7"


@pytest.fixture
def corpus(here: Path) -> Path:
    """Twelve pages of the invented web about rainstorms, saved as files."""
    folder = here / "corpus"
    folder.mkdir()
    web = invented_web(WEB)
    for number, url in enumerate(web.seeds("rainstorm disaster", 12)):
        (folder / f"{number:02}.html").write_bytes(web.exchange(url).content)
    return folder


def build(*more: str) -> int:
    words = ["--from", "corpus", "--root", "rainstorm disaster", "--lang", "en", "--out", "topics/rainstorm"]
    return run(["topic", "build", "rainstorm", *words, *more])


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_topic_is_built_shown_weighed_scored_checked_and_crawled_with(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--terms", "40") == 0
    assert "12 documents" in capsys.readouterr().out
    assert list(files(here / "topics/rainstorm")) == BUILT
    assert run(["topic", "show", "topics/rainstorm"]) == 0
    tree = capsys.readouterr().out
    assert "concepts on" in tree
    assert "rainstorm disaster  1.000" in tree
    assert run(["topic", "weights", "topics/rainstorm"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[0].split() == [
        "concept",
        "weight",
        "distance",
        "density",
        "depth",
        "coincidence",
        "relation",
    ]
    assert run(["topic", "score", "topics/rainstorm", "corpus/03.html"]) == 0
    assert re.match(r"relevance 0\.\d{4}", capsys.readouterr().out)
    assert run(["topic", "check", "topics/rainstorm"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("ok ")
    (here / "seeds.txt").write_text("\n".join(invented_web(WEB).seeds("rainstorm disaster", 3)))
    crawl = [
        "--topic",
        "topics/rainstorm",
        "--seeds",
        "seeds.txt",
        "--web",
        WEB,
        "--pages",
        "5",
        "--out",
        "run",
    ]
    assert run(["crawl", *crawl]) == 0
    assert "topic rainstorm, read as topics/rainstorm" in capsys.readouterr().err


def test_terms_of_most_documents_are_named_when_left_out_and_kept_on_request(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--model", "words", "--terms", "200") == 0
    left_out = re.search(r"left out, in more than 70% of the documents: (\w+)", capsys.readouterr().out)
    assert left_out
    assert build("--model", "words", "--terms", "200", "--most-documents", "1") == 0
    assert "left out" not in capsys.readouterr().out
    table = (here / "topics/rainstorm/terms.csv").read_text().splitlines()
    row = next(line.split(",") for line in table if line.startswith(left_out[1]))
    assert int(row[2]) > 0.7 * 12


def test_graph_and_lattice_are_written_as_files(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--terms", "20") == 0
    assert run(["topic", "show", "topics/rainstorm", "--html", "graph.html", "--hasse", "lattice.svg"]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == ["graph.html", "lattice.svg"]
    assert (here / "graph.html").read_text("utf-8").startswith("<!doctype html>")
    assert (here / "lattice.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("name", ["rainstorm", "rainstorm-50", "tourism", "rainstorm-words", "暴雨"])
def test_built_in_topics_are_shown_weighed_and_checked_by_name(
    name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("show", "weights", "check"):
        assert run(["topic", command, name]) == 0
        assert capsys.readouterr().out


def test_pages_are_fetched_where_a_web_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = [*invented_web(WEB).seeds("tourism", 12), "http://nowhere.invented.test/"]
    (here / "urls.txt").write_text("\n".join(urls))
    words = ["--seeds", "urls.txt", "--web", WEB, "--root", "tourism", "--out", "t"]
    assert run(["topic", "build", "travel", *words]) == 0
    printed = capsys.readouterr()
    assert "12 documents" in printed.out
    assert "note: http://nowhere.invented.test/: answered with status 404; skipped" in printed.err
    assert read_cxt((here / "t/context.cxt").read_bytes()).documents == tuple(urls[:12])
    assert run(["topic", "score", "t", urls[0], "--web", WEB]) == 0
    assert "relevance 0." in capsys.readouterr().out


def test_a_topic_of_words_has_two_files_and_obeys_overrides(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--model", "words") == 0
    folder = here / "topics/rainstorm"
    assert list(files(folder)) == ["terms.csv", "topic.toml"]
    heaviest = open_topic("topics/rainstorm").terms[1].partition("|")[0]
    (folder / "overrides.toml").write_text(f'drop = ["{heaviest}"]\n[concepts."cloudburst"]\nweight = 0.4\n')
    topic = open_topic("topics/rainstorm")
    assert heaviest not in {term.partition("|")[0] for term in topic.terms}
    assert dict(zip(topic.terms, topic.weights, strict=True))["cloudburst"] == 0.4


def test_building_again_keeps_edits_overrides_and_weights_and_changes_nothing_else(
    corpus: Path, here: Path
) -> None:
    assert build() == 0
    folder = here / "topics/rainstorm"
    first = files(folder)
    assert build() == 0
    assert files(folder) == first
    own = b'drop = ["levee"]\n'
    (folder / "overrides.toml").write_bytes(own)
    ontology = folder / "ontology.ttl"
    added = (
        b"\n:cloudburst a <http://www.w3.org/2002/07/owl#Class> ;\n"
        b'  <http://www.w3.org/2000/01/rdf-schema#label> "cloudburst"@en ;\n'
        b"  <http://www.w3.org/2000/01/rdf-schema#subClassOf> :rainstorm_disaster .\n"
    )
    root = re.search(rb":(rainstorm\S*disaster)", ontology.read_bytes())
    assert root
    ontology.write_bytes(ontology.read_bytes() + added.replace(b"rainstorm_disaster", root[1]))
    recipe = folder / "topic.toml"
    recipe.write_text(recipe.read_text().replace("softness = 1.6", "softness = 2.0"))
    assert build() == 0
    assert (folder / "overrides.toml").read_bytes() == own
    assert b"cloudburst" in ontology.read_bytes()
    assert "softness = 2.0" in recipe.read_text()
    terms = {term.partition("|")[0] for term in open_topic("topics/rainstorm").terms}
    assert "cloudburst" in terms
    assert "levee" not in terms


@pytest.mark.parametrize(
    ("more", "printed"),
    [
        (["--from", "nowhere"], "--from 'nowhere'"),
        (["--model", "lattice"], "--model 'lattice' is unknown; give fca or words"),
        (["--lang", "tlh"], "--lang 'tlh' is unknown; give one of ar, cs, da, de, "),
        (["--stop", "nowhere.txt"], "--stop 'nowhere.txt'"),
        (["--root", "42"], "--root '42' has no letter"),
        (["--seeds", "https://example.org/"], "no documents"),
        (["--out", "corpus"], "--out 'corpus' exists and is no topic"),
        (["--out", "corpus/00.html"], "--out 'corpus/00.html'"),
    ],
)
def test_bad_input_of_a_build_is_one_line_with_exit_code_2_and_writes_nothing(
    more: list[str], printed: str, corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(*more) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert printed in lines[0]
    assert not (here / "topics").exists()
    assert len(list(corpus.iterdir())) == 12


def test_unreadable_files_are_named_and_skipped_and_an_unusable_corpus_is_an_error(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "empty.html").write_bytes(b"")
    (corpus / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (corpus / "line.txt").write_bytes(b"word " * 2_000_000)
    assert build() == 0
    printed = capsys.readouterr().err
    assert "note: empty.html: is empty; skipped" in printed
    assert "note: picture.png: is neither HTML nor text; skipped" in printed
    (here / "bare").mkdir()
    assert run(["topic", "build", "x", "--from", "bare"]) == 2
    assert "no usable document" in capsys.readouterr().err


CYCLE = """
@prefix : <https://example.org/#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:root a owl:Class . :a a owl:Class ; rdfs:subClassOf :b , :root . :b a owl:Class ; rdfs:subClassOf :a .
"""


@pytest.mark.parametrize(
    ("name", "content", "printed"),
    [
        ("cycle.ttl", CYCLE.encode(), "stand above themselves"),
        ("roots.ttl", CYCLE.replace("rdfs:subClassOf :a", "rdfs:label 'b'").encode(), "has no parent"),
        ("broken.ttl", b"@prefix : <x", "broken.ttl, line 1"),
        ("line.owl", b"<x" + b"y" * 10_000_000, "line.owl"),
        ("latin.ttl", CYCLE.encode() + ":c rdfs:label 'é' .".encode("latin-1"), "UTF-8"),
        ("empty.ttl", b"", "has no concepts"),
    ],
)
def test_a_broken_ontology_is_an_error_that_names_it_in_every_command(
    name: str, content: bytes, printed: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / name).write_bytes(content)
    for words in (["topic", "show", name], ["topic", "weights", name], ["topic", "score", name, name]):
        assert run(words) == 2
        error = capsys.readouterr().err
        assert name in error
        assert printed in error
        assert len(error) < 600
    assert run(["topic", "check", name]) == 2


def test_check_names_what_is_wrong_with_a_folder(
    corpus: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build() == 0
    (here / "topics/rainstorm/ontology.ttl").write_text(CYCLE)
    capsys.readouterr()
    assert run(["topic", "check", "topics/rainstorm"]) == 2
    assert "WRONG concepts stand above themselves" in capsys.readouterr().out
    before = files(here / "topics/rainstorm")
    assert build() == 2
    assert "ontology.ttl: concepts stand above themselves" in capsys.readouterr().err
    assert files(here / "topics/rainstorm") == before


def test_a_lattice_without_documents_an_unreadable_page_and_a_folder_without_topic_are_errors(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "plain").mkdir()
    (here / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    for words, printed in (
        (["show", "rainstorm", "--hasse", "x.svg"], "has no lattice"),
        (["score", "rainstorm", "nowhere.html"], "page 'nowhere.html'"),
        (["score", "rainstorm", "picture.html"], "is neither HTML nor text"),
        (["show", "plain/"], "is a folder without topic.toml"),
        (["show", "nowhere.ttl"], "there is no such file"),
    ):
        assert run(["topic", *words]) == 2
        assert printed in capsys.readouterr().err
    assert not (here / "x.svg").exists()


def test_a_disk_that_fails_while_writing_leaves_the_topic_as_it_was(
    corpus: Path, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build() == 0
    before = files(here / "topics/rainstorm")
    written: list[int] = []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        if len(written) == 5:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync", full)
    assert build("--terms", "10") == 3
    assert "No space left" in capsys.readouterr().err
    assert files(here / "topics/rainstorm") == before


def test_an_interrupted_build_leaves_nothing_behind(here: Path) -> None:
    """The server accepts connections and never answers."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        command = [sys.executable, "-m", "topicrawl.cli", "topic", "build", "x", "--allow-net", "127.0.0.0/8"]
        command += ["--seeds", f"http://127.0.0.1:{port}/", "--out", "topics/x"]
        with subprocess.Popen(command, cwd=here, stderr=subprocess.PIPE) as building:
            silent.settimeout(30)
            connection, _ = silent.accept()
            time.sleep(0.2)
            building.send_signal(signal.SIGINT)
            _, printed = building.communicate(timeout=30)
            connection.close()
    assert building.returncode == 130
    assert b"Traceback" not in printed
    assert not (here / "topics").exists()
