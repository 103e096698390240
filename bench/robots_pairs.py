"""Compares robots.txt rules with protego's: `python -m bench.robots_pairs [PAIRS]` (default 200,000, a few minutes).

Counts the pairs of a robots.txt and a URL on which the two differ, by reason; see tests/conformance/robots_pairs.py.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from conformance.robots_pairs import WAYS, pairs, reference

PAIRS = 200_000


def main() -> None:
    """Compare and print the count of each class of difference."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    allowed = against_rfc = 0
    classes: Counter[str] = Counter()
    for pair in pairs(number, seed=9309):
        ours = pair.ours()
        allowed += ours
        if ours != reference(pair.file, pair.url):
            against_rfc += 1
            print("against RFC 9309:", pair)
        if ours != pair.protegos():
            why = pair.why()
            classes[" + ".join(why) if why else "unexplained"] += 1
            if not why:
                print("unexplained:", pair)
    print(f"{number:,} pairs, {allowed:,} allowed, {against_rfc:,} against RFC 9309")
    print(f"{classes.total():,} differ from protego")
    for name, count in classes.most_common():
        print(f"{count:8,}  {name}")
    for way, reason in WAYS.items():
        print(f"{way}: RFC 9309, {reason}")


if __name__ == "__main__":
    main()
