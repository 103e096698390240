"""Exports of a small real run, read back by the programs they are made for."""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

from topicrawl.errors import StorageError, UsageError
from topicrawl.floats import Floats
from topicrawl.model import Ask, Hop, Outcome, Page, Response, Timing, Told, Visit
from topicrawl.page.html import read_html
from topicrawl.store.exports import FORMATS, export
from topicrawl.store.exports.documents import file_name
from topicrawl.store.run import Run

THRESHOLD = 0.62
HTML = (("Content-Type", "text/html; charset=utf-8"),)
ASKED = (("User-Agent", "topicrawl"), ("Accept", "*/*"))


def told(n: int, url: str, relevance: float, page: Page | None, response: Response | None) -> Told:
    fetched = page is not None
    title = page.title if page else ""
    visit = Visit(
        n, url, url, response.status if response else None, fetched, False, relevance, 0.5, "a.test", 1, None,
        title, 10 * n, None if fetched else "status: 404",
    )  # fmt: skip
    outcome = Outcome(url, visit.status, visit.bytes, visit.error, page)
    return Told(Ask(n, url, 0.5, 1), outcome, visit, Timing(1.7e9 + n, 0, 0.1, 0.001), response)


def answer(url: str, body: bytes, status: int = 200, hops: tuple[Hop, ...] = ()) -> Response:
    return Response(url, url, status, "OK", HTML, body, body, len(body), hops=hops, request_headers=ASKED)


LETTERED = (
    '<html lang="en"><title>Storms</title><meta name="description" content="All about storms">'
    '<meta name="author" content="A. Writer"><meta name="date" content="2024-05-01">'
    "<nav><a href=/>Home</a></nav><h1>Rain &amp; wind</h1><p>It rains <b>hard</b> <a href=now>today</a></p>"
    "<h2># Not &lt;b>markup&lt;/b></h2><p>1. no list</p>"
)
"""A page with a title, a description, navigation, an h1, a paragraph with a strong word and a link in it, and an h2."""
SUM = '<html lang="zh"><title>=HYPERLINK(1)</title><p>=SUM(1)<p>暴雨, "rain"<p>and more'
LETTERED_TEXT = "Rain & wind\nIt rains hard today\n# Not <b>markup</b>\n1. no list"


def page_of(path: str, html: str) -> tuple[str, Page, Response]:
    url = f"https://a.test/{path}"
    return url, read_html(url, html), answer(url, html.encode())


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run.create(tmp_path / "run", "[crawl]\n")
    hop = Hop("https://a.test/old", 301, "Moved", (("Location", "/storms"),))
    storms, lettered, said = page_of("storms", LETTERED)
    sum_url, formula, sum_said = page_of("sum", SUM)
    last_url, plain, last_said = page_of("last", "<p>last")
    events = [
        told(1, storms, 0.9, lettered, replace(said, hops=(hop,))),
        told(2, "https://a.test/none", 0.0, None, answer("https://a.test/none", b"no", 404)),
        told(3, sum_url, 0.62, formula, sum_said),
        told(4, "https://a.test/dead", 0.0, None, None),
        told(5, last_url, 0.63, plain, last_said),
    ]
    made.write([event for each in events for event in (each.ask, each)])
    yield made
    made.close()


def exported(run: Run, form: str, *, relevant_only: bool = False, now: Floats | None = None) -> bytes:
    file = io.BytesIO()
    export(run, form, file, threshold=THRESHOLD, relevant_only=relevant_only, now=now)
    return file.getvalue()


def test_jsonl_has_one_line_per_page_with_its_text(run: Run) -> None:
    rows = [json.loads(line) for line in exported(run, "jsonl").splitlines()]
    assert [row["n"] for row in rows] == [1, 3, 5]
    assert list(rows[0]) == [
        *("n", "url", "title", "relevance", "depth", "host", "language", "noindex", "text"),
        *(
            "relevance_now",
            "term_relevance",
            "fetched_at",
            "status",
            "parent",
            "digest",
            "read_digest",
            "author",
            "published",
        ),
    ]
    assert rows[1]["text"] == '=SUM(1)\n暴雨, "rain"\nand more'
    first = {
        name: rows[0][name] for name in ("text", "fetched_at", "status", "parent", "author", "published")
    }
    assert first == {
        "text": LETTERED_TEXT,
        "fetched_at": "2023-11-14T22:13:21Z",
        "status": 200,
        "parent": None,
        "author": "A. Writer",
        "published": "2024-05-01",
    }
    hashed = hashlib.sha1(LETTERED.encode(), usedforsecurity=False).digest()
    assert rows[0]["digest"] == rows[0]["read_digest"] == "sha1:" + base64.b32encode(hashed).decode()


