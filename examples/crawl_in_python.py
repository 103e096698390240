"""A crawl in twenty lines, of an invented web, so that it runs anywhere: `python examples/crawl_in_python.py`."""

import asyncio

import topicrawl
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:7", "rainstorm disaster"


async def main() -> None:
    invented = invented_web(WEB)
    found = []
    async for visit in topicrawl.crawl(
        topic=invented.topic_spec(TOPIC), seeds=invented.seeds(TOPIC, 5), strategy="ops", pages=100, web=WEB
    ):
        if visit.fetched and visit.relevance > 0.62:
            found.append(visit)
    for visit in sorted(found, key=lambda visit: -visit.relevance)[:10]:
        print(f"{visit.relevance:.2f}  {visit.title:50.50}  {visit.url}")


if __name__ == "__main__":
    asyncio.run(main())
