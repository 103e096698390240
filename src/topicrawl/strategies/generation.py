"""The history of a web space evolution, for report and `why`: its generations, and what became of each link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from topicrawl.frontier import Frontier, Ids
from topicrawl.strategies.seed_bank import DOMINATED, DOMINATES, FARTHER, NEITHER, Trial

NEVER = -1
FRONTS_KEPT = 5


@dataclass
class Generation:
    """The figures of one generation, for the report."""

    number: int
    radius: float
    hosts: dict[str, int]
    """Seeds by host when it began."""
    restarted: bool = False
    """Whether its seeds replaced the whole bank because the seeds before had no links left."""
    downloads: int = 0
    fronts: list[int] = field(default_factory=list)
    """How many links were in each front when it ended."""
    cases: dict[str, int] = field(default_factory=dict)
    """Test links by their relation to the nearest seed."""
    replaced: int = 0
    """Seeds that were replaced."""

    def summary(self) -> dict[str, Any]:
        """As in summary.json: of the fronts only the first few."""
        kept = asdict(self)
        return kept | {
            "fronts": self.fronts[:FRONTS_KEPT],
            "front_count": len(self.fronts),
            "sorted": sum(self.fronts),
        }


class Ledger:
    """Generations in order, the last one in progress; columns `judged` and `front`: when a link was last sorted."""

    def __init__(self, frontier: Frontier) -> None:
        self.generations: list[Generation] = []
        self._trials: dict[int, tuple[int, Trial]] = {}
        self._joined: dict[int, int] = {}
        frontier.columns.add("judged", np.int16, NEVER)
        frontier.columns.add("front", np.int16, NEVER)

    def open(
        self, frontier: Frontier, seeds: Sequence[int], radius: float, *, restarted: bool = False
    ) -> None:
        """Begin a generation; it replaces the last one if that fetched nothing."""
        if self.generations and not self.generations[-1].downloads:
            self.generations.pop()
        hosts = Counter(frontier.hosts.names[host] for host in frontier.columns["host"][seeds].tolist())
        number = self.generations[-1].number + 1 if self.generations else 1
        self.generations.append(Generation(number, radius, dict(hosts), restarted))

    def sorted(self, frontier: Frontier, links: Ids, fronts: Ids, downloads: int) -> None:
        """Record the fronts of all unmarked links after a generation of so many downloads."""
        now = self.generations[-1]
        now.downloads = downloads
        now.fronts = np.bincount(fronts).tolist()
        self._place(frontier, links, fronts)

    def tried(self, joined: Ids, trials: Mapping[int, Trial]) -> None:
        """Record links that joined the bank, and trials of others."""
        now = self.generations[-1]
        now.cases = dict(Counter(trial.case for trial in trials.values()))
        now.replaced = sum(trial.replaced is not None for trial in trials.values())
        self._trials |= {link: (now.number, trial) for link, trial in trials.items()}
        self._joined |= dict.fromkeys(joined.tolist(), now.number)

    def restarted(self, frontier: Frontier, links: Ids, fronts: Ids, seeds: Sequence[int]) -> None:
        """Record that the whole bank was replaced."""
        self._place(frontier, links, fronts)
        self.open(frontier, seeds, self.generations[-1].radius, restarted=True)
        self._joined |= dict.fromkeys(seeds, self.generations[-1].number)

    def facts(self, frontier: Frontier, link: int) -> dict[str, float]:
        """Generation, front (from 1) and distance, where they are known."""
        if (judged := int(frontier.columns["judged"][link])) == NEVER:
            return {}
        facts = {"generation": float(judged), "front": float(frontier.columns["front"][link] + 1)}
        if link in self._trials:
            facts["distance to nearest seed"] = float(self._trials[link][1].distance)
        return facts

    def story(self, frontier: Frontier, link: int, seeds: Sequence[int]) -> list[str]:
        """What became of a link, one sentence an event; none for a link that was never fetched."""
        judged = int(frontier.columns["judged"][link])
        events = []
        if judged != NEVER:
            events.append(f"generation {judged}: front {frontier.columns['front'][link] + 1}")
        if link in self._joined:
            events.append(f"generation {self._joined[link]}: taken into the bank of seeds without a contest")
        elif link in self._trials:
            events.append(_outcome(frontier, *self._trials[link]))
        elif judged != NEVER:
            events.append("not among the test links so far: other fronts or other anchors were better")
        if link in seeds:
            events.append("it is a seed now")
        elif link in self._joined or (link in self._trials and self._trials[link][1].replaced is not None):
            events.append("it is no seed any more")
        return events

    def _place(self, frontier: Frontier, links: Ids, fronts: Ids) -> None:
        frontier.columns["judged"][links] = self.generations[-1].number
        frontier.columns["front"][links] = fronts


_COMPARED = {
    FARTHER: "outside its circle",
    DOMINATES: "better than it",
    DOMINATED: "worse than it",
    NEITHER: "neither better nor worse",
}


def _outcome(frontier: Frontier, generation: int, trial: Trial) -> str:
    near = frontier.urls[trial.nearest]
    where = f"{trial.distance} from the nearest seed {near}, radius {trial.radius:g}: {_COMPARED[trial.case]}"
    if trial.replaced is None:
        result = "lost by chance" if trial.case == NEITHER else "lost"
    elif trial.case == FARTHER:
        result = f"won the place of {frontier.urls[trial.replaced]}, of the last front"
    else:
        result = "won its place" + ("" if trial.case == DOMINATES else " by chance")
    return f"generation {generation}: {where}; {result}"
