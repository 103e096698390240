"""What a crawl learns of the items it finds: terms, labels above them, rules that classify, and a context graph.

    text ─► terms ─► items (features) ─► co-occurrence ─► labels · hierarchy · rules ─► classification
                                             ▲                     │
                                             └──── maintenance ◄───┘        items + links ─► layers ─► scores

Paper: SemXDM (Hassan, Cruz and Bertaux 2017) around the classifier Semantic HMC and its adaptive maintenance. An item
is any document with text. Everything in this package is pure: its state follows from its input, in order.
"""
