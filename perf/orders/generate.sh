#!/usr/bin/env bash
# Makes purchase orders or their lines, one document a line, with the shares of the orders performance
# test: half of the orders open, 20 of 100 pending, 30 closed; half of the lines physical, 20 of 100
# electronic, 30 both. Numbers begin at 300000, so that 306857 is among them.
#
#   perf/orders/generate.sh purchase_order 20000 >orders.ndjson
#   perf/orders/generate.sh po_line 20000 >lines.ndjson
set -euo pipefail
case ${1:-} in purchase_order | po_line) ;; *) sed -n '2,7p' "$0" >&2; exit 2 ;; esac
awk -v table="$1" -v orders="${2:-20000}" 'BEGIN {
  for (n = 0; n < orders; n++) {
    number = 300000 + n
    order = sprintf("%08x-0000-4000-8000-000000000001", number)
    # Spread over the minutes of three years, in an order that does not correlate with the numbers.
    minute = (n * 7919) % 1576800
    date = sprintf("%d-%02d-%02dT%02d:%02d:00.000+00:00", 2023 + int(minute / 525600), \
      int(minute / 43800) % 12 + 1, int(minute / 1440) % 28 + 1, int(minute / 60) % 24, minute % 60)
    metadata = sprintf("\"metadata\": {\"createdDate\": \"%s\", \"updatedDate\": \"%s\"}", date, date)
    share = (n * 37) % 100
    if (table == "purchase_order") {
      status = share < 50 ? "Open" : share < 70 ? "Pending" : "Closed"
      printf "{\"id\": \"%s\", \"poNumber\": \"%d\", \"orderType\": \"One-Time\", \"workflowStatus\": \"%s\", \"approved\": true, \"notes\": [], %s}\n", order, number, status, metadata
    } else {
      share = (n * 61) % 100
      form = share < 50 ? "Physical Resource" : share < 70 ? "Electronic Resource" : "P/E Mix"
      printf "{\"id\": \"%08x-0000-4000-8000-000000000002\", \"purchaseOrderId\": \"%s\", \"poLineNumber\": \"%d-1\", \"orderFormat\": \"%s\", \"titleOrPackage\": \"Title %d\", \"source\": \"User\", \"cost\": {\"currency\": \"USD\", \"listUnitPrice\": %d.5, \"quantityPhysical\": 1}, %s}\n", number, order, number, form, n, n % 100, metadata
    }
  }
}'
