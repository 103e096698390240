"""Handlers for tests of the process pool, in a module that worker processes can import."""

from __future__ import annotations


class Divide:
    """Divides 12 by the job."""

    def __call__(self, job: int) -> float:
        return 12 / job

    def close(self) -> None:
        """Nothing to close."""
