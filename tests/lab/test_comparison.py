"""The report of a comparison: its findings, its links to logs, and its robustness."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from browser import chromium
from topicrawl.errors import RunError
from topicrawl.model import Visit
from topicrawl_lab.cell import Cell
from topicrawl_lab.comparison import write_comparison
from topicrawl_lab.comparison.evidence import evaluate
from topicrawl_lab.comparison.findings import headline, short_p, support
from topicrawl_lab.comparison.gather import LABELS, gather
from topicrawl_lab.comparison.page import render
from topicrawl_lab.comparison.summary import summary
from topicrawl_lab.comparison.sweeps import drawing, read_sweeps
from topicrawl_lab.results import Results, Row
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task

BUDGET, ORACLE = 40, 30
LONG = 20
"""Tasks from this number on have a very long name."""
Score = Callable[[str, int, int], int]
"""Number of relevant pages found: strategy, task number, seed set -> count."""


def page(n: int, *, relevant: bool) -> str:
    return f"https://web.test/{'good' if relevant else 'bad'}/{n}"


def task(number: int, seed_sets: int, *, alike: bool = False) -> Task:
    starts = tuple((f"https://web.test/start/{0 if alike else n}",) for n in range(seed_sets))
    return Task(
        name=f"task-{number}" if number < LONG else "task-of-a_very_long_name." * 5,
        web="small",
        relevant_label="^good$",
        topic_words="storm",
        budget=BUDGET,
        relevant=60,
        examples=(),
        seed_sets=starts,
        oracle_at_budget=(ORACLE,) * seed_sets,
    )


def crawl(found: int, own: Callable[[bool], float]) -> list[Visit]:
    """A crawl of the whole budget that finds `found` relevant pages, every second page until all are found."""
    visits, left = [], found
    for n in range(1, BUDGET + 1):
        good = left > 0 and (n % 2 == 1 or BUDGET - n < left)
        left -= good
        url = page(n, relevant=good)
        visits.append(
            Visit(n, url, url, 200, True, False, own(good), 0.5, "web.test", 1, None, "", 900, None)
        )
    return visits


def results(
    folder: Path,
    score: Score,
    *,
    tasks: int = 6,
    seed_sets: int = 6,
    strategies: Sequence[str] = ("bfs", "ops"),
    alike: bool = False,
    own: Callable[[bool], float] = lambda good: 0.9 if good else 0.2,
) -> Path:
    """A results folder as `topicrawl compare` writes it, and beside it the labels of its web."""
    kept = Results(folder)
    listed = [task(number, seed_sets, alike=alike) for number in range(tasks)]
    kept.keep_tasks(listed)
    for number, each in enumerate(listed):
        for name in strategies:
            for seed_set in range(seed_sets):
                found = score(name, number, seed_set)
                cell = Cell(each, parse_specs(name)[0], seed_set, seed_set)
                kept.write_log(cell, crawl(found, own), [0.5 if n % 3 else 0.1 for n in range(BUDGET)])
                kept.append(row(cell, found))
    labels = [f"{page(n, relevant=True)},good" for n in range(1, BUDGET + 1)]
    (folder / "small.labels.csv").write_text("\n".join(["url,label", *labels]) + "\n", encoding="utf-8")
    return folder


def row(cell: Cell, found: int) -> Row:
    return Row(
        *cell.key,
        fetches=BUDGET,
        relevant_truth=found,
        oracle_share=found / ORACLE,
        harvest_rate=found / BUDGET,
        recall=found / 60,
        average_relevance=0.5,
        standard_deviation=0.2,
        average_similarity_relevant=0.5,
        hosts=1,
        seconds=0.1,
        pages_per_cpu_second=900.0,
        stop_reason="pages",
    )


def report(folder: Path, webs: Path | None = None) -> str:
    """The report's text; plot files are not written, as that is slow."""
    gathered = gather(folder, webs)
    return render(gathered, evaluate(gathered), read_sweeps(folder))


def clearly(name: str, number: int, seed_set: int) -> int:
    return {"bfs": 6, "ops": 20}.get(name, 12) + (number + seed_set) % 3


def evenly(name: str, number: int, seed_set: int) -> int:
    return 12 + (number * 7 + seed_set * 5 + len(name) * (number % 2 * 2 - 1)) % 5


