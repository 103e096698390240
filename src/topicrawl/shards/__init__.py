"""A crawl in shards: whole crawls, each for its own sites, that send letters to each other.

route         which shard crawls which site
shard         one crawl as a shard: offers its best links, takes grants and letters
coordinator   how many links each shard may ask for, and down to which priority; when the crawl ends
teacher       judge and regressions of scout, fitted to the pages of all shards
lockstep      all shards in one process, one turn after the other: for tests and experiments
"""
