# The seed's ten queries for orders and lines on 1,000,000 orders with a line each (ORDERS=…) and their 2,200,000
# transactions, 20 connections, each beside pgbench on the same SQL; then octavo doctor. Sourced by perf/bench.sh.
orders_million() {
  local number orders=${ORDERS:-1000000}
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_millions'")" ]; then
    step "orders-million: $orders orders with lines, titles, pieces, invoices and transactions"
    "$octavo" tenant create millions --admin bench >/dev/null
    "$octavo" load sample --tenant millions --items 100 --patrons 0 --loans 0 --orders "$orders" --with-money \
      >"$work/millions.log"
    step "  $(tail -n 1 "$work/millions.log")"
    sql -c CHECKPOINT
  fi
  mkdir -p "$work/orders-million"
  for number in 01 02 03 04 05 06 07 08 09 10; do measure "orders-million/$number"; done
  "$octavo" doctor --tenant millions >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
  result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
}
orders_million