def test_all_text_is_what_the_page_says_with_navigation_and_description(run: Run, tmp_path: Path) -> None:
    everything = read_html("https://a.test/storms", LETTERED).text
    assert "Home" in everything
    file = io.BytesIO()
    export(run, "jsonl", file, threshold=THRESHOLD, text="all")
    assert json.loads(file.getvalue().splitlines()[0])["text"] == everything
    export(run, "markdown", tmp_path / "all", threshold=THRESHOLD, text="all")
    first = sorted((tmp_path / "all").glob("*.md"))[0].read_text("utf-8")
    assert (
        "# Storms\n\nAll about storms\n\nHome\n\n# Rain & wind\n\nIt rains hard today\n\n## \\# Not" in first
    )
    with pytest.raises(UsageError, match="give main or all"):
        export(run, "jsonl", io.BytesIO(), threshold=THRESHOLD, text="some")


def test_without_an_archived_copy_the_text_is_all_that_the_page_says(tmp_path: Path) -> None:
    url, page, said = page_of("storms", LETTERED)
    with Run.create(tmp_path / "bare", "[crawl]\n", warc=False) as bare:
        only = told(1, url, 0.9, page, said)
        bare.write([only.ask, only])
        file, remarks = io.BytesIO(), list[str]()
        export(bare, "jsonl", file, threshold=THRESHOLD, say=remarks.append)
        row = json.loads(file.getvalue())
        assert row["text"] == page.text.removeprefix("Storms\n")
        assert row["digest"] == row["read_digest"] == ""
        assert remarks == [
            "the archive has no readable copy of 1 of the pages; their text is all that they say"
        ]


def test_only_pages_strictly_above_the_threshold_are_relevant(run: Run) -> None:
    rows = exported(run, "jsonl", relevant_only=True).splitlines()
    assert [json.loads(row)["n"] for row in rows] == [1, 5]


def test_relevant_pages_are_those_that_are_relevant_by_all_that_was_learned(run: Run) -> None:
    now = np.array([0.0, 0.1, 0.0, 0.7, 0.0, 0.8])
    rows = [json.loads(row) for row in exported(run, "jsonl", relevant_only=True, now=now).splitlines()]
    assert [(row["n"], row["relevance"], row["relevance_now"]) for row in rows] == [
        (3, 0.62, 0.7),
        (5, 0.63, 0.8),
    ]


def test_csv_keeps_line_breaks_and_quotes_and_disarms_formulas(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(run, "csv").decode("utf-8"), newline="")))
    assert [row["n"] for row in rows] == ["1", "3", "5"]
    assert rows[1]["title"] == "'=HYPERLINK(1)"
    assert rows[1]["text"] == '\'=SUM(1)\n暴雨, "rain"\nand more'
    assert rows[0]["text"] == LETTERED_TEXT


def test_parquet_has_typed_columns(run: Run) -> None:
    table = pq.read_table(io.BytesIO(exported(run, "parquet")))
    assert table.column("relevance").to_pylist() == [0.9, 0.62, 0.63]
    assert table.column("title").to_pylist() == ["Storms", "=HYPERLINK(1)", ""]


def test_without_pyarrow_parquet_says_how_to_get_it(run: Run) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from pathlib import Path\nfrom topicrawl.store.exports import export\nfrom topicrawl.store.run import Run\n"
        "export(Run.open(Path(sys.argv[1]), writable=False), 'parquet', Path(sys.argv[2]), threshold=0.5)"
    )
    out = run.path.parent / "pages.parquet"
    ended = subprocess.run(
        [sys.executable, "-c", code, str(run.path), str(out)], capture_output=True, text=True, check=False
    )
    assert "UsageError" in ended.stderr
    assert "pip install 'topicrawl[parquet]'" in ended.stderr
    assert sorted(each.name for each in run.path.parent.iterdir()) == ["run"]


