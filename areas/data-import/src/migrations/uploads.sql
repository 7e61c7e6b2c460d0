-- Files that clients uploaded, in portions: no row is large, and none is held in memory whole.
CREATE TABLE {schema}.import_file_portion (
  file uuid NOT NULL,
  number integer NOT NULL,
  begins bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (file, number)
);
CREATE INDEX import_file_portion_begins_idx ON {schema}.import_file_portion (file, begins);
ALTER TABLE {schema}.import_file_portion ALTER COLUMN bytes SET STORAGE EXTERNAL;
