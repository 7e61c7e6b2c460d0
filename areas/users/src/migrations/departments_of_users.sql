-- Which users belong to which departments: the counts of a list of departments and the guard of
-- their deletion are read from here. Kept by the database, so that every way of writing users is meant.
CREATE TABLE {schema}.user_department (
  department_id uuid NOT NULL REFERENCES {schema}.departments,
  user_id uuid NOT NULL REFERENCES {schema}.users ON DELETE CASCADE,
  PRIMARY KEY (department_id, user_id)
);
CREATE INDEX user_department_user_id_idx ON {schema}.user_department (user_id);
INSERT INTO {schema}.user_department (department_id, user_id)
  SELECT DISTINCT departments.id, users.id FROM {schema}.users
  CROSS JOIN LATERAL jsonb_array_elements_text(CASE WHEN jsonb_typeof(users.jsonb->'departments') = 'array'
    THEN users.jsonb->'departments' ELSE '[]' END) AS named(id)
  JOIN {schema}.departments ON departments.id::text = lower(named.id);
CREATE FUNCTION {schema}.keep_user_departments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM {schema}.user_department WHERE user_id = NEW.id
      AND NOT coalesce(NEW.jsonb->'departments', '[]') ? department_id::text;
  END IF;
  INSERT INTO {schema}.user_department (department_id, user_id)
    SELECT named.id::uuid, NEW.id
    FROM jsonb_array_elements_text(coalesce(NEW.jsonb->'departments', '[]')) AS named(id)
    ORDER BY 1 ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_user_departments_new AFTER INSERT ON {schema}.users
  FOR EACH ROW WHEN (jsonb_array_length(NEW.jsonb->'departments') > 0)
  EXECUTE FUNCTION {schema}.keep_user_departments();
CREATE TRIGGER keep_user_departments_changed AFTER UPDATE ON {schema}.users
  FOR EACH ROW WHEN (OLD.jsonb->'departments' IS DISTINCT FROM NEW.jsonb->'departments')
  EXECUTE FUNCTION {schema}.keep_user_departments();
