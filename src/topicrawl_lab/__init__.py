"""The laboratory: compares strategies, reproduces published experiments, serves a hostile web (extra `lab`)."""
