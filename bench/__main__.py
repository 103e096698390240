"""`python -m bench [--only NAME …]`: run the measurements, one after the other."""

from __future__ import annotations

import argparse
import time
from importlib import import_module

BENCHES = {
    "frontier": "a frontier of 1,000,000 links",
    "whole_web": "a recorded web until its frontier is empty",
    "against_scrapy": "the same site by topicrawl and by Scrapy",
    "real_pages": "the recorded encyclopedia by topicrawl and by Scrapy",
    "scale": "15,000 pages of an endless web",
    "strategies": "15,000 pages by every strategy",
    "snapshots": "15,000 pages with and without snapshots, replayed and resumed",
    "queue": "choosing among 1,000 to 100,000 links",
    "fronts": "100,000 links of four objectives sorted into fronts, distances in a graph of 15,000 pages",
    "fca": "the lattice of 150 documents and 70 terms, by topicrawl and by concepts",
    "wordnet": "similarities in WordNet, by topicrawl and by NLTK",
    "texts": "the four texts of links compared with a topic's pages; membranes",
    "knowledge": "maintenance of a classifier; questions to 30,000 items and 1,000,000 triples",
    "topics": "how well topics separate pages, and their cost",
}


def main() -> None:
    """Run the benchmarks and print how long each took."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=BENCHES, default=list(BENCHES), metavar="NAME", help=", ".join(BENCHES)
    )
    for name in parser.parse_args().only:
        print(f"== {name}: {BENCHES[name]}", flush=True)
        began = time.perf_counter()
        import_module(f"bench.{name}").main()
        print(f"   ({time.perf_counter() - began:.0f} s)\n", flush=True)


if __name__ == "__main__":
    main()
