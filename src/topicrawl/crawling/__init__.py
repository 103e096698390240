"""One crawl: the pure core, the loop that drives it, outages, sessions, and the life of a run from begin to finish."""
