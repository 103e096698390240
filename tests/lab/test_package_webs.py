"""`bench.package_webs` on packages written here: pages, links and labels of each reader, and the tasks drawn."""

from __future__ import annotations

import bz2
import gzip
import json
import re
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from bench import package_pages, package_webs
from bench.package_pages import Page, entries_of

from lab.labelled import PAGES, html, relevant, url
from topicrawl_lab.labels import labels_path, read_labels, web_path
from topicrawl_lab.tasks import read_tasks

FOLDOC = """
Zilog

   <company> A maker of the {Zilog Z80}; see {no entry}.

Zilog Z80
Z80

   <processor, hardware> An eight bit
{processor}
   by {Zilog}.

processor

   <hardware> A part.
"""
INDEX = """Package: draw
Depends: libdraw (>= 1), hidden
Homepage: https://draw.example/
Description: Drawing
Description-md5: aa
Tag: role::program, use::editing,
 works-with::image:raster
Section: graphics

Package: libdraw
Description: Library
Description-md5: bb
Tag: role::shared-lib
Section: libs

Package: old
Description: Changed since it was translated
Description-md5: dd
Section: libs
"""
TRANSLATION = """Package: draw
Description-md5: aa
Description-de: Malprogramm
 Zum Malen
 von Bildern.
 .
 Und mehr.

Package: libdraw
Description-md5: bb
Description-de: Bibliothek
 Für libdraw.

Package: old
Description-md5: cc
Description-de: Alt
 Veraltet.
"""


def found(pages: list[Page]) -> dict[str, Page]:
    """Pages by URL."""
    return {page.url: page for page in pages}


def links(page: Page) -> list[str]:
    """Where the links of a page lead."""
    return re.findall(r'href="([^"]+)"', page.html.decode())


