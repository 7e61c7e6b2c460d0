# The desk workload by octavo and by JMeter, in turns on the same server: do they measure the same?
# A relay makes the server as slow as a FOLIO; without it both would measure mostly themselves.
# Sourced by perf/bench.sh. AGREEMENT_ROUNDS and AGREEMENT_SECONDS set number and length of the runs,
# AGREEMENT_DELAY the relay's median delay of a response in milliseconds (0: no relay).
. perf/jmeter/jmeter.sh

agreement() {
  local rounds=${AGREEMENT_ROUNDS:-3} length=${AGREEMENT_SECONDS:-$((seconds * 3))} warm_up=20 users=20
  local delay=${AGREEMENT_DELAY:-20} desk_url=$url relay=
  local examples=$built/examples round tool files=() summary agreed compared
  step "agreement: check-in-check-out by octavo and by JMeter, $rounds times $length s each, $users users"
  if ! prepare_jmeter; then return; fi
  build_tool --package octavo-driver --example jmx_of_workload --example agreement --example slow_relay
  # A tenth of the plan's pauses: users still rarely wait for each other, but it takes less time.
  sed -E 's/_ms = ([0-9]+)0\b/_ms = \1/g' workloads/check-in-check-out.toml >"$work/desk.toml"
  for round in $(seq "$rounds"); do
    for tool in octavo jmeter; do
      rows_for_desk
      if [ "$delay" != 0 ]; then begin_relay "$work/$tool-$round-seen.jtl" || return 0; fi
      "${tool}_at_desk" "$work/$tool-$round.jtl"
      if [ "$delay" != 0 ]; then kill "$relay"; wait "$relay" 2>/dev/null || true; fi
      case $tool in
        octavo) files+=(--octavo "$work/$tool-$round.jtl") ;;
        jmeter) files+=(--other "$work/$tool-$round.jtl") ;;
      esac
      step "  round $round, $tool: $(($(wc -l <"$work/$tool-$round.jtl") - 1)) samples"
    done
  done
  "$examples/agreement" --warm-up "$warm_up" "${files[@]}" --label "Check-In Controller" --label "Check-Out Controller" \
    --label "POST_circulation/check-in-by-barcode (Submit_barcode_checkin)" \
    --label "POST_circulation/check-out-by-barcode (Submit_barcode_checkout)" >"$work/agreement"
  if [ "$delay" != 0 ]; then
    for tool in octavo jmeter; do beside_relay "$tool" >>"$work/agreement"; done
  fi
  cat "$work/agreement" >&2
  mkdir -p "$(dirname "$json")"
  cp "$work/agreement" "$(dirname "$json")/bench-agreement.txt"
  summary=$(sed -n '/^agree: / { s///p; q }' "$work/agreement")
  agreed=${summary%% of *} compared=${summary##* of }
  result "agreement with JMeter: $summary percentiles" "" "" "" "" "" "all; bench-agreement.txt" \
    "$(verdict "$agreed == $compared && $compared > 0")"
}

# The relay records the true duration of each exchange.
begin_relay() { # file
  desk_url=http://127.0.0.1:$((port + 3))
  : >"$work/relay.log"
  "$examples/slow_relay" "127.0.0.1:$((port + 3))" "127.0.0.1:$port" "$delay" "$1" >"$work/relay.log" &
  relay=$!
  until grep -q ready "$work/relay.log"; do
    kill -0 "$relay" 2>/dev/null || { step "  the relay did not start"; return 1; }
    sleep 0.1
  done
}

# Where the two differ, this shows which of them is nearer to the truth.
beside_relay() { # tool
  local round list=()
  for round in $(seq "$rounds"); do
    list+=(--octavo "$work/$1-$round-seen.jtl" --other "$work/$1-$round.jtl")
  done
  echo "beside what the relay saw of $1:"
  "$examples/agreement" --warm-up "$warm_up" "${list[@]}" --octavo-name "the relay" --other-name "$1" | grep -v '^agree'
}

# Each turn gets rows that match the library's present state: JMeter cannot reuse them.
rows_for_desk() {
  items_in Available item_barcode_availiable >"$work/available.csv"
  items_in "Checked out" item_barcodes_checkedout >"$work/checked-out.csv"
  sql >"$work/patrons.csv" -c "COPY (SELECT jsonb->>'barcode' AS user_barcode FROM tenant_bench.users
    WHERE (jsonb->>'active')::boolean AND jsonb ? 'patronGroup' AND jsonb ? 'barcode'
      AND coalesce((jsonb->>'expirationDate')::timestamptz > now(), true)
    ORDER BY random() LIMIT 20000) TO STDOUT WITH (FORMAT csv, HEADER)"
  sql >"$work/desks.csv" -c "COPY (SELECT id AS \"servicePoints_Id\" FROM tenant_bench.service_point) TO STDOUT WITH (FORMAT csv, HEADER)"
}
items_in() { # status, column
  sql -c "COPY (SELECT jsonb->>'barcode' AS $2 FROM tenant_bench.item
    WHERE jsonb->'status'->>'name' = '$1' AND jsonb ? 'barcode' ORDER BY random() LIMIT 20000)
    TO STDOUT WITH (FORMAT csv, HEADER)"
}

octavo_at_desk() { # JTL file
  "$octavo" workload run "$work/desk.toml" --url "$desk_url" --tenant bench --user bench --password bench --threads 1 \
    --virtual-users "$users" --ramp-up 1s --duration "$((length + warm_up))s" --jtl "$1" \
    --items-available "$work/available.csv" --items-checked-out "$work/checked-out.csv" \
    --users "$work/patrons.csv" --service-points "$work/desks.csv" >"$work/desk.log" 2>&1 || tail -n 20 "$work/desk.log" >&2
}
jmeter_at_desk() { # JTL file
  "$examples/jmx_of_workload" "$work/desk.toml" --url "$desk_url" --tenant bench --user bench --password bench \
    --virtual-users "$users" --ramp-up 1 --duration "$((length + warm_up))" \
    --feeder "items-available=$work/available.csv" --feeder "items-checked-out=$work/checked-out.csv" \
    --feeder "users=$work/patrons.csv" --feeder "service-points=$work/desks.csv" >"$work/desk.jmx"
  (jmeter -t "$work/desk.jmx" -l "$1") >"$work/jmeter.out" 2>&1 || tail -n 20 "$work/jmeter.out" >&2
}
agreement
