"""The 400 public cases of what a robots.txt allows."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

from topicrawl.web.http.robots_file import read_rules

HEEDED_ALL_THE_SAME = {195, 196, 338}
"""Groups for an agent whose name has digits (AB42bot, XYZ123bot): the standard has it that such a line names another
agent, so that the page would be allowed. We obey it, because it is our exact name."""


ONE_SPELLING = {105, 107, 108}
"""Cases older than RFC 9309 that compare a URL as it stands: `ツ` in it is not `%E3%83%84`, and `baz` is not
`%62%61%7A`. The table in section 2.2.2 of the RFC has both pairs equal."""


def test_the_400_cases_pass_but_for_six_where_we_are_stricter_or_follow_the_rfc(
    testsuites: Path,
) -> None:
    cases = json.loads((testsuites / "derived" / "google_robots_ctc.json").read_text(encoding="utf-8"))
    missed = {number: case for number, case in enumerate(cases) if allowed(case) != case["allowed"]}
    assert len(cases) == 400
    assert set(missed) == HEEDED_ALL_THE_SAME | ONE_SPELLING
    assert all(missed[number]["allowed"] for number in HEEDED_ALL_THE_SAME)


def allowed(case: dict[str, Any]) -> bool:
    text = case["robotstxt"].encode() if "robotstxt" in case else b64decode(case["robotstxt_b64"])
    return read_rules(text, case["agent"]).allows(case["url"])
