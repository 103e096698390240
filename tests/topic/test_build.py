from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from topicrawl.errors import TopicError
from topicrawl.topic import owl, recipe
from topicrawl.topic.build import CONTEXT, ONTOLOGY, RECIPE, TERMS, Built, build, enriched
from topicrawl.topic.corpus import Document
from topicrawl.topic.fca.formats import read_cxt
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.recipe import Build, Recipe
from topicrawl.topic.terms_table import read_terms
from topicrawl.topic.weigh import as_written, by_corpus, by_structure
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.enrich import Advice

WANTED = Recipe(name="storms", root="storm", language="en")
SENTENCES = (
    "A flood followed the heavy rainfall, and the levee gave way.",
    "The flood reached the levee; evacuation began at night.",
    "Heavy rainfall and a landslide closed the mountain road.",
    "The landslide and the flood were blamed on heavy rainfall.",
    "Evacuation of the valley followed the typhoon and its rainfall.",
    "The typhoon brought rainfall, a flood and a landslide.",
)


def corpus() -> list[Document]:
    return [Document(f"{n}.txt", f"Report {n}", text, language="en") for n, text in enumerate(SENTENCES)]


def made(**more: object) -> Built:
    return build(corpus(), WANTED, **more)  # type: ignore[arg-type]


def test_a_build_connects_every_term_of_the_documents_to_the_root() -> None:
    built = made()
    assert built.ontology is not None
    assert {"flood", "levee", "typhoon", "storm"} <= set(built.ontology.by_name)
    assert set(built.ontology.depths) == set(built.ontology.by_name) == set(built.terms.names)
    assert "rainfall" in built.ontology.ancestors["typhoon"]
    assert built.recipe.build.documents == 6


def test_the_files_of_a_topic_are_read_back_as_they_were_made() -> None:
    built = made()
    files = built.files()
    assert list(files) == [TERMS, CONTEXT, ONTOLOGY, RECIPE]
    assert owl.read(files[ONTOLOGY]) == built.ontology
    assert read_cxt(files[CONTEXT]) == built.context
    assert recipe.read(files[RECIPE]).root == "storm"
    assert read_terms(files[TERMS]).names == built.terms.names
    assert made().files() == files


def test_a_term_of_every_document_is_kept_where_the_recipe_allows_all_of_them() -> None:
    """FCWSEO §3 selects terms by frequency: the most frequent is in every document."""
    everywhere = [
        Document(f"{n}.txt", f"Report {n}", f"The monsoon. {text}", language="en", host=f"{n}.test")
        for n, text in enumerate(SENTENCES * 2)
    ]
    assert "monsoon" in build(everywhere, WANTED).terms.common
    allowed = build(everywhere, msgspec.structs.replace(WANTED, build=Build(most_documents=1.0)))
    assert "monsoon" in allowed.terms.names
    assert recipe.read(allowed.files()[RECIPE]).build.most_documents == 1.0


def test_a_topic_of_words_has_two_files_and_the_weights_of_the_corpus() -> None:
    built = build(corpus(), Recipe(name="storms", root="storm", model="words"))
    assert list(built.files()) == [TERMS, RECIPE]
    read = by_corpus(read_terms(built.files()[TERMS]), "storms", "storm")
    assert read.weights["storm"] == 1.0
    assert max(weight for name, weight in read.weights.items() if name != "storm") == 1.0
    assert set(read.topic("here").terms[0].split("|")) <= {
        label for term in built.terms.terms for label in term.labels
    }


def test_the_users_edits_are_kept_and_counted_in_the_corpus() -> None:
    first = made().ontology
    assert first is not None
    mine = replace(
        first,
        concepts=(*first.concepts, Concept("night", {"en": ("night",)}), Concept("meteor")),
        edges=(*first.edges, Edge("night", "evacuation", "attribute-of"), Edge("meteor", "storm")),
    )
    again = made(old=mine)
    assert again.ontology is not None
    assert Edge("night", "evacuation", "attribute-of") in again.ontology.edges
    seen = {term.name: len(term.documents) for term in again.terms.terms}
    assert seen["night"] == 1
    assert seen["meteor"] == 0


