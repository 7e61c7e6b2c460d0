# `octavo load marc`: instances with their source records, rows for searching and events, from a file
# of the sample's MARC records (MARC_RECORDS=… for another number; MARC_FILE=… for another file). The
# limit is plain COPY of the same documents into the same tables of another tenant, with all their
# indexes and triggers: one transaction, no events, nothing read or mapped.
# The tenant is kept, because other claims measure on it. Sourced by perf/bench.sh.
load_marc() {
  local records=${MARC_RECORDS:-$items} file=${MARC_FILE:-$work/records.mrc}
  local watch rate first last seconds limit table errors
  step "load-marc: $records records"
  "$octavo" tenant create marc --admin bench >/dev/null
  if [ -z "${MARC_FILE:-}" ]; then
    "$octavo" load sample --items "$records" --one-item-each --marc-file "$file" >/dev/null
  fi
  sql -c CHECKPOINT
  while sleep 0.5; do
    sql -c "SELECT extract(epoch FROM clock_timestamp()), position FROM tenant_marc.import_progress"
  done >"$work/marc-progress" 2>/dev/null &
  watch=$!
  "$octavo" load marc "$file" --tenant marc >"$work/marc.log" 2>"$work/marc-errors.log" || cat "$work/marc-errors.log" >&2
  kill "$watch" 2>/dev/null || true
  wait "$watch" 2>/dev/null || true
  rate=$(sed -n 's/.*, \([0-9]*\) records\/s.*/\1/p' "$work/marc.log")
  errors=$(awk '/set aside/ { print $1 }' "$work/marc.log")
  records=$(sql -c 'SELECT count(*) FROM tenant_marc.source_record')
  # The first and the last tenth, but at least a second of each.
  read -r first last < <(awk -F'|' -v all="$records" '
    # Not while the position stands: indexes are built after the last record.
    $2 > at[n] { time[++n] = $1; at[n] = $2 }
    END {
      for (i = 2; i < n && at[i] - at[1] < all / 10; i++);
      for (j = n - 1; j > 1 && at[n] - at[j] < all / 10; j--);
      if (n < 3) { print 0, 0; exit }
      printf "%.0f %.0f\n", (at[i] - at[1]) / (time[i] - time[1]), (at[n] - at[j]) / (time[n] - time[j])
    }' "$work/marc-progress")
  "$octavo" tenant create marclimit --admin bench >/dev/null
  sql -c "INSERT INTO tenant_marclimit.snapshot (id, jsonb) SELECT id, jsonb FROM tenant_marc.snapshot"
  for table in instance source_record; do
    sql -c "SET statement_timeout = 0; COPY (SELECT id, jsonb FROM tenant_marc.$table) TO STDOUT (FORMAT binary)" >"$work/$table.copy"
  done
  sql -c CHECKPOINT
  seconds=$(date +%s.%N)
  (
    echo "SET statement_timeout = 0; BEGIN;"
    for table in instance source_record; do
      echo "\\copy tenant_marclimit.$table (id, jsonb) FROM '$work/$table.copy' (FORMAT binary)"
    done
    echo "COMMIT;"
  ) | sql >/dev/null
  seconds=$(calculate "$(date +%s.%N) - $seconds" %.3f)
  limit=$(calculate "$records / $seconds" %.0f)
  rm -f "$work"/{instance,source_record}.copy
  result "load-marc: first tenth $first/s, last tenth $last/s" "$limit" "${rate:-0}" \
    "$(calculate "${rate:-0} / $limit")" "" "" "≥ 4,000 records/s, last ≥ 0.9 of first" \
    "$(verdict "${rate:-0} >= 4000 && $last >= 0.9 * $first && ${errors:-1} == 0")"
  "$octavo" tenant purge marclimit --yes >/dev/null
}
