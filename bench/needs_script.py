"""How well `needs_script` finds pages that are empty without JavaScript: precision and recall by kind of page.

Pages that need scripts: documents of single-page applications in the registry of npm, named in `bench/shells.txt` and
`bench/shells_later.txt` and marked there with `+` after a look at each. Pages that do not: the documents there marked
with `-`, articles (the suite article-extraction, all of whose text is in the markup) and pages of recorded webs, drawn
by a fixed seed.

    python -m bench.needs_script FOLDER [--show]

FOLDER gets the documents of the packages, which are fetched once.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
import sys
import tarfile
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.whole_web import ROOT, WEBS
from topicrawl.page.read import read
from topicrawl.web.recorded import RecordedWeb

SHELLS = {"": ROOT / "bench" / "shells.txt", ", second list": ROOT / "bench" / "shells_later.txt"}
ARTICLES = WEBS.parent / "testsuites" / "article-extraction" / "pages.jsonl.gz"
SAMPLE = 40
"""Pages of each recorded web."""
SEED = 24
LARGEST = 300_000
Case = tuple[str, str, bytes, bool]
"""Kind, name, content, whether it needs scripts."""


def main(folder: Path, *, show: bool) -> None:
    """Print a table, and the errors."""
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for kind, name, content, needs in (*shells(folder), *articles(), *recorded()):
        page = read(f"http://page.test/{name}", content, "text/html")
        said = page is not None and page.needs_script
        right[kind][2 * needs + said] += 1
        if show and said != needs:
            text = page.text[:100] if page else ""
            print(f"{'missed' if needs else 'false '} {kind} {name}: {text!r}")
    print("| pages | need scripts | found | do not | found by mistake |\n|---|--:|--:|--:|--:|")
    total = [sum(column) for column in zip(*right.values(), strict=True)]
    for kind, (well, mistaken, missed, found) in (*right.items(), ("all", total)):
        print(f"| {kind} | {found + missed} | {found} | {well + mistaken} | {mistaken} |")
    _, mistaken, missed, found = total
    print(f"\nprecision {found / max(1, found + mistaken):.3f}, recall {found / max(1, found + missed):.3f}")


def shells(folder: Path) -> Iterator[Case]:
    """The documents of packages of npm, as marked."""
    lines = [(name, line) for name, path in SHELLS.items() for line in path.read_text("utf-8").splitlines()]
    for name, line in lines:
        if line.startswith("#"):
            continue
        mark, package, path = line.split()
        kept = folder / package.replace("/", "__")
        if not kept.exists():
            fetch(package, kept)
        content = (kept / path.replace("/", "__")).read_bytes()
        kind = "applications" if mark == "+" else "other documents of npm"
        yield kind + name, f"{package}/{path}", content, mark == "+"


def fetch(package: str, kept: Path) -> None:
    """Keep the HTML documents of a package."""
    registry = subprocess.run(
        ["npm", "config", "get", "registry"], capture_output=True, text=True, check=True
    ).stdout.strip()
    name, _, version = package.rpartition("@")
    with urllib.request.urlopen(f"{registry.rstrip('/')}/{name}/{version}", timeout=60) as answer:
        tarball = json.load(answer)["dist"]["tarball"]
    with urllib.request.urlopen(tarball, timeout=300) as answer:
        packed = io.BytesIO(answer.read())
    kept.mkdir(parents=True)
    with tarfile.open(fileobj=packed) as archive:
        for member in archive:
            inside = member.name.partition("/")[2]
            if member.isfile() and member.size < LARGEST and ".htm" in inside.lower():
                file = archive.extractfile(member)
                assert file is not None
                (kept / inside.replace("/", "__")).write_bytes(file.read())


def articles() -> Iterator[Case]:
    """Articles with their text in the markup."""
    with gzip.open(ARTICLES, "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            yield "articles", page["url"], page["html"].encode(), False


def recorded() -> Iterator[Case]:
    """Pages of recorded webs, which are older than single-page applications or made of static documents."""
    for path in sorted(WEBS.glob("*.warc.gz")):
        web = RecordedWeb(path)
        urls = sorted(
            url
            for url, answer in web.answers.items()
            if answer.status == 200 and "html" in answer.row.media_type
        )
        for url in random.Random(SEED).sample(urls, min(SAMPLE, len(urls))):
            yield path.name.partition(".")[0], url, web.exchange(url).content, False


if __name__ == "__main__":
    main(Path(sys.argv[1]), show="--show" in sys.argv)
