from __future__ import annotations

import tomllib
from dataclasses import MISSING, fields, replace
from pathlib import Path

import pytest

from topicrawl.errors import ConfigError, RunError
from topicrawl.model import Topic
from topicrawl.setup.config import SECTIONS, SETTINGS, Config, settings_of
from topicrawl.setup.resolve import check_resume
from topicrawl.web.http.settings import HttpSettings, Limits

RAIN = Topic("rainstorm disaster", ("rainstorm", 'wei"rd, term', "暴雨"), (0.8, 0.5, 1.0), "rain.txt")


def refused(text: str) -> str:
    """The error about the configuration `text`: one line that names the file."""
    with pytest.raises(ConfigError) as error:
        Config.from_toml(text, "my.toml")
    assert "\n" not in str(error.value)
    assert "my.toml" in str(error.value)
    return str(error.value)


def test_an_empty_file_is_the_defaults() -> None:
    assert Config.from_toml("") == Config()


def test_keys_land_in_their_fields() -> None:
    config = Config.from_toml(
        '[crawl]\ntopic = "rain"\npages = 7\n[stop]\nmax_time = "2h"\n'
        "[http]\ndelay = 0\n[strategy]\nanchor_weight = 0.7"
    )
    assert (config.topic, config.pages, config.max_time, config.delay) == ("rain", 7, 7200.0, 0.0)
    assert config.parameters == {"anchor_weight": 0.7}


def test_the_error_for_a_misspelled_key_names_the_nearest_one_and_its_section() -> None:
    assert "did you mean 'pages' in [crawl]?" in refused("[crawl]\npagse = 7")


def test_the_error_for_a_key_in_the_wrong_section_names_the_right_one() -> None:
    assert "did you mean 'delay' in [http]?" in refused("[crawl]\ndelay = 7")


def test_the_error_for_a_key_written_like_its_flag_names_the_key() -> None:
    assert "did you mean 'rng_seed' in [crawl]?" in refused("[crawl]\nrng-seed = 7")


def test_the_error_for_a_misspelled_section_names_the_nearest_one() -> None:
    assert "did you mean [scope]?" in refused("[scop]\nsame_site = true")


def test_the_error_for_a_key_outside_any_section_names_its_section() -> None:
    assert "did you mean 'pages' in [crawl]?" in refused("pages = 7")


def test_the_error_for_an_unknown_key_that_resembles_none_names_topicrawl_new() -> None:
    assert "topicrawl new" in refused("[crawl]\nzzzzqqq = 7")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[crawl]\npages = "many"', ["pages in [crawl]", "'many'", "whole number"]),
        ("[crawl]\npages = 0", ["pages", "0", "at least 1"]),
        ("[crawl]\nthreshold = 1.5", ["threshold", "1.5", "0 to 1"]),
        ("[crawl]\nthreshold = nan", ["threshold", "nan", "0 to 1"]),
        ("[crawl]\nordered = 1", ["ordered", "true or false"]),
        ("[crawl]\nseeds = [1]", ["seeds", "list of texts"]),
        ('[stop]\nmax_bytes = "3 apples"', ["max_bytes", "3 apples", "unknown unit", "10MB"]),
        ('[scope]\ninclude = ["(", "x"]', ["include", "regular expression", "'('"]),
    ],
)
def test_a_bad_value_is_named_with_what_was_expected(text: str, words: list[str]) -> None:
    message = refused(text)
    assert all(word in message for word in words), message


def test_the_error_for_invalid_toml_names_the_place() -> None:
    assert "line 2" in refused("[crawl]\npages = = 3")


def test_a_topic_in_two_sections_is_refused() -> None:
    assert "keep one" in refused('[crawl]\ntopic = "x"\n[topic]\nname = "y"\n[topic.terms]\nz = 1')


@pytest.mark.parametrize("text", ['[topic]\nname = "x"', '[topic]\nterms = "a, b"', "[topic]\nnmae = 3"])
def test_a_topic_section_needs_terms(text: str) -> None:
    assert "[topic" in refused(text)


