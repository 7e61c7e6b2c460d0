-- What an act at the desk is decided on, in one call: PL/pgSQL keeps the plan of each small look-up,
-- and a large statement would be put together anew every time. Each look-up sees what was committed
-- before it began, so what stands behind a lock is read after the lock. Held are, in this order and
-- until the transaction ends: the title, if requests wait for it, for the act may change its queue;
-- the item; the borrower; the open loan; of the queue what an act can depend on.
-- The conditions are those of the declared indexes; a test of store/desk.rs compares them.
-- What stands on an item that is held: its open loan with the borrower and what is left to pay on it, and
-- the requests in the queues of item and title, as far as an act can depend on them.
CREATE FUNCTION {schema}.desk_standing(item_id uuid, instance_id uuid,
  OUT loan jsonb, OUT borrower jsonb, OUT remaining jsonb,
  OUT queue jsonb, OUT queued bigint, OUT queued_titles bigint, OUT patron_groups jsonb)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  waiting uuid[];
BEGIN
  queued := 0;
  queued_titles := 0;
  SELECT jsonb INTO loan FROM {schema}.loan WHERE (lower(jsonb->>'itemId')) COLLATE "C" = lower(item_id::text) AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open' FOR NO KEY UPDATE;
  IF loan IS NOT NULL THEN
    SELECT jsonb INTO borrower FROM {schema}.users WHERE id = (loan->>'userId')::uuid;
    SELECT to_jsonb(coalesce(sum((jsonb->>'remaining')::numeric), 0)) INTO remaining
      FROM {schema}.accounts WHERE left(lower(jsonb->>'loanId'), 600) COLLATE "C" = lower(loan->>'id') AND jsonb->'status'->>'name' = 'Open';
  END IF;
  SELECT array_agg(id) INTO waiting FROM (
    SELECT id FROM {schema}.request WHERE left(lower(((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" >= (item_id::text || ' ') COLLATE "C" AND left(lower(((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" < (item_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
    UNION SELECT id FROM {schema}.request WHERE left(lower(((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" >= (instance_id::text || ' ') COLLATE "C" AND left(lower(((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" < (instance_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
      AND jsonb->>'requestLevel' = 'Title') AS both_queues;
  IF waiting IS NOT NULL THEN
    -- Of a long queue only those are read whole that an act can depend on: of each kind the first two.
    WITH asking AS MATERIALIZED (SELECT id, jsonb->>'requestLevel' AS level,
        jsonb->>'requestType' AS type, jsonb->>'status' AS status,
        jsonb->>'itemId' = item_id::text AS of_it, (jsonb->>'position')::bigint AS place,
        CASE WHEN jsonb->>'requestLevel' = 'Title'
          THEN (jsonb->>'requesterId')::uuid END AS requester
      FROM {schema}.request WHERE id = ANY (waiting)),
    ranked AS MATERIALIZED (SELECT asking.id, level, of_it, asker.jsonb->>'patronGroup' AS patron_group,
        row_number() OVER (PARTITION BY level, type, status, of_it,
          asker.jsonb->>'patronGroup' ORDER BY coalesce(place, 0)) AS nth
      FROM asking LEFT JOIN {schema}.users AS asker ON asker.id = requester),
    held AS MATERIALIZED (SELECT jsonb FROM {schema}.request
      WHERE id IN (SELECT id FROM ranked WHERE nth <= 2) ORDER BY id FOR NO KEY UPDATE)
    SELECT (SELECT jsonb_agg(jsonb) FROM held), count(*),
        count(*) FILTER (WHERE level = 'Title' AND of_it IS NOT TRUE),
        jsonb_object_agg(id, patron_group) FILTER (WHERE nth <= 2 AND patron_group IS NOT NULL)
      INTO queue, queued, queued_titles, patron_groups FROM ranked;
  END IF;
END $$;

CREATE FUNCTION {schema}.desk_facts(item_barcode text, patron_barcode text, proxy_barcode text,
  OUT rules_version text, OUT calendars_version text, OUT house_version bigint, OUT locale text,
  OUT item_id uuid, OUT item jsonb, OUT holdings_id uuid, OUT copy_number text,
  OUT instance_id uuid, OUT title jsonb,
  OUT patron jsonb, OUT proxy jsonb, OUT manual_blocks jsonb, OUT relationships jsonb,
  OUT loan jsonb, OUT borrower jsonb, OUT remaining jsonb,
  OUT queue jsonb, OUT queued bigint, OUT queued_titles bigint, OUT patron_groups jsonb)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  patron_id uuid;
  proxy_id uuid;
  standing record;
BEGIN
  -- A row's xmin and ctid change with every update: no clock and no counter is needed.
  SELECT (SELECT xmin::text || ctid::text FROM {schema}.circulation_rules LIMIT 1),
      (SELECT version::text FROM {schema}.calendar_version),
      (SELECT version FROM {schema}.circulation_house_version), coalesce((SELECT jsonb->>'value' FROM {schema}.config_data WHERE left(lower(jsonb->>'module'), 600) COLLATE "C" = lower('ORG') AND jsonb->>'configName' = 'localeSettings' AND jsonb->>'userId' IS NULL AND jsonb->>'value' IS NOT NULL ORDER BY jsonb->>'code' IS NOT NULL, coalesce((jsonb->>'enabled')::boolean, true) DESC, id LIMIT 1), (SELECT jsonb::text FROM {schema}.locale LIMIT 1))
    INTO rules_version, calendars_version, house_version, locale;
  SELECT item.id, holdings.instanceid INTO item_id, instance_id
    FROM (SELECT id, holdingsrecordid FROM {schema}.item WHERE (lower(barcode_text)) COLLATE "C" = lower(item_barcode)) AS item
    JOIN {schema}.holdings_record AS holdings ON holdings.id = item.holdingsrecordid;
  IF item_id IS NOT NULL THEN
    IF EXISTS (SELECT FROM {schema}.request WHERE left(lower(((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" >= (instance_id::text || ' ') COLLATE "C" AND left(lower(((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600) COLLATE "C" < (instance_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')) THEN
      PERFORM FROM {schema}.instance WHERE id = instance_id FOR NO KEY UPDATE;
    END IF;
    -- Once more by its barcode: whoever held it may have given it another.
    SELECT jsonb, holdingsrecordid INTO item, holdings_id
      FROM {schema}.item WHERE id = item_id AND (lower(barcode_text)) COLLATE "C" = lower(item_barcode) FOR NO KEY UPDATE;
    IF FOUND THEN
      SELECT holdings.jsonb->>'copyNumber', instance.id, jsonb_build_object('title', instance.jsonb->'title',
             'hrid', instance.jsonb->'hrid', 'contributors', instance.jsonb->'contributors',
             'publication', instance.jsonb->'publication',
             'editions', instance.jsonb->'editions', 'series', instance.jsonb->'series',
             'physicalDescriptions', instance.jsonb->'physicalDescriptions')
        INTO copy_number, instance_id, title
        FROM {schema}.holdings_record AS holdings
        JOIN {schema}.instance AS instance ON instance.id = holdings.instanceid
        WHERE holdings.id = holdings_id;
    ELSE
      item_id := NULL;
    END IF;
  END IF;
  IF patron_barcode <> '' THEN
    -- Who wants to delete the borrower waits, and then finds the loan; a second desk that lends to the
    -- same one waits, and then counts the loan.
    SELECT id, jsonb INTO patron_id, patron
      FROM {schema}.users WHERE (lower(public.f_unaccent(jsonb->>'barcode'))) COLLATE "C" = lower(public.f_unaccent(patron_barcode)) FOR NO KEY UPDATE;
    IF patron_id IS NOT NULL THEN
      SELECT jsonb_agg(jsonb ORDER BY id) INTO manual_blocks
        FROM {schema}.manualblocks WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = lower(patron_id::text);
    END IF;
  END IF;
  IF proxy_barcode <> '' THEN
    SELECT id, jsonb INTO proxy_id, proxy FROM {schema}.users WHERE (lower(public.f_unaccent(jsonb->>'barcode'))) COLLATE "C" = lower(public.f_unaccent(proxy_barcode));
    IF patron_id IS NOT NULL AND proxy_id IS NOT NULL THEN
      SELECT jsonb_agg(jsonb) INTO relationships FROM {schema}.proxyfor
        WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = lower(patron_id::text) AND jsonb->>'proxyUserId' = proxy_id::text;
    END IF;
  END IF;
  IF item_id IS NOT NULL THEN
    -- As an expression: PL/pgSQL starts no query for that.
    standing := {schema}.desk_standing(item_id, instance_id);
    loan := standing.loan;
    borrower := standing.borrower;
    remaining := standing.remaining;
    queue := standing.queue;
    queued := standing.queued;
    queued_titles := standing.queued_titles;
    patron_groups := standing.patron_groups;
  END IF;
END $$;
