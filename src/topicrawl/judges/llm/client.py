"""One call of a server that speaks the protocol of OpenAI: POST URL/chat/completions."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any, NamedTuple

from topicrawl.errors import JudgeError
from topicrawl.judges.llm.settings import LlmSettings

TRIES = 3
PAUSE = 0.5
"""Seconds before the second try; twice as long before the third."""
LARGEST = 1 << 20
"""Bytes of an answer that are read."""
BUSY = frozenset({408, 429, 500, 502, 503, 504})


class Reply(NamedTuple):
    """What a server answered."""

    content: str
    tokens: int | None
    """As the server counts them; None where it does not say."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """Calls the server of some settings."""

    def __init__(self, settings: LlmSettings) -> None:
        self._settings = settings
        self._url = settings.url.rstrip("/") + "/chat/completions"
        self._open = urllib.request.build_opener(_NoRedirects).open

    def call(self, body: dict[str, Any]) -> Reply:
        """The reply to a call; `JudgeError` if there is none after some tries."""
        data, why = json.dumps(body).encode(), ""
        for attempt in range(TRIES):
            if attempt:
                time.sleep(PAUSE * 2 ** (attempt - 1))
            try:
                return self._once(data)
            except urllib.error.HTTPError as error:
                why = f"HTTP {error.code}: {self._without_key(_said(error))!r}"
                if error.code not in BUSY:
                    break
            except (
                OSError,
                HTTPException,
                ValueError,
                RecursionError,
            ) as error:  # nothing, torn, or no answer
                why = self._without_key(str(getattr(error, "reason", None) or error or type(error).__name__))
        raise JudgeError(
            f"the language model at {self._settings.url} does not answer ({why}); see to it, then resume"
        )

    def _without_key(self, text: str) -> str:
        """Some servers repeat the key that they refuse."""
        return text.replace(self._settings.key, "(key)") if self._settings.key else text

    def _once(self, data: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._settings.key:
            headers["Authorization"] = f"Bearer {self._settings.key}"
        asked = urllib.request.Request(self._url, data, headers)  # noqa: S310 - http or https, see settings.py
        with self._open(asked, timeout=self._settings.timeout) as answer:
            return _reply(answer.read(LARGEST))


def _said(error: urllib.error.HTTPError) -> str:
    """The beginning of what a server says of a failure, as far as it arrived."""
    try:
        return error.read(300).decode(errors="replace").strip()
    except (OSError, HTTPException):
        return ""


def _reply(data: bytes) -> Reply:
    """The reply in a body; `ValueError` if it is none."""
    found = json.loads(data)
    try:
        content = found["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        raise ValueError(f"no answer in {data[:200]!r}") from None
    usage = found.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else None
    is_count = isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0
    return Reply(content if isinstance(content, str) else "", tokens if is_count else None)
