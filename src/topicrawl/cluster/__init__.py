"""A crawl on many machines: shards on Ray, who holds which shard in PostgreSQL, their files in a common store.

    database    the connection to PostgreSQL and its schema, by numbered migrations
    leases      who holds a shard, and until when; an epoch fences off whoever held it before
    manifest    which pieces of a shard's log and which snapshots are in the store
    store       a folder or an object store: files put there whole
    pieces      a run directory in the store: written bit by bit, and brought back to an empty folder
    holder      one shard on this node: lease, process, pieces
    turns       the reports of all shards, and the orders that answer them
    mail        letters on their way
    actors      all of it as actors of Ray, and nothing else
    node        the processes of Ray on this machine
    control     submit, status, stop, resume
    remarks     what all parts say, in one place
    fetch       a crawl from the store as a run directory

Needs the extra: pip install 'topicrawl[cluster]'.
"""
