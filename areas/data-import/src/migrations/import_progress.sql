-- How far a file of records has been loaded. The row changes in the transaction that stores a batch, so
-- that it is always true, and a load that was cut off goes on behind it.
CREATE TABLE {schema}.import_progress (
  job_id uuid PRIMARY KEY,
  -- Of the file's content and of what was to be made of it.
  fingerprint text NOT NULL,
  file_name text NOT NULL,
  position bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  updated bigint NOT NULL DEFAULT 0,
  matched bigint NOT NULL DEFAULT 0,
  holdings bigint NOT NULL DEFAULT 0,
  items bigint NOT NULL DEFAULT 0,
  problems bigint NOT NULL DEFAULT 0,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);
CREATE INDEX import_progress_fingerprint ON {schema}.import_progress (fingerprint, started_at);

-- The records of a load that were set aside.
CREATE TABLE {schema}.import_problem (
  job_id uuid NOT NULL REFERENCES {schema}.import_progress ON DELETE CASCADE,
  position bigint NOT NULL,
  byte_offset bigint NOT NULL,
  control_number text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (job_id, position)
);
