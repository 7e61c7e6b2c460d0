# NOTICES (100,000) due date notices become due at once: how many a second are decided and queued, how
# many are rendered, the duration of the longest portion, and the effect on check-ins meanwhile.
# Sourced by perf/bench.sh.
notices() {
  local many=${NOTICES:-100000} template=0ff6b0d1-8cb5-4d2e-9a44-0a5fd0f0c7b9
  local before during ratio token timer longest started left took queued_after= rendered_after= desks_end
  local due="SELECT count(*) FROM tenant_bench.scheduled_notice WHERE jsonb->'noticeConfig'->>'templateId' = '$template'"
  local queue="SELECT count(*) FROM tenant_bench.outgoing_notice"
  step "notices: desks by themselves"
  notices_desks before
  step "notices: $many that are due"
  sql -v schema=tenant_bench -v many="$many" -v template=$template -f perf/notices/due.sql >/dev/null
  many=$(sql -c "$due")
  token=$(curl -s -D - -o /dev/null "$url/authn/login" -H 'X-Okapi-Tenant: bench' -H 'Content-Type: application/json' \
    -d '{"username": "bench", "password": "bench"}' | tr -d '\r' | awk 'tolower($1) == "x-okapi-token:" { print $2 }')
  timer=$(curl -s "$url/_/proxy/tenants/bench/timers" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token" \
    | tr -d ' \n' | grep -o '"id":"[^"]*","routingEntry":{[^}]*loan-scheduled-notices-processing' | tail -n 1 | cut -d '"' -f 4)
  notices_desks during &
  desks_end=$!
  curl -s -X PATCH "$url/_/proxy/tenants/bench/timers/$timer" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token" \
    -H 'Content-Type: application/json' -d '{"unit": "second", "delay": "1"}'
  # From the first one decided to the last one rendered.
  until [ "$(sql -c "$due")" -lt "$many" ]; do sleep 0.05; done
  started=$(date +%s.%N)
  while [ -z "$rendered_after" ]; do
    sleep 0.1
    took=$(calculate "$(date +%s.%N) - $started")
    left=$(sql -c "$due")
    if [ -z "$queued_after" ] && [ "$left" = 0 ]; then queued_after=$took; fi
    if [ -n "$queued_after" ] && [ "$(sql -c "$queue")" = 0 ]; then rendered_after=$took; fi
    if holds "$took > 600"; then step "$left notices are left after ten minutes"; break; fi
  done
  wait "$desks_end" || true
  curl -s -X PATCH "$url/_/proxy/tenants/bench/timers/$timer" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token" \
    -H 'Content-Type: application/json' -d '{}'
  longest=$(grep -o 'longest_ms=[0-9]*' "$work/server.log" | cut -d = -f 2 | sort -n | tail -n 1)
  before=$(number p95_ms POST_circulation/check-out-by-barcode "$work/notices-before.json")
  during=$(number p95_ms POST_circulation/check-out-by-barcode "$work/notices-during.json")
  ratio=$(calculate "$during / $before")
  result "notices: decided on and queued" "" "$(calculate "$many / ${queued_after:-600}" %.0f)" "" "" "" "≥ 2000/s" \
    "$(verdict "$many / ${queued_after:-600} >= 2000")"
  result "notices: queued and rendered" "" "$(calculate "$many / ${rendered_after:-600}" %.0f)" "" "" "" "≥ 2000/s" \
    "$(verdict "$many / ${rendered_after:-600} >= 2000")"
  result "notices: longest portion ${longest:-?} ms" "" "" "" "" "" "< 100 ms" "$(verdict "${longest:-999} < 100")"
  result "notices: check-out meanwhile" "" "" "$ratio" "" "$(calculate "$during")" "p95 ≤ 1.2 of before" "$(verdict "$ratio <= 1.2")"
}

# The check-in/check-out workload at a steady pace, eight users.
notices_desks() { # name of the record
  "$octavo" workload run check-in-check-out --url "$url" --tenant bench --user bench --password bench \
    --virtual-users 8 --ramp-up 2s --duration "$((seconds * 3))s" \
    --json "$work/notices-$1.json" >/dev/null 2>"$work/notices-$1.log" || tail -n 20 "$work/notices-$1.log" >&2
}
notices
