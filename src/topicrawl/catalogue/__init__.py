"""The catalogue of a run: an inverted index, a knowledge base, and a model learned from its items.

    log ─► LearnedRun (a learner trained on the log) ─► state.kb
     └───► items and links ─► index/ (tantivy) · triples/ (an RDF store)

All of it is a cache of the log. Each part stores the last visit it contains and catches up when it is opened. It may
be deleted at any time, and after a kill the next process repairs it.
"""
