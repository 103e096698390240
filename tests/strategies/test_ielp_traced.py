"""Two walkers of IELP, worked out on paper from IELP §3.2, Steps 2–10, and Eq. (5).

E = .7 R(AR) + .2 mean R(P) + .1 PR, with PR = 1 everywhere; r2 = .12, k = .01, k_B T = .0276130. H is 1 for fetched
pages and 0 for others, so Ẽ(head) = E(head) − .01. Two pages are in flight: each walker has a head of its own, the
queue is shared.

    asked   head  drawn from SubLink, and what follows
    s  w0   –     Step 2: the seeds come first
    t  w1   –
    told s: R = .5, E(s) = .1 + .1 = .2; a .28 + .1 + .1 = .48; f .07 + .1 + .1 = .27
    a  w0   s     place 0 of (a, f): a. .48 > .2: accepted (Step 8)
    told t: R = .2, E(t) = .04 + .1 = .14; b .35 + .04 + .1 = .49
    b  w1   t     place 0 of (b): .49 > .14: accepted
    told b, before a: R = .6: c .28 + .12 + .1 = .50; g .07 + .12 + .1 = .29
    c  w1   b     place 1 of (c, g): g. .29 < .49: exp((.29 − .48) / .0276) = .00103; drawn .5: not accepted (Step 9).
                  place 0 of (c): .50 > .49: accepted. H(g) is still 0.
    told a: R = .3: e .07 + .06 + .1 = .23
    g  w0   a     place 0 of (e): exp((.23 − .47) / .0276) = .00017; drawn .5: not accepted. SubLink is empty: Step 2.
                  The queue is g .29, f .27, e .23: g, which the other walker rejected, is its head.
    told c: R = .8: h .28 + .16 + .1 = .54; l .35 + .16 + .1 = .61
    h  w1   c     place 0 of (h, l): .54 > .50: accepted
    told h: R = .9: j .21 + .18 + .1 = .49
    j  w1   h     place 0 of (j): .49 < .54: exp((.49 − .53) / .0276130) = .23490; drawn .2348: accepted. (Without the
                  penalty it would be exp(−.05 / .0276130) = .16353.)
    told g: R = .05: i 0 + .01 + .1 = .11, not above r2: discarded (Step 5)
    l  w0   g     SubLink has no link that may be taken: Step 2, the head of the queue is l .61
"""

from __future__ import annotations

import pytest

from strategies.scripted import Scripted
from strategies.traced import Traced, name_of
from topicrawl.model import Ask
from topicrawl.strategies.ielp import ImprovedEnergyLandscapePaving

PAGES = {
    "s": (0.5, {"a": 0.4, "f": 0.1}),
    "t": (0.2, {"b": 0.5}),
    "b": (0.6, {"c": 0.4, "g": 0.1}),
    "a": (0.3, {"e": 0.1}),
    "c": (0.8, {"h": 0.4, "l": 0.5}),
    "g": (0.05, {"i": 0.0}),
    "h": (0.9, {"j": 0.3}),
}
PLACES = (0, 0, 1, 0, 0, 0, 0, 0)
TOLD = "s t b a c h g"
DRAWN = (0.5, 0.5, 0.2348)


class Places(Scripted):
    """`randrange` gives the places of a script."""

    def __init__(self, places: tuple[int, ...], *numbers: float) -> None:
        super().__init__(*numbers)
        self.places = list(places)

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        assert self.places[0] < start
        return self.places.pop(0)


def crawl(places: tuple[int, ...] = PLACES, drawn: tuple[float, ...] = DRAWN) -> tuple[Traced, Places]:
    strategy = ImprovedEnergyLandscapePaving(damping=0.0, discarded="never")
    traced = Traced(strategy, PAGES, "s t")
    traced.crawl.rng = rng = Places(places, *drawn)
    return traced, rng


def walked(traced: Traced, told: str) -> list[str]:
    """Ask for two links, then tell each page of `told` and ask for the next; names with their walkers."""
    asks: dict[str, Ask] = {}
    names = []

    def ask() -> None:
        asked = traced.ask()
        asks[name_of(asked.url)] = asked
        names.append(f"{name_of(asked.url)}{asked.walker}")

    ask()
    ask()
    for name in told.split():
        traced.tell(asks[name])
        ask()
    return names


def test_two_walkers_go_their_own_ways_over_one_queue() -> None:
    traced, rng = crawl()
    assert walked(traced, TOLD) == ["s0", "t1", "a0", "b1", "c1", "g0", "h1", "j1", "l0"]
    assert (rng.places, rng.left) == ([], [])


def test_the_energies_of_the_links() -> None:
    traced, _ = crawl()
    walked(traced, TOLD)
    energies = traced.column("value", "s t a b c e f g h i j l")
    assert energies == pytest.approx([0.2, 0.14, 0.48, 0.49, 0.5, 0.23, 0.27, 0.29, 0.54, 0.11, 0.49, 0.61])


def test_the_histogram_counts_pages_fetched_and_no_rejected_link() -> None:
    traced, _ = crawl()
    walked(traced, TOLD)
    assert traced.column("histogram", "s t a b c g h") == [1] * 7
    assert traced.column("histogram", "e f i j l") == [0] * 5


def test_a_step_down_that_is_not_accepted_leads_to_the_head_of_the_queue() -> None:
    traced, _ = crawl(drawn=(0.5, 0.5, 0.2350))
    assert walked(traced, TOLD)[-2:] == ["l1", "j0"]