def test_text_is_one_file_per_page_and_an_index(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "text"
    assert export(run, "text", out, threshold=THRESHOLD) == 3
    index = [line.split("\t") for line in (out / "index.tsv").read_text("utf-8").splitlines()]
    assert index[0] == ["file", "url", "relevance", "title", "relevance_now"]
    assert [row[1] for row in index[1:]] == [
        "https://a.test/storms",
        "https://a.test/sum",
        "https://a.test/last",
    ]
    assert index[2][3] == "'=HYPERLINK(1)"
    assert (out / index[1][0]).read_text("utf-8") == LETTERED_TEXT + "\n"
    assert {each.name for each in out.iterdir()} == {row[0] for row in index[1:]} | {"index.tsv"}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Flood warnings — and what to do", "000001-flood-warnings-and-what-to-do"),
        ("../../etc/passwd\0\n\u202e.exe", "000001-etc-passwd-exe"),
        ("暴雨 灾害", "000001-暴雨-灾害"),
        ("", "000001-a-test-storms"),
        ("雨" * 300, "000001-" + "雨" * 40),
        ("con", "000001-con"),
    ],
)
def test_a_file_name_has_letters_and_digits_of_the_title_only(run: Run, title: str, name: str) -> None:
    assert file_name(next(run.visits()), title) == name


