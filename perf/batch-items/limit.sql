-- What POST /item-storage/batch/synchronous does with 1,000 new items: their holdings are held, free
-- numbers are taken, the items are stored with their events. Making the documents is counted too: the
-- server gets them from its client.
SELECT array_agg(id)::text AS ids, array_agg(holdings)::text AS holdings, array_agg(document)::text AS documents FROM (SELECT id, holdings, replace(document, '@', id::text)::jsonb AS document FROM (SELECT gen_random_uuid() AS id, holdings, document FROM bench.batch OFFSET 0) AS new) AS made \gset
BEGIN;
SELECT id, jsonb FROM tenant_bench.holdings_record WHERE id = ANY(:holdings::uuid[]) ORDER BY id FOR SHARE;
SELECT tenant_bench.item_hrids(1000, '{}');
WITH stored AS (INSERT INTO tenant_bench.item (id, jsonb) SELECT id, jsonb FROM unnest(:ids::uuid[], :documents::jsonb[]) AS _ (id, jsonb) RETURNING id, jsonb), event AS (INSERT INTO tenant_bench.outbox (topic, key, type, old, new) SELECT 'item', id, 'CREATE', NULL, stored.jsonb || jsonb_build_object('instanceId', (SELECT told.jsonb->'instanceId' FROM tenant_bench.holdings_record AS told WHERE told.id = (stored.jsonb->>'holdingsRecordId')::uuid)) FROM stored) SELECT count(*) FROM stored;
COMMIT;
