-- One pair as POST check-out-by-barcode and check-in-by-barcode send it: fourteen statements in two
-- transactions. What the server makes of what it has read (documents, ids) is made by four more
-- statements here, and one brings the row of the feed. Each client keeps to items of its own.
\set n random(0, :rows / 8 - 1) * 8 + :client_id + 1
SELECT v[1] AS barcode, v[2] AS item_id, v[3] AS instance_id, v[4] AS location, v[5] AS patron, v[6] AS patron_id,
  v[7] AS point, v[8] AS policy, v[9] AS operator, '' AS none FROM bench.feed WHERE n = :n \gset
BEGIN;
WITH found AS MATERIALIZED (SELECT item.id, holdings.instanceid
           FROM (SELECT id, jsonb FROM tenant_bench.item WHERE (lower(jsonb->>'barcode')) COLLATE "C" = lower(:barcode::text)) AS item
           JOIN tenant_bench.holdings_record AS holdings ON holdings.id = (item.jsonb->>'holdingsRecordId')::uuid),
         title AS MATERIALIZED (SELECT id FROM tenant_bench.instance
           WHERE id = (SELECT instanceid FROM found)
             AND EXISTS (SELECT FROM tenant_bench.request WHERE left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= ((SELECT instanceid::text FROM found) || ' ') COLLATE "C" AND left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < ((SELECT instanceid::text FROM found) || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')) FOR NO KEY UPDATE),
         held AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.item WHERE id = (SELECT id FROM found)
             AND (SELECT count(*) FROM title) >= 0 AND (lower(jsonb->>'barcode')) COLLATE "C" = lower(:barcode::text) FOR NO KEY UPDATE)
         SELECT held.id, held.jsonb, holdings.id, holdings.jsonb->>'copyNumber', instance.id,
           jsonb_build_object('title', instance.jsonb->'title', 'hrid', instance.jsonb->'hrid',
             'contributors', instance.jsonb->'contributors',
             'publication', instance.jsonb->'publication',
             'editions', instance.jsonb->'editions', 'series', instance.jsonb->'series',
             'physicalDescriptions', instance.jsonb->'physicalDescriptions')
         FROM held
         JOIN tenant_bench.holdings_record AS holdings ON holdings.id = (held.jsonb->>'holdingsRecordId')::uuid
         JOIN tenant_bench.instance AS instance ON instance.id = holdings.instanceid;
WITH patron AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.users WHERE (lower(public.f_unaccent(jsonb->>'barcode'))) COLLATE "C" = lower(public.f_unaccent(:patron::text)) FOR NO KEY UPDATE),
           proxy AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.users WHERE (lower(public.f_unaccent(jsonb->>'barcode'))) COLLATE "C" = lower(public.f_unaccent(:none::text)))
         SELECT (SELECT jsonb FROM patron), (SELECT jsonb FROM proxy),
           (SELECT jsonb_agg(jsonb ORDER BY id) FROM tenant_bench.manualblocks WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = lower((SELECT id::text FROM patron))),
           (SELECT jsonb_agg(jsonb) FROM tenant_bench.proxyfor WHERE left(lower(jsonb->>'userId'), 600) COLLATE "C" = lower((SELECT id::text FROM patron))
             AND jsonb->>'proxyUserId' = (SELECT id::text FROM proxy));
SELECT (SELECT xmin::text || ctid::text FROM tenant_bench.circulation_rules LIMIT 1),
           (SELECT version::text FROM tenant_bench.calendar_version), (SELECT version FROM tenant_bench.circulation_house_version), coalesce((SELECT jsonb::text FROM tenant_bench.locale LIMIT 1), (SELECT jsonb->>'value' FROM tenant_bench.config_data WHERE left(lower(jsonb->>'module'), 600) COLLATE "C" = lower('ORG') AND jsonb->>'configName' = 'localeSettings' AND jsonb->>'userId' IS NULL AND coalesce((jsonb->>'enabled')::boolean, true) ORDER BY jsonb->>'code' IS NOT NULL LIMIT 1));
