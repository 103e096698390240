"""The commands that query a run, and the flags of crawls by example."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import topicrawl
from catalogue.conftest import SUBJECT, WEB
from topicrawl.cli import run
from topicrawl.knowledge.vocabulary import ITEM, TYPE
from topicrawl.web.invented import invented_web


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_search_answers_in_words_and_in_json(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", str(crawled), "floods", "-n", "3"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith(" 1  ")
    assert re.search(r"the best 3 of \d+ pages with any of these words", said.err)
    assert run(["search", str(crawled), "floods", "-n", "3", "--json"]) == 0
    found = [json.loads(line) for line in lines(capsys)]
    assert len(found) == 3
    assert {"url", "title", "score", "n", "relevance_now", "labels", "snippet"} == found[0].keys()


def read_only(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command while nobody may write to the folder `place`."""
    command = [sys.executable, "-m", "topicrawl.cli", *words]
    if os.geteuid() == 0:  # who may write everywhere, but for a file system that nobody may write to
        mount = f"mount --bind {place} {place} && mount -o remount,ro,bind {place}"
        if subprocess.run(["unshare", "-m", "sh", "-c", mount], capture_output=True, check=False).returncode:
            pytest.skip("no file system can be mounted here")
        command = ["unshare", "-m", "sh", "-c", f'{mount} && exec "$@"', "sh", *command]
    else:
        place.chmod(0o500)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    place.chmod(0o700)
    return done


@pytest.fixture
def copied(crawled: Path, tmp_path: Path) -> Path:
    """A copy of the run that was never searched."""
    place = Path(shutil.copytree(crawled, tmp_path / "run"))
    shutil.rmtree(place / "knowledge", ignore_errors=True)
    return place


def test_a_run_that_cannot_be_written_is_searched(copied: Path) -> None:
    before = sorted(copied.rglob("*"))
    done = read_only(copied, "search", str(copied), "floods", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"url"') == 10
    assert sorted(copied.rglob("*")) == before


@pytest.mark.parametrize("words", [["report"], ["watch", "--once"], ["mark", "--from", "marks.csv"]])
def test_what_must_write_to_a_run_says_that_it_cannot_be_written(copied: Path, words: list[str]) -> None:
    marks = copied.parent / "marks.csv"
    marks.write_text(f"url,relevant\n{next(topicrawl.Run(copied).pages()).url},1\n")
    done = read_only(
        copied, words[0], str(copied), *(each.replace("marks.csv", str(marks)) for each in words[1:])
    )
    assert done.returncode == 3, done.stderr
    assert "make it writable, then start the command again" in done.stderr


def test_a_search_for_an_unknown_word_suggests_a_known_one(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(crawled), "floood"]) == 0
    assert "did you mean" in capsys.readouterr().err


def test_labels_as_list_tree_and_proof(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["labels", str(crawled), "--json"]) == 0
    labels = [json.loads(line) for line in lines(capsys)]
    assert run(["labels", str(crawled), "--tree"]) == 0
    assert labels[0]["label"] in "\n".join(lines(capsys))
    assert run(["search", str(crawled), "floods", "-n", "1", "--json"]) == 0
    item = json.loads(lines(capsys)[0])
    assert run(["labels", str(crawled), "--item", item["url"], "--json"]) == 0
    assert {json.loads(line)["label"] for line in lines(capsys)} == set(item["labels"])


