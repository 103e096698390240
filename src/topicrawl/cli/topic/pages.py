"""Pages for commands about topics, from a file or from the web that the flags name."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from topicrawl.errors import TopicError
from topicrawl.setup.config import SETTINGS, Config, settings_of

if TYPE_CHECKING:
    from topicrawl.model import Page
    from topicrawl.web import Web

WEB = [SETTINGS["web"], *settings_of("http")]
"""The settings that apply to fetching pages."""
T = TypeVar("T")


def with_web(given: dict[str, Any], work: Callable[[Web], Coroutine[Any, Any, T]]) -> T:
    """The result of `work` on the web that the flags name; the web is closed afterwards."""
    from topicrawl.web.open import open_web

    async def run() -> T:
        config = Config(**given)
        web = open_web(config.web, http=config.http)
        try:
            return await work(web)
        finally:
            await web.close()

    from asyncio import run as run_loop  # slow to import, and most commands do without it

    return run_loop(run())


def page_at(place: str, given: dict[str, Any]) -> Page:
    """The page in the file, or at the URL, called `place`."""
    from topicrawl.page.read import read
    from topicrawl.setup.topic_documents import fetch_page
    from topicrawl.topic.corpus import PLAIN

    if place.lower().startswith(("http://", "https://")):
        answer = with_web(given, lambda web: fetch_page(place, web))
        if isinstance(answer, str):
            raise TopicError(answer.removesuffix("; skipped") + "; check the address")
        return answer
    try:
        content = Path(place).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TopicError(f"page {place!r}: cannot be read ({reason}); give a file or a URL") from None
    page = read("", content, "text/plain" if place.lower().endswith(PLAIN) else "")
    if page is None:
        raise TopicError(f"page {place!r}: is neither HTML nor text; give a page that is")
    return page
