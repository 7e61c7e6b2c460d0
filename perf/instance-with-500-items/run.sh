# One instance with two holdings and 500 items, as the page of an instance requests it: the instance, its
# holdings, the items of each. Then any instance by its id. Sourced by perf/bench.sh.
instance_with_500_items() {
  local path body= instance holdings sum=0 p95 reached
  step "instance-with-500-items: an instance, its holdings, its items"
  # The same name in a second run on existing data.
  instance=$(sql -c "SELECT md5('instance with 500 items')::uuid")
  sql <<SQL
SET client_min_messages = warning;
INSERT INTO tenant_bench.instance (id, jsonb)
  SELECT id, (jsonb - 'matchKey') || jsonb_build_object('id', id, 'hrid', 'bench-500', 'title', 'A title of many volumes')
  FROM (SELECT jsonb, '$instance'::uuid AS id FROM (SELECT jsonb FROM tenant_bench.instance LIMIT 1) AS one) AS made
  ON CONFLICT DO NOTHING;
INSERT INTO tenant_bench.holdings_record (id, jsonb)
  SELECT id, jsonb || jsonb_build_object('id', id, 'hrid', 'bench-500-' || n, 'instanceId', '$instance')
  FROM (SELECT jsonb, n, md5('holdings of 500 items ' || n)::uuid AS id
    FROM (SELECT jsonb FROM tenant_bench.holdings_record LIMIT 1) AS one, generate_series(1, 2) AS n) AS made
  ON CONFLICT DO NOTHING;
INSERT INTO tenant_bench.item (id, jsonb)
  SELECT id, jsonb || jsonb_build_object('id', id, 'hrid', 'bench-500-' || n, 'barcode', 'bench-500-' || n,
    'holdingsRecordId', md5('holdings of 500 items ' || (n % 2 + 1))::uuid)
  FROM (SELECT jsonb, n, md5('one of 500 items ' || n)::uuid AS id
    FROM (SELECT jsonb FROM tenant_bench.item WHERE jsonb->'status'->>'name' = 'Available' LIMIT 1) AS one,
      generate_series(1, 500) AS n) AS made
  ON CONFLICT DO NOTHING;
SQL
  holdings=$(sql -c "SELECT md5('holdings of 500 items 1')::uuid")
  for path in \
    "/inventory/instances/$instance" \
    "/holdings-storage/holdings?query=instanceId==$instance&limit=1000" \
    "/inventory/items-by-holdings-id?query=holdingsRecordId==$holdings&limit=1000" \
    "/inventory/items-by-holdings-id?query=holdingsRecordId==$(sql -c "SELECT md5('holdings of 500 items 2')::uuid")&limit=1000"; do
    hammer bench "" 1 "$work/warm.json" 1
    hammer bench "" "$half" "$work/many.json" 1
    p95=$(number p95_ms "" "$work/many.json")
    sum=$(calculate "$sum + $p95")
    result "  GET ${path%%\?*}" "" "$(calculate "$(number requests_per_s "" "$work/many.json")" %.0f)" "" \
      "$(calculate "$(number p50_ms "" "$work/many.json")")" "$(calculate "$p95")" "" "" "$server_us" "$backend_us"
  done
  result "an instance, its two holdings, its 500 items" "" "" "" "" "$sum" "p95 < 60 ms" "$(verdict "$sum < 60")"
  local feeder="SELECT id FROM SCHEMA.instance ORDER BY md5(id::text) LIMIT 50000"
  sql >"$work/instances.csv" -c "COPY (${feeder//SCHEMA/tenant_bench}) TO STDOUT WITH (FORMAT csv, HEADER)"
  path='/inventory/instances/${id}'
  hammer bench "$work/instances.csv" 1 "$work/warm.json" 20
  hammer bench "$work/instances.csv" "$half" "$work/instances.json" 20
  p95=$(number p95_ms "" "$work/instances.json")
  reached=$(verdict "$p95 < 10")
  result "GET inventory/instances/{id}, 20 at once" "" "$(calculate "$(number requests_per_s "" "$work/instances.json")" %.0f)" "" \
    "$(calculate "$(number p50_ms "" "$work/instances.json")")" "$(calculate "$p95")" "p95 < 10 ms" "$reached" "$server_us" "$backend_us"
}
instance_with_500_items
