-- How often the next portion of a job was begun and not finished. Apart from the job's run: whoever works on
-- a job holds that row, and what ends the work, and be it the process, must still have been counted.
CREATE TABLE {schema}.import_attempt (
  job uuid PRIMARY KEY REFERENCES {schema}.import_job ON DELETE CASCADE,
  attempts integer NOT NULL,
  -- Records of one transaction, once there were too many.
  records integer,
  -- Others go first until then.
  waits_until timestamptz,
  reason text
);
