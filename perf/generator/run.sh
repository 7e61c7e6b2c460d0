# The cost of the load generator, on a server that does nothing: requests a second of processor time
# compared with wrk and JMeter, what it adds to a response time, and its memory. Sourced by
# perf/bench.sh. ROUNDS, MINUTES and CONNECTIONS set the number, the length and the connections.
. perf/jmeter/jmeter.sh

generator() {
  local rounds=${ROUNDS:-3} minutes=${MINUTES:-2} connections=${CONNECTIONS:-16}
  local at=127.0.0.1:$((port + 2)) examples=$built/examples
  local own_core=$(($(nproc) - 1)) idle tool
  step "generator: against a server that does nothing, $connections connections"
  if [ "$(nproc)" -lt 2 ]; then
    step "  left out: it takes two processors, one for the server and one for the generator"
    return
  fi
  build_tool --package octavo-driver --example no_op_server --example bare_probe \
    --example jmx_of_workload
  : >"$work/no-op.log"
  taskset -c 0 "$examples/no_op_server" "$at" >"$work/no-op.log" &
  idle=$!
  until grep -q ready "$work/no-op.log"; do
    kill -0 "$idle" 2>/dev/null || { step "  the server did not start"; return; }
    sleep 0.1
  done
  { echo barcode; seq -f '%010.0f' 1 5000; } >"$work/barcodes.csv"
  "$examples/jmx_of_workload" perf/generator/records.toml --url "http://$at" --virtual-users "$connections" \
    --ramp-up 0 --duration 36000 --feeder "barcodes=$work/barcodes.csv" >"$work/records.jmx"
  generator_rates
  generator_overhead
  generator_memory
  kill "$idle"
  wait "$idle" 2>/dev/null || true
}

# The tools, each alone on one core, until they are killed.
octavo_tool() { # further arguments
  exec taskset -c "$own_core" "$octavo" workload run perf/generator/records.toml --url "http://$at" --threads 1 \
    --ramp-up 0s --feeder "barcodes=$work/barcodes.csv" "$@" >"$work/octavo.log" 2>&1
}
wrk_tool() {
  exec taskset -c "$own_core" wrk -t 1 -c "$connections" -d 36000 -H 'X-Okapi-Tenant: diku' \
    -H 'Accept: application/json' -H 'User-Agent: Mozilla/5.0 (X11; Linux x86_64)' \
    -H 'X-Okapi-Token: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.bm8tb3A' \
    "http://$at/inventory/items?query=barcode%3D%3D%220010104729%22&limit=1" >"$work/wrk.log" 2>&1
}
jmeter_tool() {
  taskset -pc "$own_core" $BASHPID >/dev/null
  jmeter -t "$work/records.jmx" >"$work/jmeter.out" 2>&1
}

served() { curl -s "http://$at/_/served"; }
ticks_of() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# Starts a tool, lets it warm up, and then measures the server's responses and the tool's processor
# time: alike for all tools, and without the cost of their start.
tool_rate() { # tool, seconds of warm-up, further arguments; sets per_s and per_core_s
  local tool=$1 warm=$2 pid requests begun ticks now
  shift 2
  "$tool" "$@" &
  pid=$!
  sleep "$warm"
  if ! kill -0 "$pid" 2>/dev/null; then step "  $tool ended at once"; per_s=0 per_core_s=0; return; fi
  begun=$(date +%s%N) requests=$(served) ticks=$(ticks_of "$pid")
  sleep "$seconds"
  now=$(date +%s%N) requests=$(($(served) - requests)) ticks=$(($(ticks_of "$pid") - ticks))
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  kill -KILL "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  per_s=$(calculate "$requests * 1e9 / ($now - $begun)" %.0f)
  per_core_s=$(calculate "$ticks > 0 ? $requests * 100 / $ticks : 0" %.0f)
  step "  ${tool%_tool}: $per_s/s, $per_core_s for each second of processor time"
}

middle() { sort -n | awk '{ one[NR] = $1 } END { print NR ? one[int((NR + 1) / 2)] : 0 }'; }

