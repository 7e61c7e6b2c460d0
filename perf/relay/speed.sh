#!/usr/bin/env bash
# The relay's speed: catching up with events that wait, the time from commit to topic at 1,000 events/s, and the
# processor time of it. perf/relay/speed.sh [EVENTS]
#
# Needs Java, Maven (at the first start), kcat, python3; OCTAVO names a program with the feature kafka.
set -euo pipefail
cd "$(dirname "$0")/../.."

events=${1:-200000}
octavo=$(realpath "${OCTAVO:-${CARGO_TARGET_DIR:-target}/release/octavo}")
port=${OCTAVO_BENCH_PORT:-9497} broker_port=${KAFKA_PORT:-19492}
work=$(mktemp -d "${TMPDIR:-/tmp}/octavo-relay-XXXXXX")
chmod 0755 "$work"
bootstrap=127.0.0.1:$broker_port
pids=()
finish() {
  for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  if [ -z "${KEEP:-}" ]; then rm -rf "$work"; else echo "kept: $work" >&2; fi
}
trap finish EXIT
program() { command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2>/dev/null | sort -V | tail -n 1; }
step() { echo "· $*" >&2; }
until_true() { # what, seconds, command
  local what=$1 ends=$((SECONDS + $2))
  shift 2
  while ! "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$ends" ]; then echo "$what took too long" >&2; KEEP=1; exit 2; fi
    sleep 0.2
  done
}

# Each message has the instant at which the broker took it.
echo "log.message.timestamp.type=LogAppendTime" >"$work/kafka.properties"
KAFKA_DATA=$work/topics-data KAFKA_PROPERTIES=$work/kafka.properties scripts/kafka.sh "${KAFKA_DIR:-$work/kafka}" "$broker_port" >"$work/kafka.log" 2>&1 &
pids=("$!")
"$octavo" serve --listen "127.0.0.1:$port" --data-dir "$work/data" --demo --kafka "$bootstrap" \
  --kafka-partitions 8 >"$work/octavo.log" 2>&1 &
server=$!
pids=("$server" "${pids[@]}")
until_true octavo 120 grep -q 'is ready' "$work/octavo.log"
until_true Kafka 180 kcat -b "$bootstrap" -L -m 2
database=$(cat "$work/data/database.url")
sql() { "$(program psql)" "$database" -XAtq -v ON_ERROR_STOP=1 "$@"; }
is_sent() {
  [ "$(sql -c "SELECT count(*) FROM (SELECT FROM tenant_diku.outbox AS event, tenant_diku.octavo_relay AS relay
    WHERE NOT pg_visible_in_snapshot(event.xact, relay.read::pg_snapshot) LIMIT 1) AS unsent")" = 0 ]
}
until_true "the demo library's events" 120 is_sent
# Events as a check-out writes them: the item before and after, of about 1 kB.
tell() { # number
  sql -c "INSERT INTO tenant_diku.outbox (topic, key, type, new, was)
    SELECT 'inventory.item', item.id, 'UPDATE', item.jsonb, '{\"status\": {\"name\": \"Available\"}}'
    FROM generate_series(1, $1 / 50) AS round, (SELECT id, jsonb FROM tenant_diku.item LIMIT 50) AS item"
}
ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }

step "catching up with $events events"
tell "$events"
before=$(ticks) began=$(date +%s%N)
until_true "catching up" 600 is_sent
took=$(awk "BEGIN { print ($(date +%s%N) - $began) / 1e9 }")
awk "BEGIN { printf \"caught up: %d events/s; %.1f µs of processor time each\n\", $events / $took, ($(ticks) - $before) * 10000 / $events }"

step "1,000 events/s for 20 s"
arrivals='
import sys, time
for line in sys.stdin:
    print(f"{time.time() * 1000:.0f} {line}", end="", flush=True)'
kcat -b "$bootstrap" -t folio.diku.inventory.item -C -o end -q -u -f '%k %T %s\n' 2>/dev/null \
  > >(python3 -c "$arrivals" >"$work/arrived") &
pids=("$!" "${pids[@]}")
sleep 2
before=$(ticks)
for _ in $(seq 20); do
  began=$(date +%s%N)
  # 20 transactions of 50 events each second, with the instant of the commit in the event.
  for _ in $(seq 20); do
    sql -c "INSERT INTO tenant_diku.outbox (topic, key, type, new)
      SELECT 'inventory.item', id, 'UPDATE', jsonb || jsonb_build_object('toldAt', (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      FROM tenant_diku.item LIMIT 50"
  done
  left=$((1000000000 - ($(date +%s%N) - began)))
  if [ "$left" -gt 0 ]; then sleep "$(awk "BEGIN { print $left / 1e9 }")"; fi
done
used=$(($(ticks) - before))
until_true "the last" 30 is_sent
sleep 2
python3 - "$work/arrived" "$used" <<'PY'
import json, sys
times = {"topic": [], "consumer": []}
for line in open(sys.argv[1], encoding="utf-8"):
    read, _, taken, text = line.split(" ", 3)
    told = json.loads(text)["new"].get("toldAt")
    # From the statement of the event, to the broker and to a consumer that has read it.
    if told is not None:
        times["topic"].append(int(taken) - told)
        times["consumer"].append(int(read) - told)
for name, all in times.items():
    all.sort()
    at = lambda share: all[min(len(all) - 1, int(len(all) * share))]
    print(f"commit to {name}: {len(all)} events, p50 {at(.5)} ms, p95 {at(.95)} ms, p99 {at(.99)} ms")
print(f"processor time of the server at 1,000 events/s: {int(sys.argv[2]) / 20:.1f} % of a core")
PY
