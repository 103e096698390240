"""The Python API, used as its users do."""

from __future__ import annotations

import asyncio
import doctest
import runpy
from pathlib import Path

import pytest

import topicrawl
from topicrawl import api
from topicrawl.errors import ConfigError, RunError
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:5", "rainstorm disaster"
ROOT = Path(__file__).resolve().parents[1]


def arguments(**more: object) -> dict[str, object]:
    web = invented_web(WEB)
    return {"topic": web.topic_spec(TOPIC), "seeds": web.seeds(TOPIC, 3), "web": WEB, "pages": 20, **more}


async def collect(**more: object) -> list[topicrawl.Visit]:
    return [visit async for visit in topicrawl.crawl(**arguments(**more))]  # type: ignore[arg-type]


def test_a_crawl_yields_its_visits_in_order() -> None:
    visits = asyncio.run(collect(concurrency=1))
    assert sum(visit.fetched for visit in visits) == 20
    assert [visit.n for visit in visits] == list(range(1, len(visits) + 1))


def test_the_synchronous_form_gives_the_same() -> None:
    assert list(topicrawl.crawl_sync(**arguments(concurrency=1))) == asyncio.run(collect(concurrency=1))


def test_leaving_early_ends_the_crawl_and_keeps_the_run(tmp_path: Path) -> None:
    for visit in topicrawl.crawl_sync(**arguments(out=tmp_path / "run", pages=500, concurrency=1)):
        if visit.n == 5:
            break
    lines = (tmp_path / "run" / "visits.jsonl").read_text().splitlines()
    assert 5 <= len(lines) < 500
    assert (tmp_path / "run" / "report.html").exists()


def test_a_run_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(RunError, match="not empty"):
        list(topicrawl.crawl_sync(**arguments(out=tmp_path)))
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_a_run_is_not_kept_at_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("s3://bucket/run", Path("s3://bucket/run")):
        with pytest.raises(ConfigError, match="s3: is not written to"):
            list(topicrawl.crawl_sync(**arguments(out=place)))
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_setting_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="'max_dept'; did you mean 'max_depth'"):
        list(topicrawl.crawl_sync(**arguments(max_dept=3)))


def test_a_topic_may_be_a_value() -> None:
    topic = topicrawl.Topic("storms", ("rainstorm", "flood"), (1.0, 0.5))
    assert len([visit for visit in asyncio.run(collect(topic=topic)) if visit.fetched]) == 20


def test_all_public_names_can_be_imported() -> None:
    assert all(getattr(topicrawl, name) is not None for name in topicrawl.__all__)
    with pytest.raises(AttributeError):
        topicrawl.nothing  # noqa: B018


def test_the_docstring_example_runs() -> None:
    assert doctest.testmod(api).failed == 0


def test_the_example_script_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "crawl_in_python.py"), run_name="__main__")
    assert "invented.test/" in capsys.readouterr().out