WITH open_loan AS MATERIALIZED (SELECT jsonb FROM tenant_bench.loan WHERE (lower(jsonb->>'itemId')) COLLATE "C" = lower(:item_id::text) AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open' FOR NO KEY UPDATE),
         queued AS MATERIALIZED (SELECT id, row_number() OVER (PARTITION BY jsonb->>'requestLevel',
             jsonb->>'requestType', jsonb->>'status', jsonb->>'itemId' = :item_id
             ORDER BY coalesce((jsonb->>'position')::bigint, 0)) AS nth
           FROM tenant_bench.request WHERE id IN (SELECT id FROM tenant_bench.request WHERE left(lower((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= (:item_id::text || ' ') COLLATE "C" AND left(lower((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < (:item_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
             UNION ALL SELECT id FROM tenant_bench.request WHERE left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= (:instance_id::text || ' ') COLLATE "C" AND left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < (:instance_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery') AND jsonb->>'requestLevel' = 'Title')),
         queue AS MATERIALIZED (SELECT jsonb FROM tenant_bench.request
           WHERE id IN (SELECT id FROM queued WHERE nth <= 2) ORDER BY id FOR NO KEY UPDATE)
         SELECT (SELECT jsonb FROM open_loan),
           (SELECT jsonb FROM tenant_bench.users WHERE id = (SELECT (jsonb->>'userId')::uuid FROM open_loan)),
           (SELECT jsonb_agg(jsonb) FROM queue),
           (SELECT to_jsonb(coalesce(sum((jsonb->>'remaining')::numeric), 0)) FROM tenant_bench.accounts
             WHERE left(lower(jsonb->>'loanId'), 600) COLLATE "C" = lower((SELECT jsonb->>'id' FROM open_loan)) AND jsonb->'status'->>'name' = 'Open'),
           (SELECT count(*) FROM queued);
SELECT jsonb_set(jsonb, '{status}', '{"name": "Checked out", "date": "2026-11-22T10:00:00.000+00:00"}') AS item_doc,
  (jsonb->>'_version')::bigint AS version, gen_random_uuid() AS loan_id, gen_random_uuid() AS trace_id,
  '{"updatedDate": "2026-11-22T10:00:00.000+00:00"}' AS stamp, 'circulation.ITEM_CHECKED_OUT' AS topic
FROM tenant_bench.item WHERE id = :item_id::uuid \gset
SELECT jsonb_build_object('id', :loan_id::text, 'userId', :patron_id::text, 'itemId', :item_id::text,
    'itemEffectiveLocationIdAtCheckOut', :location::text, 'status', '{"name": "Open"}'::jsonb,
    'loanDate', '2026-11-22T10:00:00.000+00:00', 'dueDate', '2026-12-22T23:59:59.000+00:00', 'action', 'checkedout',
    'itemStatus', 'Checked out', 'loanPolicyId', :policy::text, 'overdueFinePolicyId', :policy::text,
    'lostItemPolicyId', :policy::text, 'checkoutServicePointId', :point::text, 'isDcb', false,
    'patronGroupIdAtCheckout', :policy::text, 'metadata', :stamp::jsonb) AS loan_doc,
  jsonb_build_object('id', :trace_id::text, 'patronId', :patron_id::text, 'loanId', :loan_id::text,
    'actionType', 'Check-out', 'metadata', :stamp::jsonb) AS session_doc,
  jsonb_build_object('userId', :patron_id::text, 'loanId', :loan_id::text, 'itemId', :item_id::text,
    'dueDate', '2026-12-22T23:59:59.000+00:00') AS event_doc,
  ARRAY[jsonb_build_object('object', 'Loan', 'action', 'Checked out', 'userBarcode', :patron::text, 'items',
    jsonb_build_array(jsonb_build_object('itemBarcode', :barcode::text, 'itemId', :item_id::text, 'instanceId',
      :instance_id::text, 'loanId', :loan_id::text)), 'servicePointId', :point::text, 'description',
      'Checked out to proxy: no.', 'linkToIds', jsonb_build_object('userId', :patron_id::text),
      'date', '2026-11-22T10:00:00.000+00:00')] AS lines \gset
WITH stored AS (INSERT INTO tenant_bench.loan (id, jsonb) SELECT sent.id, sent.jsonb FROM (SELECT :loan_id::uuid AS id, :loan_doc::jsonb AS jsonb) AS sent RETURNING id, jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'circulation.loan', id, 'CREATE', NULL, stored.jsonb FROM stored) SELECT jsonb FROM stored;
WITH old AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.item WHERE id = :item_id FOR NO KEY UPDATE), stored AS (UPDATE tenant_bench.item AS target SET jsonb = :item_doc::jsonb || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}') || :stamp::jsonb) || jsonb_build_object('_version', coalesce(:version::bigint + 1, 1)) FROM old WHERE target.id = old.id AND (old.jsonb->>'_version')::bigint IS NOT DISTINCT FROM :version::bigint RETURNING target.id, target.jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'inventory.item', id, 'UPDATE', old.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (old.jsonb->>'holdingsRecordId')::uuid)), stored.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (stored.jsonb->>'holdingsRecordId')::uuid)) FROM stored JOIN old USING (id)) SELECT old.jsonb, (SELECT stored.jsonb FROM stored), old.jsonb->>'_version' FROM old;
WITH session AS (INSERT INTO tenant_bench.patron_action_session (id, jsonb)
               SELECT :trace_id::uuid, :session_doc::jsonb WHERE :trace_id::uuid IS NOT NULL),
             log AS (INSERT INTO tenant_bench.circulation_logs (id, jsonb)
         SELECT line.id, line.jsonb || jsonb_build_object('id', line.id, 'eventId', line.event_id)
           || jsonb_strip_nulls(jsonb_build_object('source', operator.name))
         FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS jsonb
           FROM unnest(:lines::jsonb[]) AS _(one)) AS line,
         (SELECT CASE WHEN :operator::uuid IS NULL THEN 'System' ELSE (
           SELECT coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
               || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''),
             jsonb->>'username')
           FROM tenant_bench.users WHERE id = :operator) END AS name) AS operator)
             INSERT INTO tenant_bench.outbox (topic, key, type, new) VALUES (:topic, :item_id, 'CREATE', :event_doc);
COMMIT;
BEGIN;
WITH found AS MATERIALIZED (SELECT item.id, holdings.instanceid
           FROM (SELECT id, jsonb FROM tenant_bench.item WHERE (lower(jsonb->>'barcode')) COLLATE "C" = lower(:barcode::text)) AS item
           JOIN tenant_bench.holdings_record AS holdings ON holdings.id = (item.jsonb->>'holdingsRecordId')::uuid),
         title AS MATERIALIZED (SELECT id FROM tenant_bench.instance
           WHERE id = (SELECT instanceid FROM found)
             AND EXISTS (SELECT FROM tenant_bench.request WHERE left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= ((SELECT instanceid::text FROM found) || ' ') COLLATE "C" AND left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < ((SELECT instanceid::text FROM found) || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')) FOR NO KEY UPDATE),
         held AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.item WHERE id = (SELECT id FROM found)
             AND (SELECT count(*) FROM title) >= 0 AND (lower(jsonb->>'barcode')) COLLATE "C" = lower(:barcode::text) FOR NO KEY UPDATE)
         SELECT held.id, held.jsonb, holdings.id, holdings.jsonb->>'copyNumber', instance.id,
           jsonb_build_object('title', instance.jsonb->'title', 'hrid', instance.jsonb->'hrid',
             'contributors', instance.jsonb->'contributors',
             'publication', instance.jsonb->'publication',
             'editions', instance.jsonb->'editions', 'series', instance.jsonb->'series',
             'physicalDescriptions', instance.jsonb->'physicalDescriptions')
         FROM held
         JOIN tenant_bench.holdings_record AS holdings ON holdings.id = (held.jsonb->>'holdingsRecordId')::uuid
         JOIN tenant_bench.instance AS instance ON instance.id = holdings.instanceid;
SELECT (SELECT xmin::text || ctid::text FROM tenant_bench.circulation_rules LIMIT 1),
           (SELECT version::text FROM tenant_bench.calendar_version), (SELECT version FROM tenant_bench.circulation_house_version), coalesce((SELECT jsonb::text FROM tenant_bench.locale LIMIT 1), (SELECT jsonb->>'value' FROM tenant_bench.config_data WHERE left(lower(jsonb->>'module'), 600) COLLATE "C" = lower('ORG') AND jsonb->>'configName' = 'localeSettings' AND jsonb->>'userId' IS NULL AND coalesce((jsonb->>'enabled')::boolean, true) ORDER BY jsonb->>'code' IS NOT NULL LIMIT 1));
WITH open_loan AS MATERIALIZED (SELECT jsonb FROM tenant_bench.loan WHERE (lower(jsonb->>'itemId')) COLLATE "C" = lower(:item_id::text) AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open' FOR NO KEY UPDATE),
         queued AS MATERIALIZED (SELECT id, row_number() OVER (PARTITION BY jsonb->>'requestLevel',
             jsonb->>'requestType', jsonb->>'status', jsonb->>'itemId' = :item_id
             ORDER BY coalesce((jsonb->>'position')::bigint, 0)) AS nth
           FROM tenant_bench.request WHERE id IN (SELECT id FROM tenant_bench.request WHERE left(lower((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= (:item_id::text || ' ') COLLATE "C" AND left(lower((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < (:item_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery')
             UNION ALL SELECT id FROM tenant_bench.request WHERE left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" >= (:instance_id::text || ' ') COLLATE "C" AND left(lower((jsonb->>'instanceId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0')), 600) COLLATE "C" < (:instance_id::text || '!') COLLATE "C" AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit', 'Open - Awaiting delivery') AND jsonb->>'requestLevel' = 'Title')),
         queue AS MATERIALIZED (SELECT jsonb FROM tenant_bench.request
           WHERE id IN (SELECT id FROM queued WHERE nth <= 2) ORDER BY id FOR NO KEY UPDATE)
         SELECT (SELECT jsonb FROM open_loan),
           (SELECT jsonb FROM tenant_bench.users WHERE id = (SELECT (jsonb->>'userId')::uuid FROM open_loan)),
           (SELECT jsonb_agg(jsonb) FROM queue),
           (SELECT to_jsonb(coalesce(sum((jsonb->>'remaining')::numeric), 0)) FROM tenant_bench.accounts
             WHERE left(lower(jsonb->>'loanId'), 600) COLLATE "C" = lower((SELECT jsonb->>'id' FROM open_loan)) AND jsonb->'status'->>'name' = 'Open'),
           (SELECT count(*) FROM queued);
SELECT jsonb_set(jsonb, '{status}', '{"name": "Available", "date": "2026-11-22T10:00:00.000+00:00"}') AS item_doc,
  (jsonb->>'_version')::bigint AS version, gen_random_uuid() AS trace_id,
  'circulation.ITEM_CHECKED_IN' AS topic FROM tenant_bench.item WHERE id = :item_id::uuid \gset
SELECT :loan_doc::jsonb || jsonb_build_object('status', '{"name": "Closed"}'::jsonb, 'action', 'checkedin',
    'returnDate', '2026-11-22T10:00:00.000+00:00', 'systemReturnDate', '2026-11-22T10:00:00.000+00:00',
    'checkinServicePointId', :point::text, 'itemStatus', 'Available') AS loan_doc,
  jsonb_build_object('id', :trace_id::text, 'occurredDateTime', '2026-11-22T10:00:00.000+00:00', 'itemId',
    :item_id::text, 'itemStatusPriorToCheckIn', 'Checked out', 'requestQueueSize', 0, 'servicePointId',
    :point::text, 'performedByUserId', :operator::text) AS check_in_doc,
  jsonb_build_object('id', :trace_id::text, 'patronId', :patron_id::text, 'loanId', :loan_id::text,
    'actionType', 'Check-in', 'metadata', :stamp::jsonb) AS session_doc,
  jsonb_build_object('itemId', :item_id::text, 'servicePointId', :point::text, 'loanId', :loan_id::text) AS event_doc,
  ARRAY[line, jsonb_set(line, '{action}', '"Closed loan"')] AS lines
FROM (SELECT jsonb_set((:lines::jsonb[])[1], '{action}', '"Checked in"') AS line) AS _ \gset
WITH old AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.item WHERE id = :item_id FOR NO KEY UPDATE), stored AS (UPDATE tenant_bench.item AS target SET jsonb = :item_doc::jsonb || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}') || :stamp::jsonb) || jsonb_build_object('_version', coalesce(:version::bigint + 1, 1)) FROM old WHERE target.id = old.id AND (old.jsonb->>'_version')::bigint IS NOT DISTINCT FROM :version::bigint RETURNING target.id, target.jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'inventory.item', id, 'UPDATE', old.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (old.jsonb->>'holdingsRecordId')::uuid)), stored.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (stored.jsonb->>'holdingsRecordId')::uuid)) FROM stored JOIN old USING (id)) SELECT old.jsonb, (SELECT stored.jsonb FROM stored), old.jsonb->>'_version' FROM old;
WITH old AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.loan WHERE id = :loan_id FOR NO KEY UPDATE), stored AS (UPDATE tenant_bench.loan AS target SET jsonb = :loan_doc::jsonb || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}') || :stamp::jsonb) FROM old WHERE target.id = old.id RETURNING target.id, target.jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'circulation.loan', id, 'UPDATE', old.jsonb, stored.jsonb FROM stored JOIN old USING (id)) SELECT old.jsonb, (SELECT stored.jsonb FROM stored), old.jsonb->>'_version' FROM old;
WITH stored AS (INSERT INTO tenant_bench.check_in (id, jsonb) SELECT sent.id, sent.jsonb FROM (SELECT :trace_id::uuid AS id, :check_in_doc::jsonb AS jsonb) AS sent RETURNING id, jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'circulation.check-in', id, 'CREATE', NULL, stored.jsonb FROM stored) SELECT jsonb FROM stored;
WITH session AS (INSERT INTO tenant_bench.patron_action_session (id, jsonb)
               SELECT :trace_id::uuid, :session_doc::jsonb WHERE :trace_id::uuid IS NOT NULL),
             log AS (INSERT INTO tenant_bench.circulation_logs (id, jsonb)
         SELECT line.id, line.jsonb || jsonb_build_object('id', line.id, 'eventId', line.event_id)
           || jsonb_strip_nulls(jsonb_build_object('source', operator.name))
         FROM (SELECT gen_random_uuid() AS id, gen_random_uuid() AS event_id, one AS jsonb
           FROM unnest(:lines::jsonb[]) AS _(one)) AS line,
         (SELECT CASE WHEN :operator::uuid IS NULL THEN 'System' ELSE (
           SELECT coalesce(nullif(trim(jsonb->'personal'->>'lastName'), '')
               || ', ' || nullif(trim(jsonb->'personal'->>'firstName'), ''),
             jsonb->>'username')
           FROM tenant_bench.users WHERE id = :operator) END AS name) AS operator)
             INSERT INTO tenant_bench.outbox (topic, key, type, new) VALUES (:topic, :item_id, 'CREATE', :event_doc);
COMMIT;
