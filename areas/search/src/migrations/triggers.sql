-- New records come as one statement for all of them, be it a batch or a load.
CREATE FUNCTION {schema}.search_instances_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.search_instance
    SELECT made.* FROM added, LATERAL {schema}.search_instance_row(added.id, added.jsonb) AS made;
  INSERT INTO {schema}.browse_heading
    SELECT made.* FROM added, LATERAL {schema}.search_headings(added.id, added.jsonb) AS made
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER search_added AFTER INSERT ON {schema}.instance
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_instances_added();

CREATE FUNCTION {schema}.search_instance_put(record uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_instance WHERE id = record;
  INSERT INTO {schema}.search_instance
    SELECT made.* FROM {schema}.search_instance_row(record, doc) AS made;
  DELETE FROM {schema}.browse_heading WHERE instance_id = record;
  INSERT INTO {schema}.browse_heading
    SELECT made.* FROM {schema}.search_headings(record, doc) AS made ON CONFLICT DO NOTHING;
END $$;
CREATE FUNCTION {schema}.search_instance_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_instance_put(NEW.id, NEW.jsonb);
  RETURN NULL;
END $$;
CREATE TRIGGER search_changed AFTER UPDATE ON {schema}.instance FOR EACH ROW
  EXECUTE FUNCTION {schema}.search_instance_changed();

CREATE FUNCTION {schema}.search_instances_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_instance USING gone WHERE search_instance.id = gone.id;
  DELETE FROM {schema}.browse_heading USING gone WHERE browse_heading.instance_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_deleted AFTER DELETE ON {schema}.instance
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_instances_deleted();

CREATE FUNCTION {schema}.search_holdings_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.search_holdings SELECT made.* FROM added,
    LATERAL {schema}.search_holdings_row(added.id, added.instanceid, added.jsonb) AS made;
  RETURN NULL;
END $$;
CREATE TRIGGER search_added AFTER INSERT ON {schema}.holdings_record
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_holdings_added();

CREATE FUNCTION {schema}.search_holdings_put(record uuid, instance uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_holdings WHERE id = record;
  INSERT INTO {schema}.search_holdings
    SELECT made.* FROM {schema}.search_holdings_row(record, instance, doc) AS made;
END $$;
-- Who moves to another title takes the items along; nothing of the items' own records changes.
CREATE FUNCTION {schema}.search_holdings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_holdings_put(NEW.id, NEW.instanceid, NEW.jsonb);
  IF NEW.instanceid IS DISTINCT FROM OLD.instanceid THEN
    UPDATE {schema}.search_item SET instance_id = NEW.instanceid WHERE holdings_id = NEW.id;
    UPDATE {schema}.browse_call_number SET instance_id = NEW.instanceid
      WHERE item_id IN (SELECT id FROM {schema}.search_item WHERE holdings_id = NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER search_changed AFTER UPDATE ON {schema}.holdings_record FOR EACH ROW
  EXECUTE FUNCTION {schema}.search_holdings_changed();

CREATE FUNCTION {schema}.search_holdings_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_holdings USING gone WHERE search_holdings.id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_deleted AFTER DELETE ON {schema}.holdings_record
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_holdings_deleted();

CREATE FUNCTION {schema}.search_items_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.search_item SELECT made.* FROM added
    JOIN {schema}.holdings_record AS holdings ON holdings.id = added.holdingsrecordid,
    LATERAL {schema}.search_item_row(added.id, added.holdingsrecordid, holdings.instanceid,
      added.jsonb) AS made;
  INSERT INTO {schema}.browse_call_number SELECT made.* FROM added
    JOIN {schema}.holdings_record AS holdings ON holdings.id = added.holdingsrecordid,
    LATERAL {schema}.search_call_numbers(added.id, holdings.instanceid, added.jsonb) AS made;
  RETURN NULL;
END $$;
CREATE TRIGGER search_added AFTER INSERT ON {schema}.item
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_items_added();

CREATE FUNCTION {schema}.search_item_put(record uuid, holdings uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  instance uuid;
BEGIN
  -- Shared, so that a move of the holdings comes before or after. Who changes where an item is
  -- holds this lock already.
  SELECT instanceid INTO instance FROM {schema}.holdings_record WHERE id = holdings FOR SHARE;
  DELETE FROM {schema}.search_item WHERE id = record;
  INSERT INTO {schema}.search_item
    SELECT made.* FROM {schema}.search_item_row(record, holdings, instance, doc) AS made;
  DELETE FROM {schema}.browse_call_number WHERE item_id = record;
  INSERT INTO {schema}.browse_call_number
    SELECT made.* FROM {schema}.search_call_numbers(record, instance, doc) AS made;
END $$;

-- What a check-out and a check-in change: one narrow row, in place, no index touched.
CREATE FUNCTION {schema}.search_item_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.search_item SET status = left(NEW.jsonb->'status'->>'name', 100)
    WHERE id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_status AFTER UPDATE ON {schema}.item FOR EACH ROW
  WHEN ((OLD.jsonb->'status'->'name') IS DISTINCT FROM (NEW.jsonb->'status'->'name'))
  EXECUTE FUNCTION {schema}.search_item_status();

CREATE FUNCTION {schema}.search_item_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_item_put(NEW.id, NEW.holdingsrecordid, NEW.jsonb);
  RETURN NULL;
END $$;
CREATE TRIGGER search_changed AFTER UPDATE ON {schema}.item FOR EACH ROW
  WHEN (OLD.holdingsrecordid IS DISTINCT FROM NEW.holdingsrecordid
    OR (OLD.jsonb->'effectiveLocationId') IS DISTINCT FROM (NEW.jsonb->'effectiveLocationId')
    OR (OLD.jsonb->'materialTypeId') IS DISTINCT FROM (NEW.jsonb->'materialTypeId')
    OR (OLD.jsonb->'effectiveCallNumberComponents')
      IS DISTINCT FROM (NEW.jsonb->'effectiveCallNumberComponents')
    OR (OLD.jsonb->'discoverySuppress') IS DISTINCT FROM (NEW.jsonb->'discoverySuppress')
    OR (OLD.jsonb->'tags') IS DISTINCT FROM (NEW.jsonb->'tags')
    OR (OLD.jsonb->'statisticalCodeIds') IS DISTINCT FROM (NEW.jsonb->'statisticalCodeIds'))
  EXECUTE FUNCTION {schema}.search_item_changed();

CREATE FUNCTION {schema}.search_items_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_item USING gone WHERE search_item.id = gone.id;
  DELETE FROM {schema}.browse_call_number USING gone WHERE browse_call_number.item_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_deleted AFTER DELETE ON {schema}.item
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_items_deleted();

-- Takes up the next records of a kind; says whether there are more. The records are shared
-- meanwhile, so that a change comes before or after, and who comes after finds the row.
CREATE FUNCTION {schema}.search_fill_portion(wanted text, portion integer) RETURNS boolean
  LANGUAGE plpgsql AS $$
DECLARE
  state {schema}.search_fill;
  taken integer := 0;
  record record;
BEGIN
  SELECT * INTO state FROM {schema}.search_fill WHERE kind = wanted FOR UPDATE;
  IF NOT FOUND OR state.done THEN
    RETURN false;
  END IF;
  IF wanted = 'instance' THEN
    FOR record IN SELECT id, jsonb FROM {schema}.instance WHERE id > state.after
        ORDER BY id LIMIT portion FOR SHARE LOOP
      PERFORM {schema}.search_instance_put(record.id, record.jsonb);
      state.after := record.id;
      taken := taken + 1;
    END LOOP;
  ELSIF wanted = 'holdings' THEN
    FOR record IN SELECT id, instanceid, jsonb FROM {schema}.holdings_record WHERE id > state.after
        ORDER BY id LIMIT portion FOR SHARE LOOP
      PERFORM {schema}.search_holdings_put(record.id, record.instanceid, record.jsonb);
      state.after := record.id;
      taken := taken + 1;
    END LOOP;
  ELSE
    -- Holdings before items, as everybody locks them.
    PERFORM 1 FROM {schema}.holdings_record WHERE id IN (SELECT holdingsrecordid
        FROM (SELECT holdingsrecordid FROM {schema}.item WHERE id > state.after
          ORDER BY id LIMIT portion) AS next) ORDER BY id FOR SHARE;
    FOR record IN SELECT id, holdingsrecordid, jsonb FROM {schema}.item WHERE id > state.after
        ORDER BY id LIMIT portion FOR SHARE LOOP
      PERFORM {schema}.search_item_put(record.id, record.holdingsrecordid, record.jsonb);
      state.after := record.id;
      taken := taken + 1;
    END LOOP;
  END IF;
  UPDATE {schema}.search_fill SET after = state.after, done = taken < portion WHERE kind = wanted;
  RETURN taken = portion;
END $$;
