"""Reading topics: inline, from files, by name; invalid ones are refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.topic.builtin import BUILTIN
from topicrawl.topic.letters import normal
from topicrawl.topic.read import parse_topic, read_topic, read_topic_bytes
from topicrawl.topic.shipped import SHIPPED, ontology


def test_an_inline_topic_has_name_terms_and_weights() -> None:
    topic = read_topic("rainstorm disaster: rainstorm 0.8, disaster 0.5, Heavy  Rain .3, weather")
    assert topic == Topic(
        "rainstorm disaster", ("rainstorm", "disaster", "heavy rain", "weather"), (0.8, 0.5, 0.3, 1.0)
    )
    assert topic.source == "inline"


def test_a_topic_without_a_name_is_called_by_its_first_term() -> None:
    assert read_topic("heavy rain 2, storm").name == "heavy rain"
    assert read_topic(": heavy rain").name == "heavy rain"


def test_full_width_signs_work_like_ascii_ones() -> None:
    topic = read_topic("暴雨灾害：暴雨 ０.８，灾害 0.5,降雨")
    assert topic == Topic("暴雨灾害", ("暴雨", "灾害", "降雨"), (0.8, 0.5, 1.0))


def test_a_term_may_end_with_a_number_when_its_weight_is_given() -> None:
    assert read_topic("boeing 737 1, web 2.0 0.5").terms == ("boeing 737", "web 2.0")


def test_empty_entries_between_commas_are_ignored() -> None:
    assert read_topic("rain,, storm, ").terms == ("rain", "storm")


@pytest.mark.parametrize("spec", ["rainstorm-words", " Rainstorm-Words "])
def test_a_built_in_is_called_by_its_name(spec: str) -> None:
    topic = read_topic(spec)
    assert topic.terms == ("rainstorm", "disaster", "rainfall", "weather", "meteorology")
    assert topic.weights == (0.8, 0.5, 0.3, 0.1, 0.1)
    assert (topic.name, topic.source) == ("rainstorm-words", "built-in rainstorm-words")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_ontology_is_called_by_its_name(name: str) -> None:
    topic = read_topic(name.upper())
    assert (topic.name, topic.source) == (name, f"built-in {name}")
    assert len(topic.terms) == len(ontology(name).concepts)
    assert topic.weights[0] == 1
    assert all(0 < weight < 1 for weight in topic.weights[1:])


def test_a_term_may_have_several_spellings() -> None:
    topic = read_topic("floods: Flood | floods ｜洪水|flood 0.5, rain")
    assert (topic.terms, topic.weights) == (("flood|floods|洪水", "rain"), (0.5, 1.0))


@pytest.mark.parametrize("spec", ["flood|floods, floods 0.5", "flood|12"])
def test_a_spelling_must_have_letters_and_be_unique(spec: str) -> None:
    with pytest.raises(TopicError, match=r"'floods' occurs twice|'12' has no letter"):
        read_topic(spec)


@pytest.mark.parametrize("name", [*BUILTIN, *SHIPPED])
def test_every_built_in_can_be_read_and_has_its_name(name: str) -> None:
    assert read_topic(name).name == name == normal(name)


def test_a_text_file_has_a_term_a_line_and_comments() -> None:
    content = (
        b"\xef\xbb\xbf# weather\r\nname: Rain: the storms\r\n\r\nrain 0.5 # wet\r\nc#\t2\r\nheavy rain\r\n"
    )
    topic = read_topic_bytes(content, name="stem", source="rain.txt")
    assert topic == Topic("Rain: the storms", ("rain", "c#", "heavy rain"), (0.5, 2.0, 1.0))
    assert topic.source == "rain.txt"


def test_a_text_file_without_a_name_is_called_like_the_file() -> None:
    assert read_topic_bytes(b"rain 0.5\nstorm, hail\n", name="stem") == Topic(
        "stem", ("rain", "storm", "hail"), (0.5, 1.0, 1.0)
    )


def test_a_text_file_may_hold_the_inline_form() -> None:
    assert read_topic_bytes(b"wet days: rain 0.5, storm\n", name="stem").name == "wet days"


def test_a_toml_file_has_a_name_and_a_table_of_terms() -> None:
    content = '\ufeffname = "Wet"\n[terms]\nRain = 0.5\n"heavy rain" = 2\n暴雨 = 1\n'.replace(
        "暴雨 =", '"暴雨" ='
    )
    topic = read_topic_bytes(content.encode(), name="stem", toml=True)
    assert topic == Topic("Wet", ("rain", "heavy rain", "暴雨"), (0.5, 2.0, 1.0))
    assert read_topic_bytes(b"[terms]\nrain = 1", name="stem", toml=True).name == "stem"


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("", "no terms"),
        (" , ,", "no terms"),
        ("name:", "no terms"),
        ("rain -1", "weight -1.0 of 'rain'"),
        ("rain nan", "weight nan of 'rain'"),
        ("rain inf, storm", "weight inf of 'rain'"),
        ("rain 1e999", "weight inf of 'rain'"),
        ("rain 0, storm 0.0", "all weights are zero"),
        ("Rain, storm, ｒain", "'rain' occurs twice"),
        ("heavy rain, heavy  Rain 2", "'heavy rain' occurs twice"),
        ("5", "'5' has no letter"),
        ("rain, --- 1", "'---' has no letter"),
        ("rain, storm: hail", "a colon follows 'rain, storm'"),
    ],
)
def test_an_invalid_topic_is_refused_by_name(spec: str, complaint: str) -> None:
    with pytest.raises(TopicError, match=r"topic inline: .*;") as raised:
        read_topic(spec)
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"terms = 3", "terms is no table"),
        (b"[terms]\nrain = 'wet'", "weight 'wet' of 'rain'"),
        (b"[terms]\nrain = true", "weight True of 'rain'"),
        (b"[terms]\nrain = nan", "weight nan of 'rain'"),
        (b"[terms]\nrain = 1" + b"0" * 400, "of 'rain' is unusable"),
        (b"[term]\nrain = 1", "unknown key 'term'"),
        (b"rain", "not valid TOML"),
        (b"", "no terms"),
        (b"\xff", "not UTF-8"),
    ],
)
def test_a_toml_topic_that_cannot_be_read_is_refused_by_name(content: bytes, complaint: str) -> None:
    with pytest.raises(TopicError, match=r"topic wet\.toml: ") as raised:
        read_topic_bytes(content, source="wet.toml", toml=True)
    assert complaint in str(raised.value)


@given(
    st.dictionaries(
        st.from_regex(r"[a-zé雨]{1,6}( [a-z]{1,4}x)?", fullmatch=True),
        st.floats(0, 1e9),
        min_size=1,
        max_size=6,
    )
)
def test_inline_terms_are_read_back(weights: dict[str, float]) -> None:
    if not any(weights.values()):
        weights = dict.fromkeys(weights, 1.0)
    topic = parse_topic("n: " + ", ".join(f"{term} {weight!r}" for term, weight in weights.items()))
    assert dict(zip(topic.terms, topic.weights, strict=True)) == weights


@given(st.text())
def test_any_text_is_a_topic_or_a_topic_error(spec: str) -> None:
    try:
        topic = read_topic(spec)
    except TopicError:
        return
    assert len(topic.terms) == len(topic.weights) == len(set(topic.terms)) > 0
    assert all(term == normal(term) for term in topic.terms)