def test_a_clear_winner_is_called_better_with_its_statistics(tmp_path: Path) -> None:
    evidence = evaluate(gather(results(tmp_path, clearly)))
    assert evidence is not None
    assert headline(evidence) == "ops is better than bfs."
    assert evidence.friedman.ranks == (2.0, 1.0)
    assert all(pair.verdict() == "ops" for pair in (*evidence.across, *evidence.within))
    assert "Within single tasks ops is better than bfs in 6, worse in 0, undecided in 0." in support(evidence)
    assert any("fewer than 40 tasks (here 6)" in sentence for sentence in support(evidence))


def test_no_strategy_is_called_better_without_a_significant_test(tmp_path: Path) -> None:
    evidence = evaluate(gather(results(tmp_path, evenly)))
    assert headline(evidence).startswith("No strategy is shown to be better.")
    assert "is better than" not in report(tmp_path).partition("</h1>")[0]


def test_headline_and_table_agree_when_the_tests_disagree(tmp_path: Path) -> None:
    """ops is first in every task: significant by Nemenyi, but six tasks are too few for three paired tests."""

    def score(name: str, number: int, seed_set: int) -> int:
        if name == "ops":
            return 20
        return 19 if number else 2

    names = ("bfs", "ops", "ops[anchor_weight=0.7]", "ops[anchor_weight=0.6]")
    made = results(tmp_path, score, tasks=6, seed_sets=2, strategies=names)
    evidence = evaluate(gather(made))
    assert evidence is not None
    leader = evidence.strategies.index("ops")
    assert evidence.friedman.p_iman_davenport < 0.05
    assert all(evidence.p[leader, place] < 0.05 for place in range(4) if place != leader), "Nemenyi: better"
    assert [pair.verdict() for pair in evidence.across] == ["undecided"] * 3, "the paired test: undecided"
    assert headline(evidence).startswith("No strategy is shown to be better.")
    for text in (summary(gather(made), evidence), report(made)):
        assert "is better than" not in text.partition("Within single tasks")[0]
    assert [evidence.verdict(pair) for pair in evidence.across] == ["undecided"] * 3


@pytest.mark.parametrize("tasks", [3, 5, 7, 12])
@pytest.mark.parametrize("gap", [0, 1, 4])
def test_headline_and_table_call_the_same_strategies_better(tmp_path: Path, tasks: int, gap: int) -> None:
    def score(name: str, number: int, seed_set: int) -> int:
        return evenly(name, number, seed_set) + gap * ("ops" in name) + (number % 3 == 0) * ("0.7" in name)

    made = results(tmp_path, score, tasks=tasks, strategies=("bfs", "ops", "ops[anchor_weight=0.7]"))
    evidence = evaluate(gather(made))
    assert evidence is not None
    better = {pair.second for pair in evidence.across if evidence.verdict(pair) == evidence.leader}
    assert better == set(evidence.better_than())
    assert all(f"than {name}" in headline(evidence) or f"and {name}" in headline(evidence) for name in better)


def test_the_headline_names_the_strategies_that_the_leader_does_not_beat(tmp_path: Path) -> None:
    def score(name: str, number: int, seed_set: int) -> int:
        return 4 if name == "bfs" else evenly("x" * (1 + 4 * ("0.7" in name)), number, seed_set)

    made = results(
        tmp_path, score, tasks=14, seed_sets=2, strategies=("bfs", "ops", "ops[anchor_weight=0.7]")
    )
    sentence = headline(evaluate(gather(made)))
    assert re.fullmatch(
        r"(ops\S*) is better than bfs; its difference from (ops\S*) is not significant\.", sentence
    )


def test_one_strategy_alone_is_not_compared(tmp_path: Path) -> None:
    made = results(tmp_path, clearly, strategies=("ops",), tasks=2)
    assert evaluate(gather(made)) is None
    assert "nothing to compare yet" in report(made, made)


def test_crawls_from_equal_seed_sets_count_as_one_pair(tmp_path: Path) -> None:
    evidence = evaluate(gather(results(tmp_path, clearly, alike=True)))
    assert evidence is not None
    assert {pair.pairs for pair in evidence.within} == {1}
    assert {pair.verdict() for pair in evidence.within} == {"undecided"}
    assert any(sentence.startswith("Too few different starts") for sentence in support(evidence))


