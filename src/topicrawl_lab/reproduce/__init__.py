"""The experiment of a paper on an invented web: tables and figures with ours beside theirs, tests of its claims.

Each paper is a module of data: set-up, crawlers, published numbers, claims. `run` runs it, `claims` tests the claims,
`page` writes the report.
"""
