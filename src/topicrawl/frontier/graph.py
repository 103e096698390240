"""The link graph as it grows: pages (by link number) and the links they contain, in compressed rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Columns


class Graph:
    """Edges page → link in the order the pages were told; 4 bytes an edge and 12 a page."""

    def __init__(self) -> None:
        self._edges = Columns(target=(np.int32, -1))
        self._pages = Columns(page=(np.int32, -1), end=(np.int32, 0), out_degree=(np.int32, 0))
        self._row: dict[int, int] = {}

    def add(self, page: int, targets: npt.NDArray[np.int64], out_degree: int) -> None:
        """A page told with the known links it contains; `out_degree` also counts the links out of scope."""
        first = self._edges.grow(len(targets))
        self._edges["target"][first:] = targets
        row = self._pages.grow(1)
        self._pages["page"][row] = page
        self._pages["end"][row] = self._edges.size
        self._pages["out_degree"][row] = out_degree
        self._row[page] = row

    def targets(self, page: int) -> npt.NDArray[np.int32]:
        """The known links a told page contains, in document order."""
        row = self._row.get(page)
        if row is None:
            return np.empty(0, np.int32)
        end = self._pages["end"]
        return self._edges["target"][int(end[row - 1]) if row else 0 : int(end[row])]

    def edges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """All edges as (source, target) columns."""
        end = self._pages["end"]
        lengths = np.diff(end, prepend=0)
        return np.repeat(self._pages["page"], lengths), self._edges["target"]

    def out_degree(self, page: int) -> int:
        """How many different links a told page contains, those out of scope included."""
        row = self._row.get(page)
        return 0 if row is None else int(self._pages["out_degree"][row])
