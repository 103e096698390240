"""The documentation is true: its commands run, its flags exist, its links work."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import chromium
from page_commands import BLOCK, run_page
from topicrawl.cli import ALONE
from topicrawl.cli import docs as generated

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
BY_HAND = [ROOT / "README.md", DOCS / "index.md", *TUTORIALS, *sorted((DOCS / "how-to").glob("*.md"))]
"""Pages whose every command is checked."""
WRITTEN_BY_PROGRAMS = {"cli.md", "configuration.md", "reliability.md", "evidence/topics.md"}
LONGEST = 3_000
"""Most words of a page written by hand."""
_INLINE = re.compile(r"`(topicrawl [^`]+)`")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
PAGES.remove(ROOT / "CHANGELOG.md")  # names files that were
_PATH = re.compile(
    r"(?<![\w./:{}<>@~$-])"
    r"(?:(?:tests|bench|tools)/[\w./@*-]+|(?!run/)(?:[\w-]+/)+[\w.@*-]+\.(?:py|c|h|toml|yml|sh|service|ipynb)\b)"
    r"(?![\w/<{]|\.\w)"
)
"""Everything in `tests/`, `bench/` and `tools/`, and files of code anywhere; not `<name>.py`."""
_ELSEWHERE = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//[^"]*"')


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", TUTORIALS, ids=name)
def test_the_commands_of_a_tutorial_run_in_order_from_an_empty_folder(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run_page(page, tmp_path, monkeypatch, capfd)


def commands(page: Path) -> Iterator[str]:
    """Every command `topicrawl …` on a page, in blocks and in the text."""
    text = page.read_text("utf-8")
    for _, _, block in BLOCK.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            if line.removeprefix("$ ").startswith("topicrawl "):
                yield line.removeprefix("$ ")
    yield from _INLINE.findall(BLOCK.sub("", text).replace("\n", " "))


@pytest.mark.parametrize("page", BY_HAND, ids=name)
def test_every_command_and_flag_that_a_page_shows_exists(page: Path) -> None:
    known = dict(generated.commands())
    for command in commands(page):
        words = shlex.split(command, comments=True)[1:]
        path = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        if words[0] in ALONE:
            continue
        assert path in known, f"{name(page)}: {command}"
        flags = {flag for each in known[path].params for flag in (*each.opts, *each.secondary_opts)}
        for word in words:
            if re.match(r"--?[a-z]", word):
                assert word in {*flags, "--help"}, f"{name(page)}: {word} in {command}"


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=name)
def test_every_make_target_that_a_page_shows_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    shown = set(re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE))
    assert shown
    assert shown <= targets


def test_links_of_the_readme_are_files() -> None:
    for target in re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / target).exists(), target


def missing_paths(page: Path) -> list[str]:
    """The files and folders of tests, benches and packages that a page names and that do not exist."""
    roots = (ROOT, *(ROOT / folder for folder in ("src", "src/topicrawl", "src/topicrawl_lab", "tests")))
    named = {found.rstrip(".,") for found in _PATH.findall(page.read_text("utf-8"))}
    return sorted(path for path in named if not any(list(root.glob(path)) for root in (*roots, page.parent)))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    assert not missing_paths(page)


def test_a_path_that_does_not_exist_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "| tests/crawl/test_kill.py, make soak | `bench/soak.py`, `value/no_such.py`, bench/no_such, tests/golden/.\n"
        "`topicrawl/strategies/<name>.py`, https://example.org/tests/a.py, run/own.py, examples/systemd/*.service\n"
    )
    assert missing_paths(page) == ["bench/no_such", "tests/crawl/test_kill.py", "value/no_such.py"]


def build(root: Path, into: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(into)]
    settings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=root, env=settings, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built; a dead link or a page that is not in `nav` fails here."""
    into = tmp_path_factory.mktemp("site")
    built = build(ROOT, into)
    assert built.returncode == 0, built.stderr
    return into


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert pages <= {path.relative_to(site) for path in site.rglob("*.html")}
    for page in site.rglob("*.html"):
        assert not _ELSEWHERE.findall(page.read_text("utf-8")), page.name


@pytest.mark.browser
def test_search_works_without_a_server_and_pages_fit_a_phone(site: Path) -> None:
    asked: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.click(".md-search__input")
        page.keyboard.type("resume after a crash")
        page.wait_for_selector(".md-search-result__item h1")
        found = page.inner_text(".md-search-result__list")
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto((site / "tutorials" / "corpus.html").as_uri())
        width = page.evaluate("document.documentElement.scrollWidth")
    assert "Resume after a crash" in found
    assert width == 390
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_dead_link_or_a_page_missing_from_the_navigation_fails_the_build(tmp_path: Path) -> None:
    for folder in ("docs", "tools", "src/topicrawl"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("wordnet-3.0"))
    for file in ("mkdocs.yml", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "docs" / "lost.md").write_text(
        "# Lost\n\n[nowhere](nowhere.md), [no heading](runs.md#no-such)\n"
    )
    built = build(tmp_path, tmp_path / "site")
    assert built.returncode != 0
    assert all(word in built.stderr for word in ("lost.md", "nowhere.md", "#no-such"))


def test_no_page_written_by_hand_is_too_long() -> None:
    lengths = {
        path.relative_to(DOCS).as_posix(): len(path.read_text("utf-8").split()) for path in DOCS.rglob("*.md")
    }
    assert not {page: n for page, n in lengths.items() if n > LONGEST and page not in WRITTEN_BY_PROGRAMS}


def test_no_page_says_to_install_what_is_not_published() -> None:
    """Extras are added to what is installed; the package itself comes from a clone."""
    said = re.compile(r"pip install topicrawl(?![\w\[])")
    assert [name(page) for page in PAGES if said.search(page.read_text("utf-8"))] == []


def test_no_message_names_a_page_that_the_wheel_does_not_have() -> None:
    named = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
                named += [f"{path.name}: {found}" for found in re.findall(r"docs/\S+\.md", node.value)]
    assert not named, "name a command or the title of a page instead"


@pytest.mark.parametrize(
    "bench", ["soak", "needs_script", "readers"]
)  # the last reads its options with argparse
def test_help_of_a_bench_says_what_it_measures_and_runs_nothing(bench: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", f"bench.{bench}", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    head = ast.get_docstring(ast.parse((ROOT / "bench" / f"{bench}.py").read_text("utf-8")))
    assert head is not None
    assert " ".join(head.split()[:5]) in " ".join(ran.stdout.split())
    assert not (ROOT / "--help").exists()
