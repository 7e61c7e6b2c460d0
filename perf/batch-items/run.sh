# POST /item-storage/batch/synchronous with 1,000 items of about 1 kB: records a second, compared with
# the database alone with the same SQL. Sourced by perf/bench.sh.
batch_items() {
  local path=/item-storage/batch/synchronous body rate records tps before
  step "batch-items: POST item-storage/batch/synchronous, 1,000 items"
  body="{\"items\": [$(sql -c "SELECT string_agg((jsonb - 'hrid' - '_version' - 'metadata' - 'effectiveShelvingOrder' - 'effectiveCallNumberComponents' - 'effectiveLocationId' ||
    jsonb_build_object('id', '\${uuid()}', 'barcode', 'batch-\${uuid()}', 'status', '{\"name\": \"Available\"}'::jsonb))::text, ', ')
    FROM (SELECT jsonb FROM tenant_bench.item WHERE jsonb ? 'barcode' LIMIT 1000) AS part")]}"
  sql <<SQL
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench.batch;
CREATE SCHEMA IF NOT EXISTS bench;
CREATE TABLE bench.batch AS SELECT (jsonb->>'holdingsRecordId')::uuid AS holdings,
    (jsonb || '{"id": "@", "hrid": "limit-@", "barcode": "limit-@",
      "status": {"name": "Available", "date": "2026-01-01T00:00:00.000+00:00"}}')::text AS document
  FROM tenant_bench.item WHERE jsonb ? 'barcode' LIMIT 1000;
CHECKPOINT;
SQL
  batch_limit 2 >/dev/null
  before=$(batch_limit "$half")
  sql -c CHECKPOINT
  hammer bench "" 2 "$work/warm.json" 2
  hammer bench "" "$seconds" "$work/batch.json" 2
  tps=$(calculate "($before + $(batch_limit "$half")) / 2" %.1f)
  rate=$(number requests_per_s "" "$work/batch.json")
  records=$(calculate "$rate * 1000" %.0f)
  result "POST batch of 1,000 items: records" "$(calculate "$tps * 1000" %.0f)" "$records" "$(calculate "$rate / $tps")" \
    "$(calculate "$(number p50_ms "" "$work/batch.json")")" \
    "$(calculate "$(number p95_ms "" "$work/batch.json")")" "≥ 20,000/s" "$(verdict "$records >= 20000")" \
    "$server_us" "$backend_us"
}

# Batches a second that PostgreSQL alone stores, with as many clients.
batch_limit() { # seconds
  local tps
  tps=$("$pgbench" -n -M prepared -c 2 -j 2 -T "$1" -f perf/batch-items/limit.sql "$database" 2>"$work/pgbench.log" | awk '/^tps/ { print $3 }')
  if [ -z "$tps" ]; then cat "$work/pgbench.log" >&2; return 1; fi
  echo "$tps"
}
batch_items