def test_the_rules_of_a_label_agree_with_the_knowledge_base(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """P(label | term) counted again by SPARQL: over the items of the run, and the query, which is one more."""
    assert run(["labels", str(crawled), "--rules", "Floods", "--json"]) == 0
    rules = [json.loads(line) for line in lines(capsys)]
    assert {rule["rule"] for rule in rules} >= {"own", "beta"}
    assert all(rule["needed"] == 1 for rule in rules if rule["rule"] != "beta")
    for rule in [each for each in rules if each["rule"] != "own"][:6]:
        both = f"?i kb:hasTerm ?t . ?t skos:prefLabel '{rule['term']}'"
        asked = (
            f"SELECT (COUNT(DISTINCT ?i) AS ?n) (COUNT(DISTINCT ?j) AS ?m) WHERE {{ {both} "
            f"OPTIONAL {{ ?i kb:hasTerm ?l . ?l skos:prefLabel '{rule['label']}' BIND(?i AS ?j) }} }}"
        )
        assert run(["kb", "sparql", str(crawled), asked]) == 0
        held, shared = map(int, lines(capsys)[1].split("\t"))
        assert rule["items"] == held
        assert rule["proportion"] * held == pytest.approx(shared, abs=1)
        assert rule["proportion"] >= (0.8 if rule["rule"] == "alpha" else 0.5)
        assert run(["labels", str(crawled), "--item", rule["example"], "--json"]) == 0
        assert rule["label"] in {json.loads(line)["label"] for line in lines(capsys)}
    counted = "SELECT (COUNT(DISTINCT ?r) AS ?n) WHERE { ?r a swrl:Imp ; kb:concludes term:flood ; kb:kind 'alpha' }"
    assert run(["kb", "sparql", str(crawled), counted]) == 0
    assert int(lines(capsys)[1]) == sum(rule["rule"] == "alpha" for rule in rules) > 0
    assert run(["labels", str(crawled), "--rules", "flood"]) == 0
    told = lines(capsys)
    assert told[0].startswith("flood: ")
    assert any("of these suffice" in line for line in told)


def test_drift_reports_each_round(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kb", "drift", str(crawled), "--json"]) == 0
    rounds = [json.loads(line) for line in lines(capsys)]
    assert [each["round"] for each in rounds] == [0, 1, 2, 3, 4]
    assert run(["kb", "drift", str(crawled)]) == 0
    assert lines(capsys)[0].startswith("round 0")
    summary = json.loads((crawled / "summary.json").read_text())
    assert summary["learning"]["rounds"] == rounds


def test_sparql_and_export(crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pyoxigraph import RdfFormat, parse

    asked = "SELECT (COUNT(?i) AS ?n) WHERE { ?i a kb:Item }"
    assert run(["kb", "sparql", str(crawled), asked]) == 0
    items = int(lines(capsys)[1])
    assert run(["kb", "export", str(crawled), "--format", "ttl", "--out", str(tmp_path / "kb.ttl")]) == 0
    triples = parse(path=str(tmp_path / "kb.ttl"), format=RdfFormat.TURTLE)
    assert (
        len({str(each.subject) for each in triples if (each.predicate, each.object) == (TYPE, ITEM)})
        == items
        > 50
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["kb", "sparql", "RUN", "SELEC"], "cannot be read"),
        (["kb", "export", "RUN", "--format", "png"], "choose one of ttl, owl"),
        (["kb", "export", "RUN", "--out", "nowhere/kb.ttl"], "there is no folder 'nowhere'"),
        (["search", "RUN", "the of"], "no word that could be a term"),
        (["search", "RUN", "flood", "--label", "nonsense"], "no label of this run"),
        (["labels", "RUN", "--rules", "nonsense"], "no label of this run"),
        (["labels", "RUN", "--item", "http://nowhere.test/"], "no item of this run"),
        (["xref", "RUN", "absent.html"], "give a file or a URL"),
        (["xref", "RUN", ""], "URL|FILE is empty; give a file or a URL"),
        (["kb", "train", "absent/"], "no such file or folder"),
        (["report", "RUN", "--against", "nowhere"], "not a folder"),
    ],
)
def test_errors_are_one_line(
    crawled: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run([str(crawled) if word == "RUN" else word for word in words]) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert said in told[-1]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--strategy", "ops", "--topic", "flood", "--rounds", "3"], "takes none"),
        (["--strategy", "ops", "--topic", "flood", "--per-round", "3"], "has no rounds"),
        (["--strategy", "semxdm", "--topic", "flood", "--train", "absent"], "kb train"),
        (["--strategy", "semxdm", "--query", "absent.html"], "absent.html"),
        (["--strategy", "semxdm"], "--strategy semxdm searches for pages similar to one you give: --query"),
        (["--strategy", "semxdm", "--topic", "flood", "--documents", "docx"], "choose of feed, pdf"),
    ],
)
def test_flags_that_do_not_fit_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], said: str
) -> None:
    out = ["--seeds", "http://a.test/", "--web", WEB, "--out", str(tmp_path / "run")]
    assert run(["crawl", *flags, *out]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_trained_crawl_resumes_without_the_training_file_and_can_be_cross_referenced(
    crawled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["kb", "train", str(crawled), "--out", str(tmp_path / "kb")]) == 0
    assert "labels" in capsys.readouterr().out
    seeds = [flag for seed in invented_web(WEB).seeds(SUBJECT, 3) for flag in ("--seeds", seed)]
    asked = [
        "--strategy",
        "semxdm",
        "--query",
        str(crawled.parent / "article.txt"),
        "--train",
        str(tmp_path / "kb"),
    ]
    out = ["--out", str(tmp_path / "run"), "--quiet"]
    assert run(["crawl", *asked, *seeds, "--web", WEB, "--continuous", "--pages", "30", *out]) == 0
    shutil.rmtree(tmp_path / "kb")
    assert run(["crawl", "--pages", "50", *out]) == 0
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["fetches"] == 50
    assert summary["learning"]["rounds"][0]["labels"] > 10
    capsys.readouterr()
    assert (
        run(["xref", str(tmp_path / "run"), str(crawled.parent / "article.txt"), "--crawl", "15", "--json"])
        == 0
    )
    found = [json.loads(line) for line in lines(capsys)]
    assert found
    assert found[0]["score"] > 0.2
    assert len({each["url"] for each in found}) == len(found)
    assert len(list((tmp_path / "run").glob("xref-*"))) == 1


def test_rounds_set_the_number_of_pages_unless_it_is_given() -> None:
    from topicrawl.setup.config import Config
    from topicrawl.setup.resolve import resolve, resume_config

    asked = Config(
        strategy="semxdm", topic="flood", seeds=("http://a.test/",), web=WEB, rounds=9, per_round=500
    )
    begun = resolve(asked)
    assert begun.pages == 4500
    assert resume_config(begun, {"rounds": 12}).pages == 6000
    assert resolve(replace(asked, pages=100)).pages == 100
    assert resume_config(resolve(replace(asked, pages=100)), {"rounds": 12}).pages == 100


def test_two_crawls_are_drawn_side_by_side(crawled: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(crawled, tmp_path / "run"))
    assert run(["report", str(copy), "--against", str(crawled)]) == 0
    assert "line s1" in (copy / "report.html").read_text()
