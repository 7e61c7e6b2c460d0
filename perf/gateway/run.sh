# The cost of the gateway: the stages of a request, forwarding to a module in another process, and
# reads during many log-ins. Sourced by perf/bench.sh. ROUNDS and GIGABYTES set the number of rounds
# and the size of bodies.

gateway() {
  local rounds=${ROUNDS:-3} gigabytes=${GIGABYTES:-1} examples=$built/examples
  local remote=${REMOTE_MODULE:-$built/octavo-example-remote-module}
  local module_at=127.0.0.1:$((port + 3)) module_pid= token
  step "gateway: what its stages cost, the way to a remote module, reads beside log-ins"
  if [ -z "${GATEWAY_BUILT:-}" ]; then
    build_tool --package octavo-host --example gateway_cost
    build_tool --package octavo-driver --example bare_probe
    build_tool --package octavo-example-remote-module
  fi
  gateway_stages
  token=$(token_of bench)
  if start_remote_module; then
    gateway_overhead
    gateway_stream
    as_operator DELETE "/_/discovery/modules/mod-reading-lists-1.0.0" >/dev/null
    kill "$module_pid"
    wait "$module_pid" 2>/dev/null || true
  fi
  gateway_logins
}

# Processor time of one request in process, for the gateway alone: no network, no handler.
gateway_stages() {
  local round
  : >"$work/stages"
  for round in $(seq "$rounds"); do
    "$examples/gateway_cost" "$database" bench bench bench >"$work/stages.json"
    number cpu_us "" "$work/stages.json" >>"$work/stages"
    step "  stages: $(number cpu_us "" "$work/stages.json") µs of processor time, $(number wall_us "" "$work/stages.json") µs; token, tenant and permission $(number identity_us "" "$work/stages.json") µs"
  done
  local cost
  cost=$(middle_of <"$work/stages")
  result "gateway: token, tenant, permission, route" "" "" "" "" "" "≤ 15 µs of processor time" \
    "$(verdict "$cost <= 15")" "$cost"
}

as_operator() { # method, path, body
  curl -s -X "$1" "$url$2" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token" \
    -H 'Content-Type: application/json' ${3:+-d "$3"}
}

