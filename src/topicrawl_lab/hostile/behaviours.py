"""Loads all behaviours."""

from __future__ import annotations

from topicrawl_lab.hostile.exchange import BEHAVIOURS, Row


def load() -> dict[str, Row]:
    """Import every module that registers behaviours; returns the table of them."""
    from topicrawl_lab.hostile import bodies, broken, manners, parsing, reaching, trapping

    assert all((bodies, broken, manners, parsing, reaching, trapping))
    return BEHAVIOURS
