"""The dashboard: a web server on this machine that shows runs and passes on what a person says about them.

It is a process of its own. It reads runs and never writes to their log; what it needs besides is in `ui/` of a run,
which may be deleted at any time. What a person says goes through door.py.

    guard      who may ask: host names, token, cross-site requests, the headers of every answer
    index      ui/index.db: the visits of a run by relevance, host, language, mark; search
    query      a page of the table of visits, by key
    opened     a run that somebody looks at: its index, kept up to date
    division   a crawl in shards that somebody looks at: the visits of all its shards
    door       what a person says, and what lives in the memory of a crawl
    views/     what is shown
    server     binds, prints the address, serves
"""
