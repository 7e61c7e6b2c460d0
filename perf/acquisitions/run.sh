# The acts of acquisitions: orders of 1 and 100 lines opened with instances, holdings, items and encumbrances;
# invoices of 100 lines approved and paid; a ledger with 10,000 open orders (ROLLED=…) rolled over while others
# read. Sourced by perf/bench.sh.
acquisitions() {
  local rolled=${ROLLED:-10000}
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_acquisitions'")" ]; then
    # Half of the orders are open.
    step "acquisitions: $rolled open orders with their money"
    "$octavo" tenant create acquisitions --admin bench >/dev/null
    "$octavo" load sample --tenant acquisitions --items 100 --patrons 0 --loans 0 --orders "$((rolled * 2))" --with-money \
      >"$work/acquisitions.log"
    step "  $(tail -n 1 "$work/acquisitions.log")"
  fi
  act one "Open 1 line : PUT" 30
  act hundred "Open 100 lines : PUT" 1000
  act invoice "Approve 100 lines : PUT" 300 "Pay 100 lines : PUT" 300
  rollover
  "$octavo" doctor --tenant acquisitions >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
  result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
}

# One user does it again and again.
act() { # branch, then labels each with its aim in ms
  local branch=$1 errors file p95
  shift
  file=$work/acquisitions-$branch.json
  step "acquisitions: $branch"
  "$octavo" workload run perf/acquisitions/acts.toml --url "$url" --tenant acquisitions --user bench --password bench \
    --only "$branch" --virtual-users 1 --ramp-up 0s --warm-up "$half"s --duration "$((seconds * 3))s" --think-time none --json "$file" \
    >/dev/null 2>"$work/acquisitions.log" || tail -n 20 "$work/acquisitions.log" >&2
  errors=$(number errors "" "$file")
  while [ $# -gt 0 ]; do
    p95=$(number p95_ms "$1" "$file")
    result "$1; errors: $errors" "" "$(calculate "$(number samples "$1" "$file") / ($seconds * 3 - $half)")" "" \
      "$(calculate "$(number p50_ms "$1" "$file")")" "$(calculate "$p95")" "p95 < $2 ms" "$(verdict "$errors == 0 && $p95 < $2")"
    shift 2
  done
}

# Readers of orders before the rollover and during it.
rollover() {
  local token year next ledger id status started took=600 before during=0 p95
  token=$(token_of acquisitions)
  IFS='|' read -r ledger year <<<"$(sql -c "SELECT ledger.id, year.id FROM tenant_acquisitions.ledger AS ledger
    JOIN tenant_acquisitions.fiscal_year AS year ON year.id = ledger.fiscalyearoneid LIMIT 1")"
  if [ -n "$(sql -c "SELECT 1 FROM tenant_acquisitions.ledger_fiscal_year_rollover LIMIT 1")" ]; then
    step "acquisitions: the ledger is rolled over already; that is done once with the data of a run"
    return
  fi
  next=$(($(date -u +%Y) + 1))
  next=$(finance "$token" fiscal-years "{\"name\": \"Sample year $next\", \"code\": \"SAMPLE$next\", \"series\": \"SAMPLE\", \"currency\": \"USD\", \"periodStart\": \"$next-01-01T00:00:00Z\", \"periodEnd\": \"$next-12-31T23:59:59Z\"}")
  paced before "$((seconds + 1))"
  before=$(number p95_ms "An order : GET" "$work/rollover-before.json")
  step "acquisitions: the rollover of $rolled open orders"
  started=$(date +%s.%N)
  id=$(finance "$token" ledger-rollovers "{\"ledgerId\": \"$ledger\", \"fromFiscalYearId\": \"$year\", \"toFiscalYearId\": \"$next\", \"rolloverType\": \"Commit\", \"restrictEncumbrance\": true, \"restrictExpenditures\": true, \"needCloseBudgets\": true, \"budgetsRollover\": [{\"rolloverAllocation\": true, \"adjustAllocation\": 0, \"rolloverBudgetValue\": \"None\", \"setAllowances\": false}], \"encumbrancesRollover\": [{\"orderType\": \"One-time\", \"basedOn\": \"InitialAmount\", \"increaseBy\": 0}]}")
  if [ -z "$id" ]; then step "  the rollover was refused"; return; fi
  while holds "$(date +%s.%N) - $started < 600"; do
    paced during 4
    p95=$(number p95_ms "An order : GET" "$work/rollover-during.json")
    if holds "$p95 > $during"; then during=$p95; fi
    status=$(sql -c "SELECT jsonb->>'overallRolloverStatus', extract(epoch FROM (jsonb->'metadata'->>'updatedDate')::timestamptz)
      FROM tenant_acquisitions.ledger_fiscal_year_rollover_progress WHERE ledgerrolloverid = '$id'")
    case ${status%%|*} in
      Success | Error) took=$(calculate "${status#*|} - $started"); break ;;
    esac
  done
  result "rollover of $rolled open orders, s: $took; ${status%%|*}" "" "$(calculate "$rolled / $took" %.0f)" "" "" "" "< 60 s" \
    "$(verdict "$took < 60 && \"${status%%|*}\" == \"Success\"")"
  result "  an order read meanwhile, slowest 3 s" "" "" "$(calculate "$during / $before")" "" "$(calculate "$during")" \
    "p95 ≤ 1.2 of before" "$(verdict "$during <= 1.2 * $before")"
}

# Reads at a steady pace, which leaves room, for the rollover too.
paced() { # name of the record, seconds
  "$octavo" workload run perf/acquisitions/reads.toml --url "$url" --tenant acquisitions --user bench --password bench \
    --open --rate 200 --virtual-users 20 --ramp-up 0s --warm-up 1s --duration "$2s" --json "$work/rollover-$1.json" \
    >/dev/null 2>"$work/rollover.log" || tail -n 20 "$work/rollover.log" >&2
}

# Stores a record of finance; gives its id.
finance() { # token, path, body
  curl -s "$url/finance/$2" -H 'X-Okapi-Tenant: acquisitions' -H "X-Okapi-Token: $1" -H 'Content-Type: application/json' \
    -d "$3" | tr -d ' \n' | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4
}
acquisitions
