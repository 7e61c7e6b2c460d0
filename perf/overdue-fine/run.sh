# Late returns: loans that were due ten years ago, at service points whose calendar has known all of that
# time, with closed weekends and a hundred closed days. Each check-in computes the open hours, charges
# the fine and sends its notice; 2 connections. Sourced by perf/bench.sh.
overdue_fine() {
  local policy=cd3f6cac-fa17-4079-9fae-2fb28e521412 loans=20000 token status fined requests errors p95 body path rows_once=1
  step "overdue-fine: check-ins ten years late"
  token=$(token_of bench)
  # The sample library's own calendars would overlap.
  curl -s -X DELETE "$url/calendar/calendars?$(sql -c "SELECT string_agg('id=' || id, '&') FROM tenant_bench.calendar")" \
    -H "X-Okapi-Token: $token" -H 'X-Okapi-Tenant: bench' >/dev/null
  sql >"$work/hours.json" -c "SELECT json_build_object('name', 'Ten years', 'startDate', '2010-01-01', 'endDate', '2049-12-31',
    'assignments', (SELECT json_agg(id) FROM tenant_bench.service_point),
    'normalHours', (SELECT json_agg(json_build_object('startDay', day, 'startTime', '09:00', 'endDay', day, 'endTime', '18:30'))
      FROM unnest(ARRAY['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY']) AS day),
    'exceptions', (SELECT json_agg(json_build_object('name', 'Closed ' || day, 'startDate', day, 'endDate', day, 'openings', '[]'::json))
      FROM (SELECT (date '2015-01-01' + n * 37)::text AS day FROM generate_series(1, 100) AS n) AS days))"
  status=$(curl -s -o "$work/hours-answer" -w '%{http_code}' "$url/calendar/calendars" -H "X-Okapi-Token: $token" \
    -H 'X-Okapi-Tenant: bench' -H 'Content-Type: application/json' --data-binary "@$work/hours.json")
  if [ "$status" != 201 ]; then step "  the calendar: $status $(head -c 200 "$work/hours-answer")"; fi
  sql <<SQL
SET statement_timeout = 0;
SET client_min_messages = warning;
CREATE SCHEMA IF NOT EXISTS bench;
DROP TABLE IF EXISTS bench.policy_before, bench.late;
CREATE TABLE bench.policy_before AS SELECT * FROM tenant_bench.overdue_fine_policy WHERE id = '$policy';
UPDATE tenant_bench.overdue_fine_policy SET jsonb = jsonb || '{"countClosed": false, "maxOverdueFine": 0,
  "overdueFine": {"quantity": 0.01, "intervalId": "hour"}}' WHERE id = '$policy';
INSERT INTO tenant_bench.owners (id, jsonb) SELECT id, jsonb_build_object('id', id, 'owner', 'Bench',
    'servicePointOwner', (SELECT jsonb_agg(jsonb_build_object('value', point.id, 'label', point.jsonb->'name'))
      FROM tenant_bench.service_point AS point))
  FROM (SELECT gen_random_uuid() AS id) AS new;
CREATE TABLE bench.late AS SELECT item.id AS item, gen_random_uuid() AS loan, item.jsonb->>'barcode' AS barcode, patron.id AS patron
  FROM (SELECT row_number() OVER (ORDER BY id) AS n, id, jsonb FROM tenant_bench.item
    WHERE jsonb->'status'->>'name' = 'Available' AND jsonb ? 'barcode' LIMIT $loans) AS item
  JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM tenant_bench.users
    WHERE jsonb ? 'barcode' AND jsonb ? 'patronGroup' LIMIT 200) AS patron ON patron.n = item.n % 200;
UPDATE tenant_bench.item SET jsonb = jsonb || '{"status": {"name": "Checked out"}}' FROM bench.late WHERE item.id = late.item;
INSERT INTO tenant_bench.loan (id, jsonb) SELECT loan, jsonb_build_object('id', loan, 'userId', patron, 'itemId', item,
    'status', '{"name": "Open"}'::jsonb, 'action', 'checkedout', 'itemStatus', 'Checked out',
    'loanDate', to_char(now() - interval '10 years 30 days', 'YYYY-MM-DD"T10:00:00.000+00:00"'),
    'dueDate', to_char(now() - interval '10 years', 'YYYY-MM-DD"T10:00:00.000+00:00"'),
    'loanPolicyId', (SELECT id FROM tenant_bench.loan_policy LIMIT 1), 'overdueFinePolicyId', '$policy',
    'lostItemPolicyId', (SELECT id FROM tenant_bench.lost_item_fee_policy LIMIT 1)) FROM bench.late;
VACUUM ANALYZE tenant_bench.loan;
SQL
  loans=$(sql -c "SELECT count(*) FROM bench.late")
  sql >"$work/late.csv" -c "COPY (SELECT barcode, (SELECT id FROM tenant_bench.service_point LIMIT 1) AS desk FROM bench.late) TO STDOUT WITH (FORMAT csv, HEADER)"
  path=/circulation/check-in-by-barcode
  body='{"itemBarcode": "${barcode}", "servicePointId": "${desk}", "checkInDate": "'$(date -u +%FT%TZ)'"}'
  # Not longer than there are loans: an item that is checked in again is not late.
  hammer bench "$work/late.csv" "$((seconds > 5 ? 5 : seconds))" "$work/late.json" 2
  requests=$(number requests "" "$work/late.json")
  errors=$(number errors "" "$work/late.json")
  p95=$(number p95_ms "" "$work/late.json")
  fined=$(sql -c "SELECT count(*) FROM bench.late JOIN tenant_bench.accounts ON accounts.jsonb->>'loanId' = late.loan::text")
  result "check-in ten years late; fined $fined of $requests" "" "$(number requests_per_s "" "$work/late.json" | cut -d. -f1)" "" \
    "$(calculate "$(number p50_ms "" "$work/late.json")")" "$(calculate "$p95")" "p95 < 15 ms" \
    "$(verdict "$p95 < 15 && $errors == 0 && $fined > 0 && ($fined == $requests || $requests > $loans)")" "$server_us" "$backend_us"
  sql <<SQL
UPDATE tenant_bench.overdue_fine_policy AS policy SET jsonb = before.jsonb FROM bench.policy_before AS before WHERE before.id = policy.id;
DROP TABLE bench.policy_before, bench.late;
SQL
}
overdue_fine
