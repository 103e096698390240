"""The tables are converted from WordNet's files, deterministically, and their absence is no error."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.tables import packaged, read_tables

ROOT = Path(__file__).resolve().parents[3]
Convert = Callable[[Path, Path], None]

TINY = {
    "data.noun": (
        "  1 licence\r\n"
        "00000010 03 n 01 entity 0 001 ~ 00000020 n 0000 | all  \r\n"
        "00000020 03 n 02 storm 0 violent_storm 0 001 @ 00000010 n 0000 | wind  \r\n"
        "00000030 03 n 01 Andrew 0 001 @i 00000020 n 0000 | one storm  \r\n"
    ),
    "data.adj": "00000010 00 s 02 ready(p) 0 ready_to_hand(ip) 0 001 & 00000020 a 0000 | near  \r\n",
    "index.noun": (
        "  1 licence\r\n"
        "andrew n 1 1 @i 1 0 00000030  \r\n"
        "entity n 1 1 ~ 1 0 00000010  \r\n"
        "storm n 1 1 @ 1 1 00000020  \r\n"
        "violent_storm n 1 1 @ 1 0 00000020  \r\n"
    ),
    "index.adj": "ready a 1 1 & 1 0 00000010  \r\nready_to_hand a 1 1 & 1 0 00000010  \r\n",
    "index.sense": "storm%1:03:00:: 00000020 1 6\r\nready%5:00:00:near:00 00000010 1 2\r\n",
    "noun.exc": "stormata storm\r\n",
    "LICENSE": "Terms  \r\n",
}


@pytest.fixture(scope="module")
def convert() -> Convert:
    return runpy.run_path(str(ROOT / "tools" / "convert_wordnet.py"))["convert"]  # type: ignore[no-any-return]


@pytest.fixture
def tiny(tmp_path: Path, convert: Convert) -> WordNet:
    source = tmp_path / "dict"
    source.mkdir()
    for name in ("noun", "verb", "adj", "adv"):
        for file in (f"data.{name}", f"index.{name}", f"{name}.exc"):
            (source / file).touch()
    for name, text in TINY.items():
        (source / name).write_bytes(text.encode())
    convert(source, tmp_path / "out")
    tables = read_tables(tmp_path / "out")
    assert tables is not None
    return WordNet(tables)


def test_words_lose_their_case_underscores_and_marks(tiny: WordNet) -> None:
    (storm,) = tiny.synsets("storm")
    (ready,) = tiny.synsets("ready")
    assert tiny.members(storm) == ("storm", "violent storm")
    assert tiny.members(ready) == ("ready", "ready to hand")
    assert tiny.synsets("stormata") == (storm,)


def test_instances_count_as_children(tiny: WordNet) -> None:
    assert tiny.hypernyms("andrew") == {"storm", "violent storm"}


def test_tags_are_counted_upwards_with_one_more_for_every_synset(tiny: WordNet) -> None:
    (andrew,), (storm,), (entity,) = map(tiny.synsets, ("andrew", "storm", "entity"))
    assert tiny.tables.frequencies[[andrew, storm, entity]].tolist() == [1, 8, 9]
    assert tiny.tables.totals.tolist() == [9, 0, 3, 0]
    assert tiny.lin(andrew, storm) == pytest.approx(2 * np.log(9 / 8) / (np.log(9) + np.log(9 / 8)))


def test_the_licence_is_stored_with_the_tables(tiny: WordNet, tmp_path: Path) -> None:
    assert (tmp_path / "out" / "LICENSE").read_text() == "Terms\n"


@pytest.mark.usefixtures("wordnet")
def test_the_package_carries_the_licence_that_the_repository_shows() -> None:
    assert (packaged() / "LICENSE").read_bytes() == (ROOT / "LICENSES" / "WordNet-3.0.txt").read_bytes()


@pytest.mark.usefixtures("wordnet")
def test_the_package_carries_what_the_converter_makes(source: Path, tmp_path: Path, convert: Convert) -> None:
    convert(source / "wordnet-3.0", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted(item.name for item in packaged().iterdir())
    assert len(names) == 15
    for name in names:
        assert (tmp_path / name).read_bytes() == (packaged() / name).read_bytes(), name


def test_information_content_never_decreases_downwards_and_parents_come_first(wordnet: WordNet) -> None:
    taxonomy = wordnet.taxonomy
    everything = np.arange(len(taxonomy.content), dtype=np.int32)
    parents, children = taxonomy.parents.gather(everything)
    assert len(parents) > 90_000
    assert np.all(parents < children)
    assert np.all(taxonomy.content[parents] < taxonomy.content[children])


def test_without_tables_there_is_no_wordnet_and_no_error(tmp_path: Path) -> None:
    assert read_tables(tmp_path / "absent") is None
    (tmp_path / "words.txt").touch()
    assert read_tables(tmp_path) is None