def test_edges_of_wordnet_replace_those_of_the_lattice_that_they_make_redundant() -> None:
    names = ("storm", "hurricane", "wind")
    flat = Ontology(
        "n",
        "storm",
        tuple(map(Concept, names)),
        tuple(Edge(n, "storm", "is-a", "lattice") for n in names[1:]),
    )
    advice = Advice((Edge("hurricane", "wind", "is-a", "wordnet"),), (), {"wind": ("air current",)})
    found = enriched(flat, advice)
    assert found.parents["hurricane"] == ("wind",)
    assert found.by_name == flat.by_name


def test_wordnet_is_used_where_available() -> None:
    wordnet = WordNet.load()
    if wordnet is None:
        pytest.skip("built without WordNet")
    built = made(wordnet=wordnet)
    assert built.recipe.build.wordnet
    assert not made().recipe.build.wordnet


def test_stop_words_are_no_terms() -> None:
    wanted = Recipe(name="storms", root="storm", build=Build(stop=("levee",)))
    assert "levee" not in build(corpus(), wanted).terms.names


def test_a_corpus_whose_documents_share_no_term_is_an_error() -> None:
    with pytest.raises(TopicError, match="no term stands out"):
        build([Document("a", text="one"), Document("b", text="two")], WANTED)


def test_a_recipe_is_read_back_with_the_weights_the_user_gave() -> None:
    text = (
        recipe.write(WANTED).replace("distance = 0.2", "distance = 0.4").replace("depth = 0.2", "depth = 0.0")
    )
    read = recipe.read(text.encode())
    assert (read.mix.distance, read.mix.depth) == (0.4, 0.0)
    assert recipe.read(recipe.write(read).encode()) == read


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("name =", "nmae ="), "nmae"),
        (("distance = 0.2", "distance = 0.3"), r"\[weights\] .*must sum to 1"),
        (("distance = 0.2", 'distance = "far"'), "distance = 'far'"),
        (("distance =", "distnace ="), "unknown key 'distnace'"),
        (('model = "fca"', 'model = "lattice"'), "model"),
        (("terms = 80", "terms = 0"), "terms"),
        (("most_documents = 0.7", "most_documents = 0"), "most_documents"),
        (("[build]", "[build"), "is not valid TOML"),
    ],
)
def test_a_mistake_in_a_recipe_names_file_and_place(change: tuple[str, str], message: str) -> None:
    with pytest.raises(TopicError, match=f"here/topic.toml: .*{message}"):
        recipe.read(recipe.write(WANTED).replace(*change).encode(), "here/topic.toml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "is not UTF-8"),
        (b"word\nrain\n", "line 1: has no column 'documents'"),
        (b"term,score,documents,frequency\n", "has no terms"),
        (
            b"term,score,documents,frequency\nrain,1,2,3\nRain,1,2,3\n",
            "line 3: 'rain' is already in line 2",
        ),
        (b"term,score,documents,frequency\nrain,high,2,3\n", "line 2: .*not numbers"),
        (b"term,score,documents,frequency\nrain,-1,2,3\n", "line 2: .*unusable"),
        (b"term,score,documents,frequency\n12,1,2,3\n", "line 2: the term '12' has no letter"),
        (b'term,score,documents,frequency\n"rain,1,2,3\n', "line 2: is no CSV"),
        (b"term,score,documents,frequency\n" + b"x" * 10_000_000, "line 2: is no CSV"),
    ],
)
def test_a_mistake_in_the_table_of_terms_names_file_and_line(content: bytes, message: str) -> None:
    with pytest.raises(TopicError, match=f"^here.csv.*{message}"):
        read_terms(content, "here.csv")


def test_a_topic_without_ontology_has_all_terms_below_the_root() -> None:
    from topicrawl.topic.read import parse_topic

    topic = parse_topic("storms: flood|floods 0.8, rain 0.3")
    flat = as_written(topic)
    assert flat.ontology.children["storms"] == ("flood", "rain")
    assert flat.topic("inline").terms == topic.terms


def test_weights_by_structure_decrease_with_the_distance_from_the_root() -> None:
    found = made().ontology
    assert found is not None
    weighed = by_structure(found)
    assert weighed.weights["storm"] == 1.0
    assert all(weighed.weights[name] < 1 for name in found.by_name if name != "storm")
    assert set(weighed.factors) == set(found.by_name)
