# The acts of acquisitions: orders of 1 and 100 lines opened with instances, holdings, items and encumbrances;
# invoices of 100 lines approved and paid; a ledger with 10,000 open orders (ROLLED=…) rolled over while nobody asks,
# and another while others read. Sourced by perf/bench.sh.
acquisitions() {
  local rolled=${ROLLED:-10000}
  ordering acquisitions
  ordering rolling
  act one "Open 1 line : PUT" 30
  act hundred "Open 100 lines : PUT" 1000
  act invoice "Approve 100 lines : PUT" 300 "Pay 100 lines : PUT" 300
  rollover rolling alone
  rollover acquisitions beside
  local tenant
  for tenant in rolling acquisitions; do
    "$octavo" doctor --tenant "$tenant" >"$work/doctor.txt" 2>&1 || cat "$work/doctor.txt" >&2
    result "$(tail -n 1 "$work/doctor.txt")" "" "" "" "" "" "in order" "$(if grep -q 'is in order' "$work/doctor.txt"; then echo met; else echo missed; fi)"
  done
}

# A tenant with orders, half of which are open, and their money.
ordering() { # tenant
  if [ -n "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_$1'")" ]; then return; fi
  step "acquisitions: $rolled open orders with their money"
  "$octavo" tenant create "$1" --admin bench >/dev/null
  "$octavo" load sample --tenant "$1" --items 100 --patrons 0 --loans 0 --orders "$((rolled * 2))" --with-money \
    >"$work/acquisitions.log"
  step "  $(tail -n 1 "$work/acquisitions.log")"
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

# A rollover while nobody asks, or with readers of orders before and during it.
rollover() { # tenant, alone or beside
  local tenant=$1 token year next ledger id status started took=1200 before=0 during=0 spun=0 spinning= readers=
  token=$(token_of "$tenant")
  IFS='|' read -r ledger year <<<"$(sql -c "SELECT ledger.id, year.id FROM tenant_$tenant.ledger AS ledger
    JOIN tenant_$tenant.fiscal_year AS year ON year.id = ledger.fiscalyearoneid LIMIT 1")"
  if [ -n "$(sql -c "SELECT 1 FROM tenant_$tenant.ledger_fiscal_year_rollover LIMIT 1")" ]; then
    step "acquisitions: the ledger of $tenant is rolled over already; that is done once with the data of a run"
    return
  fi
  next=$(($(date -u +%Y) + 1))
  next=$(finance "$token" fiscal-years "{\"name\": \"Sample year $next\", \"code\": \"SAMPLE$next\", \"series\": \"SAMPLE\", \"currency\": \"USD\", \"periodStart\": \"$next-01-01T00:00:00Z\", \"periodEnd\": \"$next-12-31T23:59:59Z\"}")
  if [ "$2" = beside ]; then
    paced before "$((seconds * 2 + 1))"
    before=$(number p95_ms "An order : GET" "$work/rollover-before.json")
    # What any work of that length does to readers on this machine.
    spin &
    spinning=$!
    paced spun "$((seconds * 2 + 1))"
    kill "$spinning"
    spun=$(number p95_ms "An order : GET" "$work/rollover-spun.json")
    # Until the rollover ends: a run each few seconds would measure their log-ins.
    paced during 1200 &
    readers=$!
    sleep 2
  fi
  step "acquisitions: the rollover of $rolled open orders, $2"
  started=$(date +%s.%N)
  id=$(finance "$token" ledger-rollovers "{\"ledgerId\": \"$ledger\", \"fromFiscalYearId\": \"$year\", \"toFiscalYearId\": \"$next\", \"rolloverType\": \"Commit\", \"restrictEncumbrance\": true, \"restrictExpenditures\": true, \"needCloseBudgets\": true, \"budgetsRollover\": [{\"rolloverAllocation\": true, \"adjustAllocation\": 0, \"rolloverBudgetValue\": \"None\", \"setAllowances\": false}], \"encumbrancesRollover\": [{\"orderType\": \"One-time\", \"basedOn\": \"InitialAmount\", \"increaseBy\": 0}]}")
  if [ -z "$id" ]; then
    step "  the rollover was refused"
    if [ -n "$readers" ]; then pkill -TERM -P "$readers" || true; wait "$readers" || true; fi
    return
  fi
  while holds "$(date +%s.%N) - $started < 1200"; do
    sleep 0.5
    status=$(sql -c "SELECT jsonb->>'overallRolloverStatus', extract(epoch FROM (jsonb->'metadata'->>'updatedDate')::timestamptz)
      FROM tenant_$tenant.ledger_fiscal_year_rollover_progress WHERE ledgerrolloverid = '$id'")
    case ${status%%|*} in
      Success | Error) took=$(calculate "${status#*|} - $started"); break ;;
    esac
  done
  if [ -n "$readers" ]; then
    pkill -TERM -P "$readers" || true
    wait "$readers" || true
    during=$(number p95_ms "An order : GET" "$work/rollover-during.json")
  fi
  local aim="" verdict
  if [ "$2" = alone ]; then aim="< 60 s"; fi
  verdict=$(verdict "($took < 60 || \"$2\" == \"beside\") && \"${status%%|*}\" == \"Success\"")
  result "rollover of $rolled open orders, $2, s: $took; ${status%%|*}" "" "$(calculate "$rolled / $took" %.0f)" "" "" "" "$aim" "$verdict"
  if [ "$2" = beside ]; then
    result "  an order read meanwhile; p95 before: $before ms, beside an empty loop as long as portions: $spun" "" "" "$(calculate "$during / $before")" "" "$(calculate "$during")" \
      "p95 ≤ 1.2 of before" "$(verdict "$during <= 1.2 * $before")"
  fi
}

# Reads at a steady pace, which leaves room, for the rollover too.
paced() { # name of the record, seconds
  "$octavo" workload run perf/acquisitions/reads.toml --url "$url" --tenant "$tenant" --user bench --password bench \
    --open --rate 200 --virtual-users 20 --ramp-up 0s --warm-up 1s --duration "$2s" --json "$work/rollover-$1.json" \
    >/dev/null 2>"$work/rollover.log" || tail -n 20 "$work/rollover.log" >&2
}

# An empty loop for 40 of each 160 ms, the time that portions beside requests take.
spin() {
  local until
  while kill -0 "$$" 2>/dev/null; do
    until=$((${EPOCHREALTIME/[.,]/} + 40000))
    while [ "${EPOCHREALTIME/[.,]/}" -lt "$until" ]; do :; done
    sleep 0.12
  done
}

# Stores a record of finance; gives its id.
finance() { # token, path, body
  curl -s "$url/finance/$2" -H "X-Okapi-Tenant: $tenant" -H "X-Okapi-Token: $1" -H 'Content-Type: application/json' \
    -d "$3" | tr -d ' \n' | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4
}
acquisitions
