-- Who uses which statistical code, subject source and subject type: an id that leads nowhere is refused,
-- and what is used cannot be deleted. Kept by the database, so that every way of writing is meant.
-- Records that are there already are gone through later, portion by portion: reference_fill says how
-- far that is.
CREATE TABLE {schema}.instance_statistical_code (
  statistical_code_id uuid NOT NULL REFERENCES {schema}.statistical_code,
  instance_id uuid NOT NULL REFERENCES {schema}.instance ON DELETE CASCADE,
  PRIMARY KEY (statistical_code_id, instance_id)
);
CREATE INDEX instance_statistical_code_instance_id_idx
  ON {schema}.instance_statistical_code (instance_id);
CREATE TABLE {schema}.holdings_record_statistical_code (
  statistical_code_id uuid NOT NULL REFERENCES {schema}.statistical_code,
  holdings_record_id uuid NOT NULL REFERENCES {schema}.holdings_record ON DELETE CASCADE,
  PRIMARY KEY (statistical_code_id, holdings_record_id)
);
CREATE INDEX holdings_record_statistical_code_holdings_record_id_idx
  ON {schema}.holdings_record_statistical_code (holdings_record_id);
CREATE TABLE {schema}.item_statistical_code (
  statistical_code_id uuid NOT NULL REFERENCES {schema}.statistical_code,
  item_id uuid NOT NULL REFERENCES {schema}.item ON DELETE CASCADE,
  PRIMARY KEY (statistical_code_id, item_id)
);
CREATE INDEX item_statistical_code_item_id_idx ON {schema}.item_statistical_code (item_id);
CREATE TABLE {schema}.instance_subject_source (
  source_id uuid NOT NULL REFERENCES {schema}.subject_source,
  instance_id uuid NOT NULL REFERENCES {schema}.instance ON DELETE CASCADE,
  PRIMARY KEY (source_id, instance_id)
);
CREATE INDEX instance_subject_source_instance_id_idx
  ON {schema}.instance_subject_source (instance_id);
CREATE TABLE {schema}.instance_subject_type (
  type_id uuid NOT NULL REFERENCES {schema}.subject_type,
  instance_id uuid NOT NULL REFERENCES {schema}.instance ON DELETE CASCADE,
  PRIMARY KEY (type_id, instance_id)
);
CREATE INDEX instance_subject_type_instance_id_idx ON {schema}.instance_subject_type (instance_id);

-- The ids in a list of a document: its elements, or a property of each.
CREATE FUNCTION {schema}.referred_ids(list jsonb, property text) RETURNS SETOF uuid
  LANGUAGE sql IMMUTABLE
  AS $$
    SELECT DISTINCT named.id::uuid FROM (SELECT CASE WHEN property IS NULL THEN element #>> '{}'
        ELSE element ->> property END AS id
      FROM jsonb_array_elements(CASE WHEN jsonb_typeof(list) = 'array' THEN list ELSE '[]' END)
        AS _ (element)) AS named
    WHERE named.id <> '' ORDER BY 1
  $$;
