"""Charts of a web space evolution for the report: radius, hosts of the seeds, sizes of fronts.

Pure functions from what the strategy reports about its generations (`summary.json`, key `evolution`) to HTML.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from topicrawl.report.svg import LEFT, Plot, counting, spoken
from topicrawl.report.tables import amount, safe
from topicrawl.safe_text import xml_escaped

HOSTS_SHOWN = 5
FRONTS_SHOWN = 5
SLOT = 7
"""Pixels that a generation needs; with less space only some are drawn."""
RADIUS = (
    "A test link within the radius of its nearest seed competes with that seed. One beyond it wins a place at once: "
    "a dot stands where there was such a link."
)
FRONTS = "The first five fronts of the links fetched, the first at the bottom. Up to the dashed line they are taken"
Generations = Sequence[dict[str, Any]]


def evolution_panel(generations: Generations, both: Callable[..., str], width: int) -> str:
    """A section of the report; `both` draws a chart for wide screens, `width` pixels wide, and for phones."""
    shown = [each for each in generations if each["downloads"]]
    if not shown:
        return ""
    replaced, restarts = sum(each["replaced"] for each in shown), sum(each["restarted"] for each in shown)
    lead = f"{amount(len(shown), 'generation')}; seeds gave way {amount(replaced, 'time')}" + (
        f", and {amount(restarts, 'time')} all at once because they had no links left." if restarts else "."
    )
    charts = [
        ("Radius", RADIUS, both(partial(radius_chart, shown), width, 200, 190)),
        (
            "Hosts of the seeds",
            _legend(_largest_hosts(shown)),
            both(partial(host_chart, shown), width, 230, 220),
        ),
        ("Fronts", f"{FRONTS}: {_taken(shown)}.", both(partial(front_chart, shown), width, 230, 220)),
    ]
    drawn = "\n".join(
        f'<h3>{name}</h3>\n<p class="about">{about}</p>\n{chart}' for name, about, chart in charts
    )
    return f'<section class="panel">\n<h2>How the seeds evolved</h2>\n<p class="about">{lead}</p>\n{drawn}\n</section>'


def radius_chart(generations: Generations, width: int, height: int) -> str:
    """The radius on a logarithmic scale; a dot where a test link was outside the radius."""
    doublings = [math.log2(max(each["radius"], 1e-9)) for each in generations]
    lowest = min(0.0, math.floor(min(doublings)))
    plot = _sheet(generations, width, height, max(max(doublings) - lowest, 1.0))
    for value in counting(max(doublings) - lowest, 4):
        plot.mark(f'<path class="grid" d="M{LEFT} {plot.y(value):.1f}H{width - plot.right:g}"/>')
        plot.text(LEFT - 8, plot.y(value) + 4, _power(value + lowest), "tick", anchor="end")
    plot.line("curve", [(at + 0.5, value - lowest) for at, value in enumerate(doublings)])
    outside = [at for at, each in enumerate(generations) if each["cases"].get("farther")]
    for at in outside:
        plot.dot(at + 0.5, doublings[at] - lowest)
    last = f"after generation {generations[outside[-1]]['number']}" if outside else "ever"
    return plot.svg(
        "Radius by generation", f"It ends at {generations[-1]['radius']:g}; {last} no link was outside."
    )


def host_chart(generations: Generations, width: int, height: int) -> str:
    """The seeds of each generation by host: those with most seeds over time in colour."""
    shown = _largest_hosts(generations)
    drawn = _thinned(generations, width)
    plot = _sheet(drawn, width, height, max(sum(each["hosts"].values()) for each in drawn) * 1.05)
    plot.upward(counting(max(sum(each["hosts"].values()) for each in drawn), 4))
    for at, each in enumerate(drawn):
        hosts = each["hosts"]
        tip = f"generation {each['number']}: {amount(sum(hosts.values()), 'seed')} on {amount(len(hosts), 'host')}"
        parts = [(f"bar s{number}", hosts.get(name, 0)) for number, name in enumerate(shown)]
        others = sum(count for name, count in hosts.items() if name not in shown)
        _stack(plot, at, [*parts, ("bar", others)], tip)
    first, last = len(generations[0]["hosts"]), len(generations[-1]["hosts"])
    text = f"The first generation had seeds on {first} hosts, the last on {last}."
    return plot.svg("Hosts of the seeds by generation", text)


def front_chart(generations: Generations, width: int, height: int) -> str:
    """The sizes of the first fronts, stacked, and how many links are taken of them."""
    drawn = _thinned(generations, width)
    wanted = _taken(generations)
    high = max(wanted * 1.15, *(sum(each["fronts"][:FRONTS_SHOWN]) * 1.05 for each in drawn))
    plot = _sheet(drawn, width, height, high)
    plot.upward(counting(high, 4))
    for at, each in enumerate(drawn):
        sizes = each["fronts"][:FRONTS_SHOWN]
        links = f"{amount(each['sorted'], 'link')} in {amount(each['front_count'], 'front')}"
        tip = f"generation {each['number']}: {links}, the first of {', '.join(map(spoken, sizes))}"
        _stack(plot, at, [(f"bar good f{number}", size) for number, size in enumerate(sizes)], tip)
    plot.line("threshold", [(0, wanted), (len(drawn), wanted)])
    last = generations[-1]
    return plot.svg(
        "Sizes of fronts by generation",
        f"At the end {spoken(last['sorted'])} links were in {last['front_count']} fronts.",
    )


def _sheet(generations: Generations, width: int, height: int, up: float) -> Plot:
    plot = Plot(width, height, across=len(generations), up=up)
    numbers = [each["number"] for each in generations]
    plot.along([], "generation")
    stride = max(1, math.ceil(len(numbers) * 34 / max(width - 70, 1)))
    for at in range(0, len(numbers), stride):
        plot.text(plot.x(at + 0.5), plot.y(0) + 19, spoken(numbers[at]), "tick")
    return plot


def _stack(plot: Plot, at: int, parts: Sequence[tuple[str, int]], tip: str) -> None:
    """One bar of several parts, the first at the bottom."""
    left, right, below = plot.x(at + 0.08), plot.x(at + 0.92), 0
    for kind, size in parts:
        top, tall = plot.y(below + size), plot.y(below) - plot.y(below + size)
        box = f'x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 1):.1f}" height="{tall:.1f}"'
        plot.mark(f'<rect class="{kind}" {box}><title>{xml_escaped(tip)}</title></rect>' if size else "")
        below += size


def _thinned(generations: Generations, width: int) -> Generations:
    most = max(1, (width - 62) // SLOT)
    stride = math.ceil(len(generations) / most)
    return generations[::stride]


def _largest_hosts(generations: Generations) -> list[str]:
    """The hosts that had most seeds over all generations, most first."""
    seeds: Counter[str] = Counter()
    for each in generations:
        seeds.update(each["hosts"])
    return [name for name, _ in sorted(seeds.items(), key=lambda item: (-item[1], item[0]))[:HOSTS_SHOWN]]


def _taken(generations: Generations) -> int:
    """How many links are chosen for evolution: two for each seed."""
    return 2 * max(sum(map(int, each["hosts"].values())) for each in generations)


def _legend(hosts: Sequence[str]) -> str:
    keys = [*((f"s{number}", safe(name)) for number, name in enumerate(hosts)), ("other", "all other hosts")]
    return " ".join(
        f'<span class="named"><span class="key {kind}"></span>{name}</span>' for kind, name in keys
    )


def _power(doublings: float) -> str:
    """2 to this power, formatted."""
    return spoken(2.0**doublings) if -3 <= doublings <= 13 else f"2^{doublings:g}"
