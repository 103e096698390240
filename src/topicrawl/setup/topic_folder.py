"""Reads and writes the folder of a topic; a build that fails or is interrupted changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.store.disk import disk_errors, part_of, sync_folder, write_atomically
from topicrawl.topic import overrides as overrides_file
from topicrawl.topic import owl
from topicrawl.topic import recipe as recipe_file
from topicrawl.topic.build import CONTEXT, ONTOLOGY, PAGES, RECIPE, TERMS
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.formats import read_cxt
from topicrawl.topic.ontology import Ontology
from topicrawl.topic.overrides import Overrides
from topicrawl.topic.pages import read_pages
from topicrawl.topic.recipe import FLAT, Recipe
from topicrawl.topic.terms.result import Terms
from topicrawl.topic.terms_table import read_terms
from topicrawl.topic.weigh import Weighed, by_corpus, by_structure

OVERRIDES = "overrides.toml"


@dataclass(frozen=True)
class TopicFolder:
    """The folder of a topic. Its files are read on first use; an invalid file raises `TopicError`."""

    path: Path

    @cached_property
    def recipe(self) -> Recipe:
        """topic.toml."""
        return recipe_file.read(self._content(RECIPE), str(self.path / RECIPE))

    @cached_property
    def overrides(self) -> Overrides:
        """overrides.toml; empty if there is none."""
        if not (self.path / OVERRIDES).exists():
            return Overrides()
        return overrides_file.read(self._content(OVERRIDES), str(self.path / OVERRIDES))

    def ontology(self, *, checked: bool = True) -> Ontology:
        """ontology.ttl without the overrides."""
        source = str(self.path / ONTOLOGY)
        return owl.read(self._content(ONTOLOGY), source, name=self.recipe.name, checked=checked)

    @cached_property
    def terms(self) -> Terms:
        """terms.csv."""
        return read_terms(self._content(TERMS), str(self.path / TERMS))

    @cached_property
    def context(self) -> Context:
        """context.cxt."""
        return read_cxt(self._content(CONTEXT), source=str(self.path / CONTEXT))

    @property
    def has_terms(self) -> bool:
        """Whether there is a terms.csv; an ontology does not need one."""
        return (self.path / TERMS).exists()

    @cached_property
    def weighed(self) -> Weighed:
        """The topic as a crawl uses it: the ontology with the overrides, and its weights."""
        if self.recipe.model in FLAT:
            return by_corpus(self.terms, self.recipe.name, self.recipe.root, self.overrides)
        return by_structure(self.ontology(), self.recipe.mix, self.overrides)

    def topic(self, source: str) -> Topic:
        """The topic as a crawl uses it; one built with the model `pages` includes its pages."""
        topic = self.weighed.topic(source)
        if self.recipe.model != "pages":
            return topic
        return replace(topic, pages=read_pages(self._content(PAGES), str(self.path / PAGES)))

    def _content(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except OSError as error:
            raise TopicError(
                f"topic {str(self.path)!r}: {name} cannot be read ({error.strerror}); build the topic again"
            ) from None


def is_topic_folder(path: Path) -> bool:
    """Whether a topic was built at `path`."""
    return (path / RECIPE).is_file()


def check_target(path: Path, model: str) -> TopicFolder | None:
    """The topic that a build into `path` would rebuild, or None; `TopicError` if `path` cannot be used."""
    if is_topic_folder(path):
        folder = TopicFolder(path)
        if folder.recipe.model != model:
            raise TopicError(
                f"--out {str(path)!r} holds a topic of model {folder.recipe.model}, not {model}; give another folder"
            )
        return folder
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise TopicError(f"--out {str(path)!r} exists and is no topic; give a new folder, or an empty one")
    return None


def write_topic_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Write `files` into the folder at `path`: all are written under temporary names before the first is renamed.

    Other files in the folder, such as overrides.toml, are left alone.
    """
    parts = {part_of(path / name): content for name, content in files.items()}
    with disk_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        try:
            for part, content in parts.items():
                write_atomically(part, content)
            for name in files:
                part_of(path / name).replace(path / name)
            sync_folder(path)
        except BaseException:
            for part in parts:
                part.unlink(missing_ok=True)
                part_of(part).unlink(missing_ok=True)
            raise