def write_file(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def test_an_entry_of_the_dictionary_is_a_page_with_its_categories_taken_out(tmp_path: Path) -> None:
    write_file(tmp_path / "dict-foldoc/usr/share/dictd/foldoc.dict.dz", gzip.compress(FOLDOC.encode()))
    pages = found(list(package_pages.dictionary(tmp_path)))
    zilog = pages["http://dictionary.test/Zilog"]
    assert zilog.labels == ("category:company",)
    assert b"company" not in zilog.html
    assert "http://dictionary.test/Zilog%20Z80" in links(zilog)
    assert b"no entry" in zilog.html
    assert pages["http://dictionary.test/Zilog%20Z80"].labels == ("category:processor", "category:hardware")
    assert "http://dictionary.test/contents/P.html" in links(pages["http://dictionary.test/"])


def test_a_link_that_runs_on_in_the_first_column_begins_no_entry() -> None:
    names = [names for names, _ in entries_of(FOLDOC)]
    assert names == [["Zilog"], ["Zilog Z80", "Z80"], ["processor"]]


def test_the_index_has_packages_that_are_translated_as_they_are_now(tmp_path: Path) -> None:
    write_file(tmp_path / "Packages", INDEX)
    write_file(tmp_path / "Translation-de.bz2", bz2.compress(TRANSLATION.encode()))
    package_pages.packages.cache_clear()
    pages = found(list(package_pages.package_index(tmp_path, "de")))
    draw = pages["http://packages.test/stable/draw"]
    assert draw.labels == ("tag:use.editing", "tag:works-with.image.raster")
    assert b"raster" not in draw.html
    assert b"<p>Zum Malen von Bildern.</p><p>Und mehr.</p>" in draw.html
    assert "http://packages.test/stable/libdraw" in links(draw)
    assert not any("hidden" in link for link in links(draw))
    assert "http://packages.test/stable/old" not in pages
    assert links(pages["http://packages.test/section/libs/"]) == ["http://packages.test/stable/libdraw"]


def test_a_program_is_at_the_host_of_its_homepage(tmp_path: Path) -> None:
    write_file(tmp_path / "Packages", INDEX)
    write_file(tmp_path / "Translation-en.bz2", bz2.compress(TRANSLATION.replace("-de:", "-en:").encode()))
    package_pages.packages.cache_clear()
    pages = found(list(package_pages.homepages(tmp_path)))
    assert set(pages) == {"http://draw.example/", "http://catalogue.test/d.html", "http://catalogue.test/"}
    assert "http://draw.example/" in links(pages["http://catalogue.test/d.html"])


def test_modules_of_qt_are_hosts_and_lists_are_labels(tmp_path: Path) -> None:
    doc = tmp_path / "qtbase5-doc-html/usr/share/qt5/doc"
    cell = '<td class="tblName"><p><a href="../qtgui/qimage.html">QImage</a></p></td>'
    listed = f'<table class="annotated"><tr>{cell}</tr></table>'
    write_file(doc / "qtcore/images.html", f'<h1 class="title">Images</h1>{listed}')
    write_file(
        doc / "qtgui/qimage.html", '<h1 class="title">QImage Class</h1><a href="qimage.html#id">it</a>'
    )
    write_file(doc / "qtgui/clock.html", '<h1 class="title">Clock Example</h1>')
    pages = found(list(package_pages.qt(tmp_path)))
    assert pages["http://qtgui.test/qtgui/qimage.html"].labels == ("listed:images", "kind:class")
    assert pages["http://qtgui.test/qtgui/clock.html"].labels == ("kind:example",)
    assert links(pages["http://qtcore.test/qtcore/images.html"]) == ["http://qtgui.test/qtgui/qimage.html"]


def test_folders_and_chapters_are_labels_that_pages_do_not_show(tmp_path: Path) -> None:
    wiki = tmp_path / "cppreference-doc-en-html/usr/share/cppreference/doc/html/en"
    write_file(wiki / "cpp/numeric/random.html", "<title>random</title><script>category</script>")
    write_file(wiki / "index.html", "<title>C++</title>")
    pages = found(list(package_pages.cppreference(tmp_path)))
    assert pages["http://reference.test/cpp/numeric/random.html"].labels == ("folder:cpp.numeric",)
    assert pages["http://reference.test/index.html"].labels == ()
    jar = tmp_path / "scilab-doc-ja/usr/share/scilab/modules/helptools/jar/help.jar"
    jar.parent.mkdir(parents=True)
    path = (
        '<span class="path"><a href="index.html">Help</a> &gt; <a href="g.html">Graphics</a> &gt; plot</span>'
    )
    with ZipFile(jar, "w") as archive:
        archive.writestr("ja/plot.html", f"<title>plot</title>{path}<p>描く")
    (page,) = package_pages.scilab(tmp_path)
    assert page == (
        "http://help.test/plot.html",
        "<title>plot</title><p>描く".encode(),
        ("chapter:graphics",),
    )


def test_help_of_an_office_suite_has_urls_that_hide_its_folders(tmp_path: Path) -> None:
    root = tmp_path / "libreoffice-help-de/usr/share/libreoffice/help/de/text"
    write_file(
        root / "scalc/01/sum.html", '<base href="../../../../"><a href="de/text/scalc/main.html?a#b">x</a>'
    )
    write_file(root / "scalc/main.html", "<title>Calc</title>")
    write_file(root / "shared/05/new_help.html", "<title>Hilfe</title>")
    item = '<li><a href="de/text/scalc/main.html?DbPAR=CALC">Calc</a></li>'
    write_file(root.parent / "contents.js", f"document.getElementById('x').innerHTML='\\\n{item}\\\n';")
    first, second, front = package_pages.office_help(tmp_path, "de")
    assert links(front) == [f"{second.url}#CALC"]
    assert (first.labels, second.labels) == (("folder:scalc.01",), ("folder:scalc",))
    assert links(first) == [f"{second.url}?a#b"]
    assert "scalc" not in first.url


def test_topics_of_a_manual_are_labels(tmp_path: Path) -> None:
    root = tmp_path / "grass-doc/usr/share/doc/grass-doc/html"
    write_file(root / "topic_import.html", '<td valign="top"><a href="r.in.html">r.in</a></td>')
    write_file(root / "r.in.html", "<title>r.in</title>")
    pages = found(list(package_pages.grass(tmp_path)))
    assert pages["http://manual.test/r.in.html"].labels == ("listed:import",)


def test_a_page_of_the_game_links_the_longest_names_once(tmp_path: Path) -> None:
    kinds: dict[str, dict[str, object]] = {kind: {} for kind in (*package_pages.THINGS, *package_pages.ALSO)}
    kinds["weapons"] = {
        "a": {"id": 1, "name": "长剑", "weaponText": "单手剑", "story": "风鹰与风鹰剑与风鹰剑"},
        "b": {"id": 2, "name": "风鹰剑", "weaponText": "单手剑"},
    }
    kinds["animals"] = {"c": {"id": 3, "name": "风鹰"}}
    data = {"data": {"ChineseSimplified": kinds}}
    write_file(tmp_path / "genshin-db/package/src/min/data.min.json", json.dumps(data))
    pages = found(list(package_pages.game(tmp_path, "ChineseSimplified")))
    sword = pages["http://wiki.test/wiki/%E9%95%BF%E5%89%91"]
    assert sword.labels == ("kind:weapons", "weaponText:单手剑")
    assert "单手剑" not in sword.html.decode()
    assert re.findall(r">([^<]+)</a>", sword.html.decode()) == ["首页", "weapons", "风鹰", "风鹰剑"]


def test_labels_of_useful_size_that_are_not_mostly_the_same_make_tasks() -> None:
    rows = [(str(page), "kind:a.b") for page in range(50)]
    rows += [(str(page), "kind:c") for page in range(400)]
    rows += [(str(page), "kind:few") for page in range(10)]
    assert sorted(package_webs.subjects(rows)) in (["kind:a"], ["kind:a.b"])


def test_a_web_is_written_with_labels_and_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(_: Path) -> list[Page]:
        made = [
            Page(url(n), html(n), ("part:weather.storm",) if relevant(n) else ("part:kitchen",))
            for n in range(2 * PAGES)
        ]
        return [*made, made[0]]

    monkeypatch.setattr(package_webs, "WEBS", {"small": package_webs.Web(pages)})
    monkeypatch.setattr(sys, "argv", ["package_webs", str(tmp_path / "cache"), str(tmp_path / "out")])
    package_webs.main()
    out = tmp_path / "out"
    assert web_path(out, "small").exists()
    assert len(read_labels(labels_path(out, "small"))) == 2 * PAGES
    one, other = sorted(read_tasks(out / "tasks.json"), key=lambda task: task.relevant)
    assert (one.relevant, other.relevant) == (PAGES // 2, PAGES * 3 // 2)
    assert one.relevant_label in (r"^part:weather(\.|$)", r"^part:weather\.storm(\.|$)")
    assert (one.name.startswith("small-weather"), other.name) == (True, "small-kitchen")
    assert len(one.seed_sets) == 3
    assert (out / "tasks-judge.json").read_bytes() == (out / "tasks.json").read_bytes()
