"""Formal concept analysis: the order of terms that follows from the documents they occur in.

    Context ─► term_hierarchy        edges of an ontology; cheap, from attribute concepts alone
       └────► enumerate_concepts ─► lattice (with covers) ─► hasse (SVG)

Sets are Python integers used as bitsets: bit i of an extent is document i, bit j of an intent is term j.
"""