def test_a_task_that_not_every_strategy_ran_is_left_out_and_named(tmp_path: Path) -> None:
    results(tmp_path, clearly)
    kept = Results(tmp_path)
    kept.write(each for each in kept.rows().values() if (each.task, each.strategy) != ("task-2", "bfs"))
    evidence = evaluate(gather(tmp_path))
    assert evidence is not None
    assert evidence.left_out == ("task-2",)
    assert any("task-2" in sentence for sentence in support(evidence))


def test_every_linked_log_exists(tmp_path: Path) -> None:
    text = report(results(tmp_path, clearly, strategies=("bfs", "ops[anchor_weight=0.7]")), tmp_path)
    links = [unescape(link) for link in re.findall(r'href="([^"#]+)"', text)]
    logs = [link for link in links if link.endswith(".jsonl")]
    assert len(logs) == 6 * 6 * 2
    assert all((tmp_path / unquote(link)).exists() for link in links if link.startswith("visits/"))


def test_disagreement_of_judges_is_shown(tmp_path: Path) -> None:
    made = results(tmp_path, clearly, own=lambda good: 0.2 if good else 0.9)
    gathered = gather(made, made)
    assert gathered.judges == ("labels", "own", "similarity")
    text = report(made, made)
    assert "Where they disagree" in text
    assert (
        "Of the pages that are relevant by labels, 0% are relevant by own relevance; of the other pages 100%."
        in text
    )


def test_without_labels_only_their_curves_are_missing(tmp_path: Path) -> None:
    made = results(tmp_path, clearly)
    assert LABELS not in gather(made).judges
    bare, full = (report(made, webs) for webs in (None, made))
    assert "<figcaption>HR" not in bare
    assert "<figcaption>AR" in bare
    assert "<figcaption>HR" in full


def test_tables_have_the_layout_of_the_papers(tmp_path: Path) -> None:
    text = report(results(tmp_path, clearly), tmp_path)
    table = re.search(r'<table class="papers">.*?</table>', text, re.S)
    assert table is not None
    rows = [re.sub("<[^>]+>", " ", each).split() for each in table[0].split("<tr>")[1:]]
    assert rows[1] == ["M", "HR", "AR", "SD", "AS"] * 2
    assert [each[0] for each in rows[2:]] == ["3", "8", "13", "19", "24", "29", "35", "40", "time"]
    assert rows[9][1] == "7.0"  # bfs finds 6, 7, 8, 6, 7, 8 from the six seed sets of task 0


def test_published_numbers_are_shown_beside_ours(tmp_path: Path) -> None:
    text = report(results(tmp_path, clearly), tmp_path)
    assert "FCWSEO, Table 3, rainstorm disaster" in text
    assert "9,053" in text  # OPS in IELP's Table 2


def test_names_and_errors_are_escaped(tmp_path: Path) -> None:
    results(tmp_path, clearly, tasks=2)
    hostile = "<img src=x onerror=alert(1)>"
    kept = Results(tmp_path)
    first = next(iter(kept.rows().values()))
    kept.append(replace(first, strategy=f"ops[{hostile}]"))
    kept.append(replace(first, seed_set=5, error=f"ValueError: {hostile}"))
    text = write_comparison(tmp_path, tmp_path).read_text("utf-8")
    assert "<img" not in text
    assert "&lt;img" in text
    assert "<img" not in (tmp_path / "summary.md").read_text("utf-8")
    assert not re.search(r'(src|href)="(https?:)?//', text)


def test_the_report_is_deterministic(tmp_path: Path) -> None:
    made = results(tmp_path, evenly)
    assert report(made, made) == report(made, made)


def test_the_summary_has_the_findings_of_the_report(tmp_path: Path) -> None:
    write_comparison(results(tmp_path, clearly), tmp_path)
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert summary.startswith("# ops is better than bfs.\n")
    assert "| mean | 0.233 | 0.700 |" in summary
    assert "| task-0 | bfs | 6 | +0.467 | .031 | .031 | ops |" in summary


