"""Where to begin: seeds from search engines and from the indexes of archives.

    topic, examples ─► queries ─► endpoint ─► results ─► weighed by the judge ─► spread over hosts ─► seeds

All requests go through `HttpWeb`: guard, politeness and limits hold for an endpoint as for any host.
"""
