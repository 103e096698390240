from __future__ import annotations

from pathlib import Path

import pytest

from lab.labelled import relevant, task, url
from topicrawl_lab.labels import read_labels, relevant_pages, targets
from topicrawl_lab.tasks import TaskError


def test_targets_are_relevant_pages_without_the_examples(small: Path) -> None:
    labels = read_labels(small / "small.labels.csv")
    wanted = {url(number) for number in range(120) if relevant(number)}
    assert relevant_pages(labels, task()) == wanted
    assert targets(labels, task()) == wanted - {url(0), url(4)}


def test_an_excluded_label_wins_over_a_relevant_one(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("url,label\nhttp://a.test/1,good\nhttp://a.test/1,bad\nHTTP://A.test/2,good\n")
    found = relevant_pages(read_labels(path), task(relevant_label="good", excluded_label="bad"))
    assert found == {"http://a.test/2"}


@pytest.mark.parametrize(
    "content", ["", "page,label\n", "url,label\nhttp://a.test/\n", "url,label\n\xff,x\n"]
)
def test_an_unreadable_labels_file_is_named_in_the_error(content: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(TaskError, match=r"bad\.csv"):
        read_labels(path)
