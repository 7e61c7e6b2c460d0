# Parsing alone: the records that load-marc loads, from memory, on one core, without a database. Sourced by
# perf/bench.sh.
parse_marc() {
  local rate
  build_tool --package octavo-marc --example parse_rate
  "$octavo" load sample --items 50000 --one-item-each --marc-file "$work/parse.mrc" >/dev/null
  "$built/examples/parse_rate" "$work/parse.mrc" "$seconds" >"$work/parse"
  rate=$(awk '$1 == "records_per_second" { print $2 }' "$work/parse")
  step "parse-marc: $(awk '{ printf "%s %s  ", $2, $1 }' "$work/parse")"
  result "parse-marc: records of $(awk '$1 == "bytes_per_record" { print $2 }' "$work/parse") bytes" "" "$rate" "" "" "" \
    "≥ 100,000 records/s" "$(verdict "$rate >= 100000")"
}
parse_marc
