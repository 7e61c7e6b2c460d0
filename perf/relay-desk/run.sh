# Check-outs and check-ins while a relay publishes their events, and without, by turns in one run; then how long an
# event takes to a subscriber, beside what that one needs itself. Sourced by perf/bench.sh. Needs Java and kcat, and
# Maven where KAFKA_DIR has no broker yet (scripts/kafka.sh); the program needs the feature kafka.
relay_desk() {
  local needed
  for needed in java kcat python3; do
    if ! command -v "$needed" >/dev/null; then
      step "relay-desk: skipped, there is no $needed"
      return
    fi
  done
  local broker=127.0.0.1:$((port + 300)) desk_url=http://127.0.0.1:$((port + 1)) kafka beside users turn pace=50
  step "relay-desk: a broker"
  KAFKA_DATA=$work/topics-data scripts/kafka.sh "${KAFKA_DIR:-$work/kafka}" "${broker#*:}" >"$work/kafka.log" 2>&1 &
  kafka=$!
  relay_until "the broker" 180 kcat -b "$broker" -L -m 2
  # First as many pairs a second as a very large library makes, then as many as the processors allow.
  for users in paced 20 1; do
    local -A rates=([without]=0 [with]=0) slowest=([without]=0 [with]=0) taken=([without]=0 [with]=0)
    local errors=0
    # In the second half the other one comes first: what grows from turn to turn meets both.
    for turn in without with with without; do
      relay_beside "$turn"
      relay_pairs "$users" 2
      if [ "$turn" = with ]; then relay_until "the relay" 600 relay_has_sent; fi
      taken[$turn]=$(calculate "${taken[$turn]} - $(processor_s "$kafka")")
      relay_pairs "$users" "$seconds"
      taken[$turn]=$(calculate "${taken[$turn]} + $(processor_s "$kafka")")
      rates[$turn]=$(calculate "${rates[$turn]} + $(number requests_per_s "" "$work/pairs.json") / 4" %.2f)
      slowest[$turn]=$(calculate "${slowest[$turn]} + $(number p95_ms POST_check-out-by-barcode "$work/pairs.json") / 2" %.2f)
      errors=$((errors + $(number errors "" "$work/pairs.json")))
      kill -TERM "$beside" && wait "$beside" || true
    done
    local title="$users users"
    if [ "$users" = paced ]; then title="$pace begun a second"; fi
    result "pairs at the desk with the relay to without, $title; errors: $errors" "${rates[without]}" "${rates[with]}" \
      "$(calculate "${rates[with]} / ${rates[without]}")" "" "" "≥ 0.97" \
      "$(verdict "${rates[with]} >= 0.97 * ${rates[without]} && $errors == 0")"
    result "  POST check-out then: p95 ${slowest[without]} ms without" "" "" "" "" "${slowest[with]}" "" ""
    # It has the same processors here, and others in a library.
    result "  the broker then: of one processor" "" "" "$(calculate "${taken[with]} / ($seconds * 2)")" "" "" "" ""
  done
  kill -TERM "$kafka" && wait "$kafka" || true
  relay_delivery
}

relay_until() { # what, seconds, command
  local what=$1 ends=$((SECONDS + $2))
  shift 2
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$ends" ]; then
      echo "$what took too long; see $work" >&2
      keep=1
      return 1
    fi
    sleep 0.2
  done
}

processor_s() { # process
  awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$1/stat"
}

# A server of its own on the same database, with a relay or without. Once a relay has passed a tenant's events on,
# its acts have LOG_RECORD, too: its state is put aside where there is to be none.
relay_beside() { # with or without
  local more=()
  sql -c "SET client_min_messages = warning; CREATE TABLE IF NOT EXISTS bench.relay (LIKE tenant_bench.octavo_relay)"
  # Else the one before is taken for it.
  rm -f "$work/beside.log"
  if [ "$1" = with ]; then
    more=(--kafka "$broker" --kafka-partitions 8)
    sql -c "INSERT INTO tenant_bench.octavo_relay SELECT * FROM bench.relay ON CONFLICT DO NOTHING"
  else
    sql -c "TRUNCATE bench.relay; WITH aside AS (DELETE FROM tenant_bench.octavo_relay RETURNING *)
      INSERT INTO bench.relay SELECT * FROM aside"
  fi
  step "  $users users $1 the relay"
  "$octavo" serve --listen "${desk_url#http://}" --data-dir "$work/beside" --database-url "$(cat "$data/database.url")" \
    --operator bench "${more[@]}" >"$work/beside.log" 2>&1 &
  beside=$!
  relay_until "another server" 60 grep -q 'is ready' "$work/beside.log"
}

relay_has_sent() {
  [ "$(sql -c "SELECT count(*) FROM tenant_bench.octavo_relay AS relay WHERE NOT EXISTS
    (SELECT FROM tenant_bench.outbox AS event WHERE NOT pg_visible_in_snapshot(event.xact, relay.read::pg_snapshot))")" = 1 ]
}

relay_pairs() { # users or paced, seconds
  local load=(--virtual-users "$1" --ramp-up 0s)
  if [ "$1" = paced ]; then load=(--open --rate "$pace" --ramp-up 0s); fi
  "$octavo" workload run perf/desk/pairs.toml --url "$desk_url" --tenant bench --user bench --password bench \
    "${load[@]}" --duration "${2}s" --think-time none --json "$work/pairs.json" \
    >/dev/null 2>"$work/pairs.log" || tail -n 20 "$work/pairs.log" >&2
}

# From the event's row in the transaction of a check-out to that of its delivery.
relay_delivery() {
  local began own times p50 p95
  began=$(sql -c "SELECT clock_timestamp()")
  step "  check-outs whose events a subscriber takes"
  if ! own=$(python3 perf/relay-desk/subscriber.py "$url" bench bench bench "$((port + 2))" $((seconds * 20))); then
    step "  the subscriber failed"
    return
  fi
  times=$(sql -c "SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY
      extract(epoch FROM delivered.audit_date - created.audit_date) * 1000 - $own)
    FROM tenant_bench.pubsub_audit_message AS created
    JOIN tenant_bench.pubsub_audit_message AS delivered ON delivered.event_id = created.event_id
      AND delivered.state = 'DELIVERED'
    WHERE created.state = 'CREATED' AND created.audit_date >= '$began'")
  times=${times//[\{\}]/}
  p50=${times%,*} p95=${times#*,}
  result "delivery to a subscriber beyond its own $own ms" "" "" "" "$(calculate "$p50")" "$(calculate "$p95")" \
    "p95 < 50 ms" "$(verdict "$p95 < 50")"
}
relay_desk
