-- Files that come in parts, each by a link that holds for a while. What has come lies in
-- import_file_portion under the part's own file until all parts are put together.
CREATE TABLE {schema}.import_upload (
  id uuid PRIMARY KEY,
  key text NOT NULL,
  created timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE {schema}.import_upload_part (
  upload uuid NOT NULL REFERENCES {schema}.import_upload ON DELETE CASCADE,
  number integer NOT NULL,
  -- Of the newest link: what its secret comes out as, and how long it holds.
  secret bytea NOT NULL,
  until timestamptz NOT NULL,
  -- What is coming, and what has come.
  coming uuid,
  file uuid,
  bytes bigint,
  portions integer,
  tag text,
  PRIMARY KEY (upload, number)
);
CREATE INDEX import_upload_part_coming_idx ON {schema}.import_upload_part (coming);
CREATE INDEX import_upload_part_file_idx ON {schema}.import_upload_part (file);
