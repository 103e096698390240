"""The recorded web `uci_ics` from 30 random seeds, breadth-first, until no link is left: number of pages and time."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from bench.process import topicrawl
from topicrawl.web.recorded import RecordedWeb

SEEDS = 30
ROOT = Path(__file__).resolve().parents[1]
WEBS = Path(os.environ.get("TOPICRAWL_WEBS") or ROOT.parent / "shared" / "webs")


def main() -> None:
    """Crawl it twice: the first crawl parses every page, the second reads them from the cache."""
    warc = WEBS / "uci_ics.warc.gz"
    if not warc.exists():
        print(f"skipped: there is no {warc.name} in the folder $TOPICRAWL_WEBS")
        return
    pages = sorted(url for url, answer in RecordedWeb(warc).answers.items() if answer.status == 200)
    with tempfile.TemporaryDirectory() as folder:
        seeds = Path(folder) / "seeds.txt"
        seeds.write_text("\n".join(random.Random(0).sample(pages, SEEDS)))
        for name in ("first", "again"):
            run = Path(folder) / name
            cost = topicrawl(
                *(
                    "crawl",
                    "--quiet",
                    "--web",
                    str(warc),
                    "--strategy",
                    "bfs",
                    "--topic",
                    "university: research",
                ),
                *("--seeds", str(seeds), "--pages", "1000000", "--out", str(run)),
            )
            visits = (run / "visits.jsonl").read_text().splitlines()
            fetched = sum('"fetched":true' in visit for visit in visits)
            print(
                f"{name}: {fetched} pages of {len(pages)} ({len(visits)} fetches) in {cost.wall:.1f} s, "
                f"{cost.cpu:.1f} CPU-seconds",
                flush=True,
            )


if __name__ == "__main__":
    main()
