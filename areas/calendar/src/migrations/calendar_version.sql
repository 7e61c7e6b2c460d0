-- Counts the changes of calendars, so that compiled calendars are known to be current by one small
-- value. Writers take the row first, which lets them come one after another: two calendars for one
-- service point cannot pass each other by.
CREATE TABLE {schema}.calendar_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO {schema}.calendar_version DEFAULT VALUES;
CREATE FUNCTION {schema}.calendar_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.calendar_version SET version = version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER calendar_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.calendar
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.calendar_changed();
-- Finds the calendars of a service point: jsonb->'assignments' @> '["…"]'.
CREATE INDEX calendar_assignments_idx ON {schema}.calendar
  USING gin ((jsonb->'assignments') jsonb_path_ops);
