"""The Console of Rich that prints clean text; made by terminal.py."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from topicrawl.safe_text import for_terminal


class Terminal(Console):
    """A Console that applies `for_terminal` to all text; Rich's own control codes pass."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of `renderable`, cleaned."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(for_terminal(segment.text), segment.style)