def test_plots_are_written_as_svg_and_png(tmp_path: Path) -> None:
    write_comparison(results(tmp_path, clearly, tasks=2), tmp_path)
    names = {path.name for path in (tmp_path / "plots").iterdir()}
    for stem in ("ranks", "M", "HR", "AR", "SD", "AS", "M-tasks"):
        assert {f"{stem}.svg", f"{stem}.png"} <= names


def test_caps_are_compared_where_several_were_run(tmp_path: Path) -> None:
    results(tmp_path, clearly, tasks=1)
    kept = Results(tmp_path)
    for each in list(kept.rows().values()):
        kept.append(replace(each, cap="5", oracle_share=0.123))
    text = report(tmp_path, tmp_path)
    assert "5 a host" in text
    assert "0.123" in text
    assert gather(tmp_path).cap == "none"


SWEEP = """strategy,tau,eta,task,cap,cells,reached,oracle_share,harvest_rate
fcwseo,0.1,0.6,a,none,2,1.0,0.4,0.3
fcwseo,0.1,0.6,b,none,2,1.0,0.6,0.3
fcwseo,0.2,0.6,a,none,2,1.0,0.7,0.3
fcwseo,0.2,0.6,b,none,2,0.0,,
"""


def test_a_sweep_is_a_heat_map_with_a_dash_where_a_budget_was_not_reached(tmp_path: Path) -> None:
    results(tmp_path, clearly, tasks=1)
    (tmp_path / "sweep.csv").write_text(SWEEP, encoding="utf-8")
    [sweep] = read_sweeps(tmp_path)
    assert sweep.names == ("tau", "eta")
    assert sweep.values == {("0.1", "0.6"): 0.5, ("0.2", "0.6"): None}
    draw = drawing(sweep)
    assert draw is not None
    assert ">0.500<" in draw(400)
    assert ">—<" in draw(400)
    assert "Sweeps" in write_comparison(tmp_path, tmp_path).read_text("utf-8")
    assert (tmp_path / "plots" / "sweep-fcwseo.png").exists()


def test_a_folder_without_results_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="holds no results; run: topicrawl compare"):
        write_comparison(tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()


def test_a_log_that_was_deleted_does_not_stop_the_report(tmp_path: Path) -> None:
    made = results(tmp_path, clearly, tasks=2)
    shutil.rmtree(made / "visits" / "task-1")
    assert "task-1" in report(made, made)


@pytest.mark.parametrize(("p", "words"), [(0.0001, "< .001"), (0.0499, ".050"), (0.031, ".031"), (1.0, "1")])
def test_p_values_are_written_without_a_leading_zero(p: float, words: str) -> None:
    assert short_p(p) == words


@pytest.mark.browser
def test_in_a_browser_the_report_fits_a_phone_and_makes_no_requests(tmp_path: Path) -> None:
    long_names = ("bfs", "ops", "ops[anchor_weight=0.123456789]")
    path = write_comparison(results(tmp_path, clearly, strategies=long_names, tasks=LONG + 1), tmp_path)
    requests: list[str] = []
    console: list[str] = []
    with chromium() as browser:
        view = browser.new_page(viewport={"width": 390, "height": 844})
        view.on("request", lambda request: requests.append(request.url))
        view.on("console", lambda message: console.append(message.text))
        view.goto(path.as_uri())
        view.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        width = view.evaluate("document.documentElement.scrollWidth")
    assert width == 390
    assert requests == [path.as_uri()]
    assert console == []


def test_parameters_scaled_to_the_crawls_are_stated(tmp_path: Path) -> None:
    folder = results(tmp_path, clearly, tasks=2, seed_sets=1, strategies=("bfs", "fcits_oh"))
    sentence = f"fcits_oh: planned_pages {BUDGET} (published 15,000 in 15,000 pages)."
    assert sentence in report(folder)
    gathered = gather(folder)
    assert sentence in summary(gathered, evaluate(gathered))


def test_scaling_is_not_mentioned_where_nothing_was_scaled(tmp_path: Path) -> None:
    folder = results(tmp_path, clearly, tasks=2, seed_sets=1, strategies=("bfs", "fcits_oh[planned_pages=9]"))
    assert "scaled" not in report(folder)
