"""Topic: its terms, its examples, and the words that were learned to lead to relevant pages or away from them."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.crawling.live_state import live_state
from topicrawl.dashboard import door
from topicrawl.dashboard.rendering import markup
from topicrawl.dashboard.views.frame import fragment, opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.model import Topic
from topicrawl.report.tables import terms
from topicrawl.store import wishes
from topicrawl.store.wishes import Example

MOST_EXAMPLES = 100


def show(request: Request) -> Response:
    """The page; what was learned follows."""
    run = opened(request)
    config = run.config()
    assert isinstance(config.topic, Topic)
    return show_page(
        request,
        "topic.html",
        "topic",
        run,
        name=run.name,
        topic=config.topic,
        terms=markup(terms(config.topic)),
        judge=config.judge,
        strategy=config.strategy,
        examples=config.topic.examples[:MOST_EXAMPLES],
        unwanted=config.topic.unwanted[:MOST_EXAMPLES],
        waiting=[each.body.url for each in wishes.waiting(run.path) if isinstance(each.body, Example)],
    )


def learned(request: Request) -> Response:
    """The words that were learned: a running crawl tells them, else they are read from its state."""
    run = opened(request)
    told = door.told_by(run.path) if run.writer else None
    if told is None:
        with run.present.crawl(seconds=run.present.PATIENCE) as (crawl, _):
            told = live_state(crawl)
    strongest = max((abs(word.weight) for word in (*told.toward, *told.away)), default=1.0)
    return fragment("learned.html", told=told, strongest=strongest)
