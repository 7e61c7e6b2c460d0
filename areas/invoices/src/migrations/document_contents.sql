-- The contents of documents, which no list reads.
CREATE TABLE {schema}.document_contents (
  id uuid PRIMARY KEY REFERENCES {schema}.documents ON DELETE CASCADE,
  data text NOT NULL
);
ALTER TABLE {schema}.document_contents ALTER COLUMN data SET STORAGE EXTERNAL;
