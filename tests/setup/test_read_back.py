"""What a run keeps of its configuration and topic can be read again, whatever it was made of."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import example, given, settings
from hypothesis import strategies as st

from languages import TEXTS
from topicrawl.errors import ConfigError, TopicError, UsageError
from topicrawl.model import Page, Topic
from topicrawl.setup.config import SETTINGS, Config, read_flags
from topicrawl.setup.examples import query_topic
from topicrawl.topic.corpus import Document
from topicrawl.topic.read import read_topic
from topicrawl.topic.terms.find import find_terms

WORDS = " ".join(text for texts in TEXTS.values() for text in texts.pages).split()
SOME = st.sampled_from(WORDS) | st.sampled_from(
    ["train", "trains", "|", ",", "0.5", ":", "#", '"', "\\", "ſ", "İ", "௰"]
)
TEXT = st.lists(SOME | st.text(max_size=6), max_size=30).map(" ".join)
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | TEXT
    | st.sampled_from(["1h", "10MB", "2020-05-01"])
)

TOML = st.sampled_from(
    ["1979-05-27", "07:32:00", "{a = 1}", "[[1], 2]", "inf", "nan", "-0.0", "0x1F", "true", "''", "{}"]
)


def kept(config: Config) -> None:
    """A configuration that a run would keep."""
    text = config.to_toml()
    read = Config.from_toml(text)
    assert read == config or "nan" in text  # which equals nothing
    assert read.to_toml() == text


@given(
    st.sampled_from([name for name in SETTINGS if name not in ("topic", "parameters")]),
    ANYTHING | st.lists(ANYTHING, max_size=5),
)
def test_every_setting_that_is_accepted_is_read_as_it_is_written(name: str, value: object) -> None:
    with suppress(ConfigError):
        kept(Config(**read_flags({name: value})))


@given(st.lists(st.tuples(st.text(), ANYTHING.map(str) | TOML).map("=".join)))
def test_every_parameter_that_is_accepted_is_read_as_it_is_written(pairs: list[str]) -> None:
    with suppress(ConfigError):
        kept(Config(**read_flags({"parameters": pairs})))


@given(TEXT | st.text())
@example("trains: train|trains, rail")
@example("a: b 1e308, c 5e-324")
def test_every_topic_of_words_is_read_as_it_is_written(spec: str) -> None:
    with suppress(TopicError):
        kept(Config(topic=read_topic(spec)))


@settings(deadline=None)
@given(
    st.lists(
        st.builds(Page, st.sampled_from(["", "http://a.test/", "http://b.test/"]), TEXT, text=TEXT),
        min_size=1,
        max_size=4,
    )
)
@example([Page("", text=TEXTS["fr"].pages[0])])
@example([Page("", language="en", text="trains ௰௰௰ ſſſ ſſſs")])
def test_every_topic_of_pages_is_read_as_it_is_written(pages: list[Page]) -> None:
    with suppress(UsageError):
        kept(Config(topic=query_topic(pages)))


@settings(deadline=None)
@given(
    st.lists(st.builds(Document, st.just("a"), TEXT, TEXT), min_size=1, max_size=4),
    st.lists(TEXT, max_size=2),
)
def test_every_topic_of_documents_is_read_as_it_is_written(
    documents: list[Document], named: list[str]
) -> None:
    with suppress(TopicError):
        topic = find_terms(documents, named=named, least=1).topic("name")
        assert isinstance(topic, Topic)
        kept(Config(topic=topic))
