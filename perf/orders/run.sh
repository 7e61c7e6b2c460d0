# FOLIO's orders performance test on the real routes, with its 5,000 orders (`octavo load sample --orders`):
# the ten queries one after the other, then orders and lines created, changed, read and deleted by 20
# users; then octavo doctor. Sourced by perf/bench.sh.
orders() {
  local name published table query part requests errors p50 p95
  step "orders: 5,000 orders with a line each"
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_orders'")" ]; then
    "$octavo" tenant create orders --admin bench >/dev/null
    "$octavo" load sample --tenant orders --items 100 --patrons 0 --loans 0 --orders 5000 >"$work/orders.log"
  fi
  step "  $(tail -n 1 "$work/orders.log")"
  "$octavo" workload run orders-queries --url "$url" --tenant orders --user bench --password bench \
    --virtual-users 1 --ramp-up 0s --duration "${seconds}s" --think-time none --json "$work/orders-queries.json" \
    >/dev/null 2>"$work/orders-queries.log" || tail -n 20 "$work/orders-queries.log" >&2
  errors=$(number errors "" "$work/orders-queries.json")
  # Beside the averages that were published for FOLIO.
  "$octavo" workload compare "$work/orders-queries.json" --baseline MODORDSTOR-85 >&2 || true
  while IFS=$'\t' read -r name published table query; do
    p50=$(number p50_ms "$name" "$work/orders-queries.json")
    result "$name" "" "" "" "$(calculate "$p50")" "$(calculate "$(number p95_ms "$name" "$work/orders-queries.json")")" \
      "p50 < 5 ms (FOLIO: $published ms)" "$(verdict "$p50 < 5")"
  done <perf/orders/queries.tsv
  result "  errors of the queries: $errors" "" "" "" "" "" "none" "$(verdict "$errors == 0")"
  "$octavo" workload run orders-crud --url "$url" --tenant orders --user bench --password bench \
    --virtual-users 20 --ramp-up 2s --duration "$((seconds * 2))s" --think-time none --json "$work/orders-crud.json" \
    >/dev/null 2>"$work/orders-crud.log" || tail -n 20 "$work/orders-crud.log" >&2
  requests=$(number requests "" "$work/orders-crud.json")
  errors=$(number errors "" "$work/orders-crud.json")
  result "orders and lines, 20 users: requests/s; errors: $errors" "" "$(calculate "$requests / ($seconds * 2)" %.0f)" "" "" "" \
    "no errors" "$(verdict "$errors == 0 && $requests > 0")"
  for part in "Order : POST" "Order : PUT" "Order : GET" "Order : DELETE" "Order-Lines : POST" "Order-Lines : PUT" \
    "Order-Lines : GET" "Order-Lines : DELETE"; do
    p95=$(number p95_ms "$part" "$work/orders-crud.json")
    result "  $part" "" "$(calculate "$(number samples "$part" "$work/orders-crud.json") / ($seconds * 2)" %.0f)" "" \
      "$(calculate "$(number p50_ms "$part" "$work/orders-crud.json")")" "$(calculate "$p95")" "p95 < 20 ms" "$(verdict "$p95 < 20")"
  done
  "$octavo" doctor --tenant orders >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
  result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
}
orders
