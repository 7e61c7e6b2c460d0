# The same workload after 10,000 loans and after LOANS (3,000,000) more: no percentile may grow with the
# loans. The open ones are those of the sample library (a twentieth of its items).
# Sourced by perf/bench.sh.
longevity() {
  local loans=${LOANS:-3000000} round part rank few many worst=0 which= ratio started=$SECONDS
  local parts="POST_circulation/check-out-by-barcode POST_circulation/check-in-by-barcode GET_circulation/loans"
  for round in few many; do
    if [ $round = many ]; then
      step "longevity: $loans closed loans with their history"
      sql -v schema=tenant_bench -v loans="$loans" -f perf/longevity/grow.sql >/dev/null
      sql -c CHECKPOINT
    fi
    step "longevity: check-in-check-out with $(sql -c "SELECT count(*) FROM tenant_bench.loan") loans, $(sql -c "SELECT count(*) FROM tenant_bench.loan WHERE left(lower(public.f_unaccent(jsonb->'status'->>'name')), 600) COLLATE \"C\" = 'open'") of them open"
    "$octavo" workload run check-in-check-out --url "$url" --tenant bench --user bench --password bench \
      --virtual-users 8 --ramp-up 2s --duration "$((seconds * 3))s" --think-time none \
      --json "$work/longevity-$round.json" >/dev/null 2>"$work/run.log" || tail -n 20 "$work/run.log" >&2
  done
  for part in "Check-In Controller" "Check-Out Controller" $parts; do
    for rank in p50_ms p95_ms p99_ms; do
      few=$(number $rank "$part" "$work/longevity-few.json")
      many=$(number $rank "$part" "$work/longevity-many.json")
      if [ -z "$few" ] || [ -z "$many" ]; then continue; fi
      ratio=$(calculate "$many / $few")
      step "  $part $rank: $few, then $many ms ($ratio)"
      if holds "$ratio > $worst"; then worst=$ratio which="$part $rank"; fi
    done
  done
  result "longevity: $which" "" "" "$worst" "" "" "≤ 1.15 of few loans" "$(verdict "$worst <= 1.15")"
  step "  $(sql -c "SELECT pg_size_pretty(sum(pg_total_relation_size(oid))) FROM pg_class WHERE relname IN ('loan', 'audit_loan') AND relnamespace = 'tenant_bench'::regnamespace") of loans and history; $((SECONDS - started)) s"
}
longevity