def test_markdown_has_front_matter_headings_and_paragraphs_and_no_foreign_markup(
    run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "markdown"
    export(run, "markdown", out, threshold=THRESHOLD, relevant_only=True)
    first = sorted(out.glob("*.md"))[0]
    *_, page = run.captures(1)
    front, body = first.read_text("utf-8").removeprefix("---\n").split("---\n\n", 1)
    known = dict(line.split(": ", 1) for line in front.splitlines())
    assert {name: json.loads(value) for name, value in known.items()} == {
        "title": "Storms",
        "url": "https://a.test/storms",
        "relevance": 0.9,
        "language": "en",
        "relevance_now": 0.9,
        "fetched_at": "2023-11-14T22:13:21Z",
        "status": 200,
        "digest": page.digest,
        "read_digest": page.digest,
        "author": "A. Writer",
        "published": "2024-05-01",
    }
    assert body == (
        "# Storms\n\n# Rain & wind\n\nIt rains **hard** [today](https://a.test/now)\n\n"
        "## \\# Not \\<b\\>markup\\</b\\>\n\n1\\. no list\n"
    )


def test_a_warc_holds_the_records_byte_for_byte_and_passes_the_check(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "pages.warc.gz"
    assert export(run, "warc", out, threshold=THRESHOLD, relevant_only=True) == 2
    content = out.read_bytes()
    assert content.endswith((run.archived(1) or b"?") + (run.archived(5) or b"?"))
    with out.open("rb") as file:
        records = [(each.rec_type, each.rec_headers["WARC-Target-URI"]) for each in ArchiveIterator(file)]
    assert records == [
        ("warcinfo", None),
        ("response", "https://a.test/old"),
        ("request", "https://a.test/storms"),
        ("response", "https://a.test/storms"),
        ("request", "https://a.test/last"),
        ("response", "https://a.test/last"),
    ]
    checked = subprocess.run(
        [sys.executable, "-m", "warcio.cli", "check", str(out)], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout


def test_a_warc_of_everything_has_the_failures_that_were_answered_too(run: Run) -> None:
    assert b"https://a.test/none" in gzip.decompress(exported(run, "warc"))


def test_a_wacz_is_complete_and_its_index_points_to_its_records(run: Run) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(run, "wacz"))) as package:
        assert package.testzip() is None
        manifest = json.loads(package.read("datapackage.json"))
        digest = json.loads(package.read("datapackage-digest.json"))
        files = {name: package.read(name) for name in package.namelist()}
        stored = {each.filename for each in package.infolist() if each.compress_type == zipfile.ZIP_STORED}
    assert manifest["profile"] == "data-package"
    assert manifest["wacz_version"] == "1.1.1"
    assert stored == {"archive/00000.warc.gz", "indexes/index.cdx.gz"}
    listed = {each["path"]: each for each in manifest["resources"]}
    assert set(listed) == set(files) - {"datapackage.json", "datapackage-digest.json"}
    for path, entry in listed.items():
        assert entry["bytes"] == len(files[path])
        assert entry["hash"] == "sha256:" + hashlib.sha256(files[path]).hexdigest()
    assert digest["hash"] == "sha256:" + hashlib.sha256(files["datapackage.json"]).hexdigest()

    head, *pages = map(json.loads, files["pages/pages.jsonl"].splitlines())
    assert head["format"] == "json-pages-1.0"
    assert [page["url"] for page in pages] == [
        "https://a.test/storms",
        "https://a.test/sum",
        "https://a.test/last",
    ]
    assert pages[0]["ts"] == "2023-11-14T22:13:21Z"

    meta, block = files["indexes/index.idx"].decode().splitlines()
    assert json.loads(meta.removeprefix("!meta 0 "))["filename"] == "index.cdx.gz"
    where = json.loads(block[block.index("{") :])
    part = files["indexes/index.cdx.gz"][where["offset"] : where["offset"] + where["length"]]
    lines = gzip.decompress(part).decode().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 5
    for line in lines:
        entry = json.loads(line[line.index("{") :])
        warc = files[f"archive/{entry['filename']}"]
        record = gzip.decompress(warc[int(entry["offset"]) :][: int(entry["length"])]).decode()
        assert f"WARC-Target-URI: {entry['url']}\r\n" in record
        assert "WARC-Type: response\r\n" in record


def test_a_run_without_an_archive_cannot_be_exported_as_one(tmp_path: Path) -> None:
    with Run.create(tmp_path / "bare", "[crawl]\n", warc=False) as bare:
        for form in ("warc", "wacz"):
            with pytest.raises(UsageError, match="keeps no archive"):
                export(bare, form, tmp_path / "x", threshold=THRESHOLD)
    assert [each.name for each in tmp_path.iterdir()] == ["bare"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_run_without_pages_exports_a_valid_empty_file(form: str, tmp_path: Path) -> None:
    with Run.create(tmp_path / "empty", "[crawl]\n") as empty:
        assert export(empty, form, tmp_path / FORMATS[form].name, threshold=THRESHOLD) == 0
    assert (tmp_path / FORMATS[form].name).exists()


@pytest.mark.parametrize(
    ("typed", "meant"), [("json", "jsonl"), ("Markdwon", "markdown"), ("txt", "text"), ("wars", "warc")]
)
def test_an_unknown_format_is_refused_with_the_nearest_name(
    run: Run, tmp_path: Path, typed: str, meant: str
) -> None:
    with pytest.raises(UsageError, match=f"did you mean '{meant}'"):
        export(run, typed, tmp_path / "x", threshold=THRESHOLD)


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_overwritten_without_force(run: Run, tmp_path: Path, form: str) -> None:
    out = tmp_path / FORMATS[form].name
    export(run, form, out, threshold=THRESHOLD)
    with pytest.raises(UsageError, match="exists"):
        export(run, form, out, threshold=THRESHOLD)
    export(run, form, out, threshold=THRESHOLD, relevant_only=True, force=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["run", out.name])
    if out.is_dir():
        assert len(list(out.iterdir())) == 3


def test_force_never_empties_a_folder_that_is_not_an_export(run: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match=r"thesis\.tex"):
        export(run, "text", home, threshold=THRESHOLD, force=True)
    with pytest.raises(UsageError, match="is a folder"):
        export(run, "jsonl", home, threshold=THRESHOLD, force=True)
    assert (home / "thesis.tex").read_text() == "years of work"


def test_a_symbolic_link_at_the_target_is_never_followed(run: Run, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "folder"
    folder.mkdir()
    file_link, folder_link = tmp_path / "pages.jsonl", tmp_path / "text"
    file_link.symlink_to(victim)
    folder_link.symlink_to(folder)
    export(run, "jsonl", file_link, threshold=THRESHOLD, force=True)
    assert victim.read_text() == "precious"
    assert not file_link.is_symlink()
    with pytest.raises(UsageError, match="is not a folder"):
        export(run, "text", folder_link, threshold=THRESHOLD, force=True)
    assert list(folder.iterdir()) == []


def test_a_missing_folder_is_named(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        export(run, "jsonl", tmp_path / "nowhere" / "x.jsonl", threshold=THRESHOLD)


def test_folder_formats_cannot_go_to_a_pipe(run: Run) -> None:
    with pytest.raises(UsageError, match="makes a folder"):
        export(run, "text", io.BytesIO(), threshold=THRESHOLD)


def test_a_full_disk_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    out = tmp_path / "pages.jsonl"
    out.write_text("the last good export")
    code = (
        "import resource, signal, sys\nfrom pathlib import Path\n"
        "from topicrawl.store.exports import export\nfrom topicrawl.store.run import Run\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "export(Run.open(Path(sys.argv[1]), writable=False), 'jsonl', Path(sys.argv[2]), threshold=0.5, force=True)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(run.path), str(out)], capture_output=True, text=True, check=False
    )
    assert resource is not None
    assert StorageError.__name__ in ended.stderr
    assert "nothing was exported" in ended.stderr
    assert out.read_text() == "the last good export"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pages.jsonl", "run"]