generator_rates() {
  local tools=octavo_tool round per_s per_core_s ours theirs
  if command -v wrk >/dev/null; then tools+=" wrk_tool"; else step "  wrk is not there: no comparison with it"; fi
  if prepare_jmeter; then tools+=" jmeter_tool"; fi
  # The median of no measurements is 0.
  for tool in octavo_tool wrk_tool jmeter_tool; do : >"$work/$tool.rates"; done
  for round in $(seq "$rounds"); do
    for tool in $tools; do
      case $tool in
        octavo_tool) tool_rate $tool 3 --virtual-users "$connections" --duration 10h ;;
        jmeter_tool) tool_rate $tool 20 ;;
        *) tool_rate $tool 2 ;;
      esac
      echo "$per_core_s" >>"$work/$tool.rates"
    done
  done
  ours=$(middle <"$work/octavo_tool.rates")
  result "generator: requests per core second" "" "$ours" "" "" "" "≥ 25000" "$(verdict "$ours >= 25000")"
  theirs=$(middle <"$work/wrk_tool.rates")
  if [ "$theirs" != 0 ]; then
    result "  to wrk" "$theirs" "$ours" "$(calculate "$ours / $theirs")" "" "" "≥ 0.3" "$(verdict "$ours >= 0.3 * $theirs")"
  fi
  theirs=$(middle <"$work/jmeter_tool.rates")
  if [ "$theirs" != 0 ]; then
    result "  to JMeter" "$theirs" "$ours" "$(calculate "$ours / $theirs")" "" "" "≥ 3" "$(verdict "$ours >= 3 * $theirs")"
  fi
}

# The generator and a bare blocking connection in turns, both at 2,000 requests a second. What the
# generator measures beyond the other is its own overhead; of its three requests the slowest counts.
generator_overhead() {
  local round p50 p99 bare50 bare99
  for round in $(seq "$((rounds * 2 - 1))"); do
    taskset -c "$own_core" "$examples/bare_probe" "$at" '/inventory/items' 2000 "$half" >"$work/probe.json"
    (octavo_tool --open --rate 667 --virtual-users "$connections" --warm-up 1s --duration "$((half + 1))s" \
      --json "$work/open.json") || true
    bare50=$(number p50_us "" "$work/probe.json") bare99=$(number p99_us "" "$work/probe.json")
    p50=$(slowest p50_ms) p99=$(slowest p99_ms)
    echo "$(calculate "$p50 - $bare50 / 1000" %.3f) $(calculate "$p99 - $bare99 / 1000" %.3f)" >>"$work/overheads"
    step "  2,000 requests/s: bare p50 $bare50 µs, p99 $bare99 µs; octavo p50 $p50 ms, p99 $p99 ms"
  done
  p50=$(awk '{ print $1 }' "$work/overheads" | middle) p99=$(awk '{ print $2 }' "$work/overheads" | middle)
  result "  its own share of a response time" "" "" "" "$p50" "" "p99 $p99 < 1 ms" "$(verdict "$p99 < 1")"
}

# The largest of a statistic over the labels of the run's requests: the first one after each label is
# from sending to the last byte.
slowest() { # statistic
  awk -v key="\"$1\":" '$1 == "\"label\":" { wanted = 1 } wanted && $1 == key {
    gsub(/,/, "", $2); if ($2 + 0 > most) most = $2 + 0; wanted = 0 } END { print most + 0 }' "$work/open.json"
}

# Resident memory every second of a run of 2,000 requests/s; the slope is that of its second half.
generator_memory() {
  local pid most slope last in_an_hour
  octavo_tool --open --rate 667 --virtual-users 100 --duration "${minutes}m" --json "$work/long.json" &
  pid=$!
  : >"$work/memory"
  while kill -0 "$pid" 2>/dev/null; do
    awk -v now="$SECONDS" '/^VmRSS/ { print now, $2 }' "/proc/$pid/status" >>"$work/memory" 2>/dev/null || true
    sleep 1
  done
  wait "$pid" || true
  awk 'NR == 1 { begin = $1 } { at = int(($1 - begin) / 60); most[at] = $2; if (at > last) last = at }
    END { for (at = 0; at <= last; at++) printf "%s%d", (at ? ", " : ""), most[at] / 1024; print "" }' "$work/memory" >"$work/minutes"
  step "  memory in MB, minute by minute: $(cat "$work/minutes")"
  most=$(awk '$2 > most { most = $2 } END { print most / 1024 }' "$work/memory")
  slope=$(awk '{ at[NR] = $1; kb[NR] = $2 } END {
    for (i = int(NR / 2) + 1; i <= NR; i++) { n++; x += at[i]; y += kb[i]; xx += at[i] ^ 2; xy += at[i] * kb[i] }
    print (n * xy - x * y) / (n * xx - x * x) * 60 / 1024 }' "$work/memory")
  in_an_hour=$(calculate "$most + ($slope > 0 ? $slope : 0) * ($minutes < 60 ? 60 - $minutes : 0)" %.0f)
  result "  its memory after $minutes min at 2,000/s" "" "$(calculate "$(number requests_per_s "" "$work/long.json")" %.0f)" "" "" "" \
    "$(calculate "$most" %.0f) MB, in an hour $in_an_hour < 200 MB" "$(verdict "$in_an_hour < 200")"
}
generator
