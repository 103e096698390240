"""How much a crawl may fetch, and when that is used up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topicrawl.crawling.core import Tally
from topicrawl.report.stop_rules import LIMITS
from topicrawl.setup.config import Config


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a crawl. Time counts from the start of the session, the others over the whole run."""

    limits: Mapping[str, int] = field(default_factory=dict)
    """Keyed by the reasons of report/stop_rules.py; an absent key means no limit."""
    seconds: float | None = None

    @classmethod
    def of(cls, config: Config) -> Budget:
        """The budget that a configuration sets."""
        values = {limit.reason: getattr(config, limit.setting) for limit in LIMITS}
        given = {reason: value for reason, value in values.items() if value is not None}
        return cls(given, config.max_time)

    def changed(self, settings: Mapping[str, Any]) -> Budget:
        """This budget with the limits that `settings` name anew."""
        limits = dict(self.limits)
        for limit in LIMITS:
            if limit.setting in settings:
                limits.pop(limit.reason, None)
                if settings[limit.setting] is not None:
                    limits[limit.reason] = settings[limit.setting]
        return Budget(limits, settings.get("max_time", self.seconds))

    def spent(self, tally: Tally) -> str | None:
        """The reason to stop, if a limit is reached."""
        for limit in LIMITS:
            if limit.reason in self.limits and getattr(tally, limit.tally) >= self.limits[limit.reason]:
                return limit.reason
        return None
