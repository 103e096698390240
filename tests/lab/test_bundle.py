"""A bundle says what it was made of, and its crawls give the same logs when they are repeated."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lab.labelled import html, task, url
from topicrawl.cli import run as topicrawl
from topicrawl_lab.compare import Comparison
from topicrawl_lab.results import Results
from topicrawl_lab.spec import parse_specs
from web.warcs import Recorder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture
def bundle(small: Path, made: Path) -> Path:
    """The bundle of two crawls of the small web, made once for all tests."""
    out = made / "storms.zip"
    if not out.exists():
        results = Results(made / "results")
        Comparison(tasks=[task()], specs=parse_specs("ops"), webs=small, repeats=2, jobs=1).run(results)
        words = ["make", str(results.folder), "--webs", str(small), "--out", str(out)]
        assert topicrawl(["bundle", *words]) == 0
    return out


def changed(bundle: Path, name: str, old: bytes, new: bytes, *, with_digest: bool) -> Path:
    """The bundle with other bytes in a member; `with_digest` its digest is made to agree."""
    with zipfile.ZipFile(bundle) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    before = hashlib.sha256(members[name]).hexdigest()
    assert old in members[name]
    members[name] = members[name].replace(old, new, 1)
    if with_digest:
        after = hashlib.sha256(members[name]).hexdigest()
        members["bundle.json"] = members["bundle.json"].replace(before.encode(), after.encode())
    out = bundle.with_name("changed.zip")
    with zipfile.ZipFile(out, "w") as archive:
        for each, content in members.items():
            archive.writestr(each, content)
    return out


def test_a_bundle_is_repeated_with_the_same_logs(
    bundle: Path, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert topicrawl(["bundle", "verify", str(bundle), "--webs", str(small), "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "2 crawls were repeated: their logs are the same, byte for byte" in said
    again = bundle.with_name("again.zip")
    results = bundle.with_name("results")
    assert topicrawl(["bundle", "make", str(results), "--webs", str(small), "--out", str(again)]) == 0
    assert again.read_bytes() == bundle.read_bytes(), "the same results make the same file"


def test_a_result_that_was_touched_up_is_found_by_repeating(
    bundle: Path, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, table = "results/visits/storms/ops/0.jsonl", "results/results.csv"
    lie = changed(bundle, log, b'"relevance":0.', b'"relevance":1.', with_digest=True)
    lie = changed(lie, table, b"storms,ops,1,1,none,30,", b"storms,ops,1,1,none,29,", with_digest=True)
    assert topicrawl(["bundle", "verify", str(lie), "--cells", "0"]) == 0, "the file agrees with itself"
    assert topicrawl(["bundle", "verify", str(lie), "--webs", str(small), "--jobs", "1"]) == 4
    said = capsys.readouterr().out
    assert "ops on storms, seed set 0: its log differs from visit 1 on" in said
    assert "seed set 1: fetches was 29, and is 30" in said


def test_a_changed_member_and_another_web_are_named(
    bundle: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = changed(bundle, "tasks.json", b"storm", b"bread", with_digest=False)
    assert topicrawl(["bundle", "verify", str(torn)]) == 4
    assert "tasks.json has changed since the bundle was made" in capsys.readouterr().out
    other = tmp_path / "webs"
    other.mkdir()
    (other / "small.labels.csv").write_bytes((small / "small.labels.csv").read_bytes())
    with Recorder(other / "small.warc.gz") as recorder:
        recorder.answer(url(0), html(0))
    assert topicrawl(["bundle", "verify", str(bundle), "--webs", str(other)]) == 4
    assert "small.warc.gz is another web than that of the bundle" in capsys.readouterr().out
    assert topicrawl(["bundle", "verify", str(bundle), "--webs", str(other), "--cells", "0"]) == 4


def test_a_bundle_with_its_webs_repeats_itself(bundle: Path, small: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    words = ["bundle", "make", str(bundle.with_name("results")), "--webs", str(small), "--out", str(whole)]
    assert topicrawl([*words, "--with-webs"]) == 0
    ran = subprocess.run(
        [sys.executable, str(whole), "--cells", "1", "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "1 crawls were repeated" in ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["verify", "{bundle}"], "name their folder with --webs"),
        (["verify", "{results}/results.csv"], "is no bundle"),
        (["make", "{results}", "--webs", "nowhere", "--out", "x.zip"], "is absent; name the folder of webs"),
        (
            ["make", "{results}", "--webs", "nowhere", "--out", "{bundle}"],
            "exists; give another name, or --force",
        ),
        (["make", "nowhere", "--webs", "nowhere", "--out", "x.zip"], "nowhere is no folder"),
    ],
)
def test_bad_input_is_named_with_the_remedy(
    words: list[str], expected: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [word.format(bundle=bundle, results=bundle.with_name("results")) for word in words]
    assert topicrawl(["bundle", *named]) == 2
    assert expected in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("name", ["results/../../x.csv", "results/{folder}/x.csv", "results/./x.csv"])
def test_a_member_with_a_path_that_leads_out_is_refused(
    name: str, bundle: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder begins with a slash: joined to another, it would take its place."""
    name, content = name.format(folder=tmp_path), b"written"
    with zipfile.ZipFile(bundle) as archive:
        members = {each: archive.read(each) for each in archive.namelist()}
    manifest = json.loads(members["bundle.json"])
    manifest["members"][name] = hashlib.sha256(content).hexdigest()
    members |= {"bundle.json": json.dumps(manifest).encode(), name: content}
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as archive:
        for each, data in members.items():
            archive.writestr(each, data)
    assert topicrawl(["bundle", "verify", str(evil), "--webs", str(small), "--cells", "1"]) == 4
    assert f"{name} is no name of a member" in "".join(capsys.readouterr().out.splitlines())
    assert [*tmp_path.iterdir()] == [evil]
