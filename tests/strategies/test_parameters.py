"""Values of parameters that `--set` takes and refuses: for every parameter of every strategy."""

from __future__ import annotations

import math
from typing import Any

import pytest

from topicrawl.errors import ConfigError
from topicrawl.setup.settings import read_parameters
from topicrawl.strategies.parameters import MOST, Parameter, parameters, read_settings
from topicrawl.strategies.registry import OURS, strategy_class

EVERY = [(name, each) for name in OURS for each in parameters(strategy_class(name))]
NUMBERS = [(name, each) for name, each in EVERY if type(each.default) in (int, float)]


def read(name: str, key: str, value: Any) -> Any:
    return read_settings(name, strategy_class(name), {key: value})[key]


def named(value: object) -> str:
    return value.name if isinstance(value, Parameter) else str(value)


@pytest.mark.parametrize(("name", "wanted"), NUMBERS, ids=named)
def test_numbers_are_finite_and_within_their_bounds(name: str, wanted: Parameter) -> None:
    """An infinite weight ended a crawl after a page; a whole number beyond 64 bits was an internal error."""
    for value in (math.inf, -math.inf, math.nan, "inf", "nan", 10**24, -(10**24), 10**400, 1e300, "9" * 400):
        if type(wanted.default) is float and value in (10**24, 1e300) and wanted.high > MOST:
            continue
        with pytest.raises(ConfigError, match=rf"^{name}\.{wanted.name} = ") as refused:
            read(name, wanted.name, value)
        said = str(refused.value)
        assert len(said) < 200
        assert "\n" not in said
        assert "inf" not in said.partition(" is ")[2]
    for bound in (wanted.low, wanted.high):
        assert math.isfinite(bound)
        assert read(name, wanted.name, bound) == bound
    if type(wanted.default) is int:
        assert wanted.low >= -(2**63)
        assert wanted.high < 2**63


@pytest.mark.parametrize(("name", "wanted"), EVERY, ids=named)
def test_the_default_of_a_parameter_is_one_of_its_values(name: str, wanted: Parameter) -> None:
    assert read(name, wanted.name, wanted.default) == wanted.default
    assert read(name, wanted.name, str(wanted.default)) == wanted.default


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("failures=2.5", "2.5 is not a whole number from 0 to 1,000,000,000; default 64"),
        ("failures=inf", "inf is not a whole number from 0 to 1,000,000,000; default 64"),
        (
            "failures=9223372036854775808",
            "9223372036854775808 is out of range; give a number from 0 to 1,000,000,000",
        ),
        ("words=inf", "inf is out of range; give a number from -1,000,000,000 to 1,000,000,000"),
        ("words=much", "'much' is not a number from -1,000,000,000 to 1,000,000,000; default 1.0"),
        ("failures=" + "9" * 5000, f"'{'9' * 38}… is not a whole number from 0 to 1,000,000,000; default 64"),
        ("failures=0x" + "f" * 5000, "this is out of range; give a number from 0 to 1,000,000,000"),
    ],
    ids=lambda text: text[:40],
)
def test_an_error_says_what_is_allowed(text: str, said: str) -> None:
    key = text.partition("=")[0]
    with pytest.raises(ConfigError) as refused:
        read_settings("scout", strategy_class("scout"), read_parameters([text]))
    assert str(refused.value) == f"scout.{key} = {said}"
