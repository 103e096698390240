"""Warnings that the library logs, passed to a command."""

from __future__ import annotations

import logging
from collections.abc import Callable


def send_warnings_to(remark: Callable[[str], None]) -> None:
    """Pass warnings that the library logs to `remark`, until the next call names another receiver."""
    logging.getLogger("topicrawl").handlers = [_WarningHandler(remark)]


class _WarningHandler(logging.Handler):
    def __init__(self, remark: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._remark = remark

    def emit(self, record: logging.LogRecord) -> None:
        self._remark(record.getMessage())
