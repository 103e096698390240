"""The figures of a running crawl as Prometheus reads them: its text format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PREFIX = "topicrawl_"
COUNTER, GAUGE = "counter", "gauge"


class Figures(msgspec.Struct, frozen=True):
    """What is told of a crawl, or of a shard of one. All but the speed are absolute."""

    pages: int
    relevant: int
    failed: int
    bytes: int
    waiting: int
    in_flight: int
    pages_per_second: float


METRICS = {
    "pages": ("pages_total", COUNTER, "Visits that brought a page."),
    "relevant": (
        "relevant_pages",
        GAUGE,
        "Pages that count as relevant; a mark or a new judgement may lower it.",
    ),
    "failed": ("failed_visits_total", COUNTER, "Visits without a page."),
    "bytes": ("received_bytes_total", COUNTER, "Bytes of the answers."),
    "waiting": ("waiting_links", GAUGE, "Links that are known and not asked."),
    "in_flight": ("in_flight_links", GAUGE, "Links that were asked and not answered."),
    "pages_per_second": ("pages_per_second", GAUGE, "Pages of the last seconds, for each second."),
}
"""By field of `Figures`: name, type and help of the metric."""


def exposition(told: Sequence[tuple[Mapping[str, str], Figures]]) -> str:
    """The text of an answer. Each of `told` has its own labels, such as the shard."""
    lines: list[str] = []
    for field, (name, kind, meaning) in METRICS.items():
        rows = ((labels, getattr(figures, field)) for labels, figures in told)
        lines += family(name, kind, meaning, rows)
    return "".join(f"{line}\n" for line in lines)


def exposition_of_shards(
    each: Mapping[str, Figures], alive: int, letters: int, labels: Mapping[str, str] | None = None
) -> str:
    """The text of a crawl in shards: the figures of each by its name, shards alive, letters on their way."""
    crawl = dict(labels or {})
    lines = [
        *family("shards_alive", GAUGE, "Shards that run.", [(crawl, alive)]),
        *family("letters_waiting", GAUGE, "Letters that were sent and not taken.", [(crawl, letters)]),
    ]
    told = [({**crawl, "shard": name}, figures) for name, figures in each.items()]
    return exposition(told) + "".join(f"{line}\n" for line in lines)


def family(name: str, kind: str, meaning: str, rows: Iterable[tuple[Mapping[str, str], float]]) -> list[str]:
    """The lines of one metric: help, type, and a line for each set of labels."""
    lines = [f"# HELP {PREFIX}{name} {meaning}", f"# TYPE {PREFIX}{name} {kind}"]
    for labels, value in rows:
        pairs = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        lines.append(f"{PREFIX}{name}{f'{{{pairs}}}' if pairs else ''} {value}")
    return lines


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
