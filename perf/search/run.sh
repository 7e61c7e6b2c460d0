# Searches, facets and browsing as FOLIO's inventory app requests them. Sourced by perf/bench.sh.
search_case() { # title, path, CSV file or nothing, connections, aim for p95 in ms or nothing
  local p95 body= aim="" reached=""
  path=$2
  hammer bench "$3" 5 "$work/warm.json" "$4"
  hammer bench "$3" "$seconds" "$work/search.json" "$4"
  p95=$(number p95_ms "" "$work/search.json")
  if [ -n "$5" ]; then aim="p95 < $5 ms" reached=$(verdict "$p95 < $5"); fi
  result "$1" "" "$(calculate "$(number requests_per_s "" "$work/search.json")" %.0f)" "" \
    "$(calculate "$(number p50_ms "" "$work/search.json")")" "$(calculate "$p95")" "$aim" "$reached" \
    "$server_us" "$backend_us"
}

search() {
  local path word hits each rows found
  step "search: keywords, facets, browsing"
  # Two and three words of titles, taken at random: from a handful to some thousand hits.
  rows="SELECT words[1] AS first, words[2] AS second FROM (SELECT (SELECT array_agg(word ORDER BY md5(word || id))
      FROM unnest(tsvector_to_array((words).title)) AS word WHERE length(word) > 3 AND word ~ '^[a-z]+\$') AS words
    FROM tenant_bench.search_instance ORDER BY md5(id::text) LIMIT 20000) AS chosen WHERE cardinality(words) > 1"
  sql >"$work/words.csv" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  each=$(sql -c "SET statement_timeout = 0; SELECT format('%s to %s, half of them up to %s', min(hits), max(hits),
      percentile_disc(0.5) WITHIN GROUP (ORDER BY hits))
    FROM (SELECT words, (SELECT count(*) FROM tenant_bench.search_instance
      WHERE tenant_bench.search_keyword_words(search_instance.words) @@ (quote_literal(some_of_them.words[1])::tsquery && quote_literal(some_of_them.words[2])::tsquery)) AS hits
    FROM (SELECT ARRAY[first, second] AS words FROM ($rows) AS all_of_them LIMIT 50) AS some_of_them) AS counted")
  step "  hits of two words: $each"
  search_case 'search keyword all "2 words", by title' \
    '/search/instances?limit=100&query=keyword%20all%20%22${first}%20${second}%22%20sortBy%20title' "$work/words.csv" 4 100
  search_case '  by relevance' \
    '/search/instances?limit=100&query=keyword%20all%20%22${first}%20${second}%22' "$work/words.csv" 4 ""
  # The word that is nearest to a tenth of all titles.
  word=$(sql -c "SELECT word FROM ts_stat('SELECT (words).title FROM tenant_bench.search_instance ORDER BY md5(id::text) LIMIT 10000')
    WHERE word ~ '^[a-z]{2,}\$' ORDER BY abs(ndoc - 1000), word LIMIT 1")
  found=$(sql -c "SELECT count(*) FROM tenant_bench.search_instance WHERE tenant_bench.search_keyword_words(words) @@ '$word'")
  search_case "4 facets over $found hits, 2 of them of items and holdings" \
    "/search/instances/facets?query=keyword%20all%20%22$word%22&facet=source:10,languages:10,item.effectiveLocationId:10,item.status.name:10" "" 1 ""
  rows="SELECT replace(value, '\"', '') AS value FROM tenant_bench.browse_heading WHERE kind = 2 AND value ~ '^[A-Za-z ,]+\$' ORDER BY md5(instance_id::text) LIMIT 5000"
  sql >"$work/names.csv" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  search_case 'browse contributors around a name' \
    '/browse/contributors/instances?limit=20&precedingRecordsCount=5&query=name%20%3E%3D%20%22${value}%22%20or%20name%20%3C%20%22${value}%22' "$work/names.csv" 4 ""
  rows="SELECT value FROM tenant_bench.browse_call_number WHERE kind = 10 AND value ~ '^[A-Za-z0-9 .]+\$' ORDER BY md5(item_id::text) LIMIT 5000"
  sql >"$work/numbers.csv" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  search_case 'browse call numbers around one' \
    '/browse/call-numbers/all/instances?limit=20&precedingRecordsCount=5&query=fullCallNumber%20%3E%3D%20%22${value}%22%20or%20fullCallNumber%20%3C%20%22${value}%22' "$work/numbers.csv" 4 ""
  rows="SELECT value FROM (SELECT DISTINCT value FROM tenant_bench.browse_heading WHERE kind = 1 AND value ~ '^[A-Za-z0-9 ]+\$' LIMIT 1000) AS all_of_them"
  sql >"$work/subjects.csv" -c "SET statement_timeout = 0; COPY ($rows) TO STDOUT WITH (FORMAT csv, HEADER)"
  search_case 'browse subjects around one' \
    '/browse/subjects/instances?limit=20&precedingRecordsCount=5&query=value%20%3E%3D%20%22${value}%22%20or%20value%20%3C%20%22${value}%22' "$work/subjects.csv" 4 ""
}
search