start_remote_module() {
  local answer
  "$remote" --listen "$module_at" >"$work/module.log" 2>&1 &
  module_pid=$!
  until grep -q listening "$work/module.log"; do
    kill -0 "$module_pid" 2>/dev/null || { step "  the module did not start"; return 1; }
    sleep 0.1
  done
  as_operator POST /_/proxy/modules "$("$remote" --print-descriptor)" >/dev/null
  as_operator POST /_/discovery/modules \
    "{\"srvcId\": \"mod-reading-lists-1.0.0\", \"instId\": \"bench\", \"url\": \"http://$module_at\"}" >/dev/null
  as_operator POST /_/proxy/tenants/bench/install '[{"id": "mod-reading-lists-1.0.0", "action": "enable"}]' \
    >"$work/install.json"
  # The module lost its tenants when it was stopped, the gateway did not.
  curl -s "http://$module_at/_/tenant" -H 'X-Okapi-Tenant: bench' -d '{"module_to": "mod-reading-lists-1.0.0"}'
  answer=$(curl -s -o "$work/first.json" -w '%{http_code}' "$url/reading-lists" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token")
  if [ "$answer" != 200 ]; then
    step "  the module cannot be called: $answer $(head -c 300 "$work/first.json") $(head -c 300 "$work/install.json")"
    kill "$module_pid"
    return 1
  fi
}

# The same GET directly and through the gateway in turns, 1,000 a second on one connection.
gateway_overhead() {
  local round direct through
  : >"$work/through"
  for round in $(seq "$((rounds * 2 - 1))"); do
    "$examples/bare_probe" "$module_at" /reading-lists 1000 "$half" "X-Okapi-Tenant: bench" >"$work/direct.json"
    "$examples/bare_probe" "127.0.0.1:$port" /reading-lists 1000 "$half" "X-Okapi-Tenant: bench" \
      "X-Okapi-Token: $token" >"$work/through.json"
    direct=$(number p50_us "" "$work/direct.json") through=$(number p50_us "" "$work/through.json")
    calculate "$through - $direct" "%.1f\n" >>"$work/through"
    step "  GET of a remote module: direct p50 $direct µs, through the gateway $through µs"
  done
  local added
  added=$(middle_of <"$work/through")
  result "  what it adds to a GET of a remote module" "" "" "" "$(calculate "$added / 1000" %.3f)" "" \
    "p50 $added ≤ 150 µs" "$(verdict "$added <= 150")"
}

# A body larger than memory should be, down and up, and how much the server's memory grows by it.
gateway_stream() {
  local before most direction seconds_taken began bytes=$((gigabytes * 1024 * 1024 * 1024)) curl_pid
  for direction in down up; do
    # A small body first, so that connections and buffers exist.
    stream_once $direction 10000000 >/dev/null
    before=$(server_kb) most=0 began=$(date +%s%N)
    stream_once $direction "$bytes" >"$work/streamed" &
    curl_pid=$!
    while kill -0 "$curl_pid" 2>/dev/null; do
      local now
      now=$(server_kb)
      if [ "$now" -gt "$most" ]; then most=$now; fi
      sleep 0.05
    done
    wait "$curl_pid" || true
    seconds_taken=$(calculate "($(date +%s%N) - $began) / 1e9")
    if [ "$(cat "$work/streamed")" != "$bytes" ]; then
      step "  only $(cat "$work/streamed") of $bytes bytes came through"
    fi
    result "  $gigabytes GB streamed $direction in $seconds_taken s: growth $(calculate "($most - $before) / 1024" %.1f) MB" \
      "" "" "" "" "" "< 10 MB" "$(verdict "$most - $before < 10240 && $(cat "$work/streamed") == $bytes")"
  done
}

stream_once() { # direction, bytes; prints how many came through
  local headers=(-H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token")
  if [ "$1" = down ]; then
    curl -s -o /dev/null -w '%{size_download}' "${headers[@]}" "$url/reading-lists/faults/big?bytes=$2"
  else
    head -c "$2" /dev/zero | curl -s -T - -X POST "${headers[@]}" -H 'Expect:' -H 'Content-Type: application/octet-stream' \
      "$url/reading-lists/faults/count" | sed 's/.*"bytes":\([0-9]*\).*/\1/'
  fi
}

# Reads in the open model, while 50 clients do nothing but log in.
gateway_logins() {
  local logins_pid p99 rate logins length=$((seconds * 2))
  "$octavo" workload run perf/gateway/logins.toml --url "$url" --tenant bench --user bench --password bench \
    --virtual-users 50 --ramp-up 1s --duration "$((length + 6))s" --threads 1 --json "$work/logins.json" >/dev/null 2>&1 &
  logins_pid=$!
  sleep 2
  "$octavo" workload run perf/gateway/reads.toml --url "$url" --tenant bench --user bench --password bench \
    --open --rate 5000 --virtual-users 100 --ramp-up 1s --warm-up 2s --duration "$((length + 3))s" --json "$work/reads.json" \
    >/dev/null 2>"$work/reads.log" || tail -n 5 "$work/reads.log" >&2
  wait "$logins_pid" || true
  p99=$(number p99_ms GET_item "$work/reads.json")
  rate=$(calculate "$(number samples GET_item "$work/reads.json") / $length" %.0f)
  logins=$(calculate "$(number samples POST_authn/login "$work/logins.json") / ($length + 6)" %.0f)
  result "  5,000 GET/s while 50 clients log in ($logins/s)" "" "$rate" "" "$(number p50_ms GET_item "$work/reads.json")" \
    "$(number p95_ms GET_item "$work/reads.json")" "p99 $p99 < 20 ms" "$(verdict "$p99 < 20 && $rate >= 4900")"
}

middle_of() { sort -n | awk '{ one[NR] = $1 } END { print NR ? one[int((NR + 1) / 2)] : 0 }'; }
gateway
