from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.model import (
    Accepted,
    Ask,
    Event,
    Found,
    Instruction,
    Learned,
    Links,
    Mark,
    Noticed,
    Outcome,
    Page,
    Postponed,
    Received,
    Revisit,
    TermCounts,
    Timing,
    Told,
    Turn,
    Turned,
    Version,
    Visit,
    pack_ints,
)
from topicrawl.store.events import Packing
from topicrawl.store.line_files import visit_line
from topicrawl.store.log import Log

texts = st.text(max_size=30)
numbers = st.integers(0, 2**40)
reals = st.floats(allow_nan=False, allow_infinity=False).map(lambda real: real + 0.0)  # SQLite keeps no -0.0
packed = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4).map(pack_ints)

asks = st.builds(Ask, numbers, texts, reals, numbers, numbers, st.booleans())
links = st.builds(
    Links, st.lists(texts), st.lists(texts), st.lists(texts), packed, packed, st.binary(max_size=5)
)
pages = st.builds(
    Page, texts, texts, texts, texts, packed, st.binary(max_size=4), links, texts, texts, st.booleans()
)
counts = st.builds(TermCounts, packed, packed, packed, packed, packed, numbers)
outcomes = st.builds(
    Outcome, texts, st.none() | numbers, numbers, st.none() | texts, st.none() | pages, st.none() | counts
)
visits = st.builds(
    Visit,
    n=st.just(0),
    url=texts,
    asked=texts,
    status=st.none() | numbers,
    fetched=st.booleans(),
    peek=st.booleans(),
    relevance=reals,
    priority=reals,
    host=texts,
    depth=numbers,
    parent=st.none() | texts,
    title=texts,
    bytes=numbers,
    error=st.none() | texts,
    term_relevance=st.none() | reals,
)
timings = st.builds(Timing, reals, reals, reals, reals)
plain = st.none() | st.booleans() | numbers | texts | st.lists(texts, max_size=2)
others = st.one_of(
    st.builds(Postponed, numbers, texts),
    st.builds(Accepted, texts),
    st.builds(Version, texts, texts, numbers, st.dictionaries(texts, plain, max_size=2)),
    st.builds(
        Instruction,
        settings=st.dictionaries(texts, plain, max_size=2),
        seeds=st.lists(texts, max_size=2),
        examples=st.lists(pages, max_size=1),
        unwanted=st.lists(pages, max_size=1),
        marks=st.lists(st.builds(Mark, pages, st.none() | st.booleans()), max_size=1),
        pause=st.none() | st.booleans(),
    ),
    st.builds(Received, texts, st.lists(st.builds(Found, texts, numbers, texts, texts, reals), max_size=2)),
    st.builds(Learned, texts, st.binary(max_size=9)),
    st.builds(Revisit, texts, reals),
    st.builds(Turn, reals, reals, numbers, reals, st.lists(st.tuples(texts, reals), max_size=2)),
    st.builds(
        Turned,
        reals,
        numbers,
        numbers,
        st.lists(st.builds(Noticed, texts, texts, numbers, reals), max_size=2),
    ),
)
events = st.lists(
    asks | others | st.builds(Told, asks, outcomes, visits, timings, st.none(), st.none() | outcomes),
    max_size=8,
)


def numbered(batch: list[Event]) -> list[Event]:
    """`batch` with its visits numbered from 1."""
    from msgspec.structs import replace

    count = 0
    result: list[Event] = []
    for event in batch:
        if isinstance(event, Told):
            count += 1
            visit = replace(event.visit, n=count)
            result.append(Told(event.ask, event.outcome, visit, event.timing, plain=event.plain))
        else:
            result.append(event)
    return result


@given(events)
@settings(deadline=None, max_examples=60)
def test_any_events_are_read_back_as_they_were(batch: list[Event]) -> None:
    batch = numbered(batch)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.db"
        log = Log.open(path, warc=False, segment_bytes=0)
        log.append(batch[:3], {})
        log.append(batch[3:], {})
        log.close()
        log = Log.read(path)
        assert list(log.events()) == batch
        assert log.versions() == [event for event in batch if isinstance(event, Version)]
        assert log.instructions() == [event for event in batch if isinstance(event, Instruction)]
        told = [event for event in batch if isinstance(event, Told)]
        assert list(log.outcomes()) == [(event.visit, event.outcome) for event in told]
        assert [visit_line(visit) for visit in log.visits()] == [visit_line(event.visit) for event in told]
        log.close()


@given(st.builds(Told, asks, outcomes, visits, timings, st.none(), st.none() | outcomes))
@settings(deadline=None, max_examples=60)
def test_a_page_that_a_parse_worker_packed_is_stored_with_the_same_bytes(told: Told) -> None:
    packed = dataclasses.replace(told, packed=msgspec.msgpack.encode(told.outcome.page))
    assert Packing().pack(packed) == Packing().pack(told)
