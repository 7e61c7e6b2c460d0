title='POST accounts/{id}/pay, in part'
aim=0.40
aim_p95=10
path='/accounts/${account}/pay'
body='{"amount": "0.01", "notifyPatron": false, "servicePointId": "3a40852d-49fd-4df2-a1f9-6e2641a6e91f", "userName": "Desk, Jane", "paymentMethod": "Cash"}'
# Accounts that are never paid off, of patrons, about items.
sql <<SQL
SET client_min_messages = warning;
SET statement_timeout = 0;
INSERT INTO tenant_bench.accounts (id, jsonb) SELECT id, jsonb_build_object('id', id, 'amount', 1000000.0, 'remaining', 1000000.0,
    'status', '{"name": "Open"}'::jsonb, 'paymentStatus', '{"name": "Outstanding"}'::jsonb, 'feeFineType', 'Damage',
    'feeFineOwner', 'Bench', 'feeFineId', gen_random_uuid(), 'ownerId', gen_random_uuid(), 'userId', patron, 'itemId', item,
    'title', 'A book that came back wet')
  FROM (SELECT gen_random_uuid() AS id, patron.id AS patron, item.id AS item
    FROM (SELECT row_number() OVER (ORDER BY id) AS n, id FROM tenant_bench.item LIMIT 20000) AS item
    JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM tenant_bench.users LIMIT 500) AS patron
      ON patron.n = item.n % (SELECT least(500, count(*)) FROM tenant_bench.users)) AS made;
VACUUM ANALYZE tenant_bench.accounts;
SQL
feeder="SELECT id AS account, (jsonb - 'metadata')::text AS document, jsonb->>'userId' AS patron, jsonb->>'itemId' AS item
  FROM SCHEMA.accounts WHERE jsonb->>'feeFineOwner' = 'Bench' AND (jsonb->>'amount')::numeric = 1000000 LIMIT 20000"
group=1 counted=1
