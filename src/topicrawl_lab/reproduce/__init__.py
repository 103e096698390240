"""A paper's own experiment on an invented web, its tables and figures redrawn, ours beside theirs, its claims judged.

Each paper is one file of data: set-up, crawlers, published numbers, claims. `experiment` runs it, `judgement` weighs
the claims, `page` writes what came of it.
"""
