-- What POST /accounts/{id}/pay does: items that are lost are held, then the account; then the action, the
-- account, the line of the circulation log and the event are written. The feed brings the account's
-- document, its patron and its item; what the server makes of them is made by one more statement.
\set n random(1, :rows)
SELECT ARRAY[v[1]]::text AS accounts, ARRAY[replace(v[2], '1000000.0', '999999.99')::jsonb]::text AS documents,
  ARRAY[action]::text AS actions, '{feesfines.FEE_FINE_BALANCE_CHANGED}' AS topics,
  jsonb_build_object('updatedDate', now())::text AS updated,
  ARRAY[jsonb_build_object('userId', v[3], 'feeFineId', v[1], 'balance', 999999.99)]::text AS told,
  ARRAY[jsonb_build_object('id', action, 'typeAction', 'Paid partially', 'amountAction', 0.01, 'balance', 999999.99,
    'accountId', v[1], 'userId', v[3], 'source', 'Desk, Jane', 'paymentMethod', 'Cash', 'notify', false,
    'createdAt', '3a40852d-49fd-4df2-a1f9-6e2641a6e91f', 'dateAction', date)]::text AS acted,
  ARRAY[jsonb_build_object('object', 'Fee/fine', 'action', 'Paid partially', 'date', date, 'source', 'Desk, Jane',
    'servicePointId', '3a40852d-49fd-4df2-a1f9-6e2641a6e91f', 'description', 'Fee/Fine type: Damage. Amount: 0.01. '
    || 'Balance: 999999.99. Payment method: Cash. Additional information to staff: . Additional information to patron: .',
    'items', jsonb_build_array(jsonb_build_object('itemId', v[4])),
    'linkToIds', jsonb_build_object('userId', v[3], 'feeFineId', v[1]))]::text AS lines
  FROM bench.feed, (SELECT gen_random_uuid() AS action,
    to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') AS date) AS made WHERE n = :n \gset
BEGIN;
SELECT (account.jsonb->>'loanId')::uuid FROM tenant_bench.accounts AS account
         JOIN tenant_bench.loan AS loan ON loan.id = (account.jsonb->>'loanId')::uuid
         JOIN tenant_bench.item AS item ON item.id = (loan.jsonb->>'itemId')::uuid
         WHERE account.id = ANY(:accounts::uuid[])
           AND item.jsonb->'status'->>'name' IN ('Declared lost', 'Aged to lost')
         ORDER BY item.id FOR NO KEY UPDATE OF item;
SELECT id, jsonb FROM tenant_bench.accounts WHERE id = ANY(:accounts::uuid[]) ORDER BY id FOR NO KEY UPDATE;
WITH stored AS (INSERT INTO tenant_bench.feefineactions (id, jsonb) SELECT id, jsonb FROM unnest(:actions::uuid[], :acted::jsonb[]) AS _ (id, jsonb) RETURNING id, jsonb) SELECT count(*) FROM stored;
WITH sent AS MATERIALIZED (SELECT * FROM unnest(:accounts::uuid[], :documents::jsonb[]) WITH ORDINALITY AS _(id, jsonb, at)), old AS MATERIALIZED (SELECT id, jsonb FROM tenant_bench.accounts WHERE id = ANY(:accounts::uuid[]) ORDER BY id FOR NO KEY UPDATE), stored AS (UPDATE tenant_bench.accounts AS target SET jsonb = sent.jsonb || jsonb_build_object('metadata', coalesce(old.jsonb->'metadata', '{}') || :updated::jsonb) FROM old JOIN sent USING (id) WHERE target.id = old.id RETURNING target.id, target.jsonb) SELECT sent.id, old.id IS NOT NULL, old.jsonb->>'_version', nullif(nullif(sent.jsonb->'_version', '-1'), 'null')::text FROM sent LEFT JOIN old USING (id) LEFT JOIN stored USING (id) WHERE stored.id IS NULL ORDER BY at LIMIT 1;
INSERT INTO tenant_bench.circulation_logs (id, jsonb)
         SELECT line.id, jsonb_strip_nulls(line.jsonb || jsonb_build_object(
           'id', line.id, 'eventId', gen_random_uuid(), 'userBarcode', patron.jsonb->'barcode',
           'items', jsonb_build_array((line.jsonb->'items'->0) || jsonb_build_object(
             'holdingId', holdings.id, 'instanceId', holdings.instanceid))))
         FROM (SELECT gen_random_uuid() AS id, one AS jsonb
           FROM unnest(:lines::jsonb[]) AS _(one)) AS line
         LEFT JOIN tenant_bench.users AS patron
           ON patron.id = (line.jsonb->'linkToIds'->>'userId')::uuid
         LEFT JOIN tenant_bench.item AS item ON item.id = (line.jsonb->'items'->0->>'itemId')::uuid
         LEFT JOIN tenant_bench.holdings_record AS holdings
           ON holdings.id = (item.jsonb->>'holdingsRecordId')::uuid;
INSERT INTO tenant_bench.outbox (topic, key, type, new)
         SELECT topic, key, 'CREATE', payload
         FROM unnest(:topics::text[], :accounts::uuid[], :told::jsonb[]) WITH ORDINALITY
           AS _(topic, key, payload, at) ORDER BY at;
COMMIT;
