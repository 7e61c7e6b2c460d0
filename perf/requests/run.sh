# Requests placed on items with queues of 1, 100 and 1,000, and check-ins that fill one, with the data
# of its slip. Each queue has an item on loan; requesters are the sample library's patrons.
# Sourced by perf/bench.sh.
queues() { # requests in each queue, items
  sql -v length="$1" -v items="$2" <<'SQL'
SET statement_timeout = 0;
SET client_min_messages = warning;
DROP TABLE IF EXISTS bench.queue;
CREATE TABLE bench.queue AS
  SELECT row_number() OVER () AS n, item.id AS item, item.jsonb->>'barcode' AS barcode, holdings.id AS holdings,
    holdings.instanceid AS instance
  FROM tenant_bench.item AS item JOIN tenant_bench.holdings_record AS holdings ON holdings.id = item.holdingsrecordid
  WHERE item.jsonb->'status'->>'name' = 'Checked out'
    AND NOT EXISTS (SELECT FROM tenant_bench.request WHERE request.jsonb->>'itemId' = item.id::text) LIMIT :items;
-- Those who ask are other people than those who have the items.
CREATE TEMPORARY TABLE waiting AS
  SELECT gen_random_uuid() AS id, queue.*, place,
    (SELECT jsonb->>'id' FROM tenant_bench.service_point WHERE (jsonb->>'pickupLocation')::boolean LIMIT 1) AS point
  FROM bench.queue CROSS JOIN generate_series(1, :length) AS place;
INSERT INTO tenant_bench.request (id, jsonb) SELECT id, jsonb_build_object('id', id, 'requestType', 'Hold',
    'requestLevel', 'Item', 'requestDate', '2026-01-01T00:00:00.000+00:00', 'requesterId', gen_random_uuid(),
    'itemId', item, 'instanceId', instance, 'holdingsRecordId', holdings, 'status', 'Open - Not yet filled',
    'position', place, 'fulfillmentPreference', 'Hold Shelf', 'pickupServicePointId', point,
    'instance', jsonb_build_object('title', 'A title'), 'item', jsonb_build_object('barcode', barcode)) FROM waiting;
VACUUM ANALYZE tenant_bench.request;
SQL
}
requests() {
  local length bound lots errors p95 body path rows_once=1
  for length in 1 100 1000; do
    case $length in 1) bound=15 lots=400 ;; 100) bound=20 lots=100 ;; *) bound=60 lots=40 ;; esac
    step "requests: placed on $lots items that $length wait for"
    queues "$length" "$lots"
    # A patron cannot request an item twice.
    sql >"$work/wishes.csv" -c "SET statement_timeout = 0; COPY (SELECT item, instance, holdings, patron.id AS patron,
        (SELECT id FROM tenant_bench.service_point WHERE (jsonb->>'pickupLocation')::boolean LIMIT 1) AS point
      FROM (SELECT row_number() OVER (ORDER BY id) AS n, id FROM tenant_bench.users WHERE jsonb ? 'barcode'
        AND jsonb ? 'patronGroup' AND (jsonb->>'active')::boolean LIMIT 500) AS patron CROSS JOIN bench.queue
      WHERE NOT EXISTS (SELECT FROM tenant_bench.loan WHERE jsonb->>'itemId' = item::text AND jsonb->>'userId' = patron.id::text
        AND jsonb->'status'->>'name' = 'Open')
      ORDER BY patron.n, queue.n LIMIT 16000) TO STDOUT WITH (FORMAT csv, HEADER)"
    path=/circulation/requests
    body='{"requestType": "Hold", "requestLevel": "Item", "requestDate": "'$(date -u +%FT%TZ)'", "itemId": "${item}", "instanceId": "${instance}", "holdingsRecordId": "${holdings}", "requesterId": "${patron}", "pickupServicePointId": "${point}", "fulfillmentPreference": "Hold Shelf"}'
    hammer bench "$work/wishes.csv" "$((seconds > 5 ? 5 : seconds))" "$work/requests.json" 4
    errors=$(number errors "" "$work/requests.json")
    p95=$(number p95_ms "" "$work/requests.json")
    result "POST requests, a queue of $length; errors: $errors" "" "$(number requests_per_s "" "$work/requests.json" | cut -d. -f1)" "" \
      "$(calculate "$(number p50_ms "" "$work/requests.json")")" "$(calculate "$p95")" "p95 < $bound ms" \
      "$(verdict "$p95 < $bound && $errors == 0")" "$server_us" "$backend_us"
  done
  step "requests: check-ins that fill one, 20 users"
  queues 3 20000
  sql >"$work/returns.csv" -c "COPY (SELECT barcode,
      (SELECT id FROM tenant_bench.service_point WHERE (jsonb->>'pickupLocation')::boolean LIMIT 1) AS point
    FROM bench.queue) TO STDOUT WITH (FORMAT csv, HEADER)"
  path=/circulation/check-in-by-barcode
  body='{"itemBarcode": "${barcode}", "servicePointId": "${point}", "checkInDate": "'$(date -u +%FT%TZ)'"}'
  # At first each connection plans its statements repeatedly.
  head -n 1500 "$work/returns.csv" >"$work/first.csv"
  { head -n 1 "$work/returns.csv"; tail -n +1501 "$work/returns.csv"; } >"$work/rest.csv"
  hammer bench "$work/first.csv" 10 "$work/warm.json" 20
  hammer bench "$work/rest.csv" "$seconds" "$work/returns.json" 20
  errors=$(number errors "" "$work/returns.json")
  p95=$(number p95_ms "" "$work/returns.json")
  result "check-in that fills a request, 20 users; errors: $errors" "" "$(number requests_per_s "" "$work/returns.json" | cut -d. -f1)" "" \
    "$(calculate "$(number p50_ms "" "$work/returns.json")")" "$(calculate "$p95")" "p95 < 40 ms" \
    "$(verdict "$p95 < 40 && $errors == 0")" "$server_us" "$backend_us"
  step "  $(sql -c "SELECT count(*) FROM bench.queue JOIN tenant_bench.item ON item.id = queue.item WHERE item.jsonb->'status'->>'name' IN ('Awaiting pickup', 'In transit')") of $(sql -c 'SELECT count(*) FROM bench.queue') items wait on the shelf or are under way"
}
requests
