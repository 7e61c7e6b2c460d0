-- The MARC document of an instance goes with it.
ALTER TABLE {schema}.instance_source_marc ADD CONSTRAINT instance_source_marc_id_fkey
  FOREIGN KEY (id) REFERENCES {schema}.instance ON DELETE CASCADE;
