-- Where each unfinished job stands. Whoever does a portion of a job holds its row; the row goes when
-- the job ends.
CREATE TABLE {schema}.inventory_job_run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job uuid NOT NULL UNIQUE,
  kind text NOT NULL,
  reached uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
