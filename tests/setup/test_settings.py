from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.errors import ConfigError
from topicrawl.setup.settings import COUNT, FLAG, SHARE, TEXT, TEXTS, Setting, seconds, size
from topicrawl.toml_text import key, spell


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("90s", 90),
        ("2h", 7200),
        ("1h30m", 5400),
        ("1.5 min", 90),
        ("250ms", 0.25),
        ("5", 5),
        (0.5, 0.5),
        ("1D", 86400),
    ],
)
def test_a_time_is_read_in_seconds(text: object, expected: float) -> None:
    assert seconds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "h", "-3s", "3 parsecs", "1h and more", "nan", "inf", True, None, [1], -1, "."]
)
def test_an_invalid_time_is_refused(text: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is made by Setting.read
        seconds(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("10MB", 10**7), ("10MiB", 10 * 2**20), ("2g", 2 * 10**9), ("1.5kb", 1500), (7, 7), ("7", 7)],
)
def test_a_size_is_read_in_bytes(text: object, expected: int) -> None:
    assert size(text) == expected


@pytest.mark.parametrize("text", ["", "MB", "0", "-1", "1.5", "3 furlongs", True, 0.3, "1e9", float("inf")])
def test_an_invalid_size_is_refused(text: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        size(text)


@pytest.mark.parametrize("value", [0, -1, "many", "1.5", 2.0, True, None])
def test_a_count_is_a_whole_number_of_at_least_one(value: object) -> None:
    with pytest.raises(ConfigError, match=r"^--pages: .* is not a whole number of at least 1"):
        Setting("pages", "crawl", COUNT, 1, "", fixed="").read(value, "--pages")


@pytest.mark.parametrize("value", [2**63, "9223372036854775808", "99999999999999999999", "9" * 5000])
def test_a_count_that_is_too_large_is_refused_with_its_bound(value: object) -> None:
    with pytest.raises(ConfigError, match=r" is too large; give 9,223,372,036,854,775,807 at most$"):
        Setting("pages", "crawl", COUNT, 1, "", fixed="").read(value, "--pages")


@pytest.mark.parametrize("value", [-0.1, 1.01, "nan", "inf", "most", True, 10**400])
def test_a_share_lies_between_zero_and_one(value: object) -> None:
    with pytest.raises(ConfigError, match="from 0 to 1"):
        Setting("threshold", "crawl", SHARE, 0.5, "", fixed="").read(value, "--threshold")


def test_a_text_is_one_line_because_it_may_become_a_header() -> None:
    agent = Setting("user_agent", "http", TEXT, "", "", fixed="")
    assert agent.read("Ärger 1.0", "x") == "Ärger 1.0"
    with pytest.raises(ConfigError, match="line of text"):
        agent.read("a\r\nX-Evil: 1", "x")


def test_a_flag_is_a_boolean_and_not_a_word() -> None:
    with pytest.raises(ConfigError, match="true or false"):
        Setting("ordered", "crawl", FLAG, False, "", fixed="").read("yes", "ordered")


def test_one_text_stands_for_a_list_of_one() -> None:
    assert TEXTS.read("seeds.txt") == ("seeds.txt",)


def test_only_a_setting_without_default_can_be_none() -> None:
    assert Setting("max_depth", "scope", COUNT, None, "", fixed="").read("none", "x") is None
    with pytest.raises(ConfigError):
        Setting("pages", "crawl", COUNT, 5, "", fixed="").read("none", "x")


@given(
    st.recursive(
        st.text() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.booleans(),
        lambda values: st.lists(values, max_size=6),
        max_leaves=8,
    )
)
def test_values_written_as_toml_read_back(value: object) -> None:
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return  # a lone surrogate is no text that a file can hold
    assert tomllib.loads(f"value = {spell(value)}") == {"value": value}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_can_be_a_key(name: str) -> None:
    assert tomllib.loads(f"{key(name)} = 1") == {name: 1}
