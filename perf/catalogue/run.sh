# A catalogue with as many instances and holdings as the bench has items, and half as many items again:
# the duration of the load, and the size of its tables on disk. Only on request.
# Sourced by perf/bench.sh.
catalogue() {
  local took table rows heap indexes
  step "catalogue: $items instances and holdings, $((items * 3 / 2)) items"
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_catalogue'")" ]; then
    "$octavo" tenant create catalogue --admin bench >/dev/null
    "$octavo" load sample --tenant catalogue --items $((items * 3 / 2)) --without-marc --patrons 0 --loans 0 >"$work/catalogue.log"
    took=$(awk '/^loaded in/ { print $3 }' "$work/catalogue.log")
    result "catalogue of $items instances: loaded in $took s" "" "$(calculate "$items * 3.5 / $took" %.0f)" "" "" "" "" ""
  fi
  while IFS='|' read -r table rows heap indexes; do
    result "  $table: $rows rows, $heap and indexes of $indexes" "" "" "" "" "" "" ""
  done < <(sql -c "SELECT relname, reltuples::bigint, pg_size_pretty(pg_table_size(oid)), pg_size_pretty(pg_indexes_size(oid))
    FROM pg_class WHERE relnamespace = 'tenant_catalogue'::regnamespace AND relkind = 'r'
    ORDER BY pg_total_relation_size(oid) DESC LIMIT 4")
  result "  all of it: $(sql -c "SELECT pg_size_pretty(sum(pg_total_relation_size(oid))::bigint) FROM pg_class
    WHERE relnamespace = 'tenant_catalogue'::regnamespace AND relkind = 'r'")" "" "" "" "" "" "" ""
}
catalogue
