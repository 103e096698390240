"""Every command on crawls in seven languages, with each form of topic and four strategies: it ends well, with a result.

Half of the sites declare English, as templates do; all have a menu that names the topic.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.made_site import MadeSite

from depth import depth
from languages import TEXTS
from topicrawl.cli import run
from topicrawl.store.exports import FORMATS

LANGUAGES = ("de", "fr", "es", "ru", "zh", "ja", "ar")
TOPICS = ("words", "page", "list", "ontology", "folder")
STRATEGIES = ("ops", "scout", "semxdm", "bfs")
ALL = [(code, topic, strategy) for code in LANGUAGES for topic in TOPICS for strategy in STRATEGIES]
PAIRS = [
    (code, topic, STRATEGIES[(place + other) % len(STRATEGIES)])
    for place, code in enumerate(LANGUAGES)
    for other, topic in enumerate(TOPICS)
]
"""Every two of a language, a form and a strategy together once at least."""


def declared(code: str, topic: str) -> str:
    return "en" if (LANGUAGES.index(code) + TOPICS.index(topic)) % 2 else code


def site(code: str, language: str) -> MadeSite:
    texts = TEXTS[code]
    about, other = (
        tuple(filter(None, re.split(r"(?<=[.。])\s*", text.partition("\n")[2].replace("\n", " "))))
        for text in (" ".join(f"\n{page.partition(chr(10))[2]}" for page in texts.pages), texts.other)
    )
    furniture = {"menu": True, "footer": False}
    return MadeSite(
        30, furniture=furniture, about=about, other=other, named=(texts.subject,), language=language
    )


@pytest.fixture
def topics(here: Path, code: str, topic: str) -> dict[str, list[str]]:
    """The flags of each form of topic."""
    (here / "corpus").mkdir()
    for number, text in enumerate(TEXTS[code].pages):
        title, _, body = text.partition("\n")
        page = f"<html lang={declared(code, topic)}><meta charset=utf-8><title>{title}</title><p>{body}"
        (here / "corpus" / f"{number}.html").write_text(page, "utf-8")
    (here / "list.txt").write_text(
        "\n".join(f"corpus/{number}.html" for number in range(len(TEXTS[code].pages)))
    )
    return {
        "words": ["--topic", f"{TEXTS[code].subject}, {TEXTS[code].pages[0].partition(chr(10))[0]} 0.5"],
        "page": ["--query", "corpus/0.html"],
        "list": ["--examples", "list.txt"],
        "ontology": ["--topic", "built/ontology.ttl"],
        "folder": ["--topic", "built"],
    }


@pytest.mark.parametrize(("code", "topic", "strategy"), depth(PAIRS, ALL))
def test_every_command_ends_well(
    here: Path,
    topics: dict[str, list[str]],
    capsys: pytest.CaptureFixture[str],
    code: str,
    topic: str,
    strategy: str,
) -> None:
    def result(*words: str) -> str:
        assert run(words) == 0, capsys.readouterr().err
        printed = capsys.readouterr()
        assert "error" not in printed.err
        return printed.out

    made = site(code, declared(code, topic))
    web = made.write(here / "made.warc.gz")
    if topic in ("ontology", "folder"):
        result("topic", "build", "trains", "--from", "corpus", "--lang", code, "--out", "built")
        assert TEXTS[code].subject in result("topic", "show", "built")
    begin = ["crawl", *topics[topic], "--seeds", made.url(0), "--web", web, "--strategy", strategy]
    result(*begin, "--concurrency", "1", "--pages", "9", "--out", "run")
    assert "9" in result("status", "run")
    place = 2 * TOPICS.index(topic)
    for name in depth(list(FORMATS)[place : place + 2], list(FORMATS)):  # in each language all of them
        result("export", "run", "--format", name, "--out", f"pages.{name}")
        assert (here / f"pages.{name}").stat().st_size
    assert made.url(0) in result("search", "run", TEXTS[code].subject)
    result("report", "run")
    result("crawl", "--out", "run", "--pages", "12")
    assert "12 pages" in result("doctor", "run")
