"""What breaks first when a crawl grows to 100 machines: `python -m bench.cluster_simulation [FOLDER]`.

Discrete events, seeded: a shard works for STEP seconds at a time, machines die and their shards start again elsewhere.
Costs are those measured on one machine (`Costs`); what could not be measured is assumed and named (`World`). Each
machine adds ten million pages, so 100 machines crawl 10⁹. Every resource is told as need divided by supply: above 1 it
breaks. Where the design has a remedy, both are computed: with it and without. With FOLDER a picture is written there.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from topicrawl.report.svg import LEFT, Plot, spoken
from topicrawl_lab.plots.files import write_plot
from topicrawl_lab.plots.labels import label_width, style_classes

MACHINES = (1, 2, 5, 10, 20, 50, 100)
PAGES_EACH = 10_000_000
STEP = 10.0
"""Seconds of one event of a shard."""
DAY = 86_400.0


@dataclass(frozen=True)
class Costs:
    """What was measured: processor seconds, bytes, calls."""

    page: float
    """Ask, tell and store of a page."""
    letter: float
    """A link that came from another shard."""
    link_bytes: float
    """A known link in memory."""
    cold_link_bytes: float = 110.0
    """A link of low priority that was spilled to disk."""
    letter_bytes: float = 360.0
    call: float = 1.05e-3
    """A call between two actors, both ends."""
    lease_writes: float = 590.0
    """Rows that PostgreSQL renews in a second, the slower of two measurements."""


STRATEGIES = {
    "ops": Costs(page=0.9e-3, letter=65e-6, link_bytes=300.0),
    "scout": Costs(page=3.3e-3, letter=240e-6, link_bytes=900.0),
}


@dataclass(frozen=True)
class World:
    """What is assumed."""

    shards_each: int = 8
    memory: float = 64e9
    network: float = 125e6
    """Bytes a second of a machine: one gigabit."""
    new_links: float = 33.0
    """Links of a page that nobody knew."""
    letters: float = 3.3
    """Links of a page to other sites, as in webkb."""
    hosts_factor: float = 6.0
    hosts_power: float = 0.65
    """Known hosts are factor × pages ** power (Heaps' law)."""
    willing: float = 0.1
    """Share of the known hosts that have a link worth asking for, and may be asked once a second."""
    page_bytes: float = 9_000.0
    """A compressed page in the archive."""
    life: float = DAY
    """Mean seconds until a machine dies."""
    patience: float = 60.0
    """Seconds in which the shards of a dead machine should go on elsewhere."""
    hot_links: float = 2e6
    """Links a shard keeps in memory where the others are spilled."""
    tail: float = 50_000.0
    """Visits after a snapshot at most: what a shard replays that starts elsewhere."""
    writes: float = 0.4
    """Rows of PostgreSQL a shard writes in a second: its lease, its pieces."""


@dataclass
class Shard:
    """What a shard has done so far."""

    share: float
    """Of all hosts, those that hash to it, as a multiple of the mean."""
    pages: float = 0.0
    links: float = 0.0
    starved: float = 0.0
    """Seconds in which no willing host was left."""
    back: float = 0.0
    """When it goes on after its machine died."""


@dataclass
class Outcome:
    """Need divided by supply, for each resource; and the speed."""

    pages_per_second: float
    hours: float
    needs: dict[str, float]


def simulated(machines: int, costs: Costs, world: World, seed: int = 1) -> Outcome:
    """One crawl of `machines` × PAGES_EACH pages."""
    rng = np.random.default_rng(seed)
    count = machines * world.shards_each
    shards = [Shard(float(share)) for share in _shares(rng, count)]
    target, done, now = machines * PAGES_EACH, 0.0, 0.0
    per_page = costs.page + world.letters * (1 - 1 / count) * costs.letter
    events = [(0.0, number, "work", number) for number in range(count)]
    events += [(float(rng.exponential(world.life)), count + at, "death", at) for at in range(machines)]
    heapq.heapify(events)
    while done < target:
        now, order, kind, at = heapq.heappop(events)
        if kind == "death":
            for shard in shards[at * world.shards_each : (at + 1) * world.shards_each]:
                shard.back = now + _recovery(shard, costs, world)
            heapq.heappush(events, (now + float(rng.exponential(world.life)), order, "death", at))
            continue
        shard = shards[at]
        if now < shard.back:
            heapq.heappush(events, (shard.back, order, "work", at))
            continue
        able = STEP / per_page
        hosts = world.willing * world.hosts_factor * max(done, 1.0) ** world.hosts_power
        fetched = min(able, max(hosts / count * shard.share, 1.0) * STEP)
        shard.pages += fetched
        shard.links += fetched * world.new_links
        shard.starved += STEP * (1 - fetched / able)
        done += fetched
        heapq.heappush(events, (now + STEP, order, "work", at))
    return _outcome(shards, now, machines, costs, world)


def _recovery(shard: Shard, costs: Costs, world: World) -> float:
    """Seconds until a shard goes on elsewhere: its state fetched with those of its neighbours, its tail replayed."""
    state = min(shard.links, world.hot_links) * costs.link_bytes
    return state * world.shards_each / world.network + min(shard.pages, world.tail) * costs.page


def _outcome(shards: list[Shard], seconds: float, machines: int, costs: Costs, world: World) -> Outcome:
    count = len(shards)
    rate = sum(shard.pages for shard in shards) / seconds
    largest = max(shards, key=lambda shard: shard.links)
    hot = min(largest.links, world.hot_links)
    starved = sum(shard.starved for shard in shards) / (count * seconds)
    sent = rate / machines * (world.letters * costs.letter_bytes * (1 - 1 / machines) + world.page_bytes)
    needs = {
        "memory, all links": largest.links * costs.link_bytes * world.shards_each / world.memory,
        "memory, links spilled": hot * costs.link_bytes * world.shards_each / world.memory,
        "recovery, full replay": largest.pages * costs.page / world.patience,
        "recovery, snapshots": _recovery(largest, costs, world) / world.patience,
        "hosts": 1 / max(1e-9, 1 - starved),
        "calls, shard to shard": count * costs.call,
        "calls, by postmen": machines * costs.call,
        "PostgreSQL": count * world.writes / costs.lease_writes,
        "network": sent / world.network,
    }
    return Outcome(rate, seconds / 3600, needs)


def _shares(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    """How unequal shards are: a million sites hashed over them; each site gives one request a second."""
    sites = np.bincount(rng.integers(0, count, 1_000_000), minlength=count)
    shares: npt.NDArray[np.float64] = sites / sites.mean()
    return shares


def picture(outcomes: Mapping[int, Outcome], title: str) -> str:
    """Need by supply against machines, both logarithmic, with a line where a resource breaks."""
    low, high, width, height = -3, 2, 760, 420
    names = list(next(iter(outcomes.values())).needs)
    plot = Plot(width, height, across=len(outcomes) - 1, up=high - low, right=label_width(names, width))
    for power in range(low, high + 1):
        level = plot.y(power - low)
        plot.mark(f'<path class="grid" d="M{LEFT} {level:.1f}H{width - plot.right:g}"/>')
        plot.text(LEFT - 8, level + 4, spoken(10.0**power), "tick", anchor="end")
    for at, machines in enumerate(outcomes):
        plot.text(plot.x(at), plot.y(0) + 19, spoken(machines), "tick")
    plot.text(plot.x((len(outcomes) - 1) / 2), height - 4, "machines; above 1 it breaks", "label")
    plot.line("axis", [(0, -low), (len(outcomes) - 1, -low)])
    ends = list[tuple[float, str, int]]()
    for number, name in enumerate(names):
        heights = [
            min(high, max(low, math.log10(max(each.needs[name], 1e-9)))) - low for each in outcomes.values()
        ]
        plot.line(f"line {style_classes(number)}", list(enumerate(heights)))
        ends.append((plot.y(heights[-1]), name, number))
    below = 0.0
    for level, name, number in sorted(ends):
        below = max(level, below + 14)
        plot.text(width - plot.right + 8, below + 4, name, f"name {style_classes(number)}", anchor="start")
    return plot.svg(title, "Need divided by supply of each resource as machines are added.")


def main() -> None:
    """Print a table for each strategy; with a folder, draw it."""
    world = World()
    for strategy, costs in STRATEGIES.items():
        outcomes = {machines: simulated(machines, costs, world) for machines in MACHINES}
        print(f"{strategy}: need / supply")
        print("| machines | " + " | ".join(map(str, MACHINES)) + " |")
        print("|---|" + "--:|" * len(MACHINES))
        print(
            "| pages a second | "
            + " | ".join(f"{each.pages_per_second:,.0f}" for each in outcomes.values())
            + " |"
        )
        print("| hours | " + " | ".join(f"{each.hours:.1f}" for each in outcomes.values()) + " |")
        for name in outcomes[1].needs:
            print(f"| {name} | " + " | ".join(f"{each.needs[name]:.2g}" for each in outcomes.values()) + " |")
        if len(sys.argv) > 1:
            write_plot(
                Path(sys.argv[1]),
                f"cluster-{strategy}",
                picture(outcomes, f"What breaks first, {strategy}"),
            )


if __name__ == "__main__":
    main()
