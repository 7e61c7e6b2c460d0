-- The numbers that people know jobs by.
CREATE SEQUENCE {schema}.data_export_hrid;
-- What a library has set up, beyond the defaults.
CREATE TABLE {schema}.data_export_configuration (
  key text PRIMARY KEY,
  value text NOT NULL
);
-- Where each unfinished job stands. Whoever does a portion of a job holds its row, so that no two do
-- the same; the portion's bytes and the place it reached are kept in one transaction. Jobs go on by
-- turns.
CREATE TABLE {schema}.data_export_run (
  job uuid PRIMARY KEY,
  turn bigint GENERATED ALWAYS AS IDENTITY,
  request jsonb NOT NULL,
  state jsonb NOT NULL DEFAULT '{}',
  reached bigint NOT NULL DEFAULT -1,
  touched timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX data_export_run_turn ON {schema}.data_export_run (turn);
-- The records of a job in their order.
CREATE TABLE {schema}.data_export_id (
  job uuid NOT NULL,
  place bigint NOT NULL,
  record uuid NOT NULL,
  PRIMARY KEY (job, place)
);
-- Files that were made, in portions, and the links by which they may be fetched: of each only what a
-- secret comes out as, so that who reads this table can follow none.
CREATE TABLE {schema}.data_export_file (
  id uuid PRIMARY KEY,
  job uuid NOT NULL,
  name text NOT NULL,
  bytes bigint NOT NULL DEFAULT 0,
  portions integer NOT NULL DEFAULT 0,
  is_whole boolean NOT NULL DEFAULT false,
  made timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX data_export_file_job ON {schema}.data_export_file (job);
CREATE INDEX data_export_file_made ON {schema}.data_export_file (made);
CREATE TABLE {schema}.data_export_portion (
  file uuid NOT NULL REFERENCES {schema}.data_export_file ON DELETE CASCADE,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (file, number)
);
ALTER TABLE {schema}.data_export_portion ALTER bytes SET STORAGE EXTERNAL;
CREATE TABLE {schema}.data_export_link (
  secret bytea PRIMARY KEY,
  file uuid NOT NULL REFERENCES {schema}.data_export_file ON DELETE CASCADE,
  until timestamptz NOT NULL
);
CREATE INDEX data_export_link_file ON {schema}.data_export_link (file);
CREATE INDEX data_export_link_until ON {schema}.data_export_link (until);
-- Files that were uploaded to export by.
CREATE TABLE {schema}.data_export_upload (
  definition uuid PRIMARY KEY REFERENCES {schema}.data_export_file_definitions ON DELETE CASCADE,
  bytes bytea NOT NULL
);
