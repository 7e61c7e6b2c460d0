-- The rows of items as before, written with less work. A new item alone takes a function whose statements have one
-- row each and ask for nothing that the item lacks; many at once take one statement for all of them. Two indexes
-- go: items of holdings are found by the index of `item`, and a call number is found by the index on its letters,
-- which equal call numbers share.
DROP INDEX {schema}.search_item_holdings;
DROP INDEX {schema}.search_item_call_number;
DROP INDEX {schema}.search_holdings_call_number;

-- In PL/pgSQL, for most lists are empty: a subquery in place is set up with every statement, called or not.
CREATE FUNCTION {schema}.search_texts(list jsonb) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT left(one, 200)
    FROM jsonb_array_elements_text({schema}.search_list(list)) AS one WHERE one IS NOT NULL LIMIT 500);
END $$;
CREATE FUNCTION {schema}.search_ids(list jsonb) RETURNS uuid[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(SELECT DISTINCT {schema}.search_id(one)
    FROM jsonb_array_elements_text({schema}.search_list(list)) AS one
    WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500);
END $$;
-- The call number by which an item is found: that by which it is browsed, behind its prefix.
CREATE FUNCTION {schema}.search_item_number(parts jsonb, browsed text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT {schema}.search_fold(CASE WHEN parts ? 'prefix' THEN {schema}.search_call_number(
    parts->>'prefix', parts->>'callNumber', parts->>'suffix') ELSE browsed END, 200) $$;
CREATE FUNCTION {schema}.search_heading(parts jsonb, browsed text) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT md5(array_to_string(ARRAY[browsed, parts->>'callNumber', parts->>'prefix',
    parts->>'suffix', parts->>'typeId'], '|', '-'))::uuid $$;
-- Most keys are the folded text, which takes no function in PL/pgSQL.
CREATE FUNCTION {schema}.search_browse_key(algorithm text, txt text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN algorithm = 'default'
    THEN left(btrim(lower(public.f_unaccent(left(txt, 500)))), 200)
    ELSE {schema}.search_shelf_key(algorithm, txt) END $$;

CREATE FUNCTION {schema}.search_item_write(record uuid, holdings uuid, instance uuid, doc jsonb)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parts jsonb := doc->'effectiveCallNumberComponents';
  place uuid := (doc->>'effectiveLocationId')::uuid;
  number_type uuid;
  browsed text;
  folded text;
  same uuid;
BEGIN
  IF parts <> '{}' THEN
    number_type := {schema}.search_id(parts->>'typeId');
    browsed := {schema}.search_call_number(NULL, parts->>'callNumber', parts->>'suffix');
    folded := {schema}.search_item_number(parts, browsed);
  END IF;
  INSERT INTO {schema}.search_item (id, holdings_id, instance_id, location, material, status, discovery,
      tags, codes, call_number_type, call_number, call_number_key)
    VALUES (record, holdings, instance, place, (doc->>'materialTypeId')::uuid,
      left(doc->'status'->>'name', 100), coalesce(doc->>'discoverySuppress' = 'true', false),
      CASE WHEN doc->'tags'->'tagList' <> '[]' THEN {schema}.search_texts(doc->'tags'->'tagList')
        ELSE '{}' END,
      CASE WHEN doc->'statisticalCodeIds' <> '[]' THEN {schema}.search_ids(doc->'statisticalCodeIds')
        ELSE '{}' END,
      number_type, folded, regexp_replace(folded, '[^[:alnum:]]', '', 'g'));
  IF browsed IS NOT NULL THEN
    same := {schema}.search_heading(parts, browsed);
    INSERT INTO {schema}.browse_call_number (kind, sort_key, heading, item_id, instance_id, value, number,
        prefix, suffix, type, location)
      SELECT kind, {schema}.search_browse_key(shelving_algorithm, browsed), same, record, instance,
        browsed, left(parts->>'callNumber', 1000), left(parts->>'prefix', 1000),
        left(parts->>'suffix', 1000), number_type, place
      FROM {schema}.browse_config AS option WHERE option.type = 'instance-call-number'
        AND (type_ids = '{}' OR number_type = ANY (type_ids));
  END IF;
END $$;

-- The holdings in subqueries, because a join would put by (Memoize) what rarely comes again.
CREATE OR REPLACE FUNCTION {schema}.search_items_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first record;
BEGIN
  SELECT id, holdingsrecordid AS holdings, jsonb AS doc, EXISTS (SELECT FROM added OFFSET 1) AS has_others,
      (SELECT instanceid FROM {schema}.holdings_record WHERE id = added.holdingsrecordid) AS instance
    INTO first FROM added;
  IF first.has_others THEN
    WITH part AS MATERIALIZED (SELECT id, holdingsrecordid, effectivelocationid, materialtypeid, doc, parts,
        (SELECT instanceid FROM {schema}.holdings_record WHERE id = holdingsrecordid) AS instance,
        CASE WHEN parts <> '{}' THEN {schema}.search_id(parts->>'typeId') END AS number_type,
        {schema}.search_call_number(NULL, parts->>'callNumber', parts->>'suffix') AS browsed
      FROM (SELECT id, holdingsrecordid, effectivelocationid, materialtypeid, jsonb AS doc,
          jsonb->'effectiveCallNumberComponents' AS parts FROM added OFFSET 0) AS _),
    item AS (INSERT INTO {schema}.search_item (id, holdings_id, instance_id, location, material, status,
        discovery, tags, codes, call_number_type, call_number, call_number_key)
      SELECT id, holdingsrecordid, instance, effectivelocationid, materialtypeid,
        left(doc->'status'->>'name', 100), coalesce(doc->>'discoverySuppress' = 'true', false),
        CASE WHEN doc->'tags'->'tagList' <> '[]' THEN {schema}.search_texts(doc->'tags'->'tagList')
          ELSE '{}' END,
        CASE WHEN doc->'statisticalCodeIds' <> '[]' THEN {schema}.search_ids(doc->'statisticalCodeIds')
          ELSE '{}' END,
        number_type, folded, regexp_replace(folded, '[^[:alnum:]]', '', 'g')
      FROM (SELECT part.*, {schema}.search_item_number(parts, browsed) AS folded FROM part OFFSET 0) AS _)
    INSERT INTO {schema}.browse_call_number (kind, sort_key, heading, item_id, instance_id, value, number,
        prefix, suffix, type, location)
      SELECT kind, {schema}.search_browse_key(shelving_algorithm, browsed) AS sort_key, same, part.id,
        instance, browsed, left(parts->>'callNumber', 1000), left(parts->>'prefix', 1000),
        left(parts->>'suffix', 1000), number_type, effectivelocationid
      FROM (SELECT part.*, {schema}.search_heading(parts, browsed) AS same FROM part
          WHERE browsed IS NOT NULL OFFSET 0) AS part
        JOIN {schema}.browse_config AS option ON option.type = 'instance-call-number'
          AND (type_ids = '{}' OR number_type = ANY (type_ids))
      -- In the order of the index.
      ORDER BY kind, sort_key, same;
  ELSIF first.id IS NOT NULL THEN
    PERFORM {schema}.search_item_write(first.id, first.holdings, first.instance, first.doc);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION {schema}.search_item_put(record uuid, holdings uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
DECLARE
  instance uuid;
BEGIN
  -- Shared, so that a move of the holdings comes before or after. Who changes where an item is
  -- holds this lock already.
  SELECT instanceid INTO instance FROM {schema}.holdings_record WHERE id = holdings FOR SHARE;
  DELETE FROM {schema}.search_item WHERE id = record;
  DELETE FROM {schema}.browse_call_number WHERE item_id = record;
  PERFORM {schema}.search_item_write(record, holdings, instance, doc);
END $$;
DROP FUNCTION {schema}.search_item_row(uuid, uuid, uuid, jsonb);
DROP FUNCTION {schema}.search_call_numbers(uuid, uuid, jsonb);

-- Only a change of place or call number reaches what is browsed; everything else is one narrow row, in place.
CREATE OR REPLACE FUNCTION {schema}.search_item_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.holdingsrecordid IS DISTINCT FROM NEW.holdingsrecordid
    OR OLD.effectivelocationid IS DISTINCT FROM NEW.effectivelocationid
    OR (OLD.jsonb->'effectiveCallNumberComponents')
      IS DISTINCT FROM (NEW.jsonb->'effectiveCallNumberComponents') THEN
    PERFORM {schema}.search_item_put(NEW.id, NEW.holdingsrecordid, NEW.jsonb);
  ELSIF OLD.materialtypeid IS DISTINCT FROM NEW.materialtypeid
    OR (OLD.jsonb->'discoverySuppress') IS DISTINCT FROM (NEW.jsonb->'discoverySuppress')
    OR (OLD.jsonb->'tags') IS DISTINCT FROM (NEW.jsonb->'tags')
    OR (OLD.jsonb->'statisticalCodeIds') IS DISTINCT FROM (NEW.jsonb->'statisticalCodeIds') THEN
    UPDATE {schema}.search_item SET material = NEW.materialtypeid,
        status = left(NEW.jsonb->'status'->>'name', 100),
        discovery = coalesce(NEW.jsonb->>'discoverySuppress' = 'true', false),
        tags = {schema}.search_texts(NEW.jsonb->'tags'->'tagList'),
        codes = {schema}.search_ids(NEW.jsonb->'statisticalCodeIds')
      WHERE id = NEW.id;
    IF NOT FOUND THEN
      PERFORM {schema}.search_item_put(NEW.id, NEW.holdingsrecordid, NEW.jsonb);
    END IF;
  ELSIF (OLD.jsonb->'status'->'name') IS DISTINCT FROM (NEW.jsonb->'status'->'name') THEN
    -- What a check-out and a check-in change: no index is touched.
    UPDATE {schema}.search_item SET status = left(NEW.jsonb->'status'->>'name', 100)
      WHERE id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

-- Who moves to another title takes the items along; nothing of the items' own records changes.
CREATE OR REPLACE FUNCTION {schema}.search_holdings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_holdings_put(NEW.id, NEW.instanceid, NEW.jsonb);
  IF NEW.instanceid IS DISTINCT FROM OLD.instanceid THEN
    UPDATE {schema}.search_item SET instance_id = NEW.instanceid
      WHERE id IN (SELECT id FROM {schema}.item WHERE holdingsrecordid = NEW.id);
    UPDATE {schema}.browse_call_number SET instance_id = NEW.instanceid
      WHERE item_id IN (SELECT id FROM {schema}.item WHERE holdingsrecordid = NEW.id);
  END IF;
  RETURN NULL;
END $$;
