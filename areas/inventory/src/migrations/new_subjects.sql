-- New instances come many at a time: what their subjects use is kept by one statement for all of them.
CREATE FUNCTION {schema}.keep_new_subjects() RETURNS trigger
  LANGUAGE plpgsql SET enable_memoize = off AS $$
BEGIN
  INSERT INTO {schema}.instance_subject_source (source_id, instance_id)
    SELECT used.id, added.id FROM added,
      LATERAL {schema}.referred_ids(added.jsonb->'subjects', 'sourceId') AS used (id)
    ON CONFLICT DO NOTHING;
  INSERT INTO {schema}.instance_subject_type (type_id, instance_id)
    SELECT used.id, added.id FROM added,
      LATERAL {schema}.referred_ids(added.jsonb->'subjects', 'typeId') AS used (id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
DROP TRIGGER keep_subjects_new ON {schema}.instance;
CREATE TRIGGER keep_subjects_new AFTER INSERT ON {schema}.instance
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.keep_new_subjects();
