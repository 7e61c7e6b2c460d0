# Automated blocks of patrons with 1,000 open loans and 1,000 unpaid accounts each, all six conditions
# with limits; 2 connections. Sourced by perf/bench.sh.
blocks() {
  local patrons=20 errors p95 body= path found
  step "blocks: $patrons patrons with 1,000 loans and 1,000 accounts each"
  sql -v patrons="$patrons" <<'SQL'
SET statement_timeout = 0;
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench.blocked;
CREATE TABLE bench.blocked AS SELECT gen_random_uuid() AS patron,
  (SELECT jsonb->>'patronGroup' FROM tenant_bench.users WHERE jsonb ? 'patronGroup' LIMIT 1) AS grp
  FROM generate_series(1, :patrons);
INSERT INTO tenant_bench.users (id, jsonb) SELECT patron, jsonb_build_object('id', patron, 'username', patron,
  'active', true, 'patronGroup', grp, 'personal', '{"lastName": "Reader"}'::jsonb) FROM bench.blocked;
CREATE TABLE bench.conditions_before AS SELECT * FROM tenant_bench.patron_block_conditions;
UPDATE tenant_bench.patron_block_conditions SET jsonb = jsonb
  || '{"blockBorrowing": true, "blockRenewals": true, "blockRequests": true, "message": "Please see the desk"}';
INSERT INTO tenant_bench.patron_block_limits (id, jsonb) SELECT new, jsonb_build_object('id', new, 'value', 2,
    'patronGroupId', (SELECT grp FROM bench.blocked LIMIT 1), 'conditionId', id)
  FROM (SELECT gen_random_uuid() AS new, id FROM tenant_bench.patron_block_conditions) AS made;
INSERT INTO tenant_bench.loan (id, jsonb) SELECT loan, jsonb_build_object('id', loan, 'userId', patron,
    'itemId', gen_random_uuid(), 'status', '{"name": "Open"}'::jsonb, 'action', 'checkedout', 'itemStatus', 'Checked out',
    'dueDateChangedByRecall', n % 5 = 0, 'loanDate', '2026-01-01T10:00:00.000+00:00',
    'dueDate', to_char(now() + (n - 500) * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'loanPolicyId', (SELECT id FROM tenant_bench.loan_policy LIMIT 1))
  FROM (SELECT gen_random_uuid() AS loan, patron, n FROM bench.blocked CROSS JOIN generate_series(1, 1000) AS n) AS made;
INSERT INTO tenant_bench.accounts (id, jsonb) SELECT account, jsonb_build_object('id', account, 'userId', patron,
    'amount', 2.5, 'remaining', 1.25, 'status', '{"name": "Open"}'::jsonb,
    'paymentStatus', '{"name": "Paid partially"}'::jsonb, 'feeFineId', gen_random_uuid(), 'ownerId', gen_random_uuid())
  FROM (SELECT gen_random_uuid() AS account, patron FROM bench.blocked CROSS JOIN generate_series(1, 1000)) AS made;
VACUUM ANALYZE tenant_bench.loan, tenant_bench.accounts, tenant_bench.patron_loan, tenant_bench.patron_debt;
SQL
  sql >"$work/blocked.csv" -c 'COPY (SELECT patron FROM bench.blocked) TO STDOUT WITH (FORMAT csv, HEADER)'
  path='/automated-patron-blocks/${patron}'
  hammer bench "$work/blocked.csv" 2 "$work/warm.json" 2
  hammer bench "$work/blocked.csv" "$half" "$work/blocks.json" 2
  errors=$(number errors "" "$work/blocks.json")
  p95=$(number p95_ms "" "$work/blocks.json")
  found=$(curl -s "$url/automated-patron-blocks/$(sed -n 2p "$work/blocked.csv")" -H 'X-Okapi-Tenant: bench' \
    -H "X-Okapi-Token: $(token_of bench)" | grep -c patronBlockConditionId || true)
  result "blocks of 1,000 loans and accounts: $found; errors: $errors" "" "$(number requests_per_s "" "$work/blocks.json" | cut -d. -f1)" "" \
    "$(calculate "$(number p50_ms "" "$work/blocks.json")")" "$(calculate "$p95")" "p95 < 5 ms" \
    "$(verdict "$p95 < 5 && $errors == 0 && $found > 2")" "$server_us" "$backend_us"
  sql <<'SQL'
SET statement_timeout = 0;
UPDATE tenant_bench.patron_block_conditions AS one SET jsonb = before.jsonb FROM bench.conditions_before AS before WHERE before.id = one.id;
DELETE FROM tenant_bench.patron_block_limits;
DELETE FROM tenant_bench.loan USING bench.blocked WHERE jsonb->>'userId' = patron::text;
DELETE FROM tenant_bench.accounts USING bench.blocked WHERE jsonb->>'userId' = patron::text;
DELETE FROM tenant_bench.users USING bench.blocked WHERE id = patron;
DROP TABLE bench.blocked, bench.conditions_before;
VACUUM tenant_bench.loan, tenant_bench.accounts;
SQL
}
blocks
