"""Webs that nobody tuned on, made of packages: `python -m bench.package_webs CACHE OUT [--only NAME,NAME]`.

Constants of a crawler are chosen while somebody looks at its figures on certain webs. What they are worth is seen on
other webs. This program makes such webs, with labels and tasks, of packages that a Debian or npm registry has:

1. `fetch` downloads the packages of a web into the folder CACHE, once. It calls `apt-get`, `npm` and their helpers, so
   registries are those of the system. Nothing else opens a connection.
2. A reader of `bench.package_pages` makes pages of them: HTML as it is shipped, or a page for each entry of a
   dictionary, each package of a package index, each thing of a game.
3. `write` records the pages as OUT/NAME.warc.gz, with their labels beside them. A label is what an editor said: a
   category, a folder, a chapter, a list that names the page. Where pages show their own label, it is taken out.
4. `tasks_of` draws the tasks, as `topicrawl tasks make` does: at most `TASKS` a web, of labels with `LEAST` to `MOST`
   pages, taken in the order of a hash of the label. So nobody chooses them. No budget is above `LARGEST_BUDGET`.

The webs are in two halves. A change may be chosen on those of `CHOOSE`; the others judge it. OUT/tasks.json has the
tasks of all, tasks-choose.json and tasks-judge.json those of a half. Nothing of CACHE and OUT belongs into a
repository: each package has a licence of its own. docs/evidence/scout.md has the figures.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import msgspec

from bench import package_pages
from bench.evidence_tasks import LARGEST_BUDGET, first_seed_sets
from bench.package_pages import Page
from bench.whole_web import ROOT
from topicrawl_lab.cell_runner import TaskWeb, oracle
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.make_tasks import Sizes, make_tasks
from topicrawl_lab.tasks import Task, write_tasks

sys.path.insert(0, str(ROOT / "tests"))

TASKS = 5
"""Most tasks of a web."""
LEAST, MOST = 40, 300
"""Fewest and most pages of a label that makes a task."""
SAME = 0.5
"""Labels that share a larger part of the smaller one's pages are one subject; the first makes a task."""
HELPER = "/usr/lib/apt/apt-helper"
QT = (
    "qtbase qtdeclarative qtmultimedia qtquickcontrols2-5 qttools qtcharts qtdatavisualization qt3d qtlocation "
    "qtconnectivity qtgraphicaleffects qtsvg qtxmlpatterns qtwebengine qtscript qtsensors qtserialport qtwebchannel "
    "qtwebsockets qtx11extras qtvirtualkeyboard qtwayland qtremoteobjects qtscxml qtserialbus qtspeech qtgamepad "
    "qtnetworkauth qtwebview"
)


class Web(NamedTuple):
    """What a web is made of."""

    read: Callable[[Path], Iterable[Page]]
    packages: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """Translations of the package index; `en` are its long descriptions."""


WEBS = {
    "foldoc": Web(package_pages.dictionary, packages=("dict-foldoc",)),
    "packages-de": Web(lambda cache: package_pages.package_index(cache, "de"), languages=("de",)),
    "packages-ja": Web(lambda cache: package_pages.package_index(cache, "ja"), languages=("ja",)),
    "qt": Web(
        package_pages.qt,
        packages=tuple(
            f"{re.sub('-5$', '', name)}5-doc-html" if "-5" not in name else f"{name}-doc-html"
            for name in QT.split()
        ),
    ),
    "cppreference": Web(package_pages.cppreference, packages=("cppreference-doc-en-html",)),
    "game-zh": Web(lambda cache: package_pages.game(cache, "ChineseSimplified"), npm=("genshin-db@5.2.12",)),
    "grass": Web(package_pages.grass, packages=("grass-doc",)),
    "homepages": Web(package_pages.homepages, languages=("en",)),
    "packages-fr": Web(lambda cache: package_pages.package_index(cache, "fr"), languages=("fr",)),
    "packages-ru": Web(lambda cache: package_pages.package_index(cache, "ru"), languages=("ru",)),
    "help-de": Web(lambda cache: package_pages.office_help(cache, "de"), packages=("libreoffice-help-de",)),
    "help-fi": Web(lambda cache: package_pages.office_help(cache, "fi"), packages=("libreoffice-help-fi",)),
    "help-ru": Web(lambda cache: package_pages.office_help(cache, "ru"), packages=("libreoffice-help-ru",)),
    "scilab-ja": Web(package_pages.scilab, packages=("scilab-doc-ja",)),
}
CHOOSE = ("foldoc", "packages-de", "packages-ja", "qt", "help-de")
"""Webs that a change may be chosen on."""


