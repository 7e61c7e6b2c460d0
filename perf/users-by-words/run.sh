# Users by the beginnings of three words, as the users app searches for what is typed, among as many users as
# the bench has items: a library of its own. Only on request. Sourced by perf/bench.sh.
users_by_words() {
  local path rows p95 body=
  if [ -z "$(sql -c "SELECT 1 FROM pg_namespace WHERE nspname = 'tenant_people'")" ]; then
    step "a library of $items users for tenant people"
    "$octavo" tenant create people --admin bench >/dev/null
    "$octavo" load sample --tenant people --items 3 --without-marc --patrons "$items" --loans 0 >"$work/people.log"
    sql -c 'VACUUM ANALYZE tenant_people.users, tenant_people.users_search'
  fi
  # The first three letters of both names, and the first digits of the barcode: four digits are the same for all
  # users of the sample.
  rows="SELECT lower(left(jsonb->'personal'->>'firstName', 3)) AS first,
      lower(left(jsonb->'personal'->>'lastName', 3)) AS second, left(jsonb->>'barcode', 4 + (number % 8)::int) AS third
    FROM (SELECT jsonb, row_number() OVER () AS number FROM (SELECT jsonb FROM tenant_people.users
      WHERE jsonb->'personal'->>'firstName' ~ '^[A-Za-z]{3}' AND jsonb->'personal'->>'lastName' ~ '^[A-Za-z]{3}'
        AND jsonb ? 'barcode' ORDER BY md5(id::text) LIMIT 2000) AS picked) AS numbered"
  sql >"$work/people.csv" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  path='/users?limit=100&query=%28keywords%3D%22${first}%2A%22%20and%20keywords%3D%22${second}%2A%22%20and%20keywords%3D%22${third}%2A%22%29%20sortby%20personal.lastName%20personal.firstName'
  hammer people "$work/people.csv" 2 "$work/warm.json" 4
  hammer people "$work/people.csv" "$seconds" "$work/people.json" 4
  p95=$(number p95_ms "" "$work/people.json")
  result 'GET users?query=keywords: 3 prefixes, by name' "" "$(calculate "$(number requests_per_s "" "$work/people.json")" %.0f)" "" \
    "$(calculate "$(number p50_ms "" "$work/people.json")")" "$(calculate "$p95")" "p95 < 100 ms" "$(verdict "$p95 < 100")" \
    "$server_us" "$backend_us"
}
users_by_words
