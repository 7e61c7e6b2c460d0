# An item lent, renewed, requested, returned, picked up and returned late, and a fee paid, by 20 users
# with an item each; then octavo doctor. Sourced by perf/bench.sh.
mixed() {
  local part requests errors
  step "mixed: lend-request-pay, 20 virtual users"
  "$octavo" workload run lend-request-pay --url "$url" --tenant bench --user bench --password bench \
    --virtual-users 20 --ramp-up 2s --duration "$((seconds * 2))s" --think-time none --json "$work/mixed.json" \
    >/dev/null 2>"$work/mixed.log" || tail -n 20 "$work/mixed.log" >&2
  requests=$(number requests "" "$work/mixed.json")
  errors=$(number errors "" "$work/mixed.json")
  result "lend-request-pay, 20 users: requests/s; errors: $errors" "" "$(calculate "$requests / ($seconds * 2)" %.0f)" "" "" "" \
    "no errors" "$(verdict "$errors == 0 && $requests > 0")"
  for part in "POST_circulation/check-out-by-barcode" "POST_circulation/renew-by-barcode" "POST_circulation/requests" \
    "POST_circulation/check-in-by-barcode, for the requester" "POST_circulation/check-in-by-barcode, late" "POST_accounts/{id}/pay, a part"; do
    result "  $part" "" "$(calculate "$(number samples "$part" "$work/mixed.json") / ($seconds * 2)" %.0f)" "" \
      "$(calculate "$(number p50_ms "$part" "$work/mixed.json")")" "$(calculate "$(number p95_ms "$part" "$work/mixed.json")")" "" ""
  done
  "$octavo" doctor --tenant bench >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
  result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
}
mixed
