# Check-out and check-in by barcode alone: one user, then twenty without pauses, compared with pgbench
# on the same statements; then 75 users with FOLIO's whole workload.
# Sourced by perf/bench.sh.
pairs() { # users, seconds
  "$octavo" workload run perf/desk/pairs.toml --url "$url" --tenant bench --user bench --password bench \
    --virtual-users "$1" --ramp-up 0s --duration "${2}s" --think-time none --json "$work/pairs.json" \
    >/dev/null 2>"$work/pairs.log" || tail -n 20 "$work/pairs.log" >&2
}
pairs_result() { # words behind the title, aim for p50 and p95 in ms; what is not asked is -
  local part p50 p95 aim reached
  for part in check-out check-in; do
    p50=$(number p50_ms "POST_$part-by-barcode" "$work/pairs.json")
    p95=$(number p95_ms "POST_$part-by-barcode" "$work/pairs.json")
    if [ "$2" != - ]; then aim="p50 < $2 ms" reached=$(verdict "$p50 < $2"); fi
    if [ "$3" != - ]; then aim="p95 < $3 ms" reached=$(verdict "$p95 < $3"); fi
    result "POST $part-by-barcode, $1" "" "" "" "$(calculate "$p50")" "$(calculate "$p95")" "$aim" "$reached"
  done
}
desk() {
  local group=1 counted=1 limit= rate before after mean server_before backend_before requests errors
  step "desk: check-outs and check-ins by themselves"
  # Available items, each with a patron, a service point, a policy and the operator.
  local feeder="SELECT item.jsonb->>'barcode' AS a, item.id AS b, holdings.instanceid AS c,
      item.jsonb->>'effectiveLocationId' AS d, patron.barcode AS e, patron.id AS f,
      (SELECT id FROM SCHEMA.service_point LIMIT 1) AS g, (SELECT id FROM SCHEMA.loan_policy LIMIT 1) AS h,
      (SELECT id FROM SCHEMA.users WHERE jsonb->>'username' = 'bench') AS i
    FROM (SELECT row_number() OVER (ORDER BY id) AS n, * FROM SCHEMA.item
      WHERE jsonb->'status'->>'name' = 'Available' LIMIT 8000) AS item
    JOIN SCHEMA.holdings_record AS holdings ON holdings.id = item.holdingsrecordid
    JOIN (SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, jsonb->>'barcode' AS barcode FROM SCHEMA.users
      WHERE jsonb ? 'barcode' AND jsonb ? 'patronGroup' AND (jsonb->>'active')::boolean LIMIT 500) AS patron
      ON patron.n = item.n % (SELECT least(500, count(*)) FROM SCHEMA.users WHERE jsonb ? 'barcode'
        AND jsonb ? 'patronGroup' AND (jsonb->>'active')::boolean)"
  feed tenant_bench "$work/desk.csv"
  pairs 4 2
  pairs 1 "$half"
  pairs_result "1 user" 2 -
  limit_rate perf/desk 2 >/dev/null
  before=$(limit_rate perf/desk "$half")
  server_before=$(server_ticks) backend_before=$(backend_ticks)
  pairs 20 "$seconds"
  requests=$(number requests "" "$work/pairs.json")
  errors=$(number errors "" "$work/pairs.json")
  server_us=$(calculate "($(server_ticks) - $server_before) * 10000 / $requests" %.1f)
  backend_us=$(calculate "($(backend_ticks) - $backend_before) * 10000 / $requests" %.1f)
  after=$(limit_rate perf/desk "$half")
  mean=$(calculate "($before + $after) / 2" %.1f)
  rate=$(calculate "$requests / 2 / $seconds" %.1f)
  pairs_result "20 users" - 40
  result "pairs of check-out and check-in, 20 users" "$(calculate "$mean" %.0f)" "$(calculate "$rate" %.0f)" \
    "$(calculate "$rate / $mean")" "" "" "≥ 600/s" "$(verdict "$rate >= 600")" "$server_us" "$backend_us"
  result "  their ratio to pgbench; errors: $errors" "" "" "$(calculate "$rate / $mean")" "" "" "≥ 0.35" \
    "$(verdict "$rate >= 0.35 * $mean && $errors == 0")"
  step "  limit $before and $after pairs/s, octavo $rate"
  "$octavo" workload run check-in-check-out --url "$url" --tenant bench --user bench --password bench \
    --virtual-users 75 --ramp-up 3s --duration "$((seconds * 2))s" --think-time none --json "$work/crowd.json" \
    >/dev/null 2>"$work/crowd.log" || tail -n 20 "$work/crowd.log" >&2
  errors=$(number errors "" "$work/crowd.json")
  requests=$(calculate "($(number samples 'Check-In Controller' "$work/crowd.json") + $(number samples 'Check-Out Controller' "$work/crowd.json")) / ($seconds * 2)" %.0f)
  result "75 users: controllers/s; errors: $errors" "" "$requests" "" "" "" "≥ 200/s, no errors" \
    "$(verdict "$requests >= 200 && $errors == 0")"
  "$octavo" doctor --tenant bench >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
  result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
}
desk
