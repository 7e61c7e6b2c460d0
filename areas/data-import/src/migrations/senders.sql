-- Who sent a chunk: its records are imported with that user's permissions.
ALTER TABLE {schema}.import_chunk ADD COLUMN sent_by uuid;
