"""Readers of `bench.package_webs`: the pages of unpacked packages, with the labels that their editors gave them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache as once
from html import escape
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urljoin, urlsplit
from zipfile import ZipFile
from zlib import crc32


class Page(NamedTuple):
    """A page of a web and its labels."""

    url: str
    html: bytes
    labels: tuple[str, ...] = ()


def page(url: str, title: str, body: str, labels: Iterable[str] = (), language: str = "en") -> Page:
    """A page of a title and HTML."""
    head = f"<!doctype html><html lang={language}><meta charset=utf-8><title>{escape(title)}</title>"
    return Page(url, f"{head}<h1>{escape(title)}</h1>{body}".encode(), tuple(dict.fromkeys(labels)))


def link(url: str, text: str) -> str:
    """A link."""
    return f'<a href="{escape(url)}">{escape(text)}</a>'


def bullets(items: Iterable[str]) -> str:
    """A list of pieces of HTML, or nothing."""
    shown = "".join(f"<li>{each}" for each in items)
    return f"<ul>{shown}</ul>" if shown else ""


def slug(text: str) -> str:
    """A text as part of a label."""
    return re.sub(r"[\s.]+", "-", text.strip()).lower()


# A dictionary


NEARBY = 3
"""Entries before and after that a page of the dictionary names."""
ENTRY = re.compile(r"\n(?=\S)")
LINK = re.compile(r"\{([^{}]+?)\}")
CATEGORY = re.compile(r"<([a-z][a-z ,/-]*)>\s*")


def dictionary(cache: Path) -> Iterator[Page]:
    """The Free On-line Dictionary of Computing: a page for each entry, labelled by the categories it begins with."""
    (file,) = cache.glob("dict-foldoc/usr/share/dictd/*.dict.dz")
    entries = list(entries_of(gzip.decompress(file.read_bytes()).decode("utf-8", "replace")))
    urls = {name.lower(): _entry_url(names[0]) for names, _ in entries for name in names}
    heads = [names[0] for names, _ in entries]
    letters: defaultdict[str, list[str]] = defaultdict(list)
    for number, (names, text) in enumerate(entries):
        found = CATEGORY.match(text)
        labels = re.split(r",\s*", found[1]) if found else []
        near = [*heads[max(0, number - NEARBY) : number], *heads[number + 1 : number + 1 + NEARBY]]
        nearby = f"<h2>Nearby terms</h2>{bullets(link(_entry_url(each), each) for each in near)}"
        letter = names[0][0].upper() if names[0][0].isalpha() else "other"
        letters[letter].append(names[0])
        above = f"<p>{link('http://dictionary.test/', 'Contents')} {link(_letter_url(letter), letter)}</p>"
        body = LINK.sub(lambda found: _reference(found[1], urls), escape(CATEGORY.sub("", text, count=1)))
        paragraphs = body.replace("\n\n", "<p>")
        yield page(
            _entry_url(names[0]),
            ", ".join(names),
            above + paragraphs + nearby,
            [f"category:{slug(each)}" for each in labels if each],
        )
    for letter, listed in letters.items():
        yield page(_letter_url(letter), letter, bullets(link(_entry_url(each), each) for each in listed))
    yield page(
        "http://dictionary.test/",
        "Contents",
        bullets(link(_letter_url(each), each) for each in sorted(letters)),
    )


def entries_of(text: str) -> Iterator[tuple[list[str], str]]:
    """Names and text of the entries: names begin a line, text is indented; a link may run on in the first column."""
    names: list[str] = []
    body: list[str] = []
    after_blank = True
    for line in text.splitlines():
        if line[:1].strip() and (after_blank or (names and not body)) and not line.startswith("{"):
            if body:
                yield names, "\n".join(body).strip()
                names, body = [], []
            names.append(line.strip())
        elif names and (line.strip() or body):
            body.append(line.strip())
        after_blank = not line.strip()
    if names and body:
        yield names, "\n".join(body).strip()


def _entry_url(name: str) -> str:
    return f"http://dictionary.test/{quote(name, safe='')}"


def _letter_url(letter: str) -> str:
    return f"http://dictionary.test/contents/{letter}.html"


def _reference(text: str, urls: Mapping[str, str]) -> str:
    """A link, where the text names an entry; text is escaped already."""
    name = re.sub(r"\s+", " ", text)
    url = urls.get(name.lower())
    return f'<a href="{escape(url)}">{name}</a>' if url else name


# An index of packages


RELATIONS = ("Depends", "Recommends", "Suggests", "Enhances")
PLAIN_TAGS = (
    "role",
    "implemented-in",
    "devel",
    "interface",
    "uitoolkit",
    "x11",
    "special",
    "scope",
    "culture",
)
"""Facets of tags that say how a package is made, not what it is for."""


class Package(NamedTuple):
    """A package of the index."""

    name: str
    section: str
    homepage: str
    tags: tuple[str, ...]
    related: tuple[str, ...]
    short: str
    long: str


@once
def packages(cache: Path, language: str) -> dict[str, Package]:
    """All packages that are described in a language."""
    described = _described(cache, language)
    found = {}
    for fields in _stanzas((cache / "Packages").read_text("utf-8")):
        name = fields["Package"]
        if (
            name in described
            and "Description-md5" in fields
            and described[name][0] == fields["Description-md5"]
        ):
            relations = ", ".join(fields.get(each, "") for each in RELATIONS)
            related = dict.fromkeys(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)", relations))
            tags = re.findall(r"[\w-]+::[\w:+-]+", fields.get("Tag", ""))
            short, long = described[name][1:]
            found[name] = Package(
                name,
                fields.get("Section", ""),
                fields.get("Homepage", ""),
                tuple(tags),
                tuple(related),
                short,
                long,
            )
    return found


def _described(cache: Path, language: str) -> dict[str, tuple[str, str, str]]:
    (file,) = cache.glob(f"Translation-{language}.*")
    text = (lzma if file.suffix == ".xz" else bz2).decompress(file.read_bytes()).decode()
    described = {}
    for fields in _stanzas(text):
        short, _, long = fields.get(f"Description-{language}", "").partition("\n")
        described[fields.get("Package", "")] = (fields.get("Description-md5", ""), short, long)
    return described


def _stanzas(text: str) -> Iterator[dict[str, str]]:
    for stanza in text.split("\n\n"):
        fields = {}
        for field in re.split(r"\n(?=\S)", stanza.strip("\n")):
            name, _, value = field.partition(": ")
            fields[name] = value
        if "Package" in fields:
            yield fields


def tag_labels(tags: Iterable[str]) -> list[str]:
    """Labels of what a package is for: `tag:field.biology.bioinformatics`."""
    useful = (tag for tag in tags if tag.partition("::")[0] not in PLAIN_TAGS and "TODO" not in tag)
    return ["tag:" + ".".join(re.split(r":+", tag)) for tag in useful]


def paragraphs(long: str) -> str:
    """The long description as HTML."""
    return "".join(
        "<p>" + escape(re.sub(r"\s+", " ", each).strip()) + "</p>" for each in re.split(r"\n \.", long)
    )


def package_index(cache: Path, language: str) -> Iterator[Page]:
    """A page for each package that is described in a language: one host; labels are tags, which pages do not show."""
    known = packages(cache, language)
    sections: defaultdict[str, list[Package]] = defaultdict(list)
    for package in known.values():
        sections[package.section].append(package)
        related = (
            f"{link(_package_url(known[each]), each)} {escape(known[each].short)}"
            for each in package.related
            if each in known
        )
        section_link = link(_section_url(package.section), package.section)
        above = f"<p>{link('http://packages.test/', 'Debian')} / {section_link}</p>"
        body = f"{above}<h2>{escape(package.short)}</h2>{paragraphs(package.long)}{bullets(related)}"
        yield page(_package_url(package), package.name, body, tag_labels(package.tags), language)
    for section, listed in sections.items():
        items = (f"{link(_package_url(each), each.name)} {escape(each.short)}" for each in listed)
        yield page(_section_url(section), section, bullets(items), (), language)
    yield page(
        "http://packages.test/",
        "Debian",
        bullets(link(_section_url(each), each) for each in sorted(sections)),
    )


def _package_url(package: Package) -> str:
    return f"http://packages.test/stable/{quote(package.name, safe='+')}"


def _section_url(section: str) -> str:
    return f"http://packages.test/section/{section}/"


def homepages(cache: Path) -> Iterator[Page]:
    """Programs at the hosts of their homepages, linked as packages are; a catalogue lists them by letter."""
    known = {
        name: each
        for name, each in packages(cache, "en").items()
        if "role::program" in each.tags and urlsplit(each.homepage).hostname
    }
    hosts: defaultdict[str, list[Package]] = defaultdict(list)
    for package in known.values():
        hosts[urlsplit(package.homepage).hostname or ""].append(package)
    urls = {
        each.name: f"http://{host}/{'' if len(listed) == 1 else quote(each.name, safe='+')}"
        for host, listed in hosts.items()
        for each in listed
    }
    names = re.compile(r"[a-z0-9][a-z0-9+.-]{3,}")
    letters: defaultdict[str, list[Package]] = defaultdict(list)
    for package in known.values():
        letters[package.name[0]].append(package)
        text = names.sub(
            lambda found: link(urls[found[0]], found[0]) if found[0] in urls else found[0],
            paragraphs(package.long),
        )
        others = [each for each in package.related if each in known and each != package.name]
        related = (f"{link(urls[each], each)}" for each in others)
        front = link(f"http://{urlsplit(urls[package.name]).hostname}/", "Home")
        listed = link(f"http://catalogue.test/{package.name[0]}.html", "Catalogue")
        body = f"<h2>{escape(package.short)}</h2>{text}{bullets(related)}<p>{front} {listed}</p>"
        yield page(urls[package.name], package.name, body, tag_labels(package.tags))
    for host, several in hosts.items():
        if len(several) > 1:
            items = (link(urls[each.name], each.name) for each in several)
            yield page(f"http://{host}/", host, bullets(items))
    for letter, listed_here in letters.items():
        items = (f"{link(urls[each.name], each.name)} {escape(each.short)}" for each in listed_here)
        yield page(f"http://catalogue.test/{letter}.html", f"Catalogue: {letter}", bullets(items))
    yield page(
        "http://catalogue.test/",
        "Catalogue",
        bullets(link(f"http://catalogue.test/{each}.html", each) for each in sorted(letters)),
    )


# Documentation


def cppreference(cache: Path) -> Iterator[Page]:
    """The wiki of C and C++; labels are its folders."""
    (root,) = cache.glob("cppreference-doc-en-html/usr/share/cppreference/doc/html/en")
    for file in sorted(root.rglob("*.html")):
        parts = file.relative_to(root).parts
        folders = [slug(each) for each in parts[:-1]]
        html = re.sub(rb"<script>.*?</script>", b"", file.read_bytes(), flags=re.DOTALL)
        yield Page(
            f"http://reference.test/{quote('/'.join(parts))}",
            html,
            (f"folder:{'.'.join(folders)}",) if folders else (),
        )


def qt(cache: Path) -> Iterator[Page]:
    """Qt: each module is a host. Labels are lists that name pages, and kinds of pages by the end of their headings."""
    files = sorted(cache.glob("qt*5*-doc-html/usr/share/qt5/doc/*/*.html"))
    modules = {file.parent.name for file in files}
    texts = {_qt_url(file.parent.name, file.name): file.read_text("utf-8", "replace") for file in files}
    labels: defaultdict[str, list[str]] = defaultdict(list)
    for url, html in texts.items():
        heading = re.search(r'<h1 class="title">(.*?)</h1>', html)
        if heading and (kind := re.search(r"(?<!List) (Example|QML Type|Class)(?: Reference)?$", heading[1])):
            labels[url].append(f"kind:{slug(kind[1])}")
        listed = re.findall(r'<table class="annotated">.*?</table>', html, re.DOTALL)
        name = slug(Path(urlsplit(url).path).stem)
        for target in re.findall(r'<td class="tblName"><p><a href="([^"#]+)', "".join(listed)):
            labels[_moved(urljoin(url, target), url, modules)].append(f"listed:{name}")
    for url, html in texts.items():

        def absolute(found: re.Match[str], url: str = url) -> str:
            return f'href="{_moved(urljoin(url, found[1]), url, modules)}"'

        yield Page(url, re.sub(r'href="([^"]+)"', absolute, html).encode(), tuple(dict.fromkeys(labels[url])))


def _qt_url(module: str, name: str) -> str:
    return f"http://{module}.test/{module}/{name}"


def _moved(target: str, url: str, modules: set[str]) -> str:
    """A link to the folder of another module, as a link to its host."""
    split = urlsplit(target)
    folder = split.path.split("/")[1] if split.path.count("/") > 1 else ""
    if split.netloc == urlsplit(url).netloc and folder in modules:
        return f"http://{folder}.test{split.path}" + (f"#{split.fragment}" if split.fragment else "")
    return target


def grass(cache: Path) -> Iterator[Page]:
    """GRASS: labels are the lists of topics, and the families of commands."""
    (root,) = cache.glob("grass-doc/usr/share/doc/grass-doc/html")
    files = {file.name: file.read_bytes() for file in sorted(root.glob("*.html"))}
    labels: defaultdict[str, list[str]] = defaultdict(list)
    for name, html in files.items():
        if name.startswith("topic_") or name in {
            "raster.html",
            "vector.html",
            "imagery.html",
            "temporal.html",
        }:
            for target in re.findall(rb'<td[^>]*>\s*<a href="([^"#]+)"', html):
                labels[target.decode()].append(
                    f"listed:{slug(name.removesuffix('.html').removeprefix('topic_'))}"
                )
    for name, html in files.items():
        yield Page(f"http://manual.test/{name}", html, tuple(dict.fromkeys(labels[name])))


def scilab(cache: Path) -> Iterator[Page]:
    """Scilab in Japanese; labels are the chapters above a page, and the path that shows them is taken out."""
    (file,) = cache.glob("scilab-doc-ja/usr/share/scilab/modules/helptools/jar/*.jar")
    with ZipFile(file) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".html"):
                html = archive.read(name)
                shown = re.search(rb'<span class="path".*?</span>', html, re.DOTALL)
                chapters = (
                    re.findall(r">([^<]+)</a>", shown[0].decode("utf-8", "replace"))[1:] if shown else []
                )
                rest = html.replace(shown[0], b"") if shown else html
                label = (f"chapter:{'.'.join(map(slug, chapters))}",) if chapters else ()
                yield Page(f"http://help.test/{quote(Path(name).name)}", rest, label)


def office_help(cache: Path, language: str) -> Iterator[Page]:
    """Help of an office suite; labels are its folders, so URLs are hashes that do not show them.

    Its front page, which all pages link to, has the list of contents that a script shows beside each page.
    """
    (root,) = cache.glob("libreoffice-help-*/usr/share/libreoffice/help/" + language)
    names = {f"{language}/{file.relative_to(root)}": file for file in sorted(root.rglob("*.html"))}
    urls = {name: f"http://help.test/{language}/{crc32(name.encode()):08x}.html" for name in names}
    for name, file in names.items():
        html = re.sub(r"<base [^>]*>", "", file.read_text("utf-8"))
        html = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
        if name.endswith("/new_help.html"):
            html += (root / "contents.js").read_text("utf-8").partition("='")[2].replace("?DbPAR=", "#")
        hashed = re.sub(
            r'href="([^"#?]+)([^"]*)"', lambda found: f'href="{urls.get(found[1], found[1])}{found[2]}"', html
        )
        folders = name.split("/")[2:-1]
        yield Page(urls[name], hashed.encode(), (f"folder:{'.'.join(folders)}",) if folders else ())


# A game


THINGS = {
    "characters": ("weaponText", "elementText", "region"),
    "weapons": ("weaponText",),
    "artifacts": (),
    "materials": ("typeText",),
    "foods": ("filterText",),
    "domains": ("regionName", "domainText"),
    "enemies": ("categoryText",),
    "animals": ("categoryText",),
    "geographies": ("regionName", "areaName"),
    "windgliders": (),
    "namecards": (),
    "outfits": (),
    "achievements": ("achievementGroupName",),
}
"""Kinds of things, and the fields that are labels and are not shown."""
ALSO = ("talents", "constellations", "voiceovers", "crafts")
"""Kinds whose texts belong to the thing of that name, or that number."""
SHORTEST, LONGEST = 2, 12
"""Characters of a name that is linked within a text."""


def game(cache: Path, language: str) -> Iterator[Page]:
    """A wiki of a game: a page for each thing, with short names, which are linked where a page first mentions them."""
    (file,) = cache.glob("genshin-db/package/src/min/data.min.json")
    data = json.loads(file.read_text("utf-8"))["data"][language]
    kinds: dict[str, str] = {}
    for kind in THINGS:
        for each in data[kind].values():
            kinds.setdefault(each["name"], kind)
    more: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    names_by_id = {each["id"]: each["name"] for each in data["characters"].values()}
    for kind in ALSO:
        for each in data[kind].values():
            more[names_by_id.get(each["id"], each["name"]) if kind == "voiceovers" else each["name"]].append(
                each
            )
    shown: set[str] = set()
    for kind, hidden in THINGS.items():
        for each in data[kind].values():
            name = each["name"]
            if name and kinds[name] == kind and name not in shown:
                shown.add(name)
                labels = [
                    f"kind:{kind}",
                    *(f"{field}:{slug(each[field])}" for field in hidden if each.get(field)),
                ]
                said = [text for thing in (each, *more[name]) for text in _texts(thing, hidden)]
                above = f"<p>{link('http://wiki.test/', '首页')} {link(_list_url(kind), kind)}</p>"
                yield page(_thing_url(name), name, above + _linked(said, name, kinds), labels, "zh")
    for kind in THINGS:
        listed = (link(_thing_url(name), name) for name, its in kinds.items() if its == kind and name)
        yield page(_list_url(kind), kind, bullets(listed), (), "zh")
    yield page("http://wiki.test/", "首页", bullets(link(_list_url(kind), kind) for kind in THINGS), (), "zh")


def _texts(thing: object, hidden: tuple[str, ...], field: str = "") -> Iterator[str]:
    """The texts of a thing for people: those in its language, without numbers of things and labels."""
    if isinstance(thing, dict):
        for name, value in thing.items():
            if name not in hidden and not name.endswith(("Raw", "Type", "file", "files", "labels")):
                yield from _texts(value, hidden, name)
    elif isinstance(thing, list):
        for value in thing:
            yield from _texts(value, hidden, field)
    elif isinstance(thing, str) and not re.fullmatch(r"[ -~]*", thing):
        yield thing


def _linked(texts: Iterable[str], own: str, names: Mapping[str, str]) -> str:
    """Paragraphs in which the longest names are links, each once."""
    done = {own}
    written = []
    for text in dict.fromkeys(texts):
        parts, at = [], 0
        while at < len(text):
            for size in range(LONGEST, SHORTEST - 1, -1):
                name = text[at : at + size]
                if len(name) == size and name in names and name not in done:
                    done.add(name)
                    parts.append(link(_thing_url(name), name))
                    at += size
                    break
            else:
                parts.append(escape(text[at]))
                at += 1
        written.append(f"<p>{''.join(parts)}</p>")
    return "".join(written)


def _thing_url(name: str) -> str:
    return f"http://wiki.test/wiki/{quote(name, safe='')}"


def _list_url(kind: str) -> str:
    return f"http://wiki.test/list/{kind}"
