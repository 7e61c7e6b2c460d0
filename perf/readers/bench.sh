#!/usr/bin/env bash
# The cost of a read replica on one machine: GET of an item by its id without a replica and with one,
# in turns, so that a slowing machine shows. Writer and replica share the cores here, so the second
# server's gain does not show, only the price of asking the writer for its position before each read.
# Needs pg_basebackup; run it as an ordinary user or root.
set -euo pipefail
cd "$(dirname "$0")/../.."

items=${1:-20000} seconds=${2:-10} rounds=${3:-3}
octavo=${OCTAVO:-${CARGO_TARGET_DIR:-target}/release/octavo}
port=${OCTAVO_BENCH_PORT:-9297}
work=$(mktemp -d "${TMPDIR:-/tmp}/octavo-readers-XXXXXX")
chmod 0755 "$work"
pids=()

program() {
  command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2>/dev/null | sort -V | tail -n 1
}
# PostgreSQL refuses to run as root. No function: its process id would be that of a shell, and PostgreSQL would
# survive the shell's end.
unprivileged=()
if [ "$(id -u)" = 0 ]; then unprivileged=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi
finish() {
  for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

serve() { # name, port, further arguments
  local name=$1 at=$2
  shift 2
  "$octavo" serve --listen "127.0.0.1:$at" "$@" >"$work/$name.log" 2>&1 &
  pids=("$!" "${pids[@]}")
  for _ in $(seq 200); do
    if grep -q 'is ready' "$work/$name.log"; then return; fi
    sleep 0.1
  done
  cat "$work/$name.log" >&2
  exit 2
}

export OCTAVO_ADMIN_PASSWORD=bench
"$octavo" tenant create bench --admin bench --data-dir "$work/data" >/dev/null
serve plain "$port" --operator bench --data-dir "$work/data"
"$octavo" load sample --tenant bench --items "$items" --patrons 100 --loans 10 --data-dir "$work/data" >/dev/null
database=$(cat "$work/data/database.url")
{ echo id; "$(program psql)" "$database" -Atc "SELECT id FROM tenant_bench.item ORDER BY md5(id::text)"; } >"$work/items.csv"

mkdir -m 0700 "$work/socket" "$work/replica"
if [ "$(id -u)" = 0 ]; then chown postgres "$work/socket" "$work/replica"; fi
"$(program pg_basebackup)" -D "$work/replica" -d "$database" -R -c fast -X stream
if [ "$(id -u)" = 0 ]; then chown -R postgres "$work/replica"; fi
"${unprivileged[@]}" "$(program postgres)" -D "$work/replica" -c "unix_socket_directories=$work/socket" \
  -c port=5432 -c listen_addresses= >"$work/replica.log" 2>&1 &
pids=("$!" "${pids[@]}")
mkdir "$work/second"
serve reading "$((port + 1))" --operator bench --data-dir "$work/second" --database-url "$database" \
  --reader-url "postgresql:///octavo?host=$(printf %s "$work/socket" | sed 's|/|%2F|g')&user=octavo"
for _ in $(seq 100); do
  if grep -q 'a reader is up' "$work/reading.log"; then break; fi
  sleep 0.1
done

hammer() { # port, further arguments
  local at=$1
  shift
  "$octavo" workload hammer --url "http://127.0.0.1:$at" --tenant bench --user bench --password bench \
    --path-template '/item-storage/items/${id}' --feeder "$work/items.csv" --connections 8 \
    --duration "${seconds}s" --json="$work/figures.json" "$@" >/dev/null 2>&1
  awk '$1 == "\"requests_per_s\":" && !rate { gsub(/,/, "", $2); rate = $2 }
    $1 == "\"p50_ms\":" && !half { gsub(/,/, "", $2); half = $2 }
    $1 == "\"p95_ms\":" && !most { gsub(/,/, "", $2); most = $2 }
    END { printf "%8.0f per second   p50 %.2f ms   p95 %.2f ms\n", rate, half, most }' "$work/figures.json"
}
for round in $(seq "$rounds"); do
  echo "without a reader  $(hammer "$port")"
  echo "with one reader   $(hammer "$((port + 1))")"
done
token=$(curl -s "http://127.0.0.1:$port/authn/login" -H 'X-Okapi-Tenant: bench' \
  -d '{"username": "bench", "password": "bench"}' -o /dev/null -D - | tr -d '\r' | awk 'tolower($1) == "x-okapi-token:" { print $2 }')
curl -s "http://127.0.0.1:$((port + 1))/_/readers" -H 'X-Okapi-Tenant: bench' -H "X-Okapi-Token: $token"
echo
