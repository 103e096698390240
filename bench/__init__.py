"""Benchmarks of speed and memory: `python -m bench`. They print ratios; they assert counts, never times."""
