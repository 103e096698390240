"""The catalogue of a run: equal to its log, whatever happens to its files; and its answers."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
import pytest

from catalogue.conftest import SUBJECT, WEB, relevant_page
from topicrawl.catalogue.catalogue import FOLDER, Catalogue, CatalogueError
from topicrawl.cli import run as command
from topicrawl.crawling.make import make_crawl, past_of
from topicrawl.crawling.wishing import wish
from topicrawl.knowledge.similar import similar_items
from topicrawl.knowledge.vocabulary import PREFIXES
from topicrawl.setup.run_config import begun_config, config_of
from topicrawl.store.run import Run
from topicrawl.store.wishes import Marks
from topicrawl.web.invented import invented_web

Opened = Callable[[Path], Catalogue]
OPEN = "import sys; from pathlib import Path; from topicrawl.cli.search import opened\n" + (
    "with opened(Path(sys.argv[1])) as c: c.index; c.triples"
)


def contents(catalogue: Catalogue) -> tuple[object, ...]:
    """Everything that can be asked, as values."""
    triples = {str(quad) for quad in catalogue.triples.quads_for_pattern(None, None, None, None)}
    hits = [(hit.found.url, round(hit.score, 6)) for hit in catalogue.search("flood rain", most=500)]
    return catalogue.found, catalogue.learner.model, catalogue.learner.rounds, sorted(hits), sorted(triples)


def test_what_is_learned_from_the_log_is_what_the_strategy_learned(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    crawl = make_crawl(config_of(catalogue.run))
    for event in catalogue.run.replay():
        crawl.replay(event)
    learner = crawl.strategy.learner  # type: ignore[attr-defined]
    assert len(learner.rounds) == 5
    assert catalogue.learner.rounds == learner.rounds
    assert catalogue.learner.model == learner.model
    assert catalogue.learner.score.tolist() == pytest.approx(learner.score.tolist())


def test_marks_are_learned_as_the_strategy_learns_them(tmp_path: Path, opened: Opened) -> None:
    out = tmp_path / "run"
    (tmp_path / "article.txt").write_text(relevant_page()[1])
    seeds = [flag for seed in invented_web(WEB).seeds(SUBJECT, 2) for flag in ("--seeds", seed)]
    asked = ["--strategy", "semxdm", "--query", str(tmp_path / "article.txt"), "--web", WEB, *seeds]
    assert command(["crawl", *asked, "--rounds", "2", "--per-round", "8", "--out", str(out), "--quiet"]) == 0
    first = opened(out)  # what is stored is of before the marks
    before, urls = first.learner.score.tolist(), [found.url for found in first.found]
    first.close()
    wish(out, Marks({urls[3]: True, urls[-1]: True}), Marks({urls[0]: False}))
    assert scores(opened, out) != before
    assert command(["crawl", "--out", str(out), "--rounds", "3", "--quiet"]) == 0
    wish(out, Marks({urls[3]: None}), Marks({urls[5]: False}))
    scores(opened, out)
    shutil.rmtree(out / FOLDER)
    scores(opened, out)


def scores(opened: Opened, path: Path) -> list[float]:
    """The score of each item by the catalogue, which is that by the strategy."""
    catalogue = opened(path)
    crawl = make_crawl(begun_config(catalogue.run), past=past_of(catalogue.run))
    for event in catalogue.run.replay():
        crawl.replay(event)
    learner = crawl.strategy.learner  # type: ignore[attr-defined]
    found: list[float] = catalogue.learner.score.tolist()
    assert found == pytest.approx(learner.score.tolist())
    catalogue.close()
    return found


def test_opening_it_again_reads_no_page_twice(copy: Path, opened: Opened) -> None:
    first = opened(copy)
    before = contents(first)
    first.close()
    ticks: list[int] = []
    with Run.open(copy, writable=False) as log, Catalogue(log, config_of(log), ticks.append) as again:
        assert contents(again) == before
    assert ticks == []


@pytest.mark.parametrize("part", ["", "state.kb", "index", "triples"])
def test_any_part_of_it_may_be_deleted(copy: Path, opened: Opened, part: str) -> None:
    first = opened(copy)
    before = contents(first)
    first.close()
    gone = copy / FOLDER / part
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    assert contents(opened(copy)) == before


def test_a_damaged_state_is_rebuilt(copy: Path, opened: Opened) -> None:
    first = opened(copy)
    before = contents(first)
    first.close()
    state = copy / FOLDER / "state.kb"
    state.write_bytes(state.read_bytes()[:100])
    assert contents(opened(copy)) == before


def test_after_a_resume_the_catalogue_catches_up(copy: Path, opened: Opened) -> None:
    from topicrawl.cli import run

    first = opened(copy)
    visits = first.run.last_n
    contents(first)
    first.close()
    assert run(["crawl", "--out", str(copy), "--rounds", "6", "--quiet"]) == 0
    later = opened(copy)
    assert later.run.last_n > visits
    assert len(later.learner.rounds) == 7
    grown = contents(later)
    later.close()
    shutil.rmtree(copy / FOLDER)
    assert contents(opened(copy)) == grown


def test_a_kill_at_any_moment_leaves_nothing_damaged(crawled: Path, tmp_path: Path, opened: Opened) -> None:
    """Processes are killed as each part of the catalogue is begun; the next process completes it."""
    run = Path(shutil.copytree(crawled, tmp_path / "run"))
    shutil.rmtree(run / FOLDER, ignore_errors=True)
    for part in ("lock", "index/meta.json", "triples"):
        process = subprocess.Popen([sys.executable, "-c", OPEN, str(run)], stderr=subprocess.DEVNULL)
        while not (run / FOLDER / part).exists():
            assert process.poll() is None
            time.sleep(0.002)
        process.kill()
        process.wait()
    found = contents(opened(run))
    whole = Path(shutil.copytree(crawled, tmp_path / "whole"))
    shutil.rmtree(whole / FOLDER, ignore_errors=True)
    assert found == contents(opened(whole))


def test_search_finds_forms_of_a_word_and_ranks_what_is_about_it_first(crawled: Path, opened: Opened) -> None:
    hits = opened(crawled).search("floods", most=5)
    assert hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert "flood" in hits[0].snippet.lower() or "flood" in hits[0].found.title.lower()


def test_a_label_keeps_the_pages_that_have_it(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    label = next(iter(catalogue.label_sizes()))
    hits = catalogue.search("flood rain storm", label=label, most=2)
    assert len(hits) == 2 < hits.total
    every = catalogue.search("flood rain storm", label=label, most=500)
    assert len(every) == every.total == hits.total
    assert all(label in hit.labels for hit in every)


def test_capitals_and_other_forms_of_a_label_are_understood(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    label = catalogue.names[catalogue.label("flood")]
    for given in ("Flood", "FLOODS", " floods ", "flooded"):
        assert catalogue.names[catalogue.label(given)] == label
        assert catalogue.search("rain", label=given, most=50) == catalogue.search(
            "rain", label=label, most=50
        )


def test_an_item_is_most_like_itself(crawled: Path, opened: Opened) -> None:
    from topicrawl.knowledge.terms import page_terms

    catalogue = opened(crawled)
    page = catalogue.run.page(catalogue.found[3].url)
    assert page is not None
    assert catalogue.like(page_terms(page), 1)[0].found == catalogue.found[3]


def test_items_are_ranked_by_terms_and_labels(crawled: Path, opened: Opened) -> None:
    """Eq. (3) computed here from the parts that are listed: the terms of each item, and its labels by their counts."""
    from topicrawl.knowledge.terms import page_terms

    catalogue = opened(crawled)
    learner, place = catalogue.learner, 3
    page = catalogue.run.page(catalogue.found[place].url)
    assert page is not None
    counts = page_terms(page)
    described = learner.items.described(counts)
    first, items = learner.first + learner.queries, learner.items
    vectors = items.vectors(first)
    hits = {hit.found.url: hit for hit in catalogue.like(counts, 200)}
    cosines = [
        sum(described.get(term, 0.0) * weight for term, weight in zip(row.indices, row.data, strict=True))
        for row in vectors
    ]

    def weights(labels: Iterable[int], said: Mapping[int, int]) -> dict[int, float]:
        """A label weighs the square root of how often it is said."""
        return {label: max(1, said.get(label, 0)) ** 0.5 for label in labels}

    def cosine(one: dict[int, float], other: dict[int, float]) -> float:
        lengths = [sum(weight**2 for weight in each.values()) ** 0.5 for each in (one, other)]
        shared = sum(weight * other.get(label, 0.0) for label, weight in one.items())
        return shared / (lengths[0] * lengths[1]) if all(lengths) else 0.0

    by_number = {items.number(term): times for term, times in counts.items()}
    held = catalogue.classifier.labels(*items.labelled_by(counts))
    own = weights(held, {number: times for number, times in by_number.items() if number is not None})
    theirs = []
    for number in range(len(cosines)):
        said = {
            term: times
            for rows in (items.rows, items.mentioned)
            for term, times in zip(
                rows.terms(first + number).tolist(), rows.times(first + number).tolist(), strict=True
            )
        }
        theirs.append(weights((proof.label for proof in catalogue.proofs(number)), said))
    raised = 0
    for found, terms, each in zip(catalogue.found, cosines, theirs, strict=True):
        labels = cosine(own, each)
        expected = max(terms, (terms + labels) / 2)
        if found.url in hits:
            assert hits[found.url].by_terms == pytest.approx(terms, abs=1e-6)
            assert hits[found.url].by_labels == pytest.approx(labels, abs=1e-6)
        assert (hits[found.url].score if found.url in hits else 0.0) == pytest.approx(expected, abs=1e-6)
        raised += labels > terms
    assert raised > 10  # or terms alone would have given the same
    scores = [hit.score for hit in hits.values()]
    assert scores == sorted(scores, reverse=True)
    assert catalogue.found[place].url not in {
        hit.found.url for hit in catalogue.like(page_terms(page), 200, but={catalogue.found[place].url})
    }


def test_words_that_no_item_has_lower_the_similarity(crawled: Path, opened: Opened) -> None:
    learner = opened(crawled).learner
    with_others = {"flood": 2, **{f"zzyzx{n}": 2 for n in range(5)}}
    assert (
        similar_items(learner, with_others).terms.max()
        < 0.7 * similar_items(learner, {"flood": 2}).terms.max()
    )


def test_sparql_finds_the_items_of_a_label(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    label, size = next(iter(catalogue.label_sizes().items()))
    query = f"SELECT ?item WHERE {{ ?item kb:isClassified ?l . ?l skos:prefLabel '{label}' }}"
    answers = list(catalogue.triples.query(query, prefixes=PREFIXES, use_default_graph_as_union=True))
    assert len({str(answer["item"]) for answer in answers}) == size
    linked = "ASK { ?a kb:hasOutlink ?b . ?b kb:hasInlink ?a . ?a kb:layer ?n }"
    assert catalogue.triples.query(linked, prefixes=PREFIXES, use_default_graph_as_union=True)


def test_every_label_of_an_item_has_a_proof(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    names, matrix = catalogue.names, catalogue.learner.labels()[catalogue.learner.queries :]
    for place in range(0, len(catalogue.found), 7):
        proved = {names[proof.label] for proof in catalogue.proofs(place)}
        listed = {
            names[catalogue.learner.model.labels[column]]
            for column in np.flatnonzero(matrix[place].toarray())
        }
        assert proved == listed == set(catalogue.labels_of(place))


def test_an_unknown_label_or_item_is_named(crawled: Path, opened: Opened) -> None:
    catalogue = opened(crawled)
    with pytest.raises(CatalogueError, match="nonsense"):
        catalogue.search("flood", label="nonsense")
    with pytest.raises(CatalogueError, match="no item of this run"):
        catalogue.place("http://nowhere.test/")
    assert catalogue.suggestion("floood") == "flood"
