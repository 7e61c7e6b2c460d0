#!/usr/bin/env bash
# Measures a fresh server on this machine: what the database alone gives on the statement behind
# item-by-barcode, what the server gives over HTTP with token and permission check, their ratio,
# and FOLIO's check-in/check-out workload without think time. Everything in one run.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'TXT'
perf/bench.sh [--items N] [--seconds S] [--keep]
  --items N     items in the library (100000)
  --seconds S   length of each measurement (15)
  --keep        leave the data directory for a look afterwards
TXT
}

items=100000 seconds=15 keep=
while [ $# -gt 0 ]; do
  case $1 in
    --items) items=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --keep) keep=1; shift ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

octavo=${CARGO_TARGET_DIR:-target}/release/octavo
port=${OCTAVO_BENCH_PORT:-9197}
url=http://127.0.0.1:$port
work=$(mktemp -d "${TMPDIR:-/tmp}/octavo-bench-XXXXXX")
chmod 0755 "$work"
data=$work/data
server=

finish() {
  if [ -n "$server" ] && kill -TERM "$server" 2>/dev/null; then wait "$server" 2>/dev/null || true; fi
  if [ -n "$keep" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}
trap finish EXIT

find_program() {
  command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2>/dev/null | sort -V | tail -n 1
}
pgbench=$(find_program pgbench)
psql=$(find_program psql)
if [ -z "$pgbench" ] || [ -z "$psql" ]; then
  echo "pgbench and psql are needed to measure the database alone; Debian has them in postgresql and postgresql-client" >&2
  exit 2
fi

# One number of a JSON summary: the first of that name after a line that holds the second argument.
number() { awk -v key="\"$1\":" -v after="${2:-}" '
  after == "" || index($0, after) { found = 1 }
  found && $1 == key { gsub(/[",]/, "", $2); print $2; exit }' "$3"; }

step() { echo "· $*" >&2; }

step "a fresh server with a library of $items items"
export OCTAVO_DATA_DIR=$data OCTAVO_ADMIN_PASSWORD=bench
"$octavo" tenant create bench --admin bench >/dev/null
"$octavo" serve --listen "127.0.0.1:$port" >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  if grep -q 'is ready' "$work/server.log"; then break; fi
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; exit 2; }
  sleep 0.1
done
"$octavo" load sample --tenant bench --items "$items" --patrons $((items / 10)) \
  --loans $((items / 20)) >"$work/load.log"
tail -n 1 "$work/load.log" >&2
database=$(cat "$data/database.url")
{
  echo id,barcode
  "$psql" "$database" -At -c "COPY (SELECT id, jsonb->>'barcode' FROM tenant_bench.item \
    ORDER BY md5(id::text) LIMIT 50000) TO STDOUT WITH (FORMAT csv)"
} >"$work/items.csv"

limit() { # seconds
  "$pgbench" -n -M prepared -c 8 -j 2 -T "$1" -D "items=$items" -f perf/item-by-barcode/limit.sql \
    "$database" 2>/dev/null | awk '/^tps/ { print $3 }'
}
target=(--url "$url" --tenant bench --user bench --password bench)
hammer() { # name, path template
  "$octavo" workload hammer "${target[@]}" --path-template "$2" --feeder "$work/items.csv" \
    --connections 8 --duration "${seconds}s" --json="$work/$1.json" >/dev/null 2>&1
}

step "warming up"
limit 3 >/dev/null
seconds_kept=$seconds seconds=3
hammer warm "/item-storage/items/\${id}"
seconds=$seconds_kept
# The database before and after the server, so that a machine that slows down is seen.
step "the database alone: pgbench, prepared, 8 clients"
before=$(limit "$seconds")
step "GET /item-storage/items?query=barcode==… over HTTP"
hammer barcode "/item-storage/items?query=barcode==%22\${barcode}%22"
step "GET /item-storage/items/{id} over HTTP"
hammer id "/item-storage/items/\${id}"
step "the database alone once more"
after=$(limit "$seconds")

step "check-in-check-out, 20 virtual users, no think time"
"$octavo" workload run check-in-check-out "${target[@]}" --virtual-users 20 --ramp-up 2s \
  --duration "$((seconds * 2))s" --think-time none --json "$work/run.json" >/dev/null 2>"$work/run.log" ||
  { tail -n 20 "$work/run.log" >&2; }
resident=$(awk '/^VmRSS/ { print $2 / 1024 }' "/proc/$server/status")
peak=$(awk '/^VmHWM/ { print $2 / 1024 }' "/proc/$server/status")

rate_barcode=$(number requests_per_s "" "$work/barcode.json")
rate_id=$(number requests_per_s "" "$work/id.json")
limit_mean=$(awk "BEGIN { print ($before + $after) / 2 }")

row() { printf '%-44s %12s %9s %9s %9s   %s\n' "$@"; }
ms() { awk "BEGIN { printf \"%.2f\", $1 }"; }
whole() { awk "BEGIN { printf \"%.0f\", $1 }"; }
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $limit_mean }"; }
verdict() { awk "BEGIN { print ($1) ? \"met\" : \"missed\" }"; }

echo
echo "$items items, $(nproc) cores for generator, server and database; PostgreSQL $("$psql" "$database" -At -c 'SHOW server_version')"
row "one statement" "per second" "p50 ms" "p95 ms" "ratio" "aim"
row "pgbench, item by barcode (before, after)" "$(whole "$before")" "" "" "" "$(whole "$after") after"
row "GET items?query=barcode==…" "$(whole "$rate_barcode")" "$(ms "$(number p50_ms "" "$work/barcode.json")")" \
  "$(ms "$(number p95_ms "" "$work/barcode.json")")" "$(ratio "$rate_barcode")" "≥ 0.45 $(verdict "$rate_barcode >= 0.45 * $limit_mean")"
row "GET items/{id}" "$(whole "$rate_id")" "$(ms "$(number p50_ms "" "$work/id.json")")" \
  "$(ms "$(number p95_ms "" "$work/id.json")")" "$(ratio "$rate_id")" "≥ 0.45 $(verdict "$rate_id >= 0.45 * $limit_mean")"
echo
row "check-in-check-out, 20 users, no think time" "samples" "average" "p95 ms" "errors" "aim"
for part in "Check-In Controller" "Check-Out Controller" "POST_circulation/check-in-by-barcode" "POST_circulation/check-out-by-barcode"; do
  average=$(number average_ms "$part" "$work/run.json")
  case $part in
    "Check-Out Controller") aim="< 80 $(verdict "$average < 80")" ;;
    *check-out-by-barcode) aim="< 30 $(verdict "$average < 30")" ;;
    *) aim="" ;;
  esac
  row "$part" "$(number samples "$part" "$work/run.json")" "$(ms "$average")" \
    "$(ms "$(number p95_ms "$part" "$work/run.json")")" "$(number errors "$part" "$work/run.json")" "$aim"
done
echo
echo "requests per second in it: $(whole "$(number requests_per_s totals "$work/run.json")")"
echo "resident memory of octavo: $(whole "$resident") MB, at most $(whole "$peak") MB (aim < 100: $(verdict "$resident < 100"))"
