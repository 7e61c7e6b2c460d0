-- As in desk_facts.sql, with less to set up for a short queue. What stands on an item that is held: its open loan with
-- the borrower and what is left to pay on it, and the requests in the queues of item and title, as far as an act can
-- depend on them.
CREATE OR REPLACE FUNCTION {schema}.desk_standing(item_id uuid, instance_id uuid,
  OUT loan jsonb, OUT borrower jsonb, OUT remaining jsonb,
  OUT queue jsonb, OUT queued bigint, OUT queued_titles bigint, OUT patron_groups jsonb)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  waiting uuid[];
  has_titles boolean;
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
  IF cardinality(waiting) <= 8 THEN
    -- A short queue is read whole: to rank it sets up more than to read it.
    SELECT jsonb_agg(jsonb), count(*), count(*) FILTER (WHERE jsonb->>'requestLevel' = 'Title'
        AND (jsonb->>'itemId' = item_id::text) IS NOT TRUE),
        bool_or(jsonb->>'requestLevel' = 'Title')
      INTO queue, queued, queued_titles, has_titles
      FROM (SELECT jsonb FROM {schema}.request WHERE id = ANY (waiting) ORDER BY id
        FOR NO KEY UPDATE) AS held;
    IF has_titles THEN
      SELECT jsonb_object_agg(asking.value->>'id', asker.jsonb->>'patronGroup') INTO patron_groups
        FROM jsonb_array_elements(queue) AS asking (value)
        JOIN {schema}.users AS asker ON asker.id = (asking.value->>'requesterId')::uuid
        WHERE asking.value->>'requestLevel' = 'Title' AND asker.jsonb->>'patronGroup' IS NOT NULL;
    END IF;
  ELSIF waiting IS NOT NULL THEN
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
