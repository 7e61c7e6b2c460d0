#!/usr/bin/env bash
# Measures a fresh server on this machine against its database alone with the same statements, in one
# run: each claim is a folder beside this file. Prints which aims are met; a missed aim is not a
# failure.
set -euo pipefail
cd "$(dirname "$0")/.."
. perf/lib.sh

# Claims with a limit that pgbench measures, and those with a run.sh of their own.
limited="item-by-id item-by-barcode inventory-item-by-barcode items-by-20-ids keyword search-by-title search-facets post-item"
special="items-by-1000-ids instance-with-500-items batch-items orders acquisitions load-items move-holdings search pick-slips retrieval-queue desk requests blocks pay-account mixed longevity circulation overdue-fine notices parse-marc load-marc formatted-record marc-search export-marc generator agreement gateway catalogue users-by-words orders-million relay-desk"
all="$limited $special"
# Libraries of their own, half as large again, with as many users, with as many orders; a broker of Kafka: only on
# request.
apart="catalogue users-by-words orders-million relay-desk"

usage() {
  cat <<TXT
perf/bench.sh [--items N] [--seconds S] [--only CLAIM,…] [--json FILE] [--keep] [--data DIR]
  --items N     items of the library, and as many instances (1000000)
  --seconds S   length of each measurement (10)
  --only …      some of: ${all// /, }; all but ${apart} without it
  --json FILE   where the figures go as JSON (target/bench.json)
  --keep        leave the data directory for a look afterwards, or for --data
  --data DIR    measure the data directory that an earlier run kept; nothing is loaded
TXT
}

items=1000000 seconds=10 only=${all%% $apart} keep= kept= json=${CARGO_TARGET_DIR:-target}/bench.json
only=${only// /,}
while [ $# -gt 0 ]; do
  case $1 in
    --items) items=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --json) json=$2; shift 2 ;;
    --keep) keep=1; shift ;;
    --data) kept=$2; shift 2 ;;
    --help | -h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
