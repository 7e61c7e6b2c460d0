# Memory of the server and of its connections before and after requests for 1,000 ids each, one after
# the other: neither may grow with the number of ids. Sourced by perf/bench.sh.
ids_1000() {
  local title='1,000 ids in one request: growth of memory' path='/item-storage/items?limit=1000&query=id==(${ids})'
  local csv=$work/feed.csv body= server_before server_after backends_before backends_after grown_server grown_backends
  step "items-by-1000-ids: $title"
  sql >"$csv" -c "COPY (SELECT string_agg(id::text, ' or ') AS ids FROM
    (SELECT id, row_number() OVER () AS n FROM (SELECT id FROM tenant_bench.item LIMIT 100000) AS part) AS chosen
    GROUP BY n / 1000 HAVING count(*) = 1000) TO STDOUT WITH (FORMAT csv, HEADER)"
  # The same path with one id first, so that the cost of any first request is not counted.
  (path='/item-storage/items?limit=1000' hammer bench "" 1 "$work/warm.json" 1)
  server_before=$(server_kb) backends_before=$(backends_kb)
  hammer bench "$csv" "$half" "$work/ids-1000.json" 1
  server_after=$(server_kb) backends_after=$(backends_kb)
  grown_server=$(calculate "($server_after - $server_before) / 1024" %.1f)
  grown_backends=$(calculate "($backends_after - $backends_before) / 1024" %.1f)
  result "GET items?query=id==(1,000 ids)" "" "$(calculate "$(number requests_per_s "" "$work/ids-1000.json")" %.0f)" "" \
    "$(calculate "$(number p50_ms "" "$work/ids-1000.json")")" "$(calculate "$(number p95_ms "" "$work/ids-1000.json")")" "" "" \
    "$server_us" "$backend_us"
  result "  growth: server $grown_server MB, backends $grown_backends MB" "" "" "" "" "" "each < 10 MB" \
    "$(verdict "$grown_server < 10 && $grown_backends < 10")"
}
ids_1000
