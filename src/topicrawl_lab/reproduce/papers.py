"""The papers that `topicrawl reproduce` knows, by name."""

from __future__ import annotations

from importlib import import_module

from topicrawl.errors import UsageError
from topicrawl_lab.reproduce.design import Setup

PAPERS = ("fcwseo", "fcits_oh", "svsm_mcoa", "semxdm", "ielp")


def setup_of(paper: str) -> Setup:
    """The experiment of a paper."""
    if paper not in PAPERS:
        raise UsageError(f"there is no paper {paper!r}; choose one of {', '.join(PAPERS)}")
    found: Setup = import_module(f"topicrawl_lab.reproduce.{paper}").SETUP
    return found
