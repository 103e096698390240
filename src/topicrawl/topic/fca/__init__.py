"""Formal concept analysis: which terms stand together in which documents, and the order that follows.

    Context ─► term_hierarchy        edges of an ontology; cheap, from attribute concepts alone
       └────► enumerate_concepts ─► lattice (with covers) ─► hasse (SVG)

Sets are Python integers used as bitsets: bit i of an extent is document i, bit j of an intent is term j.
"""
