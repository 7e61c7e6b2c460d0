# POST /item-storage/batch/synchronous with 1,000 items of about 1 kB: records a second. Sourced by
# perf/bench.sh.
batch_items() {
  local path=/item-storage/batch/synchronous body rate records
  step "batch-items: POST item-storage/batch/synchronous, 1,000 items"
  body="{\"items\": [$(sql -c "SELECT string_agg((jsonb - 'hrid' - '_version' - 'metadata' - 'effectiveShelvingOrder' - 'effectiveCallNumberComponents' - 'effectiveLocationId' ||
    jsonb_build_object('id', '\${uuid()}', 'barcode', 'batch-\${uuid()}', 'status', '{\"name\": \"Available\"}'::jsonb))::text, ', ')
    FROM (SELECT jsonb FROM tenant_bench.item WHERE jsonb ? 'barcode' LIMIT 1000) AS part")]}"
  hammer bench "" 2 "$work/warm.json" 2
  hammer bench "" "$seconds" "$work/batch.json" 2
  rate=$(number requests_per_s "" "$work/batch.json")
  records=$(calculate "$rate * 1000" %.0f)
  result "POST batch of 1,000 items: records" "" "$records" "" "$(calculate "$(number p50_ms "" "$work/batch.json")")" \
    "$(calculate "$(number p95_ms "" "$work/batch.json")")" "≥ 20,000/s" "$(verdict "$records >= 20000")" \
    "$server_us" "$backend_us"
}
batch_items
