from __future__ import annotations

import gzip
import io
import re
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from topicrawl.model import QUIET, Ask, Hop, Outcome, Rendered, Response, Timing, Told, Visit
from topicrawl.store.archive import Extent
from topicrawl.store.archive_scan import find_records
from topicrawl.store.warc import read_record, record_id, visit_records, warc_date, warcinfo
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.recorded import RecordedWeb
from topicrawl.web.warc_record import read_visit

RUN = "a run"


def records(told: Told) -> list[Any]:
    """What warcio makes of the records of a visit, digests checked."""
    found = []
    for record in ArchiveIterator(io.BytesIO(visit_records(told, RUN, 0)[0]), check_digests="raise"):
        record.raw = record.raw_stream.read()
        found.append(record)
    return found


def answered(made: ModuleType, **changes: Any) -> Told:
    told: Told = made.told(1)
    assert told.response
    return replace(told, response=replace(told.response, **changes))


def test_a_visit_is_archived_as_its_request_and_its_response(made: ModuleType) -> None:
    told = made.told(1)
    request, response = records(told)
    assert [request.rec_type, response.rec_type] == ["request", "response"]
    assert request.http_headers.statusline == "/page/1?q=1 HTTP/1.1"
    assert request.http_headers.get_header("Host") == "host1.example"
    assert response.http_headers.statusline == "200 OK"
    assert response.raw == told.response.body
    head = response.rec_headers
    assert request.rec_headers.get_header("WARC-Concurrent-To") == head.get_header("WARC-Record-ID")
    assert head.get_header("WARC-Target-URI") == told.response.url
    assert head.get_header("WARC-IP-Address") == "192.0.2.1"
    assert head.get_header("WARC-Date") == "2023-11-14T22:13:20.125000Z"


def test_each_redirect_gets_its_own_response_record_before_the_page(made: ModuleType) -> None:
    hop, request, response = records(made.told(4))
    assert hop.rec_type == "response"
    assert hop.rec_headers.get_header("WARC-Target-URI") == "http://old.example/4"
    assert hop.http_headers.get_statuscode() == "301"
    assert hop.raw == b"moved"
    assert [request.rec_type, response.rec_type] == ["request", "response"]


def test_captures_have_the_place_of_each_response_record(made: ModuleType) -> None:
    told = made.told(4)
    content, captures = visit_records(told, RUN, 1000)
    assert [capture.url for capture in captures] == ["http://old.example/4", told.response.url]
    for capture in captures:
        member = content[capture.offset - 1000 : capture.offset - 1000 + capture.length]
        assert f"WARC-Target-URI: {capture.url}\r\n".encode() in gzip.decompress(member)
    assert captures[-1].offset + captures[-1].length == 1000 + len(content)
    assert (captures[1].mime, captures[1].status) == ("text/html", 200)


def test_a_chunked_body_is_archived_without_chunking(made: ModuleType) -> None:
    told = answered(made, headers=(("Transfer-Encoding", "chunked"), ("Content-Type", "text/html")))
    response = records(told)[-1]
    assert response.raw == told.response.body  # type: ignore[union-attr]
    assert response.http_headers.get_header("Transfer-Encoding") is None
    assert response.http_headers.get_header("X-Archive-Orig-Transfer-Encoding") == "chunked"


def test_a_compressed_body_stays_compressed(made: ModuleType) -> None:
    body = gzip.compress(b"plain text")
    told = answered(
        made, headers=(("Content-Encoding", "gzip"), ("Content-Length", str(len(body)))), body=body
    )
    response = records(told)[-1]
    assert response.raw == body
    assert response.http_headers.get_header("Content-Encoding") == "gzip"
    assert response.http_headers.get_header("Content-Length") == str(len(body))


def test_a_truncated_body_is_marked_and_has_its_real_length(made: ModuleType) -> None:
    response = records(
        answered(made, headers=(("Content-Length", "999999"),), body=b"only this", truncated=True)
    )[-1]
    assert response.rec_headers.get_header("WARC-Truncated") == "length"
    assert response.http_headers.get_header("Content-Length") == "9"
    assert response.http_headers.get_header("X-Archive-Orig-Content-Length") == "999999"