def main() -> None:
    """Make the webs and the tasks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path, help="folder of downloaded and unpacked packages")
    parser.add_argument("out", type=Path, help="folder of the webs and tasks")
    parser.add_argument("--only", type=lambda names: names.split(","), default=list(WEBS), help="NAME,NAME…")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in given.only:
        if not web_path(given.out, name).exists():
            fetch(WEBS[name], given.cache)
            pages = write(WEBS[name].read(given.cache), given.out, name)
            print(f"{name}: {pages:,} pages", flush=True)
    tasks = [task for name in given.only for task in tasks_of(given.out, name)]
    write_tasks(tasks, given.out / "tasks.json")
    write_tasks([task for task in tasks if task.web in CHOOSE], given.out / "tasks-choose.json")
    write_tasks([task for task in tasks if task.web not in CHOOSE], given.out / "tasks-judge.json")
    for task in tasks:
        print(f"{task.web} {task.name}: {task.relevant} pages, oracle {task.oracle_at_budget}")


def fetch(web: Web, cache: Path) -> None:
    """Download what a web is made of and unpack it, unless it is there."""
    cache.mkdir(parents=True, exist_ok=True)
    for package in web.packages:
        if not (cache / package).exists():
            run("apt-get", "download", package, cwd=cache)
            (archive,) = cache.glob(f"{package}_*.deb")
            run("dpkg-deb", "-x", archive.name, package, cwd=cache)
    for package in web.npm:
        folder = cache / package.partition("@")[0]
        if not folder.exists():
            archive_name = run("npm", "pack", "--silent", package, cwd=cache).decode().split()[-1]
            folder.mkdir()
            run("tar", "xzf", archive_name, "-C", folder.name, cwd=cache)
    if web.languages:
        _fetch_index(web.languages, cache)


def _fetch_index(languages: Iterable[str], cache: Path) -> None:
    """The package index of the system and its translations."""
    form = "$(REPO_URI)dists/$(RELEASE)/main/i18n/Translation-"
    where, index = (
        run("apt-get", "indextargets", "--format", each, "Created-By: Packages", cwd=cache)
        .decode()
        .split()[0]
        for each in (form, "$(FILENAME)")
    )
    if not (cache / "Packages").exists():
        (cache / "Packages").write_bytes(run(HELPER, "cat-file", index, cwd=cache))
    for language in languages:
        file = f"Translation-{language}.{'xz' if language == 'en' else 'bz2'}"
        if not (cache / file).exists():
            run(HELPER, "download-file", where + file.removeprefix("Translation-"), file, cwd=cache)


def run(*command: str, cwd: Path) -> bytes:
    """What a program of the system prints."""
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


def write(pages: Iterable[Page], out: Path, name: str) -> int:
    """Record the pages and their labels; of pages with the same URL the first. How many there are."""
    from web.warcs import Recorder

    seen: set[str] = set()
    with (
        Recorder(web_path(out, name)) as recorder,
        labels_path(out, name).open("w", encoding="utf-8", newline="") as file,
    ):
        rows = csv.writer(file)
        rows.writerow(("url", "label"))
        for page in pages:
            if page.url not in seen:
                seen.add(page.url)
                recorder.answer(page.url, page.html)
                rows.writerows((page.url, label) for label in page.labels)
    return len(seen)


def tasks_of(out: Path, name: str) -> Iterator[Task]:
    """The tasks of a web."""
    with labels_path(out, name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    drawn = 0
    for label in subjects(rows):
        kind, _, path = label.partition(":")
        with tempfile.TemporaryDirectory() as folder:
            labels = Path(folder) / "labels.csv"
            alone = f"{kind}:{path.rpartition('.')[2]}"
            with labels.open("w", encoding="utf-8", newline="") as file:
                members = sorted({url for url, each in rows if within(each, label)})
                csv.writer(file).writerows([header, *((url, alone) for url in members)])
            task_web = TaskWeb(web_path(out, name), labels)
            for task in make_tasks(task_web, sizes=Sizes(LEAST, 1)):
                slug = re.sub(r"\W+", "-", path).strip("-").lower()
                yield msgspec.structs.replace(
                    first_seed_sets(_cheap(task, task_web)),
                    name=f"{name}-{slug}",
                    relevant_label=rf"^{re.escape(label)}(\.|$)",
                )
                drawn += 1
            task_web.close()
        if drawn == TASKS:
            return


def subjects(rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Labels of useful size, in the order of a hash; none that shares most of its pages with one before."""
    pages: defaultdict[str, set[str]] = defaultdict(set)
    for url, label in rows:
        while label:
            pages[label].add(url)
            label = label.rpartition(".")[0]  # noqa: PLW2901
    taken: list[set[str]] = []
    for label in sorted(pages, key=lambda label: (crc32(label.encode()), label)):
        own = pages[label]
        if LEAST <= len(own) <= MOST and all(
            len(own & other) <= SAME * min(len(own), len(other)) for other in taken
        ):
            taken.append(own)
            yield label


def within(label: str, group: str) -> bool:
    """Whether a label is the group or below it."""
    return label == group or label.startswith(f"{group}.")


def _cheap(task: Task, task_web: TaskWeb) -> Task:
    """The task with a budget of at most `LARGEST_BUDGET`."""
    if task.budget <= LARGEST_BUDGET:
        return task
    task = msgspec.structs.replace(task, budget=LARGEST_BUDGET)
    found = (oracle(task, number, task_web.graph, task_web.labels) for number in range(len(task.seed_sets)))
    return msgspec.structs.replace(task, oracle_at_budget=tuple(found))


if __name__ == "__main__":
    main()
