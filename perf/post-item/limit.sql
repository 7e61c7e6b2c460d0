-- What POST /item-storage/items does: its holdings are held, then the item is stored together with
-- its event in the outbox. The feed brings the document (about 1 kB) and a new id.
\set n random(1, :rows)
SELECT id, v[1] AS holdings, replace(v[2], '@', id::text) AS document FROM (SELECT gen_random_uuid() AS id) AS new, bench.feed WHERE n = :n \gset
BEGIN;
SELECT jsonb FROM tenant_bench.holdings_record WHERE id = :holdings FOR SHARE;
WITH stored AS (INSERT INTO tenant_bench.item (id, jsonb) VALUES (:id, :document::jsonb || jsonb_build_object('hrid', tenant_bench.next_item_hrid())) RETURNING id, jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'item', id, 'CREATE', NULL, jsonb FROM stored) SELECT jsonb FROM stored;
COMMIT;
