-- Records as they came, byte for byte, where their text does not say it: MARC-8, and bytes that are no
-- text at all. All others are in the raw part of the record itself.
CREATE TABLE {schema}.source_record_bytes (
  id uuid PRIMARY KEY REFERENCES {schema}.source_record ON DELETE CASCADE,
  bytes bytea NOT NULL
);