def test_weights_of_a_topic_section_are_checked_like_any_other_topic() -> None:
    with pytest.raises(Exception, match="-1") as error:
        Config.from_toml('[topic]\nname = "x"\n[topic.terms]\nrain = -1')
    assert error.value.exit_code == 2  # type: ignore[attr-defined]


def test_a_resolved_configuration_reads_back_as_itself() -> None:
    config = Config(
        topic=RAIN,
        seeds=tuple(f"http://h{n}.test/?q=é" for n in range(9)),
        strategy="bfs",
        parameters={"anchor_weight": 0.25, "priority": "simple", "deep": True, "odd key": 3},
        max_time=90.5,
        max_bytes=10**12,
        include=(r"\d+\.html$", "暴雨"),
        header=("X-Team: rain",),
    )
    again = Config.from_toml(config.to_toml())
    assert again == config
    assert isinstance(again.topic, Topic)
    assert again.topic.source == "rain.txt"


def test_flags_override_the_file_and_those_not_given_change_nothing() -> None:
    config = Config.from_toml("[crawl]\npages = 7\nconcurrency = 3")
    changed = config.override(
        {"pages": "9", "concurrency": None, "seeds": [], "max_bytes": "10MB", "ordered": True}
    )
    assert (changed.pages, changed.concurrency, changed.max_bytes, changed.ordered) == (9, 3, 10**7, True)


def test_a_bad_flag_is_named_as_a_flag() -> None:
    with pytest.raises(ConfigError, match=r"^--max-time: 'soon' is not a time above 0, such as 90s"):
        Config().override({"max_time": "soon"})


def test_a_limit_can_be_lifted_by_a_flag() -> None:
    assert Config(max_time=5.0).override({"max_time": "none"}).max_time is None


def test_set_takes_toml_values_and_else_text() -> None:
    pairs = ["a=0.7", "b=true", "c=simple", "d=[1, 2]", 'e="quoted"', "f=x=y", "g=", "h=1\nq=2"]
    assert Config().override({"parameters": pairs}).parameters == {
        **{"a": 0.7, "b": True, "c": "simple", "d": [1, 2], "e": "quoted"},
        **{"f": "x=y", "g": "", "h": "1\nq=2"},
    }


@pytest.mark.parametrize("pair", ["priority", "=3", ""])
def test_set_without_a_name_or_value_is_refused(pair: str) -> None:
    with pytest.raises(ConfigError, match="name=value"):
        Config().override({"parameters": [pair]})


def test_a_missing_file_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"absent\.toml.*topicrawl new"):
        Config.load(tmp_path / "absent.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="UTF-8"):
        Config.load(tmp_path / "bad.toml")
    (tmp_path / "bom.toml").write_bytes(b"\xef\xbb\xbf[crawl]\r\npages = 3\r\n")
    assert Config.load(tmp_path / "bom.toml").pages == 3


def test_every_setting_has_help_and_a_section_and_reads_its_own_default() -> None:
    for setting in SETTINGS.values():
        assert setting.section in {*SECTIONS, "strategy"}
        assert setting.help
        if setting.name not in ("parameters",):
            assert setting.read(setting.default, setting.flag) == setting.default


def test_resuming_may_change_budgets_and_politeness() -> None:
    old = Config(topic=RAIN, seeds=("http://a.test/",))
    new = replace(
        old,
        pages=9,
        max_time=1.0,
        max_bytes=5,
        max_requests=7,
        relevant=3,
        delay=0.1,
        concurrency=2,
        contact="me",
    )
    check_resume(old, new)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"topic": replace(RAIN, weights=(0.8, 0.4, 1.0))}, ["--topic", "rainstorm disaster"]),
        ({"strategy": "bfs"}, ["--strategy", "scout", "bfs"]),
        ({"parameters": {"anchor_weight": 0.1}}, ["--set", "anchor_weight"]),
        ({"rng_seed": 3}, ["--rng-seed"]),
        ({"web": "invented:3"}, ["--web", "invented:3"]),
        ({"ordered": True}, ["--ordered", "repeatable as a whole"]),
    ],
)
def test_resuming_with_another_fixed_setting_is_refused(change: dict[str, object], words: list[str]) -> None:
    old = Config(topic=RAIN, seeds=("http://a.test/",))
    with pytest.raises(RunError) as error:
        check_resume(old, replace(old, **change))  # type: ignore[arg-type]
    assert all(word in str(error.value) for word in [*words, "--out"]), str(error.value)


