"""The settings of the judge `llm`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from topicrawl.errors import ConfigError


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Where the model is, and how much it may be asked."""

    url: str = ""
    model: str = ""
    share: float = 0.1
    calls: int = 1000
    tokens: int = 1_000_000
    batch: int = 4
    timeout: float = 60.0
    """Seconds."""
    key: str = ""
    """The secret itself, for `Authorization`; empty: none is sent."""

    def check(self) -> None:
        """`ConfigError` if no call can be made."""
        if not self.url:
            raise ConfigError(
                "--judge llm: no server; name an OpenAI-compatible one: --llm-url http://127.0.0.1:8080/v1"
            )
        try:
            parts = urlsplit(self.url)
            is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
        except ValueError:
            is_usable = False
        if not is_usable:
            raise ConfigError(f"--llm-url {self.url!r} is no address such as http://127.0.0.1:8080/v1")
        if not self.model:
            raise ConfigError("--judge llm: no model; name one that the server has: --llm-model NAME")
