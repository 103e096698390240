"""Benchmarks of speed and memory: `python -m bench`. They print ratios; they assert counts, never times.

`python -m bench.NAME --help` prints what one measures and takes: its options, or else the text at its head, and whether
it takes no arguments or is not run by itself.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path


def _print_help() -> None:
    """Print the text at the head of the module that is run, unless it reads its options with argparse."""
    name = sys.orig_argv[sys.orig_argv.index("-m") + 1].removeprefix("bench.")
    path = Path(__file__).with_name(f"{name}.py")
    if path.exists() and "argparse" not in (source := path.read_text(encoding="utf-8")):
        print(f"python -m bench.{name}\n\n{ast.get_docstring(ast.parse(source))}")
        if "__main__" not in source:
            print("\nIt is a part of other benches, and not run by itself.")
        elif "sys.argv" not in source:
            print("\nIt takes no arguments.")
        sys.exit()


if sys.argv[0] == "-m" and {"-h", "--help"}.intersection(sys.argv[1:]):  # a package is read before its module
    _print_help()
