CREATE TABLE crawl (
  id text PRIMARY KEY,
  config text NOT NULL,                -- crawl.toml as it was resolved
  shards integer NOT NULL,
  version text NOT NULL,               -- of topicrawl
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopped', 'finished')),
  reason text NOT NULL DEFAULT '',     -- why it stopped or finished
  created timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE shard (
  crawl text NOT NULL REFERENCES crawl ON DELETE CASCADE,
  number integer NOT NULL,
  epoch bigint NOT NULL DEFAULT 0,     -- grows with every holder
  holder text NOT NULL DEFAULT '',     -- empty: nobody
  until timestamptz NOT NULL DEFAULT '-infinity',
  granted bigint NOT NULL DEFAULT 0,   -- asks that the coordinator allows in all
  asked bigint NOT NULL DEFAULT 0,
  pages bigint NOT NULL DEFAULT 0,
  relevant bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  waiting bigint NOT NULL DEFAULT 0,   -- links that are known and not asked
  in_flight bigint NOT NULL DEFAULT 0,
  letters bigint NOT NULL DEFAULT 0,   -- letters that wait to be taken by others
  PRIMARY KEY (crawl, number)
);

-- Events first..last of a shard's log are in the file `name` of the store.
CREATE TABLE piece (
  crawl text NOT NULL,
  shard integer NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL CHECK (last >= first),
  epoch bigint NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (crawl, shard, first),
  FOREIGN KEY (crawl, shard) REFERENCES shard ON DELETE CASCADE
);

CREATE TABLE snapshot (
  crawl text NOT NULL,
  shard integer NOT NULL,
  seq bigint NOT NULL,
  epoch bigint NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (crawl, shard, seq),
  FOREIGN KEY (crawl, shard) REFERENCES shard ON DELETE CASCADE
);

CREATE TABLE model (
  crawl text NOT NULL REFERENCES crawl ON DELETE CASCADE,
  version bigint NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (crawl, version)
);

-- Hosts of sites that are too large for one shard; all others follow from a hash.
CREATE TABLE route (
  crawl text NOT NULL REFERENCES crawl ON DELETE CASCADE,
  site text NOT NULL,
  shard integer NOT NULL,
  PRIMARY KEY (crawl, site)
);
