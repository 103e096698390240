"""Topics built from the examples of the recorded webs' tasks: terms they must not have, and how they rank pages."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from topicrawl.model import Page, Topic
from topicrawl.page.read import read
from topicrawl.topic.corpus import Document, of_page
from topicrawl.topic.terms.find import Terms, find_terms
from topicrawl.web.recorded import RecordedWeb
from topicrawl_lab.auc import topic_auc

TASKS = (
    *("rainstorm-disaster", "biology", "chemistry", "religion", "railway"),
    *("course-pages", "faculty-pages"),
)
BOILERPLATE = {
    "wikispeedia": (
        *(
            "wikipedia",
            "wiki",
            "encyclopedia",
            "gnu",
            "gfdl",
            "free documentation",
            "documentation",
            "licence",
        ),
        *("license", "disclaimer", "retrieved", "copyright", "reference article", "article", "minor check"),
        *("check", "author", "selection", "schools", "schools wikipedia", "sos", "sos children", "charity"),
        *(
            "sponsorship",
            "navigation",
            "edit",
            "ogg",
            "media help",
            "external link",
            "see also",
            "http",
            "www",
        ),
    ),
    "webkb": (
        *(
            "last modified",
            "modified",
            "updated",
            "last updated",
            "home page",
            "homepage",
            "page",
            "web",
            "html",
        ),
        *(
            "http",
            "www",
            "click",
            "click here",
            "link",
            "email",
            "e-mail",
            "mail",
            "netscape",
            "browser",
            "ftp",
        ),
        *("wisc", "utexas", "edu", "gif", "copyright", "under construction", "construction", "webmaster"),
        *("telephone", "phone", "fax", "moved permanently", "server", "world-wide", "world wide web"),
    ),
}
"""Boilerplate words of these pages, found by reading them."""


@cache
def task(webs: Path, name: str) -> dict[str, Any]:
    tasks: list[dict[str, Any]] = json.loads((webs / "tasks.json").read_text("utf-8"))
    return next(task for task in tasks if task["name"] == name)


@cache
def web(webs: Path, name: str) -> RecordedWeb:
    return RecordedWeb(webs / f"{name}.warc.gz")


def page(webs: Path, name: str, url: str) -> Page | None:
    answer = web(webs, name).exchange(url)
    return read(answer.url, answer.content, answer.header("Content-Type")) if answer.status == 200 else None


@cache
def examples(webs: Path, name: str) -> list[Document]:
    given = task(webs, name)
    pages = [page(webs, given["web"], url) for url in given["examples"]]
    return [of_page(example) for example in pages if example]


@cache
def built(webs: Path, name: str) -> Terms:
    return find_terms(examples(webs, name))


def boilerplate_in(terms: Terms, web: str) -> set[str]:
    return {label for term in terms.terms for label in term.labels}.intersection(BOILERPLATE[web])


@cache
def labels(webs: Path, name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    with (webs / f"{name}.labels.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            found[row["url"]].append(row["label"])
    return found


def judged(webs: Path, name: str, every: int) -> list[tuple[Page, bool]]:
    """Each `every`-th labelled page of a task's web that is no example, and whether it is relevant."""
    given = task(webs, name)
    chosen = []
    for url, said in list(labels(webs, given["web"]).items())[::every]:
        left_out = given["excluded_label"] and any(
            re.search(given["excluded_label"], label) for label in said
        )
        if url in given["examples"] or left_out:
            continue
        if found := page(webs, given["web"], url):
            chosen.append((found, any(re.search(given["relevant_label"], label) for label in said)))
    return chosen


@pytest.mark.webs
@pytest.mark.parametrize("name", TASKS)
def test_no_boilerplate_word_enters_the_topic_of_a_task(webs: Path, name: str) -> None:
    terms = built(webs, name)
    assert len(terms.terms) == 80
    assert boilerplate_in(terms, task(webs, name)["web"]) == set()


@pytest.mark.webs
@pytest.mark.parametrize("name", TASKS[:5])
def test_without_removing_shared_text_boilerplate_words_would_enter_the_topic(webs: Path, name: str) -> None:
    documents = examples(webs, name)
    apart = [replace(document, host=document.source) for document in documents]
    assert boilerplate_in(find_terms(apart, most=1.0), "wikispeedia")
    assert boilerplate_in(find_terms(documents, most=1.0), "wikispeedia") == set()


@pytest.mark.webs
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rainstorm-disaster", {"hurricane", "tropical cyclone", "rainfall", "flooding"}),
        ("biology", {"genus", "habitat", "predator", "taxonomy"}),
        ("chemistry", {"periodic table", "isotope", "acid", "oxidation"}),
        ("religion", {"clergy", "bishop", "theology", "worship"}),
        ("railway", {"steam locomotive", "freight", "gauge", "railway station"}),
        ("course-pages", {"assignment", "lecture", "exam", "syllabus", "homework"}),
        ("faculty-pages", {"publication", "research interest", "conference", "faculty"}),
    ],
)
def test_the_topic_of_a_task_has_the_main_terms_of_its_examples(
    webs: Path, name: str, expected: set[str]
) -> None:
    assert expected <= set(built(webs, name).names)


@pytest.mark.webs
def test_built_topics_rank_pages_better_than_a_few_words_on_most_tasks(webs: Path) -> None:
    better = 0
    for name in TASKS:
        words = tuple(word.strip() for word in task(webs, name)["topic_words"].split(","))
        pages = judged(webs, name, every=17)
        by_hand = topic_auc(Topic(name, words, (1.0,) * len(words)), pages)
        from_examples = topic_auc(built(webs, name).topic(name), pages)
        better += from_examples > by_hand
        assert from_examples > 0.78
    assert better >= 4
