"""A crawl that goes on: turns in which known pages are fetched anew, what they show, and who is told.

clock ─► turn (crawling/revisits.py chooses) ─► noticed ─► log ─► feed.atom, a command or an address that is told
"""
