# The pick slips of a service point with 2,500 open pages, among 50,000 closed requests. The
# requests are deleted afterwards: other claims lend the items. Sourced by perf/bench.sh.
pick_slips() {
  local open=2500 closed=50000
  slips_point=$(sql -c "SET statement_timeout = 0; SELECT jsonb->>'primaryServicePoint' FROM tenant_bench.location
    WHERE id = (SELECT effectivelocationid FROM tenant_bench.item GROUP BY 1 ORDER BY count(*) DESC LIMIT 1)")
  step "pick-slips: $open pages for items of $slips_point, $closed closed requests"
  sql <<SQL
SET client_min_messages = warning;
SET statement_timeout = 0;
DELETE FROM tenant_bench.request WHERE jsonb->>'patronComments' = 'bench';
INSERT INTO tenant_bench.request (id, jsonb)
  SELECT made.id, jsonb_build_object('id', made.id, 'requestLevel', 'Item', 'requestType', 'Page',
    'requestDate', to_char(timestamp '2026-01-01' + made.n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'requesterId', patron.id, 'instanceId', made.instance, 'holdingsRecordId', made.holdings, 'itemId', made.item,
    'status', CASE WHEN made.n <= $open THEN 'Open - Not yet filled' ELSE 'Closed - Filled' END,
    'fulfillmentPreference', 'Hold Shelf', 'pickupServicePointId', '$slips_point', 'patronComments', 'bench')
  FROM (SELECT gen_random_uuid() AS id, row_number() OVER () AS n, item.id AS item, item.holdingsrecordid AS holdings,
      holdings.instanceid AS instance
    FROM (SELECT id, holdingsrecordid FROM tenant_bench.item WHERE jsonb->'status'->>'name' = 'Available'
        AND effectivelocationid IN (SELECT id FROM tenant_bench.location WHERE jsonb->>'primaryServicePoint' = '$slips_point')
        LIMIT $open + $closed) AS item
    JOIN tenant_bench.holdings_record AS holdings ON holdings.id = item.holdingsrecordid) AS made
  JOIN (SELECT id, row_number() OVER () AS n, count(*) OVER () AS all_of_them FROM tenant_bench.users
    WHERE jsonb->>'type' = 'patron') AS patron ON patron.n = made.n % patron.all_of_them + 1;
ANALYZE tenant_bench.request;
SQL
  open=$(sql -c "SELECT count(*) FROM tenant_bench.request WHERE jsonb->>'status' = 'Open - Not yet filled'")
  if [ "$open" -lt 2500 ]; then step "  there are $open pages only: load more items"; fi
  measure pick-slips
  sql -c "SET statement_timeout = 0; DELETE FROM tenant_bench.request WHERE jsonb->>'patronComments' = 'bench'; ANALYZE tenant_bench.request"
}
pick_slips
