-- How often a job was tried since it last went on: one that was never tried has not failed, however
-- long it waits.
ALTER TABLE {schema}.data_export_run ADD COLUMN tries integer NOT NULL DEFAULT 0;
-- Uploaded files come in portions. Each attempt has its own; those of the one that came to its end are
-- whole. Files that are there already are of one portion.
ALTER TABLE {schema}.data_export_upload
  ADD COLUMN attempt uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN number integer NOT NULL DEFAULT 1,
  ADD COLUMN is_whole boolean NOT NULL DEFAULT true,
  DROP CONSTRAINT data_export_upload_pkey,
  ADD PRIMARY KEY (definition, attempt, number);
ALTER TABLE {schema}.data_export_upload ALTER bytes SET STORAGE EXTERNAL;
