title='search: four facets over 100,000 hits'
aim=0.50 aim_p95=100 connections=1
path='/search/instances/facets?query=keyword%20all%20%22${word}%22&facet=source:10,instanceTypeId:10,languages:10,instanceFormatIds:10'
# The word that is nearest to a tenth of all titles.
feeder="SELECT word FROM ts_stat('SELECT (words).title FROM SCHEMA.search_instance ORDER BY md5(id::text) LIMIT 10000')
  WHERE word ~ '^[a-z]{2,}\$' ORDER BY abs(ndoc - 1000), word LIMIT 1"
group=1 counted=1 limit=10
hits="SELECT hits, hits, hits FROM (SELECT (SELECT count(*) FROM SCHEMA.search_instance AS s
  WHERE SCHEMA.search_keyword_words(s.words) @@ public.octavo_phrase(v[1])) AS hits FROM bench.feed) AS counted"
