"""Topic terms in the anchors of an observation."""

from __future__ import annotations

from dataclasses import replace

from value.seen import frontier_of, observed


def test_anchors_are_given_by_link_and_added_up() -> None:
    seen = observed(frontier_of(4), 0, (2, 3, 2), [(0, 0, 1), (1, 1, 2), (2, 0, 4), (2, 1, 1)])
    assert seen.anchors() == [(2, 0, 5), (3, 1, 2), (2, 1, 1)]


def test_anchors_of_links_we_do_not_follow_and_of_the_page_itself_are_left_out() -> None:
    seen = observed(frontier_of(4), 0, (2, 0, 3), [(0, 0, 1), (1, 0, 1), (2, 0, 1)])
    assert replace(seen, rows=(-1, 0, 3)).anchors() == [(3, 0, 1)]
