"""topic.toml: what a topic was built from and how, and how its concepts are weighed.

`[weights]` belongs to the user: a build keeps it and rewrites the rest.
"""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from topicrawl.errors import TopicError
from topicrawl.toml_text import spell
from topicrawl.topic.letters import normal
from topicrawl.topic.similarity import Mix

Model = Literal["fca", "words", "learned", "pages"]
MODELS: tuple[str, ...] = get_args(Model)
FLAT = ("words", "pages")
"""Models without an ontology: the weight of a term is its score."""
TERMS = 80
"""Default number of terms that a build keeps."""
MOST_DOCUMENTS = 0.7
"""Default largest share of documents of a term."""
_HEAD = "# Written by topicrawl topic build. [weights] is yours to change; overrides.toml is the place for all else."


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Input of a build: number of documents, most terms kept, largest share of documents of a term, whether WordNet
    was used, the user's stop words."""

    documents: int = 0
    terms: Annotated[int, Meta(ge=1)] = TERMS
    most_documents: Annotated[float, Meta(gt=0, le=1)] = MOST_DOCUMENTS
    wordnet: bool = True
    stop: tuple[str, ...] = ()


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a topic.toml."""

    name: Annotated[str, Meta(min_length=1)]
    root: Annotated[str, Meta(min_length=1)]
    language: str = ""
    model: Model = "fca"
    build: Build = Build()
    weights: dict[str, float | str] = {}

    @property
    def mix(self) -> Mix:
        """How much each factor counts."""
        return replace(Mix(), **self.weights)  # type: ignore[arg-type]


def read(content: bytes, source: str = "topic.toml") -> Recipe:
    """The recipe in a file with this content; `TopicError` naming `source` and the place when it has a mistake."""
    try:
        recipe = msgspec.convert(tomllib.loads(content.decode("utf-8-sig")), Recipe)
    except msgspec.ValidationError as error:
        raise TopicError(f"{source}: {error}; compare with the topic.toml of a new topic build") from None
    except ValueError as error:
        raise TopicError(f"{source}: is not valid TOML in UTF-8: {error}") from None
    _check(recipe, source)
    return msgspec.structs.replace(recipe, root=normal(recipe.root))


def write(recipe: Recipe) -> str:
    """`recipe` as TOML."""
    mix = recipe.mix
    sections: dict[str, dict[str, Any]] = {
        "": {name: getattr(recipe, name) for name in ("name", "root", "language", "model")},
        "build": msgspec.structs.asdict(recipe.build),
        "weights": {field.name: getattr(mix, field.name) for field in fields(mix)},
    }
    if recipe.model in FLAT:
        del sections["weights"]
    lines = [_HEAD]
    for section, values in sections.items():
        lines += ["", f"[{section}]"] if section else []
        lines += (f"{name} = {spell(value)}" for name, value in values.items())
    return "\n".join(lines) + "\n"


def _check(recipe: Recipe, source: str) -> None:
    known = {field.name: field.type for field in fields(Mix)}
    for name, value in recipe.weights.items():
        if name not in known:
            raise TopicError(f"{source}: [weights] unknown key {name!r}; known are {', '.join(known)}")
        if isinstance(value, str) != (name == "density_form"):
            raise TopicError(
                f"{source}: [weights] {name} = {value!r} is unusable; density_form is a word, all others are numbers"
            )
    try:
        recipe.mix  # noqa: B018 - checks itself
    except TopicError as error:
        raise TopicError(f"{source}: [weights] {error}") from None
