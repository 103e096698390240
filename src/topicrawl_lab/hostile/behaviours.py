"""All rows of the catalogue, loaded once."""

from __future__ import annotations

from topicrawl_lab.hostile.exchange import BEHAVIOURS, Row


def load() -> dict[str, Row]:
    """Import every module that registers behaviours; gives the table they fill."""
    from topicrawl_lab.hostile import bodies, broken, manners, parsing, reaching, trapping

    assert all((bodies, broken, manners, parsing, reaching, trapping))
    return BEHAVIOURS
