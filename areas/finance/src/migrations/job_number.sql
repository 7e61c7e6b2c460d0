-- The last numbers of kinds of jobs.
CREATE TABLE {schema}.job_number (
  type text PRIMARY KEY,
  last_number bigint NOT NULL DEFAULT 0
);
INSERT INTO {schema}.job_number (type) VALUES ('FundUpdateLogs');