def test_the_users_credentials_are_not_archived(made: ModuleType) -> None:
    secrets = (
        ("Cookie", "id=7"),
        ("authorization", "Basic x"),
        ("Proxy-Authorization", "y"),
        ("Accept", "*/*"),
    )
    request = records(answered(made, request_headers=secrets))[0]
    assert [name for name, _ in request.http_headers.headers] == ["Host", "Accept"]


def test_header_bytes_that_are_not_utf8_come_back_as_they_were(made: ModuleType) -> None:
    odd = b"caf\xe9 \xff".decode("utf-8", "surrogateescape")
    told = answered(made, headers=(("X-Odd", odd), ("X-Chinese", "暴雨")))
    content, captures = visit_records(told, RUN, 0)
    member = content[captures[-1].offset :]
    assert b"X-Odd: caf\xe9 \xff\r\n" in gzip.decompress(member)
    assert read_record(member).headers == (("X-Odd", odd), ("X-Chinese", "暴雨"))


def test_a_line_break_in_a_header_cannot_forge_another(made: ModuleType) -> None:
    told = answered(made, headers=(("X-A", "1\r\nX-Forged: 2\r\n\r\nbody"),), reason="Fine\r\nX-Forged: 3")
    response = records(told)[-1]
    assert response.http_headers.get_header("X-Forged") is None
    assert response.raw == told.response.body  # type: ignore[union-attr]


LATIN = st.text(st.characters(max_codepoint=255))
"""Headers as the fetcher has them: any bytes."""
NAMES = st.text("abcXYZ019-_!#$%&'*+.^`|~", min_size=1, max_size=20)
BODIES = st.binary(max_size=300) | st.binary(max_size=300).map(gzip.compress)
MOST = next(each.default for each in fields(HttpSettings) if each.name == "header_bytes")


