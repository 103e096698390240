"""The classes of a state: which may be in it, and which of their attributes are stored."""

from __future__ import annotations

import importlib
from functools import cache, cached_property
from typing import Any

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state.kinds import NotStorable

PACKAGES = (
    "topicrawl.crawling",
    "topicrawl.frontier",
    "topicrawl.judge",
    "topicrawl.knowledge",
    "topicrawl.model",
    "topicrawl.page",
    "topicrawl.scout",
    "topicrawl.strategies",
    "topicrawl.text",
    "topicrawl.topic",
    "topicrawl.value",
)
"""Where classes of the state may be, besides the package of the strategy."""


def packages_of(crawl: Crawl) -> tuple[str, ...]:
    """Where classes may come from; a strategy of another package has its own there."""
    package = type(crawl.strategy).__module__.partition(".")[0]
    return PACKAGES if package == "topicrawl" else (*PACKAGES, package)


def is_below(module: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of these packages, or in one."""
    return any(module == package or module.startswith(package + ".") for package in packages)


def name_of(kind: type) -> str:
    """The name of a class as it is stored."""
    return f"{kind.__module__}:{kind.__qualname__}"


def class_named(name: str, packages: tuple[str, ...]) -> type:
    """The class with a stored name; `ValueError` if it is of none of the packages."""
    module, _, qualified = name.partition(":")
    if not is_below(module, packages):
        raise ValueError(f"{name} is of no package of the crawl")
    found: Any = importlib.import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or name_of(found) != name:
        raise ValueError(f"{name} is no class")
    return found


def attributes(value: object) -> list[str]:
    """The attributes of an object that are stored, in the order they were set."""
    kind: type = type(value)
    slots, left_out = _slots(kind), not_stored(kind) | cached(kind)
    named = [*getattr(value, "__dict__", ()), *(name for name in slots if hasattr(value, name))]
    if not named and not slots and not hasattr(value, "__dict__"):
        raise NotStorable(f"a {name_of(kind)} cannot be stored")
    return [name for name in named if name not in left_out]


@cache
def _slots(kind: type) -> tuple[str, ...]:
    found: list[str] = []
    for base in kind.__mro__:
        slots = base.__dict__.get("__slots__", ())
        found += [slots] if isinstance(slots, str) else slots
    return tuple(name for name in found if not name.startswith("__"))


@cache
def not_stored(kind: type) -> frozenset[str]:
    """The attributes that a class and its bases declare."""
    return frozenset(name for base in kind.__mro__ for name in getattr(base, "not_stored", ()))


@cache
def cached(kind: type) -> frozenset[str]:
    """The attributes that `cached_property` sets."""
    members = (member for base in kind.__mro__ for member in vars(base).items())
    return frozenset(name for name, value in members if isinstance(value, cached_property))


def is_frozen(kind: type) -> bool:
    """Whether a class is a dataclass whose objects do not change."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters and parameters.frozen)
