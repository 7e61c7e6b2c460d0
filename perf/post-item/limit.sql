-- What POST /item-storage/items does: its holdings are held, then the item is stored with the next
-- free number, unless one of its keys is taken, together with its event in the outbox. The feed
-- brings the document (about 1 kB) and a new id.
\set n random(1, :rows)
SELECT id, v[1] AS holdings, replace(v[2], '@', id::text) AS document FROM (SELECT gen_random_uuid() AS id) AS new, bench.feed WHERE n = :n \gset
BEGIN;
SELECT jsonb FROM tenant_bench.holdings_record WHERE id = :holdings FOR SHARE;
WITH stored AS (INSERT INTO tenant_bench.item (id, jsonb) SELECT sent.id, CASE WHEN EXISTS (SELECT 1 FROM tenant_bench.item WHERE id = sent.id) OR EXISTS (SELECT 1 FROM (SELECT (lower(barcode_text)) COLLATE "C" AS key0 FROM (SELECT jsonb, jsonb->>'barcode' AS barcode_text FROM (SELECT sent.jsonb) AS _ (jsonb)) AS record) AS mine JOIN tenant_bench.item ON ((lower(barcode_text)) COLLATE "C") = mine.key0) THEN sent.jsonb ELSE sent.jsonb || jsonb_build_object('hrid', (tenant_bench.item_hrids(1, '{}'))[1]) END FROM (SELECT :id::uuid AS id, :document::jsonb AS jsonb) AS sent RETURNING id, jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'item', id, 'CREATE', NULL, stored.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (stored.jsonb->>'holdingsRecordId')::uuid)) FROM stored) SELECT jsonb FROM stored;
COMMIT;
