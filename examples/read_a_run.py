"""What a run found, read from its folder: `python examples/read_a_run.py`."""

import tempfile
from collections import Counter
from pathlib import Path

import topicrawl
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:7", "rainstorm disaster"


def main(folder: Path) -> None:
    invented = invented_web(WEB)
    for _ in topicrawl.crawl_sync(
        topic=invented.topic_spec(TOPIC), seeds=invented.seeds(TOPIC, 5), web=WEB, pages=60, out=folder
    ):
        pass
    with topicrawl.Run(folder) as run:
        rows = [visit.asdict() for visit in run.visits()]  # pandas.DataFrame(rows) is a table of them
        print(f"{len(rows)} visits with {', '.join(list(rows[0])[:5])} …")
        linked = Counter(link.url for link in run.links())
        print(f"linked most: {linked.most_common(1)[0]}")
        for hit in run.search("flood", limit=3):
            print(f"{hit.score:.2f}  {hit.found.url}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(place) / "run")