for claim in ${only//,/ }; do
  [[ " $all " == *" $claim "* ]] || { echo "there is no claim $claim" >&2; usage >&2; exit 2; }
done
if [ -n "$kept" ] && [ ! -d "$kept/cluster" ]; then
  echo "--data $kept: no earlier run has kept its data there (--keep)" >&2
  exit 2
fi
wanted() { [[ ",$only," == *",$1,"* ]]; }

# Another program to compare with, for instance that of the last release.
octavo=${OCTAVO:-$built/octavo}
if [ -n "${OCTAVO:-}" ]; then step "measured: $octavo, as it is"; else step "measured: $octavo, profile $profile"; fi
port=${OCTAVO_BENCH_PORT:-9197}
url=http://127.0.0.1:$port
work=$(mktemp -d "${TMPDIR:-/tmp}/octavo-bench-XXXXXX")
chmod 0755 "$work"
data=${kept:-$work/data}
server=

finish() {
  if [ -n "$server" ] && kill -TERM "$server" 2>/dev/null; then wait "$server" 2>/dev/null || true; fi
  # Processes that a claim started and could not end.
  local job
  for job in $(jobs -pr); do kill "$job" 2>/dev/null || true; done
  if [ -n "$keep" ]; then echo "kept: $data"; else rm -rf "$work"; fi
}
trap finish EXIT

pgbench=$(find_program pgbench)
psql=$(find_program psql)
if [ -z "$pgbench" ] || [ -z "$psql" ]; then
  echo "pgbench and psql are needed to measure the database alone; Debian has them in postgresql and postgresql-client" >&2
  exit 2
fi

export OCTAVO_DATA_DIR=$data OCTAVO_ADMIN_PASSWORD=bench
if [ -z "$kept" ]; then
  step "a fresh cluster with two tenants"
  "$octavo" tenant create bench --admin bench >/dev/null
  "$octavo" tenant create small --admin bench >/dev/null
fi
"$octavo" serve --listen "127.0.0.1:$port" --operator bench >"$work/server.log" 2>&1 &
server=$!
for _ in $(seq 100); do
  if grep -q 'is ready' "$work/server.log"; then break; fi
  kill -0 "$server" 2>/dev/null || { cat "$work/server.log" >&2; exit 2; }
  sleep 0.1
done
# As superuser, to reset statistics and to fill tables without their triggers.
database=$(cat "$data/superuser.url")
sql -c 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements' >/dev/null 2>&1 || true

load() { # tenant, items
  step "a library of $2 instances with one item each for tenant $1"
  "$octavo" load sample --tenant "$1" --items "$2" --one-item-each --without-marc \
    --patrons $(($2 / 20 > 10000 ? 10000 : $2 / 20)) --loans $(($2 / 20)) >"$work/load.log"
  tail -n 1 "$work/load.log" >&2
}
if [ -z "$kept" ]; then
  few=$((items > 10000 ? 10000 : items))
  load small "$few"
  others=$only
  for claim in catalogue users-by-words orders-million; do others=${others//$claim/}; done
  # Claims with a library of their own need no large one beside it.
  if [ -n "${others//,/}" ]; then load bench "$items"; else load bench "$few"; fi
else
  items=$(sql -c "SELECT count(*) FROM tenant_bench.instance")
fi
# The directory of the claims' input files.
sql -c 'CREATE SCHEMA IF NOT EXISTS bench' 2>/dev/null
sql -c CHECKPOINT
about=$(sql -c "SELECT format('%s bytes as text, %s stored', avg(length(jsonb::text))::int, avg(pg_column_size(jsonb))::int)
  FROM (SELECT jsonb FROM tenant_bench.item LIMIT 10000) AS part")

begin_results
half=$(((seconds + 1) / 2))

# A claim with a limit: pgbench, the server, pgbench, so that a slowing machine shows.
measure() { # claim
  local tenant=bench aim_p95= body= limit= scales= hits= connections=8 plans=auto settle=$half feeder group counted title aim path
  . "perf/$1/claim.sh"
  local csv=$work/feed.csv before after mean rate p50 p95 same=yes one reached aims
  step "$1: $title"
  feed "tenant_$tenant" "$csv"
  if [ -n "$hits" ]; then
    step "  hits of a search, least|median|most: $(sql -c "SET statement_timeout = 0; ${hits//SCHEMA/tenant_$tenant}")"
  fi
  limit_rate "perf/$1" 2 >/dev/null
  hammer "$tenant" "$csv" 2 "$work/warm.json" "$connections"
  forget_statements
  before=$(limit_rate "perf/$1" "$settle")
  statements "tenant_$tenant" pgbench >"$work/theirs"
  forget_statements
  hammer "$tenant" "$csv" "$seconds" "$work/$1.json" "$connections"
  statements "tenant_$tenant" server >"$work/ours"
  local cost_server=$server_us cost_backend=$backend_us
  after=$(limit_rate "perf/$1" "$settle")
  while read -r one; do
    grep -qx -- "$one" "$work/ours" || same=no
  done <"$work/theirs"
  if [ ! -s "$work/theirs" ]; then same=unknown; fi
  if [ $same = no ]; then step "  the server sends other SQL than perf/$1/limit.sql: the ratio means nothing"; fi
  mean=$(calculate "($before + $after) / 2" %.1f)
  rate=$(number requests_per_s "" "$work/$1.json")
  p50=$(number p50_ms "" "$work/$1.json")
  p95=$(number p95_ms "" "$work/$1.json")
  reached="$rate >= $aim * $mean && \"$same\" != \"no\"" aims="≥ $aim"
  if [ -n "$aim_p95" ]; then
    reached+=" && $p95 < $aim_p95" aims+=", p95 < $aim_p95 ms"
  fi
  result "$title" "$(calculate "$mean" %.0f)" "$(calculate "$rate" %.0f)" "$(calculate "$rate / $mean")" \
    "$(calculate "$p50")" "$(calculate "$p95")" "$aims" "$(verdict "$reached")" \
    "$cost_server" "$cost_backend"
  step "  limit $before and $after/s, octavo $rate/s; same SQL: $same"
  if [ -n "$scales" ]; then scale "$1" "$csv"; fi
}

# The same requests on 10,000 rows and on all of them, in turns.
scale() { # claim, CSV file of the large tenant
  local small_csv=$work/small.csv large=0 little=0 round
  sql >"$small_csv" -c "COPY (${feeder//SCHEMA/tenant_small}) TO STDOUT WITH (FORMAT csv, HEADER)"
  hammer small "$small_csv" 2 "$work/warm.json"
  for round in 1 2; do
    hammer small "$small_csv" "$half" "$work/$1-small-$round.json"
    hammer bench "$2" "$half" "$work/$1-large-$round.json"
    little=$(calculate "$little + $(number requests_per_s "" "$work/$1-small-$round.json") / 2" %.1f)
    large=$(calculate "$large + $(number requests_per_s "" "$work/$1-large-$round.json") / 2" %.1f)
  done
  result "  its cost on $items rows to 10,000" "" "$(calculate "$large" %.0f)" "$(calculate "$little / $large")" "" "" \
    "≤ 1.3" "$(verdict "$little <= 1.3 * $large")"
}

# The tenant of the claims about MARC, loaded when the first of them runs.
marc_library() {
  if [ -n "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_marc'")" ]; then return; fi
  load_marc
}
. perf/load-marc/load.sh

for claim in $limited; do
  if wanted $claim; then measure $claim; fi
done
for claim in $special; do
  if wanted $claim && [ -f perf/$claim/run.sh ]; then . perf/$claim/run.sh; fi
done

echo
echo "$items items ($about) and as many instances; $(nproc) cores for generator, server and database; PostgreSQL $(sql -c 'SHOW server_version')"
echo "resident memory of octavo: $(calculate "$(server_kb) / 1024" %.0f) MB, at most $(calculate "$(awk '/^VmHWM/ { print $2 }' "/proc/$server/status") / 1024" %.0f) MB"
cat "$work/table"
mkdir -p "$(dirname "$json")"
results_json >"$json"
step "the figures are in $json too"
