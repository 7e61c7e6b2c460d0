-- What a changed item does to the rows of searching, as before, in one trigger without WHEN: PostgreSQL
-- reads that from its catalogue anew for each statement, which takes longer than to call the function.
CREATE FUNCTION {schema}.search_item_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.holdingsrecordid IS DISTINCT FROM NEW.holdingsrecordid
    OR (OLD.jsonb->'effectiveLocationId') IS DISTINCT FROM (NEW.jsonb->'effectiveLocationId')
    OR (OLD.jsonb->'materialTypeId') IS DISTINCT FROM (NEW.jsonb->'materialTypeId')
    OR (OLD.jsonb->'effectiveCallNumberComponents')
      IS DISTINCT FROM (NEW.jsonb->'effectiveCallNumberComponents')
    OR (OLD.jsonb->'discoverySuppress') IS DISTINCT FROM (NEW.jsonb->'discoverySuppress')
    OR (OLD.jsonb->'tags') IS DISTINCT FROM (NEW.jsonb->'tags')
    OR (OLD.jsonb->'statisticalCodeIds') IS DISTINCT FROM (NEW.jsonb->'statisticalCodeIds') THEN
    PERFORM {schema}.search_item_put(NEW.id, NEW.holdingsrecordid, NEW.jsonb);
  ELSIF (OLD.jsonb->'status'->'name') IS DISTINCT FROM (NEW.jsonb->'status'->'name') THEN
    -- What a check-out and a check-in change: one narrow row, in place, no index touched.
    UPDATE {schema}.search_item SET status = left(NEW.jsonb->'status'->>'name', 100)
      WHERE id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER search_status ON {schema}.item;
DROP TRIGGER search_changed ON {schema}.item;
DROP FUNCTION {schema}.search_item_status();
DROP FUNCTION {schema}.search_item_changed();
CREATE TRIGGER search_changed AFTER UPDATE ON {schema}.item FOR EACH ROW
  EXECUTE FUNCTION {schema}.search_item_written();
