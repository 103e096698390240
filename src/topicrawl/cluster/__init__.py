"""A crawl on many machines: shards on Ray, who holds which shard in PostgreSQL, their files in a common store.

    database    the connection to PostgreSQL and its schema, by numbered migrations
    leases      who holds a shard, and until when; an epoch fences off whoever held it before
    manifest    which pieces of a shard's log, snapshots and models are in the store
    store       a folder or an object store: files put there whole
    pieces      a run directory in the store: written bit by bit, and brought back to an empty folder

Needs the extra: pip install 'topicrawl[cluster]'.
"""
