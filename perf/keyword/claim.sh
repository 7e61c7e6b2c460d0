title='GET instances?query=keyword all "3 words"'
aim=0.80 aim_p95=50
path='/instance-storage/instances?limit=100&query=keyword%20all%20%22${first}%20${second}%20${third}%22%20sortBy%20title'
# Three words of one title proper, each in some 25,000 of a million titles; in every fourth row the
# third is "of", which most of them have.
feeder="SELECT first, second, third FROM (
    SELECT number, words[1] AS first, words[2] AS second,
      CASE WHEN number % 4 = 0 AND jsonb->>'title' ~ ' of ' THEN 'of' ELSE words[3] END AS third
    FROM (SELECT jsonb, row_number() OVER () AS number, (SELECT array_agg(word ORDER BY md5(word || id))
      FROM unnest(tsvector_to_array(public.octavo_words(split_part(jsonb->>'title', ' : ', 1)))) AS word
      WHERE length(word) > 3) AS words
      FROM (SELECT * FROM SCHEMA.instance ORDER BY md5(id::text) LIMIT 8000) AS part) AS chosen
    WHERE cardinality(words) >= 3) AS rows"
group=1 counted=1 limit=100
# How many instances a search finds: the least, the median and the most of a hundred rows.
hits="SELECT min(hits), percentile_disc(0.5) WITHIN GROUP (ORDER BY hits), max(hits) FROM (SELECT (SELECT count(*)
  FROM SCHEMA.instance WHERE public.octavo_words(public.octavo_concat(VARIADIC ARRAY[jsonb->>'title', jsonb->>'indexTitle', public.octavo_join(jsonb->'alternativeTitles', 'alternativeTitle'), public.octavo_join(jsonb->'series', 'value'), public.octavo_join(jsonb->'contributors', 'name'), public.octavo_join(jsonb->'identifiers', 'value')]))
  @@ (public.octavo_phrase(v[1]) && public.octavo_phrase(v[2]) && public.octavo_phrase(v[3]))) AS hits
  FROM bench.feed WHERE n <= 100) AS counted"