CREATE FUNCTION {schema}.keep_instance_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM {schema}.instance_statistical_code WHERE instance_id = NEW.id
      AND NOT coalesce(NEW.jsonb->'statisticalCodeIds' ? statistical_code_id::text, false);
  END IF;
  INSERT INTO {schema}.instance_statistical_code (statistical_code_id, instance_id)
    SELECT id, NEW.id FROM {schema}.referred_ids(NEW.jsonb->'statisticalCodeIds', NULL) AS _ (id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION {schema}.keep_holdings_record_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM {schema}.holdings_record_statistical_code WHERE holdings_record_id = NEW.id
      AND NOT coalesce(NEW.jsonb->'statisticalCodeIds' ? statistical_code_id::text, false);
  END IF;
  INSERT INTO {schema}.holdings_record_statistical_code (statistical_code_id, holdings_record_id)
    SELECT id, NEW.id FROM {schema}.referred_ids(NEW.jsonb->'statisticalCodeIds', NULL) AS _ (id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION {schema}.keep_item_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM {schema}.item_statistical_code WHERE item_id = NEW.id
      AND NOT coalesce(NEW.jsonb->'statisticalCodeIds' ? statistical_code_id::text, false);
  END IF;
  INSERT INTO {schema}.item_statistical_code (statistical_code_id, item_id)
    SELECT id, NEW.id FROM {schema}.referred_ids(NEW.jsonb->'statisticalCodeIds', NULL) AS _ (id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION {schema}.keep_instance_subjects() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sources uuid[] := ARRAY(SELECT {schema}.referred_ids(NEW.jsonb->'subjects', 'sourceId'));
  types uuid[] := ARRAY(SELECT {schema}.referred_ids(NEW.jsonb->'subjects', 'typeId'));
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM {schema}.instance_subject_source
      WHERE instance_id = NEW.id AND source_id <> ALL (sources);
    DELETE FROM {schema}.instance_subject_type
      WHERE instance_id = NEW.id AND type_id <> ALL (types);
  END IF;
  IF cardinality(sources) > 0 THEN
    INSERT INTO {schema}.instance_subject_source (source_id, instance_id)
      SELECT id, NEW.id FROM unnest(sources) AS _ (id) ON CONFLICT DO NOTHING;
  END IF;
  IF cardinality(types) > 0 THEN
    INSERT INTO {schema}.instance_subject_type (type_id, instance_id)
      SELECT id, NEW.id FROM unnest(types) AS _ (id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER keep_codes_new AFTER INSERT ON {schema}.instance
  FOR EACH ROW WHEN (NEW.jsonb->'statisticalCodeIds' <> '[]')
  EXECUTE FUNCTION {schema}.keep_instance_codes();
CREATE TRIGGER keep_codes_changed AFTER UPDATE ON {schema}.instance
  FOR EACH ROW
  WHEN (OLD.jsonb->'statisticalCodeIds' IS DISTINCT FROM NEW.jsonb->'statisticalCodeIds')
  EXECUTE FUNCTION {schema}.keep_instance_codes();
CREATE TRIGGER keep_subjects_new AFTER INSERT ON {schema}.instance
  FOR EACH ROW WHEN (jsonb_path_exists(NEW.jsonb, '$.subjects[*] ? (exists (@.sourceId) || exists (@.typeId))'))
  EXECUTE FUNCTION {schema}.keep_instance_subjects();
CREATE TRIGGER keep_subjects_changed AFTER UPDATE ON {schema}.instance
  FOR EACH ROW WHEN (OLD.jsonb->'subjects' IS DISTINCT FROM NEW.jsonb->'subjects')
  EXECUTE FUNCTION {schema}.keep_instance_subjects();
CREATE TRIGGER keep_codes_new AFTER INSERT ON {schema}.holdings_record
  FOR EACH ROW WHEN (NEW.jsonb->'statisticalCodeIds' <> '[]')
  EXECUTE FUNCTION {schema}.keep_holdings_record_codes();
CREATE TRIGGER keep_codes_changed AFTER UPDATE ON {schema}.holdings_record
  FOR EACH ROW
  WHEN (OLD.jsonb->'statisticalCodeIds' IS DISTINCT FROM NEW.jsonb->'statisticalCodeIds')
  EXECUTE FUNCTION {schema}.keep_holdings_record_codes();
CREATE TRIGGER keep_codes_new AFTER INSERT ON {schema}.item
  FOR EACH ROW WHEN (NEW.jsonb->'statisticalCodeIds' <> '[]')
  EXECUTE FUNCTION {schema}.keep_item_codes();
CREATE TRIGGER keep_codes_changed AFTER UPDATE ON {schema}.item
  FOR EACH ROW
  WHEN (OLD.jsonb->'statisticalCodeIds' IS DISTINCT FROM NEW.jsonb->'statisticalCodeIds')
  EXECUTE FUNCTION {schema}.keep_item_codes();

CREATE TABLE {schema}.reference_fill (
  of text PRIMARY KEY,
  after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  done boolean NOT NULL
);
INSERT INTO {schema}.reference_fill (of, done) VALUES
  ('instance', NOT EXISTS (SELECT FROM {schema}.instance)),
  ('holdings_record', NOT EXISTS (SELECT FROM {schema}.holdings_record)),
  ('item', NOT EXISTS (SELECT FROM {schema}.item));
