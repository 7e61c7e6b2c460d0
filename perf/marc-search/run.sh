# Searches in MARC by fields and subfields, among all records that load-marc has loaded, once all of
# them are indexed. Sourced by perf/bench.sh.
marc_search_case() { # title, expression, rows for its gaps or nothing, aim for p95 in ms or nothing
  local body path=/source-storage/stream/marc-record-identifiers aim="" reached="" csv="" p95
  body="{\"fieldsSearchExpression\": \"$2\", \"limit\": 10}"
  if [ -n "$3" ]; then
    csv=$work/marc-search.csv
    sql >"$csv" -c "SET statement_timeout = 0; COPY ($3) TO STDOUT WITH (FORMAT csv, HEADER)"
  fi
  hammer marc "$csv" 3 "$work/warm.json" 4
  hammer marc "$csv" "$seconds" "$work/marc-search.json" 4
  p95=$(number p95_ms "" "$work/marc-search.json")
  if [ -n "$4" ]; then aim="p95 < $4 ms" reached=$(verdict "$p95 < $4"); fi
  result "$1" "" "$(calculate "$(number requests_per_s "" "$work/marc-search.json")" %.0f)" "" \
    "$(calculate "$(number p50_ms "" "$work/marc-search.json")")" "$(calculate "$p95")" "$aim" "$reached" \
    "$server_us" "$backend_us"
}

marc_search() {
  local begun rows records some
  marc_library
  records=$(sql -c 'SET statement_timeout = 0; SELECT count(*) FROM tenant_marc.source_record')
  step "marc-search: $records records, taken up for searching"
  begun=$(date +%s)
  while [ "$(sql -c 'SELECT count(*) FROM (SELECT 1 FROM tenant_marc.marc_untermed LIMIT 1) AS one')" != 0 ]; do sleep 1; done
  step "  $(($(date +%s) - begun)) s until they were; $(sql -c "SELECT pg_size_pretty(pg_total_relation_size('tenant_marc.marc_term'))")"
  some="FROM (SELECT jsonb->'parsedRecord'->'content' AS marc FROM tenant_marc.source_record ORDER BY md5(id::text) LIMIT 20000) AS part"
  rows="SELECT marc->'fields'->0->>'001' AS number $some"
  marc_search_case "001.value = '…'" "001.value = '\${number}'" "$rows" 100
  marc_search_case "(001.value = '…' or 035.ind1 = '9')" "(001.value = '\${number}' or 035.ind1 = '9')" "$rows" 100
  rows="SELECT * FROM (SELECT jsonb_path_query_first(marc, '\$.fields[*].\"035\".subfields[*].a')#>>'{}' AS number $some) AS found
    WHERE number ~ '^[A-Za-z0-9()]+\$'"
  marc_search_case "035.a = '…'" "035.a = '\${number}'" "$rows" 100
  rows="SELECT * FROM (SELECT left(jsonb_path_query_first(marc, '\$.fields[*].\"245\".subfields[*].a')#>>'{}', 12) AS title $some) AS found
    WHERE title ~ '^[A-Za-z0-9 ]+\$'"
  marc_search_case "245.a ^= '12 characters'" "245.a ^= '\${title}'" "$rows" 100
  rows="SELECT DISTINCT topic FROM (SELECT jsonb_path_query_first(marc, '\$.fields[*].\"650\".subfields[*].a')#>>'{}' AS topic $some) AS found
    WHERE topic ~ '^[A-Za-z0-9 ]+\$'"
  marc_search_case "650.a = '…' and 008.35_03 = 'eng'" "650.a = '\${topic}' and 008.35_03 = 'eng'" "$rows" 100
  marc_search_case "035.ind1 = '#', nearly all of them" "035.ind1 = '#'" "" ""
}
marc_search
