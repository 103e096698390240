"""What a run found, to be asked: an inverted index, a knowledge base, and what was learned of its items.

    log ─► LearnedRun (a learner told what the strategy was told) ─► state.kb
     └───► items and links ─► index/ (tantivy) · triples/ (an RDF store)

All of it is a cache of the log. Each part knows the last visit it contains and catches up when it is opened; it may be
deleted at any time, and a process killed at any moment leaves nothing that the next one does not mend.
"""
