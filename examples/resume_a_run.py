"""A crawl that is kept in a folder, left early, and resumed: `python examples/resume_a_run.py`."""

import tempfile
from pathlib import Path

import topicrawl
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:7", "rainstorm disaster"


def main(folder: Path) -> None:
    invented = invented_web(WEB)
    crawl = topicrawl.crawl_sync(
        topic=invented.topic_spec(TOPIC), seeds=invented.seeds(TOPIC, 5), web=WEB, pages=40, out=folder
    )
    for visit in crawl:
        if visit.n == 15:
            break
    crawl.close()  # ends the crawl and keeps the run
    more = list(topicrawl.crawl_sync(out=folder))  # topic, seeds and the rest are in the folder
    print(f"{len(more)} visits more, the last {more[-1].url}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(place) / "run")
