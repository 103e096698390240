"""A small labelled web: 120 pages on 24 hosts, every fourth about storms, each linking to a few others."""

from __future__ import annotations

import json
from pathlib import Path

from topicrawl_lab.labels import SUFFIX
from topicrawl_lab.tasks import Task
from web.warcs import Recorder

PAGES, HOSTS, OUT = 120, 24, 6
STORM = "storm flood rainfall hurricane weather"
OTHER = "cooking recipes kitchen butter bread"


def url(number: int) -> str:
    return f"http://h{number % HOSTS}.test/{number}"


def relevant(number: int) -> bool:
    return number % 4 == 0


def html(number: int) -> bytes:
    own = STORM if relevant(number) else OTHER
    near = [(number * 7 + step * 13 + 1) % PAGES for step in range(OUT - 2)]
    links = [*near, (number + 4) % PAGES, PAGES + number]  # the last of them was not recorded
    anchors = "".join(
        f"<a href='{url(link)}'>{'storm' if relevant(link) else 'bread'} {link}</a> " for link in links
    )
    return f"<!doctype html><title>{own.split()[0]} {number}</title><p>{own} page{number} {anchors}".encode()


def write_web(folder: Path, name: str = "small") -> Path:
    """NAME.warc.gz, NAME.labels.csv and tasks.json with the task `storms`; returns tasks.json."""
    with Recorder(folder / f"{name}{SUFFIX}") as recorder:
        for number in range(PAGES):
            recorder.answer(url(number), html(number))
        recorder.answer("http://h0.test/old", b"", "301 Moved", ("Location", "/0"))
    rows = [f"{url(n)},kind:{'weather.storm' if relevant(n) else 'kitchen'}" for n in range(PAGES)]
    (folder / f"{name}.labels.csv").write_text("url,label\n" + "\n".join(rows) + "\n")
    path = folder / "tasks.json"
    path.write_text(json.dumps([task_fields(name)]))
    return path


def task_fields(web: str = "small", **other: object) -> dict[str, object]:
    fields: dict[str, object] = {
        "name": "storms",
        "web": web,
        "relevant_label": "weather",
        "excluded_label": None,
        "topic_words": "storm, flood, rainfall",
        "budget": 30,
        "relevant": 30,
        "examples": [url(0), url(4)],
        "seed_sets": [[url(8)], [url(1), url(12)], [url(16)]],
        "oracle_at_budget": [27, 27, 27],
    }
    return fields | other


def task(**other: object) -> Task:
    import msgspec

    return msgspec.convert(task_fields(**other), Task)  # type: ignore[arg-type]
