"""Strategies by name: built-in ones, and those of other packages under the entry point `topicrawl.strategies`."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from topicrawl.errors import ConfigError
from topicrawl.strategies import Strategy
from topicrawl.strategies.parameters import read_settings, with_presets

OURS = {
    "bfs": "topicrawl.strategies.bfs:BreadthFirst",
    "elp": "topicrawl.strategies.elp:EnergyLandscapePaving",
    "fcsa": "topicrawl.strategies.fcsa:SimulatedAnnealing",
    "ielp": "topicrawl.strategies.ielp:ImprovedEnergyLandscapePaving",
    "ops": "topicrawl.strategies.ops:BestFirst",
    "fcts": "topicrawl.strategies.fcts:Fcts",
    "fcits": "topicrawl.strategies.fcits:Fcits",
    "fcoits": "topicrawl.strategies.fcoits:Fcoits",
    "on_its": "topicrawl.strategies.on_its:OnIts",
    "fcits_oh": "topicrawl.strategies.fcits_oh:FcitsOh",
    "semxdm": "topicrawl.strategies.semxdm:SemXdm",
    "best_n_first": "topicrawl.strategies.best_n_first:BestNFirst",
    "context_graph": "topicrawl.strategies.context_graph:ContextGraph",
    "vsm": "topicrawl.strategies.vsm:VsmCrawler",
    "ssrm": "topicrawl.strategies.ssrm:SsrmCrawler",
    "mcoa": "topicrawl.strategies.mcoa:McoaCrawler",
    "svsm_mcoa": "topicrawl.strategies.svsm_mcoa:SvsmMcoa",
    "fcwse": "topicrawl.strategies.fcwse:Fcwse",
    "fcwseo": "topicrawl.strategies.fcwseo:Fcwseo",
    "moaco": "topicrawl.strategies.moaco:AntColony",
    "olmoaco": "topicrawl.strategies.olmoaco:LearnedAntColony",
    "scout": "topicrawl.scout.strategy:Scout",
}


@lru_cache(maxsize=1)
def _places() -> dict[str, str]:
    others = {point.name: point.value for point in entry_points(group="topicrawl.strategies")}
    return others | OURS


def strategy_names() -> list[str]:
    """All names that `--strategy` takes, sorted."""
    return sorted(_places())


def strategy_class(name: str) -> type[Strategy]:
    """The class behind a name."""
    places = OURS if name in OURS else _places()  # to look through all installed packages takes time
    if name not in places:
        near = get_close_matches(name, places, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ConfigError(f"unknown strategy {name!r}; {hint}there are {', '.join(strategy_names())}")
    module, _, attribute = places[name].partition(":")
    found = getattr(import_module(module), attribute)
    if not (isinstance(found, type) and issubclass(found, Strategy)):
        raise ConfigError(
            f"strategy {name!r} ({places[name]}) must derive from topicrawl.strategies.Strategy"
        )
    return found


def make_strategy(name: str, settings: Mapping[str, Any] | None = None) -> Strategy:
    """A fresh strategy with the given parameters; `ConfigError` for unknown names and bad values."""
    kind = strategy_class(name)
    lacking = ", ".join(sorted(kind.__abstractmethods__))
    if lacking:
        raise ConfigError(f"strategy {name!r} ({kind.__module__}) lacks {lacking}")
    return kind(**with_presets(kind, read_settings(name, kind, settings or {})))
