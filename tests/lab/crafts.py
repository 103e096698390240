"""What workers of the tests can do; here, because worker processes import it."""

from __future__ import annotations


class Divide:
    """12 by a number."""

    def __call__(self, job: int) -> float:
        return 12 / job

    def close(self) -> None:
        """Nothing."""
