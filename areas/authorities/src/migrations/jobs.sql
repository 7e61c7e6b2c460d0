-- Where an unfinished job stands. Whoever does a portion holds its row.
CREATE TABLE {schema}.authority_job_run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job uuid NOT NULL UNIQUE,
  reached uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
