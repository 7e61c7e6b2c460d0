#!/usr/bin/env bash
# Kills the relay's process, the broker and the database at random while a desk works, and counts with kcat what
# has arrived: every committed change at least once, in the order of its key, and none that was rolled back.
#
#   perf/relay/faults.sh [SECONDS]        600 by default
#
# KAFKA_DIR names a folder that has the broker's programs already; its topics are not used.
# Two processes of octavo with --kafka on one PostgreSQL, one broker. Needs Java, Maven, kcat, python3, curl, pgrep and
# PostgreSQL's programs; OCTAVO names a program that was built with the feature kafka.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-600}
octavo=$(realpath "${OCTAVO:-${CARGO_TARGET_DIR:-target}/release/octavo}")
port=${OCTAVO_BENCH_PORT:-9397} broker_port=${KAFKA_PORT:-19392}
seed=${SEED:-$(date +%s)}
RANDOM=$seed
work=$(mktemp -d "${TMPDIR:-/tmp}/octavo-faults-XXXXXX")
chmod 0755 "$work"
kafka=${KAFKA_DIR:-$work/kafka}
bootstrap=127.0.0.1:$broker_port

program() { command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2>/dev/null | sort -V | tail -n 1; }
for needed in java kcat python3 curl pgrep; do
  command -v "$needed" >/dev/null || { echo "perf/relay/faults.sh needs $needed" >&2; exit 2; }
done
# PostgreSQL refuses to run as root. No function: its process id would be that of a shell, and PostgreSQL would
# survive the shell's end.
unprivileged=()
if [ "$(id -u)" = 0 ]; then unprivileged=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi
step() { echo "· $*" >&2; }

declare -A running=()
finish() {
  for name in "${!running[@]}"; do kill -TERM "${running[$name]}" 2>/dev/null || true; done
  wait 2>/dev/null || true
  if [ -z "${KEEP:-}" ]; then rm -rf "$work"; else echo "kept: $work" >&2; fi
}
trap finish EXIT

database_url="postgresql:///octavo?host=$(printf %s "$work/socket" | sed 's|/|%2F|g')&user=octavo"
start_database() {
  "${unprivileged[@]}" "$(program postgres)" -D "$work/postgres" -c "unix_socket_directories=$work/socket" \
    -c listen_addresses= -c fsync=on >>"$work/postgres.log" 2>&1 &
  running[database]=$!
}
# All its processes at once, as when a machine fails: one that lives on keeps a new server from starting.
kill_database() {
  local processes
  mapfile -t processes < <(echo "${running[database]}"; pgrep -P "${running[database]}")
  kill -KILL "${processes[@]}" 2>/dev/null || true
  wait "${running[database]}" 2>/dev/null || true
  while kill -0 "${processes[@]}" 2>/dev/null; do sleep 0.1; done
}
start_broker() {
  KAFKA_MEMORY=256m KAFKA_DATA=$work/topics-data scripts/kafka.sh "$kafka" "$broker_port" >>"$work/kafka.log" 2>&1 &
  running[broker]=$!
}
start_octavo() { # name, offset of the port
  "$octavo" serve --listen "127.0.0.1:$((port + $2))" --data-dir "$work/$1" --database-url "$database_url" \
    --kafka "$bootstrap" --kafka-partitions 5 >>"$work/$1.log" 2>&1 &
  running[$1]=$!
}
wait_for() { # what, seconds, command
  local what=$1 left=$2
  shift 2
  while ! "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    if [ "$left" -le 0 ]; then echo "$what does not answer; logs are in $work" >&2; KEEP=1; exit 2; fi
    sleep 1
  done
}
sql() { "$(program psql)" "$database_url" -XAtq -v ON_ERROR_STOP=1 "$@"; }

step "work in $work, seed $seed"
mkdir -m 0700 "$work/socket" "$work/postgres"
mkdir "$work/one" "$work/two"
if [ "$(id -u)" = 0 ]; then chown postgres "$work/socket" "$work/postgres"; fi
"${unprivileged[@]}" "$(program initdb)" -D "$work/postgres" -U octavo --auth=trust -E UTF8 --locale=C >/dev/null
start_database
wait_for PostgreSQL 30 "$(program psql)" "${database_url/\/octavo\?/\/postgres?}" -c 'SELECT 1'
"$(program psql)" "${database_url/\/octavo\?/\/postgres?}" -Xqc 'CREATE DATABASE octavo'
start_broker
"$octavo" serve --listen "127.0.0.1:$port" --data-dir "$work/one" --database-url "$database_url" --demo \
  >"$work/demo.log" 2>&1 &
running[demo]=$!
wait_for octavo 120 grep -q 'is ready' "$work/demo.log"
kill -TERM "${running[demo]}"; wait "${running[demo]}" || true
unset 'running[demo]'
wait_for Kafka 120 kcat -b "$bootstrap" -L -m 2
start_octavo one 0
start_octavo two 1
wait_for octavo 60 grep -q 'is ready' "$work/one.log"

step "the desk works for $seconds s"
python3 perf/relay/desk.py "$port" "$((port + 1))" "$seconds" >"$work/desk.log" 2>&1 &
desk=$!
declare -A kills=([one]=0 [two]=0 [broker]=0 [database]=0)
ends=$((SECONDS + seconds))
while [ "$SECONDS" -lt "$ends" ]; do
  sleep $((8 + RANDOM % 12))
  [ "$SECONDS" -lt "$ends" ] || break
  victims=(one two one two broker database)
  victim=${victims[$((RANDOM % ${#victims[@]}))]}
  step "$((ends - SECONDS)) s left: kill -9 $victim"
  if [ "$victim" = database ]; then
    kill_database
  else
    kill -KILL "${running[$victim]}" 2>/dev/null || true
    wait "${running[$victim]}" 2>/dev/null || true
  fi
  kills[$victim]=$((kills[$victim] + 1))
  sleep $((RANDOM % 4))
  case $victim in
    one) start_octavo one 0 ;;
    two) start_octavo two 1 ;;
    broker) start_broker ;;
    database) rm -f "$work/postgres/postmaster.pid"; start_database ;;
  esac
done
wait "$desk" || true
tail -n 1 "$work/desk.log" >&2

step "what is left is sent"
wait_for Kafka 120 kcat -b "$bootstrap" -L -m 2
is_sent() {
  [ "$(sql -c "SELECT count(*) FROM tenant_diku.outbox AS event, tenant_diku.octavo_relay AS relay
    WHERE NOT pg_visible_in_snapshot(event.xact, relay.read::pg_snapshot)")" = 0 ]
}
wait_for "the relay" 180 is_sent

step "what has arrived"
sql -F $'\t' -c "COPY (SELECT position, event_id, topic, key, type FROM tenant_diku.outbox ORDER BY position)
  TO STDOUT" >"$work/outbox.tsv"
kcat -b "$bootstrap" -L -J 2>/dev/null | python3 -c '
import json, sys
print("\n".join(t["topic"] for t in json.load(sys.stdin)["topics"] if t["topic"].startswith("folio.")))' >"$work/topics"
while read -r topic; do
  kcat -b "$bootstrap" -t "$topic" -C -e -q -o beginning -f '%t\t%p\t%o\t%k\t%h\n' 2>>"$work/kcat.log"
done <"$work/topics" >"$work/arrived.tsv"
python3 perf/relay/count.py "$work/outbox.tsv" "$work/arrived.tsv" server/relay/src/topics.tsv \
  "kills: ${kills[one]} and ${kills[two]} of the two servers, ${kills[broker]} of the broker, ${kills[database]} of the database"
