"""Addresses of servers: where words go, and that secrets are named, sent, and never shown."""

from __future__ import annotations

import pytest

from topicrawl.errors import ConfigError, FetchError
from topicrawl.finding.endpoint import Endpoint


def read(given: str) -> Endpoint:
    return Endpoint.read(given, "--search-url")


def test_words_go_where_the_template_says_and_are_quoted_there() -> None:
    found = read("https://s.test/find/{query}/rss?lang=en&q={query}")
    assert found.is_template
    assert (
        found.address("flood & rain") == "https://s.test/find/flood%20%26%20rain/rss?lang=en&q=flood+%26+rain"
    )


def test_without_a_place_for_words_parameters_are_added() -> None:
    found = read("https://s.test/search?safesearch=1")
    assert found.address("", (("q", "洪水"), ("format", "json"))) == (
        "https://s.test/search?safesearch=1&q=%E6%B4%AA%E6%B0%B4&format=json"
    )


@pytest.mark.parametrize(
    "given", ["", "s.test/search", "ftp://s.test/", "http://", "https://[", "file:///etc/passwd"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(ConfigError, match="is no http or https URL; give the address of the server"):
        read(given)


def test_a_secret_is_named_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret/+x")
    found = read("https://s.test/?q={query}&key=env:SEARCH_KEY")
    assert found.address("rain").endswith("key=s3cret%2F%2Bx")
    failure = FetchError("protocol", f"at {found.address('rain')} s3cret/+x")
    assert "s3cret" not in found.complaint(failure) + repr(found)
    assert "env:SEARCH_KEY" in found.complaint(failure)


def test_a_secret_that_is_written_out_or_not_set_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SEARCH_KEY", raising=False)
    with pytest.raises(
        ConfigError, match=r"the parameter 'api_key' holds a secret.*api_key=env:NAME"
    ) as literal:
        read("https://s.test/?q={query}&api_key=abc")
    assert "abc" not in str(literal.value)
    with pytest.raises(ConfigError, match="env:SEARCH_KEY is not set"):
        read("https://s.test/?q={query}&key=env:SEARCH_KEY")
    with pytest.raises(ConfigError, match="a user name or password in the URL") as user:
        read("https://me:hush@s.test/")
    assert "hush" not in str(user.value)


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (FetchError("guard", "x"), "is in a private network; allow it: --allow-net 127.0.0.0/8"),
        (
            FetchError("connect", "refused"),
            "does not answer (connect); check the address, or whether the server runs",
        ),
        (FetchError("retry-later", "", retry_after=900), "asks for a pause of 900 s; try again later"),
        (FetchError("http", "", status=403), "answers with status 403; it may need a key"),
        (FetchError("robots", "x"), "its robots.txt forbids result pages to programs"),
    ],
)
def test_a_failure_is_one_line_with_the_remedy(failure: FetchError, said: str) -> None:
    line = read("http://127.0.0.1:8888/search?x=1").complaint(failure)
    assert line.startswith(f"--search-url http://127.0.0.1:8888/search: {said}")
    assert "\n" not in line
