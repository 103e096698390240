from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import contexts
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.covers import build_lattice
from topicrawl.topic.fca.layout import Layout, lay_out


def crossings(layout: Layout) -> int:
    """How many pairs of line segments cross, from their end points."""
    pieces = [piece for line in layout.lines for piece in pairwise(line)]
    return sum(
        one[0].layer == other[0].layer and (one[0].x - other[0].x) * (one[1].x - other[1].x) < 0
        for one, other in combinations(pieces, 2)
    )


@given(contexts(), st.integers(10, 700))
def test_nothing_on_one_track_overlaps(context: Context, width: int) -> None:
    upper = build_lattice(context).upper
    widths = [float(width + 7 * n % 50) for n in range(len(upper))]
    layout = lay_out(upper, widths)
    for (a, one), (b, other) in combinations(zip(widths, layout.places, strict=True), 2):
        if (one.layer, one.track) == (other.layer, other.track):
            assert abs(one.x - other.x) >= (a + b) / 2 - 1e-6


@given(contexts())
def test_layers_are_the_longest_path_from_the_top_and_lines_bend_in_each(context: Context) -> None:
    upper = build_lattice(context).upper
    layout = lay_out(upper, [20.0] * len(upper))
    for n, above in enumerate(upper):
        assert layout.places[n].layer == max((layout.places[k].layer + 1 for k in above), default=0)
    assert len(layout.lines) == sum(map(len, upper))
    for line in layout.lines:
        assert all(low.layer == high.layer + 1 for low, high in pairwise(line))


@given(contexts())
def test_all_nodes_are_within_the_width(context: Context) -> None:
    upper = build_lattice(context).upper
    layout = lay_out(upper, [20.0] * len(upper))
    for place in layout.places:
        assert 10 - 1e-6 <= place.x <= layout.width - 10 + 1e-6
        assert 0 <= place.track < layout.tracks[place.layer]


def test_a_shuffled_tree_is_drawn_without_crossings() -> None:
    tree = [(), (0,), (0,), (0,), (3,), (1,), (2,), (1,), (3,), (2,), (8,), (5,), (9,), (4,)]
    assert crossings(lay_out(tree, [20.0] * len(tree))) == 0


def test_a_line_around_a_chain_does_not_cross_it() -> None:
    pentagon = [(), (0,), (0,), (1,), (2, 3)]
    assert crossings(lay_out(pentagon, [20.0] * 5)) == 0


def test_a_wide_layer_is_staggered() -> None:
    layout = lay_out([(), *[(0,)] * 70], [100.0] * 71)
    assert layout.tracks == (1, 5)
    assert layout.width < 1600
