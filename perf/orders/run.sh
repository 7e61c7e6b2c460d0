# The ten queries of FOLIO's orders performance test against collections declared as data: each is
# expressed in CQL, and its plan and indexes are printed. Sourced by perf/bench.sh.
orders() {
  local name published table query plan=$work/plan served ten=0 with_index=0 count=$((items < 20000 ? items : 20000))
  step "orders: ten queries on $count purchase orders with a line each"
  perf/orders/generate.sh purchase_order "$count" >"$work/orders.ndjson"
  perf/orders/generate.sh po_line "$count" >"$work/lines.ndjson"
  : >"$work/plans"
  while IFS=$'\t' read -r name published table query; do
    ten=$((ten + 1))
    if ! "$octavo" cql try --declare perf/orders/collections.toml --records "purchase_order=$work/orders.ndjson" \
      --records "po_line=$work/lines.ndjson" --collection "$table" "$query" >"$plan" 2>"$work/orders.log"; then
      step "  $name: $(cat "$work/orders.log")"
      continue
    fi
    served=$(sed -n 's/^index  *//p' "$plan")
    if ! grep -q 'none serves it' "$plan"; then with_index=$((with_index + 1)); fi
    step "  $name: $query"
    step "    $served"
    { echo "$name ($published ms in FOLIO): $query"; sed -n "/^PostgreSQL's way/,/^found/p" "$plan"; echo; } >>"$work/plans"
  done <perf/orders/queries.tsv
  mkdir -p "$(dirname "$json")"
  cp "$work/plans" "$(dirname "$json")/bench-orders-plans.txt"
  result "orders: $with_index of $ten queries planned on indexes" "" "" "" "" "" "all; plans in bench-orders-plans.txt" \
    "$(verdict "$with_index == $ten")"
}
orders