@given(
    headers=st.lists(st.tuples(NAMES | st.sampled_from(["Content-Type", "Location"]), LATIN), max_size=8),
    repeated=st.sampled_from([0, 1, 110, MOST // 310]),
    reason=LATIN,
    status=st.integers(200, 999),
    body=BODIES,
    hop=st.none() | BODIES,
    rendered=st.none() | st.binary(max_size=300),
)
@example([("X", "y" * (MOST - 5))], 0, "", 200, b"<p>", None, None)
@settings(max_examples=80)
def test_whatever_is_archived_can_be_read(  # type: ignore[no-untyped-def]
    headers, repeated, reason, status, body, hop, rendered
) -> None:
    url = "http://a.test/page"
    cookies = tuple(("Set-Cookie", f"{i}={'x' * 290}") for i in range(repeated))
    hops = () if hop is None else (Hop("http://a.test/", 301, reason, (*headers, *cookies), hop),)
    response = Response(
        *(url, url, status, reason, (*headers, *cookies), body),
        hops=hops,
        rendered=None if rendered is None else Rendered(rendered, QUIET),
    )
    ask, outcome = Ask(0, url, 0.5, 0), Outcome(url, status)
    visit = Visit(1, url, url, status, True, False, 0.9, 0.5, "a.test", 0, None, "", len(body), None)
    content, captures = visit_records(Told(ask, outcome, visit, Timing(1e9), response), RUN, 0)
    found = read_visit(content)
    assert found is not None
    shown, digest = found
    assert digest == captures[-1].digest
    if rendered is not None:
        assert shown.content == rendered
    else:
        assert (shown.status, shown.body) == (status, body)
    own = read_record(content[captures[-1].offset :][: captures[-1].length])
    assert (own.status, own.body) == (status, body)
    assert len(own.headers) >= len(headers) + repeated


@pytest.mark.parametrize("body", [b"", b"\r\n\r\n", b"x" * 100_000, bytes(range(256))])
def test_a_record_reads_back_as_it_was_answered(made: ModuleType, body: bytes) -> None:
    told = answered(made, body=body, reason="", status=404, headers=(("A", "b: c"), ("A", "")))
    content, captures = visit_records(told, RUN, 0)
    record = read_record(content[captures[-1].offset :])
    assert (record.status, record.headers, record.body) == (404, (("A", "b: c"), ("A", "")), body)
    assert record.fields["WARC-Target-URI"] == told.visit.url


def test_the_same_visit_gives_the_same_bytes_and_another_run_other_record_ids(made: ModuleType) -> None:
    assert visit_records(made.told(1), RUN, 0) == visit_records(made.told(1), RUN, 0)
    assert visit_records(made.told(1), RUN, 0) != visit_records(made.told(1), "another", 0)


def test_nothing_is_archived_without_an_answer_or_without_its_bytes(made: ModuleType) -> None:
    assert visit_records(made.told(5), RUN, 0) == (b"", [])
    cached = replace(
        made.told(1), response=Response("http://a.example/", "http://a.example/", 200, parsed=b"x")
    )
    assert visit_records(cached, RUN, 0) == (b"", [])


def test_an_empty_answer_is_archived_too(made: ModuleType) -> None:
    told = answered(made, status=404, reason="Not Found", headers=(), body=b"", request_headers=())
    [response] = records(told)
    assert (response.http_headers.statusline, response.raw) == ("404 Not Found", b"")


def test_a_segment_begins_with_a_warcinfo_that_names_no_machine() -> None:
    segment = io.BytesIO(warcinfo(RUN, "00000.warc.gz", warc_date(0)))
    record = next(ArchiveIterator(segment, check_digests="raise"))
    assert record.rec_type == "warcinfo"
    assert record.rec_headers.get_header("WARC-Filename") == "00000.warc.gz"
    fields = dict(line.split(": ", 1) for line in record.raw_stream.read().decode().splitlines())
    assert set(fields) == {"software", "format", "conformsTo", "robots"}
    assert fields["software"].startswith("topicrawl/")


def test_record_ids_are_uuids_of_version_5_and_differ() -> None:
    ids = {record_id(run, n, part) for run in "ab" for n in range(50) for part in ("request", "response 0")}
    assert len(ids) == 200
    for each in ids:
        assert re.fullmatch(
            r"<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>", each
        )


def rendered(made: ModuleType) -> Told:
    resources = tuple(
        Response(asked=url, url=url, status=200, headers=(("Content-Type", "text/javascript"),), body=body)
        for url, body in (("http://host1.example/a.js", b"a()"), ("http://other.example/b.js", b"b()"))
    )
    return answered(made, rendered=Rendered("<p>drawn é</p>".encode(), QUIET, resources))


def test_a_rendered_page_has_its_scripts_before_it_and_what_was_shown_after_it(made: ModuleType) -> None:
    told = rendered(made)
    assert told.response is not None
    first, second, request, page, shown = records(told)
    assert [record.rec_type for record in (first, second, request, page)] == [
        *("response", "response", "request", "response")
    ]
    assert (first.raw, second.raw, page.raw) == (b"a()", b"b()", told.response.body)
    assert shown.rec_type == "conversion"
    assert shown.raw.decode() == "<p>drawn é</p>"
    head = shown.rec_headers
    assert head.get_header("WARC-Refers-To") == page.rec_headers.get_header("WARC-Record-ID")
    assert head.get_header("WARC-Target-URI") == told.response.url
    assert head.get_header("X-Topicrawl-Rendered") == QUIET
    captures = visit_records(told, RUN, 0)[1]
    assert [capture.url for capture in captures][-1] == told.response.url
    assert len(captures) == 3


def test_records_of_a_rendered_page_are_found_again_by_a_scan(made: ModuleType, tmp_path: Path) -> None:
    told = rendered(made)
    content, captures = visit_records(told, RUN, 0)
    (tmp_path / "00000.warc.gz").write_bytes(content)
    assert told.response is not None
    found = find_records(tmp_path, RUN, {told.visit.n: told.response.url})
    assert found == {told.visit.n: Extent(0, 0, len(content), captures)}


def test_a_recorded_web_gives_what_a_browser_showed(made: ModuleType, tmp_path: Path) -> None:
    told = rendered(made)
    assert told.response is not None
    (tmp_path / "web.warc.gz").write_bytes(visit_records(told, RUN, 0)[0])
    web = RecordedWeb(tmp_path / "web.warc.gz", tmp_path / "cache")
    page = web.exchange(told.response.url)
    assert page.rendered == Rendered("<p>drawn é</p>".encode(), QUIET)
    assert page.body == told.response.body
    script = web.exchange("http://other.example/b.js")
    assert (script.content, script.rendered) == (b"b()", None)
