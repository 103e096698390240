CREATE TABLE crawl (
  id text PRIMARY KEY,
  config text NOT NULL,                -- crawl.toml as it was resolved
  shards integer NOT NULL,
  version text NOT NULL,               -- of topicrawl
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopping', 'ended')),
  reason text NOT NULL DEFAULT '',     -- why it stops or has ended
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
  hosts bigint NOT NULL DEFAULT 0,     -- hosts with pages
  sent bigint NOT NULL DEFAULT 0,      -- letters to other shards
  taken bigint NOT NULL DEFAULT 0,     -- letters from other shards
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

-- Sites that are too large for one shard: each of their hosts follows its own hash. Fixed when the crawl is submitted.
CREATE TABLE route (
  crawl text NOT NULL REFERENCES crawl ON DELETE CASCADE,
  site text NOT NULL,
  PRIMARY KEY (crawl, site)
);

-- What the parts of a crawl say to people.
CREATE TABLE remark (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  crawl text NOT NULL REFERENCES crawl ON DELETE CASCADE,
  time timestamptz NOT NULL DEFAULT clock_timestamp(),
  part text NOT NULL,                  -- a shard, or the coordinator
  sentence text NOT NULL
);
CREATE INDEX ON remark (crawl, time);
