-- What of each current MARC record is kept for searching: numbers, made outside the database. They
-- lie apart from the row, so that rows that are counted stay narrow.
CREATE TABLE {schema}.marc_term (
  id uuid PRIMARY KEY REFERENCES {schema}.source_record (id) ON DELETE CASCADE,
  external_id uuid,
  kind smallint NOT NULL,
  deleted boolean NOT NULL,
  suppressed boolean NOT NULL,
  changed integer,
  terms bigint[] NOT NULL
) WITH (toast_tuple_target = 128);
ALTER TABLE {schema}.marc_term ALTER COLUMN terms SET STORAGE EXTERNAL;
CREATE INDEX marc_term_terms_idx ON {schema}.marc_term USING gin (terms);
CREATE INDEX marc_term_external_idx ON {schema}.marc_term (external_id);
CREATE INDEX marc_term_changed_idx ON {schema}.marc_term (changed);
-- Records that were written and of which that is still to be done. Writers only add to it; a record
-- may wait twice.
CREATE TABLE {schema}.marc_untermed (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);
CREATE FUNCTION {schema}.marc_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.marc_untermed (id) SELECT id FROM written;
  RETURN NULL;
END $$;
CREATE TRIGGER marc_added AFTER INSERT ON {schema}.source_record
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.marc_written();
CREATE TRIGGER marc_changed AFTER UPDATE ON {schema}.source_record
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.marc_written();
-- Records of before wait like any others.
INSERT INTO {schema}.marc_untermed (id) SELECT id FROM {schema}.source_record;
-- Which place of the queue must have been done for a rebuilding to be over.
CREATE TABLE {schema}.marc_migration (
  job_id uuid PRIMARY KEY,
  up_to bigint NOT NULL
);
