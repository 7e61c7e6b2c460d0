# Payments on accounts, in part, 2 clients. Sourced by perf/bench.sh.
pay_account() {
  local p95 errors path='/accounts/${account}/pay'
  local body='{"amount": "0.01", "notifyPatron": false, "servicePointId": "3a40852d-49fd-4df2-a1f9-6e2641a6e91f", "userName": "Desk, Jane", "paymentMethod": "Cash"}'
  step "pay-account: payments in part"
  # Accounts of patrons, with items, that are never paid in full.
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
  sql >"$work/accounts.csv" -c "COPY (SELECT id AS account FROM tenant_bench.accounts
    WHERE jsonb->>'feeFineOwner' = 'Bench' AND (jsonb->>'amount')::numeric = 1000000) TO STDOUT WITH (FORMAT csv, HEADER)"
  hammer bench "$work/accounts.csv" 2 "$work/warm.json" 2
  hammer bench "$work/accounts.csv" "$seconds" "$work/pay.json" 2
  errors=$(number errors "" "$work/pay.json")
  p95=$(number p95_ms "" "$work/pay.json")
  result "POST accounts/{id}/pay, in part; errors: $errors" "" "$(number requests_per_s "" "$work/pay.json" | cut -d. -f1)" "" \
    "$(calculate "$(number p50_ms "" "$work/pay.json")")" "$(calculate "$p95")" "p95 < 10 ms" \
    "$(verdict "$p95 < 10 && $errors == 0")" "$server_us" "$backend_us"
}
pay_account
