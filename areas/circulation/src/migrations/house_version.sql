-- Counts the changes of what a library sets up once and circulation asks all the time: places,
-- service points, types, groups, policies, limits. What processes keep of it is known to be current
-- by one small value.
CREATE TABLE {schema}.circulation_house_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO {schema}.circulation_house_version DEFAULT VALUES;
CREATE FUNCTION {schema}.circulation_house_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.circulation_house_version SET version = version + 1;
  RETURN NULL;
END $$;
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['location', 'loclibrary', 'loccampus', 'locinstitution',
    'service_point', 'material_type', 'loan_type', 'groups', 'loan_policy',
    'fixed_due_date_schedule', 'overdue_fine_policy', 'lost_item_fee_policy',
    'patron_block_limits', 'patron_block_conditions']
  LOOP
    EXECUTE format('CREATE TRIGGER circulation_house_changed
      AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.%I
      FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed()', kept);
  END LOOP;
END $$;
