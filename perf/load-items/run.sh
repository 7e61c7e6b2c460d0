# FOLIO's workload of loading the items of an instance record: 59 requests and a check-in, 20 virtual
# users without pauses. Its instances need source records, so it has a tenant of its own.
# Sourced by perf/bench.sh.
load_items() {
  local average errors library=$((items > 30000 ? 30000 : items))
  step "load-items: 59 requests for each instance, 20 virtual users, no think time"
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_titles'")" ]; then
    "$octavo" tenant create titles --admin bench >/dev/null
    "$octavo" load sample --tenant titles --items "$library" --patrons $((library / 20 + 20)) --loans 0 >"$work/titles.log"
  fi
  "$octavo" workload run load-items --url "$url" --tenant titles --user bench --password bench \
    --virtual-users 20 --ramp-up 2s --duration "$((seconds * 2))s" --think-time none \
    --json "$work/titles.json" >/dev/null 2>"$work/titles-run.log" || tail -n 20 "$work/titles-run.log" >&2
  average=$(number average_ms "Loading items on instance record" "$work/titles.json")
  errors=$(number errors "" "$work/titles.json")
  result "load-items: ${average:-?} ms; errors: ${errors:-?}" "" \
    "$(calculate "$(number samples "Loading items on instance record" "$work/titles.json") / ($seconds * 2)" %.1f)" "" "" \
    "$(calculate "$(number p95_ms "Loading items on instance record" "$work/titles.json")")" \
    "average < 120 ms, no errors" "$(verdict "${average:-999} < 120 && ${errors:-1} == 0")"
}
load_items
