#!/usr/bin/env bash
# The catalogue as MARC by `octavo export marc`, compared with psql for the same rows, and its
# memory early and late. Sourced by perf/bench.sh, or run by itself on a loaded database:
#   OCTAVO=target/release/octavo DATABASE=postgresql:///octavo?host=… TENANT=diku perf/export-marc/run.sh

export_marc() { # octavo, psql, database URL, tenant
  local octavo=$1 psql=$2 database=$3 tenant=$4 schema="tenant_${4//-/_}" work
  work=$(mktemp -d)
  local rows begun ended limit_s
  rows=$("$psql" "$database" -XAtqc "SELECT count(*) FROM $schema.source_record")
  # The limit: the same rows in the same order, with the texts that an export needs, unprocessed.
  begun=$(date +%s.%N)
  "$psql" "$database" -Xq -c 'SET statement_timeout = 0' -c "\copy (SELECT s.jsonb->'rawRecord'->>'content', \
    s.jsonb->'parsedRecord'->>'formattedContent' FROM (SELECT id FROM $schema.instance \
    ORDER BY lower(public.f_unaccent(jsonb->>'hrid')) COLLATE \"C\") AS i JOIN LATERAL (SELECT jsonb \
    FROM $schema.source_record WHERE left(lower((jsonb->'externalIdsHolder')->>'instanceId'), 600) \
    COLLATE \"C\" = i.id::text OFFSET 0) AS s ON true) to stdout" >/dev/null
  ended=$(date +%s.%N)
  limit_s=$(awk "BEGIN { print $ended - $begun }")
  begun=$(date +%s.%N)
  "$octavo" export marc --tenant "$tenant" --database-url "$database" --output "$work/all.mrc" 2>"$work/messages" &
  local pid=$! early=0 last=0 size now
  while kill -0 "$pid" 2>/dev/null; do
    now=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null || echo "$last")
    size=$(stat -c %s "$work/all.mrc" 2>/dev/null || echo 0)
    # Early is the first sample after a tenth of the final size, at a kilobyte and a half a record.
    if [ "$early" = 0 ] && [ "$size" -gt $((rows * 150)) ]; then early=$now; fi
    last=${now:-$last}
    sleep 0.05
  done
  wait "$pid"
  ended=$(date +%s.%N)
  awk -v rows="$rows" -v s="$(awk "BEGIN { print $ended - $begun }")" -v limit="$limit_s" \
    -v early="$early" -v late="$last" 'BEGIN {
    printf "%d records in %.1f s: %.0f/s; psql %.0f/s; ratio %.2f; memory %.0f MB early, %.0f MB at the end\n",
      rows, s, rows / s, rows / limit, limit / s, early / 1024, late / 1024 }'
  cat "$work/messages" >&2
  rm -r "$work"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  export_marc "${OCTAVO:-target/release/octavo}" "${PSQL:-psql}" "$DATABASE" "${TENANT:-diku}"
else
  marc_library
  step "export-marc: everything, as it was loaded"
  export_marc "$octavo" "$psql" "$database" marc >"$work/export-marc"
  step "  $(cat "$work/export-marc")"
  # records in s: rate; psql limit; ratio; memory early and at the end
  read -r rate limit ratio early late < <(sed -E 's|.*: ([0-9]+)/s; psql ([0-9]+)/s; ratio ([0-9.]+); memory ([0-9]+) MB early, ([0-9]+) MB.*|\1 \2 \3 \4 \5|' "$work/export-marc")
  result "export-marc: $early MB early, $late MB at the end" "$limit" "$rate" "$ratio" "" "" \
    "≥ 20,000 records/s, memory flat" "$(verdict "$rate >= 20000 && $late <= 1.2 * $early + 5")"
fi
