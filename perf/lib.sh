# Functions shared by perf/bench.sh and its parts: finding programs, running the limit and the server,
# and storing the results. Sourced, not run.

# The measured build: all optimisations, unless PROFILE names another (release, quick).
profile=${PROFILE:-dist}
built=${CARGO_TARGET_DIR:-target}/$profile

build_tool() { cargo build --quiet --profile "$profile" "$@"; }

find_program() {
  command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2>/dev/null | sort -V | tail -n 1
}

step() { echo "· $*" >&2; }

# One number of a JSON summary: the first of that name after a line that holds the second argument.
number() { awk -v key="\"$1\":" -v after="${2:-}" '
  after == "" || index($0, after) { found = 1 }
  found && $1 == key { gsub(/[",]/, "", $2); print $2; exit }' "$3"; }

sql() { "$psql" "$database" -XAtq -v ON_ERROR_STOP=1 "$@"; }
calculate() { awk "BEGIN { printf \"${2:-%.2f}\", ($1) }"; }
holds() { awk "BEGIN { exit !($1) }"; }
verdict() { if holds "$1"; then echo met; else echo missed; fi; }

# The rows that fill the gaps of a claim, for the server as CSV and for pgbench as table bench.feed,
# `group` rows of the feeder in one row of it.
feed() { # schema, CSV file
  local rows=${feeder//SCHEMA/$1}
  sql >"$2" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  sql <<SQL
SET client_min_messages = warning;
CREATE SCHEMA IF NOT EXISTS bench;
DROP TABLE IF EXISTS bench.feed;
CREATE TABLE bench.feed AS
  SELECT (row_number() OVER ())::int AS n, v FROM (
    SELECT array_agg(value ORDER BY n, at) AS v
    FROM (SELECT row_number() OVER () AS n, one FROM ($rows) AS one) AS numbered,
      LATERAL json_each_text(row_to_json(one)) WITH ORDINALITY AS _(key, value, at)
    GROUP BY (n - 1) / $group HAVING count(DISTINCT n) = $group) AS grouped;
ALTER TABLE bench.feed ADD PRIMARY KEY (n);
VACUUM ANALYZE bench.feed;
SQL
}

# Statements a second of PostgreSQL alone: prepared, 8 clients or as many as the claim has, with the
# claim's plan mode. Each client plans a statement repeatedly until PostgreSQL chooses a generic plan;
# the server's connections have done so already.
limit_rate() { # directory, seconds
  local rows tps mode=${plans:-auto}
  rows=$(sql -c 'SELECT count(*) FROM bench.feed')
  tps=$(PGOPTIONS="-c plan_cache_mode=${mode/generic/force_generic_plan}" "$pgbench" -n -M prepared -c "${connections:-8}" -j 2 -T "$2" -D "rows=$rows" -D "limit=${limit:-0}" \
    -f "$1/limit.sql" "$database" 2>"$work/pgbench.log" | awk '/^tps/ { print $3 }')
  if [ -z "$tps" ]; then cat "$work/pgbench.log" >&2; return 1; fi
  calculate "$tps * $counted" %.1f
}

# Processor time in hundredths of a second: of the server, and of its connections to the database.
server_ticks() { awk '{ print $14 + $15 }' "/proc/$server/stat"; }
backend_ticks() {
  local sum=0 pid
  for pid in $(backends); do
    sum=$((sum + $(awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0)))
  done
  echo "$sum"
}
backends() { sql -c "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'octavo%'"; }

# A token of a tenant's operator, for requests with curl.
token_of() { # tenant
  curl -s -D - -o /dev/null "$url/authn/login" -H "X-Okapi-Tenant: $1" -H 'Content-Type: application/json' \
    -d '{"username": "bench", "password": "bench"}' | tr -d '\r' | sed -n 's/^x-okapi-token: //Ip'
}

# Requests of a claim over HTTP, 8 connections or as many as given. Writes the summary to a file, and
# the processor time of a request in microseconds to server_us and backend_us.
hammer() { # tenant, CSV file, seconds, summary, connections
  local more=()
  if [ -n "$2" ]; then more+=(--feeder "$2"); fi
  if [ -n "${rows_once:-}" ]; then more+=(--rows-once); fi
  if [ -n "${body:-}" ]; then
    printf '%s' "$body" >"$work/body.json"
    more+=(--body-template "$work/body.json")
  fi
  local server_before backend_before requests
  server_before=$(server_ticks) backend_before=$(backend_ticks)
  "$octavo" workload hammer --url "$url" --tenant "$1" --user bench --password bench \
    --path-template "$path" "${more[@]}" --connections "${5:-8}" --duration "${3}s" \
    --json="$4" >/dev/null 2>"$work/hammer.log" || true
  if [ ! -s "$4" ]; then cat "$work/hammer.log" >&2; return 1; fi
  local errors
  requests=$(number requests "" "$4")
  server_us=$(calculate "$requests > 0 ? ($(server_ticks) - $server_before) * 10000 / $requests : 0" %.1f)
  backend_us=$(calculate "$requests > 0 ? ($(backend_ticks) - $backend_before) * 10000 / $requests : 0" %.1f)
  errors=$(number errors "" "$4")
  if [ "$errors" != 0 ]; then
    step "$errors of these requests failed: $(awk '/"first_body"/ { print; exit }' "$4")"
  fi
}

# The statements on a tenant's tables since the last reset, by pg_stat_statements' identity: the
# same for pgbench and the server when they send the same SQL. Each has a role of its own: what the server
# does in the background while pgbench measures is not pgbench's.
statements() { # schema, whose: pgbench or server
  local role='<>'
  if [ "$2" = pgbench ]; then role='='; fi
  sql -c "SELECT queryid FROM pg_stat_statements WHERE query LIKE '%$1.%' AND calls > 1
    AND query NOT LIKE '%bench.feed%' AND userid $role (SELECT oid FROM pg_roles WHERE rolname = current_user) ORDER BY 1"
}
forget_statements() { sql -c 'SELECT pg_stat_statements_reset()' >/dev/null 2>&1 || true; }

# Private memory of the server's database connections, in kB.
backends_kb() {
  local sum=0 pid
  for pid in $(backends); do
    sum=$((sum + $(awk '/^RssAnon/ { print $2 }' "/proc/$pid/status" 2>/dev/null || echo 0)))
  done
  echo "$sum"
}
server_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$server/status"; }

# The table and the JSON file: one line for each claim.
begin_results() {
  printf '%-42s %10s %10s %6s %9s %9s %9s %9s  %s\n' claim "limit/s" "octavo/s" ratio "p50 ms" "p95 ms" "server µs" "db µs" aim >"$work/table"
  : >"$work/lines"
}
result() { # claim, limit, octavo, ratio, p50, p95, aim, verdict, server_us, backend_us
  printf '%-42s %10s %10s %6s %9s %9s %9s %9s  %s\n' "$1" "$2" "$3" "$4" "$5" "$6" "${9:-}" "${10:-}" "$7 $8" >>"$work/table"
  local value key line="" keys=(claim limit_per_s octavo_per_s ratio p50_ms p95_ms aim verdict server_us backend_us)
  for key in "${keys[@]}"; do
    value=${1:-}
    value=${value//\\/\\\\}
    value=${value//\"/\\\"}
    [[ $value =~ ^-?[0-9]+(\.[0-9]+)?$ ]] || value="\"$value\""
    line+="${line:+, }\"$key\": $value"
    if [ $# -gt 0 ]; then shift; fi
  done
  echo "  {$line}" >>"$work/lines"
}
results_json() {
  printf '{"items": %s, "cores": %s, "postgresql": "%s", "octavo": "%s", "at": "%s", "claims": [\n' \
    "$items" "$(nproc)" "$(sql -c 'SHOW server_version')" "$("$octavo" --version | awk '{ print $2 }')" \
    "$(date -u +%FT%TZ)"
  sed '$!s/$/,/' "$work/lines"
  echo "]}"
}