def test_resuming_may_change_scope_threshold_and_documents_and_add_seeds() -> None:
    old = Config(topic=RAIN, seeds=("http://a.test/",))
    scope = {
        "exclude": ("x",),
        "include": ("y",),
        "allow_domain": ("a.test",),
        "max_depth": 3,
        "same_site": True,
    }
    new = replace(old, **scope, threshold=0.5, documents=("pdf",), seeds=("http://a.test/", "http://b.test/"))  # type: ignore[arg-type]
    check_resume(old, new)
    with pytest.raises(RunError, match=r"seeds can be added, not taken away"):
        check_resume(new, old)


def test_what_cannot_change_has_a_reason() -> None:
    fixed = {name for name, each in SETTINGS.items() if each.fixed}
    assert fixed == {
        *(
            "topic",
            "web",
            "strategy",
            "judge",
            "query",
            "rng_seed",
            "ordered",
            "sitemaps",
            "recrawl",
            "avoid_traps",
        ),
        *("per_host", "warc", "segment_size", "parameters"),
    }


def test_the_run_directory_is_no_part_of_a_resolved_configuration() -> None:
    assert "out" not in tomllib.loads(Config(out=None).to_toml())["crawl"]


def test_http_settings_reach_the_web_in_its_own_form() -> None:
    http = Config(
        resolve=("*.invented.test = 127.0.0.1:8000",),
        header=("X-Team:  rain: storm",),
        allow_net=("127.0.0.0/8",),
    ).http
    assert dict(http.resolve) == {"*.invented.test": "127.0.0.1:8000"}
    assert http.headers == (("X-Team", "rain: storm"),)
    assert http.allow_nets == ("127.0.0.0/8",)
    assert http.delay == 1.0


def test_http_settings_are_those_of_the_configuration_and_have_their_defaults_there() -> None:
    limits = {each.name for each in fields(Limits)}
    needed = {each.name: each.default for each in fields(HttpSettings) if each.name not in limits}
    renamed = {"allow_nets": "allow_net", "headers": "header", "secrets": "header"}
    assert {renamed.get(name, name) for name in needed} - {"concurrency", "rng_seed"} == {
        each.name for each in settings_of("http")
    }
    assert set(needed.values()) == {MISSING}
    assert not limits & set(SETTINGS)


@pytest.mark.parametrize(
    ("flag", "value"), [("resolve", "a.test"), ("resolve", "=1.2.3.4"), ("header", "X-Team")]
)
def test_an_incomplete_pair_is_refused(flag: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"--{flag}.*{value}"):
        Config().override({flag: [value]})


def test_scope_settings_reach_the_crawl() -> None:
    scope = Config(max_depth=2, allow_domain=("a.test",)).scope
    assert scope.refusal("http://b.test/", 1, frozenset()) == "outside allow_domain"
    assert scope.refusal("http://a.test/", 3, frozenset()) == "deeper than max_depth 2"


def test_typed_values_from_python_are_accepted() -> None:
    config = Config().override(
        {"topic": RAIN, "parameters": {"anchor_weight": 0.3}, "seeds": ["a"], "delay": 0.5}
    )
    assert (config.topic, config.parameters, config.seeds, config.delay) == (
        RAIN,
        {"anchor_weight": 0.3},
        ("a",),
        0.5,
    )


def test_the_error_for_an_unknown_setting_names_the_nearest() -> None:
    with pytest.raises(
        ConfigError, match=r"unknown setting 'max_dpeth'; did you mean 'max_depth' in \[scope\]\?"
    ):
        Config().override({"max_dpeth": 3})
