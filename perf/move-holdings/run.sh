# 10,000 holdings moved to one instance in one request, and so in one transaction. On the small
# tenant, since its instances lose their holdings. Sourced by perf/bench.sh.
move_holdings() {
  local token moved status elapsed
  step "move-holdings: POST inventory/holdings/move with 10,000 ids"
  token=$(token_of small)
  sql >"$work/move.json" -c "SELECT json_build_object('toInstanceId', (SELECT id FROM tenant_small.instance ORDER BY id LIMIT 1),
    'holdingsRecordIds', (SELECT json_agg(id) FROM (SELECT id FROM tenant_small.holdings_record ORDER BY md5(id::text) LIMIT 10000) AS some_of_them))"
  moved=$(sql -c "SELECT least(10000, count(*)) FROM tenant_small.holdings_record")
  sql -c CHECKPOINT
  read -r status elapsed < <(curl -s -o "$work/moved.json" -w '%{http_code} %{time_total}\n' "$url/inventory/holdings/move" \
    -H "X-Okapi-Token: $token" -H 'X-Okapi-Tenant: small' -H 'Content-Type: application/json' --data-binary "@$work/move.json")
  if [ "$status" != 200 ]; then
    step "  answered with $status: $(head -c 200 "$work/moved.json")"
    result "move $moved holdings: answered with $status" "" "" "" "" "" "< 5 s" "missed"
    return
  fi
  result "move $moved holdings: $elapsed s" "" "$(calculate "$moved / $elapsed" %.0f)" "" "" "" "< 5 s" "$(verdict "$elapsed < 5")"
}
move_holdings
